"""Replays and checks the moves of a record, and makes a record of a game played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, NamedTuple

from engine.catalogue import AT_TURN, list_of
from engine.errors import BadMove, LaserboardError
from engine.game import AnyGame, AnyTurn, Outcome
from engine.record import catalogue
from engine.record.annotations import Unwritable
from engine.record.values import UNFINISHED, Record, RecordedTurn
from engine.sentences import Sentence

Moves = tuple[str, ...]  # of one turn, one text per player to move


class UncheckedTurn(NamedTuple):
    """A turn of a record: its moves, the referee's corrected position, and the better line."""

    moves: Moves
    corrected: str | None = None
    better: Moves = ()


class CanonicalTurn(NamedTuple):
    """The same texts in the canonical notation of the game."""

    moves: Moves
    better: Moves


class BadTurn(LaserboardError, ValueError):
    """A turn of a record that cannot be played. `index` counts from 0."""

    def __init__(self, reason: Sentence, index: int) -> None:
        super().__init__(AT_TURN(number=index + 1, problem=reason))
        self.reason = reason
        self.index = index


class WrongResult(LaserboardError, ValueError):
    """A result that contradicts the board."""


def play(record: Record) -> Iterator[AnyTurn]:
    """Resolve the turns of a record one by one. Raises `BadTurn`."""
    for turn, *_ in _replay(record.rules(), record.first_position(), _unchecked_turns(record)):
        yield turn


def _unchecked_turns(record: Record) -> Iterator[UncheckedTurn]:
    return (
        UncheckedTurn(
            entry.moves, entry.corrected, entry.annotation.better if entry.annotation else ()
        )
        for entry in record.turns
    )


def _replay(
    rules: AnyGame, position: Any, turns: Iterable[UncheckedTurn]
) -> Iterator[tuple[AnyTurn, Outcome | None, Moves]]:
    """Each turn, the outcome on the board after it and its correction, and the better line."""
    ended = rules.outcome(position)
    for index, (moves, corrected, better) in enumerate(turns):
        if ended is not None:
            raise BadTurn(catalogue.OVER_BEFORE_TURN(outcome=ended.sentence), index)
        try:
            line = _canonical_line(rules, position, better)
            turn = _resolve(rules, position, moves)
            position, ended = turn.after, turn.outcome
            if corrected is not None:
                position = rules.read_position(corrected)
                ended = rules.outcome(position)
        except LaserboardError as error:
            raise BadTurn(error.sentence, index) from error
        yield turn, ended, line


def canonicalise(
    rules: AnyGame, position: Any, turns: Iterable[UncheckedTurn]
) -> tuple[tuple[CanonicalTurn, ...], Outcome | None]:
    """The moves in canonical notation, and the outcome on the board."""
    canonical: list[CanonicalTurn] = []
    ended = rules.outcome(position)
    for turn, outcome, line in _replay(rules, position, turns):
        canonical.append(CanonicalTurn(_texts(rules, turn), line))
        ended = outcome
    return tuple(canonical), ended


def check_record(record: Record) -> Record:
    """The same record, checked to be playable, with all moves in canonical notation."""
    canonical, ended = canonicalise(
        record.rules(), record.first_position(), _unchecked_turns(record)
    )
    check_result(record.result, ended)
    turns = tuple(
        replace(
            entry,
            moves=turn.moves,
            annotation=entry.annotation and replace(entry.annotation, better=turn.better),
        )
        for entry, turn in zip(record.turns, canonical, strict=True)
    )
    return replace(record, turns=turns)


def check_result(result: str, ended: Outcome | None) -> None:
    """Raise `WrongResult` if the board contradicts the result.

    A game may also end off the board, for example by resignation.
    """
    if ended is not None and ended.result != result:
        raise WrongResult(
            catalogue.WRONG_RESULT(result=result, outcome=ended.sentence, expected=ended.result)
        )


def make_record(
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
    default or `seed`.

    If a turn does not begin where the previous one ended, the referee corrected the position
    between them. `end` is the last position if that was corrected too. `ended` is an outcome off
    the board: resignation, time, agreement. The outcome on the board takes precedence. Without
    either, the result is `*`.
    """
    position, setup = (None, start) if isinstance(start, str | None) else (start, None)
    first = game.start(setup, seed) if position is None else position
    if turns and turns[0].before != first:
        raise Unwritable(catalogue.WRONG_START())
    begun = [turn.before for turn in turns[1:]]
    ends = [*begun, (turns[-1].after if end is None else end)] if turns else []
    on_board = game.outcome(ends[-1] if ends else first)
    if on_board is not None and ended is not None and on_board.result != ended.result:
        raise Unwritable(
            catalogue.ENDED_OTHERWISE(on_board=on_board.sentence, outcome=ended.sentence)
        )
    ending = on_board or ended or Outcome(UNFINISHED, catalogue.UNTERMINATED())
    return Record(
        game=game.name,
        turns=_entries(game, turns, ends, tuple(clocks_ms), tuple(comments)),
        result=ending.result,
        setup=setup,
        start=None if position is None else game.write_position(position),
        seed=seed,
        options=tuple(game.options().items()),
        tags=tuple({"Termination": str(ending.reason), **dict(tags)}.items()),
    )


def _entries(
    game: AnyGame,
    turns: Sequence[AnyTurn],
    ends: Sequence[Any],
    clocks_ms: tuple[int | None, ...],
    comments: tuple[str, ...],
) -> tuple[RecordedTurn, ...]:
    if max(len(clocks_ms), len(comments)) > len(turns):
        raise Unwritable(
            catalogue.TOO_MANY_EXTRAS(
                turns=len(turns), clocks=len(clocks_ms), comments=len(comments)
            )
        )
    return tuple(
        RecordedTurn(
            _texts(game, turn),
            clock_ms,
            comment or "",
            None if turn.after == end else game.write_position(end),
        )
        for turn, end, clock_ms, comment in zip_longest(turns, ends, clocks_ms, comments)
    )


def _resolve(rules: AnyGame, position: Any, texts: Moves) -> AnyTurn:
    """One turn from its move texts, in the order of the players to move."""
    players = rules.to_move(position)
    if len(players) != len(texts):
        names = list_of([rules.players[player] for player in players])
        raise BadMove(
            catalogue.WRONG_MOVE_COUNT(count=len(texts), players=names, expected=len(players))
        )
    return rules.resolve(
        position,
        {
            player: rules.read_move(position, player, text)
            for player, text in zip(players, texts, strict=True)
        },
    )


def _canonical_line(rules: AnyGame, position: Any, better: Moves) -> Moves:
    """A line that was not played, in canonical notation."""
    texts: list[str] = []
    for text in better:
        try:
            turn = _resolve(rules, position, (text,))
        except LaserboardError as error:
            line = " ".join(better)
            raise BadMove(catalogue.BAD_BETTER_LINE(line=line, problem=error.sentence)) from error
        texts += _texts(rules, turn)
        position = turn.after
    return tuple(texts)


def _texts(rules: AnyGame, turn: AnyTurn) -> Moves:
    return tuple(rules.write_move(turn.before, player, move) for player, move in turn.moves)
