"""Protocols and events between the program and the outside."""
