"""The rules of the laser games: pure values and functions, no I/O, no clock, no global state."""
