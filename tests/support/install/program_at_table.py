"""The program `laserboard` with a simulated camera over a table that outlives the process.

    python -m tests.support.install.program_at_table TABLE.json play --board ...

The file, which the test changes, has the pieces on the table. All other parts are the real program.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from controller.cli.main import main
from controller.config.addresses.camera import SimulatedCameraAddress
from controller.devices.camera.live import LiveCamera
from controller.devices.factory.cameras import simulated_table
from controller.devices.simulated.table import SimulatedTable, TableSource
from controller.ports.devices import Camera, CameraDetails, Clock, Pixels
from controller.table import rig
from engine.game import Piece
from engine.grid import Cell

SMALL = SimulatedCameraAddress(width=960, height=540, sensor="grey")


def lay_out(file: Path, pieces: Mapping[Cell, Piece]) -> None:
    """Write the pieces on the table to the file, atomically."""
    lies = [(cell, *_fields(piece)) for cell, piece in pieces.items()]
    part = file.with_suffix(".part")
    part.write_text(json.dumps(lies))
    part.replace(file)


def _fields(piece: Piece) -> tuple[str, int, int, int]:
    return piece.kind, piece.owner, piece.orientation, piece.hit_points


class OutlivingSource(TableSource):
    """A camera over the table with the current content of its file."""

    def __init__(self, table: SimulatedTable, file: Path) -> None:
        super().__init__(table, "sim://", fps=15.0)
        self._lies, self._file = table, file
        self._laid = ""

    def open(self) -> CameraDetails:
        self._look_again()
        return super().open()

    def read(self) -> Pixels | None:
        self._look_again()
        return super().read()

    def _look_again(self) -> None:
        lies = self._file.read_text()
        if lies != self._laid:
            self._laid = lies
            self._lies.set_pieces({cell: Piece(*fields) for cell, *fields in json.loads(lies)})


def over(file: Path) -> Any:
    def open_camera(
        _: str, clock: Clock, width: int | None, height: int | None, board: str
    ) -> Camera:
        del width, height
        return LiveCamera(OutlivingSource(simulated_table(SMALL, board), file), clock)

    return open_camera


if __name__ == "__main__":
    rig.open_camera = over(Path(sys.argv[1]))  # type: ignore[attr-defined]
    sys.exit(main(sys.argv[2:]))
