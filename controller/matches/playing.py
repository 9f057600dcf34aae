"""One game of a match: openings by chance, then two players, each asked in its turn.

A player that answers with an illegal move, fails, or does not answer loses, and the reason is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from controller.matches.contestants import Contestant, Spending
from controller.ports import Chosen, PlayerFailed, Question
from engine.errors import LaserboardError
from engine.game import AnyGame, AnyTurn, Outcome
from engine.openings import opening
from engine.record import Record, record_of
from engine.record.values import MOST_TURNS

SEEDS = 2**31
EVENT = "a match of programs"
TRIES = 100  # of an opening that was not there yet


Asked = Callable[[Question], Chosen | PlayerFailed]  # somebody who lets us wait for an answer


@dataclass(frozen=True, slots=True)
class Opening:
    """Where two games begin: a setup or a seed, and turns by chance."""

    setup: str | None
    seed: int | None
    turns: tuple[AnyTurn, ...]

    def first(self, game: AnyGame) -> Any:
        return game.start(self.setup, self.seed)

    def position(self, game: AnyGame) -> Any:
        return self.turns[-1].after if self.turns else self.first(game)


def openings(terms: Terms, pairs: int) -> list[Opening]:
    """One for each pair of games: the setups in turn (or seeds, in a game that draws its map), no
    two alike while there are others."""
    game = terms.game
    setups = list(game.setups())
    found: list[Opening] = []
    seen: set[str] = set()
    for number in range(pairs):
        random = Random(f"{terms.seed} {number}")
        setup = setups[number % len(setups)] if setups else None
        for _ in range(TRIES):
            map_seed = None if setups else random.randrange(SEEDS)
            first = game.start(setup, map_seed)
            new = Opening(setup, map_seed, opening(game, first, terms.random_turns, random))
            text = game.write_position(new.position(game))
            if text not in seen:
                break
        seen.add(text)
        found.append(new)
    return found


@dataclass(slots=True)
class Effort:
    """What a player has spent on the moves of a game."""

    moves: int = 0
    depths: int = 0
    nodes: int = 0
    thought_ms: float = 0.0
    overrun_ms: float | None = None  # the longest; None: nothing was to be overrun

    def add(self, chosen: Chosen, limit_ms: int | None) -> None:
        self.moves += 1
        self.depths += chosen.depth
        self.nodes += chosen.nodes
        self.thought_ms += chosen.thought_ms
        if limit_ms is not None:
            over_ms = chosen.thought_ms - limit_ms
            self.overrun_ms = over_ms if self.overrun_ms is None else max(over_ms, self.overrun_ms)

    def merge(self, other: Effort) -> None:
        self.moves += other.moves
        self.depths += other.depths
        self.nodes += other.nodes
        self.thought_ms += other.thought_ms
        both = [each for each in (self.overrun_ms, other.overrun_ms) if each is not None]
        self.overrun_ms = max(both, default=None)


@dataclass(frozen=True, slots=True)
class Played:
    """A game of the match that is over. Players are told by their number in the match, 0 or 1."""

    number: int  # counted from 1
    seats: tuple[int, int]  # who played the game's first player, and who its second
    outcome: Outcome
    record: Record
    efforts: tuple[Effort, Effort]
    failed: int | None = None  # who did not play by the rules, or at all

    @property
    def points(self) -> float:
        """Of the match's first player."""
        winner = self.outcome.winner
        return 0.5 if winner is None else float(self.seats[winner] == 0)


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played, and what a move may take."""

    game: AnyGame
    contestants: tuple[Contestant, Contestant]
    usual: Spending
    random_turns: int = 0
    seed: int = 0

    def told(self) -> str:
        """What makes its games those of this match, and of no other."""
        return f"{self.usual}, {self.random_turns} random turns, seed {self.seed}"

    def spending(self, who: int) -> Spending:
        own = self.contestants[who].own
        return self.usual if own == Spending() else own


class _Sheet:
    """A game while it is played."""

    def __init__(self, game: AnyGame, begun: Opening) -> None:
        self.game, self.start = game, game.write_position(begun.first(game))
        self.position = begun.first(game)
        self.turns: list[AnyTurn] = []
        self.texts: list[str] = []
        self.efforts = (Effort(), Effort())
        for turn in begun.turns:
            self.add(turn)

    def add(self, turn: AnyTurn) -> None:
        self.turns.append(turn)
        self.texts += [self.game.write_move(turn.before, *each) for each in turn.moves]
        self.position = turn.after

    def ended(self) -> Outcome | None:
        if len(self.turns) >= MOST_TURNS:
            return Outcome.draw(f"{MOST_TURNS} turns")
        return self.game.outcome(self.position)


class _Forfeit(Exception):
    """Somebody has lost by something else than the rules of the game."""

    def __init__(self, who: int, reason: str) -> None:
        super().__init__(reason)
        self.who = who


def play_game(
    terms: Terms,
    number: int,
    begun: Opening,
    asked: Sequence[Asked],
    gone: Callable[[], bool],
) -> Played | None:
    """The game of that number: every other one with colours exchanged. None: `gone` said so."""
    seats = _seats(number)
    sheet, failed = _Sheet(terms.game, begun), None
    ended = sheet.ended()
    while ended is None:
        try:
            sheet.add(_turn(terms, number, sheet, seats, asked))
            ended = sheet.ended()
        except _Forfeit as forfeit:
            if gone():
                return None
            failed = forfeit.who
            reason = _plain(f"{_named(terms, failed)} {forfeit}")
            ended = Outcome.win(1 - seats.index(failed), reason)
    record = record_of(
        terms.game,
        begun.setup,
        sheet.turns,
        seed=begun.seed,
        ended=ended,
        tags=_tags(terms, number, seats),
    )
    return Played(number, seats, ended, record, sheet.efforts, failed)


def _turn(
    terms: Terms, number: int, sheet: _Sheet, seats: tuple[int, int], asked: Sequence[Asked]
) -> AnyTurn:
    """Everybody who is to move is asked, one after the other."""
    game, position = terms.game, sheet.position
    movers, moves = game.to_move(position), dict[int, Any]()
    for player in movers:
        who = seats[player]
        spending, contestant = terms.spending(who), terms.contestants[who]
        chance = Random(f"{terms.seed} {number} {len(sheet.turns)} {who}")
        question = Question(
            game.name,
            sheet.start,
            tuple(sheet.texts),
            game.options(),
            contestant.level,
            spending.depth,
            None if spending.movetime is None else spending.movetime / 1000,
            chance.randrange(SEEDS),
            player if len(movers) > 1 else None,
            spending.nodes,
            core=contestant.core,
        )
        answer = asked[who](question)
        if isinstance(answer, PlayerFailed):
            raise _Forfeit(who, f"gave no move: {answer.reason}")
        sheet.efforts[who].add(answer, spending.movetime)
        try:
            moves[player] = game.read_move(position, player, answer.move)
        except LaserboardError as bad:
            raise _Forfeit(who, f"played no legal move: {bad}") from None
    return game.resolve(position, moves)


def _named(terms: Terms, who: int) -> str:
    return _plain(f"{'AB'[who]} ({terms.contestants[who].name})")


def _tags(terms: Terms, number: int, seats: tuple[int, int]) -> dict[str, str]:
    names = [_plain(terms.contestants[who].name) for who in seats]
    players = zip(terms.game.players, names, strict=True)
    return {
        "Event": EVENT,
        "Round": str(number),
        **{player.capitalize(): name for player, name in players},
        "Terms": terms.told(),
    }


def kept_game(terms: Terms, record: Record) -> Played | None:
    """A game of this very match that was played before; None: it is of another."""
    round_ = record.tag("Round")
    number = int(round_) if round_.isdecimal() and len(round_) < 10 else 0
    seats = _seats(number)
    if _tags(terms, number, seats).items() - dict(record.tags).items() or record.result == "*":
        return None
    ended = Outcome(record.result, record.tag("Termination"))
    failed = next((who for who in (0, 1) if ended.reason.startswith(_named(terms, who))), None)
    return Played(number, seats, ended, record, (Effort(), Effort()), failed)


def _seats(number: int) -> tuple[int, int]:
    return (0, 1) if number % 2 else (1, 0)


def _plain(name: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in name)
