"""Handles incidents by the policies of the table: decides, proposes to the referee, or logs.

Without policies there is no referee, and the players settle incidents among themselves.
"""

from __future__ import annotations

from dataclasses import replace

from controller.ports.events import Signal
from controller.session import sentences
from controller.session.clocks import ClockKind
from controller.session.effects import Announce, CaptureEvidence, Effect, PlaySignal
from controller.session.referee.policy import Incident, Penalty, Policy
from controller.session.referee.state import CALL, INCIDENT, NO_PENALTY, PENALTY, PROPOSAL, Proposal
from controller.session.sentence_fields import sentence_fields
from controller.session.state import Session
from controller.session.transitions import StepResult, append_entry, end_game, refuse
from engine.game import Outcome, Player
from engine.sentences import Sentence, joined

LASTING_MISMATCH_MS = 5_000.0  # a mismatch without a hand for this long is no half-made move


def policy_for(session: Session, incident: Incident) -> Policy | None:
    return None if session.policies is None else session.policies.policy_for(incident)


def propose(
    session: Session,
    subject: str,
    sentence: Sentence,
    at_ms: float,
    *,
    player: Player | None = None,
    penalty: Penalty = NO_PENALTY,
    outcome: Outcome | None = None,
    choices: tuple[Sentence, ...] = (),
) -> StepResult:
    """Write a proposal. `step` pauses play until the ruling."""
    proposal = Proposal(
        session.writing.entry_count + 1, subject, sentence, player, penalty, outcome, choices
    )
    session, write = append_entry(session, PROPOSAL, proposal.entry_body(), at_ms)
    # A turn that was played has its images already.
    played = subject in (Incident.KING_HIT, Incident.REPETITION)
    evidence_effects = (
        () if played else (CaptureEvidence(len(session.history) + 1, proposal.number),)
    )
    return session, (
        write,
        Announce(sentences.REFEREE_ASKED(proposal=sentence)),
        PlaySignal(Signal.TROUBLE),
        *evidence_effects,
    )


def log_incident(
    session: Session, incident: Incident, sentence: Sentence, at_ms: float, player: Player | None
) -> StepResult:
    """Write an incident to the journal, and nothing else."""
    body = {"about": incident.value, **sentence_fields(sentence)}
    entry_body = body if player is None else {**body, "player": player}
    session, write = append_entry(session, INCIDENT, entry_body, at_ms)
    return session, (write,)


def call_referee(session: Session, player: Player, at_ms: float) -> StepResult:
    """A player calls the referee."""
    if session.policies is None:
        return refuse(session, sentences.NO_REFEREE())
    name = session.game.players[player]
    if any(
        each.subject == CALL and each.player == player for each in session.referee.open_proposals
    ):
        return refuse(session, sentences.CALLED_ALREADY(player=name))
    return propose(session, CALL, sentences.CALLS_REFEREE(player=name), at_ms, player=player)


def report_mismatch(
    session: Session,
    sentence: Sentence,
    at_ms: float,
    *,
    is_illegal_move: bool,
    effects: tuple[Effect, ...],
) -> StepResult:
    """Apply the policy to a press of fire on a mismatch. A piece carried against a rule is an
    illegal move; anything else is a mismatch, without a penalty."""
    incident = Incident.ILLEGAL_MOVE if is_illegal_move else Incident.MISMATCH
    policy = policy_for(session, incident)
    already_reported = session.table.reported_mismatch_ms == session.table.settled_since_ms
    if policy is None or already_reported:  # pressing again does not count again
        return session, effects
    session = replace(
        session, table=replace(session.table, reported_mismatch_ms=session.table.settled_since_ms)
    )
    player = session.to_move[0] if len(session.to_move) == 1 else None
    if policy is Policy.LOG:
        session, entry = log_incident(session, incident, sentence, at_ms, player)
        return session, (*effects, *entry)
    penalty = NO_PENALTY
    if is_illegal_move and player is not None:
        assert session.policies is not None
        penalty = session.policies.penalty_for(session.referee.illegal_moves[player] + 1)
    if policy is Policy.PROPOSE:
        session, asked = propose(session, incident, sentence, at_ms, player=player, penalty=penalty)
        return session, (*effects, *asked)
    if player is None or not is_illegal_move:
        return session, effects
    session, penalised = penalise(session, player, penalty, at_ms, cause=incident.value)
    return session, (*effects, *penalised)


def handle_lasting_mismatch(session: Session, at_ms: float) -> StepResult:
    """The table has shown a mismatch for `LASTING_MISMATCH_MS` without a hand near it."""
    policy = policy_for(session, Incident.MISMATCH)
    since_ms = session.table.settled_since_ms
    if (
        policy is None
        or policy is Policy.ACCEPT
        or since_ms is None
        or session.referee.open_proposals
    ):
        return session, ()
    if at_ms - since_ms < LASTING_MISMATCH_MS or session.table.reported_mismatch_ms == since_ms:
        return session, ()
    session = replace(session, table=replace(session.table, reported_mismatch_ms=since_ms))
    sentence = joined(each.sentence for each in session.table.differences)
    if policy is Policy.PROPOSE:
        return propose(session, Incident.MISMATCH, sentence, at_ms)
    return log_incident(session, Incident.MISMATCH, sentence, at_ms, None)


def handle_flag_fall(session: Session, fallen: tuple[Player, ...], at_ms: float) -> StepResult:
    """The time of these players has run out; of both in one tick, it is a draw."""
    alone, reason = len(fallen) == 1, sentences.OUT_OF_TIME()
    outcome = Outcome.win(1 - fallen[0], reason) if alone else Outcome.draw(reason)
    policy = policy_for(session, Incident.FLAG_FALL)
    if policy in (None, Policy.ACCEPT):
        return end_game(session, outcome, at_ms)
    names = sentences.join_and([session.game.players[each] for each in fallen])
    sentence = sentences.TIME_OVER(players=names)
    if policy is Policy.LOG:
        effects: tuple[Effect, ...] = ()
        for player in fallen:
            session, entry = log_incident(session, Incident.FLAG_FALL, sentence, at_ms, player)
            effects = (*effects, *entry)
        return session, (*effects, Announce(sentence))
    return propose(
        session,
        Incident.FLAG_FALL,
        sentence,
        at_ms,
        player=fallen[0] if alone else None,
        outcome=outcome,
    )


def handle_board_ending(session: Session, outcome: Outcome, at_ms: float) -> StepResult:
    """The beams have ended the game."""
    policy, sentence = policy_for(session, Incident.KING_HIT), sentences.outcome_sentence(outcome)
    if policy is Policy.PROPOSE:
        return propose(session, Incident.KING_HIT, sentence, at_ms, outcome=outcome)
    if policy is Policy.LOG:
        session, entry = log_incident(session, Incident.KING_HIT, sentence, at_ms, None)
        session, ended = end_game(session, outcome, at_ms)
        return session, (*entry, *ended)
    return end_game(session, outcome, at_ms)


def handle_claimable_draw(session: Session, at_ms: float) -> StepResult:
    """A draw can be claimed since the last turn: repetition, or no capture for long."""
    game = session.game
    policy = policy_for(session, Incident.REPETITION)
    draw = game.claimable(session.position)
    before = session.history[-1].position if session.history else None
    if policy is None or draw is None or (before is not None and game.claimable(before)):
        return session, ()
    if policy is Policy.ACCEPT:
        return end_game(session, draw, at_ms)
    sentence = sentences.DRAW_CLAIMABLE(reason=draw.reason)
    if policy is Policy.PROPOSE:
        return propose(session, Incident.REPETITION, sentence, at_ms, outcome=draw)
    session, entry = log_incident(session, Incident.REPETITION, sentence, at_ms, None)
    return session, (*entry, Announce(sentence))


def penalise(
    session: Session, player: Player, penalty: Penalty, at_ms: float, *, cause: str, note: str = ""
) -> StepResult:
    """Penalise a player: time for the opponent, if there are clocks, or the loss of the game."""
    other = 1 - player
    body = {"player": player, "penalty": str(penalty), "for": cause}
    given_ms = penalty.time_ms if session.clocks.control.kind is not ClockKind.NONE else 0
    if given_ms:
        clocks = session.clocks.at(at_ms)
        added = clocks.with_remaining(other, clocks.left_ms[other] + given_ms, at_ms)
        session = replace(session, clocks=added)
    session, write = append_entry(session, PENALTY, body | ({"note": note} if note else {}), at_ms)
    subject = sentences.subject_sentence(cause)
    announcement = Announce(_penalty_sentence(session, player, penalty, subject))
    if not penalty.loss:
        return session, (write, announcement)
    lost = Outcome.win(other, sentences.PENALTY_FOR(cause=subject))
    session, ended = end_game(session, lost, at_ms)
    return session, (write, announcement, *ended)


def _penalty_sentence(
    session: Session, player: Player, penalty: Penalty, cause: str | Sentence
) -> Sentence:
    name, other = session.game.players[player], session.game.players[1 - player]
    if penalty.loss:
        return sentences.PENALISED_LOSS(player=name, cause=cause)
    if penalty.is_none:
        return sentences.PENALISED_WARNING(player=name, cause=cause)
    return sentences.PENALISED_TIME(player=name, cause=cause, time=str(penalty), other=other)
