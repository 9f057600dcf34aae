"""The printed rules page: everything fits, and its pictures agree with the rules."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from math import atan2, degrees
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from fpdf.fonts import CORE_FONTS_CHARWIDTHS

from controller.builder.printables.page_files import render_pdf
from engine.beam import BeamEvent
from engine.draw import catalogue as draw_catalogue
from engine.draw.font_metrics import text_width, wrap_text
from engine.draw.page import A4, LETTER, Paper
from engine.draw.rules import page as rules
from engine.draw.rules.content import collect_rules_content
from engine.game import AnyGame
from engine.games import GAMES, make
from engine.tutorial import Chapter
from tests.support.builder.rendered_pages import rendered_file
from tests.support.cli import Laserboard
from tests.support.engine.sentences import raises

MM_PER_POINT = 25.4 / 72
SVG = "{http://www.w3.org/2000/svg}"
every_game = pytest.mark.parametrize("name", list(GAMES))


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float
    word: str


def words_on(file: Path) -> list[Box]:
    """Every word of a PDF with its box in millimetres."""
    command = ["pdftotext", "-bbox", str(file), "-"]
    page = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    pattern = r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>'
    boxes = []
    for *sides, word in re.findall(pattern, page):
        left, top, right, bottom = (float(side) * MM_PER_POINT for side in sides)
        boxes.append(Box(left, top, right, bottom, word))
    return boxes


@pytest.mark.parametrize(
    "paper",
    [A4, pytest.param(LETTER, marks=pytest.mark.slow)],
    ids=lambda paper: paper.name,
)
@every_game
def test_everything_fits_on_the_page_and_no_words_overlap(
    name: str, paper: Paper, tmp_path: Path
) -> None:
    file = tmp_path / "rules.pdf"
    file.write_bytes(render_pdf([rules.rules_page(make(name), paper)], "rules"))
    (picture,) = rendered_file(file, per_mm=4)
    rows, columns = np.nonzero(picture < 250)
    margin = 4 * (rules.MARGIN_MM - 0.6)
    assert margin < columns.min()
    assert columns.max() < 4 * paper.width_mm - margin
    assert margin < rows.min()
    assert rows.max() < 4 * paper.height_mm - margin
    assert rows.max() > 4 * paper.height_mm * 0.9  # and no page is half empty
    boxes = words_on(file)
    said = " ".join(box.word for box in boxes)
    assert make(name).title in said
    for kind in make(name).letters:
        assert kind.capitalize() in said
    for a, b in combinations(boxes, 2):
        across = min(a.right, b.right) - max(a.left, b.left)
        down = min(a.bottom, b.bottom) - max(a.top, b.top)
        # The bounding boxes of a font are higher than its letters.
        assert across < 0.1 or down < 0.35 * min(a.bottom - a.top, b.bottom - b.top), (a, b)


def test_letter_widths_are_those_of_the_pdf_fonts() -> None:
    for char in map(chr, range(32, 127)):
        assert text_width(char, 1000) == CORE_FONTS_CHARWIDTHS["helvetica"][char]
        assert text_width(char, 1000, bold=True) == CORE_FONTS_CHARWIDTHS["helveticaB"][char]


def test_lines_break_between_words_and_no_word_is_lost() -> None:
    said = "a beam that comes to the mirror turns the corner, unbelievablylongword and so on"
    lines = list(wrap_text(said, 3, 20))
    assert " ".join(lines) == said
    assert all(text_width(line, 3) <= 20 or " " not in line for line in lines)
    assert len(lines) > 3


# -- pictures against rules ----------------------------------------------------------------------


class Drawn(NamedTuple):
    """The beam and the piece in one picture."""

    kind: str
    came: int  # degrees, clockwise from up
    went: int | None
    sign: str


SIGNS = {
    BeamEvent.CAPTURE: "burst",
    BeamEvent.DAMAGE: "flash",
    BeamEvent.ABSORB: "stopped",
    BeamEvent.ANNIHILATE: "spark",
    BeamEvent.TURN: "",
}


def drawn(game: AnyGame) -> Iterator[Drawn]:
    root = ElementTree.fromstring(rules.rules_page(game, A4).to_svg())
    for picture in root.iter(f"{SVG}g"):
        if picture.get("class") != "strike":
            continue
        signs = [g.get("class") for g in picture.iter(f"{SVG}g")]
        rays = [line for line in picture.iter(f"{SVG}polyline") if line.get("class") == "ray"]
        line = [tuple(map(float, at.split(","))) for at in (rays[0].get("points") or "").split()]
        legs = [_bearing(a, b) for a, b in pairwise(line)]
        (sign,) = [s for s in signs if s in SIGNS.values()] or [""]
        went = None if sign else legs[-1]
        yield Drawn(picture.get("data-kind") or "", legs[0], went, sign or "")


def _bearing(a: tuple[float, ...], b: tuple[float, ...]) -> int:
    return round(degrees(atan2(b[0] - a[0], a[1] - b[1]))) % 360


@pytest.mark.parametrize(
    ("name", "options"),
    [*((name, {}) for name in GAMES), ("photon", {"mirrors": "two_sided"}),
     ("photon", {"beams": "independent"})],
)  # fmt: skip
def test_every_picture_agrees_with_the_game(name: str, options: dict[str, Any]) -> None:
    game = make(name, options)
    tutorial_value, grid = game.tutorial(), game.start().grid
    expected = []
    for piece in tutorial_value.pieces():
        for strike in tutorial_value.strikes(piece):
            met = strike.contact_step
            went = None if met.left is None or met.on_edge else round(grid.degrees(met.left))
            came = round(grid.degrees(strike.heading))
            expected.append(Drawn(piece.kind, came, went, SIGNS[met.event]))
    assert sorted(drawn(game)) == sorted(expected)
    assert len(expected) > len(game.letters)


def test_a_two_sided_mirror_is_never_drawn_as_damaged() -> None:
    both = [
        each for each in drawn(make("photon", {"mirrors": "two_sided"})) if each.kind == "mirror"
    ]
    assert len(both) == 4
    assert {each.sign for each in both} == {""}


# -- limits --------------------------------------------------------------------------------------


def test_too_much_text_for_the_page_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proposal = collect_rules_content(make())
    chatter = Chapter("More", ("And then there is something else to say.",) * 60)
    words = replace(proposal.words, chapters=(*proposal.words.chapters, chatter))
    monkeypatch.setattr(rules, "collect_rules_content", lambda *_: replace(proposal, words=words))
    with raises(rules.RulesDoNotFit, draw_catalogue.RULES_DO_NOT_FIT):
        rules.rules_page(make(), A4)


@pytest.mark.slow
@every_game
def test_the_page_can_be_made_under_every_option(name: str) -> None:
    from tests.support.engine.game_variants import variants

    for variant in variants(make(name)):
        rules.rules_page(variant, LETTER)


# -- the command ---------------------------------------------------------------------------------


def test_rules_are_written_for_one_game_or_for_all(laserboard: Laserboard, tmp_path: Path) -> None:
    one = str(tmp_path / "one.pdf")
    laserboard.prints("print", "rules", "--game", "photon", "--setup", "offset", "--out", one)
    assert Path(one).read_bytes().startswith(b"%PDF")
    every = laserboard.prints(
        "print", "rules", "--paper", "letter", "--out", str(tmp_path / "r.svg")
    )
    assert every.split() == [str(tmp_path / f"r-{n}.svg") for n in range(1, len(GAMES) + 1)]
    for number, game in enumerate(GAMES.values(), start=1):
        text = (tmp_path / f"r-{number}.svg").read_text("utf-8")
        assert game.title in text
        assert 'width="215.9mm"' in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game", "foton"], "did you mean 'photon'"),
        (["--setup", "ace"], "--setup is for one game: say --game NAME too"),
        (["--seed", "0"], "--seed is for one game"),
        (["--game", "photon", "--setup", "nowhere"], "no setup 'nowhere'"),
        (["--game", "photon", "--seed", "1"], "not from a seed"),
        (["--out", "rules.txt"], "name a .pdf or an .svg"),
    ],
)
def test_invalid_arguments_are_refused(
    laserboard: Laserboard, arguments: list[str], said: str
) -> None:
    assert said in laserboard.refuses("print", "rules", *arguments)
