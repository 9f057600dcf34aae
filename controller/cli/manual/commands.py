"""Writes `docs/commands.md`: the help of every command, grouped by reader."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from controller.cli.main import build_parser, group_commands

WIDTH = "92"


def page() -> str:
    os.environ["COLUMNS"] = WIDTH  # argparse asks the environment
    top = build_parser()
    known = {each.prog.split()[-1]: each for each in commands_below(top)}
    parts = ["# Commands\n", "The output of `laserboard COMMAND --help` for every command.\n"]
    for group, names in group_commands(known).items():
        parts.append(f"## {group[0].upper()}{group[1:]}\n")
        for name in names:
            for each in (known[name], *commands_below(known[name])):
                parts.append(f"### {each.prog}\n\n```\n{each.format_help().rstrip()}\n```\n")
    return "\n".join(parts)


def commands_below(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The commands of a command, without hidden ones."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from (action.choices[each.dest] for each in action._choices_actions)
