"""Instruments for benchmarks."""
