"""What a referee must decide, as the page gets it: open matters with what comes of a ruling in
words, why play cannot go on, who has confirmed. Null where there is no referee."""

from __future__ import annotations

from collections.abc import Callable

from controller.session.clocks import ClockKind, format_clock
from controller.session.events import Ruled
from controller.session.referee.policy import Incident
from controller.session.referee.rulings import AcceptProposal, DismissProposal, Ruling
from controller.session.referee.state import CALL, Proposal, result_blocked_by_names
from controller.session.state import Phase, Session
from controller.session.step import dry_run
from engine.draw.board_json import Json, outcome_json
from engine.game import AnyGame, Outcome
from engine.sentences import plain

EvidenceLookup = Callable[[int], Json | None]  # of what an entry asks about


def referee_part(session: Session, evidence_images: EvidenceLookup) -> Json | None:
    """The whole part."""
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
        "pending_confirmations": pending_confirmations(session)
        if session.phase is Phase.OVER
        else [],
        "obstacles": [str(each) for each in session.obstacles],
        "stopped": session.pause.requested,
        "next_penalty": [next_penalty_text(session, player) for player in (0, 1)],
    }


def pending_confirmations(session: Session) -> list[str]:
    """Who must say something before the result stands."""
    return result_blocked_by_names(session.referee, session.policies, session.seats, session.game)


def next_penalty_text(session: Session, player: int) -> str:
    """What the player's next illegal move costs, in words."""
    assert session.policies is not None
    penalty = session.policies.penalty_for(session.referee.illegal_moves[player] + 1)
    proposal = Proposal(0, Incident.ILLEGAL_MOVE, plain(""), player, penalty)
    return accept_effect(session, proposal)


def accept_effect(session: Session, proposal: Proposal) -> str:
    """What accepting it does."""
    game = session.game
    if proposal.subject == Incident.AMBIGUOUS_READ:
        return "the turn that you choose is played"
    if proposal.outcome is not None:
        return f"the game ends: {outcome_text(game, proposal.outcome)}"
    if proposal.subject == Incident.ILLEGAL_MOVE and proposal.player is not None:
        name, other = game.players[proposal.player], game.players[1 - proposal.player]
        if proposal.penalty.loss:
            return f"{name} loses the game"
        if proposal.penalty.time_ms and session.clocks.control.kind is not ClockKind.NONE:
            return f"{other} gets {format_clock(proposal.penalty.time_ms)}"
        return f"{name} is warned"
    if proposal.subject == CALL:
        return "the call was right, and is written down so"
    return "it is written down; the board is to be put right"


def _dismiss_effect(proposal: Proposal) -> str:
    if proposal.subject == Incident.AMBIGUOUS_READ:
        return "the move is made again, so that it can be seen"
    if proposal.subject == CALL:
        return "nothing comes of the call"
    return "nothing comes of it"


def outcome_text(game: AnyGame, outcome: Outcome) -> str:
    winner = outcome.winner
    won = "a draw" if winner is None else f"{game.players[winner]} wins"
    return f"{won} ({outcome.reason})" if outcome.reason else won


def _proposal_json(session: Session, proposal: Proposal, images: Json | None) -> Json:
    paused_turn = session.underlying_phase is Phase.CONFIRMING
    return {
        "number": proposal.number,
        "incident": proposal.subject,
        "sentence": str(proposal.sentence),
        "player": proposal.player,
        "penalty": None if proposal.penalty.is_none else str(proposal.penalty),
        "outcome": outcome_json(proposal.outcome),
        "choices": [str(each) for each in proposal.choices] if paused_turn else [],
        "accept_effect": accept_effect(session, proposal),
        "dismiss_effect": _dismiss_effect(proposal),
        "why_not": {
            "accept": _refusal_text(session, AcceptProposal(proposal.number)),
            "dismiss": _refusal_text(session, DismissProposal(proposal.number)),
        },
        "images": images,
    }


def _refusal_text(session: Session, ruling: Ruling) -> str:
    """Why the ruling would be refused now; empty: it would not."""
    return str(dry_run(session, Ruled(ruling, session.clocks.at_ms or 0.0)) or "")
