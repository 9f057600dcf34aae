"""Proving wins: which moves force a win within so many turns, whatever the other side does.

Full width: every move and every defence is played, and nothing is left out but what an answer
already found makes needless. It knows no game, only the fast `Board`. Draws by repetition and by
play without captures are not looked at: a position that begins a game has no past, and no win
within `MOST_TURNS` is long enough to repeat anything three times.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic

from engine.board import A, Board
from engine.errors import BadOption, LaserboardError
from engine.game import AnyGame
from engine.search import NoComputer, never
from engine.turn_based import TurnBased

MOST_TURNS = 4
MEMO_SIZE = 300_000
STOPPED = "the proof was stopped: give it more time, or ask for fewer turns"

Stop = Callable[[], bool]
# (game, position, turns, stop) -> every move that wins within so many turns of its player.
Core = Callable[[AnyGame, Any, int, Stop], list[Any]]


class Unproven(LaserboardError, RuntimeError):
    """A proof that was stopped before it came to an end."""


def core(game: AnyGame, position: Any) -> Core:
    """What proves wins of that game: the compiled core where it is built and knows it."""
    compiled = isinstance(game, TurnBased) and game.compiled(position) is not None
    return natively if compiled else in_python


def winning_moves(game: AnyGame, position: Any, turns: int, stop: Stop = never) -> list[Any]:
    """Every move of the side to move that wins in at most `turns` of its own turns.

    `Unproven` once `stop` says so: half a proof is none.
    """
    if not 1 <= turns <= MOST_TURNS:
        raise BadOption(f"a win can be looked for in 1 to {MOST_TURNS} turns, not in {turns}")
    if game.outcome(position) is not None:
        return []
    return core(game, position)(game, position, turns, stop)


def in_python(game: AnyGame, position: Any, turns: int, stop: Stop = never) -> list[Any]:
    """The same in plain Python, for every game in which players take turns."""
    board = game.board(position)
    if board is None:
        raise NoComputer(f"wins are proven only where players take turns, not in {game.title}")
    proof = _Proof(board, stop)
    return [board.move(action) for action in board.actions() if proof.forces(action, turns)]


def natively(game: AnyGame, position: Any, turns: int, stop: Stop = never) -> list[Any]:
    """The same by the compiled core."""
    from engine.native.rules import number  # not before it is needed: starting must be quick

    assert isinstance(game, TurnBased), "only those are compiled"
    rules, board = game.compiled(position), game.board(position)
    assert rules is not None, "whoever asks has looked for it"
    found = rules.solve(position, turns, stop)
    if found is None:
        raise Unproven(STOPPED)
    winning = set(found)
    moves = (board.move(action) for action in board.actions())
    return [move for move in moves if number(move) in winning]


def distinct(game: AnyGame, position: Any, moves: list[Any]) -> list[list[Any]]:
    """The moves, those together that lead to positions which play alike: a piece that looks the
    same turned either way has one move there, not two."""
    board = game.board(position)
    assert board is not None, "moves that were proven are moves on a board"
    alike: dict[Hashable, list[Any]] = {}
    for move in moves:
        board.play(board.action(move))
        alike.setdefault(board.key(), []).append(move)
        board.take_back()
    return list(alike.values())


class _Proof(Generic[A]):
    """One question, with what was found on the way to its answer."""

    def __init__(self, board: Board[A, Any], stop: Stop) -> None:
        self.board, self.stop = board, stop
        self.known: dict[tuple[Hashable, int], bool] = {}
        # What worked last, so many turns before the end: it often works again.
        self.attacks: dict[int, A] = {}
        self.defences: dict[int, A] = {}

    def forces(self, action: A, turns: int) -> bool:
        """Whether the action wins within `turns` of the one who plays it, this one included."""
        board = self.board
        attacker = board.side
        board.play(action)
        won = board.winner == attacker
        if not won and turns > 1 and board.winner is None:
            won = self._no_defence(attacker, turns - 1)
        board.take_back()
        return won

    def _wins(self, turns: int) -> bool:
        """Whether the side to move can force a win within so many of its turns."""
        board = self.board
        key = board.key(), turns
        if key in self.known:
            return self.known[key]
        # A short win is cheaper to find than a long one.
        found = turns > 1 and self._wins(turns - 1)
        if not found:
            for action in _first(board.actions(), self.attacks.get(turns)):
                if self.forces(action, turns):
                    self.attacks[turns] = action
                    found = True
                    break
        if len(self.known) >= MEMO_SIZE:
            self.known.clear()
        self.known[key] = found
        return found

    def _no_defence(self, attacker: int, turns: int) -> bool:
        """Whether every answer of the side to move still loses."""
        if self.stop():
            raise Unproven(STOPPED)
        board = self.board
        for action in _first(board.actions(), self.defences.get(turns)):
            board.play(action)
            lost = board.winner == attacker or (board.winner is None and self._wins(turns))
            board.take_back()
            if not lost:
                self.defences[turns] = action
                return False
        return True


def _first(actions: list[A], promising: A | None) -> list[A]:
    """The actions, the promising one before all others if it is among them."""
    if promising is not None and promising in actions:
        actions.remove(promising)
        actions.insert(0, promising)
    return actions
