"""Reads camera frames: frames in, observations of pieces on cells and inferred turns out."""
