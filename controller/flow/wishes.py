"""What players ask for besides making a move: to resign, a draw, a turn back, a hint, a pause."""

from __future__ import annotations

from dataclasses import replace

from controller import goals
from controller.affairs import CONFIRMATION
from controller.flow.computer import hinted
from controller.flow.matters import called
from controller.flow.pauses import continued, paused
from controller.flow.steps import Step, entry, over, taken_back, ticking, unpressed
from controller.flow.turns import PUZZLE_THOUGHT_MS, play, question
from controller.session_values import (
    Asked,
    Phase,
    Say,
    Session,
    StopThinking,
    TakeBack,
    Think,
    Wish,
)
from engine.game import Outcome, Player
from engine.search import STRONGEST, WIN

HINT_THOUGHT_MS = 1_500.0

# What changes the game, and so must wait for the turn that is being written and shown.
_WEIGHTY = (Wish.RESIGN, Wish.OFFER_DRAW, Wish.CLAIM_DRAW, Wish.TAKE_BACK, Wish.ACCEPT)
# What is no player's affair where there is a referee.
_THE_REFEREES = {
    Wish.PAUSE: "call the referee, who may stop the game",
    Wish.CONTINUE: "the referee says when play goes on",
    Wish.HINT: "there are no hints where there is a referee",
}
_OF_A_PLAYER = (*_WEIGHTY, Wish.DECLINE, Wish.HINT)


def asked(session: Session, event: Asked) -> Step:
    """Grant it, pass it on, or say why not."""
    refused = refusal(session, event)
    if refused:
        return session, (Say(refused),)
    player, at_ms = event.player, event.at_ms
    match event.wish:
        case Wish.RESIGN:
            return over(session, Outcome.win(1 - player, "resigned"), at_ms)
        case Wish.OFFER_DRAW:
            return _draw_offered(session, player)
        case Wish.CLAIM_DRAW:
            claim = session.table.game.claimable(session.position)
            if claim is None or player not in session.movers:
                return session, (Say("there is no draw to claim"),)
            return over(session, claim, at_ms)
        case Wish.TAKE_BACK:
            return _take_back_wanted(session, player, at_ms)
        case Wish.ACCEPT:
            return _accepted(session, player, at_ms)
        case Wish.DECLINE:
            return _declined(session, player, at_ms)
        case Wish.CHOOSE:
            return _choice_made(session, event)
        case Wish.HINT:
            return _hint_wanted(session, player)
        case Wish.CALL:
            return called(session, player, at_ms)
        case Wish.CONFIRM:
            return confirmed(session, player, at_ms)
        case Wish.PAUSE:
            return paused(session, at_ms)
        case Wish.CONTINUE:
            return continued(session, at_ms)


def refusal(session: Session, event: Asked) -> str:
    """Why nobody can ask for that now; empty: one can."""
    wish, seat = event.wish, session.seats[event.player]
    if session.laws is not None and wish in _THE_REFEREES:
        return _THE_REFEREES[wish]
    if wish in (Wish.CALL, Wish.CONFIRM):
        return "" if session.laws is not None else "there is no referee at this table"
    if session.beneath is Phase.OVER and (wish is not Wish.CONTINUE or session.phase is Phase.OVER):
        return f"the game is over: {session.outcome}"
    if wish in _OF_A_PLAYER and seat.computer:
        by = "a program" if seat.program else "the computer"
        return f"{session.table.game.players[event.player]} is played by {by}"
    if wish in _WEIGHTY and session.beneath is Phase.FIRING:
        return "wait until the laser has fired"
    if wish in (Wish.CHOOSE, Wish.HINT) and session.phase is Phase.PAUSED:
        return "the game is paused"
    if wish is Wish.CONTINUE and session.phase is not Phase.PAUSED:
        return "the game is not paused"
    return _no_hint(session, event.player) if wish is Wish.HINT else ""


def _no_hint(session: Session, player: Player) -> str:
    acts = session.phase in (Phase.TURN, Phase.MISMATCH) and session.known is None
    if goals.astray(session):
        return goals.ASTRAY
    if not acts or player not in session.movers:
        return "a hint is for whoever is to move"
    return "" if session.question is None else "the computer is thinking already"


# -- offers ------------------------------------------------------------------------------------


def _draw_offered(session: Session, player: Player) -> Step:
    names, other = session.table.game.players, 1 - player
    offered = Say(f"{names[player]} offers a draw")
    if session.seats[other].computer:
        return session, (offered, Say(f"{names[other]} declines the draw"))
    return replace(session, offer=(Wish.OFFER_DRAW, player)), (offered,)


def _take_back_wanted(session: Session, player: Player, at_ms: float) -> Step:
    if session.habits.take_back is TakeBack.NEVER:
        return session, (Say("turns are not taken back at this table"),)
    if not _turns_back(session, player):
        return session, (Say("there is nothing to take back"),)
    if session.seats[1 - player].computer:
        return _taken_back(session, player, at_ms)
    asks = Say(f"{session.table.game.players[player]} asks to take back a turn")
    return replace(session, offer=(Wish.TAKE_BACK, player)), (asks,)


def _accepted(session: Session, player: Player, at_ms: float) -> Step:
    match session.offer:
        case wish, offered_by if offered_by != player:
            session = replace(session, offer=None)
            if wish is Wish.OFFER_DRAW:
                return over(session, Outcome.draw("agreed"), at_ms)
            return _taken_back(session, offered_by, at_ms)
        case None:
            return session, (Say("there is nothing to accept"),)
        case _:
            return session, (Say(_others_to_answer(session, player)),)


def _declined(session: Session, player: Player, at_ms: float) -> Step:
    match session.offer:
        case _, offered_by if offered_by != player:
            named = session.table.game.players[player]
            return replace(session, offer=None), (Say(f"{named} declines"),)
        case None if session.phase is Phase.CONFIRMING:
            session = replace(unpressed(session), phase=Phase.TURN, choices=())
            session = replace(session, clocks=ticking(session, at_ms))
            return session, (Say("none of them: make the move so that it can be seen"),)
        case None:
            return session, (Say("there is nothing to decline"),)
        case _:
            return session, (Say(_others_to_answer(session, player)),)


def _others_to_answer(session: Session, player: Player) -> str:
    return f"{session.table.game.players[1 - player]} must answer that"


def _turns_back(session: Session, player: Player) -> int:
    """How many turns lead back to the player's last own one; 0 if there is none. In a puzzle whose
    first move was wrong, to its beginning."""
    if goals.astray(session):
        return len(session.history)
    for back, past in enumerate(reversed(session.history), start=1):
        if any(mover == player for mover, _ in past.turn.moves):
            return back
    return 0


def _taken_back(session: Session, player: Player, at_ms: float) -> Step:
    """Back to before the player's last own turn, with the clocks of then."""
    turns = _turns_back(session, player)
    session, write = taken_back(session, turns, at_ms)
    how_many = "a turn is" if turns == 1 else f"{turns} turns are"
    back = Say(f"{how_many} taken back: put the pieces as they stood")
    return session, (write, StopThinking(), back)


def confirmed(session: Session, player: Player, at_ms: float) -> Step:
    """A player agrees to the result."""
    if session.phase is not Phase.OVER or session.outcome is None:
        return session, (Say("there is no result to confirm yet"),)
    if player in session.affairs.confirmed:
        return session, ()
    session, write = entry(session, CONFIRMATION, {"player": player}, at_ms)
    names, done = session.table.game.players, not session.affairs.waits(session.laws, session.seats)
    stands = (Say(f"the result stands: {session.outcome}"),) if done else ()
    return session, (write, Say(f"{names[player]} confirms the result"), *stands)


# -- choices and hints -------------------------------------------------------------------------


def _choice_made(session: Session, event: Asked) -> Step:
    if session.phase is not Phase.CONFIRMING:
        return session, (Say("there is nothing to choose"),)
    if not 0 <= event.choice < len(session.choices):
        return session, (Say(f"choose 1 to {len(session.choices)}"),)
    return play(session, session.choices[event.choice], event.at_ms)


def _hint_wanted(session: Session, player: Player) -> Step:
    if session.goal is None:
        asked = replace(question(session, STRONGEST, player), seconds=HINT_THOUGHT_MS / 1000)
    elif known := goals.known_line(session):
        return hinted(session, player, known[0], known, WIN - len(known))
    else:
        asked = replace(question(session, STRONGEST, player), seconds=PUZZLE_THOUGHT_MS / 1000)
    think = Think(player, asked, hint=True)
    return replace(session, question=think), (think,)
