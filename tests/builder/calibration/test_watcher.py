"""`TableWatcher` with the real reader on rendered frames and the real inference."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from controller.builder import calibration_sentences as sentences
from controller.builder.calibration.watcher import TableWatcher
from controller.builder.sentences import join_names
from controller.session.board_fit import fit_board
from engine import games
from engine.draw.words import headline
from engine.sentences import Sentence
from tests.support.engine.sentences import mentions, parts
from tests.support.vision.rendered_tables import DEMO, HEXAGONS, Grey, RenderedTable, start
from vision.reader import Reader
from vision.scene import Hand
from vision.sentences import NO_BOARD

ACE = "l++3d++kd++b+++2/2b7/3B+6/b++1B1ss+1b+++1B+/b+++1B+1S+S1b++1B/6b+++3/7B++2/2B+DKD3L"
FRAME_MS = 100.0
HAND = sentences.HAND_OVER_BOARD()
BLUE_TO_MOVE, RED_TO_MOVE = (
    sentences.PLAYERS_TO_MOVE(players=join_names([player])) for player in ("blue", "red")
)


class Table:
    """A camera, a reader and a watcher over a table, which the tests change."""

    def __init__(self, setting: RenderedTable, name: str | None = None) -> None:
        game = None if name is None else games.make(name)
        self.setting = setting
        self.top = fit_board(setting.board, game)
        self.watcher = TableWatcher(self.top)
        self.reader = Reader(self.top.board, self.top.pieces_by_tag)
        self.at_ms = 0.0

    def rest(self, setting: RenderedTable, frames: int = 14) -> list[Sentence]:
        """Lines while nothing moves."""
        images = [setting.frame(1), setting.frame(2)]
        return self.see(images[number % 2] for number in range(frames))

    def act(self, after: RenderedTable, x_mm: float, y_mm: float) -> list[Sentence]:
        """Lines while a hand changes the table and goes."""
        hand = (Hand(x_mm, y_mm, 180.0),)
        during = [self.setting.seen_with(hands=hand), after.seen_with(hands=hand)]
        lines = self.see(each.frame() for each in during for _ in range(3))
        self.setting = after
        return lines + self.rest(after)

    def see(self, frames: Iterable[Grey]) -> list[Sentence]:
        lines: list[Sentence] = []
        for frame in frames:
            lines += self.watcher.observe(self.reader.read(frame), self.at_ms)
            self.at_ms += FRAME_MS
        return lines


@pytest.fixture
def table() -> Table:
    table = Table(start())
    assert table.rest(table.setting) == [sentences.ON_THE_BOARD(pieces=ACE), BLUE_TO_MOVE]
    return table


def cell(name: str) -> int:
    return DEMO.grid.cell(name)


def turn_made(move: str) -> Sentence:
    """The line about the first turn."""
    game = games.make("laser-chess")
    position = game.start("ace")
    turn = game.resolve(position, {0: game.read_move(position, 0, move)})
    return sentences.TURN_MADE(moves=move, headline=headline(game, turn))


def test_a_move_is_reported_once_in_notation_and_in_words(table: Table) -> None:
    after = table.setting.moved(cell("j4"), cell("j3"))
    assert table.act(after, 380, 200) == [HAND, turn_made("j4j3"), RED_TO_MOVE]
    assert table.rest(after) == []


def test_a_captured_piece_must_be_removed(table: Table) -> None:
    after = table.setting.moved(cell("j4"), cell("i5"))
    assert table.act(after, 380, 200)[1:] == [
        turn_made("j4i5xj5"),
        sentences.TAKE_OFF(piece="deflector", cell="j5"),
        RED_TO_MOVE,
    ]
    taken = after.with_pieces(
        *(thing for thing in after.scene.pieces if thing is not after.piece_on(cell("j5")))
    )
    assert table.act(taken, 380, 140) == [HAND]


def test_an_illegal_change_is_reported_square_by_square(table: Table) -> None:
    after = table.setting.moved(cell("h2"), cell("h1"))
    after = after.moved(cell("c1"), cell("b2"))
    lines = table.act(after, 200, 260)
    assert all(mentions(line, sentences.WARNING) for line in lines[1:])
    cells = {
        part.slots["cell"] for line in lines[1:] for part in parts(line) if "cell" in part.slots
    }
    assert cells <= {"h2", "h1", "c1", "b2"}
    assert cells
    assert len(lines) >= 3


def test_without_a_setup_changes_are_reported_cell_by_cell() -> None:
    odd = start().moved(cell("h2"), cell("g6"))
    table = Table(odd)
    assert table.rest(odd)[1] == sentences.NO_SETUP()
    after = odd.moved(cell("g6"), cell("g5"))
    lines = table.act(after, 260, 120)
    deflector = sentences.PIECE(player="blue", piece="deflector", orientation=2)
    assert lines[1:3] == [
        sentences.CELL_CHANGED(cell="g6", before=deflector, after=sentences.EMPTY()),
        sentences.CELL_CHANGED(cell="g5", before=sentences.EMPTY(), after=deflector),
    ]


def test_a_lost_board_is_reported_once() -> None:
    table = Table(start())
    dark = np.zeros((720, 1280), np.uint8)
    assert table.see([dark] * 12) == [NO_BOARD()]
    again = [sentences.ON_THE_BOARD(pieces=ACE), BLUE_TO_MOVE]
    assert table.rest(table.setting, 20) == again


def test_a_round_is_reported_when_both_ships_have_acted() -> None:
    setting = start("spaceships", HEXAGONS)
    position = games.make("spaceships").start()
    table = Table(setting, "spaceships")
    table.watcher.position = position
    lines = table.rest(setting)
    both_to_move = sentences.PLAYERS_TO_MOVE(players=join_names(["first", "second"]))
    assert mentions(lines[0], sentences.ON_THE_BOARD)
    assert lines[1] == both_to_move
    first, second = sorted(position.pieces, key=lambda cell: position.pieces[cell].owner)
    ahead = position.grid.ahead(first, 1)
    assert ahead is not None
    after = setting.moved(first, ahead).shifted(second, degrees=180)
    [_, reported, again] = table.act(after, 220, 150)
    acted = {part.slots["player"] for part in parts(reported) if "player" in part.slots}
    assert acted == {"first", "second"}
    assert again == both_to_move
