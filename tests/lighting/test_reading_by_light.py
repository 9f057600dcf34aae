"""Reading the table while the LEDs shine through it: the table settles and stays settled, and a
piece that is put on or taken from a lit cell is seen."""

from __future__ import annotations

from random import Random

import cv2
import pytest

from controller.config.board_file import load_board_file
from controller.devices.simulated.table import SimulatedTable, TableSource, fit_view
from controller.devices.simulated.world import SimulatedWorld
from controller.lighting.animation import LightEffects
from controller.lighting.output import OutputStage
from controller.lighting.scenes import SceneSequence, scene_of
from controller.ports.devices import Pixels
from controller.session.state import Session
from engine.grid import Cell
from tests.support.lighting.scene_cases import BOARDS, laid, moments
from vision.observation import CellState
from vision.reader import Reader
from vision.scene import CameraConditions, Reflection, RoomLight
from vision.settling import Settled, SettleDetector, SettleReport

FRAME_MS = 100.0
QUICK = {("demo-10x8", "ready")}
SLOW = {("full-10x8", "mismatch"), ("hex-r5", "waiting")}


def _marks(board: str, name: str) -> tuple[pytest.MarkDecorator, ...]:
    if (board, name) in QUICK:
        return ()
    slow = board == "demo-10x8" or (board, name) in SLOW
    return (pytest.mark.slow if slow else pytest.mark.long,)


EVERY = [
    pytest.param(board, name, marks=_marks(board, name))
    for board in BOARDS
    for name in moments(board)
]


class Lit:
    """A table lit from below by the scene of a session, read frame by frame."""

    def __init__(self, board: str, session: Session, conditions: CameraConditions) -> None:
        top, leds = session.setup.fitted_board, load_board_file(board).leds
        assert leds is not None
        layout = laid(board).for_grid(session.position.grid)
        view = fit_view(top.board, 960, 540)
        self.table = SimulatedTable(top.board, top.game, view, conditions)
        self.table.set_pieces(session.position.pieces)
        self.world = SimulatedWorld(self.table, layout, lambda: self._pixels)
        self.reader = Reader(top.board, top.pieces_by_tag)
        self._pixels: Pixels | None = None
        self._source = TableSource(self.table)
        self._steady, self._ms = SettleDetector(), 0.0
        limits = leds.ma_limit, leds.ma_per_led
        self._finish = OutputStage(leds.gamma, leds.brightness, *limits, layout.led_count)
        self._look()  # before the LEDs are on
        self._flow = SceneSequence().followed_by(
            scene_of(session, laid(board), LightEffects.NORMAL, 0.0), 0.0
        )

    @property
    def lit(self) -> list[Cell]:
        return sorted(self._flow.possibly_lit_cells(self._ms))

    def watch(self, frames: int) -> list[SettleReport]:
        reports = []
        for _ in range(frames):
            self._pixels = self._finish(self._flow.at(self._ms))
            self.world.apply_led_glow()
            self.reader.lit_cells = self._flow.possibly_lit_cells(self._ms)
            reports.append(self._look())
        return reports

    def _look(self) -> SettleReport:
        self._ms += FRAME_MS
        frame = self._source.read()
        assert frame is not None
        self.seen = self.reader.read(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))  # type: ignore[arg-type]
        self._steady, report = self._steady.update(self.seen, round(self._ms))
        return report


@pytest.mark.parametrize(("board", "name"), EVERY)
def test_a_lit_table_settles_within_a_second_and_stays_settled(board: str, name: str) -> None:
    session = moments(board)[name]
    pieces = dict(session.position.pieces)
    lit = Lit(board, session, CameraConditions())
    lit.watch(12)
    random = Random(name)
    free = [cell for cell in lit.lit if cell not in pieces]
    source = random.choice(sorted(pieces))
    target = random.choice(free or [c for c in range(len(lit.seen.sightings)) if c not in pieces])
    lit.world.reach_to(target)
    lit.watch(3)
    lit.table.move_to(lit.table.handle_at(source), target)
    lit.watch(2)
    lit.world.withdraw_hand()
    reports = lit.watch(60)
    settled = [isinstance(report, Settled) for report in reports]
    assert all(settled[10:]), f"unsettled: {[n for n, each in enumerate(settled) if not each]}"
    pieces[target] = pieces.pop(source)
    assert {
        c: (p.kind, p.owner)
        for c, p in lit.seen.pieces(session.setup.fitted_board.pieces_by_tag).items()
    } == {c: (p.kind, p.owner) for c, p in pieces.items()}
    lit.world.remove(lit.world.piece_at(target))
    reports = lit.watch(12)
    assert isinstance(reports[-1], Settled)
    assert target not in lit.seen.pieces(session.setup.fitted_board.pieces_by_tag)
    assert lit.seen.covered() == ()


@pytest.mark.parametrize(
    "board",
    [pytest.param(board, marks=() if board == "hex-r5" else pytest.mark.slow) for board in BOARDS],
)
def test_no_guiding_light_is_glare_and_glare_never_removes_a_piece(board: str) -> None:
    session = moments(board)["drawn"]  # every cell is lit at the highest level
    lit = Lit(board, session, CameraConditions())
    lit.watch(12)
    assert lit.seen.covered() == ()
    assert len(lit.lit) == len(lit.seen.sightings)
    pieces = sorted(session.position.pieces)[::3]
    spots = [
        Reflection(*session.setup.fitted_board.board.centre_mm(cell), 14.0, 2.5) for cell in pieces
    ]
    lit.table.set_room(RoomLight(reflections=tuple(spots)))
    for _ in range(6):
        lit.watch(1)
        states = {lit.seen.sightings[cell].state for cell in pieces}
        assert CellState.EMPTY not in states
    assert CellState.COVERED in states
    lit.table.set_room(RoomLight())
    lit.watch(6)
    assert {*lit.seen.pieces(session.setup.fitted_board.pieces_by_tag)} == {
        *session.position.pieces
    }
