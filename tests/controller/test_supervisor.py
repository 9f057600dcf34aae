"""What systemd is told: datagrams on a real socket, from the device and from the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli.service import status
from controller.devices.clock import SteppedClock
from controller.devices.supervisor import BadSupervisor, NoSupervisor, Systemd, supervisor_of
from controller.ports import DeviceLost
from controller.session import step
from controller.session_values import Phase
from tests.controller.sat_down import session
from tests.install.listening import Listening

PATIENCE_S = 60.0


@pytest.fixture(params=["a path", "an abstract name"])
def line(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Listening]:
    abstract = request.param == "an abstract name"
    found = Listening(f"@laserboard-test-{os.getpid()}" if abstract else str(tmp_path / "notify"))
    yield found
    found.close()


def test_the_first_sign_of_life_says_ready_and_each_says_what_people_read(line: Listening) -> None:
    systemd = Systemd(line.name, SteppedClock(), watchdog_ms=20_000.0)
    systemd.going("set up the board")
    assert line.heard() == ["READY=1", "STATUS=set up the board", "WATCHDOG=1"]
    systemd.going("set up the board")
    assert line.heard() == ["WATCHDOG=1"]
    systemd.going("blue\nto move")
    assert line.heard() == ["STATUS=blue to move", "WATCHDOG=1"]
    systemd.leaving("the port is taken")
    assert line.heard() == ["STOPPING=1", "STATUS=the port is taken"]


@pytest.mark.parametrize(("watchdog_ms", "wait_ms"), [(None, 1000), (20_000, 1000), (400, 100)])
def test_signs_of_life_come_four_times_as_often_as_they_must(
    line: Listening, watchdog_ms: float | None, wait_ms: float
) -> None:
    clock = SteppedClock()
    systemd = Systemd(line.name, clock, watchdog_ms)
    assert systemd.is_due
    systemd.going("")
    clock.wait_ms(wait_ms - 1)
    assert not systemd.is_due
    clock.wait_ms(1)
    assert systemd.is_due


def test_what_was_not_taken_is_said_again(tmp_path: Path) -> None:
    place = tmp_path / "notify"
    systemd = Systemd(str(place), SteppedClock())
    systemd.going("nobody hears this")
    late = Listening(str(place))
    systemd.going("set up the board")
    assert late.heard() == ["READY=1", "STATUS=set up the board"]
    late.close()


def test_a_socket_that_nobody_reads_holds_nothing_up(line: Listening) -> None:
    systemd = Systemd(line.name, SteppedClock(), 20_000.0)
    begin = time.monotonic()
    for number in range(2000):
        systemd.going(f"sentence {number}")
    assert time.monotonic() - begin < 2.0


def test_the_environment_says_who_watches_and_over_whom(tmp_path: Path) -> None:
    clock, place = SteppedClock(), Listening(str(tmp_path / "notify"))
    assert isinstance(supervisor_of({}, clock), NoSupervisor)
    names = {"NOTIFY_SOCKET": place.name, "WATCHDOG_USEC": "20000000"}
    for watched, pid in ((True, os.getpid()), (False, os.getpid() + 1)):
        supervisor_of({**names, "WATCHDOG_PID": str(pid)}, clock).going("")
        assert ("WATCHDOG=1" in place.heard()) is watched
    place.close()


@pytest.mark.parametrize("name", ["vsock:2:1234", "@", "somewhere"])
def test_another_sort_of_socket_is_named(name: str) -> None:
    with pytest.raises(BadSupervisor, match=r"a path or an @name is understood"):
        supervisor_of({"NOTIFY_SOCKET": name}, SteppedClock())


def test_the_status_names_every_device_that_is_away() -> None:
    setting_up = session(phase=Phase.SETTING_UP)
    lost, _ = step(setting_up, DeviceLost("camera", "there is none: plug one in", 0.0))
    lost, _ = step(lost, DeviceLost("LEDs", "plug the board in", 0.0))
    told = status(lost)
    assert told.count("camera: there is none: plug one in") == 1
    assert "LEDs: plug the board in" in told


def test_the_program_waits_for_its_devices_says_so_and_leaves_in_order(
    line: Listening, tmp_path: Path
) -> None:
    nothing = ("--camera", "usb://997", "--leds", "serial:///dev/ttyACM997")
    program = subprocess.Popen(
        [sys.executable, "-m", "controller.cli.main", "play", "--page", "--port", "0", *nothing],
        env=os.environ
        | {
            "NOTIFY_SOCKET": line.name,
            "WATCHDOG_USEC": "2000000",
            "XDG_DATA_HOME": str(tmp_path),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert line.heard(PATIENCE_S)[0] == "READY=1"
        told, alive, end = "", 0, time.monotonic() + PATIENCE_S
        while ("/dev/video997" not in told or "ttyACM997" not in told) and time.monotonic() < end:
            said = line.heard(PATIENCE_S)
            alive += "WATCHDOG=1" in said
            told = next((each for each in said if each.startswith("STATUS=")), told)
        assert "camera: there is no /dev/video997: plug the camera in" in told
        assert "LEDs: there is no /dev/ttyACM997: plug the board in" in told
        assert alive
        program.send_signal(signal.SIGTERM)
        while (said := line.heard(PATIENCE_S)) and "STOPPING=1" not in said:
            continue
        assert "STOPPING=1" in said
        assert program.wait(PATIENCE_S) == 128 + signal.SIGTERM
    finally:
        program.kill()
        program.communicate()
