"""One table at work: the loop, its devices, and the next game."""
