"""The current limit of PROTOCOL.md, computed apart from the firmware."""

from __future__ import annotations


def limited_pixels(rgb: bytes, brightness: int, limit_ma: int, ma_per_led: int) -> bytes:
    leds = len(rgb) // 3
    dimmed = [channel * brightness // 255 for channel in rgb]
    total = sum(dimmed)
    if (total * ma_per_led + 764) // 765 + leds <= limit_ma or total == 0:
        return bytes(dimmed)
    room = max(limit_ma - leds, 0)
    scale = min(room * 765 * 65536 // (total * ma_per_led), 65536)
    return bytes(channel * scale // 65536 for channel in dimmed)
