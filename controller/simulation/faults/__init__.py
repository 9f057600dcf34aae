"""Whatever may befall a simulated table: a catalogue, schedules drawn from a seed, and endings."""
