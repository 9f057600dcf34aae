"""Benchmarks: speeds as ratios measured in one run, because machines differ."""
