"""The pages of docs/ that the program writes about itself are what it would write now."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from controller.cli.main import GROUPS, parser
from controller.config import BOARDS, read_board, shipped_boards
from controller.doctor import ailments
from controller.doctor.ailments import Ailment
from controller.manual import configuration, troubleshooting
from controller.manual.__main__ import PAGES
from controller.manual.commands import commands_below
from controller.manual.remarks import remarks
from controller.starting_file import MODEL, starting_file
from controller.yaml_tree import Place, Section

DOCS = Path(__file__).parents[2] / "docs"
# Names that people choose themselves, or lists of buttons and pins that the example shows whole.
FREE = re.compile(r"tags\.spares|leds\.overrides|buttons\.pins|leds\.strips\.gaps")


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_what_the_program_says_now(name: str) -> None:
    if name == "commands.md" and sys.version_info[:2] != (3, 11):
        pytest.skip("every Python's argparse sets its help a little differently")
    written = (DOCS / name).read_text("utf-8")
    assert written == PAGES[name](), f"docs/{name} is of an older program: `make docs`"


def test_every_key_that_is_read_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    section = Place.section

    def noting(self: Place, *known: str) -> Section:
        path = re.sub(r"\[[0-9]+\]", "", self.path)
        if not FREE.fullmatch(path):
            asked.update(f"{path}.{key}" if path else key for key in known)
        return section(self, *known)

    monkeypatch.setattr(Place, "section", noting)
    everything = re.sub(r"(?m)^# (?=[a-z]+:$|  )", "", starting_file(MODEL))
    everything = everything.replace("lens: lens.yaml", "lens: {focal: 0.9}")
    read_board(everything, "all.yaml")
    for name in shipped_boards():
        read_board((BOARDS / f"{name}.yaml").read_text("utf-8"), f"{name}.yaml")
    explained = set(remarks()) | set(configuration.RARE)
    refused = {"event.password"}  # it would be read by everybody
    assert asked - set(configuration.SECTIONS) - refused == {
        path for path in explained if "." in path
    }


def test_the_reader_says_what_every_key_may_be() -> None:
    paths = [path for path in remarks() | configuration.RARE if "." in path]
    assert not [path for path in paths if not configuration.wanted(path)]
    assert configuration.wanted("leds.strips.lane") == "a whole number from 0 to 3"
    assert configuration.wanted("board.hex.radius") == "a whole number from 1 to 12"


def test_the_doctor_has_no_remedy_outside_its_table() -> None:
    """Every ailment is found by some check, and no check has words of its own for a remedy."""
    folder = Path(ailments.__file__).parent
    code = {path: path.read_text("utf-8") for path in folder.glob("*.py")}
    checks = "".join(text for path, text in code.items() if path.name != "ailments.py")
    assert not [each.name for each in Ailment if f"Ailment.{each.name}" not in checks]
    for path, text in code.items():
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and _named(call.func) in ("Finding", "append"):
                remedy = call.args[3:4] if _named(call.func) == "Finding" else call.args
                words = [arg for arg in remedy if isinstance(arg, ast.Constant)]
                assert not words, f"{path.name}:{call.lineno}: a remedy of its own"


def test_every_ailment_is_on_the_page() -> None:
    assert {each.check for each in Ailment} == set(troubleshooting.CHECKS)


def test_every_command_is_in_one_group_and_has_an_example() -> None:
    commands = list(commands_below(parser()))
    grouped = [name for names in GROUPS.values() for name in names]
    assert len(grouped) == len(set(grouped))
    assert set(grouped) <= {each.prog.split()[-1] for each in commands}
    every = [each for command in commands for each in (command, *commands_below(command))]
    assert not [each.prog for each in every if "example:" not in each.format_help()]


def _named(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
