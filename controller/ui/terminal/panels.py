"""Panels around the board on the player's screen: players, turns, status line and help."""

from __future__ import annotations

from collections.abc import Sequence

from controller.session.clocks import format_clock
from controller.session.events import Request
from controller.session.guidance import guidance_for
from controller.session.move_options import cell_before_turn, example_move, unfired_turn
from controller.session.sentences import PIECE, join_or
from controller.session.state import Phase, PlayedTurn, Session
from controller.ui.actors import MOVING_PHASES, acting_player
from controller.ui.terminal import player_legend, player_letters, sentences
from controller.ui.terminal.keyboard import Keyboard, options_for_cell
from controller.ui.terminal.styled_text import (
    Span,
    StyledLine,
    bold,
    dim,
    join_lines,
    justify,
    plain,
    wrap_lines,
)
from controller.ui.typed_input import parse_typed_command
from engine.draw import palette
from engine.draw.board_json import turn_notation
from engine.draw.palette import player_paints
from engine.game import Mark, Player
from engine.grid import Cell
from engine.sentences import Sentence, as_sentence, joined

TURN_SIGN = "▶"
MAX_TURNS = 8
HELP_COLUMNS = 76
_RESERVED_FOR = {Mark.FIRST_ONLY: 0, Mark.SECOND_ONLY: 1, Mark.FIRST_LASER: 0, Mark.SECOND_LASER: 1}
_OFFERS = {
    Request.OFFER_DRAW: sentences.OFFERS_DRAW,
    Request.TAKE_BACK: sentences.ASKS_TAKE_BACK,
}


# -- players -----------------------------------------------------------------------------------


def player_lines(session: Session, at_ms: float, columns: int) -> list[StyledLine]:
    """Two lines per player: turn marker, name and clock; then the pieces."""
    lines: list[StyledLine] = []
    for player in range(len(session.seats)):
        face = _clock_spans(session, player, at_ms)
        lines.append(justify(_player_name(session, player), face, columns))
        lines.append(dim(f"  {player_letters(session.game, session.position, player)}"))
    return lines


def players_line(session: Session, at_ms: float) -> StyledLine:
    """Both players in one line."""
    return join_lines(
        (
            (*_player_name(session, player), Span(" "), *_clock_spans(session, player, at_ms))
            for player in range(len(session.seats))
        ),
        "   ",
    )


def _player_name(session: Session, player: Player) -> StyledLine:
    game = session.game
    side, seat = game.players[player], session.seats[player].name
    alone = session.seats[1 - player].is_automated and not session.seats[player].is_automated
    name = side if seat == side else f"{side} {seat}"
    name += " (you)" * alone
    waits = player in session.to_move and session.phase is not Phase.OVER
    ink = player_paints(game.players)[player].bright
    return (Span(f"{TURN_SIGN if waits else ' '} {name}", ink, bold=waits),)


def _clock_spans(session: Session, player: Player, at_ms: float) -> StyledLine:
    left_ms = session.clocks.remaining_ms(player, at_ms)
    if left_ms is None:
        return ()
    runs = player in session.clocks.running
    ink = palette.PAPER if runs else palette.INK
    return (Span(format_clock(left_ms), ink, bold=runs),)


# -- turns and reasons -------------------------------------------------------------------------


def turn_lines(session: Session, most: int = MAX_TURNS) -> list[StyledLine]:
    """The last turns, in the game's notation if that is text, otherwise in words."""
    count = len(session.history)
    shown = session.history[max(count - most, 0) :] if most > 0 else ()
    return [
        _turn_line(session, number, past)
        for number, past in enumerate(shown, count - len(shown) + 1)
    ]


def _turn_line(session: Session, number: int, past: PlayedTurn) -> StyledLine:
    game, turn = session.game, past.turn
    ink = (
        player_paints(game.players)[turn.moves[0][0]].bright
        if len(turn.moves) == 1
        else palette.INK
    )
    return (Span(f"{number:>3} ", palette.INK), Span(str(turn_notation(game, turn)), ink))


def reason_lines(session: Session, columns: int, most: int) -> list[StyledLine]:
    """Why play cannot continue; numbered if a player must choose."""
    reasons = guidance_for(session).reasons
    numbered = session.phase is Phase.CHOOSING_TURN
    lines: list[StyledLine] = []
    for number, reason in enumerate(reasons, 1):
        sign = f"{number} " if numbered else "! "
        parts = wrap_lines(str(reason), columns - 2, 2)
        if len(lines) + len(parts) > most - (number < len(reasons)):
            more = dim(f"  {sentences.AND_MORE(count=len(reasons) - number + 1)}")
            return [*lines, more] if most > 0 else []
        for part in parts:
            lines.append((Span(sign, palette.FIRE[1], bold=True), Span(part, palette.PAPER)))
            sign = "  "
    return lines


# -- status line and help ----------------------------------------------------------------------


def status_line(session: Session, keyboard: Keyboard) -> StyledLine:
    """The open question, the typed text or the selected cell, and the effect of Enter."""
    game = session.game
    if keyboard.typed_text:
        return _typed_line(keyboard.typed_text)
    if keyboard.confirming_resignation:
        return bold(sentences.CONFIRM_RESIGNATION(player=game.players[acting_player(session)]))
    if keyboard.confirming_new_game:
        return bold(sentences.CONFIRM_NEW_GAME())
    if keyboard.menu:
        listed = joined(
            (
                sentences.MENU_OPTION(number=number, option=option.label)
                for number, option in enumerate(keyboard.menu, 1)
            ),
            " · ",
        )
        return bold(sentences.MENU(options=listed))
    if session.phase is Phase.CHOOSING_TURN:
        return bold(sentences.CHOOSE(most=len(session.turn.choices)))
    if session.offer is not None:
        request, player = session.offer
        return bold(_OFFERS[request](player=game.players[player]))
    if not keyboard.simulated_hands:
        return plain("")
    if session.phase is Phase.SETTING_UP:
        return dim(sentences.PIECES_ARE_PUT())
    if (
        session.phase is Phase.TURN
        and acting_player(session) in keyboard.players_moved
        and not unfired_turn(session)
    ):
        return dim(sentences.HAND_MOVES())
    if session.phase not in MOVING_PHASES:
        return plain("")
    return _ready_line(session, keyboard) or _cursor_line(session, keyboard)


def _ready_line(session: Session, keyboard: Keyboard) -> StyledLine:
    """The keys for a move that is made and not fired; empty if there is none."""
    if keyboard.picked_cell is not None or acting_player(session) not in keyboard.players_moved:
        return ()
    if len(session.to_move) == 1:
        return bold(sentences.FIRE_OR_PUT_BACK())
    return bold(sentences.HAS_CHOSEN(player=session.game.players[acting_player(session)]))


def _typed_line(typed: str) -> StyledLine:
    command = parse_typed_command(typed)
    does = sentences.TYPED_MOVE()
    if command is not None:
        does = sentences.TYPED_COMMAND(command=str(command))
    return (Span(f"> {typed}_", palette.PAPER, bold=True), *plain(f"   {does}"))


def _cursor_line(session: Session, keyboard: Keyboard) -> StyledLine:
    cell, name = keyboard.cursor, session.position.grid.name
    assert cell is not None, "`Keyboard.for_session` has set it"
    if keyboard.picked_cell is None:
        origin = cell_before_turn(session, cell)
        piece = session.position.pieces.get(origin)
        own = piece is not None and piece.owner in session.humans_to_move
        does = sentences.ENTER_PICKS_UP() if own and options_for_cell(session, origin) else None
        return _square(session, cell, origin, does)
    picked_cell = name(keyboard.picked_cell)
    options = options_for_cell(session, keyboard.picked_cell)
    labels = [option.label for option in options if option.reaches(cell)]
    if labels:
        does = sentences.ENTER_MOVES(cell=picked_cell, options=join_or(labels))
        return _square(session, cell, cell, does)
    picked = session.position.pieces[keyboard.picked_cell].kind
    return bold(sentences.PICKED_UP(kind=picked, cell=picked_cell))


def _square(session: Session, shown: Cell, origin: Cell, does: Sentence | None) -> StyledLine:
    game, position = session.game, session.position
    piece, mark = position.pieces.get(origin), game.marks(position).get(shown)
    if piece is not None:
        description = PIECE(player=game.players[piece.owner], kind=piece.kind)
    elif mark is None:
        description = sentences.EMPTY()
    elif mark in _RESERVED_FOR:
        description = sentences.ONLY_FOR(player=game.players[_RESERVED_FOR[mark]])
    else:
        description = as_sentence(mark.value)
    return (
        Span(f"{position.grid.name(shown)} ", palette.PAPER, bold=True),
        *plain(description),
        Span("" if does is None else f" · {does}", palette.PAPER),
    )


def help_line(session: Session, keyboard: Keyboard) -> StyledLine:
    """The keys, most useful first, because a narrow screen truncates the line."""
    keys: Sequence[tuple[str | Sentence, Sentence | None]]
    if session.phase is Phase.OVER:
        then = sentences.NEXT_PUZZLE() if session.puzzle.goal else sentences.ANOTHER_GAME()
        keys = (("A", then), ("?", sentences.HELP()), ("Q", sentences.LEAVE()))
    elif session.phase is Phase.PAUSED:
        keys = (("P", sentences.CONTINUE()), ("?", sentences.HELP()), ("Q", sentences.LEAVE()))
    elif keyboard.menu:
        keys = (
            (sentences.CHOICES(most=len(keyboard.menu)), sentences.CHOOSE_KEY()),
            ("Esc", sentences.LET_GO()),
        )
    elif keyboard.picked_cell is not None:
        keys = (
            (sentences.ARROWS(), None),
            ("Enter", sentences.PUT_DOWN()),
            (", .", sentences.TURN()),
            ("Esc", sentences.LET_GO()),
        )
    else:
        moving = (
            ((sentences.ARROWS_ENTER(), sentences.MOVE()), (", .", sentences.TURN()))
            if keyboard.simulated_hands
            else ()
        )
        keys = (
            ("?", sentences.HELP()),
            *moving,
            ("Space", sentences.FIRE()),
            ("H", sentences.HINT()),
            ("T", sentences.TAKE_BACK()),
            ("Q", sentences.LEAVE()),
            ("P", sentences.PAUSE()),
        )
    return join_lines(
        ((*bold(key, palette.INK), *dim("" if does is None else f" {does}")) for key, does in keys),
        "  ",
    )


def _can_fire(session: Session, square: str) -> bool:
    cell = session.position.grid.cell(square)
    return cell in session.position.pieces and any(
        option.aim_cells for option in options_for_cell(session, cell)
    )


def help_lines(
    session: Session, keyboard: Keyboard, notes: Sequence[Sentence] = ()
) -> list[StyledLine]:
    """The help page with all keys."""
    game, position = session.game, session.position
    source, target = example_move(game, position, acting_player(session))
    moving = (
        (sentences.ARROWS(), sentences.HELP_ARROWS()),
        ("Enter", sentences.HELP_ENTER()),
        (", .", sentences.HELP_TURN()),
        ("Esc", sentences.HELP_ESC()),
        ("E", sentences.HELP_RIGHT()),
        (source + target, sentences.HELP_TYPE(cell=source)),
        *(
            ((f"{source}!{target}", sentences.HELP_FIRE_TOWARD()),)
            if _can_fire(session, source)
            else ()
        ),
    )
    keys = (
        *(moving if keyboard.simulated_hands else ()),
        ("Space F", sentences.FIRE()),
        ("H", sentences.HELP_HINT()),
        ("T", sentences.HELP_TAKE_BACK()),
        ("O  C", sentences.HELP_DRAW()),
        ("Y  N", sentences.HELP_ANSWER()),
        ("P", sentences.HELP_PAUSE()),
        ("V", sentences.HELP_VIEW()),
        ("R", sentences.HELP_RESIGN()),
        ("A", sentences.HELP_NEW_GAME()),
        ("Q", sentences.HELP_LEAVE()),
    )
    pieces = tuple(
        sentences.LETTER_OF_KIND(letter=letter, kind=kind) for kind, letter in game.letters.items()
    )
    goal = str(sentences.GOAL(game=game.title, goal=game.goal))
    head = sentences.TYPING_HEAD() if keyboard.simulated_hands else sentences.KEYS_HEAD()
    return [
        *map(plain, wrap_lines(goal, HELP_COLUMNS, 2)),
        bold(head),
        *((*bold(f"{key!s:>8}  "), *plain(f"   {does}")) for key, does in keys),
        *map(dim, (sentences.PIECES(pieces=pieces), *player_legend(game, position))),
        *(plain(str(note)) for note in notes),
        dim(sentences.ANY_KEY()),
    ]
