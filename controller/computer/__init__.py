"""The computer player for other programs: protocol, matches, tuning."""
