"""A simulated table: pieces, hands, light and camera faults, changed by the caller.

`vision.scene` renders it, and `TableSource` is the camera over it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from controller.devices import sentences
from controller.devices.camera.live import CameraUnavailable
from controller.ports.devices import CameraDetails, Pixels
from controller.ports.world import NotOnTable
from engine.errors import excerpt
from engine.game import AnyGame, Piece
from engine.grid import Cell, Heading
from engine.sentences import Sentence
from vision.board import PhysicalBoard
from vision.camera_model import CameraModel, Lens
from vision.scene import (
    CameraConditions,
    Hand,
    LedLight,
    PrintedSet,
    RoomLight,
    Scene,
    ScenePiece,
    place_pieces,
    render,
)

INITIAL_FILL = 0.8
MARGIN_PX = 8.0
NOISE_MARGIN_PX = 61  # the noise field is larger than a frame by that much


@dataclass(frozen=True)
class TableSnapshot:
    """Everything that a rendered frame depends on."""

    scene: Scene
    view: CameraModel
    conditions: CameraConditions


class SimulatedTable:
    """The scene on and around the board. Thread-safe."""

    def __init__(
        self,
        board: PhysicalBoard,
        game: AnyGame,
        view: CameraModel | None = None,
        conditions: CameraConditions | None = None,
        prints: PrintedSet | None = None,
    ) -> None:
        self._tags: Mapping[int, Piece] = game.tags
        self._lock = threading.Lock()
        self._objects: dict[int, ScenePiece] = {}
        self._last_handle = 0
        scene = Scene(board, players=game.players, prints=prints)
        self._snapshot = TableSnapshot(
            scene, view or fit_view(board), conditions or CameraConditions()
        )
        self.plugged_in = True
        self.frozen = False

    @property
    def board(self) -> PhysicalBoard:
        return self._snapshot.scene.board

    @property
    def objects(self) -> dict[int, ScenePiece]:
        """The pieces on the table, by handle."""
        with self._lock:
            return dict(self._objects)

    def snapshot(self) -> TableSnapshot:
        return self._snapshot

    def set_pieces(self, pieces: Mapping[Cell, Piece]) -> dict[Cell, int]:
        """Clear the table and set up a position; returns the handle of each piece."""
        objects = place_pieces(self.board, pieces, self._tags)
        with self._lock:
            self._objects.clear()
            handles = [self._add(scene_piece) for scene_piece in objects]
            self._update_scene()
        return dict(zip(sorted(pieces), handles, strict=True))

    def place(self, scene_piece: ScenePiece) -> int:
        """Put a piece anywhere, also a second one with the same tag; returns its handle."""
        with self._lock:
            handle = self._add(scene_piece)
            self._update_scene()
            return handle

    def place_piece(self, tag: int, cell: Cell, heading: Heading = 0) -> int:
        """Put a piece on the centre of a cell, its tag turned to a heading; returns its handle."""
        if tag not in self._tags:
            raise NotOnTable(sentences.TAG_UNKNOWN(tag=tag))
        x_mm, y_mm = self.board.centre_mm(cell)
        angle = self.board.grid.degrees(heading)
        return self.place(ScenePiece(tag, self._tags[tag], x_mm, y_mm, angle))

    def move(self, handle: int, x_mm: float, y_mm: float) -> None:
        with self._lock:
            self._objects[handle] = replace(self._object(handle), x_mm=x_mm, y_mm=y_mm)
            self._update_scene()

    def move_to(self, handle: int, cell: Cell) -> None:
        self.move(handle, *self.board.centre_mm(cell))

    def rotate(self, handle: int, by_degrees: float) -> None:
        """Turn a piece clockwise in place."""
        with self._lock:
            scene_piece = self._object(handle)
            angle = (scene_piece.angle_degrees + by_degrees) % 360
            self._objects[handle] = replace(scene_piece, angle_degrees=angle)
            self._update_scene()

    def swap_tags(self, one: int, other: int) -> None:
        """Exchange the tags of two pieces."""
        with self._lock:
            first, second = self._object(one), self._object(other)
            self._objects[one] = replace(first, tag=second.tag)
            self._objects[other] = replace(second, tag=first.tag)
            self._update_scene()

    def remove(self, handle: int) -> ScenePiece:
        with self._lock:
            scene_piece = self._object(handle)
            del self._objects[handle]
            self._update_scene()
            return scene_piece

    def handle_at(self, cell: Cell) -> int:
        """The handle of the piece on a cell that is nearest to its centre."""
        x_mm, y_mm = self.board.centre_mm(cell)
        with self._lock:
            away = {
                handle: float(np.hypot(scene_piece.x_mm - x_mm, scene_piece.y_mm - y_mm))
                for handle, scene_piece in self._objects.items()
            }
        nearest = min(away, key=lambda handle: away[handle], default=None)
        if nearest is None or away[nearest] > self.board.cell_mm / 2:
            raise NotOnTable(sentences.NOTHING_THERE(cell=self.board.grid.name(cell)))
        return nearest

    def set_hands(self, *hands: Hand) -> None:
        """Replace the hands over the board."""
        self._set_scene(hands=hands)

    def set_lamps(self, lamps: Iterable[LedLight]) -> None:
        """Replace the lit LEDs under the board."""
        self._set_scene(led_lights=tuple(lamps))

    def set_room(self, room: RoomLight) -> None:
        self._set_scene(room=room)

    def set_conditions(self, conditions: CameraConditions) -> None:
        """Set exposure, blur and noise of the camera."""
        with self._lock:
            self._snapshot = replace(self._snapshot, conditions=conditions)

    def set_view(self, view: CameraModel) -> None:
        """Move the camera."""
        with self._lock:
            self._snapshot = replace(self._snapshot, view=view)

    def _add(self, scene_piece: ScenePiece) -> int:
        self._last_handle += 1
        self._objects[self._last_handle] = scene_piece
        return self._last_handle

    def _object(self, handle: int) -> ScenePiece:
        if handle not in self._objects:
            raise NotOnTable(sentences.PIECE_GONE(handle=excerpt(handle)))
        return self._objects[handle]

    def _update_scene(self) -> None:
        objects = tuple(self._objects.values())
        self._snapshot = replace(
            self._snapshot, scene=replace(self._snapshot.scene, pieces=objects)
        )

    def _set_scene(self, **changes: Any) -> None:
        with self._lock:
            self._snapshot = replace(self._snapshot, scene=replace(self._snapshot.scene, **changes))


class TableSource:
    """A `FrameSource` that renders a table.

    It calls `before_frame` before each frame, so that the LEDs can be updated.
    """

    def __init__(
        self,
        table: SimulatedTable,
        name: str = "sim://",
        fps: float = 10.0,
        seed: int = 0,
        before_frame: Callable[[], None] = lambda: None,
    ) -> None:
        self.name, self.interval_ms = name, 1000 / fps
        self._table, self._fps, self._before_frame = table, fps, before_frame
        self._rng = np.random.default_rng(seed)
        self._rendered: TableSnapshot | None = None
        self._noise_free: Pixels | None = None
        self._noise: tuple[tuple[float, tuple[int, ...]], npt.NDArray[np.int16]] | None = None

    def open(self) -> CameraDetails:
        if not self._table.plugged_in:
            raise CameraUnavailable(sentences.SIMULATED_CAMERA_AWAY())
        view = self._table.snapshot().view
        return CameraDetails(view.width, view.height, self._fps, True, True)

    def read(self) -> Pixels | None:
        if not self._table.plugged_in:
            raise CameraUnavailable(sentences.SIMULATED_CAMERA_UNPLUGGED())
        if self._table.frozen:
            return None
        self._before_frame()
        look = self._table.snapshot()
        if look.conditions.jpeg is not None:  # compresses the noise too
            return render(look.scene, look.view, look.conditions, self._rng)
        if look is not self._rendered or self._noise_free is None:
            quiet = replace(look.conditions, noise=0.0)
            self._noise_free = render(look.scene, look.view, quiet, self._rng)
            self._rendered = look
        return self._with_noise(self._noise_free, look.conditions.noise)

    def remarks(self) -> list[Sentence]:
        return []

    def close(self) -> None:
        """Does nothing."""

    def _with_noise(self, clean: Pixels, sigma: float) -> Pixels:
        """Add new noise to a rendered frame: rendering it again would be much slower."""
        if not sigma:
            return clean.copy()
        height, width = clean.shape[:2]
        grain = self._noise_field(sigma, clean.shape)
        down, right = self._rng.integers(0, NOISE_MARGIN_PX, 2)
        part = grain[down : down + height, right : right + width]
        return np.asarray(cv2.add(clean, part, dtype=cv2.CV_8U), np.uint8)

    def _noise_field(self, sigma: float, shape: tuple[int, ...]) -> npt.NDArray[np.int16]:
        """A noise field larger than a frame; every frame uses another part of it."""
        if self._noise is None or self._noise[0] != (sigma, shape):
            size = (shape[0] + NOISE_MARGIN_PX, shape[1] + NOISE_MARGIN_PX)
            noise = self._rng.standard_normal(size, np.float32) * np.float32(sigma)
            grey = np.rint(noise).astype(np.int16)
            self._noise = (sigma, shape), grey if len(shape) == 2 else cv2.merge([grey] * 3)
        return self._noise[1]


def fit_view(
    board: PhysicalBoard,
    width: int = 1280,
    height: int = 720,
    tilt_degrees: float = 12.0,
    lens: Lens | None = None,
) -> CameraModel:
    """A camera position from which the board and its corner tags are visible."""
    fill, half = INITIAL_FILL, board.corner_mm / 2
    corners = board.corner_tags_mm()
    ends = np.concatenate(
        [corners + np.array([dx, dy]) for dx in (-half, half) for dy in (-half, half)]
    )
    while True:
        view = CameraModel.looking_down(board.size_mm, width, height, fill, tilt_degrees, lens=lens)
        points = view.project(ends)
        if ((points > MARGIN_PX) & (points < np.array([width, height]) - MARGIN_PX)).all():
            return view
        fill *= 0.97
