"""Tuning of the evaluation: self-play, fitting the weights, and a validation match."""
