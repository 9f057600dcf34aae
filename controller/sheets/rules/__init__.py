"""One page per game that says how it is played: words and pictures, all from the game itself."""
