"""One game of a match: a random opening, then two players that are asked in turn.

A player that answers with an illegal move, fails, or does not answer loses; the reason is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from controller.computer import sentences
from controller.computer.match.players import Contestant, MoveLimits
from controller.ports.devices import MoveQuestion
from controller.ports.events import PlayerAnswered, PlayerFailed
from engine.catalogue import outcome_reason
from engine.errors import LaserboardError
from engine.game import AnyGame, AnyTurn, Outcome
from engine.random_openings import random_opening
from engine.record import Record, make_record
from engine.record.values import MAX_TURNS
from engine.sentences import Sentence, plain

SEED_RANGE = 2**31
EVENT = "a match of programs"
MAX_OPENING_TRIES = 100  # attempts to find a new opening

# Asks a player for a move, and waits for the answer.
AskPlayer = Callable[[MoveQuestion], PlayerAnswered | PlayerFailed]


@dataclass(frozen=True, slots=True)
class Opening:
    """The start of two games: a setup or a seed, and random turns."""

    setup: str | None
    seed: int | None
    turns: tuple[AnyTurn, ...]

    def start_position(self, game: AnyGame) -> Any:
        return game.start(self.setup, self.seed)

    def end_position(self, game: AnyGame) -> Any:
        return self.turns[-1].after if self.turns else self.start_position(game)


def make_openings(terms: MatchTerms, pairs: int) -> list[Opening]:
    """One opening for each pair of games: setups (or map seeds) in rotation, without duplicates
    while there are others."""
    game = terms.game
    setups = list(game.setups())
    openings: list[Opening] = []
    seen: set[str] = set()
    for number in range(pairs):
        random = Random(f"{terms.seed} {number}")
        setup = setups[number % len(setups)] if setups else None
        for _ in range(MAX_OPENING_TRIES):
            map_seed = None if setups else random.randrange(SEED_RANGE)
            first = game.start(setup, map_seed)
            new = Opening(setup, map_seed, random_opening(game, first, terms.random_turns, random))
            text = game.write_position(new.end_position(game))
            if text not in seen:
                break
        seen.add(text)
        openings.append(new)
    return openings


@dataclass(slots=True)
class SearchTotals:
    """The search effort of a player in a game."""

    moves: int = 0
    depth_sum: int = 0
    nodes: int = 0
    thought_ms: float = 0.0
    max_overrun_ms: float | None = None  # None: there was no time limit

    def add(self, chosen: PlayerAnswered, limit_ms: int | None) -> None:
        self.moves += 1
        self.depth_sum += chosen.depth
        self.nodes += chosen.nodes
        self.thought_ms += chosen.thought_ms
        if limit_ms is not None:
            over_ms = chosen.thought_ms - limit_ms
            self.max_overrun_ms = (
                over_ms if self.max_overrun_ms is None else max(over_ms, self.max_overrun_ms)
            )

    def merge(self, other: SearchTotals) -> None:
        self.moves += other.moves
        self.depth_sum += other.depth_sum
        self.nodes += other.nodes
        self.thought_ms += other.thought_ms
        both = [each for each in (self.max_overrun_ms, other.max_overrun_ms) if each is not None]
        self.max_overrun_ms = max(both, default=None)


@dataclass(frozen=True, slots=True)
class MatchGame:
    """A finished game of the match. Players have their number in the match, 0 or 1."""

    number: int  # counted from 1
    seats: tuple[int, int]  # who played the game's first player, and who its second
    outcome: Outcome
    record: Record
    search_totals: tuple[SearchTotals, SearchTotals]
    forfeited_by: int | None = None  # who failed or broke the rules

    @property
    def points(self) -> float:
        """Of the match's first player."""
        winner = self.outcome.winner
        return 0.5 if winner is None else float(self.seats[winner] == 0)


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """The game, the contestants and their limits."""

    game: AnyGame
    contestants: tuple[Contestant, Contestant]
    default_limits: MoveLimits
    random_turns: int = 0
    seed: int = 0

    def describe(self) -> str:
        """Identifies the games of this match in records."""
        return f"{self.default_limits}, {self.random_turns} random turns, seed {self.seed}"

    def limits_of(self, who: int) -> MoveLimits:
        own = self.contestants[who].limits
        return self.default_limits if own == MoveLimits() else own


class _GameInProgress:
    """A game while it is played."""

    def __init__(self, game: AnyGame, from_opening: Opening) -> None:
        self.game, self.start = game, game.write_position(from_opening.start_position(game))
        self.position = from_opening.start_position(game)
        self.turns: list[AnyTurn] = []
        self.move_texts: list[str] = []
        self.search_totals = (SearchTotals(), SearchTotals())
        for turn in from_opening.turns:
            self.add(turn)

    def add(self, turn: AnyTurn) -> None:
        self.turns.append(turn)
        self.move_texts += [self.game.write_move(turn.before, *each) for each in turn.moves]
        self.position = turn.after

    def outcome(self) -> Outcome | None:
        if len(self.turns) >= MAX_TURNS:
            return Outcome.draw(sentences.TURN_LIMIT(count=MAX_TURNS))
        return self.game.outcome(self.position)


class _Forfeit(Exception):
    """A player has lost by a failure, not by the rules of the game."""

    def __init__(self, who: int, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.who, self.sentence = who, sentence


def play_match_game(
    terms: MatchTerms,
    number: int,
    from_opening: Opening,
    players: Sequence[AskPlayer],
    is_cancelled: Callable[[], bool],
) -> MatchGame | None:
    """Play the game with this number; every other one has colours exchanged. None if cancelled."""
    seats = _seats(number)
    progress, failed = _GameInProgress(terms.game, from_opening), None
    ended = progress.outcome()
    while ended is None:
        try:
            progress.add(_play_turn(terms, number, progress, seats, players))
            ended = progress.outcome()
        except _Forfeit as forfeit:
            if is_cancelled():
                return None
            failed = forfeit.who
            ended = Outcome.win(1 - seats.index(failed), _printable_reason(forfeit.sentence))
    record = make_record(
        terms.game,
        from_opening.setup,
        progress.turns,
        seed=from_opening.seed,
        ended=ended,
        tags=_record_tags(terms, number, seats),
    )
    return MatchGame(number, seats, ended, record, progress.search_totals, failed)


def _play_turn(
    terms: MatchTerms,
    number: int,
    progress: _GameInProgress,
    seats: tuple[int, int],
    players: Sequence[AskPlayer],
) -> AnyTurn:
    """Ask all players to move, one after the other."""
    game, position = terms.game, progress.position
    movers, moves = game.to_move(position), dict[int, Any]()
    for player in movers:
        who = seats[player]
        limits, contestant = terms.limits_of(who), terms.contestants[who]
        rng = Random(f"{terms.seed} {number} {len(progress.turns)} {who}")
        question = MoveQuestion(
            game.name,
            progress.start,
            tuple(progress.move_texts),
            game.options(),
            contestant.level,
            limits.depth,
            None if limits.movetime is None else limits.movetime / 1000,
            rng.randrange(SEED_RANGE),
            player if len(movers) > 1 else None,
            limits.nodes,
            search_core=contestant.core,
        )
        answer = players[who](question)
        if isinstance(answer, PlayerFailed):
            label = _player_label(terms, who)
            raise _Forfeit(who, sentences.GAVE_NO_MOVE(player=label, reason=answer.reason))
        progress.search_totals[who].add(answer, limits.movetime)
        try:
            moves[player] = game.read_move(position, player, answer.move)
        except LaserboardError as error:
            label = _player_label(terms, who)
            raise _Forfeit(
                who, sentences.PLAYED_NO_LEGAL_MOVE(player=label, reason=error.sentence)
            ) from None
    return game.resolve(position, moves)


def _player_label(terms: MatchTerms, who: int) -> str:
    return _printable(f"{'AB'[who]} ({terms.contestants[who].name})")


def _record_tags(terms: MatchTerms, number: int, seats: tuple[int, int]) -> dict[str, str]:
    names = [_printable(terms.contestants[who].name) for who in seats]
    players = zip(terms.game.players, names, strict=True)
    return {
        "Event": EVENT,
        "Round": str(number),
        **{player.capitalize(): name for player, name in players},
        "Terms": terms.describe(),
    }


def game_from_record(terms: MatchTerms, record: Record) -> MatchGame | None:
    """A game of this match from a record; None if it belongs to another match."""
    round_ = record.tag("Round")
    number = int(round_) if round_.isdecimal() and len(round_) < 10 else 0
    seats = _seats(number)
    if (
        _record_tags(terms, number, seats).items() - dict(record.tags).items()
        or record.result == "*"
    ):
        return None
    text, turn_limit = record.tag("Termination"), sentences.TURN_LIMIT(count=MAX_TURNS)
    reason = turn_limit if text == str(turn_limit) else outcome_reason(text)
    ended = Outcome(record.result, reason)
    failed = next((who for who in (0, 1) if text.startswith(_player_label(terms, who))), None)
    return MatchGame(number, seats, ended, record, (SearchTotals(), SearchTotals()), failed)


def _seats(number: int) -> tuple[int, int]:
    return (0, 1) if number % 2 else (1, 0)


def _printable_reason(reason: Sentence) -> Sentence:
    """A reason that a tag of the record can hold."""
    text = str(reason)
    return reason if text.isprintable() else plain(_printable(text))


def _printable(name: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in name)
