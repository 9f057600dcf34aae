"""The camera reads the table while the guide's light shines through it: the table settles, stays
settled, and a piece that comes to a lit square or goes from one is seen."""

from __future__ import annotations

from random import Random

import cv2
import pytest

from controller.config import load_board_file
from controller.devices.table import Table, TableSource, view_of
from controller.devices.world import SimulatedWorld
from controller.finish import Finish
from controller.guide_light import Flow, picture
from controller.light import Effects
from controller.ports import Pixels
from controller.session_values import Session
from engine.grid import Cell
from tests.controller.guide_cases import BOARDS, laid, moments
from vision.observation import State
from vision.reader import Reader
from vision.scene import Conditions, Reflection, Room
from vision.steady import Report, Settled, Steady

FRAME_MS = 100.0
QUICK = {("demo-10x8", "ready"), ("full-10x8", "mismatch"), ("hex-r5", "waiting")}
SLOW = {"demo-10x8"}


def _marks(board: str, name: str) -> tuple[pytest.MarkDecorator, ...]:
    if (board, name) in QUICK:
        return ()
    return (pytest.mark.slow if board in SLOW else pytest.mark.long,)


EVERY = [
    pytest.param(board, name, marks=_marks(board, name))
    for board in BOARDS
    for name in moments(board)
]


class Lit:
    """A table lit from below by the picture of a session, and read frame by frame."""

    def __init__(self, board: str, session: Session, conditions: Conditions) -> None:
        top, leds = session.table, load_board_file(board).leds
        assert leds is not None
        layout = laid(board).playing(session.position.grid)
        view = view_of(top.board, 960, 540)
        self.table = Table(top.board, top.game, view, conditions)
        self.table.lay_out(session.position.pieces)
        self.world = SimulatedWorld(self.table, layout, lambda: self._pixels)
        self.reader = Reader(top.board, top.meanings)
        self._pixels: Pixels | None = None
        self._source = TableSource(self.table)
        self._steady, self._ms = Steady(), 0.0
        limits = leds.ma_limit, leds.ma_per_led
        self._finish = Finish(leds.gamma, leds.brightness, *limits, layout.leds)
        self._look()  # before anything shines
        self._flow = Flow().next(picture(session, laid(board), Effects.NORMAL, 0.0), 0.0)

    @property
    def lit(self) -> list[Cell]:
        return sorted(self._flow.lit(self._ms))

    def watch(self, frames: int) -> list[Report]:
        reports = []
        for _ in range(frames):
            self._pixels = self._finish(self._flow.at(self._ms))
            self.world.glow()
            self.reader.lit = self._flow.lit(self._ms)
            reports.append(self._look())
        return reports

    def _look(self) -> Report:
        self._ms += FRAME_MS
        frame = self._source.read()
        assert frame is not None
        self.seen = self.reader.read(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY))  # type: ignore[arg-type]
        self._steady, report = self._steady.watch(self.seen, round(self._ms))
        return report


@pytest.mark.parametrize(("board", "name"), EVERY)
def test_a_lit_table_settles_within_a_second_and_stays_settled(board: str, name: str) -> None:
    session = moments(board)[name]
    pieces = dict(session.position.pieces)
    lit = Lit(board, session, Conditions())
    lit.watch(12)
    random = Random(name)
    free = [cell for cell in lit.lit if cell not in pieces]
    source = random.choice(sorted(pieces))
    target = random.choice(free or [c for c in range(len(lit.seen.sightings)) if c not in pieces])
    lit.world.reach_to(target)
    lit.watch(3)
    lit.table.move_to(lit.table.at(source), target)
    lit.watch(2)
    lit.world.away()
    reports = lit.watch(60)
    settled = [isinstance(report, Settled) for report in reports]
    assert all(settled[10:]), f"unsettled: {[n for n, each in enumerate(settled) if not each]}"
    pieces[target] = pieces.pop(source)
    assert {c: (p.kind, p.owner) for c, p in lit.seen.pieces(session.table.meanings).items()} == {
        c: (p.kind, p.owner) for c, p in pieces.items()
    }
    lit.world.remove(lit.world.at(target))
    reports = lit.watch(12)
    assert isinstance(reports[-1], Settled)
    assert target not in lit.seen.pieces(session.table.meanings)
    assert lit.seen.covered() == ()


@pytest.mark.parametrize("board", BOARDS)
def test_no_guide_is_as_bright_as_glare_and_glare_never_takes_a_piece_off(board: str) -> None:
    session = moments(board)["drawn"]  # every cell shines, as bright as guides get
    lit = Lit(board, session, Conditions())
    lit.watch(12)
    assert lit.seen.covered() == ()
    assert len(lit.lit) == len(lit.seen.sightings)
    pieces = sorted(session.position.pieces)[::3]
    spots = [Reflection(*session.table.board.centre_mm(cell), 14.0, 2.5) for cell in pieces]
    lit.table.light(Room(reflections=tuple(spots)))
    for _ in range(6):
        lit.watch(1)
        states = {lit.seen.sightings[cell].state for cell in pieces}
        assert State.EMPTY not in states
    assert State.COVERED in states
    lit.table.light(Room())
    lit.watch(6)
    assert {*lit.seen.pieces(session.table.meanings)} == {*session.position.pieces}
