"""Panels around the board on the player's screen: players, turns, status line and help."""

from __future__ import annotations

from collections.abc import Sequence

from controller.session.clocks import format_clock
from controller.session.events import Request
from controller.session.guidance import guidance_for
from controller.session.move_options import cell_before_turn, example_move, unfired_turn
from controller.session.state import Phase, PlayedTurn, Session
from controller.ui.actors import MOVING_PHASES, acting_player
from controller.ui.terminal import player_legend
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
from engine.draw.palette import player_paints
from engine.draw.words import describe_action
from engine.game import Loss, Mark, Player
from engine.grid import Cell

TURN_SIGN = "▶"
MOST_TURNS = 8
HELP_COLUMNS = 76
_RESERVED_FOR = {Mark.FIRST_ONLY: 0, Mark.SECOND_ONLY: 1, Mark.FIRST_LASER: 0, Mark.SECOND_LASER: 1}
_OFFERS = {Request.OFFER_DRAW: "offers a draw", Request.TAKE_BACK: "would like to take back a turn"}


# -- players -----------------------------------------------------------------------------------


def player_lines(session: Session, at_ms: float, columns: int) -> list[StyledLine]:
    """Two lines per player: turn marker, name and clock; then the pieces."""
    lines: list[StyledLine] = []
    for player, standing in enumerate(player_legend(session.game, session.position)):
        face = _clock_spans(session, player, at_ms)
        lines.append(justify(_player_name(session, player), face, columns))
        lines.append(dim(f"  {standing.partition(': ')[2]}"))
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


def turn_lines(session: Session, most: int = MOST_TURNS) -> list[StyledLine]:
    """The last turns, in the game's notation if that is text, otherwise in words."""
    count = len(session.history)
    shown = session.history[max(count - most, 0) :] if most > 0 else ()
    return [
        _turn_line(session, number, past)
        for number, past in enumerate(shown, count - len(shown) + 1)
    ]


def _turn_line(session: Session, number: int, past: PlayedTurn) -> StyledLine:
    game, turn = session.game, past.turn
    if game.record_form == "text":
        text = " ".join(game.write_move(past.position, *made) for made in turn.moves)
    else:
        text = " / ".join(str(describe_action(game, turn, player)) for player, _ in turn.moves)
        text += "".join(_loss(loss, turn.aimed.grid.name(loss.cell)) for loss in turn.losses)
    ink = (
        player_paints(game.players)[turn.moves[0][0]].bright
        if len(turn.moves) == 1
        else palette.INK
    )
    return (Span(f"{number:>3} ", palette.INK), Span(text, ink))


def _loss(loss: Loss, name: str) -> str:
    return f" ×{name}" if loss.removed else f" {name} -{loss.hits}"


def reason_lines(session: Session, columns: int, most: int) -> list[StyledLine]:
    """Why play cannot go on; numbered if a player must choose."""
    reasons = guidance_for(session).reasons
    numbered = session.phase is Phase.CONFIRMING
    lines: list[StyledLine] = []
    for number, reason in enumerate(reasons, 1):
        sign = f"{number} " if numbered else "! "
        parts = wrap_lines(str(reason), columns - 2, 2)
        if len(lines) + len(parts) > most - (number < len(reasons)):
            more = dim(f"  and {len(reasons) - number + 1} more")
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
        return bold(
            f"{game.players[acting_player(session)]} resigns: really?  Y yes · any other key no"
        )
    if keyboard.confirming_new_game:
        return bold("another game, while this one is kept: really?  Y yes · any other key no")
    if keyboard.menu:
        listed = (f"{number} {option.label}" for number, option in enumerate(keyboard.menu, 1))
        return bold(" · ".join(listed) + " · Esc")
    if session.phase is Phase.CONFIRMING:
        return bold(f"choose with 1 to {len(session.turn.choices)}")
    if session.offer is not None:
        request, player = session.offer
        return bold(f"{game.players[player]} {_OFFERS.get(request, request)}:  Y yes · N no")
    if not keyboard.simulated_hands:
        return plain("")
    if session.phase is Phase.SETTING_UP:
        return dim("one moment: the pieces are put in place, and the camera looks at them")
    if (
        session.phase is Phase.TURN
        and acting_player(session) in keyboard.players_moved
        and not unfired_turn(session)
    ):
        return dim("one moment: a hand makes the move, and the camera looks at it")
    if session.phase not in MOVING_PHASES:
        return plain("")
    return _ready_line(session, keyboard) or _cursor_line(session, keyboard)


def _ready_line(session: Session, keyboard: Keyboard) -> StyledLine:
    """The keys for a move that is made and not fired; empty if there is none."""
    if keyboard.picked_cell is not None or acting_player(session) not in keyboard.players_moved:
        return ()
    if len(session.to_move) == 1:
        return bold("Space fires · Esc puts it back")
    who = session.game.players[acting_player(session)]
    return bold(f"{who} has chosen: Space fires for {who} · Esc puts it back")


def _typed_line(typed: str) -> StyledLine:
    command = parse_typed_command(typed)
    enter = "Enter sends it" if command is None else f"Enter: {command}, or go on typing"
    does = f"   {enter} · Esc drops it"
    return (Span(f"> {typed}_", palette.PAPER, bold=True), Span(does, palette.INK))


def _cursor_line(session: Session, keyboard: Keyboard) -> StyledLine:
    cell, name = keyboard.cursor, session.position.grid.name
    assert cell is not None, "`Keyboard.for_session` has set it"
    if keyboard.picked_cell is None:
        origin = cell_before_turn(session, cell)
        piece = session.position.pieces.get(origin)
        own = piece is not None and piece.owner in session.humans_to_move
        does = " · Enter picks it up" if own and options_for_cell(session, origin) else ""
        return _square(session, cell, origin, does)
    words = " or ".join(
        str(w.label) for w in options_for_cell(session, keyboard.picked_cell) if w.reaches(cell)
    )
    if words:
        return _square(session, cell, cell, f" · Enter: {name(keyboard.picked_cell)} {words}")
    picked = session.position.pieces[keyboard.picked_cell].kind
    return bold(
        f"{picked} {name(keyboard.picked_cell)} is picked up: go to a marked square, then Enter"
    )


def _square(session: Session, shown: Cell, origin: Cell, does: str) -> StyledLine:
    game, position = session.game, session.position
    piece, mark = position.pieces.get(origin), game.marks(position).get(shown)
    if piece is not None:
        description = f"{game.players[piece.owner]}'s {piece.kind}"
    elif mark is None:
        description = "empty"
    elif mark in _RESERVED_FOR:
        description = f"only for {game.players[_RESERVED_FOR[mark]]}"
    else:
        description = mark.value
    return (
        Span(f"{position.grid.name(shown)} ", palette.PAPER, bold=True),
        Span(description, palette.INK),
        Span(does, palette.PAPER),
    )


def help_line(session: Session, keyboard: Keyboard) -> StyledLine:
    """The keys, most useful first, because a narrow screen truncates the line."""
    keys: Sequence[tuple[str, str]]
    if session.phase is Phase.OVER:
        then = "next puzzle" if session.puzzle.goal else "another game"
        keys = (("A", then), ("?", "help"), ("Q", "leave"))
    elif session.phase is Phase.PAUSED:
        keys = (("P", "go on"), ("?", "help"), ("Q", "leave"))
    elif keyboard.menu:
        keys = ((f"1 to {len(keyboard.menu)}", "choose"), ("Esc", "let go"))
    elif keyboard.picked_cell is not None:
        keys = (("arrows", ""), ("Enter", "put down"), (", .", "turn"), ("Esc", "let go"))
    else:
        moving = (("arrows Enter", "move"), (", .", "turn")) if keyboard.simulated_hands else ()
        keys = (("?", "help"), *moving, ("Space", "fire"), ("H", "hint"))
        keys = (*keys, ("T", "take back"), ("Q", "leave"), ("P", "pause"))
    return join_lines(
        (
            (Span(key, palette.INK, bold=True), *dim(f" {does}" if does else ""))
            for key, does in keys
        ),
        "  ",
    )


def _can_fire(session: Session, square: str) -> bool:
    cell = session.position.grid.cell(square)
    return cell in session.position.pieces and any(
        option.aim_cells for option in options_for_cell(session, cell)
    )


def help_lines(session: Session, keyboard: Keyboard, notes: Sequence[str] = ()) -> list[StyledLine]:
    """The help page with all keys."""
    game, position = session.game, session.position
    source, target = example_move(game, position, acting_player(session))
    moving = (
        ("arrows", "go from square to square"),
        ("Enter", "pick a piece up; put it down where it may go"),
        (", .", "turn it left, right (also [ ])"),
        ("Esc", "let go; put back what is not fired yet"),
        ("E", "everything right: the pieces as they should stand"),
        (source + target, f"or type a move, then Enter; {source}+ {source}- turn right, left"),
        *(((f"{source}!{target}", "fire that way"),) if _can_fire(session, source) else ()),
    )
    keys = (
        *(moving if keyboard.simulated_hands else ()),
        ("Space F", "fire"),
        ("H", "hint: what the computer would do"),
        ("T", "take back a turn"),
        ("O  C", "offer a draw; claim one"),
        ("Y  N", "yes, no to what the other asks"),
        ("P", "pause, go on"),
        ("V", "see the LEDs, what the camera sees, the board again"),
        ("R", "resign (asks first)"),
        ("A", "another game like this one (asks first)"),
        ("Q", "leave: the game is kept"),
    )
    pieces = ", ".join(f"{letter} {kind}" for kind, letter in game.letters.items())
    return [
        *map(plain, wrap_lines(f"{game.title}: {game.goal}", HELP_COLUMNS, 2)),
        bold("Small letters type, CAPITALS act at once" if keyboard.simulated_hands else "Keys"),
        *(
            (Span(f"{key:>8}  ", palette.PAPER, bold=True), Span(does, palette.INK))
            for key, does in keys
        ),
        *map(dim, (f"pieces: {pieces}", *player_legend(game, position))),
        *map(plain, notes),
        dim("any key goes back"),
    ]
