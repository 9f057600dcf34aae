"""Tutorials of each game, compared with its hit tables and rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine
from engine.beam import BeamEvent
from engine.game import Piece
from engine.games import make
from engine.photon.pieces import HIT, HITS, NAMES
from engine.tutorial import Strike, read_tutorial_text

LHAN = json.loads((Path(engine.__file__).parent / "data" / "laser_hits.json").read_text("utf-8"))
DIRECTIONS = ("top", "right", "bottom", "left")


def struck(game: str, piece: Piece, way: int, **options: str) -> Strike:
    strike = make(game, options).tutorial().strike(piece, way)
    assert strike is not None
    return strike


@pytest.mark.parametrize("way", range(4))
@pytest.mark.parametrize("orientation", range(4))
@pytest.mark.parametrize("kind", ["deflector", "defender", "switch", "king"])
def test_hits_of_laser_chess_agree_with_the_hit_table(
    kind: str, orientation: int, way: int
) -> None:
    letter = {"deflector": "b", "defender": "d", "switch": "s", "king": "k"}[kind]
    expected = LHAN[DIRECTIONS[way]][letter][str(90 * orientation)]
    for owner in (0, 1):
        met = struck("laser-chess", Piece(kind, owner, orientation), way).contact_step
        if expected == "kill":
            assert met.event is BeamEvent.CAPTURE
        elif expected == "nothing":
            assert met.event is BeamEvent.ABSORB
        else:
            assert (met.event, met.left) == (BeamEvent.TURN, DIRECTIONS.index(expected))


def test_a_laser_in_its_corner_absorbs_beams_from_both_sides() -> None:
    tutorial_value = make("laser-chess").tutorial()
    for owner, orientation, ways in (
        (0, 0, {1, 2}),
        (0, 3, {1, 2}),
        (1, 1, {0, 3}),
        (1, 2, {0, 3}),
    ):
        shot = {
            way: tutorial_value.strike(Piece("laser", owner, orientation), way) for way in range(4)
        }
        assert {way for way, strike in shot.items() if strike is not None} == ways
        assert {s.effect.event for s in shot.values() if s is not None} == {BeamEvent.ABSORB}


@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("way", range(4))
@pytest.mark.parametrize("orientation", range(4))
def test_hits_on_a_mirror_of_photon_agree_with_its_table(
    orientation: int, way: int, two_sided: bool
) -> None:
    options = {"mirrors": "two_sided"} if two_sided else {}
    met = struck("photon", Piece("mirror", 0, orientation), way, **options).contact_step
    onward = HITS[two_sided][way][1 + 4 * NAMES.index("mirror") + orientation]
    expected = (BeamEvent.CAPTURE, None) if onward == HIT else (BeamEvent.TURN, onward)
    assert (met.event, met.left) == expected


def test_a_shooter_of_photon_is_only_protected_from_a_shooter_that_faces_it() -> None:
    shooter = Piece("shooter", 0)
    whats = [struck("photon", shooter, way).effect.event for way in range(4)]
    assert whats == [BeamEvent.CAPTURE, BeamEvent.CAPTURE, BeamEvent.ANNIHILATE, BeamEvent.CAPTURE]
    free = struck("photon", shooter, 2, beams="independent").effect
    assert free.event is BeamEvent.CAPTURE


def test_every_lesson_shows_the_effect_that_its_text_describes() -> None:
    photon = make("photon").tutorial().lessons()
    assert {b.end.event for name in ("meet", "cross") for b in photon[name].turn.beams} == {
        BeamEvent.ANNIHILATE
    }
    assert [loss.hits for loss in photon["both"].turn.removed] == [2]
    assert [loss.piece.kind for loss in photon["own"].turn.removed] == ["mirror"]
    ships = make("spaceships").tutorial().lessons()
    lost = {name: [loss.hits for loss in ships[name].turn.losses] for name in ships}
    assert lost == {
        "fly": [],
        "bump": [5],
        "both": [5, 5],
        "over": [20],
        "rock": [],
        "duel": [20, 20],
    }
    assert [beam.end.event for beam in ships["rock"].turn.beams] == [BeamEvent.ABSORB]
    swap = make("laser-chess").tutorial().lessons()["swap"].turn
    assert set(swap.before.pieces.values()) == set(swap.aimed.pieces.values())
    assert swap.before.pieces != swap.aimed.pieces


def test_texts_depend_on_the_options() -> None:
    def end(**options: object) -> str:
        chapters = read_tutorial_text(make("photon", options)).chapters
        return " ".join(next(c.lines for c in chapters if c.title == "The end"))

    assert "third time" in end()
    assert "third time" not in end(repetition="off")
    assert "On your turn you may call" not in end(repetition="automatic")
    assert "After 60 turns" in end(max_turns=60)
    assert "loses 7 hit points" in str(read_tutorial_text(make("spaceships", {"collision_hp": 7})))
