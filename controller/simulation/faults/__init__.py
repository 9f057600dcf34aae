"""Fault injection on a simulated table: a catalogue, schedules drawn from a seed, recovery."""
