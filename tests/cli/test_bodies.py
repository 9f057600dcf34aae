"""`laserboard bodies list`, `mast` and `render`."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest

from controller.builder import paper_sentences as sentences
from controller.builder.bodies import openscad
from controller.builder.bodies.openscad import OpenScadError, render_parts
from controller.builder.bodies.parts import PartGroup, PrintedPart
from controller.cli.main import main
from controller.config.board_file import SHIPPED_BOARDS_FOLDER
from tests.support.engine.sentences import raises

Out = pytest.CaptureFixture[str]


def test_list_names_every_piece_with_its_tags(capsys: Out) -> None:
    assert main(["bodies", "list"]) == 0
    shown = capsys.readouterr().out
    assert "26 pieces" in shown
    assert "7 red     deflector  deflector-cut    tags 5-11" in shown


def test_list_as_json(capsys: Out) -> None:
    assert main(["bodies", "list", "--board", "hex-r5", "--json"]) == 0
    (ships,) = json.loads(capsys.readouterr().out)["games"].values()
    assert [ship["body"] for ship in ships] == ["ship-round", "ship-cut"]


def test_mast_prints_the_lengths_to_cut(capsys: Out) -> None:
    assert main(["bodies", "mast", "--camera", "v2", "--surface", "25"]) == 0
    shown = capsys.readouterr().out
    assert "v2       lens 622 mm above the squares; upright tube 685 mm, arm 245 mm" in shown
    assert "25 mm above the mast's foot" in shown


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["render", "--board", "paper-10x8"], "paper-10x8: its tags lie flat on the board"),
        (["mast", "--camera", "v9"], "there is no camera 'v9'"),
        (["render", "--tube", "5"], "'5' is not a number from 10 to 40"),
        (["render", "--board", "hex-r5", "--only", "grid"], "nothing to render"),
        (["list", "--board", "demo"], "did you mean 'demo-10x8'?"),
    ],
)
def test_errors_are_one_line(words: list[str], complaint: str, capsys: Out) -> None:
    with suppress(SystemExit):  # refused by argparse
        assert main(["bodies", *words]) == 2
    assert complaint in capsys.readouterr().err


def test_render_writes_every_file_of_a_board_once(tmp_path: Path, capsys: Out) -> None:
    mine = tmp_path / "mine.yaml"
    text = (SHIPPED_BOARDS_FOLDER / "hex-r5.yaml").read_text("utf-8")
    mine.write_text(text.replace("cap_height_mm: 30", "cap_height_mm: 24"), "utf-8")
    words = ["bodies", "render", "--board", str(mine), "--only", "pieces"]
    assert main([*words, "--out", str(tmp_path / "stl")]) == 0
    assert "4 files" in (first := capsys.readouterr().out)
    assert "4 of them new" in first
    files = sorted(path.name for path in (tmp_path / "stl" / "pieces").iterdir())
    assert files == ["ship-cut.stl", "ship-round.stl", "tray-cut.stl", "tray-round.stl"]
    assert main([*words, "--out", str(tmp_path / "stl")]) == 0
    assert "0 of them new" in capsys.readouterr().out


def test_a_source_that_openscad_refuses_is_reported_with_its_error(tmp_path: Path) -> None:
    (tmp_path / "bad.scad").write_text("cube(;", "utf-8")
    part = PrintedPart(PartGroup.MAST, "bad", "bad.scad", ())
    with raises(OpenScadError, sentences.OPENSCAD_FAILED) as caught:
        list(render_parts([part], tmp_path / "kept", tmp_path))
    slots = caught.value.sentence.slots
    assert (slots["part"], slots["file"]) == ("bad", "bad.scad")
    assert "syntax error" in str(slots["output"])
    assert not list((tmp_path / "kept").iterdir()), "nothing half done is kept"


def test_a_change_of_an_included_source_renders_anew(tmp_path: Path) -> None:
    (tmp_path / "size.scad").write_text("size = 1;", "utf-8")
    (tmp_path / "cube.scad").write_text("include <size.scad>\ncube(size);", "utf-8")
    part = PrintedPart(PartGroup.MAST, "cube", "cube.scad", ())
    made = [next(iter(render_parts([part], tmp_path / "kept", tmp_path)))[1:] for _ in range(2)]
    assert [fresh for _, fresh in made] == [True, False]
    (tmp_path / "size.scad").write_text("size = 2;", "utf-8")
    ((_, stl, fresh),) = render_parts([part], tmp_path / "kept", tmp_path)
    assert fresh
    assert stl != made[0][0]


def test_without_openscad_the_error_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openscad, "PROGRAM", "no-such-openscad")
    with raises(OpenScadError, sentences.OPENSCAD_MISSING()):
        list(render_parts([], tmp_path))
