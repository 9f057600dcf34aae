"""Pages of `docs/` that the program writes about itself: `python -m controller.cli.manual docs`."""
