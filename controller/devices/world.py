"""The simulated world around one table: the table, hands over it, and the LEDs under it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from controller.devices.table import Table
from controller.layout import Layout
from controller.ports import Pixels
from engine.game import Piece
from engine.grid import Cell
from vision.scene import Hand, Lamp, Thing, render

BRIGHTEST = 0.8  # of white paper in full light: an LED under the board


class SimulatedWorld:
    """See `controller.ports.World`."""

    def __init__(self, table: Table, layout: Layout, latched: Callable[[], Pixels | None]) -> None:
        self._table, self._layout, self._latched = table, layout, latched
        self._glowing: Pixels | None = None
        self._hands: dict[bool, Hand] = {}

    def at(self, cell: Cell) -> int:
        return self._table.at(cell)

    def things(self) -> Mapping[int, Thing]:
        return self._table.things

    def move(self, handle: int, x_mm: float, y_mm: float) -> None:
        self._table.move(handle, x_mm, y_mm)

    def move_to(self, handle: int, cell: Cell) -> None:
        self._table.move_to(handle, cell)

    def turn(self, handle: int, by_degrees: float) -> None:
        self._table.turn(handle, by_degrees)

    def remove(self, handle: int) -> object:
        return self._table.remove(handle)

    def lay_out(self, pieces: Mapping[Cell, Piece]) -> None:
        self._table.lay_out(pieces)

    def reach_to(self, cell: Cell, lingers: bool = False) -> None:
        board = self._table.board
        x_mm, y_mm = board.centre_mm(cell)
        near = y_mm > board.size_mm[1] / 2
        self._hands[lingers] = Hand(x_mm, y_mm, arm_degrees=180.0 if near else 0.0)
        self._table.reach_in(*self._hands.values())

    def away(self, lingers: bool = False) -> None:
        self._hands.pop(lingers, None)
        self._table.reach_in(*self._hands.values())

    def latched(self) -> Pixels | None:
        return self._latched()

    def glow(self) -> None:
        pixels, before = self._latched(), self._glowing
        if pixels is before or (
            pixels is not None and before is not None and np.array_equal(pixels, before)
        ):
            return
        self._glowing = pixels
        if pixels is None:
            self._table.shine(())
            return
        # A chip that has just started drives as many LEDs as it boots with, not yet this board's.
        places_mm = self._layout.places_mm()[: len(pixels)]
        pixels = pixels[: len(places_mm)]
        lit = np.flatnonzero(pixels.any(axis=1) & np.isfinite(places_mm[:, 0]))
        lamps = []
        for led in lit:
            red, green, blue = (float(n) * BRIGHTEST / 255 for n in pixels[led])
            lamps.append(
                Lamp(float(places_mm[led, 0]), float(places_mm[led, 1]), (red, green, blue))
            )
        self._table.shine(lamps)

    def photograph(self) -> Pixels:
        self.glow()
        look = self._table.look()
        return render(look.scene, look.view, look.conditions, np.random.default_rng(0))
