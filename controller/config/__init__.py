"""Board files and device addresses."""
