"""Matches between programs: players, paired games, results and their statistics."""
