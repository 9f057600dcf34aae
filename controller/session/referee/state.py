"""The referee's part of a session: open proposals, penalties, who confirmed the result.

`RefereeState.after_entry` derives it from journal entries, both while a game is played and when
its journal is read again, so a resumed game has the same state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.session import sentences
from controller.session.journal import JournalEntry
from controller.session.referee.policy import ConfirmedBy, Incident, Penalty, RefereePolicies
from controller.session.replay import CORRECTION, RESULT, TAKE_BACK, TURN, read_outcome, result_body
from controller.session.sentence_fields import read_sentence_fields, sentence_fields
from controller.session.setup import BadGame, Seat, require_text
from engine import strict_json
from engine.errors import excerpt
from engine.game import AnyGame, Outcome, Player
from engine.sentences import Sentence, plain

# The words of the journal format since 0.1.
PROPOSAL, RULING, PENALTY, CLOCKS = "matter", "ruling", "penalty", "clocks"
INCIDENT, NOTE, CONFIRMATION = "incident", "note", "confirmation"
NO_PENALTY = Penalty()
BY_REFEREE = "referee"  # the "by" of an entry
CALL = "call"  # subject of a proposal: a player calls the referee
_SUBJECTS = (CALL, *(each.value for each in Incident))


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question that waits for a ruling of the referee."""

    number: int  # of its journal entry
    subject: str  # an incident, or a call
    sentence: Sentence
    player: Player | None = None  # who caused it
    penalty: Penalty = NO_PENALTY  # by the policies
    outcome: Outcome | None = None  # of the game, if it is accepted
    choices: tuple[Sentence, ...] = ()  # one of them must be accepted

    def entry_body(self) -> dict[str, Any]:
        """The body of its journal entry."""
        found: dict[str, Any] = {"about": self.subject, **sentence_fields(self.sentence)}
        if self.player is not None:
            found["player"] = self.player
        if not self.penalty.is_none:
            found["penalty"] = str(self.penalty)
        if self.outcome is not None:
            found["outcome"] = result_body(self.outcome)
        if self.choices:
            found["choices"] = [str(each) for each in self.choices]
            found["choice_sentences"] = [sentence_fields(each) for each in self.choices]
        return found


@dataclass(frozen=True, slots=True)
class RefereeState:
    """The referee's state between two entries."""

    open_proposals: tuple[Proposal, ...] = ()
    illegal_moves: tuple[int, int] = (0, 0)  # penalised illegal moves of each player
    flagged: frozenset[Player] = frozenset()  # whose flag fall was logged while play continued
    confirmed_by: frozenset[Player] = frozenset()  # who has confirmed the result
    declared_by_referee: bool = False  # the referee ended the game
    upheld_by_referee: bool = False  # the referee has confirmed the result

    def after_entry(self, number: int, kind: str, body: Mapping[str, Any]) -> RefereeState:
        """The state after one more entry; `BadGame` if the entry is invalid."""
        if kind == PROPOSAL:
            return replace(
                self, open_proposals=(*self.open_proposals, _read_proposal(number, body))
            )
        if kind == RULING:
            return self._after_ruling(body)
        if kind == PENALTY:
            return self._after_penalty(body)
        if kind == INCIDENT and body.get("about") == Incident.FLAG_FALL:
            return replace(self, flagged=self.flagged | {_read_player(body)})
        if kind == CLOCKS:
            return replace(self, flagged=frozenset())
        if kind == CONFIRMATION and "player" not in body:
            return replace(self, upheld_by_referee=True)
        if kind == CONFIRMATION:
            return replace(self, confirmed_by=self.confirmed_by | {_read_player(body)})
        if kind in (TURN, TAKE_BACK, CORRECTION, RESULT):
            declared = kind == RESULT and body.get("by") == BY_REFEREE
            return replace(
                self,
                confirmed_by=frozenset(),
                declared_by_referee=declared,
                upheld_by_referee=False,
            )
        return self

    def result_blocked_by(
        self, policies: RefereePolicies | None, seats: Sequence[Seat]
    ) -> tuple[Player | None, ...]:
        """Who must still confirm the result: players, or None for the referee."""
        if policies is None:
            return ()
        ruling = (None,) if self.open_proposals else ()
        if self.upheld_by_referee:
            return ruling
        if policies.result_confirmed is ConfirmedBy.REFEREE:
            return ruling if self.declared_by_referee else (None,)
        people = (player for player, seat in enumerate(seats) if not seat.is_automated)
        return (*ruling, *(player for player in people if player not in self.confirmed_by))

    def find_by_subject(self, subject: str) -> Proposal | None:
        """The oldest open proposal with that subject."""
        return next((each for each in self.open_proposals if each.subject == subject), None)

    def find_proposal(self, number: int) -> Proposal | None:
        return next((each for each in self.open_proposals if each.number == number), None)

    def _after_ruling(self, body: Mapping[str, Any]) -> RefereeState:
        number = strict_json.require_int(body.get("matter"), "a ruling's matter", BadGame, 1, 10**9)
        if self.find_proposal(number) is None:
            raise BadGame(sentences.RULING_ON_NOTHING(number=number))
        return replace(
            self,
            open_proposals=tuple(each for each in self.open_proposals if each.number != number),
        )

    def _after_penalty(self, body: Mapping[str, Any]) -> RefereeState:
        player = _read_player(body)
        Penalty.parse(require_text(body, "penalty"))
        if body.get("for") != Incident.ILLEGAL_MOVE:
            return replace(self, flagged=frozenset())
        counts = list(self.illegal_moves)
        counts[player] += 1
        return replace(self, illegal_moves=(counts[0], counts[1]), flagged=frozenset())


def result_blocked_by_names(
    state: RefereeState, policies: RefereePolicies | None, seats: Sequence[Seat], game: AnyGame
) -> list[str | Sentence]:
    """`RefereeState.result_blocked_by` as names: sides, or the referee."""
    missing = state.result_blocked_by(policies, seats)
    return [sentences.THE_REFEREE() if each is None else game.players[each] for each in missing]


def referee_state_of(entries: Sequence[JournalEntry]) -> RefereeState:
    """The state after the last entry of a journal."""
    state = RefereeState()
    for entry in entries[1:]:
        state = state.after_entry(entry.number, entry.kind, entry.body)
    return state


def _read_proposal(number: int, body: Mapping[str, Any]) -> Proposal:
    about = require_text(body, "about")
    if about not in _SUBJECTS:
        raise BadGame(sentences.NOT_A_SUBJECT(value=excerpt(about), subjects=_SUBJECTS))
    outcome = body.get("outcome")
    return Proposal(
        number,
        about,
        _read_sentence(body),
        _read_player(body) if "player" in body else None,
        Penalty.parse(require_text(body, "penalty", "none")),
        None if outcome is None else read_outcome(outcome),
        _read_choices(body),
    )


def _read_sentence(body: Mapping[str, Any]) -> Sentence:
    require_text(body, "sentence")
    return read_sentence_fields(body)


def _read_choices(body: Mapping[str, Any]) -> tuple[Sentence, ...]:
    """The choices; files of version 0.1 have their texts alone."""
    texts = strict_json.require_list(body.get("choices", []), "choices", BadGame)
    values = body.get("choice_sentences")
    if not isinstance(values, list) or len(values) != len(texts):
        return tuple(plain(str(each)) for each in texts)
    return tuple(
        read_sentence_fields(value) if isinstance(value, dict) else plain(str(text))
        for text, value in zip(texts, values, strict=True)
    )


def _read_player(body: Mapping[str, Any]) -> Player:
    return strict_json.require_int(body.get("player"), "player", BadGame, 0, 1)
