"""Building blocks of `step`: append an entry, end the game, pause, reset, run the clocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controller.ports.events import Signal
from controller.session import puzzle, sentences
from controller.session.clocks import Clocks
from controller.session.effects import Announce, Effect, PlaySignal, Refuse, StopThinking, Write
from controller.session.guidance import guidance_for
from controller.session.replay import RESULT, TAKE_BACK, result_body, take_back_body
from controller.session.state import ComputerState, Hint, Phase, PlayedTurn, Session, TurnInProgress
from engine.game import Outcome
from engine.sentences import Sentence
from vision.hypotheses import Turns

StepResult = tuple[Session, tuple[Effect, ...]]

_ACTING_PHASES = (Phase.TURN, Phase.WAITING_FOR_OTHER, Phase.CHOOSING_TURN, Phase.MISMATCH)


def refuse(session: Session, reason: Sentence) -> StepResult:
    """Refuse what a person asks for. `step` sets the number of the request."""
    return session, (Refuse(0, reason),)


def guidance_sentence(session: Session) -> Sentence:
    """The guidance and its reasons as one sentence."""
    guidance = guidance_for(session)
    return sentences.with_reasons(guidance.sentence, guidance.reasons)


def append_entry(
    session: Session, kind: str, body: Mapping[str, Any], at_ms: float
) -> tuple[Session, Write]:
    """Append a journal entry. With a referee the body also has the origin and the clocks."""
    number = session.writing.entry_count + 1
    if session.policies is not None:
        body = {
            "by": session.writing.origin.value,
            "clocks": session.clocks.at(at_ms).as_json(),
            **body,
        }
        session = replace(session, referee=session.referee.after_entry(number, kind, body))
    write = Write(number, kind, dict(body), at_ms)
    return replace(
        session,
        writing=replace(
            session.writing, entry_count=number, unwritten=(*session.writing.unwritten, write)
        ),
    ), write


def reset_to_position(session: Session, position: Any, history: tuple[PlayedTurn, ...]) -> Session:
    """Go back to `position`; people must set up the board for it."""
    return replace(
        session,
        position=position,
        history=history,
        phase=Phase.SETTING_UP,
        outcome=None,
        offer=None,
        turn=TurnInProgress(since_ms=session.turn.since_ms),
        computer=ComputerState(moves=session.computer.moves),
        table=session.table.without_inference(),
    )


def take_back_turns(session: Session, turns: int, at_ms: float) -> tuple[Session, Write]:
    """Go back by so many turns, with the clocks of that time."""
    position, clocks, _ = session.history[-turns]
    clocks = session.clocks.at(at_ms).restored_from(clocks)
    # A new object, though equal: simulated hands and keyboards tell turns apart by identity.
    session = reset_to_position(session, replace(position), session.history[:-turns])
    session = replace(session, clocks=clocks, clocks_after_turn=clocks)
    return append_entry(session, TAKE_BACK, take_back_body(turns), at_ms)


def end_game(session: Session, outcome: Outcome, at_ms: float, *effects: Effect) -> StepResult:
    """End the game with this outcome."""
    session = replace(
        session,
        phase=Phase.OVER,
        outcome=outcome,
        clocks=session.clocks.stop(None, at_ms),
        offer=None,
        computer=replace(session.computer, thinking=None, asked_programs=frozenset()),
        table=replace(session.table, differences=()),
    )
    solution_turn = puzzle.next_solution_turn(session)
    hint = None if solution_turn is None else Hint(solution_turn)
    session = replace(session, turn=replace(session.turn, hint=hint))
    session, write = append_entry(session, RESULT, result_body(outcome), at_ms)
    ended = (
        guidance_sentence(session) if session.puzzle.goal else sentences.outcome_sentence(outcome)
    )
    return session, (*effects, write, StopThinking(), Announce(ended), PlaySignal(Signal.OVER))


def pause_play(session: Session, at_ms: float, *effects: Effect) -> StepResult:
    """Pause the game and stop the clocks. Players who pressed fire must press again."""
    if session.phase is Phase.PAUSED:
        return session, effects
    session = clear_presses(session)
    stopped = session.clocks.stop(None, at_ms)
    return replace(
        session,
        phase=Phase.PAUSED,
        clocks=stopped,
        pause=replace(session.pause, phase=session.phase),
    ), effects


def clear_presses(session: Session) -> Session:
    """Forget presses of fire: those players must press again."""
    phase = Phase.TURN if session.phase is Phase.WAITING_FOR_OTHER else session.phase
    return replace(
        session, phase=phase, turn=replace(session.turn, pressed=frozenset(), fire_requested=False)
    )


def return_to_phase(session: Session, phase: Phase, choices: tuple[Turns, ...] = ()) -> Session:
    """Let the players continue their turn in `phase`, with `choices` to choose from."""
    session = clear_presses(session)
    return replace(session, phase=phase, turn=replace(session.turn, choices=choices))


def running_clocks(session: Session, at_ms: float) -> Clocks:
    """The clocks as they run in this phase: those of the players who still have to act."""
    runs = session.phase is Phase.COMPUTER_THINKING or (
        session.phase in _ACTING_PHASES and session.computer.turn is None
    )
    return session.clocks.start(session.still_to_act if runs else (), at_ms)
