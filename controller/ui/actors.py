"""Which player a command from a shared keyboard or page acts for."""

from __future__ import annotations

from controller.session.events import Request
from controller.session.state import Phase, Session
from engine.game import Player

MOVING_PHASES = (Phase.TURN, Phase.WAITING_FOR_OTHER, Phase.MISMATCH)


def acting_player(session: Session) -> Player:
    """Whom the keys are for: who is to act and has not, be it one of several."""
    people = [p for p, seat in enumerate(session.seats) if not seat.is_automated]
    waiting = [p for p in session.to_move if p in people and p not in session.turn.pressed]
    return next(iter([*waiting, *(p for p in session.to_move if p in people), *people]), 0)


def last_mover(session: Session) -> Player:
    """Who would take the last turn back: the person who made it, else whoever is to act."""
    made = session.history[-1].turn.moves if session.history else ()
    people = (player for player, _ in reversed(made) if not session.seats[player].is_automated)
    return next(people, acting_player(session))


def players_allowed_to_move(session: Session) -> tuple[Player, ...]:
    """Whose moves can be made now, who has not pressed first."""
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
