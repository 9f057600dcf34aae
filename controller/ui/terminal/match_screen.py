"""Renders the spectators' screen of a match of programs: a view in, lines out.

The board shows the beams of the last turn; scores and events are next to it, or below.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.session.sentences import PAUSED, join_and, with_reasons
from controller.session.state import Phase, Session
from controller.ui.terminal import (
    beam_length,
    board_extent,
    cell_sizes,
    partial_beams,
    render_board,
    sentences,
)
from controller.ui.terminal.canvas import CellSize
from controller.ui.terminal.styled_text import (
    Span,
    StyledLine,
    bold,
    dim,
    join_lines,
    render_line,
    wrap_lines,
)
from engine.draw import palette
from engine.draw.palette import mix_colours, player_paints
from engine.game import AnyTurn, Player
from engine.http_game import HttpGame, RoundEvent, Tally
from engine.sentences import Sentence, as_sentence, joined

MIN_PANEL_COLUMNS = 28
GAP = "  "
BAR, EMPTY = "█", "░"
WIDEST_BAR = 24
LOW_HIT_POINTS = 0.3  # share of the hit points at which the bar changes its colour
PANEL_BELOW = 8  # rows


@dataclass(frozen=True)
class MatchView:
    """The content of the screen."""

    session: Session
    beam: tuple[AnyTurn, int] | None = None  # a running turn, and the cells it has passed
    notes: tuple[Sentence, ...] = ()  # such as the address of the page


def match_screen(view: MatchView, size: tuple[int, int], colour: bool) -> list[str]:
    """The lines of the screen for a terminal of that size (columns, rows)."""
    columns, rows = max(size[0] - 1, 1), size[1]

    def paint(line: StyledLine) -> str:
        return render_line(line, columns, colour=colour)

    notes = dim(f"   {'   '.join(map(str, view.notes))}") if view.notes else ()
    head, foot = [_title(view.session)], [_status(view.session), (*_keys(view.session), *notes)]
    grid = view.session.position.grid
    for cell_size in cell_sizes(grid):
        wide, high = board_extent(grid, cell_size)
        side = columns - wide - len(GAP)
        if side >= MIN_PANEL_COLUMNS and high + len(head) + len(foot) <= rows:
            board = _board(view, cell_size, colour)
            board += [" " * wide] * (rows - len(head) - len(foot) - high)
            panel = _panel(view, side, len(board))
            beside = (
                line + GAP + render_line(words, side, colour=colour)
                for line, words in zip(board, panel, strict=True)
            )
            return [*map(paint, head), *beside, *map(paint, foot)]
    for cell_size in cell_sizes(grid):
        wide, high = board_extent(grid, cell_size)
        left = rows - high - len(head) - len(foot)
        if wide <= columns and left >= PANEL_BELOW:
            below = _panel(view, columns, left)
            board = _board(view, cell_size, colour)
            return [*map(paint, head), *board, *map(paint, (*below, *foot))]
    panel = _panel(view, columns, max(rows - len(head) - len(foot), 0))
    return list(map(paint, (*head, *panel, *foot)))[:rows]


def round_text(session: Session, turn: AnyTurn) -> Sentence:
    """A turn as one line: `round 3: Ada flies to b6 · Grace is hit, -20 hp`."""
    game = session.game
    assert isinstance(game, HttpGame)
    names = [seat.name for seat in session.seats]
    events = (
        sentences.PLAYER_EVENT(player=names[each.player], event=each.sentence)
        for each in game.round_events(turn)
    )
    return sentences.ROUND_EVENTS(round=game.round_name(turn.before), events=joined(events, " · "))


def result_text(session: Session) -> Sentence:
    """The winner's name and the reason."""
    assert session.outcome is not None
    winner = session.outcome.winner
    reason = as_sentence(session.outcome.reason)
    if winner is None:
        return sentences.MATCH_DRAWN(reason=reason)
    return sentences.MATCH_WON(player=session.seats[winner].name, reason=reason)


# -- the board ---------------------------------------------------------------------------------


def _board(view: MatchView, cell_size: CellSize, colour: bool) -> list[str]:
    session, game = view.session, view.session.game
    if view.beam is not None:
        turn, length = view.beam
        hit = [loss.cell for loss in turn.losses] if length > beam_length(turn) else []
        return render_board(
            game, turn.aimed, partial_beams(turn, length),
            colour=colour, highlight=hit, cell_size=cell_size, legend=False,
        ).split("\n")  # fmt: skip
    beams = session.history[-1].turn.beams if session.history else ()
    return render_board(
        game, session.position, beams, colour=colour, cell_size=cell_size, legend=False
    ).split("\n")


# -- texts -------------------------------------------------------------------------------------


def _title(session: Session) -> StyledLine:
    game, position = session.game, session.position
    assert isinstance(game, HttpGame)
    return (*bold(game.title), *dim(f" · {game.progress(position)}"))


def _status(session: Session) -> StyledLine:
    match session.phase:
        case Phase.OVER:
            return bold(result_text(session), palette.LAST_MOVE)
        case Phase.PAUSED:
            trouble, missing = session.pause.trouble, session.missing_devices
            why = missing if trouble is None else (trouble,)
            return bold(with_reasons(PAUSED(), why), palette.LAST_MOVE)
        case Phase.COMPUTER_THINKING:
            waits = [session.seats[each].name for each in session.still_to_act]
            return dim(sentences.WAITING_FOR(players=join_and(waits)))
        case _:
            return ()


def _keys(session: Session) -> StyledLine:
    if session.phase is Phase.OVER:
        keys = [("R", sentences.PLAY_AGAIN()), ("Q", sentences.LEAVE())]
    else:
        pause = sentences.CONTINUE() if session.phase is Phase.PAUSED else sentences.PAUSE()
        keys = [("P", pause), ("R", sentences.RESET()), ("Q", sentences.LEAVE())]
    return join_lines(
        ((Span(key, palette.INK, bold=True), *dim(f" {does}")) for key, does in keys), "   "
    )


def _panel(view: MatchView, columns: int, rows: int) -> list[StyledLine]:
    """Exactly `rows` lines: the scores, then the last events, newest at the end."""
    session = view.session
    game = session.game
    assert isinstance(game, HttpGame)
    position = view.beam[0].before if view.beam is not None else session.position
    roomy = rows >= PANEL_BELOW + 4
    lines: list[StyledLine] = [()] if roomy else []
    for player, tally in enumerate(game.tallies(position)):
        lines += _tally_lines(session, player, tally, columns, roomy)
    log_lines = _log(view, columns, rows - len(lines))
    lines += log_lines
    return [*lines, *[()] * (rows - len(lines))][:rows]


def _tally_lines(
    session: Session, player: Player, tally: Tally, columns: int, roomy: bool
) -> list[StyledLine]:
    side = player_paints(session.game.players)[player]
    seat = session.seats[player]
    if seat.is_program:
        kind = sentences.PROGRAM()
    else:
        kind = sentences.COMPUTER(level=seat.level) if seat.level else sentences.PERSON()
    sign = (
        "▶" if player in session.still_to_act and session.phase is Phase.COMPUTER_THINKING else " "
    )
    letter = "S" if player == 0 else "s"
    named = (Span(f"{sign}{letter} {tally.name}", side.bright, bold=True), *dim(f"  {kind}"))
    score = bold(sentences.SCORE(points=tally.score))
    wide = max(min(WIDEST_BAR, columns - 12), 4)
    part = tally.hit_points / tally.most_hit_points
    full = max(round(wide * part), tally.hit_points > 0)
    ink = palette.FIRE[1] if part <= LOW_HIT_POINTS else side.bright
    bar = (
        Span(f"  {BAR * full}", ink),
        Span(EMPTY * (wide - full), mix_colours(palette.TILES[0], side.body, 0.5)),
        Span(" "),
        *bold(sentences.HIT_POINTS(points=tally.hit_points)),
    )
    margin = Span("  ")
    return [named, bar, (margin, *score), ()] if roomy else [(*named, margin, *score), bar]


def _log(view: MatchView, columns: int, rows: int) -> list[StyledLine]:
    """The last turns in words, as many as fit."""
    session, lines = view.session, list[StyledLine]()
    game = session.game
    assert isinstance(game, HttpGame)
    turns = [past.turn for past in session.history]
    if view.beam is not None and turns and turns[-1] is view.beam[0]:
        shown_hits = view.beam[1] > beam_length(view.beam[0])
    else:
        shown_hits = True
    for number in range(len(turns), 0, -1):
        turn_lines = list[StyledLine]()
        for each in game.round_events(turns[number - 1]):
            if shown_hits or not each.hit or number < len(turns):
                turn_lines += _event_lines(session, None if turn_lines else number, each, columns)
        if len(lines) + len(turn_lines) > rows:
            break
        lines = [*turn_lines, *lines]
    return lines


def _event_lines(
    session: Session, number: int | None, event: RoundEvent, columns: int
) -> list[StyledLine]:
    side = player_paints(session.game.players)[event.player]
    lead = "    " if number is None else f"{number:>3} "
    name = session.seats[event.player].name
    ink = palette.FIRE[1] if event.failed or event.hit else palette.INK
    text = str(sentences.PLAYER_EVENT(player=name, event=event.sentence))
    first, *rest = wrap_lines(text, max(columns - 4, 8), 2)
    head: StyledLine = (
        (Span(lead, palette.INK), Span(name, side.bright), Span(first[len(name) :], ink))
        if first.startswith(name)
        else (Span(lead, palette.INK), Span(first, ink))
    )
    return [head, *((Span("    " + each, ink),) for each in rest)]
