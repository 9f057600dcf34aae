"""The screen of those who watch a match of programs: a view in, lines out.

The board with its beams; beside it, or else below, who stands how and what happened in words. The
beams of a turn stay until the next ones run.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.session_values import Phase, Session
from controller.terminal import beam_length, extent, grown, picture, rooms
from controller.terminal.sheet import Room
from controller.terminal.text import Line, Span, bold, dim, joined, painted, wrapped
from engine.arena import Arena, Happening, Tally
from engine.draw import palette
from engine.draw.palette import mixed, paints
from engine.game import AnyTurn, Player

LEAST_SIDE = 28
GAP = "  "
BAR, EMPTY = "█", "░"
WIDEST_BAR = 24
LOW = 0.3  # of the hit points: then the bar warns
PANEL_BELOW = 8  # rows
KEYS = (("P", "pause"), ("R", "reset"), ("Q", "leave"))


@dataclass(frozen=True)
class MatchView:
    """All that the screen shows."""

    session: Session
    beam: tuple[AnyTurn, int] | None = None  # how far it has run
    notes: tuple[str, ...] = ()  # for whoever sits there


def match_screen(view: MatchView, size: tuple[int, int], colour: bool) -> list[str]:
    """The lines of a terminal of that size, columns and rows."""
    columns, rows = max(size[0] - 1, 1), size[1]

    def paint(line: Line) -> str:
        return painted(line, columns, colour=colour)

    notes = dim(f"   {'   '.join(view.notes)}") if view.notes else ()
    head, foot = [_title(view.session)], [_status(view.session), (*_keys(view.session), *notes)]
    grid = view.session.position.grid
    for room in rooms(grid):
        wide, high = extent(grid, room)
        side = columns - wide - len(GAP)
        if side >= LEAST_SIDE and high + len(head) + len(foot) <= rows:
            board = _board(view, room, colour)
            board += [" " * wide] * (rows - len(head) - len(foot) - high)
            panel = _panel(view, side, len(board))
            beside = (
                line + GAP + painted(words, side, colour=colour)
                for line, words in zip(board, panel, strict=True)
            )
            return [*map(paint, head), *beside, *map(paint, foot)]
    for room in rooms(grid):
        wide, high = extent(grid, room)
        left = rows - high - len(head) - len(foot)
        if wide <= columns and left >= PANEL_BELOW:
            below = _panel(view, columns, left)
            board = _board(view, room, colour)
            return [*map(paint, head), *board, *map(paint, (*below, *foot))]
    panel = _panel(view, columns, max(rows - len(head) - len(foot), 0))
    return list(map(paint, (*head, *panel, *foot)))[:rows]


def turn_line(session: Session, turn: AnyTurn) -> str:
    """A turn for those who have no screen: `round 3: Ada flies to b6 · Grace is hit, -20 hp`."""
    game = session.table.game
    assert isinstance(game, Arena)
    names = [seat.name for seat in session.seats]
    told = (f"{names[each.player]} {each.words}" for each in game.happenings(turn))
    return f"{game.clock(turn.before).partition(' of ')[0]}: {' · '.join(told)}"


def verdict(session: Session) -> str:
    """Who has won, by name."""
    assert session.outcome is not None
    winner = session.outcome.winner
    who = "a draw" if winner is None else f"{session.seats[winner].name} wins"
    return f"{who}: {session.outcome.reason}"


# -- the board ---------------------------------------------------------------------------------


def _board(view: MatchView, room: Room, colour: bool) -> list[str]:
    session, game = view.session, view.session.table.game
    if view.beam is not None:
        turn, length = view.beam
        hit = [loss.cell for loss in turn.losses] if length > beam_length(turn) else []
        return picture(
            game, turn.aimed, grown(turn, length),
            colour=colour, highlight=hit, room=room, legend=False,
        ).split("\n")  # fmt: skip
    beams = session.history[-1].turn.beams if session.history else ()
    return picture(game, session.position, beams, colour=colour, room=room, legend=False).split(
        "\n"
    )


# -- the words ---------------------------------------------------------------------------------


def _title(session: Session) -> Line:
    game, position = session.table.game, session.position
    assert isinstance(game, Arena)
    return (*bold(game.title), *dim(f" · {game.clock(position)}"))


def _status(session: Session) -> Line:
    match session.phase:
        case Phase.OVER:
            return bold(verdict(session), palette.LAST_MOVE)
        case Phase.PAUSED:
            why = session.trouble or "; ".join(session.away)
            return bold(f"paused{f': {why}' if why else ''}", palette.LAST_MOVE)
        case Phase.COMPUTER_THINKING:
            waits = " and ".join(session.seats[each].name for each in session.thinkers)
            return dim(f"waiting for {waits}")
        case _:
            return ()


def _keys(session: Session) -> Line:
    keys = [("P", "go on") if key == ("P", "pause") and session.phase is Phase.PAUSED else key
            for key in KEYS]  # fmt: skip
    if session.phase is Phase.OVER:
        keys = [("R", "play again"), ("Q", "leave")]
    return joined(
        ((Span(key, palette.INK, bold=True), *dim(f" {does}")) for key, does in keys), "   "
    )


def _panel(view: MatchView, columns: int, rows: int) -> list[Line]:
    """Exactly so many lines: how both stand, then what happened, the newest at the end."""
    session = view.session
    game = session.table.game
    assert isinstance(game, Arena)
    position = view.beam[0].before if view.beam is not None else session.position
    roomy = rows >= PANEL_BELOW + 4
    lines: list[Line] = [()] if roomy else []
    for player, tally in enumerate(game.tallies(position)):
        lines += _standing(session, player, tally, columns, roomy)
    told = _log(view, columns, rows - len(lines))
    lines += told
    return [*lines, *[()] * (rows - len(lines))][:rows]


def _standing(
    session: Session, player: Player, tally: Tally, columns: int, roomy: bool
) -> list[Line]:
    side = paints(session.table.game.players)[player]
    seat = session.seats[player]
    kind = "program" if seat.program else f"computer {seat.level}" if seat.level else "person"
    sign = "▶" if player in session.thinkers and session.phase is Phase.COMPUTER_THINKING else " "
    letter = "S" if player == 0 else "s"
    named = (Span(f"{sign}{letter} {tally.name}", side.bright, bold=True), *dim(f"  {kind}"))
    points = (Span("  score ", palette.INK), Span(str(tally.score), palette.PAPER, bold=True))
    wide = max(min(WIDEST_BAR, columns - 12), 4)
    part = tally.hit_points / tally.most_hit_points
    full = max(round(wide * part), tally.hit_points > 0)
    ink = palette.FIRE[1] if part <= LOW else side.bright
    bar = (
        Span(f"  {BAR * full}", ink),
        Span(EMPTY * (wide - full), mixed(palette.TILES[0], side.body, 0.5)),
        Span(f" {tally.hit_points} hp", palette.PAPER, bold=True),
    )
    return [named, bar, points, ()] if roomy else [(*named, *points), bar]


def _log(view: MatchView, columns: int, rows: int) -> list[Line]:
    """The last turns in words, as many as there is room for."""
    session, lines = view.session, list[Line]()
    game = session.table.game
    assert isinstance(game, Arena)
    turns = [past.turn for past in session.history]
    if view.beam is not None and turns and turns[-1] is view.beam[0]:
        shown_hits = view.beam[1] > beam_length(view.beam[0])
    else:
        shown_hits = True
    for number in range(len(turns), 0, -1):
        told = list[Line]()
        for each in game.happenings(turns[number - 1]):
            if shown_hits or not each.hit or number < len(turns):
                told += _told(session, None if told else number, each, columns)
        if len(lines) + len(told) > rows:
            break
        lines = [*told, *lines]
    return lines


def _told(session: Session, number: int | None, what: Happening, columns: int) -> list[Line]:
    side = paints(session.table.game.players)[what.player]
    lead = "    " if number is None else f"{number:>3} "
    name = session.seats[what.player].name
    ink = palette.FIRE[1] if what.amiss or what.hit else palette.INK
    first, *rest = wrapped(f"{name} {what.words}", max(columns - 4, 8), 2)
    head: Line = (
        (Span(lead, palette.INK), Span(name, side.bright), Span(first[len(name) :], ink))
        if first.startswith(name)
        else (Span(lead, palette.INK), Span(first, ink))
    )
    return [head, *((Span("    " + each, ink),) for each in rest)]
