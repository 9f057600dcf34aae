"""`TableWatcher` with the real reader on rendered frames and the real inference."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from controller.builder.calibration.watcher import TableWatcher
from controller.session.board_fit import fit_board
from engine import games
from tests.support.vision.rendered_tables import DEMO, HEXAGONS, Grey, RenderedTable, start
from vision.reader import Reader
from vision.scene import Hand

ACE = "l++3d++kd++b+++2/2b7/3B+6/b++1B1ss+1b+++1B+/b+++1B+1S+S1b++1B/6b+++3/7B++2/2B+DKD3L"
FRAME_MS = 100.0


class Table:
    """A camera, a reader and a watcher over a table, which the tests change."""

    def __init__(self, setting: RenderedTable, name: str | None = None) -> None:
        game = None if name is None else games.make(name)
        self.setting = setting
        self.top = fit_board(setting.board, game)
        self.watcher = TableWatcher(self.top)
        self.reader = Reader(self.top.board, self.top.pieces_by_tag)
        self.at_ms = 0.0

    def rest(self, setting: RenderedTable, frames: int = 14) -> list[str]:
        """Lines while nothing moves."""
        images = [setting.frame(1), setting.frame(2)]
        return self.see(images[number % 2] for number in range(frames))

    def act(self, after: RenderedTable, x_mm: float, y_mm: float) -> list[str]:
        """Lines while a hand changes the table and goes."""
        hand = (Hand(x_mm, y_mm, 180.0),)
        during = [self.setting.seen_with(hands=hand), after.seen_with(hands=hand)]
        lines = self.see(each.frame() for each in during for _ in range(3))
        self.setting = after
        return lines + self.rest(after)

    def see(self, frames: Iterable[Grey]) -> list[str]:
        lines: list[str] = []
        for frame in frames:
            lines += map(str, self.watcher.observe(self.reader.read(frame), self.at_ms))
            self.at_ms += FRAME_MS
        return lines


@pytest.fixture
def table() -> Table:
    table = Table(start())
    assert table.rest(table.setting) == [f"on the board: {ACE}", "blue to move"]
    return table


def cell(name: str) -> int:
    return DEMO.grid.cell(name)


def test_a_move_is_reported_once_in_notation_and_in_words(table: Table) -> None:
    after = table.setting.moved(cell("j4"), cell("j3"))
    assert table.act(after, 380, 200) == [
        "a hand is over the board", "j4j3: blue j4 to j3", "red to move",
    ]  # fmt: skip
    assert table.rest(after) == []


def test_a_captured_piece_must_be_removed(table: Table) -> None:
    after = table.setting.moved(cell("j4"), cell("i5"))
    assert table.act(after, 380, 200)[1:] == [
        "j4i5xj5: blue j4 to i5 · j5 captured", "take the deflector off j5", "red to move",
    ]  # fmt: skip
    taken = after.with_pieces(
        *(thing for thing in after.scene.pieces if thing is not after.piece_on(cell("j5")))
    )
    assert table.act(taken, 380, 140) == ["a hand is over the board"]


def test_an_illegal_change_is_reported_square_by_square(table: Table) -> None:
    after = table.setting.moved(cell("h2"), cell("h1"))
    after = after.moved(cell("c1"), cell("b2"))
    lines = table.act(after, 200, 260)
    assert all(line.startswith("! ") for line in lines[1:])
    assert {line[2:4] for line in lines[1:]} <= {"h2", "h1", "c1", "b2"}
    assert len(lines) >= 3


def test_without_a_setup_changes_are_reported_cell_by_cell() -> None:
    odd = start().moved(cell("h2"), cell("g6"))
    table = Table(odd)
    assert table.rest(odd)[1].startswith("this is not a setup of the game")
    after = odd.moved(cell("g6"), cell("g5"))
    lines = table.act(after, 260, 120)
    assert lines[1:3] == ["g6: blue deflector, turned 2 -> empty",
                          "g5: empty -> blue deflector, turned 2"]  # fmt: skip


def test_a_lost_board_is_reported_once() -> None:
    table = Table(start())
    dark = np.zeros((720, 1280), np.uint8)
    lines = table.see([dark] * 12)
    assert len(lines) == 1
    assert "no board is seen" in lines[0]
    assert table.rest(table.setting, 20) == [f"on the board: {ACE}", "blue to move"]


def test_a_round_is_reported_when_both_ships_have_acted() -> None:
    setting = start("spaceships", HEXAGONS)
    position = games.make("spaceships").start()
    table = Table(setting, "spaceships")
    table.watcher.position = position
    lines = table.rest(setting)
    assert lines[0].startswith('on the board: {"')
    assert lines[1] == "first and second to move"
    first, second = sorted(position.pieces, key=lambda cell: position.pieces[cell].owner)
    ahead = position.grid.ahead(first, 1)
    assert ahead is not None
    after = setting.moved(first, ahead).shifted(second, degrees=180)
    [_, reported, again] = table.act(after, 220, 150)
    assert "first" in reported
    assert "second" in reported
    assert again == "first and second to move"
