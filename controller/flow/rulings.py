"""What comes of a referee's ruling. Nothing is edited: every ruling is one more entry, and what
was written before stays, superseded by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never

from controller.affairs import CLOCKS, CONFIRMATION, NOTE, RULING, Matter
from controller.clocks import Kind
from controller.flow.matters import punish
from controller.flow.pauses import go_on, paused
from controller.flow.steps import Step, entry, hold, over, set_back, ticking, unpressed
from controller.flow.turns import play
from controller.laws import Happening
from controller.played import CORRECTION, correction_body
from controller.rulings import (
    Accept,
    Annotate,
    Confirm,
    Correct,
    Declare,
    Dismiss,
    GoOn,
    Override,
    Penalise,
    Ruling,
    SetClocks,
    Stop,
)
from controller.session_values import Effect, Phase, Ruled, Say, Session, StopThinking
from engine.errors import LaserboardError
from engine.game import AnyTurn

NO_REFEREE = "there is no referee at this table"
WAIT = "wait until the laser has fired"
_ACTING = (Phase.TURN, Phase.WAITING_FOR_OTHER, Phase.CONFIRMING, Phase.MISMATCH, Phase.SETTING_UP)
# What may be ruled while a beam runs: it changes nothing that the turn depends on.
_ANY_TIME = (Annotate, Stop, GoOn, SetClocks)


def ruled(session: Session, event: Ruled) -> Step:
    """Carry it out, or say why not."""
    refusal = why_not(session, event.ruling)
    if refusal:
        return session, (Say(refusal),)
    was_paused = session.phase is Phase.PAUSED
    if was_paused:
        session = replace(session, phase=session.resumes)
    session, effects = _carried_out(session, event.ruling, event.at_ms)
    if session.phase is Phase.OVER or not was_paused:
        return session, effects
    session, effects = hold(session, event.at_ms, *effects)
    if session.pause_wanted or session.obstacles:
        return session, effects
    session, more = go_on(session, event.at_ms)
    return session, (*effects, *more)


def why_not(session: Session, ruling: Ruling) -> str:
    """Why that cannot be ruled now; empty: it can."""
    if session.laws is None:
        return NO_REFEREE
    if session.beneath is Phase.FIRING and not isinstance(ruling, _ANY_TIME):
        return WAIT
    match ruling:
        case Accept(number, choice):
            matter = session.affairs.matter(number)
            return _no_matter(number) if matter is None else _unacceptable(session, matter, choice)
        case Dismiss(number):
            matter = session.affairs.matter(number)
            return _no_matter(number) if matter is None else _undismissable(session, matter)
        case Override():
            found = _turn(session, ruling)
            return found if isinstance(found, str) else ""
        case Correct():
            found = _corrected(session, ruling)
            return found if isinstance(found, str) else ""
        case SetClocks():
            timed = session.clocks.control.kind is not Kind.NONE
            return "" if timed else "this game is played without clocks: there is none to set"
        case Penalise(_, penalty):
            if session.beneath is Phase.OVER:
                return f"the game is over: {session.outcome}"
            timed = session.clocks.control.kind is not Kind.NONE
            if penalty.time_ms and not timed:
                return "this game is played without clocks: there is no time to give"
            return ""
        case Declare(outcome):
            on_board = session.table.game.outcome(session.position)
            if on_board is not None and on_board.result != outcome.result:
                return f"the board says {on_board}: correct the turn or the position first"
            if session.outcome == outcome and session.phase is Phase.OVER:
                return f"the game has ended so: {outcome}"
            return ""
        case Confirm():
            return _unconfirmable(session)
        case GoOn():
            if session.phase is not Phase.PAUSED:
                return "the game is not paused"
            reasons = "; ".join(session.obstacles)
            return f"play cannot go on: {reasons}" if reasons else ""
        case Stop():
            if session.beneath is Phase.OVER:
                return f"the game is over: {session.outcome}"
            return "the game is paused already" if session.pause_wanted else ""
        case Annotate():
            return ""
        case _:
            assert_never(ruling)


# -- one by one --------------------------------------------------------------------------------


def _carried_out(session: Session, ruling: Ruling, at_ms: float) -> Step:
    match ruling:
        case Accept(number, choice):
            matter = session.affairs.matter(number)
            assert matter is not None
            session, effects = _accepted(session, matter, choice, at_ms)
            session, closed = _closed(session, matter, "accepted", ruling.note, at_ms)
            return session, (*effects, *closed)
        case Dismiss(number):
            matter = session.affairs.matter(number)
            assert matter is not None
            session, closed = _closed(session, matter, "dismissed", ruling.note, at_ms)
            return _dismissed(session, matter, at_ms, *closed)
        case Override():
            turn = _turn(session, ruling)
            assert not isinstance(turn, str)
            session, effects = play(session, (turn,), at_ms)
            session, settled = _settled(session, ruling.note, at_ms)
            return session, (*effects, *settled)
        case Correct():
            return _put(session, ruling, at_ms)
        case SetClocks(left_ms):
            for player in (0, 1):
                clocks = session.clocks.with_remaining(player, left_ms[player], at_ms)
                session = replace(session, clocks=clocks)
            session, write = entry(session, CLOCKS, _noted(ruling.note), at_ms)
            return session, (write, Say("the referee has set the clocks"))
        case Penalise(player, penalty):
            for_ = ruling.note or "conduct"
            return punish(session, player, penalty, at_ms, for_=for_)
        case Declare():
            return _declared(session, ruling, at_ms)
        case Confirm(note):
            session, write = entry(session, CONFIRMATION, _noted(note), at_ms)
            return session, (write, Say(f"the result stands: {session.outcome}"))
        case Annotate(note):
            session, write = entry(session, NOTE, {"note": note}, at_ms)
            return session, (write,)
        case Stop():
            return paused(session, at_ms)
        case GoOn():
            return replace(session, pause_wanted=False), ()
        case _:
            assert_never(ruling)


def _closed(session: Session, matter: Matter, decision: str, note: str, at_ms: float) -> Step:
    body = {"matter": matter.number, "decision": decision, **_noted(note)}
    session, write = entry(session, RULING, body, at_ms)
    return session, (write, Say(f"the referee has {decision}: {matter.sentence}"))


def _settled(session: Session, note: str, at_ms: float) -> Step:
    """Everything that was open is settled by this ruling, calls too."""
    effects: tuple[Effect, ...] = ()
    for matter in session.affairs.open:
        session, closed = _closed(session, matter, "settled", note, at_ms)
        effects = (*effects, *closed[:1])
    return session, effects


def _accepted(session: Session, matter: Matter, choice: int, at_ms: float) -> Step:
    if matter.about == Happening.AMBIGUOUS_READ:
        return play(session, session.choices[choice], at_ms)
    if matter.outcome is not None:
        return over(session, matter.outcome, at_ms)
    if matter.about == Happening.ILLEGAL_MOVE and matter.player is not None:
        return punish(session, matter.player, matter.penalty, at_ms, for_=matter.about)
    return session, ()


def _unacceptable(session: Session, matter: Matter, choice: int) -> str:
    if matter.about != Happening.AMBIGUOUS_READ:
        return ""
    if not session.choices:
        return "the turns that fit are not known any more: play it on the board, or dismiss this"
    if choice >= len(session.choices):
        return f"choose 0 to {len(session.choices) - 1}"
    return ""


def _undismissable(session: Session, matter: Matter) -> str:
    if matter.about == Happening.KING_HIT:
        return f"the board says {matter.sentence}: correct the turn or the position instead"
    if matter.about == Happening.FLAG_FALL and session.clocks.fallen:
        return "put time on that clock first"
    return ""


def _dismissed(session: Session, matter: Matter, at_ms: float, *effects: Effect) -> Step:
    if matter.about == Happening.AMBIGUOUS_READ and session.phase is Phase.CONFIRMING:
        session = replace(unpressed(session), phase=Phase.TURN, choices=())
        session = replace(session, clocks=ticking(session, at_ms))
        return session, (*effects, Say("make the move so that it can be seen"))
    return session, effects


def _turn(session: Session, ruling: Override) -> AnyTurn | str:
    """The turn that the referee played; or why it is none."""
    game, position = session.table.game, session.position
    if session.beneath not in _ACTING or session.outcome is not None:
        return "nobody is to move now: correct the turn or the position instead"
    if len(ruling.moves) != len(session.movers):
        return f"{len(session.movers)} must move, not {len(ruling.moves)}"
    try:
        moves = {
            player: game.read_move(position, player, text)
            for player, text in zip(session.movers, ruling.moves, strict=True)
        }
        return game.resolve(position, moves)
    except LaserboardError as bad:
        return str(bad)


def _corrected(session: Session, ruling: Correct) -> Any | str:
    """The position that it leads to; or why it leads to none."""
    game, turns = session.table.game, ruling.turns
    if turns > len(session.history):
        return f"{turns} turns, of {len(session.history)} that were played"
    led = session.history[-turns].position if turns else session.position
    if ruling.position is None:
        return led if turns else "that corrects nothing: name turns, or a position"
    try:
        put = game.read_position(ruling.position)
    except LaserboardError as bad:
        return str(bad)
    if put.grid != session.position.grid:
        return "that is the position of another board"
    return "the board stands so already" if not turns and put == session.position else put


def _put(session: Session, ruling: Correct, at_ms: float) -> Step:
    game, turns = session.table.game, ruling.turns
    put = _corrected(session, ruling)
    left = session.history[:-turns] if turns else session.history
    led = session.history[-turns].position if turns else session.position
    by_hand = put != led
    position = put if by_hand else led  # which remembers more than what is written of it
    body = correction_body(game, session.position, turns, position, by_hand, ruling.note)
    session, write = entry(session, CORRECTION, body, at_ms)
    session, settled = _settled(session, ruling.note, at_ms)
    clocks = session.clocks.stop(None, at_ms)
    session = replace(set_back(session, position, left), clocks=clocks, turn_clocks=clocks)
    told = Say("the referee has corrected the board: put the pieces as shown")
    return session, (write, *settled, StopThinking(), told)


def _declared(session: Session, ruling: Declare, at_ms: float) -> Step:
    effects: tuple[Effect, ...] = ()
    if session.phase is Phase.OVER:  # the other result counts no more
        game, position = session.table.game, session.position
        body = correction_body(game, position, 0, position, put=False, note=ruling.note)
        session, write = entry(session, CORRECTION, body, at_ms)
        effects = (write,)
    session, ended = over(session, ruling.outcome, at_ms)
    session, settled = _settled(session, ruling.note, at_ms)
    return session, (*effects, *ended, *settled)


def _unconfirmable(session: Session) -> str:
    if session.phase is not Phase.OVER:
        return "there is no result to confirm yet"
    if session.affairs.open:
        return f"first rule on this: {session.affairs.open[0].sentence}"
    waits = session.affairs.waits(session.laws, session.seats)
    return "" if waits else f"the result stands already: {session.outcome}"


def _no_matter(number: int) -> str:
    return f"there is no open matter {number}: somebody has ruled on it already"


def _noted(note: str) -> Mapping[str, str]:
    return {"note": note} if note else {}
