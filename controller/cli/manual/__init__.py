"""Generates pages of `docs/` from the program: `python -m controller.cli.manual docs`."""
