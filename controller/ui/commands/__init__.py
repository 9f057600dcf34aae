"""Commands that host no game: they work and print for a person at a terminal, from values."""
