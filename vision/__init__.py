"""Frames in, observations out: pictures of a table become pieces on cells."""
