"""Tag patterns and numbers. Printed sheets are in use, so none of them may change."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine import games
from engine.game import Piece
from engine.sentences import Sentence
from tests.support.vision.rendered_tables import DEMO
from vision import sentences, tags
from vision.tags import CORNERS, SPARES, describe_tag, modules, pieces_by_tag

# The first and the last tag of the dictionary, and a corner tag. `#` is black.
PRINTED = {
    0: "####### #.#.### ##.#..# ##..### #.#.#.# #...### #######",
    26: "####### #...### ###...# #.##..# #.#.### ##.#..# #######",
    33: "####### ###.### #.#.#.# ##.#.## #.#..## ##.#### #######",
}
KINDS = ["king", *2 * ["switch"], *2 * ["defender"], *7 * ["deflector"], "laser"]
SHOOTERS = {30: "red", 31: "red", 32: "blue", 33: "blue"}


@pytest.mark.parametrize("tag", PRINTED)
def test_the_pattern_of_a_printed_tag_never_changes(tag: int) -> None:
    rows = ["".join("#."[white] for white in row) for row in modules(tag)]
    assert " ".join(rows) == PRINTED[tag]


@pytest.mark.parametrize("tag", tags.TAGS)
def test_opencv_finds_each_tag_upright(tag: int) -> None:
    paper = np.pad(modules(tag) * np.uint8(255), 2, constant_values=255)
    large = cv2.resize(paper, None, fx=10, fy=10, interpolation=cv2.INTER_NEAREST)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50))
    [quad], found, _ = detector.detectMarkers(large)
    assert found is not None
    assert found.ravel().tolist() == [tag]
    upper_left = quad.reshape(4, 2)[0]
    assert upper_left == pytest.approx([20, 20], abs=1.5)


def test_any_two_tags_differ_in_eight_modules_in_every_rotation() -> None:
    known = [np.rot90(modules(tag), turn) for tag in tags.TAGS for turn in range(4)]
    apart = [int((one != other).sum()) for i, one in enumerate(known) for other in known[i + 1 :]]
    assert min(apart) == 8


def test_corners_and_spares_have_their_numbers() -> None:
    assert CORNERS == (26, 27, 28, 29)
    assert list(SPARES) == list(range(34, 50))
    assert list(tags.TAGS) == list(range(50))
    assert len(tags.dictionary().bytesList) == 50, "no tag beyond these is known"


@pytest.mark.parametrize("name", games.GAMES)
def test_no_piece_carries_a_corner_tag_or_a_spare(name: str) -> None:
    numbers = set(games.make(name).tags)
    assert numbers <= set(tags.TAGS) - set(CORNERS) - set(SPARES)


@pytest.mark.parametrize(("owner", "first"), [("red", 0), ("blue", 13)])
def test_chess_pieces_have_their_numbers(owner: str, first: int) -> None:
    game = games.make("laser-chess")
    side = game.players.index(owner)
    meant = {tag: each for tag, each in pieces_by_tag(game, DEMO).items() if each.owner == side}
    assert meant == {first + number: Piece(kind, side) for number, kind in enumerate(KINDS)}


def test_photon_pieces_have_their_numbers() -> None:
    game = games.make("photon")
    meant = pieces_by_tag(game, DEMO)
    for owner, first in (("red", 0), ("blue", 13)):
        side = game.players.index(owner)
        mine = {tag: each for tag, each in meant.items() if each.owner == side}
        kinds = {tag: (each.kind, each.orientation) for tag, each in mine.items()}
        assert kinds == {
            first: ("king", 0),
            first + 3: ("block", 0),
            first + 4: ("block", 0),
            # A mirror at orientation 0 faces north-east: a deflector rotated by 180 degrees.
            **{first + number: ("mirror", 2) for number in range(5, 12)},
            **{tag: ("shooter", 0) for tag, whose in SHOOTERS.items() if whose == owner},
        }


def test_ships_use_the_tags_of_lasers() -> None:
    assert pieces_by_tag(games.make("spaceships"), DEMO) == {
        12: Piece("ship", 0),
        25: Piece("ship", 1),
    }


def test_a_spare_tag_is_read_as_its_piece() -> None:
    game = games.make()
    meant = pieces_by_tag(game, replace(DEMO, spares=((34, 5), (49, 13))))
    assert meant[34] == meant[5] == Piece("deflector", 1)
    assert meant[49] == meant[13] == Piece("king", 0)
    assert set(meant) == set(game.tags) | {34, 49}


def test_a_spare_tag_of_another_game_is_read_as_no_piece() -> None:
    board = replace(DEMO, spares=((34, 30),))
    assert 34 not in pieces_by_tag(games.make("laser-chess"), board)
    assert pieces_by_tag(games.make("photon"), board)[34] == Piece("shooter", 0)


@pytest.mark.parametrize(
    ("name", "tag", "words"),
    [
        ("laser-chess", 18, sentences.PIECE_TAG(tag=18, player="blue", piece="deflector")),
        ("laser-chess", 0, sentences.PIECE_TAG(tag=0, player="red", piece="king")),
        ("laser-chess", 34, sentences.PIECE_TAG(tag=34, player="red", piece="switch")),
        ("laser-chess", 35, sentences.UNUSED_TAG(tag=35, game="Laser Chess")),
        ("laser-chess", 30, sentences.UNUSED_TAG(tag=30, game="Laser Chess")),
        ("laser-chess", 28, sentences.CORNER_TAG(tag=28)),
        ("photon", 33, sentences.PIECE_TAG(tag=33, player="blue", piece="shooter")),
        ("photon", 34, sentences.UNUSED_TAG(tag=34, game="Photon")),
        ("spaceships", 25, sentences.PIECE_TAG(tag=25, player="second", piece="ship")),
    ],
)
def test_a_tag_is_described_by_its_piece(name: str, tag: int, words: Sentence) -> None:
    assert describe_tag(tag, games.make(name), replace(DEMO, spares=((34, 1),))) == words
