"""Draws pictures of `docs/`: rules pages (`rules-*.svg`) and a turn of each game (`NAME.svg`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random

from engine.draw import turn_svg
from engine.draw.page import A4
from engine.draw.rules.page import rules_page
from engine.game import AnyGame, AnyTurn
from engine.games import GAMES, make


def _rules_page(name: str) -> str:
    return rules_page(make(name), A4).to_svg() + "\n"


SEED, TURNS = 3, 150


def _turn_picture(name: str) -> str:
    """A turn with many hits of the opponent's pieces, few of own pieces, and long beams."""
    game = make(name)
    return turn_svg(game, max(_turns(game), key=_lively)) + "\n"


def _turns(game: AnyGame) -> Iterator[AnyTurn]:
    random, position = Random(SEED), game.start()
    for _ in range(TURNS):
        moves = {p: random.choice(game.legal(position, p)) for p in game.to_move(position)}
        turn = game.resolve(position, moves)
        yield turn
        position = game.start() if turn.outcome else turn.after


def _lively(turn: AnyTurn) -> tuple[int, int, int]:
    steps = [len(beam.steps) for beam in turn.beams]
    movers = {mover for mover, _ in turn.moves}
    own = sum({loss.piece.owner} == movers for loss in turn.losses)
    return min(2, len(steps)), len(turn.losses) - 2 * own, sum(steps)


PAGES: Mapping[str, Callable[[], str]] = {
    **{f"rules-{name}.svg": partial(_rules_page, name) for name in GAMES},
    **{f"{name}.svg": partial(_turn_picture, name) for name in GAMES},
}
