"""Answers of the computer and of programs: a move, a hint, or a failure.

`Loop._collect_answers` brings them. A move becomes `ComputerState.turn`; `lighting/scenes.py` shows
it until the hands have made it, and then it is fired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from controller.ports.events import Signal
from controller.session import puzzle, sentences
from controller.session.effects import Announce, PlaySignal
from controller.session.events import ChoiceFailed, MoveChosen
from controller.session.guidance import describe_hint
from controller.session.inference import fire_when_ready
from controller.session.state import Hint, Phase, Session
from controller.session.transitions import StepResult, end_game, pause_play
from controller.session.turns import ask_computer, build_hypotheses, play_turns
from engine.draw.words import describe_actions
from engine.errors import LaserboardError
from engine.game import Player
from engine.http_game import AnyHttpGame, HttpGame
from engine.move_reasons import MAX_REASON_TURNS, find_reason, read_line
from engine.sentences import Sentence
from vision.hypotheses import Hypotheses


def handle_move_chosen(session: Session, event: MoveChosen) -> StepResult:
    """Take the chosen move. An answer to a question that is not open any more is ignored."""
    asked, player, game = session.computer.thinking, event.player, session.game
    if player in session.computer.asked_programs and not event.hint:
        session = replace(
            session,
            computer=replace(
                session.computer, asked_programs=session.computer.asked_programs - {player}
            ),
        )
    elif asked is None or (asked.player, asked.hint) != (player, event.hint):
        return session, ()
    else:
        session = replace(session, computer=replace(session.computer, thinking=None))
    if event.hint:
        return give_hint(session, player, event.move, event.line[:MAX_REASON_TURNS], event.score)
    claim = game.claimable(session.position) if event.claim else None
    if claim is not None:
        return end_game(session, claim, event.at_ms)
    try:
        move = game.read_move(session.position, player, event.move)
        moves = {**session.computer.moves, player: move}
        turn = game.resolve(session.position, moves) if len(moves) == len(session.to_move) else None
    except LaserboardError as error:
        if session.seats[player].is_program and isinstance(game, HttpGame):
            # An unusable answer of a program counts as no move.
            return handle_move_chosen(
                _mark_asked(session, player), _no_answer(session, game, event, str(error))
            )
        return _pause_without_move(
            session, sentences.COMPUTER_FAILED(reason=error.sentence), event.at_ms
        )
    session = replace(session, clocks=session.clocks.stop(player, event.at_ms))
    if len(session.to_move) > 1:
        session = replace(session, computer=replace(session.computer, moves=moves))
        return (
            _wait_for_others(session, event.at_ms)
            if turn is None
            else play_turns(session, (turn,), event.at_ms)
        )
    assert turn is not None
    session = replace(
        session,
        phase=Phase.COMPUTER_TO_MOVE,
        computer=replace(session.computer, turn=turn),
        table=replace(
            session.table,
            hypotheses=Hypotheses.after_known_turn(
                game, turn, session.table.last_seen_orientations
            ),
            settled=None,
            inference=None,
        ),
    )
    instruction = describe_actions(game, turn)
    if session.setup.preferences.has_operator:
        return session, (Announce(instruction),)
    return session, (Announce(sentences.MAKE_COMPUTER_MOVE(turn=instruction)),)


def _mark_asked(session: Session, player: Player) -> Session:
    return replace(
        session,
        computer=replace(
            session.computer, asked_programs=session.computer.asked_programs | {player}
        ),
    )


def _no_answer(
    session: Session, game: AnyHttpGame, event: MoveChosen | ChoiceFailed, reason: str
) -> MoveChosen:
    """The move of a program without a usable answer."""
    no_move = game.write_move(session.position, event.player, game.no_answer(reason))
    return MoveChosen(event.player, no_move, event.at_ms)


def _wait_for_others(session: Session, at_ms: float) -> StepResult:
    """Wait for the other players of a simultaneous turn; pieces move when all have acted."""
    if not session.humans_to_move:
        return ask_computer(session)
    session = replace(
        session, table=replace(session.table, hypotheses=build_hypotheses(session), inference=None)
    )
    session, asked = ask_computer(session)
    if session.phase is not Phase.WAITING_FOR_OTHER:
        return session, asked
    session, fired = fire_when_ready(session, at_ms)
    return session, (*asked, *fired)


def give_hint(
    session: Session, player: Player, move: str, line: Sequence[str] = (), score: int = 0
) -> StepResult:
    """Announce a move and its reason from the expected line. In a puzzle, first the piece alone."""
    game, position = session.game, session.position
    try:
        found: Any = game.read_move(position, player, move)
    except LaserboardError as error:
        return session, (Announce(sentences.NO_HINT(reason=error.sentence)),)
    if len(session.to_move) > 1:  # the turn depends on the other player's move, too
        move = game.write_move(position, player, found)
        return session, (Announce(sentences.HINT(hint=move)),)
    cell, hint = game.origin(position, player, found), session.turn.hint or Hint()
    if session.puzzle.goal is not None and hint.cell is None and cell is not None:
        session = replace(session, turn=replace(session.turn, hint=replace(hint, cell=cell)))
        piece = puzzle.describe_hint_cell(session)
        return session, (Announce(sentences.HINT_CELL(piece=piece)),)
    why = find_reason(game, read_line(game, position, line), score) if line else None
    hint = replace(hint, turn=game.resolve(position, {player: found}), reason=why)
    session = replace(session, turn=replace(session.turn, hint=hint))
    described = describe_hint(session)
    assert described is not None
    return session, (Announce(sentences.HINT(hint=described)),)


def handle_choice_failed(session: Session, event: ChoiceFailed) -> StepResult:
    """A program that fails makes no move in this turn; if the computer player fails, pause."""
    asked, game = session.computer.thinking, session.game
    if event.player in session.computer.asked_programs and isinstance(game, HttpGame):
        return handle_move_chosen(session, _no_answer(session, game, event, str(event.reason)))
    if asked is None or asked.player != event.player:
        return session, ()
    session = replace(session, computer=replace(session.computer, thinking=None))
    if asked.hint:
        return session, (Announce(sentences.NO_HINT(reason=event.reason)),)
    trouble = sentences.COMPUTER_HAS_NO_MOVE(reason=event.reason)
    return _pause_without_move(session, trouble, event.at_ms)


def _pause_without_move(session: Session, trouble: Sentence, at_ms: float) -> StepResult:
    session = replace(session, pause=replace(session.pause, trouble=trouble, requested=True))
    return pause_play(session, at_ms, Announce(trouble), PlaySignal(Signal.TROUBLE))
