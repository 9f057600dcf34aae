"""Camera drivers."""
