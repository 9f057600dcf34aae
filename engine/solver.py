"""Proves forced wins: finds all moves that win within a number of turns against any defence.

The search is full width on the fast `Board` of any game. It ignores draws by repetition and by
play without captures: a starting position has no history, and a win within `MAX_PROOF_TURNS` is
too short to repeat a position three times.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic

from engine import catalogue
from engine.board import A, Board
from engine.errors import BadOption, LaserboardError
from engine.game import AnyGame
from engine.search import NoComputer, never_stop
from engine.turn_based import TurnBased

MAX_PROOF_TURNS = 4
MEMO_SIZE = 300_000

Stop = Callable[[], bool]
# (game, position, turns, stop) -> all moves that win within that many turns of their player.
Prover = Callable[[AnyGame, Any, int, Stop], list[Any]]


class ProofStopped(LaserboardError, RuntimeError):
    """A proof that was stopped before its end."""

    def __init__(self) -> None:
        super().__init__(catalogue.PROOF_STOPPED())


def select_prover(game: AnyGame, position: Any) -> Prover:
    """The compiled core if it is built and knows the game, else pure Python."""
    compiled = isinstance(game, TurnBased) and game.native_rules(position) is not None
    return prove_natively if compiled else prove_in_python


def winning_moves(game: AnyGame, position: Any, turns: int, stop: Stop = never_stop) -> list[Any]:
    """All moves of the side to move that win in at most `turns` of its own turns.

    Raises `ProofStopped` when `stop` returns true: a partial proof is of no use.
    """
    if not 1 <= turns <= MAX_PROOF_TURNS:
        raise BadOption(catalogue.BAD_PROOF_TURNS(most=MAX_PROOF_TURNS, turns=turns))
    if game.outcome(position) is not None:
        return []
    return select_prover(game, position)(game, position, turns, stop)


def prove_in_python(game: AnyGame, position: Any, turns: int, stop: Stop = never_stop) -> list[Any]:
    """`winning_moves` in pure Python, for every game in which players take turns."""
    board = game.board(position)
    if board is None:
        raise NoComputer(catalogue.NO_PROOFS(game=game.title))
    proof = _Proof(board, stop)
    return [board.move(action) for action in board.actions() if proof.forces(action, turns)]


def prove_natively(game: AnyGame, position: Any, turns: int, stop: Stop = never_stop) -> list[Any]:
    """`winning_moves` by the compiled core."""
    from engine.native.rules import encode_move  # lazy, for a quick start

    assert isinstance(game, TurnBased), "the core knows only turn-based games"
    rules, board = game.native_rules(position), game.board(position)
    assert rules is not None, "select_prover checks for the core"
    codes = rules.solve(position, turns, stop)
    if codes is None:
        raise ProofStopped
    winning = set(codes)
    moves = (board.move(action) for action in board.actions())
    return [move for move in moves if encode_move(move) in winning]


def group_equivalent(game: AnyGame, position: Any, moves: list[Any]) -> list[list[Any]]:
    """The moves, grouped by equivalent resulting positions.

    For example, turning a symmetric piece left or right is the same move.
    """
    board = game.board(position)
    assert board is not None, "proven moves need a board"
    groups: dict[Hashable, list[Any]] = {}
    for move in moves:
        board.play(board.action(move))
        groups.setdefault(board.key(), []).append(move)
        board.take_back()
    return list(groups.values())


class _Proof(Generic[A]):
    """One proof, with a memo of results and the last successful attacks and defences."""

    def __init__(self, board: Board[A, Any], stop: Stop) -> None:
        self.board, self.stop = board, stop
        self.results: dict[tuple[Hashable, int], bool] = {}
        # The last action that worked, by turns left: it often works again.
        self.attacks: dict[int, A] = {}
        self.defences: dict[int, A] = {}

    def forces(self, action: A, turns: int) -> bool:
        """Whether the action wins within `turns` turns of its player, including this one."""
        board = self.board
        attacker = board.side
        board.play(action)
        won = board.winner == attacker
        if not won and turns > 1 and board.winner is None:
            won = self._no_defence(attacker, turns - 1)
        board.take_back()
        return won

    def _wins(self, turns: int) -> bool:
        """Whether the side to move can force a win within that many of its turns."""
        board = self.board
        key = board.key(), turns
        if key in self.results:
            return self.results[key]
        # A short win is cheaper to find than a long one.
        wins = turns > 1 and self._wins(turns - 1)
        if not wins:
            for action in _promising_first(board.actions(), self.attacks.get(turns)):
                if self.forces(action, turns):
                    self.attacks[turns] = action
                    wins = True
                    break
        if len(self.results) >= MEMO_SIZE:
            self.results.clear()
        self.results[key] = wins
        return wins

    def _no_defence(self, attacker: int, turns: int) -> bool:
        """Whether all answers of the side to move lose."""
        if self.stop():
            raise ProofStopped
        board = self.board
        for action in _promising_first(board.actions(), self.defences.get(turns)):
            board.play(action)
            lost = board.winner == attacker or (board.winner is None and self._wins(turns))
            board.take_back()
            if not lost:
                self.defences[turns] = action
                return False
        return True


def _promising_first(actions: list[A], promising: A | None) -> list[A]:
    """The actions, with the promising one first if it is among them."""
    if promising is not None and promising in actions:
        actions.remove(promising)
        actions.insert(0, promising)
    return actions
