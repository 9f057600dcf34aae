"""The part `referee` of the page protocol: proposals with the effects of a ruling, obstacles,
confirmations. Null without a referee."""

from __future__ import annotations

from collections.abc import Callable

from controller.session import sentences as session_sentences
from controller.session.clocks import ClockKind, format_clock
from controller.session.events import Ruled
from controller.session.referee.policy import Incident, Penalty
from controller.session.referee.rulings import AcceptProposal, DismissProposal, Ruling
from controller.session.referee.state import CALL, Proposal, result_blocked_by_names
from controller.session.state import Phase, Session
from controller.session.step import dry_run
from controller.ui.web import sentences
from controller.ui.web.json_values import optional_sentence_json
from engine.draw.board_json import Json, outcome_json
from engine.game import AnyGame, Outcome
from engine.sentences import Sentence, as_sentence, plain, sentence_json

EvidenceLookup = Callable[[int], Json | None]  # images by the number of the proposal's entry


def referee_part(session: Session, evidence_images: EvidenceLookup) -> Json | None:
    """The part `referee`; None without a referee."""
    policies, state = session.policies, session.referee
    if policies is None:
        return None
    return {
        "policy_set": policies.as_json(),
        "proposals": [
            _proposal_json(session, each, evidence_images(each.number))
            for each in state.open_proposals
        ],
        "illegal_moves": list(state.illegal_moves),
        "confirmed": sorted(state.confirmed_by),
        "pending_confirmations": _pending_confirmations(session)
        if session.phase is Phase.OVER
        else [],
        "obstacles": [sentence_json(each) for each in session.obstacles],
        "stopped": session.pause.requested,
        "next_penalty": [sentence_json(_next_penalty(session, player)) for player in (0, 1)],
    }


def _pending_confirmations(session: Session) -> list[Json]:
    """Those who must still confirm the result: players, or null for the referee."""
    state, policies, seats = session.referee, session.policies, session.seats
    names = result_blocked_by_names(state, policies, seats, session.game)
    return [
        {"player": player, "name": sentence_json(as_sentence(name))}
        for player, name in zip(state.result_blocked_by(policies, seats), names, strict=True)
    ]


def _next_penalty(session: Session, player: int) -> Sentence:
    """The effect of the player's next illegal move."""
    assert session.policies is not None
    penalty = session.policies.penalty_for(session.referee.illegal_moves[player] + 1)
    proposal = Proposal(0, Incident.ILLEGAL_MOVE, plain(""), player, penalty)
    return _accept_effect(session, proposal)


def _penalty_sentence(penalty: Penalty) -> Sentence | None:
    if penalty.is_none:
        return None
    if penalty.loss:
        return sentences.PENALTY_LOSS()
    return sentences.PENALTY_TIME(time=str(penalty))


def _accept_effect(session: Session, proposal: Proposal) -> Sentence:
    game = session.game
    if proposal.subject == Incident.AMBIGUOUS_READ:
        return sentences.PLAYS_CHOSEN_TURN()
    if proposal.outcome is not None:
        return sentences.ENDS_GAME(outcome=_outcome_sentence(game, proposal.outcome))
    if proposal.subject == Incident.ILLEGAL_MOVE and proposal.player is not None:
        name, other = game.players[proposal.player], game.players[1 - proposal.player]
        if proposal.penalty.loss:
            return sentences.LOSES_GAME(player=name)
        if proposal.penalty.time_ms and session.clocks.control.kind is not ClockKind.NONE:
            return sentences.GETS_TIME(player=other, time=format_clock(proposal.penalty.time_ms))
        return sentences.IS_WARNED(player=name)
    if proposal.subject == CALL:
        return sentences.CALL_ACCEPTED()
    return sentences.INCIDENT_ACCEPTED()


def _dismiss_effect(proposal: Proposal) -> Sentence:
    if proposal.subject == Incident.AMBIGUOUS_READ:
        return sentences.MOVE_MADE_AGAIN()
    if proposal.subject == CALL:
        return sentences.CALL_DISMISSED()
    return sentences.INCIDENT_DISMISSED()


def _outcome_sentence(game: AnyGame, outcome: Outcome) -> Sentence:
    if outcome.winner is None:
        if outcome.reason == plain(""):
            return sentences.DRAW()
        return session_sentences.DRAW(reason=outcome.reason)
    winner = game.players[outcome.winner]
    if outcome.reason == plain(""):
        return sentences.WINS(player=winner)
    return session_sentences.WINS(player=winner, reason=outcome.reason)


def _proposal_json(session: Session, proposal: Proposal, images: Json | None) -> Json:
    is_choosing = session.underlying_phase is Phase.CHOOSING_TURN
    return {
        "number": proposal.number,
        "incident": proposal.subject,
        "sentence": sentence_json(proposal.sentence),
        "player": proposal.player,
        "penalty": optional_sentence_json(_penalty_sentence(proposal.penalty)),
        "outcome": outcome_json(proposal.outcome),
        "choices": [sentence_json(each) for each in proposal.choices] if is_choosing else [],
        "accept_effect": sentence_json(_accept_effect(session, proposal)),
        "dismiss_effect": sentence_json(_dismiss_effect(proposal)),
        "why_not": {
            "accept": _refusal_json(session, AcceptProposal(proposal.number)),
            "dismiss": _refusal_json(session, DismissProposal(proposal.number)),
        },
        "images": images,
    }


def _refusal_json(session: Session, ruling: Ruling) -> Json | None:
    """Why the ruling would be refused now; None: it would be applied."""
    return optional_sentence_json(dry_run(session, Ruled(ruling, session.clocks.at_ms or 0.0)))
