"""Soak test: many simulated games, each checked against what the hands did."""
