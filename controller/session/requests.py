"""Requests of players besides moves: resign, draw, take back, hint, pause, and so on.

`handle_request` carries a request out, passes it on to the other player, or refuses it.
"""

from __future__ import annotations

from dataclasses import replace

from controller.session import puzzle, sentences
from controller.session.computer_moves import give_hint
from controller.session.effects import Announce, StopThinking, Think
from controller.session.events import Request, Requested
from controller.session.pauses import handle_continue, pause
from controller.session.referee.proposals import call_referee
from controller.session.referee.state import CONFIRMATION
from controller.session.state import Phase, Session, TakeBackRule
from controller.session.transitions import (
    StepResult,
    append_entry,
    end_game,
    refuse,
    return_to_phase,
    running_clocks,
    take_back_turns,
)
from controller.session.turns import PUZZLE_THINK_MS, build_question, play_turns
from engine.catalogue import GAME_OVER
from engine.game import Outcome, Player
from engine.search import STRONGEST, WIN
from engine.sentences import Sentence

HINT_THINK_MS = 1_500.0

# Requests that change the game, and so wait while a turn is written and shown.
_GAME_CHANGING = (
    Request.RESIGN,
    Request.OFFER_DRAW,
    Request.CLAIM_DRAW,
    Request.TAKE_BACK,
    Request.ACCEPT,
)
# With a referee, players may not ask for these.
_REFEREE_ONLY = {
    Request.PAUSE: sentences.CALL_REFEREE_TO_STOP,
    Request.CONTINUE: sentences.REFEREE_CONTINUES,
    Request.HINT: sentences.NO_HINTS_WITH_REFEREE,
}
_PLAYERS_ONLY = (*_GAME_CHANGING, Request.DECLINE, Request.HINT)


def handle_request(session: Session, event: Requested) -> StepResult:
    """Carry the request out, pass it on to the other player, or refuse it."""
    refusal = _refusal(session, event)
    if refusal is not None:
        return refuse(session, refusal)
    player, at_ms = event.player, event.at_ms
    match event.request:
        case Request.RESIGN:
            return end_game(session, Outcome.win(1 - player, sentences.RESIGNED()), at_ms)
        case Request.OFFER_DRAW:
            return _offer_draw(session, player)
        case Request.CLAIM_DRAW:
            claim = session.game.claimable(session.position)
            if claim is None or player not in session.to_move:
                return refuse(session, sentences.NO_DRAW_TO_CLAIM())
            return end_game(session, claim, at_ms)
        case Request.TAKE_BACK:
            return _request_take_back(session, player, at_ms)
        case Request.ACCEPT:
            return _accept_offer(session, player, at_ms)
        case Request.DECLINE:
            return _decline_offer(session, player, at_ms)
        case Request.CHOOSE:
            return _choose_turn(session, event)
        case Request.HINT:
            return _request_hint(session, player)
        case Request.CALL_REFEREE:
            return call_referee(session, player, at_ms)
        case Request.CONFIRM:
            return confirm_result(session, player, at_ms)
        case Request.PAUSE:
            return pause(session, at_ms)
        case Request.CONTINUE:
            return handle_continue(session, at_ms)


def _refusal(session: Session, event: Requested) -> Sentence | None:
    """Why the request is refused in this phase, for this player; None: it is not."""
    request, seat = event.request, session.seats[event.player]
    if session.policies is not None and request in _REFEREE_ONLY:
        return _REFEREE_ONLY[request]()
    if request in (Request.CALL_REFEREE, Request.CONFIRM):
        return None if session.policies is not None else sentences.NO_REFEREE()
    if session.underlying_phase is Phase.OVER and (
        request is not Request.CONTINUE or session.phase is Phase.OVER
    ):
        return GAME_OVER(outcome=sentences.outcome_sentence(session.outcome))
    if request in _PLAYERS_ONLY and seat.is_automated:
        played_by = sentences.PLAYED_BY_PROGRAM if seat.is_program else sentences.PLAYED_BY_COMPUTER
        return played_by(player=session.game.players[event.player])
    if request in _GAME_CHANGING and session.underlying_phase is Phase.FIRING:
        return sentences.WAIT_FOR_LASER()
    if request in (Request.CHOOSE, Request.HINT) and session.phase is Phase.PAUSED:
        return sentences.GAME_IS_PAUSED()
    if request is Request.CONTINUE and session.phase is not Phase.PAUSED:
        return sentences.NOT_PAUSED()
    return _hint_refusal(session, event.player) if request is Request.HINT else None


def _hint_refusal(session: Session, player: Player) -> Sentence | None:
    is_moving = session.phase in (Phase.TURN, Phase.MISMATCH) and session.computer.turn is None
    if puzzle.first_move_is_wrong(session):
        return sentences.WRONG_FIRST_MOVE()
    if not is_moving or player not in session.to_move:
        return sentences.HINT_FOR_MOVER()
    return None if session.computer.thinking is None else sentences.ALREADY_THINKING()


# -- offers ------------------------------------------------------------------------------------


def _offer_draw(session: Session, player: Player) -> StepResult:
    names, other = session.game.players, 1 - player
    offered = Announce(sentences.OFFERS_DRAW(player=names[player]))
    if session.seats[other].is_automated:
        return session, (offered, Announce(sentences.DECLINES_DRAW(player=names[other])))
    return replace(session, offer=(Request.OFFER_DRAW, player)), (offered,)


def _request_take_back(session: Session, player: Player, at_ms: float) -> StepResult:
    if session.setup.preferences.take_back is TakeBackRule.NEVER:
        return refuse(session, sentences.NO_TAKE_BACK())
    if not _turns_to_own_last(session, player):
        return refuse(session, sentences.NOTHING_TO_TAKE_BACK())
    if session.seats[1 - player].is_automated:
        return _take_back_own_turn(session, player, at_ms)
    asks = Announce(sentences.ASKS_TAKE_BACK(player=session.game.players[player]))
    return replace(session, offer=(Request.TAKE_BACK, player)), (asks,)


def _accept_offer(session: Session, player: Player, at_ms: float) -> StepResult:
    match session.offer:
        case request, offered_by if offered_by != player:
            session = replace(session, offer=None)
            if request is Request.OFFER_DRAW:
                return end_game(session, Outcome.draw(sentences.AGREED()), at_ms)
            return _take_back_own_turn(session, offered_by, at_ms)
        case None:
            return refuse(session, sentences.NOTHING_TO_ACCEPT())
        case _:
            return refuse(session, _other_must_answer(session, player))


def _decline_offer(session: Session, player: Player, at_ms: float) -> StepResult:
    match session.offer:
        case _, offered_by if offered_by != player:
            declines = sentences.DECLINES(player=session.game.players[player])
            return replace(session, offer=None), (Announce(declines),)
        case None if session.phase is Phase.CHOOSING_TURN:
            session = return_to_phase(session, Phase.TURN)
            session = replace(session, clocks=running_clocks(session, at_ms))
            return session, (Announce(sentences.NONE_OF_THEM()),)
        case None:
            return refuse(session, sentences.NOTHING_TO_DECLINE())
        case _:
            return refuse(session, _other_must_answer(session, player))


def _other_must_answer(session: Session, player: Player) -> Sentence:
    return sentences.OTHER_MUST_ANSWER(player=session.game.players[1 - player])


def _turns_to_own_last(session: Session, player: Player) -> int:
    """How many turns lead back to the player's last own turn; 0 without one. In a puzzle with a
    wrong first move: to the start."""
    if puzzle.first_move_is_wrong(session):
        return len(session.history)
    for back, past in enumerate(reversed(session.history), start=1):
        if any(mover == player for mover, _ in past.turn.moves):
            return back
    return 0


def _take_back_own_turn(session: Session, player: Player, at_ms: float) -> StepResult:
    """Go back to before the player's last own turn, with the clocks of that time."""
    turns = _turns_to_own_last(session, player)
    session, write = take_back_turns(session, turns, at_ms)
    back = sentences.TURN_TAKEN_BACK() if turns == 1 else sentences.TURNS_TAKEN_BACK(turns=turns)
    return session, (write, StopThinking(), Announce(back))


def confirm_result(session: Session, player: Player, at_ms: float) -> StepResult:
    """A player confirms the result."""
    if session.phase is not Phase.OVER or session.outcome is None:
        return refuse(session, sentences.NO_RESULT_YET())
    name = session.game.players[player]
    if player in session.referee.confirmed_by:
        return refuse(session, sentences.CONFIRMED_ALREADY(player=name))
    session, write = append_entry(session, CONFIRMATION, {"player": player}, at_ms)
    confirms = Announce(sentences.CONFIRMS_RESULT(player=name))
    if session.referee.result_blocked_by(session.policies, session.seats):
        return session, (write, confirms)
    outcome = sentences.outcome_sentence(session.outcome)
    return session, (write, confirms, Announce(sentences.RESULT_STANDS(outcome=outcome)))


# -- choices and hints -------------------------------------------------------------------------


def _choose_turn(session: Session, event: Requested) -> StepResult:
    if session.phase is not Phase.CHOOSING_TURN:
        return refuse(session, sentences.NOTHING_TO_CHOOSE())
    if not 0 <= event.choice < len(session.turn.choices):
        return refuse(session, sentences.CHOOSE_BETWEEN(first=1, last=len(session.turn.choices)))
    return play_turns(session, session.turn.choices[event.choice], event.at_ms)


def _request_hint(session: Session, player: Player) -> StepResult:
    if session.puzzle.goal is None:
        asked = replace(
            build_question(session, STRONGEST, player), time_limit_s=HINT_THINK_MS / 1000
        )
    elif known := puzzle.remaining_solution(session):
        return give_hint(session, player, known[0], known, WIN - len(known))
    else:
        asked = replace(
            build_question(session, STRONGEST, player), time_limit_s=PUZZLE_THINK_MS / 1000
        )
    think = Think(player, asked, hint=True)
    return replace(session, computer=replace(session.computer, thinking=think)), (think,)
