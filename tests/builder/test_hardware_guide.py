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


def test_the_guide_has_commands() -> None:
    assert len([each for each in COMMANDS if each.startswith("laserboard ")]) > 25
    assert "make -C hardware stl BOARDS=../laserboard.yaml" in COMMANDS


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("laserboard ")])
def test_laserboard_accepts_the_command(command: str) -> None:
    arguments = shlex.split(command)[1:]
    if arguments[-1] == "--surface":  # the guide names the option alone
        arguments.append("40")
    build_parser().parse_args(arguments)


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("make ")])
def test_make_has_the_target(command: str) -> None:
    words = shlex.split(command)
    subprocess.run([*words, "--dry-run"], cwd=ROOT, check=True, capture_output=True)
