"""Inference of turns from reliable observations."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given

from engine.game import AnyGame, AnyTurn, ExpectedPiece, Piece
from engine.games import GAMES
from engine.grid import Cell
from engine.laser_chess import LaserChess
from engine.photon import Photon
from engine.sentences import Sentence
from engine.spaceships import Spaceships
from engine.spaceships.state import Action
from tests.support.engine.random_play import any_positions, examples, random_turns, seeds
from tests.support.vision.tagged_table import Camera, Tabletop, perfect_evidence
from vision import sentences
from vision.hypotheses import Hypotheses, update_seen_orientations
from vision.infer import (
    Ambiguous,
    Difference,
    Exact,
    Inference,
    InferenceThresholds,
    Mismatch,
    NoChange,
    check_position,
    infer,
    shortest_turn,
)
from vision.observation import CellState, Sighting

CHESS = LaserChess()
PHOTON = Photon()
SHIPS = Spaceships()
GRID = CHESS.start().grid

every_game = pytest.mark.parametrize("game", [kind() for kind in GAMES.values()], ids=list(GAMES))

# Blue has a king on e2, a switch on e4, a deflector on g5; Red a king on f7, a deflector on c6.
SN = "l++9/5k4/2b7/6B3/4S5/*/4K5/9L b"


def at(name: str) -> Cell:
    return GRID.cell(name)


def turn_of(move: str, position: Any) -> AnyTurn:
    side = position.side
    return CHESS.resolve(position, {side: CHESS.read_move(position, side, move)})


def inferred(
    table: Tabletop,
    sn: str = SN,
    covered: Collection[str] = (),
    facing: dict[Cell, int] | None = None,
) -> Inference:
    position = CHESS.read_position(sn)
    stood = Tabletop.of(CHESS, position).facing if facing is None else facing
    hypotheses = Hypotheses.for_position(CHESS, position, stood)
    return infer(hypotheses, perfect_evidence(table, [at(name) for name in covered]), CHESS.tags)


def table_of(sn: str = SN) -> Tabletop:
    return Tabletop.of(CHESS, CHESS.read_position(sn))


def result_text(result: Inference) -> str:
    """`e2+`, several turns separated by blanks; `no change`; or the type of the result."""
    match result:
        case Exact(turns):
            return moves_text(turns)
        case NoChange():
            return "no change"
        case _:
            return type(result).__name__


def moves_text(turns: tuple[AnyTurn, ...]) -> str:
    moves = [CHESS.write_move(t.before, *move) for t in turns for move in t.moves]
    return " ".join(moves) or "no change"


def choices(result: Inference) -> set[str]:
    assert isinstance(result, Ambiguous)
    return {moves_text(turns) for turns in result.choices}


def differences(result: Inference) -> list[Sentence]:
    assert isinstance(result, Mismatch)
    return [difference.sentence for difference in result.differences]


def missing(cell: str, piece: str, player: str) -> Sentence:
    return sentences.MISSING_PIECE(cell=cell, piece=piece, player=player)


def unexpected(cell: str, piece: str, player: str) -> Sentence:
    return sentences.UNEXPECTED_PIECE(cell=cell, piece=piece, player=player)


def turned(cell: str, piece: str, player: str, turn: Sentence) -> Sentence:
    return sentences.TURN_PIECE(cell=cell, piece=piece, player=player, turn=turn)


def wrong_piece(cell: str, piece: str, player: str, seen: str, seen_player: str) -> Sentence:
    return sentences.WRONG_PIECE(
        cell=cell, piece=piece, player=player, seen_piece=seen, seen_player=seen_player
    )


QUARTER, SIXTH, THIRD = sentences.QUARTER(), sentences.SIXTH(), sentences.THIRD()


# -- every turn ------------------------------------------------------------------------------


@every_game
def test_every_turn_that_hands_can_make_is_distinguished_from_all_others(game: AnyGame) -> None:
    random, reported = Random(1), 0
    for played in list(random_turns(game, 3, 12, retries=10))[::4]:
        position = played.before
        table = Tabletop.of(game, position, random)
        hypotheses = Hypotheses.for_position(game, position, table.facing)
        for turn in game.turns(position):
            after = table.after(game, turn)
            if after is None:
                continue
            result = infer(hypotheses, perfect_evidence(after), game.tags)
            assert isinstance(result, Exact)
            assert [each.moves for each in result.turns] == [turn.moves]
            assert result.turn == result.turns[-1] == turn
            reported += 1
    assert reported > 60


@examples(60)
@given(any_positions, seeds)
def test_every_turn_of_a_position_is_inferred(what: tuple[AnyGame, Any], seed: int) -> None:
    game, position = what
    random = Random(seed)
    printed = Counter((piece.kind, piece.owner) for piece in game.tags.values())
    assume(Counter((p.kind, p.owner) for p in position.pieces.values()) <= printed)
    turns = list(game.turns(position))
    table = Tabletop.of(game, position, random)
    hypotheses = Hypotheses.for_position(game, position, table.facing)
    if not turns:
        assert isinstance(infer(hypotheses, perfect_evidence(table), game.tags), NoChange)
        return
    turn = random.choice(turns)
    after = table.after(game, turn)
    assert after is not None
    result = infer(hypotheses, perfect_evidence(after), game.tags)
    assert isinstance(result, Exact)
    assert result.turn.moves == turn.moves


def test_an_untouched_table_has_not_changed() -> None:
    for game in (CHESS, PHOTON):
        position = game.start()
        table = Tabletop.of(game, position, Random(5))
        result = infer(
            Hypotheses.for_position(game, position, table.facing),
            perfect_evidence(table),
            game.tags,
        )
        assert isinstance(result, NoChange)
        assert result.margin > 10


# -- kings and switches ----------------------------------------------------------------------


@pytest.mark.parametrize("seen", range(4))
@pytest.mark.parametrize(
    ("by", "move"), [(0, "no change"), (1, "e2+"), (2, "no change"), (3, "e2-")]
)
def test_rotating_a_king_on_an_unchanged_board_is_a_pass(seen: int, by: int, move: str) -> None:
    stood = table_of().turned(at("e2"), seen)
    assert result_text(inferred(stood.turned(at("e2"), by), facing=stood.facing)) == move


def test_the_other_sides_king_may_be_rotated_at_any_time() -> None:
    for by in range(4):
        assert result_text(inferred(table_of().turned(at("f7"), by))) == "no change"


def test_a_king_may_be_rotated_while_another_piece_moves() -> None:
    for by in range(4):
        table = table_of().moved(at("g5"), at("g6")).turned(at("e2"), by)
        assert result_text(inferred(table)) == "g5g6"


def test_a_moved_king_may_be_rotated() -> None:
    for by in range(4):
        assert (
            result_text(inferred(table_of().moved(at("e2"), at("d3")).turned(at("d3"), by)))
            == "e2d3"
        )


@pytest.mark.parametrize("seen", [0, 2])
@pytest.mark.parametrize(
    ("by", "move"), [(0, "no change"), (1, "e4+"), (2, "no change"), (3, "e4-")]
)
def test_rotating_a_switch_by_180_degrees_is_no_change(seen: int, by: int, move: str) -> None:
    stood = table_of().turned(at("e4"), seen)
    assert result_text(inferred(stood.turned(at("e4"), by), facing=stood.facing)) == move


def test_a_moved_switch_may_be_rotated_by_180_but_not_by_90_degrees() -> None:
    moved = table_of().moved(at("e4"), at("e5"))
    assert result_text(inferred(moved.turned(at("e5"), 2))) == "e4e5"
    wrong = inferred(moved.turned(at("e5"), 1))
    assert differences(wrong) == [
        turned("e5", "switch", "blue", sentences.TURN_EITHER_WAY(share=QUARTER))
    ]


def test_a_forced_pass_is_inferred_from_an_unchanged_table() -> None:
    state: dict[str, Any] = {"board": [[None] * 10 for _ in range(10)], "turn": 0}
    king = {"type": "K", "player": 0, "hp": 1, "orientation": 0}
    block = {"type": "B", "player": 1, "hp": 2, "orientation": 0}
    state["board"][0][:2] = [king, block]
    state["board"][1][0] = block
    state["board"][9][8:] = [
        {**king, "player": 1},
        {"type": "S", "player": 1, "hp": 1, "orientation": 3},
    ]
    position = PHOTON.read_position(json.dumps(state))
    table = Tabletop.of(PHOTON, position)
    result = infer(
        Hypotheses.for_position(PHOTON, position, {}), perfect_evidence(table), PHOTON.tags
    )
    assert isinstance(result, Exact)
    assert result.turns == tuple(PHOTON.turns(position))


# -- captured pieces -------------------------------------------------------------------------

CAPTURE = "l++9/5k4/*/*/*/*/3K6/4b4L b"  # j1- captures the deflector on e1


def test_a_captured_piece_may_be_on_the_board_or_removed() -> None:
    table = table_of(CAPTURE).turned(at("j1"), -1)
    assert result_text(inferred(table, CAPTURE)) == "j1-xe1"
    assert result_text(inferred(table.without(at("e1")), CAPTURE)) == "j1-xe1"


def test_removing_the_piece_that_a_turn_would_capture_is_not_that_turn() -> None:
    result = inferred(table_of(CAPTURE).without(at("e1")), CAPTURE)
    assert differences(result) == [missing("e1", "deflector", "red")]


def test_a_captured_piece_is_not_replaced_by_another() -> None:
    table = table_of(CAPTURE).turned(at("j1"), -1).put(at("e1"), (1, 0))
    result = inferred(table, CAPTURE)
    assert isinstance(result, Mismatch)
    assert moves_text(result.nearest) == "j1-xe1"
    assert differences(result) == [unexpected("e1", "switch", "red")]


def test_a_lifted_piece_was_not_moved_into_the_beam_and_removed() -> None:
    """Blue's deflector on i4 is captured only on j4. Lifting it from i4 is not that turn."""
    sn = "l++9/5k4/*/*/8B++1/*/4K5/9L b"
    position = CHESS.read_position(sn)
    burns = [t for t in CHESS.turns(position) if t.removed and t.before.pieces[at("i4")]]
    assert "i4j4xj4" in {moves_text((turn,)) for turn in burns}
    result = inferred(table_of(sn).without(at("i4")), sn)
    assert differences(result) == [missing("i4", "deflector", "blue")]
    assert result_text(inferred(table_of(sn).moved(at("i4"), at("j4")), sn)) == "i4j4xj4"


# -- covered cells ---------------------------------------------------------------------------


def test_a_covered_piece_that_may_have_been_rotated_is_ambiguous() -> None:
    result = inferred(table_of(), covered=["g5"])
    assert choices(result) == {"no change", "g5+", "g5-"}
    assert isinstance(result, Ambiguous)
    assert result.cells == (at("g5"),)
    assert result.margin == 0


def test_a_lifted_piece_was_not_moved_to_a_covered_square() -> None:
    lifted = table_of().without(at("g5"))
    result = inferred(lifted, covered=["g6"])
    assert choices(result) == {"g5g6"}
    assert isinstance(result, Ambiguous)
    assert result.cells == (at("g6"),)
    assert choices(inferred(lifted, covered=["g6", "h6"])) == {"g5g6", "g5h6"}


def test_a_piece_seen_on_its_target_has_left_a_covered_source() -> None:
    """A tag exists once. The source may be hidden behind another piece."""
    assert result_text(inferred(table_of().moved(at("g5"), at("g6")), covered=["g5"])) == "g5g6"


def test_a_covered_square_that_no_choice_depends_on_changes_nothing() -> None:
    assert result_text(inferred(table_of(), covered=["b3", "f7", "c6"])) == "no change"
    moved = table_of().moved(at("g5"), at("g6"))
    assert result_text(inferred(moved, covered=["b3", "e2", "e4", "f7"])) == "g5g6"


def test_a_fully_covered_table_is_ambiguous() -> None:
    position = CHESS.start()
    table = Tabletop.of(CHESS, position)
    hypotheses = Hypotheses.for_position(CHESS, position, table.facing)
    result = infer(hypotheses, perfect_evidence(table, range(80)), CHESS.tags)
    assert isinstance(result, Ambiguous)
    assert len(result.choices) == 1 + len(CHESS.legal(position, 0))
    assert result.choices[0] == ()


def test_a_covered_cell_with_weak_evidence_is_not_a_mismatch() -> None:
    """An object covers a square. The most likely of its unlikely tags is not evidence."""
    import numpy as np

    position, random = CHESS.read_position(SN), np.random.default_rng(1)
    table = Tabletop.of(CHESS, position)
    hypotheses = Hypotheses.for_position(CHESS, position, table.facing)
    for cover in ("g5", "b3", "c6", "f7"):
        for _ in range(20):
            evidence = Camera().look(table, random, puzzling=[at(cover)])
            result = infer(hypotheses, evidence, CHESS.tags)
            assert not isinstance(result, Exact | Mismatch)
            if isinstance(result, Ambiguous):
                assert at(cover) in result.cells


def test_the_thresholds_can_be_set() -> None:
    table = table_of().moved(at("g5"), at("g6"))
    hypotheses = Hypotheses.for_position(CHESS, CHESS.read_position(SN), {})
    stricter = infer(
        hypotheses, perfect_evidence(table), CHESS.tags, InferenceThresholds(lead=13.0)
    )
    assert choices(stricter) == {"g5g6"}
    stricter = infer(
        hypotheses, perfect_evidence(table), CHESS.tags, InferenceThresholds(margin=40.0)
    )
    assert "g5g6" in choices(stricter)
    assert len(choices(stricter)) > 1


def test_a_covered_piece_keeps_its_last_seen_orientation() -> None:
    """The tag of a mirror at orientation 0 is upside down."""
    seen = [
        Sighting(CellState.OCCUPIED, 5, 3),
        Sighting(CellState.COVERED),
        Sighting(CellState.COVERED),
        Sighting(CellState.EMPTY),
        Sighting(CellState.OCCUPIED, 49, 1),
    ]
    assert update_seen_orientations({1: 2, 3: 1}, seen, PHOTON.tags, 4) == {0: 1, 1: 2}


# -- illegal changes -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            table_of().moved(at("g5"), at("g7")),
            [
                unexpected("g7", "deflector", "blue"),
                missing("g5", "deflector", "blue"),
            ],
        ),
        (
            table_of().moved(at("c6"), at("c5")),
            [
                missing("c6", "deflector", "red"),
                unexpected("c5", "deflector", "red"),
            ],
        ),
        (
            table_of().turned(at("c6"), 1),
            [turned("c6", "deflector", "red", sentences.TURN_LEFT(share=QUARTER))],
        ),
        (
            table_of().turned(at("g5"), 2),
            [turned("g5", "deflector", "blue", sentences.TURN_ROUND())],
        ),
        (
            table_of().without(at("e2")),
            [missing("e2", "king", "blue")],
        ),
        (
            table_of().put(at("a1"), (3, 2)),
            [unexpected("a1", "defender", "red")],
        ),
        (
            table_of().put(at("g5"), (16, 0)),
            [wrong_piece("g5", "deflector", "blue", "defender", "blue")],
        ),
        (
            table_of().put(at("g5"), (11, 0)),
            [wrong_piece("g5", "deflector", "blue", "deflector", "red")],
        ),
    ],
)
def test_an_illegal_change_is_reported_square_by_square(
    table: Tabletop, expected: list[Sentence]
) -> None:
    result = inferred(table)
    assert differences(result) == expected
    assert isinstance(result, Mismatch)
    assert result.nearest == ()


def test_for_a_moved_and_rotated_piece_only_the_rotation_is_corrected() -> None:
    result = inferred(table_of().moved(at("g5"), at("g6")).turned(at("g6"), -1))
    assert isinstance(result, Mismatch)
    assert moves_text(result.nearest) == "g5g6"
    assert result.differences == (
        Difference(
            at("g6"),
            ExpectedPiece("deflector", 0, frozenset({0})),
            Piece("deflector", 0, 3),
            12.0,
            turned("g6", "deflector", "blue", sentences.TURN_RIGHT(share=QUARTER)),
        ),
    )


def test_a_turn_and_something_else_is_reported_from_the_turn() -> None:
    result = inferred(table_of().moved(at("g5"), at("g6")).without(at("c6")))
    assert isinstance(result, Mismatch)
    assert moves_text(result.nearest) == "g5g6"
    assert differences(result) == [missing("c6", "deflector", "red")]


def test_two_turns_at_once_are_a_mismatch() -> None:
    table = table_of().moved(at("g5"), at("g6")).moved(at("e4"), at("e5"))
    assert isinstance(inferred(table), Mismatch)


def test_swapping_equal_pieces_is_no_change() -> None:
    sn = "l++9/5k4/*/2B3B3/*/*/4K5/9L b"
    assert result_text(inferred(table_of(sn).moved(at("c5"), at("g5")), sn)) == "no change"


def test_a_spare_tag_is_the_piece_that_it_stands_for() -> None:
    spare = 40
    position = CHESS.read_position(SN)
    meanings = {**CHESS.tags, spare: CHESS.tags[18]}
    table = Tabletop(GRID, meanings, table_of().tags)
    heading = table.tags[at("g5")][1]
    moved = table.moved(at("g5"), at("g6")).put(at("g6"), (spare, heading))
    result = infer(Hypotheses.for_position(CHESS, position, {}), perfect_evidence(moved), meanings)
    assert result_text(result) == "g5g6"


@pytest.mark.parametrize(
    ("headings", "seen", "expected", "turn"),
    [
        (4, 0, {1}, sentences.TURN_RIGHT(share=QUARTER)),
        (4, 0, {3}, sentences.TURN_LEFT(share=QUARTER)),
        (4, 3, {1}, sentences.TURN_ROUND()),
        (4, 1, {0, 2}, sentences.TURN_EITHER_WAY(share=QUARTER)),
        (6, 5, {0}, sentences.TURN_RIGHT(share=SIXTH)),
        (6, 0, {4}, sentences.TURN_LEFT(share=THIRD)),
        (6, 1, {4}, sentences.TURN_ROUND()),
        (6, 0, {3, 5}, sentences.TURN_LEFT(share=SIXTH)),
    ],
)
def test_a_correction_uses_the_shortest_rotation(
    headings: int, seen: int, expected: set[int], turn: Sentence
) -> None:
    assert shortest_turn(headings, seen, frozenset(expected)) == turn


# -- two turns -------------------------------------------------------------------------------

# Red to move captures Blue's deflector on d8 with h3-; then Blue plays any turn.
REPLY = "l++9/5k4/2b7/6B3/4S5/*/4K5/9L r"


def infer_after_known(
    known: AnyTurn, table: Tabletop, covered: Collection[str] = (), **facing: int
) -> Inference:
    stood = {at(name): way for name, way in facing.items()}
    hypotheses = Hypotheses.after_known_turn(CHESS, known, stood)
    return infer(hypotheses, perfect_evidence(table, [at(name) for name in covered]), CHESS.tags)


def test_a_shown_turn_may_be_pending_carried_out_or_answered() -> None:
    known = turn_of("c6c5", CHESS.read_position(REPLY))
    table = table_of(REPLY)
    carried = table.moved(at("c6"), at("c5"))
    assert result_text(infer_after_known(known, table)) == "no change"
    assert result_text(infer_after_known(known, carried)) == "c6c5"
    assert result_text(infer_after_known(known, carried.moved(at("g5"), at("g6")))) == "c6c5 g5g6"
    assert result_text(infer_after_known(known, carried.turned(at("e2"), 1))) == "c6c5 e2+"
    assert result_text(infer_after_known(known, carried.turned(at("e4"), 3), e4=0)) == "c6c5 e4-"
    assert result_text(infer_after_known(known, carried.turned(at("e4"), 1), e4=2)) == "c6c5 e4-"


def test_a_turn_without_the_shown_one_is_a_mismatch() -> None:
    known = turn_of("c6c5", CHESS.read_position(REPLY))
    result = infer_after_known(known, table_of(REPLY).moved(at("g5"), at("g6")))
    assert isinstance(result, Mismatch)


def test_a_covered_shown_turn_is_ambiguous() -> None:
    known = turn_of("c6+", CHESS.read_position(REPLY))
    result = infer_after_known(known, table_of(REPLY), covered=["c6"])
    assert choices(result) == {"no change", "c6+"}


def test_a_shown_pass_of_a_king_is_carried_out_by_rotating_it() -> None:
    known = turn_of("f7+", CHESS.read_position(REPLY))
    table = table_of(REPLY)
    assert result_text(infer_after_known(known, table)) == "no change"
    assert result_text(infer_after_known(known, table.turned(at("f7"), 1))) == "f7+"
    assert result_text(infer_after_known(known, table.turned(at("f7"), 3), f7=2)) == "f7+"
    assert (
        result_text(infer_after_known(known, table.turned(at("f7"), 1).moved(at("g5"), at("g6"))))
        == "f7+ g5g6"
    )


SELF_CAPTURE = "l++9/5k4/*/*/*/4S5/3KB5/4b4L b"  # j1- captures the red deflector on e1


def test_a_piece_captured_by_a_shown_turn_may_remain_be_removed_or_be_replaced() -> None:
    known = turn_of("j1-xe1", CHESS.read_position(SELF_CAPTURE))
    carried = table_of(SELF_CAPTURE).turned(at("j1"), -1)
    cleared = carried.without(at("e1"))
    assert result_text(infer_after_known(known, carried)) == "j1-xe1"
    assert result_text(infer_after_known(known, cleared)) == "j1-xe1"
    for table in (carried, cleared):
        assert result_text(infer_after_known(known, table.turned(at("f7"), 1))) == "j1-xe1 f7+"
        assert (
            result_text(infer_after_known(known, table.moved(at("f7"), at("f8")))) == "j1-xe1 f7f8"
        )


def test_a_piece_may_move_to_the_cell_of_a_captured_piece() -> None:
    sn = "l++9/5k4/*/*/*/*/3K1b4/4b4L b"
    known = turn_of("j1-xe1", CHESS.read_position(sn))
    cleared = table_of(sn).turned(at("j1"), -1).without(at("e1"))
    assert result_text(infer_after_known(known, cleared.moved(at("f2"), at("e1")))) == "j1-xe1 f2e1"


def test_a_piece_that_captured_itself_may_be_removed_at_once() -> None:
    sn = "l++9/5k4/*/*/8B++1/*/4K5/9L b"
    known = turn_of("i4j4xj4", CHESS.read_position(sn))
    table = table_of(sn)
    assert result_text(infer_after_known(known, table.without(at("i4")))) == "i4j4xj4"
    assert result_text(infer_after_known(known, table.moved(at("i4"), at("j4")))) == "i4j4xj4"
    assert (
        result_text(infer_after_known(known, table.without(at("i4")).turned(at("f7"), 3)))
        == "i4j4xj4 f7-"
    )


def test_a_shown_turn_that_ends_the_game_has_no_answer() -> None:
    sn = "l++9/5k4/*/*/*/*/*/4K4L b"
    known = turn_of("j1-xe1", CHESS.read_position(sn))
    assert known.outcome is not None
    assert (
        result_text(infer_after_known(known, table_of(sn).turned(at("j1"), -1).without(at("e1"))))
        == "j1-xe1"
    )
    assert result_text(infer_after_known(known, table_of(sn))) == "no change"


# -- simultaneous turns ----------------------------------------------------------------------


def test_an_untouched_ship_fires_in_its_heading() -> None:
    position = SHIPS.start(seed=1)
    table = Tabletop.of(SHIPS, position, Random(2))
    first, second = (ship.cell for ship in position.ships)
    result = infer(
        Hypotheses.for_position(SHIPS, position, {}), perfect_evidence(table), SHIPS.tags
    )
    assert isinstance(result, Exact)
    assert dict(result.turn.moves) == {
        0: Action.laser(table.facing[first]),
        1: Action.laser(table.facing[second]),
    }


def test_the_heading_of_a_ship_must_be_seen() -> None:
    position = SHIPS.start(seed=1)
    table = Tabletop.of(SHIPS, position)
    second = position.ships[1].cell
    evidence = perfect_evidence(table, [second])
    result = infer(Hypotheses.for_position(SHIPS, position, {}), evidence, SHIPS.tags)
    assert isinstance(result, Ambiguous)
    assert {turns[0].moves[0] for turns in result.choices} == {(0, Action.laser(0))}
    assert {Action.laser(way) for way in range(6)} <= {t[0].moves[1][1] for t in result.choices}
    assert second in result.cells


def test_only_ships_of_players_at_the_table_are_inferred() -> None:
    """The second player's program has decided. Its ship moves at the end of the round."""
    position = SHIPS.start(seed=1)
    table = Tabletop.of(SHIPS, position, Random(3))
    first = position.ships[0].cell
    for known in (Action.move(4), Action.laser(2)):
        hypotheses = Hypotheses.for_position(SHIPS, position, {}, given={1: known})
        for way in range(6):
            target = position.grid.ahead(first, way)
            if target is None:
                continue
            result = infer(hypotheses, perfect_evidence(table.moved(first, target)), SHIPS.tags)
            assert isinstance(result, Exact)
            assert dict(result.turn.moves) == {0: Action.move(way), 1: known}
            turned = table.turned(first, way - table.tags[first][1])
            result = infer(hypotheses, perfect_evidence(turned), SHIPS.tags)
            assert isinstance(result, Exact)
            assert dict(result.turn.moves) == {0: Action.laser(way), 1: known}


def test_a_known_round_may_be_carried_out_and_followed_by_another() -> None:
    position = SHIPS.start(seed=1)
    way = next(
        h for h in range(6)
        if SHIPS.resolve(position, {0: Action.move(h), 1: Action.laser(0)}).events[0]["type"]
        == "move"
    )  # fmt: skip
    known = SHIPS.resolve(position, {0: Action.move(way), 1: Action.laser(0)})
    table = Tabletop.of(SHIPS, position)
    carried = table.after(SHIPS, known)
    assert carried is not None
    result = infer(
        Hypotheses.after_known_turn(SHIPS, known, {}), perfect_evidence(carried), SHIPS.tags
    )
    # Untouched ships fire, also in the second round.
    assert isinstance(result, Exact)
    assert result.turns[0] == known
    assert dict(result.turn.moves) == {0: Action.laser(0), 1: Action.laser(0)}


# -- a position at rest ----------------------------------------------------------------------


@every_game
def test_a_table_that_shows_a_position_is_checked_without_differences(game: AnyGame) -> None:
    position = game.start()
    table = Tabletop.of(game, position, Random(6))
    checked = check_position(game, position, perfect_evidence(table), game.tags)
    assert (checked.differences, checked.unseen) == ((), ())


def test_differences_and_unseen_cells_of_a_position_are_reported() -> None:
    table = table_of().without(at("g5")).put(at("h8"), (20, 1)).turned(at("e4"), 2)
    position = CHESS.read_position(SN)
    checked = check_position(
        CHESS, position, perfect_evidence(table, [at("c6"), at("a1")]), CHESS.tags
    )
    assert [each.sentence for each in checked.differences] == [
        unexpected("h8", "deflector", "blue"),
        missing("g5", "deflector", "blue"),
    ]
    assert checked.unseen == (at("c6"), at("a1"))


def test_a_missing_ship_is_reported_on_its_cell() -> None:
    position = SHIPS.start(seed=1)
    cell = position.ships[0].cell
    hypotheses = Hypotheses.for_position(SHIPS, position, {}, given={1: Action.laser(0)})
    table = Tabletop.of(SHIPS, position).without(cell)
    result = infer(hypotheses, perfect_evidence(table), SHIPS.tags)
    assert isinstance(result, Mismatch)
    assert differences(result) == [missing(position.grid.name(cell), "ship", "first")]
