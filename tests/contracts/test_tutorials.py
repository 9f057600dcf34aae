"""Tutorials: every registered game is explained under all options, with legal turns."""

from __future__ import annotations

import pytest

from engine.beam import BeamEvent
from engine.game import AnyGame
from engine.games import GAMES
from engine.tutorial import Strike
from tests.support.engine.game_variants import variants

every_game = pytest.mark.parametrize("game", [kind() for kind in GAMES.values()], ids=list(GAMES))


def strikes(game: AnyGame) -> list[Strike]:
    tutorial_value = game.tutorial()
    headings = range(game.start().grid.headings)
    shot = (
        tutorial_value.strike(piece, way) for piece in tutorial_value.pieces() for way in headings
    )
    return [strike for strike in shot if strike is not None]


@every_game
def test_every_piece_and_rule_has_a_text_under_all_options(game: AnyGame) -> None:
    for variant in variants(game):
        words, tutorial_value = variant.tutorial().text, variant.tutorial()
        assert set(words.pieces) == set(game.letters)
        assert set(words.lessons) == set(tutorial_value.lessons())
        assert set(words.marks) <= set(game.marks(game.start()).values())
        assert len(words.chapters) >= 2
        said = [words.aim, words.start, *words.pieces.values(), *words.marks.values()]
        for chapter in words.chapters:
            assert chapter.lines, chapter.title
            said += [chapter.title, *chapter.lines]
        assert all(said)
        for text in (*said, *words.lessons.values()):
            assert not {"{", "}"} & set(text), text
            assert text.isascii()
            assert " None" not in text


@every_game
def test_every_shown_turn_is_a_legal_turn(game: AnyGame) -> None:
    for variant in variants(game):
        lessons = variant.tutorial().lessons().values()
        for turn in [s.turn for s in strikes(variant)] + [lesson.turn for lesson in lessons]:
            assert turn == variant.resolve(turn.before, dict(turn.moves))


@every_game
def test_a_hit_comes_from_the_requested_side(game: AnyGame) -> None:
    tutorial_value = game.tutorial()
    for piece in tutorial_value.pieces():
        for way in range(game.start().grid.headings):
            strike = tutorial_value.strike(piece, way)
            if strike is None:
                continue
            assert strike.heading == way
            assert strike.piece == piece
            assert strike.beam in strike.turn.beams
            removed = strike.cell in {loss.cell for loss in strike.turn.removed}
            assert removed == (strike.effect.event is BeamEvent.CAPTURE)


@every_game
def test_each_kind_is_hit_from_all_distinct_sides(game: AnyGame) -> None:
    tutorial_value = game.tutorial()
    for piece in tutorial_value.pieces():
        ways = range(game.start().grid.headings)
        all_sides = {
            s.effect for way in ways if (s := tutorial_value.strike(piece, way)) is not None
        }
        shown = tutorial_value.strikes(piece)
        assert {strike.effect for strike in shown} >= all_sides != set()
        if len(all_sides) > 1:
            assert len(shown) >= len(ways)


@every_game
def test_a_piece_with_several_hit_points_is_shown_until_destroyed(game: AnyGame) -> None:
    for piece in game.tutorial().pieces():
        whats = [strike.effect.event for strike in game.tutorial().strikes(piece)]
        assert (BeamEvent.DAMAGE in whats) <= (whats[-1] is BeamEvent.CAPTURE)


@every_game
def test_the_reach_of_a_piece_matches_its_legal_moves(game: AnyGame) -> None:
    tutorial_value = game.tutorial()
    for piece in tutorial_value.pieces():
        reach = tutorial_value.move_range(piece)
        position, cell = reach.position, reach.cell
        assert position.pieces[cell].kind == piece.kind
        assert piece.owner in game.to_move(position)
        moves = game.legal(position, piece.owner)
        own = [move for move in moves if game.origin(position, piece.owner, move) == cell]
        assert len(reach.targets) + len(reach.rotations) <= len(own)
        assert reach.targets or reach.rotations
        assert cell not in reach.targets
        assert 0 not in reach.rotations
