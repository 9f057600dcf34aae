"""A puzzle on the table: what is left to be done, whether it went wrong, and what may be told.

A puzzle is a game from a position with a `Goal`. Its first move is the only one that wins in time;
after that there may be several, and whoever has found the first may try the rest again.
"""

from __future__ import annotations

from typing import Any

from controller.session_values import Phase, Session
from engine.game import AnyTurn
from engine.puzzles import goal as asked_for

TRY_AGAIN = "that was not the move: put the pieces as they stood, and try again"
ASTRAY = "the first move does not win in time: take back, and try another"


def task(session: Session) -> str:
    """`strike red's king in 2 turns`: what is left of it."""
    goal = session.goal
    assert goal is not None, "whoever asks has a puzzle"
    left = goal.turns - _own_turns(session)
    return asked_for(session.table.game.players[1 - goal.player], left)


def solved(session: Session) -> bool:
    """Whether the puzzle has come to its end."""
    goal, ended = session.goal, session.outcome
    over = session.phase is Phase.OVER and ended is not None
    return goal is not None and over and ended is not None and ended.winner == goal.player


def verdict(session: Session) -> str:
    """How a puzzle ended, in words; nothing for a game that is none."""
    goal = session.goal
    if goal is None:
        return ""
    if not solved(session):
        return f"{goal.name} is left unsolved; this is its solution"
    tries = "" if not session.missed else f", at the {_ordinal(session.missed + 1)} try"
    return f"{goal.name} is solved{tries}: well done!"


def missed(session: Session) -> bool:
    """Whether the last turn was the last of the puzzle, and no win; or the game was lost."""
    goal = session.goal
    if goal is None or not session.history or session.phase is Phase.OVER:
        return False
    ended = session.history[-1].turn.outcome
    if ended is not None:
        return ended.winner != goal.player
    return _own_turns(session) >= goal.turns


def turns_back(session: Session) -> int:
    """How many turns lead back to where the puzzle can surely be solved: to its beginning, or to
    the second move if the first was right."""
    turns, later = len(session.history), 2
    return turns if astray(session) or turns <= later else turns - later


def astray(session: Session) -> bool:
    """Whether the first move was another than the one that wins; while it fires nobody knows."""
    seen = session.history[:-1] if session.pending else session.history
    if session.goal is None or not seen:
        return False
    return not _same(session, seen[0].turn, session.goal.line[0])


def known_line(session: Session) -> tuple[str, ...]:
    """What is left of the solution, if all play was as there; else nothing."""
    goal = session.goal
    assert goal is not None, "whoever asks has a puzzle"
    pairs = zip(session.history, goal.line, strict=False)
    same = all(_same(session, past.turn, text) for past, text in pairs)
    return goal.line[len(session.history) :] if same else ()


def solution(session: Session) -> tuple[AnyTurn, ...]:
    """All of it, turn by turn from the beginning."""
    goal, game = session.goal, session.table.game
    assert goal is not None, "whoever asks has a puzzle"
    position = session.history[0].position if session.history else session.position
    turns: list[AnyTurn] = []
    for text in goal.line:
        player = game.to_move(position)[0]
        turns.append(game.resolve(position, {player: game.read_move(position, player, text)}))
        position = turns[-1].after
    return tuple(turns)


def given_away(session: Session) -> AnyTurn | None:
    """The turn that would have gone on from here, of a puzzle that was given up."""
    if session.goal is None or solved(session) or not known_line(session):
        return None
    return solution(session)[len(session.history)]


def clue(session: Session) -> str:
    """`the deflector on e4`: half a hint."""
    assert session.clue is not None, "whoever asks has a clue"
    piece = session.position.pieces[session.clue]
    return f"the {piece.kind} on {session.position.grid.name(session.clue)}"


def _own_turns(session: Session) -> int:
    goal = session.goal
    assert goal is not None, "whoever asks has a puzzle"
    return sum(past.turn.moves[0][0] == goal.player for past in session.history)


def _same(session: Session, turn: AnyTurn, text: str) -> bool:
    """Whether the turn led to where that move leads, as far as a table can show it."""
    game = session.table.game
    player: Any = turn.moves[0][0]
    wanted = game.resolve(turn.before, {player: game.read_move(turn.before, player, text)})
    return game.standing(turn.after) == game.standing(wanted.after)


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(0 if number % 100 in (11, 12, 13) else number % 10)
    return f"{number}{ending or 'th'}"
