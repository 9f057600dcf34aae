"""Tests of tournaments: several boards of one event."""
