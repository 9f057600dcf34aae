"""Checks the rulings of a referee and carries them out.

A ruling never edits the journal: it is one more entry, and the entries that it supersedes stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never

from controller.session import sentences
from controller.session.clocks import ClockKind
from controller.session.effects import Announce, Effect, StopThinking
from controller.session.events import Ruled
from controller.session.pauses import pause, resume_play
from controller.session.referee.policy import Incident
from controller.session.referee.proposals import penalise
from controller.session.referee.rulings import (
    AcceptProposal,
    AddNote,
    ConfirmResult,
    CorrectPosition,
    DeclareResult,
    DismissProposal,
    OverrideTurn,
    Penalise,
    ResumePlay,
    Ruling,
    SetClocks,
    StopPlay,
)
from controller.session.referee.state import CLOCKS, CONFIRMATION, NOTE, RULING, Proposal
from controller.session.replay import CORRECTION, correction_body
from controller.session.state import Phase, Session
from controller.session.transitions import (
    StepResult,
    append_entry,
    end_game,
    pause_play,
    refuse,
    reset_to_position,
    return_to_phase,
    running_clocks,
)
from controller.session.turns import play_turns
from engine.catalogue import GAME_OVER
from engine.errors import LaserboardError
from engine.game import AnyTurn
from engine.sentences import Sentence, joined

_ACTING_PHASES = (
    Phase.TURN,
    Phase.WAITING_FOR_OTHER,
    Phase.CHOOSING_TURN,
    Phase.MISMATCH,
    Phase.SETTING_UP,
)
# Allowed while beams run: the turn does not depend on these.
_ALLOWED_WHILE_FIRING = (AddNote, StopPlay, ResumePlay, SetClocks)
_DECISIONS = {
    "accepted": sentences.PROPOSAL_ACCEPTED,
    "dismissed": sentences.PROPOSAL_DISMISSED,
    "settled": sentences.PROPOSAL_SETTLED,
}


def handle_ruling(session: Session, event: Ruled) -> StepResult:
    """Check a ruling, then carry it out or refuse it."""
    subject = _check_ruling(session, event.ruling)
    if isinstance(subject, Sentence):
        return refuse(session, subject)
    was_paused = session.phase is Phase.PAUSED
    if was_paused:
        session = replace(session, phase=session.pause.phase)
    session, effects = _apply_ruling(session, event.ruling, subject, event.at_ms)
    if session.phase is Phase.OVER or not was_paused:
        return session, effects
    session, effects = pause_play(session, event.at_ms, *effects)
    if session.pause.requested or session.obstacles:
        return session, effects
    session, more = resume_play(session, event.at_ms)
    return session, (*effects, *more)


# -- checks -------------------------------------------------------------------------------------


def _check_ruling(session: Session, ruling: Ruling) -> Any:
    """Return a `Sentence` if the ruling is refused, else its subject: the proposal, the turn or
    the position that it is about, or None."""
    if session.policies is None:
        return sentences.NO_REFEREE()
    over, timed = _game_over(session), session.clocks.control.kind is not ClockKind.NONE
    if session.underlying_phase is Phase.FIRING and not isinstance(ruling, _ALLOWED_WHILE_FIRING):
        return sentences.WAIT_FOR_LASER()
    match ruling:
        case AcceptProposal(number, choice):
            proposal = session.referee.find_proposal(number)
            if proposal is None:
                return sentences.NO_OPEN_PROPOSAL(number=number)
            return _acceptance_refusal(session, proposal, choice) or proposal
        case DismissProposal(number):
            proposal = session.referee.find_proposal(number)
            if proposal is None:
                return sentences.NO_OPEN_PROPOSAL(number=number)
            return _dismissal_refusal(session, proposal) or proposal
        case OverrideTurn():
            return _overriding_turn(session, ruling)
        case CorrectPosition():
            return _corrected_position(session, ruling)
        case SetClocks():
            return None if timed else sentences.NO_CLOCK_TO_SET()
        case Penalise(_, penalty):
            if session.underlying_phase is Phase.OVER:
                return over
            return sentences.NO_TIME_TO_GIVE() if penalty.time_ms and not timed else None
        case DeclareResult():
            return _declaration_refusal(session, ruling)
        case ConfirmResult():
            return _confirmation_refusal(session)
        case ResumePlay():
            if session.phase is not Phase.PAUSED:
                return sentences.NOT_PAUSED()
            obstacles = session.obstacles
            return sentences.CANNOT_CONTINUE(reasons=joined(obstacles)) if obstacles else None
        case StopPlay():
            if session.underlying_phase is Phase.OVER:
                return over
            return sentences.PAUSED_ALREADY() if session.pause.requested else None
        case AddNote():
            return None
        case _:
            assert_never(ruling)


def _game_over(session: Session) -> Sentence:
    return GAME_OVER(outcome=sentences.outcome_sentence(session.outcome))


def _acceptance_refusal(session: Session, proposal: Proposal, choice: int) -> Sentence | None:
    if proposal.subject != Incident.AMBIGUOUS_READ:
        return None
    if not session.turn.choices:
        return sentences.TURNS_FORGOTTEN()
    if choice >= len(session.turn.choices):
        return sentences.CHOOSE_BETWEEN(first=0, last=len(session.turn.choices) - 1)
    return None


def _dismissal_refusal(session: Session, proposal: Proposal) -> Sentence | None:
    if proposal.subject == Incident.KING_HIT:
        return sentences.BOARD_SAYS_INSTEAD(outcome=proposal.sentence)
    if proposal.subject == Incident.FLAG_FALL and session.clocks.fallen:
        return sentences.PUT_TIME_FIRST()
    return None


def _overriding_turn(session: Session, ruling: OverrideTurn) -> AnyTurn | Sentence:
    """The turn that the referee plays; or why it is refused."""
    game, position = session.game, session.position
    if session.underlying_phase not in _ACTING_PHASES or session.outcome is not None:
        return sentences.NO_ONE_TO_MOVE()
    needed, count = len(session.to_move), len(ruling.moves)
    if count != needed:
        return sentences.WRONG_MOVE_COUNT(needed=needed, count=count)
    try:
        moves = {
            player: game.read_move(position, player, text)
            for player, text in zip(session.to_move, ruling.moves, strict=True)
        }
        return game.resolve(position, moves)
    except LaserboardError as error:
        return error.sentence


def _corrected_position(session: Session, ruling: CorrectPosition) -> Any | Sentence:
    """The position after the correction; or why it is refused."""
    game, turns = session.game, ruling.turns
    if turns > len(session.history):
        return sentences.TOO_FEW_TURNS(turns=turns, played=len(session.history))
    earlier = session.history[-turns].position if turns else session.position
    if ruling.position is None:
        return earlier if turns else sentences.CORRECTS_NOTHING()
    try:
        position = game.read_position(ruling.position)
    except LaserboardError as error:
        return error.sentence
    if position.grid != session.position.grid:
        return sentences.OTHER_BOARD()
    if not turns and position == session.position:
        return sentences.POSITION_UNCHANGED()
    return position


def _declaration_refusal(session: Session, ruling: DeclareResult) -> Sentence | None:
    outcome, on_board = ruling.outcome, session.game.outcome(session.position)
    if on_board is not None and on_board.result != outcome.result:
        return sentences.BOARD_SAYS(outcome=sentences.outcome_sentence(on_board))
    if session.outcome == outcome and session.phase is Phase.OVER:
        return sentences.OUTCOME_UNCHANGED(outcome=sentences.outcome_sentence(outcome))
    return None


def _confirmation_refusal(session: Session) -> Sentence | None:
    if session.phase is not Phase.OVER:
        return sentences.NO_RESULT_YET()
    if session.referee.open_proposals:
        return sentences.RULE_FIRST(proposal=session.referee.open_proposals[0].sentence)
    if session.referee.result_blocked_by(session.policies, session.seats):
        return None
    outcome = sentences.outcome_sentence(session.outcome)
    return sentences.RESULT_STANDS_ALREADY(outcome=outcome)


# -- application -------------------------------------------------------------------------------


def _apply_ruling(session: Session, ruling: Ruling, subject: Any, at_ms: float) -> StepResult:
    match ruling:
        case AcceptProposal(_, choice):
            session, effects = _accept_proposal(session, subject, choice, at_ms)
            session, closed = _close_proposal(session, subject, "accepted", ruling.note, at_ms)
            return session, (*effects, *closed)
        case DismissProposal():
            session, closed = _close_proposal(session, subject, "dismissed", ruling.note, at_ms)
            return _dismiss_proposal(session, subject, at_ms, *closed)
        case OverrideTurn():
            session, effects = play_turns(session, (subject,), at_ms)
            session, settled = _close_all_proposals(session, ruling.note, at_ms)
            return session, (*effects, *settled)
        case CorrectPosition():
            return _apply_correction(session, ruling, subject, at_ms)
        case SetClocks(left_ms):
            for player in (0, 1):
                clocks = session.clocks.with_remaining(player, left_ms[player], at_ms)
                session = replace(session, clocks=clocks)
            session, write = append_entry(session, CLOCKS, _note_field(ruling.note), at_ms)
            return session, (write, Announce(sentences.CLOCKS_SET()))
        case Penalise(player, penalty):
            return penalise(
                session, player, penalty, at_ms, cause=ruling.note or sentences.CONDUCT.text
            )
        case DeclareResult():
            return _declare_result(session, ruling, at_ms)
        case ConfirmResult(note):
            session, write = append_entry(session, CONFIRMATION, _note_field(note), at_ms)
            outcome = sentences.outcome_sentence(session.outcome)
            return session, (write, Announce(sentences.RESULT_STANDS(outcome=outcome)))
        case AddNote(note):
            session, write = append_entry(session, NOTE, {"note": note}, at_ms)
            return session, (write,)
        case StopPlay():
            return pause(session, at_ms)
        case ResumePlay():
            return replace(session, pause=replace(session.pause, requested=False)), ()
        case _:
            assert_never(ruling)


def _close_proposal(
    session: Session, proposal: Proposal, decision: str, note: str, at_ms: float
) -> StepResult:
    # "matter" is the word of the journal format since 0.1.
    body = {"matter": proposal.number, "decision": decision, **_note_field(note)}
    session, write = append_entry(session, RULING, body, at_ms)
    return session, (write, Announce(_DECISIONS[decision](proposal=proposal.sentence)))


def _close_all_proposals(session: Session, note: str, at_ms: float) -> StepResult:
    """Close every open proposal, calls too, as settled by this ruling."""
    effects: tuple[Effect, ...] = ()
    for proposal in session.referee.open_proposals:
        session, closed = _close_proposal(session, proposal, "settled", note, at_ms)
        effects = (*effects, *closed[:1])
    return session, effects


def _accept_proposal(session: Session, proposal: Proposal, choice: int, at_ms: float) -> StepResult:
    if proposal.subject == Incident.AMBIGUOUS_READ:
        return play_turns(session, session.turn.choices[choice], at_ms)
    if proposal.outcome is not None:
        return end_game(session, proposal.outcome, at_ms)
    if proposal.subject == Incident.ILLEGAL_MOVE and proposal.player is not None:
        return penalise(session, proposal.player, proposal.penalty, at_ms, cause=proposal.subject)
    return session, ()


def _dismiss_proposal(
    session: Session, proposal: Proposal, at_ms: float, *effects: Effect
) -> StepResult:
    if proposal.subject == Incident.AMBIGUOUS_READ and session.phase is Phase.CHOOSING_TURN:
        session = return_to_phase(session, Phase.TURN)
        session = replace(session, clocks=running_clocks(session, at_ms))
        return session, (*effects, Announce(sentences.MAKE_MOVE_VISIBLE()))
    return session, effects


def _apply_correction(
    session: Session, ruling: CorrectPosition, corrected: Any, at_ms: float
) -> StepResult:
    game, turns = session.game, ruling.turns
    history = session.history[:-turns] if turns else session.history
    earlier = session.history[-turns].position if turns else session.position
    by_hand = corrected != earlier
    # Prefer the played position to an equal one: it also counts repetitions.
    position = corrected if by_hand else earlier
    body = correction_body(game, session.position, turns, position, by_hand, ruling.note)
    session, write = append_entry(session, CORRECTION, body, at_ms)
    session, settled = _close_all_proposals(session, ruling.note, at_ms)
    clocks = session.clocks.stop(None, at_ms)
    session = replace(
        reset_to_position(session, position, history), clocks=clocks, clocks_after_turn=clocks
    )
    announcement = Announce(sentences.BOARD_CORRECTED())
    return session, (write, *settled, StopThinking(), announcement)


def _declare_result(session: Session, ruling: DeclareResult, at_ms: float) -> StepResult:
    effects: tuple[Effect, ...] = ()
    if session.phase is Phase.OVER:  # cancels the earlier result
        game, position = session.game, session.position
        body = correction_body(game, position, 0, position, set_by_hand=False, note=ruling.note)
        session, write = append_entry(session, CORRECTION, body, at_ms)
        effects = (write,)
    session, ended = end_game(session, ruling.outcome, at_ms)
    session, settled = _close_all_proposals(session, ruling.note, at_ms)
    return session, (*effects, *ended, *settled)


def _note_field(note: str) -> Mapping[str, str]:
    return {"note": note} if note else {}
