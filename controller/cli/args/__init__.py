"""Argument groups that several commands share."""
