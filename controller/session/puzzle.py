"""Puzzles: the remaining task, whether an attempt has failed, the solution.

A puzzle is a game from a position with a `PuzzleGoal`. Exactly one first move wins in time; later
several moves may win. After a failed attempt all turns are taken back except a correct first move
and its reply.
"""

from __future__ import annotations

from typing import Any

from controller.session import sentences
from controller.session.state import Phase, Session
from engine.game import AnyTurn
from engine.puzzles import goal_sentence
from engine.sentences import Sentence


def remaining_task(session: Session) -> Sentence:
    """`capture red's king in 2 turns`"""
    goal = session.puzzle.goal
    assert goal is not None
    left = goal.turns - _own_turns(session)
    return goal_sentence(session.game.players[1 - goal.player], left)


def is_solved(session: Session) -> bool:
    """Whether the game is over and the solver has won."""
    goal, ended = session.puzzle.goal, session.outcome
    over = session.phase is Phase.OVER and ended is not None
    return goal is not None and over and ended is not None and ended.winner == goal.player


def ending(session: Session) -> Sentence | None:
    """How the puzzle ended; None if it is no puzzle."""
    goal, tries = session.puzzle.goal, session.puzzle.failed_tries
    if goal is None:
        return None
    if not is_solved(session):
        return sentences.PUZZLE_UNSOLVED(puzzle=goal.name)
    if not tries:
        return sentences.PUZZLE_SOLVED(puzzle=goal.name)
    return sentences.PUZZLE_SOLVED_AT(puzzle=goal.name, nth=_ordinal(tries + 1))


def is_failed(session: Session) -> bool:
    """Whether the last turn of the puzzle was no win, or the game was lost."""
    goal = session.puzzle.goal
    if goal is None or not session.history or session.phase is Phase.OVER:
        return False
    ended = session.history[-1].turn.outcome
    if ended is not None:
        return ended.winner != goal.player
    return _own_turns(session) >= goal.turns


def turns_to_take_back(session: Session) -> int:
    """How many turns to take back after a failed try: to the start, or to the second move if the
    first one was right."""
    turns, later = len(session.history), 2
    return turns if first_move_is_wrong(session) or turns <= later else turns - later


def first_move_is_wrong(session: Session) -> bool:
    """Whether the first move was not the winning one. False while its beams are shown."""
    shown = session.history[:-1] if session.firing.turns else session.history
    if session.puzzle.goal is None or not shown:
        return False
    return not _leads_to_same_position(session, shown[0].turn, session.puzzle.goal.line[0])


def remaining_solution(session: Session) -> tuple[str, ...]:
    """The rest of the solution if all turns followed it; else empty."""
    goal = session.puzzle.goal
    assert goal is not None
    pairs = zip(session.history, goal.line, strict=False)
    same = all(_leads_to_same_position(session, past.turn, text) for past, text in pairs)
    return goal.line[len(session.history) :] if same else ()


def solution_turns(session: Session) -> tuple[AnyTurn, ...]:
    """The solution, turn by turn from the start."""
    goal, game = session.puzzle.goal, session.game
    assert goal is not None
    position = session.history[0].position if session.history else session.position
    turns: list[AnyTurn] = []
    for text in goal.line:
        player = game.to_move(position)[0]
        turns.append(game.resolve(position, {player: game.read_move(position, player, text)}))
        position = turns[-1].after
    return tuple(turns)


def next_solution_turn(session: Session) -> AnyTurn | None:
    """The next turn of the solution, for a puzzle that was given up."""
    if session.puzzle.goal is None or is_solved(session) or not remaining_solution(session):
        return None
    return solution_turns(session)[len(session.history)]


def describe_hint_cell(session: Session) -> Sentence:
    """`the deflector on e4`: the first half of a hint."""
    hint = session.turn.hint
    assert hint is not None
    assert hint.cell is not None
    kind = session.position.pieces[hint.cell].kind
    return sentences.HINT_PIECE(kind=kind, cell=session.position.grid.name(hint.cell))


def _own_turns(session: Session) -> int:
    goal = session.puzzle.goal
    assert goal is not None
    return sum(past.turn.moves[0][0] == goal.player for past in session.history)


def _leads_to_same_position(session: Session, turn: AnyTurn, text: str) -> bool:
    """Whether the turn led to the same position as that move, as far as a table shows it."""
    game = session.game
    player: Any = turn.moves[0][0]
    wanted = game.resolve(turn.before, {player: game.read_move(turn.before, player, text)})
    return game.expected_pieces(turn.after) == game.expected_pieces(wanted.after)


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(0 if number % 100 in (11, 12, 13) else number % 10)
    return f"{number}{ending or 'th'}"
