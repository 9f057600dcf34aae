"""Shared coordinates of the wiring plan, in millimetres."""

from __future__ import annotations

PITCH = 4.7  # between pins
PI_X, PI_WIDTH, FIRST_PIN_Y = 44.0, 40.0, 46.0
CHIP_X, CHIP_WIDTH, PICO_FIRST_Y = 120.0, 30.0, 134.0
SHIFTER_X, SHIFTER_WIDTH = 166.0, 26.0
LANE_0_Y, LANE_PITCH, LANE_X = 112.0, 16.0, 226.0
GROUND_X, BUS_Y = 163.0, 194.0


def lane_y(number: int) -> float:
    return LANE_0_Y - LANE_PITCH * number
