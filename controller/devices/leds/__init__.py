"""LED drivers."""
