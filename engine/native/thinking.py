"""`engine.search.choose` by the compiled core: a plan in, a choice out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.native.rules import CompiledRules, Effort, RootMove, Thought, number
from engine.search import Choice, Plan

# Two to that many positions of 16 bytes: 16 MB for a search that has no other limit.
MOST_BITS, LEAST_BITS = 20, 10
BRANCHES_BITS = 5  # how much wider a tree gets with each turn, about


def think(
    rules: CompiledRules,
    plan: Plan,
    stop: Callable[[], bool],
    enough: Callable[[Choice], bool],
) -> Choice:
    board = plan.game.board(plan.position)
    roots = [
        RootMove(number(board.move(each.action)), each.error, each.ending, each.claimable)
        for each in plan.roots
    ]
    bits = min(plan.nodes.bit_length(), BRANCHES_BITS * plan.depth)
    effort = Effort(
        plan.depth,
        # A search that follows captures sees one turn deep already how a king is struck the next.
        plan.safe_depth if plan.full_width else 1,
        plan.nodes,
        plan.full_width,
        plan.repeats,
        plan.quiet_limit,
        plan.claims,
        plan.turns_left,
        max(LEAST_BITS, min(MOST_BITS, bits)),
    )
    thought = rules.search(
        plan.position, roots, effort, stop, lambda found: enough(_choice(plan, found))
    )
    return _choice(plan, thought)


def _choice(plan: Plan, thought: Thought) -> Choice:
    line = _moves(plan, thought.line)
    return Choice(line[0], thought.score, line, thought.nodes, thought.depth)


def _moves(plan: Plan, line: Sequence[int]) -> tuple[Any, ...]:
    """The core's numbers as moves, one after the other on a board."""
    board, found = plan.game.board(plan.position), []
    for wanted in line:
        if board.winner is not None:
            break
        for action in board.actions():
            move = board.move(action)
            if number(move) == wanted:
                found.append(move)
                board.play(action)
                break
        else:
            break  # of a position that only looks the same in the core's table
    return tuple(found)
