"""Hosts games one after another, with a screen and a page."""
