"""The flow of a game: `step(session, event) -> (session, effects)`, pure, and decided here alone.

A touch is no move until the laser fires: while the table changes nothing is decided. A turn is
written first, and only when it is on disk its beams run. What cannot be named for sure is asked.
The parts are in `controller.flow`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from controller.evidence import EVIDENCE, EvidenceFailed, Photographed, evidence_body
from controller.flow import computer, matters, pauses, rulings, turns, wishes
from controller.flow.reading import fire_by_itself, fire_when_ready, observed, pressed_amiss
from controller.flow.steps import Step, entry, hold, told
from controller.laws import Happening
from controller.ports import DeviceBack, DeviceLost, Pressed, Signal, WriteFailed, Written
from controller.press import FIRE, PAUSE, POWER, REFEREE
from controller.session_values import (
    Asked,
    ChoiceFailed,
    Chosen,
    Effect,
    Event,
    Observed,
    Origin,
    Phase,
    Ruled,
    Say,
    Session,
    Shown,
    Tell,
    Tick,
    Wish,
)
from engine.game import Player

# These know what to do in a pause; all others go to the phase that it lies over.
_OVER_A_PAUSE = (
    DeviceLost,
    DeviceBack,
    Pressed,
    Observed,
    Tick,
    Ruled,
    Photographed,
    EvidenceFailed,
)
_WISHES_OVER_A_PAUSE = (Wish.PAUSE, Wish.CONTINUE, Wish.CHOOSE, Wish.HINT, Wish.CALL)


def step(session: Session, event: Event) -> Step:
    """What comes of an event."""
    if session.parting_ms is not None and isinstance(event, Pressed | Asked | Ruled):
        return session, ()  # they have said goodbye
    session, late = _time_over(replace(session, origin=Origin.CLOCK), event.at_ms)
    if late and session.phase is Phase.OVER and _fires(event):
        return session, late  # that press came too late for a turn, and confirms nothing
    session = replace(session, origin=_origin(session, event))
    if session.phase is Phase.PAUSED and _beneath(event):
        session, effects = _happens(replace(session, phase=session.resumes), event)
        if session.phase is not Phase.OVER or session.refused:
            session, effects = hold(session, event.at_ms, *effects)
    else:
        session, effects = _happens(session, event)
    if session.obstacles and session.phase not in (Phase.PAUSED, Phase.OVER, Phase.FIRING):
        session, effects = hold(session, event.at_ms, *effects)
    return session, (*late, *effects)


def _beneath(event: Event) -> bool:
    """Whether it goes to the phase that a pause lies over."""
    if isinstance(event, Asked):
        return event.wish not in _WISHES_OVER_A_PAUSE
    return not isinstance(event, _OVER_A_PAUSE)


def _happens(session: Session, event: Event) -> Step:
    match event:
        case Observed():
            session, effects = observed(session, event)
            return (session, effects) if effects else fire_by_itself(session, event.at_ms)
        case Pressed(button, at_ms):
            return _pressed(session, button, at_ms)
        case Asked():
            return wishes.asked(session, event)
        case Tick(at_ms):
            return _tick(session, at_ms)
        case Written(number, at_ms):
            return turns.written(session, number, at_ms)
        case WriteFailed():
            return pauses.write_failed(session, event)
        case Shown(at_ms):
            return turns.shown(session, at_ms)
        case Chosen():
            return computer.chosen(session, event)
        case ChoiceFailed():
            return computer.failed(session, event)
        case DeviceLost():
            return pauses.device_lost(session, event)
        case DeviceBack():
            return pauses.device_back(session, event)
        case Ruled():
            return rulings.ruled(session, event)
        case Photographed():
            session, write = entry(session, EVIDENCE, evidence_body(event), event.at_ms)
            return session, (write,)
        case EvidenceFailed():
            return session, (Say(event.sentence),)
        case _:
            assert_never(event)


def _pressed(session: Session, button: str, at_ms: float) -> Step:
    if button == POWER:
        return pauses.parting(session, at_ms)
    if button == REFEREE or (button == PAUSE and session.laws is not None):
        return matters.called(session, _caller(session), at_ms)
    if button == PAUSE:
        wish = Wish.CONTINUE if session.phase is Phase.PAUSED else Wish.PAUSE
        return wishes.asked(session, Asked(wish, 0, at_ms))
    player = FIRE.index(button)
    match session.phase:
        case Phase.WAITING_FOR_OTHER if player in session.pressed and session.thinkers:
            return session, (told(session),)
        case Phase.TURN | Phase.WAITING_FOR_OTHER if player in session.people:
            if len(session.movers) > 1:  # whoever waits for the other does not lose time by it
                session = replace(session, clocks=session.clocks.stop(player, at_ms))
            session = replace(session, pressed=session.pressed | {player})
            return fire_when_ready(session, at_ms)
        case Phase.TURN if player not in session.movers:
            waits = " and ".join(session.table.game.players[each] for each in session.movers)
            return session, (Say(f"it is the turn of {waits}"),)
        case Phase.MISMATCH:
            return pressed_amiss(session, at_ms)
        case Phase.OVER if session.laws is not None:
            return wishes.confirmed(session, player, at_ms)
        case Phase.CLEARING if session.settled and session.unseen and not session.differences:
            return turns.begin_turn(session, at_ms)  # what the camera cannot see, a person can
        case _:
            return session, (told(session),)


def _fires(event: Event) -> bool:
    return isinstance(event, Pressed) and event.button in FIRE


def _caller(session: Session) -> Player:
    """Who may have pressed a button that both share: a person, and rather one who is to move."""
    people = [player for player, seat in enumerate(session.seats) if not seat.computer]
    return next(iter((*session.people, *people)), 0)


def _tick(session: Session, at_ms: float) -> Step:
    if session.parting_ms is not None:
        return pauses.parted(session, at_ms)
    low = frozenset(session.clocks.low(at_ms)) - session.warned
    if low:
        session = replace(session, warned=session.warned | low)
    if not session.hands:
        session, effects = turns.by_itself(session, at_ms)
    elif session.phase is Phase.MISMATCH:
        session, effects = matters.lasting_mismatch(session, at_ms)
    else:
        session, effects = fire_by_itself(session, at_ms)
    return session, (*(Tell(Signal.TIME_LOW) for _ in low), *effects)


def _time_over(session: Session, at_ms: float) -> Step:
    """A flag falls, whatever else happens."""
    fallen = session.clocks.at(at_ms).fallen if session.clocks.running else ()
    fresh = tuple(each for each in fallen if each not in session.affairs.flagged)
    if not fresh or session.affairs.about(Happening.FLAG_FALL) is not None:
        return session, ()
    session, effects = matters.flag_fall(session, fresh, at_ms)
    return (session, effects) if session.phase is Phase.OVER else _held(session, at_ms, effects)


def _held(session: Session, at_ms: float, effects: tuple[Effect, ...]) -> Step:
    """Before whatever has happened at that moment goes on."""
    return hold(session, at_ms, *effects) if session.obstacles else (session, effects)


def _origin(session: Session, event: Event) -> Origin:
    match event:
        case Ruled():
            return Origin.REFEREE
        case Asked():
            return Origin.PLAYER
        case Pressed(button) if button in (PAUSE, REFEREE) or session.phase is Phase.OVER:
            return Origin.PLAYER  # who calls or agrees; a press on a turn fires what was seen
        case Chosen():
            return Origin.COMPUTER
        case Tick():
            return Origin.CLOCK
        case _:
            return Origin.CAMERA
