"""Several boards of one event."""
