"""The state machine of a game: `step(session, event) -> (session, effects)`. Pure.

Moving a piece has no effect until fire is pressed, or `auto_fire` fires. A turn is written first;
its beams are shown once it is on disk. If several turns fit the table, `step` asks. Each request
with a number gets one answer: `Done` or `Refuse`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from controller.ports.buttons import FIRE, PAUSE, POWER, REFEREE
from controller.ports.events import DeviceBack, DeviceLost, Pressed, Signal, WriteFailed, Written
from controller.ports.frames import Observed
from controller.session import computer_moves, pauses, requests, sentences, turns
from controller.session.effects import Announce, Done, Effect, PlaySignal, Refuse
from controller.session.events import (
    BeamsShown,
    ChoiceFailed,
    Event,
    MoveChosen,
    Request,
    Requested,
    Ruled,
    Tick,
)
from controller.session.evidence import EVIDENCE, EvidenceCaptured, EvidenceFailed, evidence_body
from controller.session.inference import (
    auto_fire,
    fire_when_ready,
    handle_observation,
    handle_press_on_mismatch,
    update_lights,
)
from controller.session.referee import apply, proposals
from controller.session.referee.policy import Incident
from controller.session.state import Origin, Phase, Session
from controller.session.transitions import (
    StepResult,
    append_entry,
    guidance_sentence,
    pause_play,
    refuse,
)
from engine.catalogue import GAME_OVER
from engine.game import Player
from engine.sentences import Sentence

# Handled by the pause itself; all other events go to the phase that it interrupted.
_EVENTS_DURING_PAUSE = (
    DeviceLost,
    DeviceBack,
    Pressed,
    Observed,
    Tick,
    Ruled,
    EvidenceCaptured,
    EvidenceFailed,
)
_REQUESTS_DURING_PAUSE = (
    Request.PAUSE,
    Request.CONTINUE,
    Request.CHOOSE,
    Request.HINT,
    Request.CALL_REFEREE,
)


def step(session: Session, event: Event) -> StepResult:
    """The next session, and the effects that the loop carries out."""
    session, effects = _step(session, event)
    if isinstance(event, Tick):
        session = update_lights(session, event.at_ms)
    request_id = event.request_id if isinstance(event, Pressed | Requested | Ruled) else 0
    if not request_id:
        return session, effects
    if not any(isinstance(each, Refuse) for each in effects):
        return session, (*effects, Done(request_id))
    return session, tuple(
        replace(each, request_id=request_id) if isinstance(each, Refuse) else each
        for each in effects
    )


def dry_run(session: Session, event: Event) -> Sentence | None:
    """Why `step` would refuse the event; None if it would carry it out. Changes nothing."""
    _, effects = step(session, event)
    return next((each.reason for each in effects if isinstance(each, Refuse)), None)


def _step(session: Session, event: Event) -> StepResult:
    if session.pause.shutdown_requested_ms is not None and isinstance(
        event, Pressed | Requested | Ruled
    ):
        return refuse(session, guidance_sentence(session))
    session, late = _check_flags(
        replace(session, writing=replace(session.writing, origin=Origin.CLOCK)), event.at_ms
    )
    if late and session.phase is Phase.OVER and _is_fire_press(event):
        # The press is too late for a turn, and does not confirm the result.
        outcome = sentences.outcome_sentence(session.outcome)
        return session, (*late, Refuse(0, GAME_OVER(outcome=outcome)))
    session = replace(session, writing=replace(session.writing, origin=_origin_of(session, event)))
    if session.phase is Phase.PAUSED and _goes_to_paused_phase(event):
        session, effects = _dispatch(replace(session, phase=session.pause.phase), event)
        if session.phase is not Phase.OVER or session.writing.refused:
            session, effects = pause_play(session, event.at_ms, *effects)
    else:
        session, effects = _dispatch(session, event)
    if session.obstacles and session.phase not in (Phase.PAUSED, Phase.OVER, Phase.FIRING):
        session, effects = pause_play(session, event.at_ms, *effects)
    return session, (*late, *effects)


def _goes_to_paused_phase(event: Event) -> bool:
    """Whether the event goes to the phase that the pause interrupted."""
    if isinstance(event, Requested):
        return event.request not in _REQUESTS_DURING_PAUSE
    return not isinstance(event, _EVENTS_DURING_PAUSE)


def _dispatch(session: Session, event: Event) -> StepResult:
    match event:
        case Observed():
            session, effects = handle_observation(session, event)
            return (session, effects) if effects else auto_fire(session, event.at_ms)
        case Pressed(button, at_ms):
            return _handle_press(session, button, at_ms)
        case Requested():
            return requests.handle_request(session, event)
        case Tick(at_ms):
            return _handle_tick(session, at_ms)
        case Written(number, at_ms):
            return turns.handle_entry_written(session, number, at_ms)
        case WriteFailed():
            return pauses.handle_write_failed(session, event)
        case BeamsShown(at_ms):
            return turns.handle_beams_shown(session, at_ms)
        case MoveChosen():
            return computer_moves.handle_move_chosen(session, event)
        case ChoiceFailed():
            return computer_moves.handle_choice_failed(session, event)
        case DeviceLost():
            return pauses.handle_device_lost(session, event)
        case DeviceBack():
            return pauses.handle_device_back(session, event)
        case Ruled():
            return apply.handle_ruling(session, event)
        case EvidenceCaptured():
            session, write = append_entry(session, EVIDENCE, evidence_body(event), event.at_ms)
            return session, (write,)
        case EvidenceFailed():
            return session, (Announce(event.sentence),)
        case _:
            assert_never(event)


def _handle_press(session: Session, button: str, at_ms: float) -> StepResult:
    if button == POWER:
        return pauses.request_shutdown(session, at_ms)
    if button == REFEREE or (button == PAUSE and session.policies is not None):
        return proposals.call_referee(session, _caller(session), at_ms)
    if button == PAUSE:
        request = Request.CONTINUE if session.phase is Phase.PAUSED else Request.PAUSE
        return requests.handle_request(session, Requested(request, 0, at_ms))
    player = FIRE.index(button)  # only the two fire buttons are left
    match session.phase:
        case Phase.WAITING_FOR_OTHER if player in session.turn.pressed and session.still_to_act:
            return refuse(session, guidance_sentence(session))
        case Phase.TURN | Phase.WAITING_FOR_OTHER if player in session.humans_to_move:
            if len(session.to_move) > 1:  # waiting for the other player costs no time
                session = replace(session, clocks=session.clocks.stop(player, at_ms))
            session = replace(
                session, turn=replace(session.turn, pressed=session.turn.pressed | {player})
            )
            return fire_when_ready(session, at_ms)
        case Phase.TURN if player not in session.to_move:
            players = sentences.join_and([session.game.players[each] for each in session.to_move])
            return refuse(session, sentences.NOT_YOUR_TURN(players=players))
        case Phase.MISMATCH:
            return handle_press_on_mismatch(session, at_ms)
        case Phase.OVER if session.policies is not None:
            return requests.confirm_result(session, player, at_ms)
        case Phase.CLEARING if (
            session.table.settled and session.table.unseen_cells and not session.table.differences
        ):
            return turns.begin_turn(session, at_ms)  # the press confirms the unseen cells
        case _:
            return refuse(session, guidance_sentence(session))


def _is_fire_press(event: Event) -> bool:
    return isinstance(event, Pressed) and event.button in FIRE


def _caller(session: Session) -> Player:
    """The player who counts as having pressed a shared button: a person, preferably one to move."""
    people = [player for player, seat in enumerate(session.seats) if not seat.is_automated]
    return next(iter((*session.humans_to_move, *people)), 0)


def _handle_tick(session: Session, at_ms: float) -> StepResult:
    if session.pause.shutdown_requested_ms is not None:
        return pauses.shut_down_when_due(session, at_ms)
    low = frozenset(session.clocks.players_low_on_time(at_ms)) - session.turn.time_warned
    if low:
        session = replace(
            session, turn=replace(session.turn, time_warned=session.turn.time_warned | low)
        )
    if not session.setup.moved_by_hand:
        session, effects = turns.begin_next_round(session, at_ms)
    elif session.phase is Phase.MISMATCH:
        session, effects = proposals.handle_lasting_mismatch(session, at_ms)
    else:
        session, effects = auto_fire(session, at_ms)
    return session, (*(PlaySignal(Signal.TIME_LOW) for _ in low), *effects)


def _check_flags(session: Session, at_ms: float) -> StepResult:
    """Handle a flag fall before the event itself."""
    fallen = session.clocks.at(at_ms).fallen if session.clocks.running else ()
    fresh = tuple(each for each in fallen if each not in session.referee.flagged)
    if not fresh or session.referee.find_by_subject(Incident.FLAG_FALL) is not None:
        return session, ()
    session, effects = proposals.handle_flag_fall(session, fresh, at_ms)
    return (
        (session, effects)
        if session.phase is Phase.OVER
        else _pause_if_blocked(session, at_ms, effects)
    )


def _pause_if_blocked(session: Session, at_ms: float, effects: tuple[Effect, ...]) -> StepResult:
    """Pause if there is an obstacle, such as a proposal that the flag fall has opened."""
    return pause_play(session, at_ms, *effects) if session.obstacles else (session, effects)


def _origin_of(session: Session, event: Event) -> Origin:
    match event:
        case Ruled():
            return Origin.REFEREE
        case Requested():
            return Origin.PLAYER
        case Pressed(button) if button in (PAUSE, REFEREE) or session.phase is Phase.OVER:
            return Origin.PLAYER  # a fire press during a turn plays what the camera saw: CAMERA
        case MoveChosen():
            return Origin.COMPUTER
        case Tick():
            return Origin.CLOCK
        case _:
            return Origin.CAMERA
