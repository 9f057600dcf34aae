"""Pin numbers of the Pi's header, the Pico's LED lanes and the level shifter.

Tests compare them with firmware/rp2040/leds.h (Pico) and gpiozero (SPI).
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from controller.builder import paper_sentences as sentences
from engine.sentences import Sentence

PICO_LANE_PINS = (4, 5, 6, 7)  # physical pins of GP2 to GP5
PICO_FIRST_GPIO = 2
PICO_GROUND = 3
SPI_DATA, SPI_CLOCK = 10, 11  # GPIO numbers of SPI 0, the only bus that gpiozero supports
SPI_SELECTS = (8, 7)
SPI_IN = 9
SPI_GROUND = 25  # the header pin beside those of SPI 0

# Header pin by GPIO, the same on every Pi with 40 pins.
HEADER_PINS = MappingProxyType({
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8,
    15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22,
    26: 37, 27: 13,
})  # fmt: skip
HEADER_GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
HEADER_5V, HEADER_3V = (2, 4), (1, 17)


@dataclass(frozen=True, slots=True)
class Gate:
    """One of the four buffers of a 74AHCT125."""

    enable_pin: int
    input_pin: int
    output_pin: int


GATES = (Gate(1, 2, 3), Gate(4, 5, 6), Gate(10, 9, 8), Gate(13, 12, 11))
SHIFTER_GROUND, SHIFTER_5V = 7, 14


def pi_pin(gpio: int) -> Sentence:
    return sentences.PI_PIN(pin=HEADER_PINS[gpio], gpio=gpio)


def pico_pin(lane: int) -> Sentence:
    return sentences.PICO_PIN(pin=PICO_LANE_PINS[lane], gpio=PICO_FIRST_GPIO + lane)
