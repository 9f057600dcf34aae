"""Buzzer and speech."""
