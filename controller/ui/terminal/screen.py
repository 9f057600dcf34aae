"""Renders the players' screen: a `ScreenView` in, lines out. Prints nothing.

The board is as large as fits; the panels are next to it, or below. Lines are shorter than the
terminal is wide, so that the code that clears the rest of a line does not delete a character.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.session.guidance import guidance_for
from controller.session.move_options import unfired_turn, without_computer_moves
from controller.session.state import Phase, Session
from controller.ui.actors import MOVING_PHASES
from controller.ui.terminal import (
    beam_length,
    board_extent,
    cell_sizes,
    partial_beams,
    render_board,
    sentences,
)
from controller.ui.terminal.canvas import CellSize
from controller.ui.terminal.glyphs import CellRole, to_ascii
from controller.ui.terminal.keyboard import Keyboard, options_for_cell
from controller.ui.terminal.panels import (
    help_line,
    help_lines,
    player_lines,
    players_line,
    reason_lines,
    status_line,
    turn_lines,
)
from controller.ui.terminal.styled_text import (
    StyledLine,
    bold,
    dim,
    display_width,
    join_lines,
    plain,
    render_line,
    wrap_lines,
)
from engine.draw import palette
from engine.draw.words import changed_cells
from engine.game import AnyTurn
from engine.grid import Cell
from engine.sentences import Sentence

ENTER_SCREEN = "\x1b[?1049h\x1b[?25l\x1b[2J"  # alternate screen, hidden cursor
LEAVE_SCREEN = "\x1b[?25h\x1b[?1049l"
HOME, CLEAR_LINE, CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
UNLIMITED = (80, 60)  # for output to a file
MIN_PANEL_COLUMNS = 22
GAP = "  "
MAX_MESSAGE_LINES = 4
_CODES = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class ScreenView:
    """The content of the screen."""

    session: Session
    keyboard: Keyboard = field(default_factory=Keyboard)
    messages: Sequence[str] = ()  # the newest last
    at_ms: float = 0.0
    # A running turn, and the cells it has passed; beyond the beam's end, hit cells flash.
    beam: tuple[AnyTurn, int] | None = None
    board_replacement: str = ""  # LEDs or camera image as text, in place of the board
    notes: Sequence[Sentence] = ()  # on the help page


def render_screen(
    view: ScreenView, size: tuple[int, int] | None, colour: bool, *, unicode: bool = True
) -> list[str]:
    """The lines for a terminal of that size (columns, rows); None: output is not a terminal."""
    columns, rows = size or UNLIMITED
    columns = max(columns - 1, 1)
    layout = _ScreenLayout(view, columns, rows, colour, unicode)
    lines = [line.rstrip() if not colour else line for line in layout.lines()][:rows]
    return lines if unicode else [to_ascii(line) for line in lines]


def redraw(lines: Sequence[str]) -> str:
    """The output that replaces the terminal's content by these lines, without flicker."""
    return HOME + "\r\n".join(f"{line}{CLEAR_LINE}" for line in lines) + CLEAR_BELOW


@dataclass(frozen=True)
class _Block:
    """Lines of the same width: the board or its replacement."""

    lines: Sequence[str]
    width: int


class _ScreenLayout:
    """Lays out one screen."""

    def __init__(
        self, view: ScreenView, columns: int, rows: int, colour: bool, unicode: bool
    ) -> None:
        self.view, self.session = view, view.session
        self.keyboard = view.keyboard.for_session(view.session)
        self.columns, self.rows = columns, rows
        self.colour, self.unicode = colour, unicode

    def lines(self) -> list[str]:
        block = self._block()
        beside = self._panel_fits(block.width)
        head, below = [self._title()], self._keys()
        if not beside:
            head.append(players_line(self.session, self.view.at_ms))
        left = self.rows - len(head) - len(block.lines) - len(below)
        above = self._sentence(2 if left > 1 else 1)
        left -= len(above)
        reasons = [] if beside else reason_lines(self.session, self.columns, left)
        left -= len(reasons)
        message_lines = self._message_lines(min(left, MAX_MESSAGE_LINES))
        left -= len(message_lines)
        turns = [] if beside or left < 1 else self._turns_in_a_line()
        left -= len(turns)
        above, below = [*[()] * (left > 0), *above], [*[()] * (left > 1), *below]
        middle = self._with_panel(block) if beside else list(block.lines)
        return [
            *map(self._painted, head),
            *middle,
            *map(self._painted, (*above, *reasons, *message_lines, *turns, *below)),
        ]

    def _painted(self, line: StyledLine) -> str:
        return render_line(line, self.columns, colour=self.colour)

    # -- the board -----------------------------------------------------------------------------

    def _block(self) -> _Block:
        """The largest board that leaves enough rows for the texts."""
        if self.keyboard.showing_help:
            return self._help()
        if self.view.board_replacement:
            lit = self.view.board_replacement.split("\n")
            wide = max(display_width(_CODES.sub("", line)) for line in lit)
            if self._fits(wide, len(lit)):
                return _Block(lit, wide)
        grid = self.session.position.grid
        for cell_size in cell_sizes(grid):
            # Coloured half rows need a Unicode character.
            halves = self.colour and cell_size.rows > 1
            if self._fits(*board_extent(grid, cell_size)) and (self.unicode or not halves):
                return self._board(cell_size)
        wide, high = board_extent(grid, cell_sizes(grid)[-1])
        needed = sentences.TOO_SMALL(columns=wide + 1, rows=high + self._other_rows(wide))
        return _Block([self._painted(plain(needed))], self.columns)

    def _fits(self, wide: int, high: int) -> bool:
        return wide <= self.columns and high + self._other_rows(wide) <= self.rows

    def _other_rows(self, wide: int) -> int:
        """Rows besides the board: title, guide, status, keys, and players if not beside it."""
        return 4 if self._panel_fits(wide) else 5

    def _panel_fits(self, wide: int) -> bool:
        return self.columns - wide - len(GAP) >= MIN_PANEL_COLUMNS

    def _board(self, cell_size: CellSize) -> _Block:
        session, game = self.session, self.session.game
        if self.view.beam is not None:
            turn, length = self.view.beam
            hit = [loss.cell for loss in turn.losses] if length > beam_length(turn) else []
            text = render_board(
                game, turn.aimed, partial_beams(turn, length),
                colour=self.colour, highlight=hit, cell_size=cell_size, legend=False,
            )  # fmt: skip
        else:
            text = render_board(
                game, shown_position(session, self.keyboard),
                colour=self.colour, cell_roles=cell_roles_of(session, self.keyboard),
                cell_size=cell_size, legend=False,
            )  # fmt: skip
        return _Block(text.split("\n"), board_extent(session.position.grid, cell_size)[0])

    def _help(self) -> _Block:
        lines = help_lines(self.session, self.keyboard, self.view.notes)
        lines = lines[: max(self.rows - 5, 1)]
        return _Block([self._painted(line) for line in lines], self.columns)

    # -- panels --------------------------------------------------------------------------------

    def _title(self) -> StyledLine:
        count, goal = len(self.session.history), self.session.puzzle.goal
        title: str | Sentence = self.session.game.title
        if goal:
            title = sentences.TITLE_PUZZLE(game=title, puzzle=goal.name)
        if not count:
            return bold(title)
        one, many = sentences.ONE_TURN_PLAYED(), sentences.TURNS_PLAYED(count=count)
        return (*bold(title), *dim(f" · {one if count == 1 else many}"))

    def _sentence(self, most: int) -> list[StyledLine]:
        """The guidance: what must be done next."""
        ink = palette.LAST_MOVE
        return [
            bold(part, ink)
            for part in wrap_lines(str(guidance_for(self.session).sentence), self.columns, most)
        ]

    def _message_lines(self, most: int) -> list[StyledLine]:
        """The newest message in full, after as many earlier ones as fit, without repetitions."""
        messages = list(dict.fromkeys(reversed(self.view.messages)))
        if most < 1 or not messages:
            return []
        newest = [plain(f"  {part}") for part in wrap_lines(messages[0], self.columns - 2, most)]
        before = messages[1 : 1 + most - len(newest)]
        return [*(dim(f"  {sentence}") for sentence in reversed(before)), *newest]

    def _keys(self) -> list[StyledLine]:
        if self.keyboard.showing_help:
            return []
        return [status_line(self.session, self.keyboard), help_line(self.session, self.keyboard)]

    def _turns_in_a_line(self) -> list[StyledLine]:
        """As many of the last turns as fit in one line."""
        for most in range(6, 0, -1):
            line = join_lines(turn_lines(self.session, most), " ")
            if line and sum(display_width(span.text) for span in line) <= self.columns:
                return [line]
        return []

    def _with_panel(self, block: _Block) -> list[str]:
        beside = self.columns - block.width - len(GAP)
        panel = self._panel(beside, len(block.lines))
        panel += [()] * (len(block.lines) - len(panel))
        return [
            line + GAP + render_line(words, beside, colour=self.colour)
            for line, words in zip(block.lines, panel, strict=True)
        ]

    def _panel(self, columns: int, rows: int) -> list[StyledLine]:
        lines: list[StyledLine] = [(), *player_lines(self.session, self.view.at_ms, columns), ()]
        reasons = reason_lines(self.session, columns, rows - len(lines))
        lines += [*reasons, ()] if reasons else []
        if not self.session.history:
            lines += [dim(line) for line in wrap_lines(str(self.session.game.goal), columns, 4)]
        return [*lines, *turn_lines(self.session, min(8, rows - len(lines)))][:rows]


# -- content of the board ----------------------------------------------------------------------


def shown_position(session: Session, keyboard: Keyboard) -> Any:
    """The position on the table, including a move that is made and not fired yet."""
    if session.phase is Phase.FIRING and session.firing.turns:
        return session.firing.turns[0].aimed
    turn = unfired_turn(session)
    if turn is None or keyboard.picked_cell is not None:
        return session.position
    return without_computer_moves(session, turn).aimed


def cell_roles_of(session: Session, keyboard: Keyboard) -> dict[CellRole, Collection[Cell]]:
    """The cells to mark, by role."""
    marked: dict[CellRole, Collection[Cell]] = {
        CellRole.MISMATCH: [each.cell for each in session.table.differences],
        CellRole.LAST_TURN: _last(session),
    }
    hint = session.turn.hint
    if hint is not None and hint.cell is not None:
        marked[CellRole.TARGET] = [hint.cell]
    for turn in (session.computer.turn, session.turn.hinted_turn):
        if turn is not None:
            marked[CellRole.TARGET] = changed_cells(turn.before, turn.aimed)
    if keyboard.simulated_hands and session.phase in MOVING_PHASES and keyboard.cursor is not None:
        marked[CellRole.CURSOR] = [keyboard.cursor]
        if keyboard.picked_cell is not None:
            found = options_for_cell(session, keyboard.picked_cell)
            marked[CellRole.CHOSEN] = [keyboard.picked_cell]
            marked[CellRole.TARGET] = {
                option.target for option in found if option.target is not None
            }
            marked[CellRole.AIM] = {cell for option in found for cell in option.aim_cells}
    return marked


def _last(session: Session) -> Collection[Cell]:
    """The cells changed by the unfired turn on the table, or else by the last turn played."""
    made = unfired_turn(session)
    turn = session.history[-1].turn if made is None and session.history else made
    if turn is None:
        return ()
    turn = turn if made is None else without_computer_moves(session, turn)
    return {*changed_cells(turn.before, turn.aimed), *(loss.cell for loss in turn.removed)}
