"""The command line: one module per group of commands, each with `add(commands)`."""
