"""What each game shows of itself, against its own tables and the written rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import engine
from engine.beam import What
from engine.game import Piece
from engine.games import make
from engine.photon.pieces import HIT, HITS, NAMES
from engine.primer import Strike, read_words

LHAN = json.loads((Path(engine.__file__).parent / "data" / "laser_hits.json").read_text("utf-8"))
DIRECTIONS = ("top", "right", "bottom", "left")


def struck(game: str, piece: Piece, way: int, **options: str) -> Strike:
    strike = make(game, options).primer().strike(piece, way)
    assert strike is not None
    return strike


@pytest.mark.parametrize("way", range(4))
@pytest.mark.parametrize("orientation", range(4))
@pytest.mark.parametrize("kind", ["deflector", "defender", "switch", "king"])
def test_a_strike_of_laser_chess_is_the_hit_table(kind: str, orientation: int, way: int) -> None:
    letter = {"deflector": "b", "defender": "d", "switch": "s", "king": "k"}[kind]
    expected = LHAN[DIRECTIONS[way]][letter][str(90 * orientation)]
    for owner in (0, 1):
        met = struck("laser-chess", Piece(kind, owner, orientation), way).met
        if expected == "kill":
            assert met.what is What.CAPTURE
        elif expected == "nothing":
            assert met.what is What.ABSORB
        else:
            assert (met.what, met.left) == (What.TURN, DIRECTIONS.index(expected))


def test_a_laser_in_its_corner_is_reached_from_two_sides_and_never_hurt() -> None:
    primer = make("laser-chess").primer()
    for owner, orientation, ways in (
        (0, 0, {1, 2}),
        (0, 3, {1, 2}),
        (1, 1, {0, 3}),
        (1, 2, {0, 3}),
    ):
        shot = {way: primer.strike(Piece("laser", owner, orientation), way) for way in range(4)}
        assert {way for way, strike in shot.items() if strike is not None} == ways
        assert {s.effect.what for s in shot.values() if s is not None} == {What.ABSORB}


@pytest.mark.parametrize("two_sided", [False, True])
@pytest.mark.parametrize("way", range(4))
@pytest.mark.parametrize("orientation", range(4))
def test_a_mirror_of_photon_is_struck_as_its_table_says(
    orientation: int, way: int, two_sided: bool
) -> None:
    options = {"mirrors": "two_sided"} if two_sided else {}
    met = struck("photon", Piece("mirror", 0, orientation), way, **options).met
    onward = HITS[two_sided][way][1 + 4 * NAMES.index("mirror") + orientation]
    expected = (What.CAPTURE, None) if onward == HIT else (What.TURN, onward)
    assert (met.what, met.left) == expected


def test_a_shooter_of_photon_is_safe_only_from_one_that_faces_it() -> None:
    shooter = Piece("shooter", 0)
    whats = [struck("photon", shooter, way).effect.what for way in range(4)]
    assert whats == [What.CAPTURE, What.CAPTURE, What.ANNIHILATE, What.CAPTURE]
    free = struck("photon", shooter, 2, beams="independent").effect
    assert free.what is What.CAPTURE


def test_lessons_show_what_their_words_say() -> None:
    photon = make("photon").primer().lessons()
    assert {b.end.what for name in ("meet", "cross") for b in photon[name].turn.beams} == {
        What.ANNIHILATE
    }
    assert [loss.hits for loss in photon["both"].turn.removed] == [2]
    assert [loss.piece.kind for loss in photon["own"].turn.removed] == ["mirror"]
    ships = make("spaceships").primer().lessons()
    lost = {name: [loss.hits for loss in ships[name].turn.losses] for name in ships}
    assert lost == {
        "fly": [],
        "bump": [5],
        "both": [5, 5],
        "over": [20],
        "rock": [],
        "duel": [20, 20],
    }
    assert [beam.end.what for beam in ships["rock"].turn.beams] == [What.ABSORB]
    swap = make("laser-chess").primer().lessons()["swap"].turn
    assert set(swap.before.pieces.values()) == set(swap.aimed.pieces.values())
    assert swap.before.pieces != swap.aimed.pieces


def test_words_follow_the_options() -> None:
    def end(**options: object) -> str:
        chapters = read_words(make("photon", options)).chapters
        return " ".join(next(c.lines for c in chapters if c.title == "The end"))

    assert "third time" in end()
    assert "third time" not in end(repetition="off")
    assert "On your turn you may call" not in end(repetition="automatic")
    assert "After 60 turns" in end(max_turns=60)
    assert "loses 7 hit points" in str(read_words(make("spaceships", {"collision_hp": 7})))
