"""The rules of the laser games: values and functions, without a clock.

No I/O except its own data files and compiled core.
"""
