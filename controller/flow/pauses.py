"""Why nobody plays for a while, and how play goes on: people, the disk, the computer, devices.

A pause lies over the phase that the game is in. What was under way beneath it - a beam, an entry,
the computer's thoughts - comes to its end there, and nothing is begun twice.
"""

from __future__ import annotations

from dataclasses import replace

from controller.flow.steps import Step, hold, ticking, told
from controller.flow.turns import ask_computer, fire_beams
from controller.ports import DeviceBack, DeviceLost, Signal, WriteFailed
from controller.session_values import (
    ESSENTIAL,
    LEDS,
    Effect,
    Phase,
    Say,
    Session,
    SwitchOff,
    Tell,
)

GOODBYE_MS = 3_000.0  # long enough to be read, and for a beam to run to its end


def paused(session: Session, at_ms: float) -> Step:
    """A person wants a pause."""
    return hold(replace(session, pause_wanted=True), at_ms, Say("paused"))


def parting(session: Session, at_ms: float) -> Step:
    """A person wants the table switched off. What was played is on the disk, and clocks stand."""
    session = replace(session, parting_ms=at_ms, pause_wanted=True)
    if session.phase is not Phase.OVER:
        session, _ = hold(session, at_ms)
    return session, (told(session), Tell(Signal.OVER))


def parted(session: Session, at_ms: float) -> Step:
    """The goodbye was heard."""
    assert session.parting_ms is not None
    heard = at_ms - session.parting_ms >= GOODBYE_MS
    return session, (SwitchOff(),) if heard else ()


def continued(session: Session, at_ms: float) -> Step:
    """A person wants to go on."""
    session = replace(session, pause_wanted=False)
    if session.obstacles and session.resumes is not Phase.OVER:
        return session, (Say(f"play cannot go on: {'; '.join(session.obstacles)}"),)
    return go_on(session, at_ms)


def go_on(session: Session, at_ms: float) -> Step:
    """Where the pause has interrupted it."""
    session = replace(
        session,
        phase=session.resumes,
        trouble="",
        settled=None,
        inference=None,
        rested_ms=None,
    )
    session = replace(session, clocks=ticking(session, at_ms))
    said: tuple[Effect, ...] = () if session.phase is Phase.OVER else (Say("play goes on"),)
    # What the disk did not take is tried once more.
    again: tuple[Effect, ...] = session.unwritten if session.refused else ()
    session, lit = fire_beams(replace(session, refused=False), at_ms)
    acting = session.phase in (Phase.COMPUTER_THINKING, Phase.TURN, Phase.MISMATCH)
    session, asked = ask_computer(session) if acting else (session, ())
    return session, (*said, *again, *lit, *asked)


def write_failed(session: Session, event: WriteFailed) -> Step:
    """The disk takes nothing more: nobody plays what would not be kept."""
    session = replace(session, trouble=event.sentence, refused=True, pause_wanted=True)
    return hold(session, event.at_ms, Say(event.sentence), Tell(Signal.TROUBLE))


def device_lost(session: Session, event: DeviceLost) -> Step:
    """Told; and without an essential one play stops, though not while a beam runs."""
    session = replace(session, lost={**session.lost, event.device: event.reason})
    if event.device == LEDS and session.beam_runs:
        session = replace(session, beam_missed=True)
    return session, (Say(f"{event.device}: {event.reason}"), Tell(Signal.TROUBLE))


def device_back(session: Session, event: DeviceBack) -> Step:
    """Told; and with the last essential one play goes on, unless somebody had paused it too."""
    if event.device not in session.lost:
        return session, ()
    left = {name: why for name, why in session.lost.items() if name != event.device}
    session = replace(session, lost=left)
    works = "work" if event.device == LEDS else "works"
    back = Say(f"{event.device} {works} again")
    waits = session.obstacles or session.pause_wanted
    if session.phase is not Phase.PAUSED or event.device not in ESSENTIAL or waits:
        return session, (back,)
    session, effects = go_on(session, event.at_ms)
    return session, (back, *effects)
