"""Invariants of every registered game in random games of up to 300 turns, and draws.

Draws come from a threefold repetition and from many turns without a capture.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine import catalogue
from engine.errors import IllegalMove
from engine.game import AnyGame, AnyTurn, Game, Mark, Outcome
from engine.games import GAMES
from engine.laser_chess import LaserChess
from engine.laser_chess import Move as LaserChessMove
from engine.photon import Move as PhotonMove
from engine.photon import Photon
from engine.sentences import Sentence
from tests.support.engine.random_play import PHOTON_RULES, random_turn, random_turns
from tests.support.engine.sentences import raises

MAX_TURNS = 300
LONG_GAMES: list[tuple[AnyGame, str | None]] = [
    (game, setup)
    for game in (kind() for kind in GAMES.values())
    for setup in game.setups() or [None]
]
LONG_GAMES += [(game, None) for game in PHOTON_RULES.values()]


def game_id(value: Any) -> str:
    if not isinstance(value, Game):
        return str(value)
    return " ".join([value.name, *map(str, value.options().values())])


# -- invariants ------------------------------------------------------------------------------


def piece_counts(position: Any) -> Counter[tuple[str, int]]:
    return Counter((piece.kind, piece.owner) for piece in position.pieces.values())


def hit_points(position: Any) -> int:
    return sum(piece.hit_points for piece in position.pieces.values())


def check_pieces_leave_only_by_captures(turn: AnyTurn) -> None:
    captured = Counter((loss.piece.kind, loss.piece.owner) for loss in turn.removed)
    assert piece_counts(turn.aimed) == piece_counts(turn.before)
    assert piece_counts(turn.after) == piece_counts(turn.aimed) - captured
    assert piece_counts(turn.after) + captured == piece_counts(turn.aimed)


def check_hit_points_only_fall(turn: AnyTurn) -> None:
    lost = sum(min(loss.hits, loss.piece.hit_points) for loss in turn.losses)
    assert hit_points(turn.aimed) <= hit_points(turn.before)
    assert hit_points(turn.after) == hit_points(turn.aimed) - lost


def check_reserved_cells(game: AnyGame, turn: AnyTurn) -> None:
    owners = {Mark.FIRST_ONLY: 0, Mark.SECOND_ONLY: 1, Mark.FIRST_LASER: 0, Mark.SECOND_LASER: 1}
    for cell, mark in game.marks(turn.after).items():
        piece = turn.after.pieces.get(cell)
        if piece is not None and mark in owners:
            assert piece.owner == owners[mark]
            assert (piece.kind == "laser") == (mark in (Mark.FIRST_LASER, Mark.SECOND_LASER))


def check_kings_and_lasers(game: AnyGame, turn: AnyTurn) -> None:
    if "king" in game.letters and turn.outcome is None:
        assert piece_counts(turn.after)["king", 0] == piece_counts(turn.after)["king", 1] == 1
    lasers = [
        {(cell, p.owner) for cell, p in position.pieces.items() if p.kind == "laser"}
        for position in (turn.before, turn.after)
    ]
    assert lasers[0] == lasers[1]


def check_who_may_move(game: AnyGame, turn: AnyTurn) -> None:
    assert turn.outcome == game.outcome(turn.after)
    for player in (0, 1):
        free = turn.outcome is None and player in game.to_move(turn.after)
        assert bool(game.legal(turn.after, player)) == free


def check_text(game: AnyGame, turn: AnyTurn, random: Random) -> None:
    text = game.write_position(turn.after)
    assert game.read_position(text) == turn.after
    assert game.write_position(game.read_position(text)) == text
    for player in game.to_move(turn.before):
        legal = list(game.legal(turn.before, player))
        for move in random.sample(legal, min(4, len(legal))):
            text = game.write_move(turn.before, player, move)
            assert game.read_move(turn.before, player, text) == move


def check_legal_moves_resolve(game: AnyGame, position: Any, random: Random) -> None:
    if game.outcome(position) is None:
        for _ in range(2):
            assert random_turn(game, position, random).before is position


@pytest.mark.parametrize(("game", "setup"), LONG_GAMES, ids=game_id)
@pytest.mark.parametrize(
    ("seed", "retries", "least"),
    [
        (1, 40, 100),
        pytest.param(2, 0, 3, marks=pytest.mark.slow),
        pytest.param(3, 0, 3, marks=pytest.mark.slow),
    ],
    ids=["long", "any", "other"],
)
def test_random_games_keep_every_invariant(
    game: AnyGame, setup: str | None, seed: int, retries: int, least: int
) -> None:
    random = Random(seed)
    turns = 0
    for turn in random_turns(game, seed, MAX_TURNS, setup, retries):
        check_pieces_leave_only_by_captures(turn)
        check_hit_points_only_fall(turn)
        check_reserved_cells(game, turn)
        check_kings_and_lasers(game, turn)
        check_who_may_move(game, turn)
        check_text(game, turn, random)
        check_legal_moves_resolve(game, turn.after, random)
        turns += 1
    assert turns >= least


# -- moves that are not legal ----------------------------------------------------------------


def move_shapes(game: AnyGame, size: int, random: Random) -> Iterator[Any]:
    """Endless random moves of all shapes, including some that have no notation."""
    while True:
        src = random.randrange(size)
        near = src + random.choice([-11, -10, -9, -1, 0, 1, 9, 10, 11])
        dst = near if random.random() < 0.8 and 0 <= near < size else random.randrange(size)
        turn = random.choice([0, 0, 0, 0, 1, 1, -1, -1, 2, 3, 4, 5])
        if turn and random.random() < 0.8:
            dst = src
        if isinstance(game, LaserChess):
            yield LaserChessMove(src, dst, random.random() < 0.2, turn)
        else:
            yield PhotonMove(src, dst, turn)


@pytest.mark.parametrize("game", [LaserChess(), *PHOTON_RULES.values()], ids=game_id)
@pytest.mark.parametrize("seed", range(3))
def test_an_illegal_move_is_refused_with_a_reason(game: AnyGame, seed: int) -> None:
    random, refused = Random(seed), 0
    for turn in random_turns(game, seed, 40, retries=40):
        position = turn.before
        (player,) = game.to_move(position)
        legal = set(game.legal(position, player))
        moves = move_shapes(game, position.grid.size, random)
        for move in (next(moves) for _ in range(20)):
            if move in legal:
                game.resolve(position, {player: move})
                continue
            with pytest.raises(IllegalMove) as caught:
                game.resolve(position, {player: move})
            sentence = caught.value.sentence
            assert sentence.key == catalogue.ILLEGAL_MOVE.key
            assert sentence.slots["player"] == game.players[player]
            assert isinstance(sentence.slots["reason"], Sentence)
            refused += 1
    assert refused > 100


# -- draws -----------------------------------------------------------------------------------

THREEFOLD = Outcome.draw(catalogue.THREEFOLD_REPETITION())
# Four turns that restore the arrangement, with a switch: a rotation by 180 degrees is equal.
# Two turns that restore it, with kings: their orientation does not count.
SWITCHES = ["e4+", "e5-", "e4+", "e5-"]
KINGS = ["e1+", "f8-"]
PHOTON_KINGS = [
    '{"type":"move","src":[4,0],"dst":[5,0]}',
    '{"type":"move","src":[5,9],"dst":[4,9]}',
    '{"type":"move","src":[5,0],"dst":[4,0]}',
    '{"type":"move","src":[4,9],"dst":[5,9]}',
]
SHUFFLES = [
    pytest.param(LaserChess, SWITCHES, id="switches"),
    pytest.param(LaserChess, KINGS, id="kings"),
    pytest.param(Photon, PHOTON_KINGS, id="photon"),
]


def play(game: AnyGame, texts: list[str], position: Any = None) -> list[Any]:
    """All positions of a game, including the first one."""
    positions = [game.start() if position is None else position]
    for text in texts:
        player = game.to_move(positions[-1])[0]
        move = game.read_move(positions[-1], player, text)
        positions.append(game.resolve(positions[-1], {player: move}).after)
    return positions


@pytest.mark.parametrize(("kind", "cycle"), SHUFFLES)
def test_a_threefold_repetition_can_be_claimed(kind: type[AnyGame], cycle: list[str]) -> None:
    game = kind()
    positions = play(game, cycle * 3)
    claims = [game.claimable(position) for position in positions]
    third = 2 * len(cycle)
    assert claims == [None] * third + [THREEFOLD] * (len(positions) - third)
    assert all(game.outcome(position) is None for position in positions)
    assert game.legal(positions[-1], game.to_move(positions[-1])[0])


@pytest.mark.parametrize(("kind", "cycle"), SHUFFLES)
def test_a_threefold_repetition_ends_the_game_with_automatic_repetition(
    kind: type[AnyGame], cycle: list[str]
) -> None:
    game = kind.with_options({"repetition": "automatic"})
    positions = play(game, cycle * 2)
    assert [game.outcome(position) for position in positions] == [None] * 2 * len(cycle) + [
        THREEFOLD
    ]
    last = positions[-1]
    assert [list(game.legal(last, player)) for player in (0, 1)] == [[], []]
    assert game.claimable(last) is None
    move = game.legal(positions[0], 0)[0]
    with raises(IllegalMove, catalogue.GAME_OVER(outcome=THREEFOLD.sentence)):
        game.resolve(last, {0: move})


@pytest.mark.parametrize(("kind", "cycle"), SHUFFLES)
def test_repetition_can_be_switched_off(kind: type[AnyGame], cycle: list[str]) -> None:
    game = kind.with_options({"repetition": "off"})
    for position in play(game, cycle * 5):
        assert game.outcome(position) is game.claimable(position) is None


def test_a_switch_turned_by_90_degrees_is_another_position() -> None:
    game = LaserChess()
    positions = play(game, ["e4+", "e5+"] * 4)
    assert len({position.key for position in positions}) == 4
    assert game.claimable(positions[7]) is None
    assert game.claimable(positions[8]) == THREEFOLD


def test_the_side_to_move_is_part_of_the_repeated_position() -> None:
    positions = play(LaserChess(), KINGS)
    keys = [position.key for position in positions]
    assert keys[0] == keys[2] != keys[1]
    assert keys[0][:-1] == keys[1][:-1]


NO_CAPTURE = Outcome.draw(catalogue.TURNS_WITHOUT_CAPTURE(count=3))


@pytest.mark.parametrize(("kind", "cycle"), SHUFFLES)
@pytest.mark.parametrize("policy", ["claim", "automatic", "off"])
def test_turns_without_a_capture_are_counted_up_to_the_limit(
    kind: type[AnyGame], cycle: list[str], policy: str
) -> None:
    options = {"no_capture": policy, "no_capture_turns": 3, "repetition": "off"}
    game = kind.with_options(options)
    positions = play(game, (cycle * 2)[:3])
    draws = [(game.claimable(position), game.outcome(position)) for position in positions]
    reached = {
        "claim": (NO_CAPTURE, None),
        "automatic": (None, NO_CAPTURE),
        "off": (None, None),
    }
    assert draws == [(None, None)] * 3 + [reached[policy]]


def test_a_capture_resets_the_count() -> None:
    # In mercury nearly every turn captures a deflector, also Blue's e1+ and Red's f8+.
    game = LaserChess(no_capture_turns=2)
    positions = play(game, ["e1+xj3", "f8+xa6"], game.start("mercury"))
    assert [len(position.keys_since_capture) for position in positions] == [0, 0, 0]
    turned = play(game, ["j1-", "f8-"], positions[-1])
    assert [len(position.keys_since_capture) for position in turned] == [0, 1, 2]
    assert [game.claimable(position) is None for position in turned] == [True, True, False]


def test_a_lost_hit_point_counts_as_a_capture() -> None:
    # Red's shooter on (0,0) destroys the block on (3,0); then its beam leaves the board.
    board: list[list[Any]] = [[None] * 10 for _ in range(10)]
    board[0][0] = {"type": "S", "player": 0, "hp": 1, "orientation": 1}
    board[0][3] = {"type": "B", "player": 1, "hp": 2, "orientation": 0}
    board[9][4] = {"type": "K", "player": 0, "hp": 1, "orientation": 0}
    board[5][5] = {"type": "K", "player": 1, "hp": 1, "orientation": 0}
    game = Photon(no_capture_turns=2)
    text = json.dumps({"board": board, "turn": 0})
    steps = [
        '{"type":"move","src":[4,9],"dst":[5,9]}',
        '{"type":"move","src":[5,5],"dst":[6,5]}',
        '{"type":"move","src":[5,9],"dst":[4,9]}',
        '{"type":"move","src":[6,5],"dst":[5,5]}',
    ]
    positions = play(game, steps, game.read_position(text))
    assert [len(position.keys_since_capture) for position in positions] == [0, 0, 0, 1, 2]
    assert game.claimable(positions[-1]) == Outcome.draw(catalogue.TURNS_WITHOUT_CAPTURE(count=2))
