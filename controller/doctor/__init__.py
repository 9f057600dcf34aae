"""Is everything there that play needs? Each check is a sentence, and a remedy where it is not."""
