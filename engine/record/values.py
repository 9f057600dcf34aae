"""The record of a game as frozen values: game, start, turns, result, tags.

Constructors raise `Unwritable` for values that no file can hold and normalise the rest. So every
record can be written and reads back equal. `play` checks whether the moves are legal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from engine import games, strict_json
from engine.catalogue import NO_SEED_BUT_SETUP
from engine.errors import excerpt
from engine.game import MAX_SEED, AnyGame
from engine.record import catalogue
from engine.record.annotations import RecordAnnotation, Unwritable

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
UNFINISHED = "*"
# Tags made from fields of the record. A free tag could contradict them.
RESERVED_TAGS = ("Game", "Setup", "SN", "Seed", "Result")
MAX_TURNS = 10_000  # positions hold their history, so replaying takes quadratic time
MAX_CLOCK_MS = 10_000 * 3_600_000 - 1

TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]{0,99}")
# Controls, line ends, and lone surrogates, which UTF-8 cannot encode.
_FORBIDDEN_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_WORD = re.compile(r"[A-Za-z][!-:<-z|~]*")  # a move: no spaces, braces, semicolons
# The commands in comments, and the field of `RecordedTurn` that holds each.
COMMANDS = {
    "clk": "clock_ms",
    "corrected": "corrected",
    "eval": "annotation",
    "verdict": "annotation",
    "better": "annotation",
}


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """One turn: the moves of all players to move, the mover's clock after it, a comment, the
    position that a referee set instead of the resulting one, and the computer's annotation."""

    moves: tuple[str, ...]
    clock_ms: int | None = None
    comment: str = ""
    corrected: str | None = None
    annotation: RecordAnnotation | None = None

    def __post_init__(self) -> None:
        if self.clock_ms is not None:
            strict_json.require_int(self.clock_ms, "a clock in ms", Unwritable, 0, MAX_CLOCK_MS)
        if self.comment:
            check_comment(self.comment)


@dataclass(frozen=True, slots=True)
class Record:
    """One game from its start to its result.

    It starts from `start`, a position in the game's notation, or else from `setup` or `seed`. The
    default setup is the game's. `options` has only those that differ from their defaults. `tags`
    are sorted with the usual ones first.
    """

    game: str
    turns: tuple[RecordedTurn, ...] = ()
    result: str = UNFINISHED
    setup: str | None = None
    start: str | None = None
    seed: int | None = None
    options: tuple[tuple[str, Any], ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    comment: str = ""  # before the first turn

    def __post_init__(self) -> None:
        rules = self.rules()
        _set(self, "options", tuple(sorted(rules.options().items())))
        self._check_start(rules)
        _set(self, "tags", order_tags(rules, self.tags))
        if self.comment:
            check_comment(self.comment)
        if self.result not in RESULTS:
            raise Unwritable(catalogue.NOT_A_RESULT(value=excerpt(self.result), results=RESULTS))
        if len(self.turns) > MAX_TURNS:
            raise Unwritable(catalogue.TOO_MANY_TURNS(count=len(self.turns), most=MAX_TURNS))
        check = _check_word if rules.record_form == "text" else _check_json
        for entry in self.turns:
            check(entry.moves)
            for move in entry.annotation.better if entry.annotation else ():
                check((move,))
        _set(self, "turns", tuple(_canonical_turn(rules, entry) for entry in self.turns))

    def _check_start(self, rules: AnyGame) -> None:
        if self.seed is not None:
            if rules.setups():
                raise Unwritable(NO_SEED_BUT_SETUP(game=rules.name))
            strict_json.require_int(self.seed, "a seed", Unwritable, -MAX_SEED, MAX_SEED)
        if self.start is not None:
            if self.setup is not None:
                raise Unwritable(catalogue.SETUP_AND_POSITION())
            _set(self, "start", rules.write_position(rules.read_position(self.start)))
            return
        if self.setup is not None:
            rules.setup(self.setup)
        elif rules.setups():
            _set(self, "setup", rules.default_setup)
        else:
            if self.seed is None:
                _set(self, "seed", rules.default_seed)
            rules.start(seed=self.seed)

    def rules(self) -> AnyGame:
        """The game with the record's options."""
        return games.make(self.game, dict(self.options))

    def first_position(self) -> Any:
        """The position before the first turn."""
        rules = self.rules()
        if self.start is not None:
            return rules.read_position(self.start)
        return rules.start(self.setup, self.seed)

    def tag(self, name: str, default: str = "") -> str:
        return dict(self.tags).get(name, default)


def option_tags(rules: AnyGame) -> Mapping[str, str]:
    """The tag of each rule option: `NoCaptureTurns` for `no_capture_turns`."""
    return {
        "".join(word.capitalize() for word in each.name.split("_")): each.name
        for each in fields(rules)
    }


def tag_order(rules: AnyGame) -> tuple[str, ...]:
    """The tags that come before all others, in their order."""
    players = (name.capitalize() for name in rules.players)
    usual = ("Event", "Site", "Date", "Round", *players, "Result", "Setup", "SN")
    return (*usual, "TimeControl", "Termination", "Game", "Seed", *option_tags(rules))


def order_tags(rules: AnyGame, tags: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The tags, checked, with the usual ones first."""
    rest: dict[str, str] = {}
    reserved = reserved_tags(rules)
    for name, value in tags:
        check_tag(name, value)
        if name.lower() in reserved:
            raise Unwritable(catalogue.TAG_RESERVED(tag=name))
        if name in rest:
            raise Unwritable(catalogue.TAG_TWICE(tag=name))
        rest[name] = value
    first = [(name, rest.pop(name)) for name in tag_order(rules) if name in rest]
    return (*first, *rest.items())


def reserved_tags(rules: AnyGame) -> Mapping[str, str]:
    """The tags made from fields of a record, by name in lower case."""
    options = option_tags(rules) if rules.record_form == "text" else {}
    return {name.lower(): name for name in (*RESERVED_TAGS, *options)}


def check_tag(name: str, value: str) -> None:
    if not TAG_NAME.fullmatch(name):
        raise Unwritable(catalogue.NOT_A_TAG_NAME(value=excerpt(name)))
    if _FORBIDDEN_CHARACTERS.search(value):
        raise Unwritable(catalogue.TAG_CONTROL_CHARACTER(tag=name, value=excerpt(value)))


def check_comment(comment: str) -> None:
    """Raise `Unwritable` for a comment that would change when written between `{` and `}`."""
    if _FORBIDDEN_CHARACTERS.search(comment):
        fault = catalogue.COMMENT_CONTROL_CHARACTER()
    elif "}" in comment:
        fault = catalogue.COMMENT_BRACE()
    elif command := next((each for each in COMMANDS if f"[%{each}" in comment), None):
        fault = catalogue.COMMENT_COMMAND(command=command, field=COMMANDS[command])
    elif comment != comment.strip(" "):
        fault = catalogue.COMMENT_BLANKS()
    else:
        return
    raise Unwritable(catalogue.COMMENT_FAULT(text=excerpt(comment), fault=fault))


def _check_word(moves: tuple[str, ...]) -> None:
    """In the text form, a turn is one word."""
    if len(moves) != 1 or not _WORD.fullmatch(moves[0]):
        raise Unwritable(catalogue.NOT_ONE_WORD(value=excerpt(moves)))


def _check_json(moves: tuple[str, ...]) -> None:
    for move in moves:
        strict_json.read(move, Unwritable)


def _canonical_turn(rules: AnyGame, entry: RecordedTurn) -> RecordedTurn:
    """The turn with its corrected position in canonical notation."""
    if entry.corrected is None:
        return entry
    return replace(entry, corrected=rules.write_position(rules.read_position(entry.corrected)))


def _set(record: Record, name: str, value: Any) -> None:
    object.__setattr__(record, name, value)
