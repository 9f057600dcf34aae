"""Everything that the README shows has been run: its console blocks are run again here.

A block has `$ command` lines, each followed by its output; a line `...` stands for any lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def shown() -> list[tuple[str, str]]:
    """Every command of the README with the output printed there."""
    found = []
    for block in BLOCK.findall(README):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.mark.parametrize(("command", "output"), shown())
def test_the_readme_shows_what_the_program_prints(command: str, output: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    expected = ".*".join(map(re.escape, re.split(r"^\.\.\.\n", output, flags=re.MULTILINE)))
    printed = "".join(f"{line.rstrip()}\n" for line in ran.stdout.splitlines())
    assert re.fullmatch(expected, printed, re.DOTALL), printed


def test_the_readme_shows_every_command() -> None:
    from controller.cli.main import parser

    (commands,) = (action.choices for action in parser()._actions if action.choices)
    assert commands is not None
    for name in commands:
        assert f"laserboard {name}" in README, f"the README does not show {name}"


def test_the_pictures_of_the_readme_are_there() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).is_file(), picture


def test_the_drawing_of_the_house_names_only_what_is_there() -> None:
    house = README.partition("## The house")[2].partition("```\n")[2].partition("```")[0]
    names = re.findall(r"[a-z_]+(?:\.py|/)", house)
    assert len(names) > 15
    for name in names:
        assert any(ROOT.glob(f"*/{name}")) or (ROOT / name).is_dir(), name
