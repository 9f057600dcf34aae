"""What stands on the screen beside the board: clocks, turns, what a key would do, and help."""

from __future__ import annotations

from collections.abc import Sequence

from controller.clocks import clock_face
from controller.guide import guide
from controller.session_values import Past, Phase, Session, Wish
from controller.terminal import owners
from controller.terminal.keyboard import MOVING, Keyboard, actor, ways_of
from controller.terminal.text import Line, Span, bold, dim, joined, plain, spread, wrapped
from controller.terminal.typed import order
from controller.terminal.ways import example, lying, origin_of
from engine.draw import palette
from engine.draw.palette import paints
from engine.draw.words import action
from engine.game import Loss, Mark, Player
from engine.grid import Cell

TURN_SIGN = "▶"
MOST_TURNS = 8
HELP_COLUMNS = 76
_ONLY = {Mark.FIRST_ONLY: 0, Mark.SECOND_ONLY: 1, Mark.FIRST_LASER: 0, Mark.SECOND_LASER: 1}
_OFFERS = {Wish.OFFER_DRAW: "offers a draw", Wish.TAKE_BACK: "would like to take back a turn"}


# -- people ------------------------------------------------------------------------------------


def player_lines(session: Session, at_ms: float, columns: int) -> list[Line]:
    """Two lines for each player: whose turn, how much time, and which pieces."""
    lines: list[Line] = []
    for player, standing in enumerate(owners(session.table.game, session.position)):
        face = _face(session, player, at_ms)
        lines.append(spread(_named(session, player), face, columns))
        lines.append(dim(f"  {standing.partition(': ')[2]}"))
    return lines


def players_line(session: Session, at_ms: float) -> Line:
    """Both players in one line."""
    return joined(
        (
            (*_named(session, player), Span(" "), *_face(session, player, at_ms))
            for player in range(len(session.seats))
        ),
        "   ",
    )


def _named(session: Session, player: Player) -> Line:
    game = session.table.game
    side, seat = game.players[player], session.seats[player].name
    alone = session.seats[1 - player].computer and not session.seats[player].computer
    name = side if seat == side else f"{side} {seat}"
    name += " (you)" * alone
    waits = player in session.movers and session.phase is not Phase.OVER
    ink = paints(game.players)[player].bright
    return (Span(f"{TURN_SIGN if waits else ' '} {name}", ink, bold=waits),)


def _face(session: Session, player: Player, at_ms: float) -> Line:
    left_ms = session.clocks.remaining_ms(player, at_ms)
    if left_ms is None:
        return ()
    runs = player in session.clocks.running
    ink = palette.PAPER if runs else palette.INK
    return (Span(clock_face(left_ms), ink, bold=runs),)


# -- what happened -----------------------------------------------------------------------------


def turn_lines(session: Session, most: int = MOST_TURNS) -> list[Line]:
    """The last turns, as their game writes them where that is text for people."""
    count = len(session.history)
    shown = session.history[max(count - most, 0) :] if most > 0 else ()
    return [
        _turn_line(session, number, past)
        for number, past in enumerate(shown, count - len(shown) + 1)
    ]


def _turn_line(session: Session, number: int, past: Past) -> Line:
    game, turn = session.table.game, past.turn
    if game.record_form == "text":
        told = " ".join(game.write_move(past.position, *made) for made in turn.moves)
    else:
        told = " / ".join(action(game, turn, player) for player, _ in turn.moves)
        told += "".join(_loss(loss, turn.aimed.grid.name(loss.cell)) for loss in turn.losses)
    ink = paints(game.players)[turn.moves[0][0]].bright if len(turn.moves) == 1 else palette.INK
    return (Span(f"{number:>3} ", palette.INK), Span(told, ink))


def _loss(loss: Loss, name: str) -> str:
    return f" ×{name}" if loss.removed else f" {name} -{loss.hits}"


def reason_lines(session: Session, columns: int, most: int) -> list[Line]:
    """Why play cannot go on; numbered where somebody must choose."""
    reasons = guide(session).reasons
    numbered = session.phase is Phase.CONFIRMING
    lines: list[Line] = []
    for number, reason in enumerate(reasons, 1):
        sign = f"{number} " if numbered else "! "
        parts = wrapped(reason, columns - 2, 2)
        if len(lines) + len(parts) > most - (number < len(reasons)):
            more = dim(f"  and {len(reasons) - number + 1} more")
            return [*lines, more] if most > 0 else []
        for part in parts:
            lines.append((Span(sign, palette.FIRE[1], bold=True), Span(part, palette.PAPER)))
            sign = "  "
    return lines


# -- what a key would do -----------------------------------------------------------------------


def status_line(session: Session, keyboard: Keyboard) -> Line:
    """What is asked, typed or pointed at, and what comes of Enter."""
    game = session.table.game
    if keyboard.typed:
        return _typed_line(keyboard.typed)
    if keyboard.resigning:
        return bold(f"{game.players[actor(session)]} resigns: really?  Y yes · any other key no")
    if keyboard.parting:
        return bold("another game, while this one is kept: really?  Y yes · any other key no")
    if keyboard.menu:
        listed = (f"{number} {way.words}" for number, way in enumerate(keyboard.menu, 1))
        return bold(" · ".join(listed) + " · Esc")
    if session.phase is Phase.CONFIRMING:
        return bold(f"choose with 1 to {len(session.choices)}")
    if session.offer is not None:
        wish, player = session.offer
        return bold(f"{game.players[player]} {_OFFERS.get(wish, wish)}:  Y yes · N no")
    if not keyboard.hands:
        return plain("")
    if session.phase is Phase.SETTING_UP:
        return dim("one moment: the pieces are put in place, and the camera looks at them")
    if session.phase is Phase.TURN and actor(session) in keyboard.made and not lying(session):
        return dim("one moment: a hand makes the move, and the camera looks at it")
    if session.phase not in MOVING:
        return plain("")
    return _ready_line(session, keyboard) or _pointed_line(session, keyboard)


def _ready_line(session: Session, keyboard: Keyboard) -> Line:
    """What to do with a move that is made and not fired; nothing if there is none."""
    if keyboard.chosen is not None or actor(session) not in keyboard.made:
        return ()
    if len(session.movers) == 1:
        return bold("Space fires · Esc puts it back")
    who = session.table.game.players[actor(session)]
    return bold(f"{who} has chosen: Space fires for {who} · Esc puts it back")


def _typed_line(typed: str) -> Line:
    ordered = order(typed)
    enter = "Enter sends it" if ordered is None else f"Enter: {ordered}, or go on typing"
    does = f"   {enter} · Esc drops it"
    return (Span(f"> {typed}_", palette.PAPER, bold=True), Span(does, palette.INK))


def _pointed_line(session: Session, keyboard: Keyboard) -> Line:
    cell, name = keyboard.cursor, session.position.grid.name
    assert cell is not None, "`Keyboard.at` has put it somewhere"
    if keyboard.chosen is None:
        origin = origin_of(session, cell)
        piece = session.position.pieces.get(origin)
        own = piece is not None and piece.owner in session.people
        does = " · Enter picks it up" if own and ways_of(session, origin) else ""
        return _square(session, cell, origin, does)
    words = " or ".join(w.words for w in ways_of(session, keyboard.chosen) if w.reaches(cell))
    if words:
        return _square(session, cell, cell, f" · Enter: {name(keyboard.chosen)} {words}")
    picked = session.position.pieces[keyboard.chosen].kind
    return bold(f"{picked} {name(keyboard.chosen)} is picked up: go to a marked square, then Enter")


def _square(session: Session, shown: Cell, origin: Cell, does: str) -> Line:
    game, position = session.table.game, session.position
    piece, mark = position.pieces.get(origin), game.marks(position).get(shown)
    if piece is not None:
        told = f"{game.players[piece.owner]}'s {piece.kind}"
    elif mark is None:
        told = "empty"
    elif mark in _ONLY:
        told = f"only for {game.players[_ONLY[mark]]}"
    else:
        told = mark.value
    return (
        Span(f"{position.grid.name(shown)} ", palette.PAPER, bold=True),
        Span(told, palette.INK),
        Span(does, palette.PAPER),
    )


def help_line(session: Session, keyboard: Keyboard) -> Line:
    """The keys, the most useful first: a narrow screen shows fewer."""
    keys: Sequence[tuple[str, str]]
    if session.phase is Phase.OVER:
        then = "next puzzle" if session.goal else "another game"
        keys = (("A", then), ("?", "help"), ("Q", "leave"))
    elif session.phase is Phase.PAUSED:
        keys = (("P", "go on"), ("?", "help"), ("Q", "leave"))
    elif keyboard.menu:
        keys = ((f"1 to {len(keyboard.menu)}", "choose"), ("Esc", "let go"))
    elif keyboard.chosen is not None:
        keys = (("arrows", ""), ("Enter", "put down"), (", .", "turn"), ("Esc", "let go"))
    else:
        moving = (("arrows Enter", "move"), (", .", "turn")) if keyboard.hands else ()
        keys = (("?", "help"), *moving, ("Space", "fire"), ("H", "hint"))
        keys = (*keys, ("T", "take back"), ("Q", "leave"), ("P", "pause"))
    return joined(
        (
            (Span(key, palette.INK, bold=True), *dim(f" {does}" if does else ""))
            for key, does in keys
        ),
        "  ",
    )


def _fires(session: Session, square: str) -> bool:
    cell = session.position.grid.cell(square)
    return cell in session.position.pieces and any(way.aims for way in ways_of(session, cell))


def help_lines(session: Session, keyboard: Keyboard, notes: Sequence[str] = ()) -> list[Line]:
    """Every key."""
    game, position = session.table.game, session.position
    source, target = example(game, position, actor(session))
    moving = (
        ("arrows", "go from square to square"),
        ("Enter", "pick a piece up; put it down where it may go"),
        (", .", "turn it left, right (also [ ])"),
        ("Esc", "let go; put back what is not fired yet"),
        ("E", "everything right: the pieces as they should stand"),
        (source + target, f"or type a move, then Enter; {source}+ {source}- turn right, left"),
        *(((f"{source}!{target}", "fire that way"),) if _fires(session, source) else ()),
    )
    keys = (
        *(moving if keyboard.hands else ()),
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
        *map(plain, wrapped(f"{game.title}: {game.goal}", HELP_COLUMNS, 2)),
        bold("Small letters type, CAPITALS act at once" if keyboard.hands else "Keys"),
        *(
            (Span(f"{key:>8}  ", palette.PAPER, bold=True), Span(does, palette.INK))
            for key, does in keys
        ),
        *map(dim, (f"pieces: {pieces}", *owners(game, position))),
        *map(plain, notes),
        dim("any key goes back"),
    ]
