"""The rules of a game on one printed page, with pictures made from turns of the game."""
