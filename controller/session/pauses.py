"""Pauses: by a person, a full disk, a failing computer or a lost device, and how play continues.

A pause keeps the phase in which it began (`PauseState.phase`). Events about a running beam, write
or search still go to that phase, so none of them is lost or started twice.
"""

from __future__ import annotations

from dataclasses import replace

from controller.ports.events import DeviceBack, DeviceLost, Signal, WriteFailed
from controller.session import sentences
from controller.session.effects import Announce, Effect, PlaySignal, Shutdown
from controller.session.state import ESSENTIAL_DEVICES, LEDS, Phase, Session
from controller.session.transitions import (
    StepResult,
    guidance_sentence,
    pause_play,
    refuse,
    running_clocks,
)
from controller.session.turns import ask_computer, fire_beams
from engine.sentences import joined

SHUTDOWN_DELAY_MS = 3_000.0  # for people to read the sentence, and for a beam to end


def pause(session: Session, at_ms: float) -> StepResult:
    """Pause until a person continues."""
    return pause_play(
        replace(session, pause=replace(session.pause, requested=True)),
        at_ms,
        Announce(sentences.PAUSED()),
    )


def request_shutdown(session: Session, at_ms: float) -> StepResult:
    """Pause, say goodbye, and shut down after `SHUTDOWN_DELAY_MS`."""
    session = replace(
        session, pause=replace(session.pause, shutdown_requested_ms=at_ms, requested=True)
    )
    if session.phase is not Phase.OVER:
        session, _ = pause_play(session, at_ms)
    return session, (Announce(guidance_sentence(session)), PlaySignal(Signal.OVER))


def shut_down_when_due(session: Session, at_ms: float) -> StepResult:
    assert session.pause.shutdown_requested_ms is not None
    due = at_ms - session.pause.shutdown_requested_ms >= SHUTDOWN_DELAY_MS
    return session, (Shutdown(),) if due else ()


def handle_continue(session: Session, at_ms: float) -> StepResult:
    """A person ends the pause. Refused while an obstacle is left; play resumes once it is gone."""
    session = replace(session, pause=replace(session.pause, requested=False))
    if session.obstacles and session.pause.phase is not Phase.OVER:
        return refuse(session, sentences.CANNOT_CONTINUE(reasons=joined(session.obstacles)))
    return resume_play(session, at_ms)


def resume_play(session: Session, at_ms: float) -> StepResult:
    """Continue in the phase that the pause interrupted."""
    session = replace(
        session,
        phase=session.pause.phase,
        pause=replace(session.pause, trouble=None),
        table=replace(session.table, settled=None, inference=None, settled_since_ms=None),
    )
    session = replace(session, clocks=running_clocks(session, at_ms))
    announcement: tuple[Effect, ...] = ()
    if session.phase is not Phase.OVER:
        announcement = (Announce(sentences.PLAY_CONTINUES()),)
    # Entries that the disk refused are written again.
    rewrites: tuple[Effect, ...] = session.writing.unwritten if session.writing.refused else ()
    session, beams = fire_beams(
        replace(session, writing=replace(session.writing, refused=False)), at_ms
    )
    acting = session.phase in (Phase.COMPUTER_THINKING, Phase.TURN, Phase.MISMATCH)
    session, questions = ask_computer(session) if acting else (session, ())
    return session, (*announcement, *rewrites, *beams, *questions)


def handle_write_failed(session: Session, event: WriteFailed) -> StepResult:
    """Pause: a turn that is not on disk is not played."""
    trouble = event.sentence
    session = replace(
        session,
        pause=replace(session.pause, trouble=trouble, requested=True),
        writing=replace(session.writing, refused=True),
    )
    return pause_play(session, event.at_ms, Announce(trouble), PlaySignal(Signal.TROUBLE))


def handle_device_lost(session: Session, event: DeviceLost) -> StepResult:
    """Announce the loss. `step` pauses play for an essential device once no beam runs."""
    session = replace(
        session,
        pause=replace(
            session.pause, lost_devices={**session.pause.lost_devices, event.device: event.reason}
        ),
    )
    if event.device == LEDS and session.firing.running:
        session = replace(session, firing=replace(session.firing, show_again=True))
    lost = sentences.DEVICE_LOST(device=event.device, reason=event.reason)
    return session, (Announce(lost), PlaySignal(Signal.TROUBLE))


def handle_device_back(session: Session, event: DeviceBack) -> StepResult:
    """Announce it. With the last essential device play resumes, unless a person has paused."""
    if event.device not in session.pause.lost_devices:
        return session, ()
    lost = {name: why for name, why in session.pause.lost_devices.items() if name != event.device}
    session = replace(session, pause=replace(session.pause, lost_devices=lost))
    works = sentences.DEVICES_WORK if event.device == LEDS else sentences.DEVICE_WORKS
    announcement = Announce(works(device=event.device))
    stays_paused = session.obstacles or session.pause.requested
    if session.phase is not Phase.PAUSED or event.device not in ESSENTIAL_DEVICES or stays_paused:
        return session, (announcement,)
    session, effects = resume_play(session, event.at_ms)
    return session, (announcement, *effects)
