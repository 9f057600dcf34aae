"""The installer in a temporary Debian root: dry run, installation, repetition, removal, and again
under systemd, with removal including data. Takes several minutes and needs root."""

from __future__ import annotations

import hashlib

import pytest

from tests.support.install.debian_root import Booted, Root, booted, debian_root, why_not

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(why_not()), reason=why_not())]

OURS = ("opt", "etc", "usr/local", "var/lib/laserboard")
WAITING = "camera: there is none: plug one in"
MINE = "# measured by hand\n"


def test_the_installer_installs_on_an_empty_debian_and_uninstalls() -> None:
    with debian_root(["systemd", "systemd-sysv", "dbus", "udev"]) as root:
        a_dry_run_installs_nothing(root)
        a_real_run_installs_everything(root)
        another_run_changes_nothing(root)
        a_run_after_a_system_update_reinstalls_the_libraries(root)
        removal_keeps_games_and_the_board_file_for_the_next_run(root)
        with booted(root) as computer:
            the_service_starts_at_boot_and_waits_for_missing_devices(computer)
            a_hanging_loop_is_restarted(computer)
            a_killed_program_is_restarted(computer)
            another_run_keeps_the_service_running(computer)
            the_service_stops_on_request(computer)
            held_power_switches_the_computer_off(computer, root)
        with booted(root) as computer:
            _ready(computer)
            a_purge_leaves_nothing(computer, root)


def files(root: Root, *folders: str) -> dict[str, str]:
    """The files in these folders, by name: the target of links, the content of files."""
    found = {}
    for folder in folders:
        for path in sorted((root.folder / folder).rglob("*")):
            name = str(path.relative_to(root.folder))
            if path.is_symlink():
                found[name] = f"-> {path.readlink()}"
            elif path.is_file() and "__pycache__" not in path.parts:
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                found[name] = f"{path.stat().st_mode:o} {content} {path.stat().st_mtime_ns}"
    return found


def a_dry_run_installs_nothing(root: Root) -> None:
    before = files(root, *OURS, "usr/bin")
    reported = root.says("/src/install.sh", "--dry-run", "--hostname", "laserboard")
    assert "apt-get install -y -q --no-install-recommends python3 python3-venv" in reported
    assert files(root, *OURS, "usr/bin") == before


def a_real_run_installs_everything(root: Root) -> None:
    reported = root.says("/src/install.sh", "--hostname", "laserboard", "--board", "full-10x8")
    assert "this computer has no group gpio: skipped" in reported
    assert "skipped: systemd does not run here" in reported
    assert "not ready: fix camera" in reported
    assert "http://laserboard.local:8137/" in reported
    assert root.says("cat", "/etc/hostname") == "laserboard\n"
    assert root.says("id", "-nG", "laserboard").split() == ["laserboard", "dialout", "video"]
    assert root.says("/usr/local/bin/laserboard", "--version").startswith("laserboard ")
    assert root.says("/usr/local/bin/laserboard", "print", "tags", "--out", "/tmp/tags.pdf")
    assert (root.folder / "tmp/tags.pdf").read_bytes().startswith(b"%PDF")
    walked = root.says("/usr/local/bin/laserboard-service", "leds", "walk").splitlines()
    assert walked[-1].startswith("720 LEDs"), "commands about the table know its board file"
    numpy = root.says("/opt/laserboard/bin/python", "-c", "import numpy; print(numpy.__version__)")
    assert numpy.startswith("1.24."), "Debian 12 has its constraints"
    wanted = root.folder / "etc/systemd/system/multi-user.target.wants/laserboard.service"
    assert wanted.is_symlink()
    assert not list((root.folder / "src").glob("*.egg-info")), "nothing is left in the clone"


def another_run_changes_nothing(root: Root) -> None:
    board = root.folder / "etc/laserboard/board.yaml"
    board.write_text(MINE + board.read_text())
    before = files(root, *OURS)
    reported = root.says("/src/install.sh", "--hostname", "laserboard", "--board", "hex-r5")
    assert "Everything was in place: nothing was changed." in reported
    assert files(root, *OURS) == before


def a_run_after_a_system_update_reinstalls_the_libraries(root: Root) -> None:
    """A new version of Python has its own, empty folder for libraries."""
    libraries = root.folder / "opt/laserboard/lib/python3.11"
    libraries.rename(libraries.with_name("python3.10"))
    reported = root.says("/src/install.sh")
    assert "python3 -m venv --clear" in reported
    assert root.says("/usr/local/bin/laserboard", "--version").startswith("laserboard ")
    assert "nothing was changed" in root.says("/src/install.sh")


def removal_keeps_games_and_the_board_file_for_the_next_run(root: Root) -> None:
    game = root.folder / "var/lib/laserboard/games/2026-03-01-1.journal"
    game.write_text("a game\n")
    reported = root.says("/src/install.sh", "--uninstall")
    assert "Laserboard is removed." in reported
    kept = files(root, "var/lib/laserboard").keys()
    assert kept == {
        "var/lib/laserboard/games/2026-03-01-1.journal",
        "var/lib/laserboard/settings/board.yaml",
    }
    assert _left(root) == []
    reported = root.says("/src/install.sh")
    assert "the one that was kept" in reported
    board = root.folder / "etc/laserboard/board.yaml"
    assert board.read_text().startswith(MINE)
    assert root.says("stat", "-c", "%U", "/var/lib/laserboard/games").strip() == "laserboard"
    assert game.exists()


def the_service_starts_at_boot_and_waits_for_missing_devices(computer: Booted) -> None:
    _ready(computer)
    assert _shown(computer, "ActiveState") == "active"
    reported = computer.says("journalctl", "--unit", "laserboard")
    assert "PIN" in reported
    assert "code=exited" not in reported, "it waits, and never gives up"
    key = computer.says("journalctl", "-u", "laserboard", "-g", "key=", "-n", "1")
    assert "the page: http://127.0.0.1:8137/#key=" in key, "as docs/installing.md says"


def a_hanging_loop_is_restarted(computer: Booted) -> None:
    before, restarts = _shown(computer, "MainPID"), _restarts(computer)
    computer.says("sh", "-c", f"kill -STOP {before}")
    computer.until(lambda: _restarts(computer) > restarts, "the watchdog")
    _ready(computer)
    assert _shown(computer, "MainPID") != before
    assert "Watchdog timeout" in computer.says("journalctl", "--unit", "laserboard")


def a_killed_program_is_restarted(computer: Booted) -> None:
    restarts = _restarts(computer)
    computer.says("sh", "-c", f"kill -KILL {_shown(computer, 'MainPID')}")
    computer.until(lambda: _restarts(computer) > restarts, "another start")
    _ready(computer)


def another_run_keeps_the_service_running(computer: Booted) -> None:
    before = _shown(computer, "MainPID")
    reported = computer.says("/src/install.sh")
    assert "nothing was changed" in reported, reported
    assert _shown(computer, "MainPID") == before


def the_service_stops_on_request(computer: Booted) -> None:
    computer.says("systemctl", "stop", "laserboard")
    assert _shown(computer, "ActiveState") == "inactive"
    assert _shown(computer, "Result") == "success"


def held_power_switches_the_computer_off(computer: Booted, root: Root) -> None:
    board = root.folder / "etc/laserboard/board.yaml"
    before = board.read_text()
    board.write_text(f'{before}\nbuttons: {{url: "script://power@1000"}}\n')
    assert computer.runs
    computer.says("systemctl", "start", "laserboard")
    computer.until(lambda: not computer.runs, "it is off")
    board.write_text(before)


def a_purge_leaves_nothing(computer: Booted, root: Root) -> None:
    computer.says("systemctl", "start", "laserboard")
    computer.says("/src/install.sh", "--uninstall", "--purge")
    assert _shown(computer, "LoadState") == "not-found"
    assert _left(root) == []
    assert not (root.folder / "var/lib/laserboard").exists()


def _left(root: Root) -> list[str]:
    """Files named after the program, outside of the folder of games."""
    users = [each for each in ("passwd", "group") if "laserboard" in _text(root, f"etc/{each}")]
    return [*users, *(each for each in files(root, "etc", "opt", "usr/local") if "laserb" in each)]


def _text(root: Root, name: str) -> str:
    return (root.folder / name).read_text()


def _shown(computer: Booted, what: str) -> str:
    return computer.says("systemctl", "show", "laserboard", "--value", "-p", what).strip()


def _restarts(computer: Booted) -> int:
    return int(_shown(computer, "NRestarts"))


def _ready(computer: Booted) -> None:
    computer.until(lambda: WAITING in _shown(computer, "StatusText"), "it waits for its camera")
