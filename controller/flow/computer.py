"""What the computer answers: a move, a hint, or that it has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from controller import goals
from controller.flow.reading import fire_when_ready
from controller.flow.steps import Step, hold, over
from controller.flow.turns import ask_computer, open_hypotheses, play
from controller.guide import hint_words
from controller.ports import Signal
from controller.session_values import ChoiceFailed, Chosen, Phase, Say, Session, Tell
from engine.arena import AnyArena, Arena
from engine.draw.words import actions
from engine.errors import LaserboardError
from engine.game import Player
from engine.reasons import LOOKED_AT, read_line, reason
from vision.hypotheses import Hypotheses


def chosen(session: Session, event: Chosen) -> Step:
    """It has made up its mind. What nobody waits for any more is not heard."""
    asked, player, game = session.question, event.player, session.table.game
    if player in session.awaited and not event.hint:
        session = replace(session, awaited=session.awaited - {player})
    elif asked is None or (asked.player, asked.hint) != (player, event.hint):
        return session, ()
    else:
        session = replace(session, question=None)
    if event.hint:
        return hinted(session, player, event.move, event.line[:LOOKED_AT], event.score)
    claim = game.claimable(session.position) if event.claim else None
    if claim is not None:
        return over(session, claim, event.at_ms)
    try:
        move = game.read_move(session.position, player, event.move)
        moves = {**session.chosen, player: move}
        whole = game.resolve(session.position, moves) if len(moves) == len(session.movers) else None
    except LaserboardError as bad:
        if session.seats[player].program and isinstance(game, Arena):
            return chosen(_awaiting(session, player), _nothing(session, game, event, str(bad)))
        return _gave_up(session, f"the computer erred: {bad}", event.at_ms)
    session = replace(session, clocks=session.clocks.stop(player, event.at_ms))
    if len(session.movers) > 1:
        session = replace(session, chosen=moves)
        return (
            _beside_others(session, event.at_ms)
            if whole is None
            else play(session, (whole,), event.at_ms)
        )
    assert whole is not None
    session = replace(
        session,
        phase=Phase.COMPUTER_TO_MOVE,
        known=whole,
        hypotheses=Hypotheses.after(game, whole, session.facing),
        settled=None,
        inference=None,
    )
    move = actions(game, whole)
    words = move if session.habits.served else f"make this move for the computer: {move}"
    return session, (Say(words),)


def _awaiting(session: Session, player: Player) -> Session:
    return replace(session, awaited=session.awaited | {player})


def _nothing(session: Session, game: AnyArena, event: Chosen | ChoiceFailed, reason: str) -> Chosen:
    """What a program does that has answered nothing of use."""
    none = game.write_move(session.position, event.player, game.no_answer(reason))
    return Chosen(event.player, none, event.at_ms)


def _beside_others(session: Session, at_ms: float) -> Step:
    """It is done, others may not be. Its piece is moved when all are."""
    if not session.people:
        return ask_computer(session)
    session = replace(session, hypotheses=open_hypotheses(session), inference=None)
    session, asked = ask_computer(session)
    if session.phase is not Phase.WAITING_FOR_OTHER:
        return session, asked
    session, fired = fire_when_ready(session, at_ms)
    return session, (*asked, *fired)


def hinted(
    session: Session, player: Player, move: str, line: Sequence[str] = (), score: int = 0
) -> Step:
    """The move that helps, and why, by the play expected; of a puzzle at first the piece alone."""
    game, position = session.table.game, session.position
    try:
        found: Any = game.read_move(position, player, move)
    except LaserboardError as bad:
        return session, (Say(f"there is no hint: {bad}"),)
    if len(session.movers) > 1:  # what comes of it is the other's affair, too
        return session, (Say(f"hint: {game.write_move(position, player, found)}"),)
    cell = game.origin(position, player, found)
    if session.goal is not None and session.clue is None and cell is not None:
        session = replace(session, clue=cell)
        return session, (Say(f"hint: {goals.clue(session)}; ask again to see its move"),)
    why = reason(game, read_line(game, position, line), score) if line else None
    session = replace(session, hint=game.resolve(position, {player: found}), hint_why=why)
    return session, (Say(f"hint: {hint_words(session)}"),)


def failed(session: Session, event: ChoiceFailed) -> Step:
    """It will not answer what it was asked."""
    asked, game = session.question, session.table.game
    if event.player in session.awaited and isinstance(game, Arena):
        return chosen(session, _nothing(session, game, event, event.reason))
    if asked is None or asked.player != event.player:
        return session, ()
    session = replace(session, question=None)
    if asked.hint:
        return session, (Say(f"there is no hint: {event.reason}"),)
    return _gave_up(session, f"the computer has no move: {event.reason}", event.at_ms)


def _gave_up(session: Session, sentence: str, at_ms: float) -> Step:
    session = replace(session, trouble=sentence, pause_wanted=True)
    return hold(session, at_ms, Say(sentence), Tell(Signal.TROUBLE))
