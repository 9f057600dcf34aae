"""What concerns a referee: matters that wait for a ruling, penalties, who confirmed the result.

It follows from the entries of a journal, one after the other, while they are made and when they
are read again: so whoever goes on after a crash finds everything as it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.agreement import BadGame, Seat, text
from controller.journal import Entry
from controller.laws import Confirmed, Happening, Laws, Penalty
from controller.played import CORRECTION, RESULT, TAKE_BACK, TURN, read_outcome
from engine import strict_json
from engine.errors import excerpt
from engine.game import AnyGame, Outcome, Player

MATTER, RULING, PENALTY, CLOCKS = "matter", "ruling", "penalty", "clocks"
INCIDENT, NOTE, CONFIRMATION = "incident", "note", "confirmation"
NO_PENALTY = Penalty()
REFEREE = "referee"  # by whom an entry is
CALL = "call"  # of a player for the referee: a matter like what happens by itself
_ABOUT = (CALL, *(each.value for each in Happening))


@dataclass(frozen=True, slots=True)
class Matter:
    """Something that the referee must rule on."""

    number: int  # of its entry
    about: str  # a happening, or a call
    sentence: str
    player: Player | None = None  # by whom
    penalty: Penalty = NO_PENALTY  # that the laws have for it
    outcome: Outcome | None = None  # of the game, if it is accepted
    choices: tuple[str, ...] = ()  # one of which must be accepted

    def body(self) -> dict[str, Any]:
        """For its entry."""
        found: dict[str, Any] = {"about": self.about, "sentence": self.sentence}
        if self.player is not None:
            found["player"] = self.player
        if not self.penalty.none:
            found["penalty"] = str(self.penalty)
        if self.outcome is not None:
            found["outcome"] = {"result": self.outcome.result, "reason": self.outcome.reason}
        if self.choices:
            found["choices"] = list(self.choices)
        return found


@dataclass(frozen=True, slots=True)
class Affairs:
    """Where they stand between two entries."""

    open: tuple[Matter, ...] = ()
    illegal: tuple[int, int] = (0, 0)  # moves of each player that were punished
    flagged: frozenset[Player] = frozenset()  # whose flag was noted, and play goes on
    confirmed: frozenset[Player] = frozenset()  # who agrees to the result
    declared: bool = False  # it was the referee who ended the game
    upheld: bool = False  # the referee says that the result stands, whoever has agreed

    def after(self, number: int, kind: str, body: Mapping[str, Any]) -> Affairs:
        """One entry later; `BadGame` if that is no entry of its kind."""
        if kind == MATTER:
            return replace(self, open=(*self.open, _matter(number, body)))
        if kind == RULING:
            return self._ruled(body)
        if kind == PENALTY:
            return self._punished(body)
        if kind == INCIDENT and body.get("about") == Happening.FLAG_FALL:
            return replace(self, flagged=self.flagged | {_player(body)})
        if kind == CLOCKS:
            return replace(self, flagged=frozenset())
        if kind == CONFIRMATION and "player" not in body:
            return replace(self, upheld=True)
        if kind == CONFIRMATION:
            return replace(self, confirmed=self.confirmed | {_player(body)})
        if kind in (TURN, TAKE_BACK, CORRECTION, RESULT):
            declared = kind == RESULT and body.get("by") == REFEREE
            return replace(self, confirmed=frozenset(), declared=declared, upheld=False)
        return self

    def waits(self, laws: Laws | None, seats: Sequence[Seat]) -> tuple[Player | None, ...]:
        """Who must say something before a result stands: a player, or None for the referee."""
        if laws is None:
            return ()
        ruling = (None,) if self.open else ()
        if self.upheld:
            return ruling
        if laws.result_confirmed is Confirmed.REFEREE:
            return ruling if self.declared else (None,)
        people = (player for player, seat in enumerate(seats) if not seat.computer)
        return (*ruling, *(player for player in people if player not in self.confirmed))

    def about(self, what: str) -> Matter | None:
        """The oldest open matter of that kind."""
        return next((each for each in self.open if each.about == what), None)

    def matter(self, number: int) -> Matter | None:
        return next((each for each in self.open if each.number == number), None)

    def _ruled(self, body: Mapping[str, Any]) -> Affairs:
        number = strict_json.whole(body.get("matter"), "a ruling's matter", BadGame, 1, 10**9)
        if self.matter(number) is None:
            raise BadGame(f"a ruling on {number}, where no matter is open")
        return replace(self, open=tuple(each for each in self.open if each.number != number))

    def _punished(self, body: Mapping[str, Any]) -> Affairs:
        player = _player(body)
        Penalty.read(text(body, "penalty"))
        if body.get("for") != Happening.ILLEGAL_MOVE:
            return replace(self, flagged=frozenset())
        counts = list(self.illegal)
        counts[player] += 1
        return replace(self, illegal=(counts[0], counts[1]), flagged=frozenset())


def waiting_for(
    affairs: Affairs, laws: Laws | None, seats: Sequence[Seat], game: AnyGame
) -> list[str]:
    """The same by name: sides, or `the referee`."""
    waits = affairs.waits(laws, seats)
    return ["the referee" if each is None else game.players[each] for each in waits]


def affairs_of(entries: Sequence[Entry]) -> Affairs:
    """Where they stand after the last entry."""
    affairs = Affairs()
    for entry in entries[1:]:
        affairs = affairs.after(entry.number, entry.kind, entry.body)
    return affairs


def _matter(number: int, body: Mapping[str, Any]) -> Matter:
    about = text(body, "about")
    if about not in _ABOUT:
        raise BadGame(f"a matter about {excerpt(about)}: it is one of {', '.join(_ABOUT)}")
    outcome, choices = body.get("outcome"), body.get("choices", [])
    found = strict_json.items(choices, "choices", BadGame)
    return Matter(
        number,
        about,
        text(body, "sentence"),
        _player(body) if "player" in body else None,
        Penalty.read(text(body, "penalty", "none")),
        None if outcome is None else read_outcome(outcome),
        tuple(str(each) for each in found),
    )


def _player(body: Mapping[str, Any]) -> Player:
    return strict_json.whole(body.get("player"), "player", BadGame, 0, 1)
