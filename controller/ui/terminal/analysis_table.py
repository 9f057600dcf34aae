"""The table of an analysed game on the terminal: turn, move, score, verdict, better move."""

from __future__ import annotations

from controller.computer.analysis import better_move_remark, score_legend, summary_sentence
from controller.ui.console import Console
from controller.ui.terminal import sentences
from controller.ui.terminal.sparkline import render_sparkline
from controller.ui.terminal.styled_text import (
    DIM,
    Span,
    StyledLine,
    display_width,
    render_line,
    single_line,
    wrap_lines,
)
from engine.analysis import Annotation, Verdict, score_share, summarise_players
from engine.draw.board_json import turn_notation
from engine.draw.palette import player_paints
from engine.game import AnyGame
from engine.record import Record, score_sentence
from engine.search import WIN

VERDICT_COLUMNS, INDENT_COLUMNS, UNLIMITED_COLUMNS = 12, 6, 10_000
DEFAULT_COLUMNS = 100  # without a terminal
VERDICT_COLOURS = {
    Verdict.BEST: "#7ee081",
    Verdict.GOOD: None,
    Verdict.SLIP: "#ffd75e",
    Verdict.MISTAKE: "#ffa02e",
    Verdict.BLUNDER: "#ff6d78",
    Verdict.MISSED_WIN: "#c9a2ff",
}


class AnalysisTable:
    """Prints a row per analysed turn, and at the end a sparkline and a summary."""

    def __init__(self, game: AnyGame, record: Record, number: int, console: Console) -> None:
        self._game, self._console = game, console
        self._columns = console.size[0] if console.size else DEFAULT_COLUMNS
        self._move_columns = max(
            [4, *(display_width(entry.moves[0]) for entry in record.turns)]
            if game.record_form == "text"
            else [20]
        )
        wins = (str(score_sentence(game.players, each)) for each in (WIN - 11, 11 - WIN))
        self._score_columns = max(6, *map(len, wins))
        names = [record.tag(side.capitalize(), side) for side in game.players]
        headline = sentences.ANALYSED_GAME(
            number=number, players=" - ".join(names), game=game.title
        )
        console.print(single_line(str(headline)))
        console.print(score_legend(game))
        titles = ("turn", "", "move", "score", "", "")
        self._print(titles, Span("verdict", DIM))

    def row(self, each: Annotation) -> None:
        game = self._game
        cells = (
            str(each.number),
            game.players[each.player],
            str(turn_notation(game, each.turn)),
            str(score_sentence(game.players, each.for_first_player(each.score))),
            each.verdict.sign,
            str(better_move_remark(game, each) or ""),
        )
        verdict = Span(
            str(each.verdict), VERDICT_COLOURS[each.verdict], bold=each.verdict.is_clearly_worse
        )
        self._print(cells, verdict, player_paints(game.players)[each.player].bright)

    def _print(self, cells: tuple[str, ...], verdict: Span, ink: str | None = None) -> None:
        number, side, move, score, sign, remark = cells
        side_columns = max(map(len, self._game.players))
        dim = DIM if ink is None else None
        line: StyledLine = (
            Span(f"{number:>4}  ", DIM),
            Span(f"{side:<{side_columns}}  ", ink),
            Span(f"{move + sign:<{self._move_columns + 2}}  ", dim),
            Span(f"{score:>{self._score_columns}}  ", dim),
        )
        if self._console.size is not None:
            self._console.err.write("\r\x1b[K")
            self._console.err.flush()
        columns = max(self._columns, 20) if self._console.size else UNLIMITED_COLUMNS
        left = columns - sum(display_width(span.text) for span in line)
        if left >= VERDICT_COLUMNS + display_width(remark):
            padding = " " * (VERDICT_COLUMNS - len(verdict.text))
            line = (*line, verdict, Span(padding + remark, DIM))
            remark = ""
        elif left >= len(verdict.text):
            line = (*line, verdict)
        else:
            remark = f"{verdict.text}: {remark}" if remark else verdict.text
        # A remark that does not fit is wrapped below, not truncated.
        wrapped = wrap_lines(remark, columns - INDENT_COLUMNS, UNLIMITED_COLUMNS) if remark else []
        for each in (line, *((Span(" " * INDENT_COLUMNS), Span(words, DIM)) for words in wrapped)):
            self._console.print(render_line(each, columns, colour=self._console.colour).rstrip())

    def end(self, done: list[Annotation]) -> None:
        console, game = self._console, self._game
        if console.size is not None:
            console.err.write("\r\x1b[K")
            console.err.flush()
        if not done:
            return
        above, below = (paint.body for paint in player_paints(game.players))
        shares = [score_share(each.for_first_player(each.score)) for each in done]
        console.print()
        console.print(render_sparkline(shares, self._columns, above, below, colour=console.colour))
        for each in summarise_players(done):
            console.print(summary_sentence(game, each))
