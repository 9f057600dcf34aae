"""Runs `engine.search.choose` in the compiled core: a `SearchPlan` in, a `Choice` out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.native.rules import NativeRootMove, NativeRules, SearchLimits, SearchResult, encode_move
from engine.search import Choice, SearchPlan

# The table has 2**bits entries of 16 bytes, so at most 16 MB.
MAX_TABLE_BITS, MIN_TABLE_BITS = 20, 10
BITS_PER_TURN = 5  # growth of the tree per turn, roughly


def search_natively(
    rules: NativeRules,
    plan: SearchPlan,
    stop: Callable[[], bool],
    enough: Callable[[Choice], bool],
) -> Choice:
    board = plan.game.board(plan.position)
    roots = [
        NativeRootMove(
            encode_move(board.move(each.action)), each.error, each.ending, each.claimable
        )
        for each in plan.roots
    ]
    bits = min(plan.nodes.bit_length(), BITS_PER_TURN * plan.depth)
    limits = SearchLimits(
        depth=plan.depth,
        # Quiescence search sees the loss of a king in the next turn already at depth 1.
        safe_depth=plan.safe_depth if plan.full_width else 1,
        nodes=plan.nodes,
        full_width=plan.full_width,
        repeats=plan.repeats,
        no_capture_limit=plan.no_capture_limit,
        claims=plan.claims,
        turns_left=plan.turns_left,
        table_bits=max(MIN_TABLE_BITS, min(MAX_TABLE_BITS, bits)),
    )
    result = rules.search(
        plan.position, roots, limits, stop, lambda best: enough(_choice(plan, best))
    )
    return _choice(plan, result)


def _choice(plan: SearchPlan, result: SearchResult) -> Choice:
    line = _decode_line(plan, result.line)
    return Choice(line[0], result.score, line, result.nodes, result.depth)


def _decode_line(plan: SearchPlan, line: Sequence[int]) -> tuple[Any, ...]:
    """The core's numbers as moves, played one by one on a board."""
    board, moves = plan.game.board(plan.position), []
    for code in line:
        if board.winner is not None:
            break
        for action in board.actions():
            move = board.move(action)
            if encode_move(move) == code:
                moves.append(move)
                board.play(action)
                break
        else:
            break  # the core's table had a different position with the same key
    return tuple(moves)
