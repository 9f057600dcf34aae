"""Commands in the hardware guide: `laserboard` accepts each one, and `make` has each target."""

from __future__ import annotations

import re
import shlex
import subprocess

import pytest

from controller.cli.main import build_parser
from tests.support.paths import HARDWARE, ROOT

PAGES = sorted(HARDWARE.rglob("*.md"))
COMMAND = re.compile(r"(?:^    |^\$ |`|&& )((?:laserboard|make) [^`\n#]*)", re.MULTILINE)
COMMANDS = sorted({each.strip() for page in PAGES for each in COMMAND.findall(page.read_text())})


def test_the_commands_of_the_guide_are_found() -> None:
    assert len([each for each in COMMANDS if each.startswith("laserboard ")]) > 25
    assert "make -C hardware stl BOARDS=../laserboard.yaml" in COMMANDS


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("laserboard ")])
def test_laserboard_accepts_every_command_of_the_guide(command: str) -> None:
    arguments = shlex.split(command)[1:]
    if arguments[-1] == "--surface":  # the guide names the option alone
        arguments.append("40")
    build_parser().parse_args(arguments)


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("make ")])
def test_every_make_target_of_the_guide_exists(command: str) -> None:
    words = shlex.split(command)
    subprocess.run([*words, "--dry-run"], cwd=ROOT, check=True, capture_output=True)
