"""Matches between programs that play: who, games in pairs, what they show, and how sure that is."""
