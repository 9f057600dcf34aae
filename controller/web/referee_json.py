"""What a referee must decide, as the page gets it: open matters with what comes of a ruling in
words, why play cannot go on, who has confirmed. Null where there is no referee."""

from __future__ import annotations

from collections.abc import Callable

from controller.affairs import CALL, Matter, waiting_for
from controller.clocks import Kind, clock_face
from controller.flow.rulings import why_not
from controller.laws import Happening
from controller.rulings import Accept, Dismiss
from controller.session_values import Phase, Session
from controller.web.pieces_json import Json, outcome_json
from engine.game import AnyGame, Outcome

Pictures = Callable[[int], Json | None]  # of what an entry asks about


def referee_part(session: Session, pictures: Pictures) -> Json | None:
    """The whole part."""
    laws, affairs = session.laws, session.affairs
    if laws is None:
        return None
    return {
        "laws": laws.as_json(),
        "matters": [_matter(session, each, pictures(each.number)) for each in affairs.open],
        "illegal": list(affairs.illegal),
        "confirmed": sorted(affairs.confirmed),
        "waits": waits_of(session) if session.phase is Phase.OVER else [],
        "obstacles": list(session.obstacles),
        "stopped": session.pause_wanted,
        "next_penalty": [comes_of(session, player) for player in (0, 1)],
    }


def waits_of(session: Session) -> list[str]:
    """Who must say something before the result stands."""
    return waiting_for(session.affairs, session.laws, session.seats, session.table.game)


def comes_of(session: Session, player: int) -> str:
    """What the player's next illegal move costs, in words."""
    assert session.laws is not None
    penalty = session.laws.penalty(session.affairs.illegal[player] + 1)
    matter = Matter(0, Happening.ILLEGAL_MOVE, "", player, penalty)
    return accepting(session, matter)


def accepting(session: Session, matter: Matter) -> str:
    """What accepting it does."""
    game = session.table.game
    if matter.about == Happening.AMBIGUOUS_READ:
        return "the turn that you choose is played"
    if matter.outcome is not None:
        return f"the game ends: {ending(game, matter.outcome)}"
    if matter.about == Happening.ILLEGAL_MOVE and matter.player is not None:
        name, other = game.players[matter.player], game.players[1 - matter.player]
        if matter.penalty.loss:
            return f"{name} loses the game"
        if matter.penalty.time_ms and session.clocks.control.kind is not Kind.NONE:
            return f"{other} gets {clock_face(matter.penalty.time_ms)}"
        return f"{name} is warned"
    if matter.about == CALL:
        return "the call was right, and is written down so"
    return "it is written down; the board is to be put right"


def _dismissing(matter: Matter) -> str:
    if matter.about == Happening.AMBIGUOUS_READ:
        return "the move is made again, so that it can be seen"
    if matter.about == CALL:
        return "nothing comes of the call"
    return "nothing comes of it"


def ending(game: AnyGame, outcome: Outcome) -> str:
    winner = outcome.winner
    won = "a draw" if winner is None else f"{game.players[winner]} wins"
    return f"{won} ({outcome.reason})" if outcome.reason else won


def _matter(session: Session, matter: Matter, pictures: Json | None) -> Json:
    paused_turn = session.beneath is Phase.CONFIRMING
    return {
        "number": matter.number,
        "about": matter.about,
        "sentence": matter.sentence,
        "player": matter.player,
        "penalty": None if matter.penalty.none else str(matter.penalty),
        "outcome": outcome_json(matter.outcome),
        "choices": list(matter.choices) if paused_turn else [],
        "accepting": accepting(session, matter),
        "dismissing": _dismissing(matter),
        "why_not": {
            "accept": why_not(session, Accept(matter.number)),
            "dismiss": why_not(session, Dismiss(matter.number)),
        },
        "pictures": pictures,
    }
