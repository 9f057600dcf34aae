"""For those who build and set up a table."""
