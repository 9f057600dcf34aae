"""`laserboard-service`, the installed script: the service's user, games and board file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from controller.config.board_file import SHIPPED_BOARDS_FOLDER
from tests.support.install.fake_programs import write_fake_program
from tests.support.install.service_unit import BOARD_FILE, INSTALLER, PROGRAM
from tests.support.paths import ROOT

SCRIPT, STATE = ROOT / "install" / "laserboard-service", "/var/lib/laserboard"


@pytest.fixture
def command(tmp_path: Path) -> Path:
    """The script in a folder that stands for the root file system, run as if by root."""
    programs, state, board = (tmp_path / each for each in ("programs", "state", "board.yaml"))
    programs.mkdir()
    state.mkdir()
    write_fake_program(programs, "id", "echo 0")
    write_fake_program(
        programs, "runuser", '[ "$1 $2 $3" = "-u laserboard --" ] && shift 3 && exec "$@"'
    )
    write_fake_program(programs, "laserboard", f'exec {sys.executable} -m controller.cli.main "$@"')
    board.write_text((SHIPPED_BOARDS_FOLDER / "full-10x8.yaml").read_text("utf-8"), "utf-8")
    text = SCRIPT.read_text("utf-8")
    replaced = {BOARD_FILE: board, PROGRAM: programs / "laserboard", STATE: state}
    for there, place in replaced.items():
        assert there in text, there
        text = text.replace(there, str(place))
    script = programs / "laserboard-service"
    script.write_text(text)
    script.chmod(0o755)
    return script


def asked(command: Path, *arguments: str) -> str:
    path = f"{command.parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        [str(command), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_commands_use_the_board_file_of_the_service(command: Path) -> None:
    assert json.loads(asked(command, "parts", "--json"))["power"]["leds"] == 720
    assert asked(command, "leds", "walk").splitlines()[-1].startswith("720 LEDs on 2 lanes")


def test_a_named_board_replaces_the_board_file_of_the_service(command: Path) -> None:
    reported = json.loads(asked(command, "parts", "--board", "demo-10x8", "--json"))
    assert reported["power"]["leds"] == 80


def test_the_installer_checks_every_library_that_it_installs() -> None:
    """So a library that is missing after a system update is installed again."""
    text = INSTALLER.read_text("utf-8")
    (listed,) = re.findall(r'(?m)^LIBRARIES="(.*)"$', text)
    ours, *libraries = listed.split(", ")
    (extras,) = re.findall(r'"\$\{from\}\[(.*)\]"', text)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    brought = [*project["dependencies"]]
    for extra in extras.split(","):
        brought += project["optional-dependencies"][extra]
    assert ours == "controller"
    assert len(libraries) == len(brought)
    subprocess.run([sys.executable, "-c", f"import {listed}"], check=True, cwd=ROOT)
