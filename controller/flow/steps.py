"""The small steps that all others are made of: an entry, a result, a pause, clocks that run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller import goals
from controller.clocks import Clocks
from controller.guide import guide
from controller.played import RESULT, TAKE_BACK, result_body, take_back_body
from controller.ports import Signal
from controller.session_values import Effect, Past, Phase, Say, Session, StopThinking, Tell, Write
from engine.game import Outcome

Step = tuple[Session, tuple[Effect, ...]]

_ACTING = (Phase.TURN, Phase.WAITING_FOR_OTHER, Phase.CONFIRMING, Phase.MISMATCH)


def told(session: Session) -> Say:
    """What the guide says, with its reasons."""
    now = guide(session)
    return Say(f"{now.sentence}: {'; '.join(now.reasons)}" if now.reasons else now.sentence)


def entry(
    session: Session, kind: str, body: Mapping[str, Any], at_ms: float
) -> tuple[Session, Write]:
    """One more entry for the journal. Where there is a referee it tells by whom, and the clocks."""
    number = session.entries + 1
    if session.laws is not None:
        body = {"by": session.origin.value, "clocks": session.clocks.at(at_ms).as_json(), **body}
        session = replace(session, affairs=session.affairs.after(number, kind, body))
    write = Write(number, kind, dict(body), at_ms)
    return replace(session, entries=number, unwritten=(*session.unwritten, write)), write


def set_back(session: Session, position: Any, history: tuple[Past, ...]) -> Session:
    """The game stands there again: the board is to be set up for it."""
    return replace(
        session,
        position=position,
        history=history,
        phase=Phase.SETTING_UP,
        outcome=None,
        question=None,
        awaited=frozenset(),
        known=None,
        hint=None,
        clue=None,
        offer=None,
        choices=(),
        pressed=frozenset(),
        fire_wanted=False,
        settled=None,
        inference=None,
        rested_ms=None,
        differences=(),
    )


def taken_back(session: Session, turns: int, at_ms: float) -> tuple[Session, Write]:
    """Back to before so many turns, with the clocks of then."""
    position, clocks, _ = session.history[-turns]
    clocks = session.clocks.at(at_ms).taken_back(clocks)
    # A new value, though equal: hands and keys know a turn from the next by it.
    session = set_back(session, replace(position), session.history[:-turns])
    session = replace(session, clocks=clocks, turn_clocks=clocks)
    return entry(session, TAKE_BACK, take_back_body(turns), at_ms)


def over(session: Session, outcome: Outcome, at_ms: float, *effects: Effect) -> Step:
    """The game has ended."""
    session = replace(
        session,
        phase=Phase.OVER,
        outcome=outcome,
        clocks=session.clocks.stop(None, at_ms),
        question=None,
        awaited=frozenset(),
        offer=None,
        differences=(),
    )
    session = replace(session, hint=goals.given_away(session), hint_why=None, clue=None)
    session, write = entry(session, RESULT, result_body(outcome), at_ms)
    ended = told(session) if session.goal else Say(str(outcome))
    return session, (*effects, write, StopThinking(), ended, Tell(Signal.OVER))


def hold(session: Session, at_ms: float, *effects: Effect) -> Step:
    """Nobody can play until whatever is wrong is over. Presses that wait are forgotten."""
    if session.phase is Phase.PAUSED:
        return session, effects
    session = unpressed(session)
    stopped = session.clocks.stop(None, at_ms)
    return replace(session, phase=Phase.PAUSED, resumes=session.phase, clocks=stopped), effects


def unpressed(session: Session) -> Session:
    """Whoever has pressed must press again."""
    phase = Phase.TURN if session.phase is Phase.WAITING_FOR_OTHER else session.phase
    return replace(session, phase=phase, pressed=frozenset(), fire_wanted=False)


def ticking(session: Session, at_ms: float) -> Clocks:
    """The clocks as they run in this phase: of those who can act and are not done."""
    runs = session.phase is Phase.COMPUTER_THINKING or (
        session.phase in _ACTING and session.known is None
    )
    return session.clocks.start(session.thinkers if runs else (), at_ms)
