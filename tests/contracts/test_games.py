"""The contract of all games: these tests run for every registered game.

No test names a game, so that a new game is tested as soon as it is registered.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Hashable
from dataclasses import FrozenInstanceError, fields, replace
from functools import cache
from itertools import combinations
from math import prod
from random import Random
from typing import Any

import pytest

from engine import catalogue
from engine.beam import Beam, BeamEvent
from engine.errors import BadOption, BadPosition, IllegalMove, LaserboardError, UnknownName
from engine.game import AnyGame, AnyTurn, Mark, Piece
from engine.games import DEFAULT, GAMES, HTTP_GAMES, make, make_http_game
from engine.grid import Cell, Grid
from engine.http_game import HttpGame
from tests.support.engine.random_play import random_turns, start
from tests.support.engine.sentences import raises
from vision.tags import CORNERS, SPARES

every_game = pytest.mark.parametrize("game", [kind() for kind in GAMES.values()], ids=list(GAMES))

JUNK = [
    "", " ", "\n", "\0", "x", "null", "[]", "{}", "0", "-1", '"', "{", "NaN", '{"type":1}', "[[[[",
    "/" * 7, "*/*/*/*/*/*/*/*", "l++9/5k4/*/8bS/*/*/4K5/9L b r", "9" * 5000, "\ud800", "\u0663",
    '{"board":[],"turn":0}', '{"type":"move"}', '{"type":"move","direction":[1,1,1]}',
    '{"status":"play"}', "a1a2", "a9a9", "e4+", '{"type":"pass"}', "e" * 100_000, "[" * 100_000,
]  # fmt: skip


@cache
def turns(game: AnyGame) -> tuple[AnyTurn, ...]:
    """The turns of three random games, one of them long, each to its end or 80 turns."""
    played = [
        random_turns(game, seed, 80, retries=retries) for seed, retries in ((1, 0), (2, 0), (3, 40))
    ]
    return tuple(turn for each in played for turn in each)


def some_facing(game: AnyGame, position: Any, random: Random) -> dict[Cell, int]:
    """Every piece in one of its equivalent orientations."""
    return {
        cell: random.choice(sorted(game.equivalent_orientations(piece)))
        for cell, piece in position.pieces.items()
    }


@every_game
def test_any_position_can_be_rebuilt_from_its_pieces(game: AnyGame) -> None:
    for turn in turns(game):
        for position in (turn.before, turn.after):
            mover = (*game.to_move(position), 0)[0]
            put = game.with_pieces(turn.before, position.pieces, mover)
            assert put.pieces == position.pieces
            same = game.with_pieces(position, position.pieces, mover)
            assert game.write_position(same) == game.write_position(position)


@every_game
def test_pieces_start_with_full_hit_points_and_never_exceed_them(game: AnyGame) -> None:
    for position in starts(game):
        for piece in position.pieces.values():
            assert piece.hit_points == game.full_hit_points(piece.kind)
    for turn in turns(game):
        for piece in turn.after.pieces.values():
            assert 1 <= piece.hit_points <= game.full_hit_points(piece.kind)


@every_game
def test_any_piece_can_be_arranged_with_any_valid_hit_points(game: AnyGame) -> None:
    first = starts(game)[0]
    for cell, piece in first.pieces.items():
        for points in {1, game.full_hit_points(piece.kind)}:
            pieces = {**first.pieces, cell: replace(piece, hit_points=points)}
            assert game.with_pieces(first, pieces, 0).pieces[cell].hit_points == points


@every_game
def test_impossible_pieces_are_refused(game: AnyGame) -> None:
    first = starts(game)[0]
    crowd = dict.fromkeys(range(first.grid.size), next(iter(first.pieces.values())))
    for pieces in ({0: Piece("dragon", 0)}, crowd):
        with pytest.raises(BadPosition):
            game.with_pieces(first, pieces, 0)


def starts(game: AnyGame) -> list[Any]:
    return [game.start(name) for name in game.setups()] or [game.start(seed=n) for n in range(6)]


# -- names -----------------------------------------------------------------------------------


def test_the_registry_makes_every_game_by_its_name() -> None:
    assert DEFAULT in GAMES
    assert type(make()) is GAMES[DEFAULT]
    for name, kind in GAMES.items():
        assert type(make(name)) is kind
        assert kind.name == name
    with raises(UnknownName, catalogue.DID_YOU_MEAN):
        make(DEFAULT + "s")
    with raises(UnknownName, catalogue.KNOWN_NAMES(names=tuple(GAMES))):
        make("?")


@every_game
def test_games_players_and_pieces_have_names(game: AnyGame) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", game.name)
    assert game.title.strip() == game.title != ""
    assert len(set(game.players)) == len(game.players) == 2
    assert all(re.fullmatch(r"[a-z]+", player) for player in game.players)
    assert all(re.fullmatch(r"[A-Z]", letter) for letter in game.letters.values())
    seen = {piece.kind for turn in turns(game) for piece in turn.before.pieces.values()}
    assert seen == set(game.letters)


@every_game
def test_a_game_is_equal_hashable_and_immutable(game: AnyGame) -> None:
    assert game == type(game)()
    assert hash(game) == hash(type(game)())
    with pytest.raises(FrozenInstanceError):
        game.anything = 1  # type: ignore[attr-defined]


# -- starting --------------------------------------------------------------------------------


@every_game
def test_every_start_can_be_played_and_is_no_draw(game: AnyGame) -> None:
    for position in [game.start(), *starts(game)]:
        assert game.outcome(position) is None
        assert game.claimable(position) is None
        assert game.to_move(position)
        assert all(game.legal(position, player) for player in game.to_move(position))
        assert {piece.owner for piece in position.pieces.values()} == {0, 1}
    assert game.start() == game.start()


@every_game
def test_the_text_of_a_setup_is_its_start_position(game: AnyGame) -> None:
    for name, setup in game.setups().items():
        assert setup.name == name
        assert game.read_position(setup.text) == game.start(name)
        assert game.setup(name) == setup
    with pytest.raises(UnknownName) as caught:
        game.start("no-such-setup")
    assert caught.value.sentence.slots["name"] == "'no-such-setup'"
    if game.setups():
        assert game.start() == game.start(game.default_setup)
        with raises(UnknownName, catalogue.NO_SEED_BUT_SETUP):
            game.start(seed=1)
    else:
        assert game.start(seed=5) == game.start(seed=5) != game.start(seed=6)


# -- playing ---------------------------------------------------------------------------------


@every_game
def test_only_players_to_move_have_legal_moves(game: AnyGame) -> None:
    for turn in turns(game):
        for position, ended in ((turn.before, False), (turn.after, turn.outcome is not None)):
            movers = game.to_move(position)
            assert 0 < len(set(movers)) == len(movers) <= 2
            assert set(movers) <= {0, 1}
            for player in (-1, 0, 1, 2):
                legal = game.legal(position, player)
                assert bool(legal) == (player in movers and not ended)
                assert len(set(legal)) == len(legal)


@every_game
def test_a_move_of_an_unknown_player_is_refused(game: AnyGame) -> None:
    position = game.start()
    player = game.to_move(position)[0]
    text = game.write_move(position, player, game.legal(position, player)[0])
    for unknown_player in (-1, 2):
        with pytest.raises(IllegalMove):
            game.read_move(position, unknown_player, text)


@every_game
def test_a_turn_of_the_wrong_players_is_refused(game: AnyGame) -> None:
    position = game.start()
    moves = {player: game.legal(position, player)[0] for player in game.to_move(position)}
    any_move = next(iter(moves.values()))
    wrong: list[dict[int, Any]] = [{}, {2: any_move}, {**moves, 2: any_move}]
    wrong += [{player: any_move} for player in (0, 1) if {player} != set(moves)]
    for players in wrong:
        with raises(IllegalMove, catalogue.WRONG_MOVERS):
            game.resolve(position, players)


@every_game
def test_a_finished_game_refuses_turns(game: AnyGame) -> None:
    finished = [turn for turn in turns(game) if turn.outcome is not None]
    for turn in finished:
        assert turn.outcome is not None
        assert game.claimable(turn.after) is None
        with raises(IllegalMove, catalogue.GAME_OVER(outcome=turn.outcome.sentence)):
            game.resolve(turn.after, dict(turn.moves))
        assert turn.outcome.result in ("1-0", "0-1", "1/2-1/2")
        assert turn.outcome.winner == {"1-0": 0, "0-1": 1}.get(turn.outcome.result)
        assert str(turn.outcome.reason)
    assert game.outcome(turns(game)[-1].before) is None


@every_game
def test_the_turns_are_all_combinations_of_legal_moves(game: AnyGame) -> None:
    for turn in turns(game)[::9]:
        position = turn.before
        movers = game.to_move(position)
        found = list(game.turns(position))
        assert len(found) == prod(len(game.legal(position, player)) for player in movers)
        assert len({each.moves for each in found}) == len(found)
        assert turn in found
        for each in found[::7]:
            assert each == game.resolve(position, dict(each.moves))


@every_game
def test_a_finished_game_has_no_turns(game: AnyGame) -> None:
    for turn in turns(game):
        if turn.outcome is not None:
            assert list(game.turns(turn.after)) == []


@every_game
def test_the_aimed_position_differs_from_the_one_before_by_the_moves_only(game: AnyGame) -> None:
    for turn in turns(game):
        before, aimed = turn.before.pieces, turn.aimed.pieces
        changed = {c for c in before.keys() | aimed.keys() if before.get(c) != aimed.get(c)}
        origins = {game.origin(turn.before, player, move) for player, move in turn.moves}
        assert {player for player, _ in turn.moves} == set(game.to_move(turn.before))
        assert len(changed) <= 2 * len(turn.moves)
        assert not changed or changed & origins
        for origin in origins - {None}:
            assert before[origin].owner in dict(turn.moves)
        kinds = [Counter((p.kind, p.owner) for p in each.values()) for each in (before, aimed)]
        assert kinds[0] == kinds[1]


@every_game
def test_the_losses_are_the_difference_that_the_beams_made(game: AnyGame) -> None:
    for turn in turns(game):
        expected = dict(turn.aimed.pieces)
        for loss in turn.losses:
            assert loss.hits >= 1
            assert loss.piece == expected.pop(loss.cell)
            if not loss.removed:
                left = loss.piece.hit_points - loss.hits
                expected[loss.cell] = replace(loss.piece, hit_points=left)
        assert dict(turn.after.pieces) == expected
        assert turn.removed == tuple(loss for loss in turn.losses if loss.removed)
        assert turn.before.grid == turn.aimed.grid == turn.after.grid
        assert turn.outcome == game.outcome(turn.after)
        json.dumps([dict(event) for event in turn.events])


# -- beams -----------------------------------------------------------------------------------


def check_beam(grid: Grid, beam: Beam) -> None:
    """Consecutive steps are on adjacent cells, and only the last step ends the beam."""
    first, *later = beam.steps
    assert first.event is BeamEvent.FIRE
    assert first.entered is None
    assert first.left is not None
    assert later, "a beam has an end"
    held = first
    for step in later[:-1]:
        assert step.event in (BeamEvent.PASS, BeamEvent.TURN)
        assert (step.event is BeamEvent.PASS) == (step.left == step.entered)
        assert step.entered == held.left is not None
        assert step.cell == grid.ahead(held.cell, held.left)
        held = step
    end = later[-1]
    assert end is beam.end
    assert held.left is not None
    if end.on_edge:
        assert end.event in (BeamEvent.LEAVE, BeamEvent.ANNIHILATE, BeamEvent.FADE)
        assert (end.cell, end.left) == (held.cell, held.left)
        assert (end.event is BeamEvent.LEAVE) <= (grid.ahead(end.cell, held.left) is None)
    else:
        assert end.event in (
            BeamEvent.ABSORB,
            BeamEvent.DAMAGE,
            BeamEvent.CAPTURE,
            BeamEvent.ANNIHILATE,
        )
        assert (end.entered, end.left) == (held.left, None)
        assert end.cell == grid.ahead(held.cell, held.left)
    assert beam.path == tuple(step.cell for step in beam.steps[: -1 if end.on_edge else None])


@every_game
def test_a_beam_starts_at_a_piece_of_its_owner_and_ends_once(game: AnyGame) -> None:
    fired = 0
    for turn in turns(game):
        for beam in turn.beams:
            assert beam.owner in (0, 1)
            assert turn.aimed.pieces[beam.steps[0].cell].owner == beam.owner
            check_beam(turn.aimed.grid, beam)
            fired += 1
    assert fired > 20


@every_game
def test_beams_that_do_damage_end_at_a_loss(game: AnyGame) -> None:
    for turn in turns(game):
        hurt = {(b.end.cell, b.end.event is BeamEvent.CAPTURE) for b in turn.beams
                if b.end.event in (BeamEvent.DAMAGE, BeamEvent.CAPTURE)}  # fmt: skip
        lost = {(loss.cell, loss.removed) for loss in turn.losses}
        assert hurt <= lost
        # Losses without a beam are events of the game.
        origins = {game.origin(turn.before, player, move) for player, move in turn.moves}
        assert {cell for cell, _ in lost - hurt} <= (origins if turn.events else set())


@every_game
def test_standing_beams_belong_to_the_requested_player(game: AnyGame) -> None:
    for turn in turns(game)[::5]:
        for player in (0, 1):
            for beam in game.standing_beams(turn.before, player):
                assert beam.owner == player
                check_beam(turn.before.grid, beam)


# -- on a table ------------------------------------------------------------------------------


@every_game
def test_equivalent_orientations_is_an_equivalence_relation(game: AnyGame) -> None:
    for position in starts(game):
        for piece in position.pieces.values():
            alike = game.equivalent_orientations(piece)
            assert piece.orientation in alike <= set(range(position.grid.headings))
            for orientation in range(position.grid.headings):
                turned = replace(piece, orientation=orientation)
                assert (game.equivalent_orientations(turned) == alike) == (orientation in alike)


@every_game
def test_expected_pieces_are_exactly_those_of_the_position(game: AnyGame) -> None:
    for turn in turns(game):
        shown = game.expected_pieces(turn.after)
        assert shown.keys() == turn.after.pieces.keys()
        for cell, piece in turn.after.pieces.items():
            assert shown[cell].accepts(piece)
            assert shown[cell].orientations == game.equivalent_orientations(piece)


@every_game
def test_a_turn_by_hand_adds_and_removes_no_piece(game: AnyGame) -> None:
    """All pieces are on the table afterwards, each in some valid orientation."""
    random = Random(1)
    for turn in turns(game):
        shown = game.expected_after_moves(turn, some_facing(game, turn.before, random))
        if shown is None:
            continue
        assert set(shown) <= set(range(turn.before.grid.size))
        kinds = Counter((each.kind, each.owner) for each in shown.values())
        assert kinds == Counter((each.kind, each.owner) for each in turn.before.pieces.values())
        for each in shown.values():
            assert each.orientations
            assert each.orientations <= set(range(turn.before.grid.headings))


@every_game
def test_without_an_action_the_expected_table_is_the_position(game: AnyGame) -> None:
    for turn in turns(game)[::3]:
        facing = some_facing(game, turn.before, Random(2))
        assert game.expected_after_moves(turn, facing, moved_by_hand=()) == game.expected_pieces(
            turn.before
        )
        others = set(range(2)) - set(game.to_move(turn.before))
        if others:
            assert game.expected_after_moves(turn, facing, others) == game.expected_pieces(
                turn.before
            )


@every_game
def test_the_action_of_one_player_leaves_the_other_players_pieces(
    game: AnyGame,
) -> None:
    """With simultaneous actions, only the acting player's own pieces change."""
    for turn in turns(game)[::3]:
        if len(turn.moves) == 1:
            continue
        for player in (0, 1):
            shown = game.expected_after_moves(turn, {}, moved_by_hand={player})
            rest = game.expected_pieces(turn.before)
            if shown is not None:
                assert {c: s for c, s in shown.items() if s.owner != player} == {
                    c: s for c, s in rest.items() if s.owner != player
                }


@every_game
def test_no_two_turns_have_the_same_table(game: AnyGame) -> None:
    """For any previous orientations, two turns differ in at least one cell."""
    random = Random(3)
    for turn in turns(game)[::25]:
        facing = some_facing(game, turn.before, random)
        looks = [shown for each in game.turns(turn.before)
                 if (shown := game.expected_after_moves(each, facing)) is not None]  # fmt: skip
        assert len(looks) > 5
        for one, other in combinations(looks, 2):
            assert any(
                cell not in one
                or cell not in other
                or (one[cell].kind, one[cell].owner) != (other[cell].kind, other[cell].owner)
                or one[cell].orientations.isdisjoint(other[cell].orientations)
                for cell in one.keys() | other.keys()
            )


@every_game
def test_the_orientation_of_unrotated_pieces_does_not_affect_a_turn(game: AnyGame) -> None:
    """The orientation seen before only affects a piece that is rotated in place."""
    random = Random(4)
    for turn in turns(game)[::3]:
        one, other = (
            game.expected_after_moves(turn, some_facing(game, turn.before, random))
            for _ in range(2)
        )
        if one is None or other is None:
            assert one == other
            continue
        origins = {game.origin(turn.before, player, move) for player, move in turn.moves}
        assert {cell for cell in one.keys() | other.keys() if one[cell] != other[cell]} <= origins


@every_game
def test_an_unseen_piece_is_assumed_to_be_as_in_the_position(game: AnyGame) -> None:
    for turn in turns(game)[::3]:
        known = {cell: piece.orientation for cell, piece in turn.before.pieces.items()}
        junk = dict.fromkeys(range(turn.before.grid.size), -1)
        shown = game.expected_after_moves(turn, known)
        assert shown == game.expected_after_moves(turn, {}) == game.expected_after_moves(turn, junk)


@every_game
def test_every_start_has_a_tag_for_every_piece(game: AnyGame) -> None:
    printed = Counter((piece.kind, piece.owner) for piece in game.tags.values())
    for position in starts(game):
        needed = Counter((piece.kind, piece.owner) for piece in position.pieces.values())
        assert needed <= printed
        assert printed.keys() == needed.keys()
        for piece in game.tags.values():
            assert piece.orientation in range(position.grid.headings)


@every_game
def test_tags_of_pieces_are_neither_corners_nor_spares(game: AnyGame) -> None:
    assert not set(game.tags) & {*CORNERS, *SPARES}
    assert min(game.tags) >= 0


@every_game
def test_any_arrangement_of_pieces_can_be_written(game: AnyGame) -> None:
    random = Random(5)
    for turn in turns(game)[::9]:
        grid, pieces = turn.before.grid, turn.before.pieces
        text = game.write_pieces(grid, pieces)
        assert "\n" not in text
        if game.record_form == "text":
            assert text == game.write_arrangement(turn.before)
        else:
            json.loads(text)
        # Any pieces on any cells, with or without kings.
        cells = random.sample(range(grid.size), min(grid.size, 2 * len(game.tags)))
        anything = {
            cell: Piece(piece.kind, piece.owner, random.randrange(grid.headings))
            for cell, piece in zip(cells, 2 * list(game.tags.values()), strict=False)
        }
        texts = {text, game.write_pieces(grid, anything), game.write_pieces(grid, {})}
        assert len(texts) == 3
        lost = {cell: anything[cell] for cell in list(anything)[1:]}
        assert game.write_pieces(grid, lost) not in texts


# -- text ------------------------------------------------------------------------------------


@every_game
def test_positions_and_moves_round_trip_as_text(game: AnyGame) -> None:
    assert game.record_form in ("text", "json")
    for turn in turns(game):
        for position in (turn.before, turn.after):
            text = game.write_position(position)
            assert "\n" not in text
            assert game.read_position(text) == position
            assert game.write_arrangement(position) in text
            if game.record_form == "json":
                json.loads(text)
        for player, move in turn.moves:
            text = game.write_move(turn.before, player, move)
            assert "\n" not in text
            assert game.read_move(turn.before, player, text) == move


@every_game
def test_invalid_text_raises_only_our_own_errors(game: AnyGame) -> None:
    position = start(game, 1)
    for text in [*JUNK, *(setup.text[:-1] for setup in game.setups().values())]:
        with pytest.raises(LaserboardError) as caught:
            game.read_position(text)
        assert str(caught.value).strip()
        for player in (0, 1):
            try:
                move = game.read_move(position, player, text)
            except LaserboardError as error:
                assert str(error).strip()  # noqa: PT017 - some junk is a move in some game
            else:
                assert move in game.legal(position, player)


# -- options ---------------------------------------------------------------------------------


@every_game
def test_options_round_trip_as_text(game: AnyGame) -> None:
    kind = type(game)
    assert game.options() == {}
    for each in fields(game):
        assert each.metadata["help"]
        valid = each.metadata["choices"] or [each.metadata["least"], each.metadata["least"] + 7]
        for value in valid:
            made = kind.with_options({each.name: value})
            assert getattr(made, each.name) == value
            assert kind.with_options({each.name: str(value)}) == made
            assert kind.with_options(made.options()) == made
            assert made.options() == ({} if value == each.default else {each.name: value})


@every_game
def test_an_invalid_option_names_the_valid_values(game: AnyGame) -> None:
    kind = type(game)
    for each in fields(game):
        choices, least, most = (each.metadata[key] for key in ("choices", "least", "most"))
        hints = {"choices": choices} if choices else {"least": least, "most": most}
        wrong: list[Any] = [least - 1, most + 1, "", "maybe", [], {}, 1.5, True, b"x", "9" * 5000]
        for value in (*wrong, str(most + 1), float("nan")):
            with pytest.raises(BadOption) as caught:
                kind.with_options({each.name: value})
            slots = caught.value.sentence.slots
            assert slots["option"] == each.name
            assert hints.items() <= slots.items()
            assert len(str(caught.value)) < 300
        with raises(BadOption, catalogue.DID_YOU_MEAN(name=each.name)):
            kind.with_options({each.name + "s": 1})
    with raises(BadOption, catalogue.KNOWN_NAMES):
        kind.with_options({"?": 1})


# -- cells, and the fast board ---------------------------------------------------------------


@every_game
def test_cells_have_names_and_marks_are_for_cells(game: AnyGame) -> None:
    position = start(game, 1)
    grid = position.grid
    names = [grid.name(cell) for cell in range(grid.size)]
    assert len(set(names)) == grid.size
    assert [grid.cell(name) for name in names] == list(range(grid.size))
    for wrong in ("", "a", "a0", "z99", "A1", "a01", "a-1", " a1", "a\u0661", names[0] + " "):
        with pytest.raises(BadPosition):
            grid.cell(wrong)
    for cell, mark in game.marks(position).items():
        assert cell in range(grid.size)
        assert isinstance(mark, Mark)
    assert set(position.pieces) <= set(range(grid.size))


@every_game
def test_the_fast_board_agrees_with_the_game(game: AnyGame) -> None:
    for turn in turns(game)[::4]:
        position = turn.before
        board = game.board(position)
        if board is None:
            continue
        (player,) = game.to_move(position)
        assert board.side == player
        assert board.winner is None
        actions = board.actions()
        assert [board.move(action) for action in actions] == list(game.legal(position, player))
        before: tuple[Hashable, int] = (board.key(), board.score())
        for action in actions[::6]:
            move = board.move(action)
            board.play(action)
            assert board.side == 1 - player
            after = game.resolve(position, {player: move}).after
            twin = game.board(after)
            assert twin is not None
            assert (twin.key(), twin.score()) == (board.key(), board.score())
            assert twin.winner == board.winner
            board.take_back()
            assert (board.key(), board.score(), board.winner) == (*before, None)
        assert board.perft(1) == len(actions)
        assert board.actions() == actions


# -- programs --------------------------------------------------------------------------------


def test_the_games_with_a_program_protocol_are_listed() -> None:
    """The list exists so that the command line need not import the games."""
    assert set(HTTP_GAMES) == {name for name, kind in GAMES.items() if issubclass(kind, HttpGame)}


@pytest.mark.parametrize("name", HTTP_GAMES)
def test_a_program_gets_json_and_its_answers_are_read_as_moves(name: str) -> None:
    game = make_http_game(name)
    position = game.start_with(3, ("Ada", "Grace"))
    assert json.loads(game.request_body(position))
    for move in game.legal(position, 0):
        assert game.read_answer(game.write_move(position, 0, move)) == move
    for text in JUNK:
        with pytest.raises(LaserboardError):
            game.read_answer(text)
    nothing = game.no_answer("it slept\x00" * 100)
    turn = game.resolve(position, dict.fromkeys(game.to_move(position), nothing))
    assert [each.player for each in game.round_events(turn)] == [0, 1]
    assert all(each.failed for each in game.round_events(turn))
    assert [each.name for each in game.tallies(turn.after)] == ["Ada", "Grace"]
