"""The flow of a game: `step(session, event) -> (session, effects)`, pure, and decided here alone.

A touch is no move until the laser fires: while the table changes nothing is decided. A turn is
written first, and only when it is on disk its beams run. What cannot be named for sure is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, assert_never

from controller.played import RESULT, TAKE_BACK, TURN, result_body, take_back_body, turn_body
from controller.ports import DeviceBack, DeviceLost, Pressed, Signal, WriteFailed, Written
from controller.session_values import (
    Asked,
    Chosen,
    Effect,
    Event,
    Fire,
    Observed,
    Phase,
    Say,
    Session,
    Shown,
    StopThinking,
    Tell,
    Think,
    Tick,
    Wish,
    Write,
)
from engine.draw.words import headline
from engine.errors import IllegalMove
from engine.game import AnyTurn, Outcome, Player
from engine.grid import Cell
from vision.hypotheses import Hypotheses, Turns, last_seen
from vision.infer import Ambiguous, Exact, Mismatch, NoChange, check, infer
from vision.steady import Settled

Step = tuple[Session, tuple[Effect, ...]]

NO_MOVE = "no move made yet"
HANDS_OFF = "hands off the board, please"
FIRE = "fire "


def step(session: Session, event: Event) -> Step:
    """What comes of an event."""
    match event:
        case Observed():
            return _observed(session, event)
        case Pressed(button, at_ms):
            return _pressed(session, button, at_ms)
        case Asked():
            return _asked(session, event)
        case Tick(at_ms):
            return _tick(session, at_ms)
        case Written(number):
            return _written(session, number)
        case WriteFailed(_, sentence, at_ms):
            stopped = replace(session, trouble=sentence, clocks=session.clocks.stop(None, at_ms))
            return _paused(stopped, Say(sentence), Tell(Signal.TROUBLE))
        case Shown(at_ms):
            return _shown(session, at_ms)
        case Chosen(player, move, at_ms):
            return _chosen(session, player, move, at_ms)
        case DeviceLost(device, reason):
            lost = session.lost | {device}
            return replace(session, lost=lost), (Say(f"{device}: {reason}"), Tell(Signal.TROUBLE))
        case DeviceBack(device):
            return replace(session, lost=session.lost - {device}), (Say(f"{device} works again"),)
        case _:
            assert_never(event)


# -- what the camera sees ----------------------------------------------------------------------


def _observed(session: Session, event: Observed) -> Step:
    steady, report = session.steady.watch(event.observation, round(event.at_ms))
    session = replace(session, steady=steady)
    if not isinstance(report, Settled):
        return replace(session, settled=None, inference=None), ()
    fresh = session.settled is None or bool(event.observation.changed)
    table = session.table
    facing = last_seen(session.facing, report.sightings, table.meanings, table.board.grid.headings)
    session = replace(session, settled=report, facing=facing)
    if not fresh and session.inference is not None:
        return session, ()
    return _judged(session, report, event.at_ms)


def _judged(session: Session, report: Settled, at_ms: float) -> Step:
    """The table has come to rest: what does that mean now?"""
    table = session.table
    match session.phase:
        case Phase.SETTING_UP:
            found = check(table.game, session.position, report.evidence, table.meanings)
            session = replace(session, differences=found.differences)
            if found.differences or found.unseen:
                return session, ()
            return _begin_turn(session, at_ms, Say("the board is set up"), Tell(Signal.READY))
        case Phase.CLEARING:
            found = check(table.game, session.position, report.evidence, table.meanings)
            session = replace(session, differences=found.differences)
            if found.differences:
                return session, ()
            return _begin_turn(session, at_ms)
        case Phase.TURN | Phase.WAITING_FOR_OTHER | Phase.MISMATCH | Phase.COMPUTER_TO_MOVE:
            return _inferred(session, report, at_ms)
        case _:
            return session, ()


def _inferred(session: Session, report: Settled, at_ms: float) -> Step:
    assert session.hypotheses is not None
    inference = infer(session.hypotheses, report.evidence, session.table.meanings)
    session = replace(session, inference=inference)
    if isinstance(inference, Mismatch):
        session = replace(session, differences=inference.differences, fire_wanted=False)
        if session.phase is Phase.MISMATCH:
            return session, ()
        # Whoever is in the middle of a move is shown what is amiss, but not scolded for it.
        told = () if session.known is None else (Tell(Signal.WRONG),)
        return replace(session, phase=Phase.MISMATCH), told
    if session.phase is Phase.MISMATCH:
        back = Phase.TURN if session.known is None else Phase.COMPUTER_TO_MOVE
        session = replace(session, phase=back, differences=())
    if session.known is not None:
        if isinstance(inference, Exact):
            return _play(session, inference.turns, at_ms)
        return session, ()
    return _fire(session, at_ms) if session.fire_wanted else (session, ())


# -- what people do ----------------------------------------------------------------------------


def _pressed(session: Session, button: str, at_ms: float) -> Step:
    if button == "pause":
        wish = Wish.CONTINUE if session.phase is Phase.PAUSED else Wish.PAUSE
        return _asked(session, Asked(wish, 0, at_ms))
    if not button.startswith(FIRE):
        return session, ()
    player = int(button.removeprefix(FIRE))
    match session.phase:
        case Phase.TURN | Phase.WAITING_FOR_OTHER if player in session.movers:
            pressed = session.pressed | {player}
            session = replace(session, pressed=pressed)
            people = {each for each in session.movers if not session.seats[each].computer}
            if pressed >= people:
                session = replace(session, fire_wanted=True)
                if session.settled is None:
                    return session, (Say(HANDS_OFF),)
                return _fire(session, at_ms)
            return replace(session, phase=Phase.WAITING_FOR_OTHER), ()
        case Phase.TURN:
            waits = " and ".join(session.table.game.players[each] for each in session.movers)
            return session, (Say(f"it is the turn of {waits}"),)
        case Phase.MISMATCH:
            return session, (*_amiss(session), Tell(Signal.WRONG))
        case _:
            return session, ()


def _fire(session: Session, at_ms: float) -> Step:
    """Everybody has pressed, and the table has settled."""
    session = replace(session, fire_wanted=False)
    match session.inference:
        case Exact(turns):
            return _play(session, turns, at_ms)
        case NoChange() | None:
            again = replace(session, pressed=frozenset(), phase=Phase.TURN)
            return again, (Say(NO_MOVE), Tell(Signal.WRONG))
        case Ambiguous(choices):
            real = tuple(turns for turns in choices if turns)
            names = " or ".join(headline(session.table.game, turns[-1]) for turns in real)
            asked = replace(session, phase=Phase.CONFIRMING, choices=real)
            return asked, (Say(f"which was it: {names}?"), Tell(Signal.WRONG))
        case Mismatch(differences):
            wrong = replace(session, phase=Phase.MISMATCH, differences=differences)
            return wrong, (*_amiss(wrong), Tell(Signal.WRONG))


def _amiss(session: Session) -> tuple[Say, ...]:
    """What is wrong on the table: an illegal move by its rule, anything else cell by cell."""
    game, position, found = session.table.game, session.position, session.differences
    gone = [each for each in found if each.expected is not None and each.seen is None]
    came = [each for each in found if each.expected is None and each.seen is not None]
    if len(found) == 2 and gone and came:
        (source, left), (target, piece) = (
            (gone[0].cell, gone[0].expected),
            (came[0].cell, came[0].seen),
        )
        assert left is not None
        assert piece is not None
        reason = game.why_not_carried(position, source, target)
        if (left.kind, left.owner) == (piece.kind, piece.owner) and reason:
            name = position.grid.name
            free = sorted(name(cell) for cell in _targets(session, source))
            instead = f"; it may go to {', '.join(free)}" if free else ""
            return (Say(f"{name(source)} to {name(target)}: {reason}{instead}"),)
    return tuple(Say(each.sentence) for each in found)


def _targets(session: Session, source: Cell) -> set[Cell]:
    """Where the piece on a cell may be carried now."""
    game, position = session.table.game, session.position
    return {
        cell
        for player in session.movers
        for move in game.legal(position, player)
        if game.origin(position, player, move) == source and len(session.movers) == 1
        for cell in game.resolve(position, {player: move}).aimed.pieces.keys()
        - position.pieces.keys()
    }


def _asked(session: Session, event: Asked) -> Step:
    player, at_ms, game = event.player, event.at_ms, session.table.game
    other = 1 - player
    if session.phase is Phase.OVER:
        return session, ()
    match event.wish:
        case Wish.RESIGN:
            return _over(session, Outcome.win(other, "resigned"), at_ms)
        case Wish.OFFER_DRAW | Wish.TAKE_BACK:
            if event.wish is Wish.TAKE_BACK and not session.history:
                return session, (Say("there is nothing to take back"),)
            named = "a draw" if event.wish is Wish.OFFER_DRAW else "to take back a turn"
            offered = replace(session, offer=(event.wish, player))
            return offered, (Say(f"{game.players[player]} offers {named}"),)
        case Wish.ACCEPT if session.offer is not None and session.offer[1] != player:
            wish = session.offer[0]
            session = replace(session, offer=None)
            if wish is Wish.OFFER_DRAW:
                return _over(session, Outcome.draw("agreed"), at_ms)
            return _taken_back(session, at_ms)
        case Wish.DECLINE if session.offer is not None:
            return replace(session, offer=None), (Say(f"{game.players[player]} declines"),)
        case Wish.CLAIM_DRAW:
            claim = game.claimable(session.position)
            if claim is None or player not in session.movers:
                return session, (Say("there is no draw to claim"),)
            return _over(session, claim, at_ms)
        case Wish.CHOOSE if session.phase is Phase.CONFIRMING:
            if not 0 <= event.choice < len(session.choices):
                return session, (Say(f"choose 1 to {len(session.choices)}"),)
            return _play(session, session.choices[event.choice], at_ms)
        case Wish.PAUSE if session.phase is not Phase.PAUSED:
            stopped = replace(session, clocks=session.clocks.stop(None, at_ms))
            return _paused(stopped, Say("paused"))
        case Wish.CONTINUE if session.phase is Phase.PAUSED:
            return _continued(session, at_ms)
        case _:
            return session, ()


def _paused(session: Session, *effects: Effect) -> Step:
    if session.phase is Phase.PAUSED:
        return session, effects
    return replace(session, phase=Phase.PAUSED, resumes=session.phase), effects


def _continued(session: Session, at_ms: float) -> Step:
    session = replace(session, phase=session.resumes, trouble="", settled=None, inference=None)
    again = session.unwritten  # what the disk did not take is tried once more
    if session.phase in (Phase.TURN, Phase.WAITING_FOR_OTHER, Phase.CONFIRMING):
        session = replace(session, clocks=session.clocks.start(session.movers, at_ms))
    return session, (Say("play goes on"), *again)


def _taken_back(session: Session, at_ms: float) -> Step:
    *earlier, (position, clocks) = session.history
    session = replace(
        session,
        position=position,
        clocks=session.clocks.at(at_ms).taken_back(clocks),
        history=tuple(earlier),
        phase=Phase.SETTING_UP,
        known=None,
        settled=None,
        inference=None,
    )
    session, write = _entry(session, TAKE_BACK, take_back_body(1), at_ms)
    return session, (write, StopThinking(), Say("put the pieces back as they stood"))


# -- a turn ------------------------------------------------------------------------------------


def _begin_turn(session: Session, at_ms: float, *effects: Effect) -> Step:
    """Whoever is to move: people, the computer, or nobody any more."""
    game = session.table.game
    session = replace(
        session,
        pressed=frozenset(),
        fire_wanted=False,
        choices=(),
        known=None,
        inference=None,
        differences=(),
        hypotheses=None,
    )
    ended = session.outcome or game.outcome(session.position)
    if ended is not None:
        return _over(session, ended, at_ms, *effects)
    movers = session.movers
    clocks = session.clocks.start(movers, at_ms)
    computers = [player for player in movers if session.seats[player].computer]
    if computers and len(movers) == 1:
        level = session.seats[computers[0]].level
        assert level is not None
        thinking = replace(session, phase=Phase.COMPUTER_THINKING, clocks=clocks)
        return thinking, (*effects, Think(computers[0], session.position, level))
    hypotheses = Hypotheses.of(game, session.position, session.facing)
    session = replace(session, phase=Phase.TURN, clocks=clocks, hypotheses=hypotheses)
    return session, (*effects, Tell(Signal.YOUR_TURN))


def _chosen(session: Session, player: Player, move: str, at_ms: float) -> Step:
    game = session.table.game
    if session.phase is not Phase.COMPUTER_THINKING or player not in session.movers:
        return session, ()
    try:
        chosen = game.read_move(session.position, player, move)
        turn = game.resolve(session.position, {player: chosen})
    except IllegalMove as bad:
        return _paused(replace(session, trouble=str(bad)), Say(f"the computer erred: {bad}"))
    session = replace(
        session,
        phase=Phase.COMPUTER_TO_MOVE,
        known=turn,
        clocks=session.clocks.stop(None, at_ms),
        hypotheses=Hypotheses.after(game, turn, session.facing),
        settled=None,
        inference=None,
    )
    return session, (Say(f"make this move for the computer: {headline(game, turn)}"),)


def _play(session: Session, turns: Turns, at_ms: float) -> Step:
    """Those turns were made: write down the first."""
    turn, game = turns[0], session.table.game
    clocks = session.clocks.stop(None, at_ms)
    for player, _ in turn.moves:
        clocks = clocks.moved(player, at_ms)
    session = replace(
        session,
        phase=Phase.FIRING,
        pending=turns,
        history=(*session.history, (session.position, session.clocks)),
        clocks=clocks,
        known=None,
        offer=None,
    )
    session, write = _entry(session, TURN, turn_body(game, turn, clocks), at_ms)
    return session, (write,)


def _written(session: Session, number: int) -> Step:
    left = tuple(each for each in session.unwritten if each.number != number)
    session = replace(session, unwritten=left)
    if session.phase is not Phase.FIRING or left or not session.pending:
        return session, ()
    turn = session.pending[0]
    return session, (Say(headline(session.table.game, turn)), Tell(Signal.FIRE), Fire(turn))


def _shown(session: Session, at_ms: float) -> Step:
    """The beams have run: what they struck is off the board now."""
    if session.phase is not Phase.FIRING or not session.pending:
        return session, ()
    turn, *rest = session.pending
    session = replace(
        session,
        position=turn.after,
        pending=(),
        settled=None,
        inference=None,
        outcome=turn.outcome,
    )
    if rest:  # people were quicker than the light: their own turn stands on the table already
        return _play(session, tuple(rest), at_ms)
    if turn.outcome is not None:
        return _over(session, turn.outcome, at_ms)
    if turn.removed:
        return replace(session, phase=Phase.CLEARING), (_clear(session, turn), Tell(Signal.CAPTURE))
    return _begin_turn(session, at_ms)


def _clear(session: Session, turn: AnyTurn) -> Say:
    game, name = session.table.game, turn.before.grid.name
    pieces = [
        f"{game.players[loss.piece.owner]}'s {loss.piece.kind} from {name(loss.cell)}"
        for loss in turn.removed
    ]
    return Say(f"take {' and '.join(pieces)}")


def _over(session: Session, outcome: Outcome, at_ms: float, *effects: Effect) -> Step:
    stopped = session.clocks.stop(None, at_ms)
    session = replace(session, phase=Phase.OVER, outcome=outcome, clocks=stopped)
    session, write = _entry(session, RESULT, result_body(outcome), at_ms)
    return session, (*effects, write, StopThinking(), Say(str(outcome)), Tell(Signal.OVER))


def _tick(session: Session, at_ms: float) -> Step:
    loser = session.clocks.flagged(at_ms)
    if loser is None or session.phase in (Phase.OVER, Phase.PAUSED):
        return session, ()
    return _over(session, Outcome.win(1 - loser, "time"), at_ms)


def _entry(
    session: Session, kind: str, body: Mapping[str, Any], at_ms: float
) -> tuple[Session, Write]:
    number = session.entries + 1
    write = Write(number, kind, dict(body), at_ms)
    return replace(session, entries=number, unwritten=(*session.unwritten, write)), write
