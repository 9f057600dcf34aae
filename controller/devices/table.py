"""The simulated table: pieces that can be put, moved, turned and taken, hands, light, and faults.

It is drawn by `vision.scene`, and `TableSource` makes it a camera like any other. Who plays on it
and what happens there is up to the caller: this table does nothing by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from controller.devices.camera import Unavailable
from controller.ports import CameraDetails, NotOnTable, Pixels
from engine.errors import excerpt
from engine.game import AnyGame, Piece
from engine.grid import Cell, Heading
from vision.board import PhysicalBoard
from vision.scene import Conditions, Hand, Lamp, Prints, Room, Scene, Thing, placed, render
from vision.view import Lens, View

FILL = 0.8
MARGIN_PX = 8.0
GRAIN_SPARE = 61  # pixels by which the field of noise is larger than a picture


@dataclass(frozen=True)
class Look:
    """All that a picture depends on."""

    scene: Scene
    view: View
    conditions: Conditions


class Table:
    """What is on and around the board; may be changed from any thread while it is seen."""

    def __init__(
        self,
        board: PhysicalBoard,
        game: AnyGame,
        view: View | None = None,
        conditions: Conditions | None = None,
        prints: Prints | None = None,
    ) -> None:
        self._tags: Mapping[int, Piece] = game.tags
        self._lock = threading.Lock()
        self._things: dict[int, Thing] = {}
        self._last_handle = 0
        scene = Scene(board, players=game.players, prints=prints)
        self._look = Look(scene, view or view_of(board), conditions or Conditions())
        self.plugged_in = True
        self.frozen = False

    @property
    def board(self) -> PhysicalBoard:
        return self._look.scene.board

    @property
    def things(self) -> dict[int, Thing]:
        """What stands here, by the handles that `put` gave out."""
        with self._lock:
            return dict(self._things)

    def look(self) -> Look:
        return self._look

    def lay_out(self, pieces: Mapping[Cell, Piece]) -> dict[Cell, int]:
        """Clear the table and set up a position; returns the handles."""
        things = placed(self.board, pieces, self._tags)
        with self._lock:
            self._things.clear()
            handles = [self._add(thing) for thing in things]
            self._show()
        return dict(zip(sorted(pieces), handles, strict=True))

    def put(self, thing: Thing) -> int:
        """Put anything anywhere, also a tag that is there already; returns its handle."""
        with self._lock:
            handle = self._add(thing)
            self._show()
            return handle

    def stand(self, tag: int, cell: Cell, heading: Heading = 0) -> int:
        """Put a piece of the game on the middle of a cell, its tag pointing along a heading."""
        if tag not in self._tags:
            raise NotOnTable(f"tag {tag} is no piece of this game")
        x_mm, y_mm = self.board.centre_mm(cell)
        angle = self.board.grid.degrees(heading)
        return self.put(Thing(tag, self._tags[tag], x_mm, y_mm, angle))

    def move(self, handle: int, x_mm: float, y_mm: float) -> None:
        with self._lock:
            self._things[handle] = replace(self._thing(handle), x_mm=x_mm, y_mm=y_mm)
            self._show()

    def move_to(self, handle: int, cell: Cell) -> None:
        self.move(handle, *self.board.centre_mm(cell))

    def turn(self, handle: int, by_degrees: float) -> None:
        """Turn a piece where it stands, clockwise."""
        with self._lock:
            thing = self._thing(handle)
            angle = (thing.angle_degrees + by_degrees) % 360
            self._things[handle] = replace(thing, angle_degrees=angle)
            self._show()

    def swap_tags(self, one: int, other: int) -> None:
        """Each piece wears the tag of the other."""
        with self._lock:
            first, second = self._thing(one), self._thing(other)
            self._things[one] = replace(first, tag=second.tag)
            self._things[other] = replace(second, tag=first.tag)
            self._show()

    def remove(self, handle: int) -> Thing:
        with self._lock:
            thing = self._thing(handle)
            del self._things[handle]
            self._show()
            return thing

    def at(self, cell: Cell) -> int:
        """The handle of the piece whose middle is nearest to that of a cell, and on it."""
        x_mm, y_mm = self.board.centre_mm(cell)
        with self._lock:
            away = {
                handle: float(np.hypot(thing.x_mm - x_mm, thing.y_mm - y_mm))
                for handle, thing in self._things.items()
            }
        nearest = min(away, key=lambda handle: away[handle], default=None)
        if nearest is None or away[nearest] > self.board.cell_mm / 2:
            raise NotOnTable(f"nothing stands on {self.board.grid.name(cell)}")
        return nearest

    def reach_in(self, *hands: Hand) -> None:
        """These hands and no others are over the board; none at all: they are gone."""
        self._set_scene(hands=hands)

    def shine(self, lamps: Iterable[Lamp]) -> None:
        """These lights under the board are on, and no others."""
        self._set_scene(lamps=tuple(lamps))

    def light(self, room: Room) -> None:
        self._set_scene(room=room)

    def expose(self, conditions: Conditions) -> None:
        """How the camera sees: exposure, blur, noise."""
        with self._lock:
            self._look = replace(self._look, conditions=conditions)

    def nudge(self, view: View) -> None:
        """Move the camera."""
        with self._lock:
            self._look = replace(self._look, view=view)

    def _add(self, thing: Thing) -> int:
        self._last_handle += 1
        self._things[self._last_handle] = thing
        return self._last_handle

    def _thing(self, handle: int) -> Thing:
        if handle not in self._things:
            raise NotOnTable(f"there is no piece {excerpt(handle)} on the table any more")
        return self._things[handle]

    def _show(self) -> None:
        things = tuple(self._things.values())
        self._look = replace(self._look, scene=replace(self._look.scene, things=things))

    def _set_scene(self, **changes: Any) -> None:
        with self._lock:
            self._look = replace(self._look, scene=replace(self._look.scene, **changes))


class TableSource:
    """The camera over a table. See `controller.devices.camera.Source`.

    `glow` is called before each picture: LEDs shine through the board as they do at that moment.
    """

    def __init__(
        self,
        table: Table,
        name: str = "sim://",
        fps: float = 10.0,
        seed: int = 0,
        glow: Callable[[], None] = lambda: None,
    ) -> None:
        self.name, self.interval_ms = name, 1000 / fps
        self._table, self._fps, self._glow = table, fps, glow
        self._rng = np.random.default_rng(seed)
        self._drawn: Look | None = None
        self._clean: Pixels | None = None
        self._grain: tuple[tuple[float, tuple[int, ...]], npt.NDArray[np.int16]] | None = None

    def open(self) -> CameraDetails:
        if not self._table.plugged_in:
            raise Unavailable("the simulated camera is unplugged")
        view = self._table.look().view
        return CameraDetails(view.width, view.height, self._fps, True, True)

    def read(self) -> Pixels | None:
        if not self._table.plugged_in:
            raise Unavailable("the simulated camera was unplugged")
        if self._table.frozen:
            return None
        self._glow()
        look = self._table.look()
        if look.conditions.jpeg is not None:  # packs the noise as well
            return render(look.scene, look.view, look.conditions, self._rng)
        if look is not self._drawn or self._clean is None:
            quiet = replace(look.conditions, noise=0.0)
            self._clean = render(look.scene, look.view, quiet, self._rng)
            self._drawn = look
        return self._with_noise(self._clean, look.conditions.noise)

    def remarks(self) -> list[str]:
        return []

    def close(self) -> None:
        """Nothing is held open."""

    def _with_noise(self, clean: Pixels, sigma: float) -> Pixels:
        """Brightness noise alone: drawing the table afresh takes much longer."""
        if not sigma:
            return clean.copy()
        height, width = clean.shape[:2]
        grain = self._grain_of(sigma, clean.shape)
        down, right = self._rng.integers(0, GRAIN_SPARE, 2)
        part = grain[down : down + height, right : right + width]
        return np.asarray(cv2.add(clean, part, dtype=cv2.CV_8U), np.uint8)

    def _grain_of(self, sigma: float, shape: tuple[int, ...]) -> npt.NDArray[np.int16]:
        """One field of noise, larger than a picture: every picture is given another part of it."""
        if self._grain is None or self._grain[0] != (sigma, shape):
            size = (shape[0] + GRAIN_SPARE, shape[1] + GRAIN_SPARE)
            noise = self._rng.standard_normal(size, np.float32) * np.float32(sigma)
            grey = np.rint(noise).astype(np.int16)
            self._grain = (sigma, shape), grey if len(shape) == 2 else cv2.merge([grey] * 3)
        return self._grain[1]


def view_of(
    board: PhysicalBoard,
    width: int = 1280,
    height: int = 720,
    tilt_degrees: float = 12.0,
    lens: Lens | None = None,
) -> View:
    """A camera that sees the board and its corner tags whole."""
    fill, half = FILL, board.corner_mm / 2
    corners = board.corner_tags_mm()
    ends = np.concatenate(
        [corners + np.array([dx, dy]) for dx in (-half, half) for dy in (-half, half)]
    )
    while True:
        view = View.looking_down(board.size_mm, width, height, fill, tilt_degrees, lens=lens)
        points = view.project(ends)
        if ((points > MARGIN_PX) & (points < np.array([width, height]) - MARGIN_PX)).all():
            return view
        fill *= 0.97
