"""The installer, its service file and its udev rule, without an installation."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from controller.cli.main import build_parser
from controller.devices.leds import serial_link
from controller.ui.hosting.service import EXIT_SHUTDOWN
from tests.support.install.fake_programs import write_fake_program
from tests.support.install.service_unit import BOARD_FILE, INSTALLER, PROGRAM, UNIT, service
from tests.support.paths import ROOT

RULE = ROOT / "install" / "70-laserboard.rules"
SCRIPTS = (INSTALLER, ROOT / "install" / "laserboard-service")
# Every program by which the installer changes the system.
CHANGES = (
    *("apt-get", "useradd", "usermod", "userdel", "groupdel", "install", "ln", "chown", "cp"),
    *("systemctl", "hostnamectl", "udevadm", "python3", "tar", "sed"),
)
MAX_EXPOSED = 25  # of 100 points of `systemd-analyze security`


def install(*arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    found = os.environ["PATH"] if path is None else f"{path}:{os.environ['PATH']}"
    return subprocess.run(
        ["sh", str(INSTALLER), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": found},
    )


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """Replace every program that changes the system by a script that records its call."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for name in CHANGES:
        real = shutil.which(name) or "false"
        # Reading is allowed.
        reads = {"sed": "-n*", "systemctl": "--quiet\\ is-active*"}.get(name, "reads-nothing")
        does = f'case "$*" in {reads}) exec {real} "$@";; esac; echo {name} "$@" >>{folder}/called'
        write_fake_program(folder, name, does)
    return folder


@pytest.mark.parametrize("how", [(), ("--hostname", "laserboard"), ("--uninstall", "--purge")])
def test_a_dry_run_changes_nothing(programs: Path, how: tuple[str, ...]) -> None:
    ran = install("--dry-run", *how, path=programs)
    assert ran.returncode == 0, ran.stderr
    assert "nothing was changed" in ran.stdout
    assert not (programs / "called").exists(), (programs / "called").read_text()


def test_a_dry_run_prints_every_step_with_its_commands() -> None:
    reported = install("--dry-run", "--board", "paper-10x8", "--hostname", "my-table").stdout
    steps = ("packages", "user", "program", "commands", "board file", "Pico", "name", "service")
    for step in (*steps, "doctor", "starting"):
        assert re.search(rf"(?m)^== .*{step}", reported), step
    for command in ("useradd --system", "-m venv", "-m pip install", "--board paper-10x8"):
        assert command in reported
    assert re.search(r"set-hostname my-table|my-table /etc/hostname", reported)


def test_the_help_lists_the_options() -> None:
    reported = install("--help")
    assert reported.returncode == 0
    for option in ("--dry-run", "--uninstall", "--purge", "--board", "--hostname", "examples:"):
        assert option in reported.stdout


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--dry"], "there is no option --dry; see --help"),
        (["--board"], "--board needs a name"),
        (["--board", "demo"], "there is no board demo: demo-10x8 full-10x8"),
        (["--purge"], "--purge goes with --uninstall"),
        (["--hostname", "My Table"], "use a to z"),
        (["--hostname", "x" * 64], "63 letters"),
    ],
)
def test_bad_arguments_are_named(given: list[str], words: str) -> None:
    ran = install(*given)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert words in ran.stderr


def test_a_32_bit_system_is_refused_with_a_remedy(tmp_path: Path) -> None:
    write_fake_program(tmp_path, "dpkg", "echo armhf")
    write_fake_program(tmp_path, "apt-get", "exit 0")
    ran = install("--dry-run", path=tmp_path)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "a 64-bit system is needed, and this one is armhf" in ran.stderr
    assert "Raspberry Pi OS (64-bit)" in ran.stderr


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_scripts_pass_shellcheck(script: Path) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("there is no shellcheck: `make installer-tools` installs it")
    ran = subprocess.run(["shellcheck", str(script)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout


def test_the_service_passes_systemd_analyze(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("there is no systemd: `make installer-tools` installs it")
    unit_file = tmp_path / UNIT.name
    unit_file.write_text(UNIT.read_text().replace(PROGRAM, shutil.which("true") or "/bin/true"))
    ran = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", str(unit_file)],
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    exposed = subprocess.run(
        [
            "systemd-analyze",
            "security",
            "--offline=yes",
            f"--threshold={MAX_EXPOSED}",
            str(unit_file),
        ],
        capture_output=True,
        text=True,
    )
    assert exposed.returncode == 0, exposed.stdout[-200:]


def test_the_service_has_a_watchdog_and_always_restarts() -> None:
    said = service()
    assert (said["Type"], said["Restart"]) == ("notify", "always")
    assert 5 <= int(said["WatchdogSec"]) <= 60


def test_the_program_parses_the_command_of_the_service() -> None:
    given = shlex.split(service()["ExecStart"])
    assert given[0] == PROGRAM
    args = build_parser().parse_args(given[1:])
    assert (args.board, args.page, args.lan) == (BOARD_FILE, True, True)
    assert PROGRAM.rpartition("/bin/")[0] in INSTALLER.read_text()


@pytest.mark.parametrize("status", ["0", "1", "2", "143", "KILL", str(EXIT_SHUTDOWN)])
def test_only_the_exit_status_for_shutdown_switches_the_computer_off(
    tmp_path: Path, status: str
) -> None:
    said = service()
    write_fake_program(tmp_path, "systemctl", f'echo "$@" >>{tmp_path}/called')
    command = said["ExecStopPost"].replace("$$", "$")
    assert command.startswith("+"), "as root: the service's own user may not"
    path = f"{tmp_path}:{os.environ['PATH']}"
    ran = subprocess.run(
        shlex.split(command.removeprefix("+")), env={"PATH": path, "EXIT_STATUS": status}
    )
    assert ran.returncode == 0
    called = tmp_path / "called"
    reported = called.read_text() if called.exists() else ""
    assert reported == ("--no-block poweroff\n" if status == str(EXIT_SHUTDOWN) else "")
    assert str(EXIT_SHUTDOWN) in said["SuccessExitStatus"].split()


def test_the_udev_rule_matches_the_pico_with_our_firmware() -> None:
    firmware = (ROOT / "firmware" / "rp2040" / "usb_descriptors.c").read_text()
    rule = next(line for line in RULE.read_text().splitlines() if line.startswith("SUBSYSTEM"))
    for field, attribute in (("idVendor", "idVendor"), ("idProduct", "idProduct")):
        (number,) = re.findall(rf"\.{field} = 0x([0-9a-f]+)", firmware)
        assert f'ATTRS{{{attribute}}}=="{number}"' in rule
    (product,) = re.findall(r'case NAME_PRODUCT: text = "(.*?)"', firmware)
    assert f'ATTRS{{product}}=="{product}"' in rule
    assert f'SYMLINK+="{serial_link.UDEV_LINK.name}"' in rule


def test_the_port_name_of_the_udev_rule_is_tried_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = tmp_path / "laserboard"
    named.touch()
    monkeypatch.setattr(serial_link, "UDEV_LINK", named)
    assert serial_link._find_answering_port(serial_link.BAUD) == str(named)
