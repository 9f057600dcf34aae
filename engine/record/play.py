"""Records and games: play a record's moves, check them, and make a record of a game played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, NamedTuple

from engine.errors import BadMove, LaserboardError
from engine.game import AnyGame, AnyTurn, Outcome
from engine.record.judged import Unwritable
from engine.record.values import UNFINISHED, Entry, Record

Moves = tuple[str, ...]  # of one turn, one text for each player to move


class Made(NamedTuple):
    """A turn as a record has it: the position put in place of where its moves led, and the play
    that would have been better."""

    moves: Moves
    corrected: str | None = None
    better: Moves = ()


class Settled(NamedTuple):
    """The same texts as the game writes them."""

    moves: Moves
    better: Moves


class BadTurn(LaserboardError, ValueError):
    """A turn of a record that cannot be played; `index` is which, counted from 0."""

    def __init__(self, reason: str, index: int) -> None:
        super().__init__(f"turn {index + 1}: {reason}")
        self.reason = reason
        self.index = index


class WrongResult(LaserboardError, ValueError):
    """A result that is not the one on the board."""


def play(record: Record) -> Iterator[AnyTurn]:
    """The turns of a record, resolved one after another; `BadTurn` where one cannot be."""
    for turn, *_ in _played(record.rules(), record.first(), _made(record)):
        yield turn


def _made(record: Record) -> Iterator[Made]:
    return (
        Made(entry.moves, entry.corrected, entry.judged.better if entry.judged else ())
        for entry in record.turns
    )


def _played(
    rules: AnyGame, position: Any, turns: Iterable[Made]
) -> Iterator[tuple[AnyTurn, Outcome | None, Moves]]:
    """Each turn, whether the game had ended on the board after it, corrected or not, and the play
    that would have been better, as the game writes it."""
    ended = rules.outcome(position)
    for index, (moves, corrected, better) in enumerate(turns):
        if ended is not None:
            raise BadTurn(f"the game was over before it ({ended}): remove what follows", index)
        try:
            line = _line(rules, position, better)
            turn = _resolve(rules, position, moves)
            position, ended = turn.after, turn.outcome
            if corrected is not None:
                position = rules.read_position(corrected)
                ended = rules.outcome(position)
        except LaserboardError as error:
            raise BadTurn(str(error), index) from error
        yield turn, ended, line


def settle(
    rules: AnyGame, position: Any, turns: Iterable[Made]
) -> tuple[tuple[Settled, ...], Outcome | None]:
    """The moves as their game writes them, and how the board says that it ended."""
    written: list[Settled] = []
    ended = rules.outcome(position)
    for turn, then, line in _played(rules, position, turns):
        written.append(Settled(_texts(rules, turn), line))
        ended = then
    return tuple(written), ended


def checked(record: Record) -> Record:
    """The same record, known to be playable, with every move written as its game writes it."""
    settled, ended = settle(record.rules(), record.first(), _made(record))
    check_result(record.result, ended)
    turns = tuple(
        replace(
            entry,
            moves=written.moves,
            judged=entry.judged and replace(entry.judged, better=written.better),
        )
        for entry, written in zip(record.turns, settled, strict=True)
    )
    return replace(record, turns=turns)


def check_result(result: str, ended: Outcome | None) -> None:
    """A game may end beside the board, but what has happened on it counts."""
    if ended is not None and ended.result != result:
        raise WrongResult(f"the result is {result}, but the game on the board ended {ended}: "
                          f"write {ended.result}")  # fmt: skip


def record_of(
    game: AnyGame,
    start: Any,
    turns: Sequence[AnyTurn],
    *,
    seed: int | None = None,
    end: Any = None,
    ended: Outcome | None = None,
    tags: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    clocks_ms: Iterable[int | None] = (),
    comments: Iterable[str] = (),
) -> Record:
    """The record of a game played from `start`: a setup's name, a position, or None for the
    default (or for what `seed` gives).

    A turn that does not begin where the one before it led to tells that the position was
    corrected in between; `end` is where the board stands in the end, if that was corrected, too.
    `ended` is how the game ended beside the board: by resignation, on time, by agreement. What the
    board says counts more, and if neither has ended the game, the result is `*`.
    """
    position, setup = (None, start) if isinstance(start, str | None) else (start, None)
    first = game.start(setup, seed) if position is None else position
    if turns and turns[0].before != first:
        raise Unwritable("the first turn does not begin where the record does: pass its `before`")
    begun = [turn.before for turn in turns[1:]]
    ends = [*begun, (turns[-1].after if end is None else end)] if turns else []
    on_board = game.outcome(ends[-1] if ends else first)
    if on_board is not None and ended is not None and on_board.result != ended.result:
        raise Unwritable(f"the game on the board ended {on_board}, it cannot have ended {ended}")
    ending = on_board or ended or Outcome(UNFINISHED, "unterminated")
    return Record(
        game=game.name,
        turns=_entries(game, turns, ends, tuple(clocks_ms), tuple(comments)),
        result=ending.result,
        setup=setup,
        start=None if position is None else game.write_position(position),
        seed=seed,
        options=tuple(game.options().items()),
        tags=tuple({"Termination": ending.reason, **dict(tags)}.items()),
    )


def _entries(
    game: AnyGame,
    turns: Sequence[AnyTurn],
    ends: Sequence[Any],
    clocks_ms: tuple[int | None, ...],
    comments: tuple[str, ...],
) -> tuple[Entry, ...]:
    if max(len(clocks_ms), len(comments)) > len(turns):
        raise Unwritable(f"{len(turns)} turns, but {len(clocks_ms)} clocks and {len(comments)} "
                         "comments: there can be one of each to a turn")  # fmt: skip
    return tuple(
        Entry(
            _texts(game, turn),
            clock_ms,
            comment or "",
            None if turn.after == end else game.write_position(end),
        )
        for turn, end, clock_ms, comment in zip_longest(turns, ends, clocks_ms, comments)
    )


def _resolve(rules: AnyGame, position: Any, texts: Moves) -> AnyTurn:
    """One turn from the texts of its moves, in the order of the players to move."""
    players = rules.to_move(position)
    if len(players) != len(texts):
        who = " and ".join(rules.players[player] for player in players)
        raise BadMove(f"{len(texts)} moves, but {who} must move: {len(players)} expected")
    return rules.resolve(
        position,
        {
            player: rules.read_move(position, player, text)
            for player, text in zip(players, texts, strict=True)
        },
    )


def _line(rules: AnyGame, position: Any, better: Moves) -> Moves:
    """Play that was not played, as the game writes it."""
    texts: list[str] = []
    for text in better:
        try:
            turn = _resolve(rules, position, (text,))
        except LaserboardError as error:
            raise BadMove(f"the better line {' '.join(better)}: {error}") from error
        texts += _texts(rules, turn)
        position = turn.after
    return tuple(texts)


def _texts(rules: AnyGame, turn: AnyTurn) -> Moves:
    return tuple(rules.write_move(turn.before, player, move) for player, move in turn.moves)
