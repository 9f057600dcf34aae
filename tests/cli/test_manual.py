"""The generated pages of docs/ are up to date."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from controller.builder.doctor import problems
from controller.builder.doctor.problems import KnownProblem
from controller.cli.main import GROUPS, build_parser
from controller.cli.manual import configuration, troubleshooting
from controller.cli.manual.__main__ import PAGES
from controller.cli.manual.commands import commands_below
from controller.cli.manual.configuration import key_comments
from controller.config.board_file import SHIPPED_BOARDS_FOLDER, read_board, shipped_boards
from controller.config.template import FULLY_COMMENTED_BOARD, board_file_template
from controller.config.yaml_tree import ConfigNode, ConfigSection
from engine.sentences import templates
from tests.support.paths import DOCS

# Keys chosen by the user, or lists of buttons and pins that the example shows completely.
FREE = re.compile(r"tags\.spares|leds\.overrides|buttons\.pins|leds\.strips\.gaps")


@pytest.mark.parametrize("name", PAGES)
def test_the_generated_page_is_up_to_date(name: str) -> None:
    if name == "commands.md" and sys.version_info[:2] != (3, 11):
        pytest.skip("every Python's argparse sets its help a little differently")
    written = (DOCS / name).read_text("utf-8")
    assert written == PAGES[name](), f"docs/{name} is of an older program: `make docs`"


def test_every_key_that_is_read_is_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    section = ConfigNode.section

    def noting(self: ConfigNode, *known: str) -> ConfigSection:
        path = re.sub(r"\[[0-9]+\]", "", self.path)
        if not FREE.fullmatch(path):
            asked.update(f"{path}.{key}" if path else key for key in known)
        return section(self, *known)

    monkeypatch.setattr(ConfigNode, "section", noting)
    everything = re.sub(r"(?m)^# (?=[a-z]+:$|  )", "", board_file_template(FULLY_COMMENTED_BOARD))
    everything = everything.replace("lens: lens.yaml", "lens: {focal: 0.9}")
    read_board(everything, "all.yaml")
    for name in shipped_boards():
        read_board((SHIPPED_BOARDS_FOLDER / f"{name}.yaml").read_text("utf-8"), f"{name}.yaml")
    explained = set(key_comments()) | set(configuration.RARE_KEYS)
    refused = {"event.password"}  # it would be readable by every user
    assert asked - set(configuration.SECTIONS) - refused == {
        path for path in explained if "." in path
    }


def test_every_key_has_its_expected_value() -> None:
    paths = [path for path in key_comments() | configuration.RARE_KEYS if "." in path]
    assert not [path for path in paths if not configuration.expected_value(path)]
    assert configuration.expected_value("leds.strips.lane") == "a whole number from 0 to 3"
    assert configuration.expected_value("board.hex.radius") == "a whole number from 1 to 12"


def test_the_doctor_takes_every_remedy_from_its_table() -> None:
    folder = Path(problems.__file__).parent
    code = "".join(
        path.read_text("utf-8") for path in folder.glob("*.py") if path.name != "problems.py"
    )
    assert not [each.name for each in KnownProblem if f"KnownProblem.{each.name}" not in code]
    assert "REMEDY_" not in code
    remedies = {key for key in templates() if key.startswith("builder.remedy_")}
    assert {each.remedy.key for each in KnownProblem} == remedies


def test_every_known_problem_is_on_the_troubleshooting_page() -> None:
    assert {each.check for each in KnownProblem} == set(troubleshooting.CHECKS)


def test_every_command_is_in_one_group_and_has_an_example() -> None:
    commands = list(commands_below(build_parser()))
    grouped = [name for names in GROUPS.values() for name in names]
    assert len(grouped) == len(set(grouped))
    assert set(grouped) <= {each.prog.split()[-1] for each in commands}
    every = [each for command in commands for each in (command, *commands_below(command))]
    assert not [each.prog for each in every if "example:" not in each.format_help()]
