"""The keyboard's state machine: a key changes the `Keyboard` value and returns intents.

Arrows and Enter select pieces and squares. Small letters type a move, capitals are commands, so
that typing `f4f5` never fires. All state that changes the meaning of a key is on the screen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from controller.session.events import Request
from controller.session.guidance import guidance_for
from controller.session.move_options import (
    MoveOption,
    cell_before_turn,
    explain_unreachable,
    move_options,
)
from controller.session.sentences import CELL_OF_OTHER, CHOOSE_BETWEEN, join_or
from controller.session.state import Phase, Session
from controller.simulation.requests import MakeMove, ResetPieces
from controller.ui.actors import (
    MOVING_PHASES,
    acting_player,
    last_mover,
    players_allowed_to_move,
)
from controller.ui.intents import Intent, MakeRequest, NewGame, PressFire, PutBack, Quit, Reply
from controller.ui.sentences import MOVE_BY_HAND
from controller.ui.terminal import sentences
from controller.ui.typed_input import (
    COMMAND_LETTERS,
    MAX_INPUT_LENGTH,
    AmbiguousMove,
    TypedCommand,
    TypedMove,
    parse_typed_command,
    parse_typed_move,
)
from engine.game import Player
from engine.grid import Cell, Grid
from engine.sentences import Sentence

ARROWS: Mapping[str, float] = {"up": 0.0, "right": 90.0, "down": 180.0, "left": 270.0}
TURN_KEYS: Mapping[str, int] = {
    **dict.fromkeys((",", "[", "<", "-"), -1),
    **dict.fromkeys((".", "]", ">", "+"), 1),
}
QUIT_KEYS = ("eof", "ctrl-c")

KeyResult = tuple["Keyboard", tuple[Intent, ...]]


@dataclass(frozen=True, slots=True)
class Keyboard:
    """The state of the keyboard: cursor, selection, typed text and open questions."""

    simulated_hands: bool = True  # they make the moves; False: people move on a real board
    cursor: Cell | None = None
    picked_cell: Cell | None = None  # the piece that is picked up
    typed_text: str = ""
    menu: tuple[MoveOption, ...] = ()  # moves that lead to the same square
    confirming_resignation: bool = False
    confirming_new_game: bool = False  # while a game is in progress
    showing_help: bool = False
    players_moved: frozenset[Player] = frozenset()  # moved with this keyboard in this turn
    position: Any = None  # to which this state belongs

    def press(self, key: str, session: Session) -> KeyResult:
        """Handle a key (see `controller.ports.keyboard`); returns the new state and the intents."""
        now = self.for_session(session)
        if key in QUIT_KEYS:
            return now, (Reply(sentences.GAME_STORED()), Quit())
        if now.showing_help:
            return replace(now, showing_help=False), ()
        if now.typed_text:
            return now._type_key(key, session)
        if now.confirming_resignation:
            return now._answer_resignation(key, session)
        if now.confirming_new_game:
            return replace(now, confirming_new_game=False), (NewGame(),) if key in (
                "y",
                "Y",
            ) else ()
        if now.menu and key.isdecimal():
            return now._pick_option(int(key), session)
        return replace(now, menu=())._press_key(key, session)

    def for_session(self, session: Session) -> Keyboard:
        """The state for that session; a new position resets the selection and open questions."""
        cell = _initial_cursor(session) if self.cursor is None else self.cursor
        cell = min(cell, session.position.grid.size - 1)
        if self.position is session.position:
            return replace(self, cursor=cell)
        kept = replace(self, cursor=cell, position=session.position, players_moved=frozenset())
        return replace(
            kept, picked_cell=None, menu=(), confirming_resignation=False, confirming_new_game=False
        )

    # -- keys ----------------------------------------------------------------------------------

    def _press_key(self, key: str, session: Session) -> KeyResult:
        if key in ARROWS:
            return replace(
                self, cursor=step_cursor(session.position.grid, self._cursor_cell, key)
            ), ()
        if key == "enter":
            return self._enter(session)
        if key == "space":
            return self._space(session)
        if key in ("esc", "backspace"):
            return self._escape(session)
        if key == "?":
            return replace(self, showing_help=True), ()
        if key in TURN_KEYS and self.simulated_hands:
            return self._rotate(TURN_KEYS[key], session)
        if key.isdecimal() and session.phase is Phase.CHOOSING_TURN:
            return self, (MakeRequest(Request.CHOOSE, acting_player(session), int(key) - 1),)
        if key in ("y", "n") and session.offer is not None:
            return self._execute(COMMAND_LETTERS[key], session)
        if len(key) == 1 and key.isupper() and key.lower() in COMMAND_LETTERS:
            return self._execute(COMMAND_LETTERS[key.lower()], session)
        if len(key) == 1 and (key.isalpha() or key in "/{"):
            return replace(self, typed_text=key, picked_cell=None), ()
        return self, ()

    @property
    def _cursor_cell(self) -> Cell:
        assert self.cursor is not None, "`for_session` has set it"
        return self.cursor

    def _escape(self, session: Session) -> KeyResult:
        """Undo one step: the selection, or else the move."""
        if self.picked_cell is not None:
            return replace(self, picked_cell=None), ()
        player = acting_player(session)
        if self.simulated_hands and player in self.players_moved and session.phase in MOVING_PHASES:
            return replace(self, players_moved=self.players_moved - {player}), (PutBack(player),)
        return self, ()

    def _answer_resignation(self, key: str, session: Session) -> KeyResult:
        answered = replace(self, confirming_resignation=False)
        if key in ("y", "Y"):
            return answered, (MakeRequest(Request.RESIGN, acting_player(session)),)
        return answered, (Reply(sentences.NO_RESIGNATION()),)

    # -- cursor --------------------------------------------------------------------------------

    def _space(self, session: Session) -> KeyResult:
        """Fire if a move is made; otherwise act like Enter."""
        waits = (
            self.simulated_hands
            and session.phase in MOVING_PHASES
            and acting_player(session) not in self.players_moved
        )
        if self.picked_cell is not None or waits:
            return self._enter(session)
        return self._execute(TypedCommand.FIRE, session)

    def _enter(self, session: Session) -> KeyResult:
        reason = self._refusal(session)
        if reason:
            return self, (Reply(reason),)
        if self.picked_cell is None:
            return self._choose(session)
        if self._cursor_cell == self.picked_cell:
            return replace(self, picked_cell=None), ()
        found = tuple(
            option
            for option in options_for_cell(session, self.picked_cell)
            if option.reaches(self._cursor_cell)
        )
        if len(found) > 1:
            return replace(self, menu=found), ()
        if found:
            return self._make(found[0])
        chosen_by = session.position.pieces[self.picked_cell].owner
        there = session.position.pieces.get(self._cursor_cell)
        if there is not None and there.owner == chosen_by:
            return self._choose(session)
        game, position = session.game, session.position
        return self, (
            Reply(
                explain_unreachable(game, position, chosen_by, self.picked_cell, self._cursor_cell)
            ),
        )

    def _refusal(self, session: Session) -> Sentence | None:
        """Why no move can be made with the keyboard now; None if one can."""
        if not self.simulated_hands:
            return MOVE_BY_HAND()
        return None if session.phase in MOVING_PHASES else guidance_for(session).sentence

    def _choose(self, session: Session) -> KeyResult:
        origin = cell_before_turn(session, self._cursor_cell)
        why_not = _why_not_movable(session, origin, self._cursor_cell)
        if why_not:
            return replace(self, picked_cell=None), (Reply(why_not),)
        if not options_for_cell(session, origin):
            cell = _cell_name(session, self._cursor_cell)
            return self, (Reply(sentences.NOTHING_TO_DO(cell=cell)),)
        return replace(self, picked_cell=origin), ()

    def _rotate(self, steps: int, session: Session) -> KeyResult:
        """Turn the selected piece, or else the one under the cursor."""
        reason = self._refusal(session)
        cell = (
            cell_before_turn(session, self._cursor_cell)
            if self.picked_cell is None
            else self.picked_cell
        )
        reason = reason or _why_not_movable(session, cell, self._cursor_cell)
        if reason:
            return self, (Reply(reason),)
        for option in options_for_cell(session, cell):
            if option.target is None and option.rotation_steps == steps:
                return self._make(option)
        cannot = sentences.CANNOT_TURN_RIGHT if steps > 0 else sentences.CANNOT_TURN_LEFT
        return self, (Reply(cannot(cell=_cell_name(session, cell))),)

    def _pick_option(self, number: int, session: Session) -> KeyResult:
        if not 1 <= number <= len(self.menu):
            return self, (Reply(CHOOSE_BETWEEN(first=1, last=len(self.menu))),)
        reason = self._refusal(session)
        return (self, (Reply(reason),)) if reason else self._make(self.menu[number - 1])

    def _make(self, option: MoveOption) -> KeyResult:
        made = self.players_moved | {option.player}
        put_down = replace(self, picked_cell=None, menu=(), players_moved=made)
        if option.target is not None:
            put_down = replace(put_down, cursor=option.target)
        return put_down, (MakeMove(option.player, option.move),)

    # -- typed text ----------------------------------------------------------------------------

    def _type_key(self, key: str, session: Session) -> KeyResult:
        if key == "enter":
            return replace(self, typed_text="")._submit_text(self.typed_text.strip(), session)
        if key == "esc":
            return replace(self, typed_text=""), ()
        if key == "backspace":
            return replace(self, typed_text=self.typed_text[:-1]), ()
        if key in ARROWS:
            return replace(self, typed_text="")._press_key(key, session)
        sign = " " if key == "space" else key
        if len(sign) == 1 and sign.isprintable() and len(self.typed_text) < MAX_INPUT_LENGTH:
            return replace(self, typed_text=self.typed_text + sign), ()
        return self, ()

    def _submit_text(self, text: str, session: Session) -> KeyResult:
        command = parse_typed_command(text)
        if command is not None:
            return self._execute(command, session)
        number = text.removeprefix("/")
        if number.isdecimal() and session.phase is Phase.CHOOSING_TURN:
            return self, (MakeRequest(Request.CHOOSE, acting_player(session), int(number) - 1),)
        reason = self._refusal(session)
        if reason:
            return self, (Reply(reason),)
        match parse_typed_move(session, players_allowed_to_move(session), text):
            case TypedMove(player, move):
                return replace(self, players_moved=self.players_moved | {player}), (
                    MakeMove(player, move),
                )
            case AmbiguousMove(choices):
                return replace(self, picked_cell=choices[0].origin, menu=choices), ()
            case Sentence() as sentence:
                return self, (Reply(sentence),)

    def _execute(self, command: TypedCommand, session: Session) -> KeyResult:
        player = acting_player(session)
        match command:
            case TypedCommand.FIRE:
                return self, (_fire(session),)
            case TypedCommand.HELP:
                return replace(self, showing_help=True), ()
            case TypedCommand.QUIT:
                return self, (Reply(sentences.GAME_STORED()), Quit())
            case TypedCommand.RESIGN if session.phase is not Phase.OVER:
                return replace(self, confirming_resignation=True, picked_cell=None), ()
            case TypedCommand.NEW_GAME if session.phase is Phase.OVER or not session.history:
                return self, (NewGame(),)
            case TypedCommand.NEW_GAME:
                return replace(self, confirming_new_game=True, picked_cell=None), ()
            case TypedCommand.PAUSE:
                paused = session.phase is Phase.PAUSED
                return self, (MakeRequest(Request.CONTINUE if paused else Request.PAUSE, player),)
            case TypedCommand.RESET_PIECES if self.simulated_hands:
                return replace(self, picked_cell=None, players_moved=frozenset()), (ResetPieces(),)
            case TypedCommand.RESET_PIECES:
                return self, (Reply(sentences.PUT_PIECES_RIGHT()),)
            case TypedCommand.YES | TypedCommand.NO:
                return self, (_answer_offer(session, yes=command is TypedCommand.YES),)
            case TypedCommand.HINT:
                return self, (MakeRequest(Request.HINT, player),)
            case TypedCommand.TAKE_BACK:
                return self, (MakeRequest(Request.TAKE_BACK, last_mover(session)),)
            case TypedCommand.DRAW:
                return self, (MakeRequest(Request.OFFER_DRAW, player),)
            case TypedCommand.CLAIM:
                return self, (MakeRequest(Request.CLAIM_DRAW, player),)
            case TypedCommand.RESIGN:
                return self, (Reply(guidance_for(session).sentence),)


# -- players and cells -------------------------------------------------------------------------


def options_for_cell(session: Session, cell: Cell) -> tuple[MoveOption, ...]:
    """The legal moves of the piece on that cell."""
    owner = session.position.pieces[cell].owner
    return move_options(
        session.game, session.position, owner, cell, session.table.last_seen_orientations
    )


def step_cursor(grid: Grid, cell: Cell, arrow: str) -> Cell:
    """The next cell in that direction. On hexagons, up and down alternate between the two
    diagonals, so that they undo each other."""
    headings = [
        h for h in range(grid.headings) if _angle_between(grid.degrees(h), ARROWS[arrow]) < 45
    ]
    if len(headings) > 1:
        row = round(grid.centre(cell)[1] / 0.8660254)
        rightwards = sorted(headings, key=lambda h: _angle_between(grid.degrees(h), 90))
        headings = rightwards if row % 2 == 0 else rightwards[::-1]
    ahead = (grid.ahead(cell, heading) for heading in headings)
    return next((each for each in ahead if each is not None), cell)


def _initial_cursor(session: Session) -> Cell:
    """The acting player's piece that is nearest to the centre of the board."""
    grid, pieces = session.position.grid, session.position.pieces
    player = acting_player(session)
    own = [cell for cell, piece in pieces.items() if piece.owner == player]
    points = [grid.centre(cell) for cell in range(grid.size)]
    middle_x, middle_y = (sum(each) / grid.size for each in zip(*points, strict=True))
    return min(
        own or range(grid.size),
        key=lambda cell: (points[cell][0] - middle_x) ** 2 + (points[cell][1] - middle_y) ** 2,
    )


def _angle_between(one: float, other: float) -> float:
    between = abs(one - other) % 360
    return min(between, 360 - between)


def _cell_name(session: Session, cell: Cell) -> str:
    name: str = session.position.grid.name(cell)
    return name


def _why_not_movable(session: Session, origin: Cell, shown: Cell) -> Sentence | None:
    """Why the piece of `origin`, which the screen may show on `shown`, cannot move now."""
    game, piece = session.game, session.position.pieces.get(origin)
    allowed = players_allowed_to_move(session)
    whose = join_or([sentences.PIECES_OF(player=game.players[player]) for player in allowed])
    if not allowed:
        return guidance_for(session).sentence
    if piece is None:
        return sentences.CHOOSE_PIECE_OF(cell=_cell_name(session, shown), players=whose)
    if piece.owner not in allowed:
        return CELL_OF_OTHER(cell=_cell_name(session, shown), player=game.players[piece.owner])
    return None


def _fire(session: Session) -> Intent:
    if session.phase not in MOVING_PHASES:
        return Reply(guidance_for(session).sentence)
    return PressFire(acting_player(session))


def _answer_offer(session: Session, *, yes: bool) -> Intent:
    if session.offer is None:
        return Reply(sentences.NOTHING_ASKED())
    return MakeRequest(Request.ACCEPT if yes else Request.DECLINE, 1 - session.offer[1])
