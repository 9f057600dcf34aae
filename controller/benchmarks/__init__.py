"""The benchmarks of `laserboard bench`."""
