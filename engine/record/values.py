"""What a record is: which game, how it began, who moved what, how it ended. Frozen values.

Whatever cannot be written to a file is refused here, when the value is made; whatever can be said
in two ways is brought into one. So a record that exists can be written, and what is written reads
back equal. Whether its moves are legal is not asked here: that is `play`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from engine import games, strict_json
from engine.errors import excerpt
from engine.game import LARGEST_SEED, AnyGame
from engine.record.judged import Judged, Unwritable

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
UNFINISHED = "*"
# What a record has fields for is no tag: it could contradict them.
OWN_TAGS = ("Game", "Setup", "SN", "Seed", "Result")
MOST_TURNS = 10_000  # games remember all their turns, so the time to replay grows with the square
LONGEST_CLOCK_MS = 10_000 * 3_600_000 - 1

TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]{0,99}")
# Controls, line ends, and halves of a surrogate pair, which UTF-8 cannot hold.
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_WORD = re.compile(r"[A-Za-z][!-:<-z|~]*")  # a move among others: no spaces, braces, semicolons
# What has a field of its own, and the field.
COMMANDS = {
    "clk": "the clock's: set clock_ms",
    "corrected": "a referee's: set corrected",
    "eval": "a score's: set judged",
    "verdict": "a verdict's: set judged",
    "better": "a better line's: set judged",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn: the move of each player to move, the mover's clock afterwards, a comment; the
    position that a referee put in place of the one that it led to; and what a computer says of
    it."""

    moves: tuple[str, ...]
    clock_ms: int | None = None
    comment: str = ""
    corrected: str | None = None
    judged: Judged | None = None

    def __post_init__(self) -> None:
        if self.clock_ms is not None:
            strict_json.whole(self.clock_ms, "a clock in ms", Unwritable, 0, LONGEST_CLOCK_MS)
        if self.comment:
            check_comment(self.comment)


@dataclass(frozen=True, slots=True)
class Record:
    """One game from its start to its result.

    It starts from `start` (a position as the game writes it), or else from `setup` and `seed`; no
    setup means the game's default. `options` are those not at their default, by name; `tags` are
    kept with the usual ones first. Two records are equal if all of that is.
    """

    game: str
    turns: tuple[Entry, ...] = ()
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
        _set(self, "tags", in_order(rules, self.tags))
        if self.comment:
            check_comment(self.comment)
        if self.result not in RESULTS:
            raise Unwritable(f"{excerpt(self.result)} is no result: {', '.join(RESULTS)}")
        if len(self.turns) > MOST_TURNS:
            raise Unwritable(f"{len(self.turns)} turns are too many; at most {MOST_TURNS}")
        check = _check_word if rules.record_form == "text" else _check_json
        for entry in self.turns:
            check(entry.moves)
            for move in entry.judged.better if entry.judged else ():
                check((move,))
        _set(self, "turns", tuple(_plain(rules, entry) for entry in self.turns))

    def _check_start(self, rules: AnyGame) -> None:
        if self.seed is not None:
            if rules.setups():
                raise Unwritable(f"{rules.name} starts from a setup, not from a seed")
            strict_json.whole(self.seed, "a seed", Unwritable, -LARGEST_SEED, LARGEST_SEED)
        if self.start is not None:
            if self.setup is not None:
                raise Unwritable("a game starts from a setup or from a position, not from both")
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
        """The game under the record's options."""
        return games.make(self.game, dict(self.options))

    def first(self) -> Any:
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


def in_order(rules: AnyGame, tags: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The tags, checked, the usual ones first."""
    found: dict[str, str] = {}
    taken = own_tags(rules)
    for name, value in tags:
        check_tag(name, value)
        if name.lower() in taken:
            raise Unwritable(f"the tag {name!r} is not free: the record says that by itself")
        if name in found:
            raise Unwritable(f"the tag {name!r} is there twice")
        found[name] = value
    first = [(name, found.pop(name)) for name in tag_order(rules) if name in found]
    return (*first, *found.items())


def own_tags(rules: AnyGame) -> Mapping[str, str]:
    """The tags that say what a record has fields for, by their names in lower case."""
    options = option_tags(rules) if rules.record_form == "text" else {}
    return {name.lower(): name for name in (*OWN_TAGS, *options)}


def check_tag(name: str, value: str) -> None:
    if not TAG_NAME.fullmatch(name):
        raise Unwritable(f"{excerpt(name)} is no name for a tag: letters and digits, at most 100")
    if _UNFIT.search(value):
        raise Unwritable(f"the tag {name!r} has a control character or half of one in its value "
                         f"{excerpt(value)}: remove it")  # fmt: skip


def check_comment(comment: str) -> None:
    """Refuse a comment that would not come back as it is from between `{` and `}`."""
    if _UNFIT.search(comment):
        fault = "has a line end, a control character or half of one"
    elif "}" in comment:
        fault = "has a '}', which ends a comment"
    elif taken := next((each for each in COMMANDS if f"[%{each}" in comment), None):
        fault = f"has a [%{taken}, which is {COMMANDS[taken]}"
    elif comment != comment.strip(" "):
        fault = "has blanks around it"
    else:
        return
    raise Unwritable(f"the comment {excerpt(comment)} {fault}; remove that")


def _check_word(moves: tuple[str, ...]) -> None:
    """In a text one word is one turn."""
    if len(moves) != 1 or not _WORD.fullmatch(moves[0]):
        raise Unwritable(f"{excerpt(moves)} is not the one move of a turn: a word in ASCII that "
                         "begins with a letter")  # fmt: skip


def _check_json(moves: tuple[str, ...]) -> None:
    for move in moves:
        strict_json.read(move, Unwritable)


def _plain(rules: AnyGame, entry: Entry) -> Entry:
    """With the position that was put there as the game itself writes it."""
    if entry.corrected is None:
        return entry
    return replace(entry, corrected=rules.write_position(rules.read_position(entry.corrected)))


def _set(record: Record, name: str, value: Any) -> None:
    object.__setattr__(record, name, value)
