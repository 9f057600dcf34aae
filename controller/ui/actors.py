"""Which player a command from a shared keyboard or page acts for."""

from __future__ import annotations

from controller.session.events import Request
from controller.session.state import Phase, Session
from engine.game import Player

MOVING_PHASES = (Phase.TURN, Phase.WAITING_FOR_OTHER, Phase.MISMATCH)


def acting_player(session: Session) -> Player:
    """The player for whom the keyboard acts: a person to move who has not pressed fire, or else
    a person to move, or any person."""
    people = [p for p, seat in enumerate(session.seats) if not seat.is_automated]
    waiting = [p for p in session.to_move if p in people and p not in session.turn.pressed]
    return next(iter([*waiting, *(p for p in session.to_move if p in people), *people]), 0)


def last_mover(session: Session) -> Player:
    """The player who may take the last turn back: a person who made it, or the acting player."""
    made = session.history[-1].turn.moves if session.history else ()
    people = (player for player, _ in reversed(made) if not session.seats[player].is_automated)
    return next(people, acting_player(session))


def players_allowed_to_move(session: Session) -> tuple[Player, ...]:
    """The people to move who have not pressed fire; if all have, all people to move."""
    return (
        tuple(p for p in session.humans_to_move if p not in session.turn.pressed)
        or session.humans_to_move
    )


def player_for_request(session: Session, request: Request) -> Player:
    """The player in whose name a shared screen makes a request."""
    match request:
        case Request.TAKE_BACK:
            return last_mover(session)
        case Request.ACCEPT | Request.DECLINE if session.offer is not None:
            return 1 - session.offer[1]
        case _:
            return acting_player(session)
