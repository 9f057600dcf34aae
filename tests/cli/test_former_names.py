"""Former names of commands and options: still accepted, not in any help."""

from __future__ import annotations

import re

import pytest

from controller.cli.main import build_parser
from controller.cli.manual.commands import commands_below
from tests.support.cli import Laserboard

EVENT = ("--event", "Club night")
# The command, the former option, the present one, and a value.
OPTIONS = [
    (("play",), "--chance", "--random-seed", "7"),
    (("simulate",), "--chance", "--random-seed", "7"),
    (("demo",), "--chance", "--random-seed", "7"),
    (("referee",), "--chance", "--random-seed", "7"),
    (("computer",), "--chance", "--random-seed", "7"),
    (("spaceships", "--player", "a=computer"), "--chance", "--random-seed", "7"),
    (("games", "verify"), "--head", "--hash", "396aa3e7e9700002"),
    (("play",), "--table-number", "--table", "3"),
    (("simulate",), "--table-number", "--table", "3"),
    (("referee",), "--table-number", "--table", "3"),
    (("simulate",), "--table", "--initial-position", "ace"),
    (("match", "3", "2"), "--patience", "--timeout", "7"),
    (("soak",), "--patience", "--timeout", "7"),
    (("bodies", "render"), "--kept", "--cache", "parts"),
    (("tune", "--folder", "tuning"), "--proof", "--validation", "7"),
]


@pytest.mark.parametrize(("command", "former", "present", "value"), OPTIONS)
def test_a_former_option_is_an_alias_of_the_present_one(
    command: tuple[str, ...], former: str, present: str, value: str
) -> None:
    parser = build_parser()
    old, new = (parser.parse_args([*command, name, value]) for name in (former, present))
    assert vars(old) == vars(new)
    assert vars(old) != vars(parser.parse_args([*command]))


@pytest.mark.parametrize("former", sorted({former for _, former, *_ in OPTIONS} - {"--table"}))
def test_no_help_shows_a_former_option(former: str) -> None:
    commands = list(commands_below(build_parser()))
    every = [each for command in commands for each in (command, *commands_below(command))]
    assert not [each.prog for each in every if f"{former} " in each.format_help()]


def test_hall_and_publish_are_hidden_commands(laserboard: Laserboard) -> None:
    parser = build_parser()
    old, new = (parser.parse_args([name, *EVENT, "--once"]) for name in ("hall", "tournament"))
    assert vars(old) == {**vars(new), "command_name": "hall"}
    published = parser.parse_args(["publish", *EVENT])
    assert published.event == "Club night"
    assert published.run.__name__ == "_publish"
    text = laserboard.prints("--help")
    assert "tournament" in text
    assert "\n  hall" not in text
    assert "\n  publish" not in text


def test_an_unknown_command_lists_no_hidden_command(laserboard: Laserboard) -> None:
    error = laserboard.refuses("foo")
    assert error.startswith("laserboard: argument COMMAND: invalid choice: 'foo' (choose from ")
    names = set(re.findall(r"'(\S+)'", error)) - {"foo"}
    shown = {each.prog.split()[-1] for each in commands_below(build_parser())}
    assert names == shown
    assert not names & {"hall", "publish"}


def test_every_command_parses_a_table_as_a_number(laserboard: Laserboard) -> None:
    parser = build_parser()
    for command in ("play", "simulate", "referee"):
        args = parser.parse_args([command, *EVENT, "--table", "12"])
        assert args.table_number == 12
    assert "is not a number from 1" in laserboard.refuses("simulate", *EVENT, "--table", "0")
