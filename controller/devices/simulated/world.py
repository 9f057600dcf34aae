"""The simulated world: the table, the hands over it, and the LEDs under it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from controller.devices.simulated.table import SimulatedTable
from controller.lighting.layout import LedLayout
from controller.ports.devices import Pixels
from engine.game import Piece
from engine.grid import Cell
from vision.scene import Hand, LedLight, ScenePiece, render

LED_BRIGHTNESS = 0.8  # of an LED under the board, relative to white paper in full light


class SimulatedWorld:
    """See `controller.ports.world.World`."""

    def __init__(
        self, table: SimulatedTable, layout: LedLayout, led_picture: Callable[[], Pixels | None]
    ) -> None:
        self._table, self._layout, self._led_picture = table, layout, led_picture
        self._last_pixels: Pixels | None = None
        self._hands: dict[bool, Hand] = {}

    def piece_at(self, cell: Cell) -> int:
        return self._table.handle_at(cell)

    def objects(self) -> Mapping[int, ScenePiece]:
        return self._table.objects

    def move(self, handle: int, x_mm: float, y_mm: float) -> None:
        self._table.move(handle, x_mm, y_mm)

    def move_to(self, handle: int, cell: Cell) -> None:
        self._table.move_to(handle, cell)

    def turn(self, handle: int, by_degrees: float) -> None:
        self._table.rotate(handle, by_degrees)

    def remove(self, handle: int) -> object:
        return self._table.remove(handle)

    def lay_out(self, pieces: Mapping[Cell, Piece]) -> None:
        self._table.set_pieces(pieces)

    def reach_to(self, cell: Cell, lingers: bool = False) -> None:
        board = self._table.board
        x_mm, y_mm = board.centre_mm(cell)
        near = y_mm > board.size_mm[1] / 2
        self._hands[lingers] = Hand(x_mm, y_mm, arm_degrees=180.0 if near else 0.0)
        self._table.set_hands(*self._hands.values())

    def withdraw_hand(self, lingers: bool = False) -> None:
        self._hands.pop(lingers, None)
        self._table.set_hands(*self._hands.values())

    def led_picture(self) -> Pixels | None:
        return self._led_picture()

    def apply_led_glow(self) -> None:
        pixels, before = self._led_picture(), self._last_pixels
        if pixels is before or (
            pixels is not None and before is not None and np.array_equal(pixels, before)
        ):
            return
        self._last_pixels = pixels
        if pixels is None:
            self._table.set_lamps(())
            return
        # After its start the firmware drives its default number of LEDs until CONFIG.
        places_mm = self._layout.led_positions_mm()[: len(pixels)]
        pixels = pixels[: len(places_mm)]
        lit = np.flatnonzero(pixels.any(axis=1) & np.isfinite(places_mm[:, 0]))
        lamps = []
        for led in lit:
            red, green, blue = (float(n) * LED_BRIGHTNESS / 255 for n in pixels[led])
            lamps.append(
                LedLight(float(places_mm[led, 0]), float(places_mm[led, 1]), (red, green, blue))
            )
        self._table.set_lamps(lamps)

    def render_image(self) -> Pixels:
        self.apply_led_glow()
        look = self._table.snapshot()
        return render(look.scene, look.view, look.conditions, np.random.default_rng(0))
