"""Hand actions for a turn lead to a table that shows the turn."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.session.hand_actions import Carry, Rotate, Swap, plan_hand_actions
from engine import games
from engine.game import AnyGame, AnyTurn
from tests.support.vision.tagged_table import Tabletop


def carried_out(table: Tabletop, game: AnyGame, turn: AnyTurn) -> Tabletop | None:
    done = plan_hand_actions(game, turn, table.facing)
    if done is None:
        return None
    for deed in done:
        match deed:
            case Carry(source, target):
                assert target not in table.tags
                table = table.moved(source, target)
            case Swap(first, second):
                table = table.moved(first, second)
            case Rotate(cell, degrees):
                table = table.turned(cell, round(degrees * table.grid.headings / 360))
    return table


@settings(deadline=None)
@given(st.sampled_from(sorted(games.GAMES)), st.randoms(use_true_random=False))
def test_hand_actions_lead_to_the_table_of_the_turn(name: str, random: Random) -> None:
    game = games.make(name)
    position = game.start(seed=None if game.setups() else random.randrange(1000))
    for _ in range(random.randrange(4)):
        if game.outcome(position) is not None:
            return
        moves = {
            player: random.choice(game.legal(position, player)) for player in game.to_move(position)
        }
        position = game.resolve(position, moves).after
    if game.outcome(position) is not None:
        return
    moves = {
        player: random.choice(game.legal(position, player)) for player in game.to_move(position)
    }
    turn = game.resolve(position, moves)
    before = Tabletop.of(game, position, random)
    table = carried_out(before, game, turn)
    wanted = game.expected_after_moves(turn, before.facing)
    assert (table is None) == (wanted is None)
    if table is not None and wanted is not None:
        stands = table.pieces()
        assert stands.keys() == wanted.keys()
        assert all(wanted[cell].accepts(piece) for cell, piece in stands.items())


def test_a_rotation_takes_the_shorter_way() -> None:
    game = games.make()
    start = game.start("ace")
    move = game.read_move(start, 0, "j4-")
    turn = game.resolve(start, {0: move})
    table = Tabletop.of(game, start)
    assert plan_hand_actions(game, turn, table.facing) == (Rotate(start.grid.cell("j4"), -90.0),)
