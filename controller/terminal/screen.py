"""The terminal as a place to play: a view in, lines out. Nothing is printed here.

The board is drawn as large as there is room for; beside it, or else below, is all that people at
the table should know. No line is as wide as the terminal, so that clearing behind it is safe.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.guide import guide
from controller.session_values import Phase, Session
from controller.terminal import beam_length, extent, grown, picture, rooms
from controller.terminal.keyboard import MOVING, Keyboard, ways_of
from controller.terminal.sheet import Room
from controller.terminal.signs import Spot, in_ascii
from controller.terminal.text import Line, bold, dim, joined, painted, plain, width, wrapped
from controller.terminal.ways import by_hands, lying
from controller.terminal.words import (
    help_line,
    help_lines,
    player_lines,
    players_line,
    reason_lines,
    status_line,
    turn_lines,
)
from engine.draw import palette
from engine.draw.words import changed
from engine.game import AnyTurn
from engine.grid import Cell

ENTER = "\x1b[?1049h\x1b[?25l\x1b[2J"  # another screen, without a cursor
LEAVE = "\x1b[?25h\x1b[?1049l"
HOME, CLEAR_LINE, CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
UNLIMITED = (80, 60)  # what is written to a file
LEAST_SIDE = 22  # columns beside the board that are worth writing in
GAP = "  "
MOST_SAID = 4
_CODES = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class View:
    """All that the screen shows."""

    session: Session
    keyboard: Keyboard = field(default_factory=Keyboard)
    said: Sequence[str] = ()  # the newest last
    at_ms: float = 0.0
    beam: tuple[AnyTurn, int] | None = None  # how far it has run; beyond its end, what it hits
    lights: str = ""  # what the LEDs show (`controller.led_picture`), in place of the board
    notes: Sequence[str] = ()  # of this program, below the help


def screen(
    view: View, size: tuple[int, int] | None, colour: bool, *, unicode: bool = True
) -> list[str]:
    """The lines of a terminal of that size, columns and rows; None is not a terminal."""
    columns, rows = size or UNLIMITED
    columns = max(columns - 1, 1)
    paper = _Paper(view, columns, rows, colour, unicode)
    lines = [line.rstrip() if not colour else line for line in paper.lines()][:rows]
    return lines if unicode else [in_ascii(line) for line in lines]


def redraw(lines: Sequence[str]) -> str:
    """What to write so that a terminal shows those lines and nothing else, without flicker."""
    return HOME + "\r\n".join(f"{line}{CLEAR_LINE}" for line in lines) + CLEAR_BELOW


@dataclass(frozen=True)
class _Block:
    """Some lines of the same width: the board, or what is shown in its place."""

    lines: Sequence[str]
    width: int


class _Paper:
    """One screen while it is laid out."""

    def __init__(self, view: View, columns: int, rows: int, colour: bool, unicode: bool) -> None:
        self.view, self.session = view, view.session
        self.keyboard = view.keyboard.at(view.session)
        self.columns, self.rows = columns, rows
        self.colour, self.unicode = colour, unicode

    def lines(self) -> list[str]:
        block = self._block()
        beside = self._beside(block.width)
        head, below = [self._title()], self._keys()
        if not beside:
            head.append(players_line(self.session, self.view.at_ms))
        left = self.rows - len(head) - len(block.lines) - len(below)
        above = self._sentence(2 if left > 1 else 1)
        left -= len(above)
        reasons = [] if beside else reason_lines(self.session, self.columns, left)
        left -= len(reasons)
        said = self._said(min(left, MOST_SAID))
        left -= len(said)
        turns = [] if beside or left < 1 else self._turns_in_a_line()
        left -= len(turns)
        above, below = [*[()] * (left > 0), *above], [*[()] * (left > 1), *below]
        middle = self._with_panel(block) if beside else list(block.lines)
        return [
            *map(self._painted, head),
            *middle,
            *map(self._painted, (*above, *reasons, *said, *turns, *below)),
        ]

    def _painted(self, line: Line) -> str:
        return painted(line, self.columns, colour=self.colour)

    # -- the board -----------------------------------------------------------------------------

    def _block(self) -> _Block:
        """The largest picture that leaves room for what must be said."""
        if self.keyboard.helping:
            return self._help()
        if self.view.lights:
            lit = self.view.lights.split("\n")
            wide = max(width(_CODES.sub("", line)) for line in lit)
            if self._fits(wide, len(lit)):
                return _Block(lit, wide)
        grid = self.session.position.grid
        for room in rooms(grid):
            # Without its signs, half a character cannot be painted.
            halves = self.colour and room.down > 1
            if self._fits(*extent(grid, room)) and (self.unicode or not halves):
                return self._board(room)
        wide, high = extent(grid, rooms(grid)[-1])
        needed = f"too small: {wide + 1} x {high + self._least(wide)} needed"
        return _Block([self._painted(plain(needed))], self.columns)

    def _fits(self, wide: int, high: int) -> bool:
        return wide <= self.columns and high + self._least(wide) <= self.rows

    def _least(self, wide: int) -> int:
        """Rows besides the board: title, guide, status, keys, and players if not beside it."""
        return 4 if self._beside(wide) else 5

    def _beside(self, wide: int) -> bool:
        return self.columns - wide - len(GAP) >= LEAST_SIDE

    def _board(self, room: Room) -> _Block:
        session, game = self.session, self.session.table.game
        if self.view.beam is not None:
            turn, length = self.view.beam
            hit = [loss.cell for loss in turn.losses] if length > beam_length(turn) else []
            text = picture(
                game, turn.aimed, grown(turn, length),
                colour=self.colour, highlight=hit, room=room, legend=False,
            )  # fmt: skip
        else:
            text = picture(
                game, shown_position(session, self.keyboard),
                colour=self.colour, spots=spots(session, self.keyboard), room=room, legend=False,
            )  # fmt: skip
        return _Block(text.split("\n"), extent(session.position.grid, room)[0])

    def _help(self) -> _Block:
        lines = help_lines(self.session, self.keyboard, self.view.notes)
        lines = lines[: max(self.rows - 5, 1)]
        return _Block([self._painted(line) for line in lines], self.columns)

    # -- around it -----------------------------------------------------------------------------

    def _title(self) -> Line:
        count, goal = len(self.session.history), self.session.goal
        name = f" · {goal.name}" if goal else ""
        told = f" · {count} turn{'' if count == 1 else 's'} played" if count else ""
        return (*bold(f"{self.session.table.game.title}{name}"), *dim(told))

    def _sentence(self, most: int) -> list[Line]:
        """What must be done next."""
        ink = palette.LAST_MOVE
        return [
            bold(part, ink) for part in wrapped(guide(self.session).sentence, self.columns, most)
        ]

    def _said(self, most: int) -> list[Line]:
        """The newest whole, be it of several lines; before it what there is room for, each once."""
        said = list(dict.fromkeys(reversed(self.view.said)))
        if most < 1 or not said:
            return []
        newest = [plain(f"  {part}") for part in wrapped(said[0], self.columns - 2, most)]
        before = said[1 : 1 + most - len(newest)]
        return [*(dim(f"  {sentence}") for sentence in reversed(before)), *newest]

    def _keys(self) -> list[Line]:
        if self.keyboard.helping:
            return []
        return [status_line(self.session, self.keyboard), help_line(self.session, self.keyboard)]

    def _turns_in_a_line(self) -> list[Line]:
        """As many of the last turns as fit."""
        for most in range(6, 0, -1):
            line = joined(turn_lines(self.session, most), " ")
            if line and sum(width(span.text) for span in line) <= self.columns:
                return [line]
        return []

    def _with_panel(self, block: _Block) -> list[str]:
        beside = self.columns - block.width - len(GAP)
        panel = self._panel(beside, len(block.lines))
        panel += [()] * (len(block.lines) - len(panel))
        return [
            line + GAP + painted(words, beside, colour=self.colour)
            for line, words in zip(block.lines, panel, strict=True)
        ]

    def _panel(self, columns: int, rows: int) -> list[Line]:
        lines: list[Line] = [(), *player_lines(self.session, self.view.at_ms, columns), ()]
        reasons = reason_lines(self.session, columns, rows - len(lines))
        lines += [*reasons, ()] if reasons else []
        if not self.session.history:
            lines += [dim(line) for line in wrapped(self.session.table.game.goal, columns, 4)]
        return [*lines, *turn_lines(self.session, min(8, rows - len(lines)))][:rows]


# -- what the board shows ----------------------------------------------------------------------


def shown_position(session: Session, keyboard: Keyboard) -> Any:
    """The position as the table shows it: with the move that is made and not fired yet."""
    if session.phase is Phase.FIRING and session.pending:
        return session.pending[0].aimed
    turn = lying(session)
    if turn is None or keyboard.chosen is not None:
        return session.position
    return by_hands(session, turn).aimed


def spots(session: Session, keyboard: Keyboard) -> dict[Spot, Collection[Cell]]:
    """The cells that mean something now."""
    marked: dict[Spot, Collection[Cell]] = {
        Spot.WRONG: [each.cell for each in session.differences],
        Spot.LAST: _last(session),
    }
    for turn in (session.known, session.hint):
        if turn is not None:
            marked[Spot.TARGET] = changed(turn.before, turn.aimed)
    if session.clue is not None and session.hint is None:
        marked[Spot.TARGET] = [session.clue]
    if keyboard.hands and session.phase in MOVING and keyboard.cursor is not None:
        marked[Spot.CURSOR] = [keyboard.cursor]
        if keyboard.chosen is not None:
            found = ways_of(session, keyboard.chosen)
            marked[Spot.CHOSEN] = [keyboard.chosen]
            marked[Spot.TARGET] = {way.target for way in found if way.target is not None}
            marked[Spot.AIM] = {cell for way in found for cell in way.aims}
    return marked


def _last(session: Session) -> Collection[Cell]:
    """What the turn that lies on the table has changed, or else the last one played."""
    made = lying(session)
    turn = session.history[-1].turn if made is None and session.history else made
    if turn is None:
        return ()
    turn = turn if made is None else by_hands(session, turn)
    return {*changed(turn.before, turn.aimed), *(loss.cell for loss in turn.removed)}
