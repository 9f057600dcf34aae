"""`laserboard replay` and `convert` on files with intact and broken games."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from engine import games
from engine.record import make_record, write_record
from tests.support.cli import Laserboard
from tests.support.engine.random_play import random_turns

GAME = """\
[Event "Club evening"]
[Blue "Ada"]
[Red "Bob"]
[Result "*"]
[Setup "mercury"]

1. j4i4xj3 {[%clk 0:09:51] ouch} a5b5 *
"""
BROKEN = GAME.replace("j4i4xj3", "j4j6")


@pytest.fixture
def game_file(tmp_path: Path) -> Path:
    file = tmp_path / "game.pgn"
    file.write_text(GAME)
    return file


def test_replay_prints_every_turn_and_the_last_position(
    laserboard: Laserboard, game_file: Path
) -> None:
    lines = laserboard.prints("replay", str(game_file)).splitlines()
    assert lines[0] == "game 1: Ada - Bob, Laser Chess from mercury"
    assert lines[1] == "   1. blue j4i4xj3, blue's deflector on j3 captured"
    assert lines[2].startswith("   2. red a5b5")
    assert any(line.startswith("8 ") for line in lines)


def test_replay_draws_every_turn(laserboard: Laserboard, game_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    ran = laserboard("replay", str(game_file), "--svg", str(folder))
    assert ran.status == 0
    assert "3 drawings" in ran.err
    files = sorted(folder.rglob("*.svg"))
    assert [file.name for file in files] == ["000.svg", "001.svg", "002.svg"]
    for file in files:
        ET.parse(file)


def test_a_broken_game_is_reported_with_its_line_and_the_others_are_replayed(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    file = tmp_path / "three.pgn"
    file.write_text(f"{GAME}\n{BROKEN}\n{GAME}")
    ran = laserboard("replay", str(file))
    assert ran.status == 2
    assert f"{file}:15: game 2: " in ran.err
    assert "illegal move 'j4j6'" in ran.err
    heads = [line for line in ran.lines if line.startswith("game ")]
    assert [head.split(":")[0] for head in heads] == ["game 1", "game 3"]


def test_convert_to_json_and_back_is_lossless(
    laserboard: Laserboard, game_file: Path, tmp_path: Path
) -> None:
    text = laserboard.prints("convert", str(game_file), "--to", "text")
    document = laserboard.prints("convert", str(game_file))
    assert json.loads(document)["setup"] == "mercury"
    other = tmp_path / "game.json"
    other.write_text(document)
    assert laserboard.prints("convert", str(other)) == text
    assert laserboard.prints("convert", str(other), "--output", str(game_file)) == ""
    assert game_file.read_text() == text


@pytest.mark.parametrize("name", games.GAMES)
def test_every_game_can_be_replayed_and_converted_to_json(
    laserboard: Laserboard, tmp_path: Path, name: str
) -> None:
    game = games.make(name)
    turns = list(random_turns(game, seed=5, most=12))
    record = make_record(game, turns[0].before, turns)
    file = tmp_path / "game"
    file.write_text(write_record(record, "json"))
    assert laserboard.prints("convert", str(file), "--to", "json") == file.read_text()
    lines = laserboard.prints("replay", str(file)).splitlines()
    assert lines[0].startswith("game 1: ")
    assert f"{len(turns):4}. " in "\n".join(lines)


@pytest.mark.parametrize(
    ("content", "fragment"),
    [(b"", "no game"), (b"\n\n", "no game"), (b"\xff\xff", "UTF-8"), (b"\x00" * 50, "game")],
)
def test_a_file_without_a_game_is_refused_in_one_line(
    laserboard: Laserboard, tmp_path: Path, content: bytes, fragment: str
) -> None:
    file = tmp_path / "wrong"
    file.write_bytes(content)
    for command in ("replay", "convert"):
        assert fragment in laserboard.refuses(command, str(file))


def test_a_game_without_a_text_form_is_not_written_as_text(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    game = games.make("photon")
    file = tmp_path / "game.json"
    file.write_text(write_record(make_record(game, None, list(random_turns(game, seed=1, most=3)))))
    assert "game 1: " in laserboard.refuses("convert", str(file), "--to", "text")


def test_converting_a_file_onto_itself_keeps_broken_games(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(f"{GAME}\n{BROKEN}")
    before = file.read_bytes()
    ran = laserboard("convert", str(file), "--to", "text", "--output", str(file))
    assert ran.status == 2
    assert "left as it is" in ran.err
    assert file.read_bytes() == before


def test_drawings_of_two_games_are_never_mixed(
    laserboard: Laserboard, game_file: Path, tmp_path: Path
) -> None:
    folder = str(tmp_path / "pictures")
    assert laserboard("replay", str(game_file), "--svg", folder).status == 0
    assert "has drawings already" in laserboard.refuses("replay", str(game_file), "--svg", folder)
