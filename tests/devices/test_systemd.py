"""Notifications to systemd: datagrams on a real socket, from the driver and from the program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.devices.clock import SteppedClock
from controller.devices.systemd import (
    BadSupervisor,
    NullSupervisor,
    SystemdSupervisor,
    supervisor_from_environment,
)
from controller.ports.events import DeviceLost
from controller.session.state import Phase
from controller.session.step import step
from controller.ui.hosting.service import status_sentence
from engine.sentences import plain
from tests.support.devices.notify_socket import NotifySocket
from tests.support.play.keyboard_sessions import session

TIMEOUT_S = 60.0


@pytest.fixture(params=["a path", "an abstract name"])
def line(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NotifySocket]:
    abstract = request.param == "an abstract name"
    found = NotifySocket(
        f"@laserboard-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    )
    yield found
    found.close()


def test_the_first_heartbeat_sends_ready_and_each_sends_a_changed_status(
    line: NotifySocket,
) -> None:
    systemd = SystemdSupervisor(line.name, SteppedClock(), watchdog_ms=20_000.0)
    systemd.send_heartbeat("set up the board")
    assert line.receive() == ["READY=1", "STATUS=set up the board", "WATCHDOG=1"]
    systemd.send_heartbeat("set up the board")
    assert line.receive() == ["WATCHDOG=1"]
    systemd.send_heartbeat("blue\nto move")
    assert line.receive() == ["STATUS=blue to move", "WATCHDOG=1"]
    systemd.announce_stop("the port is taken")
    assert line.receive() == ["STOPPING=1", "STATUS=the port is taken"]


@pytest.mark.parametrize(("watchdog_ms", "wait_ms"), [(None, 1000), (20_000, 1000), (400, 100)])
def test_heartbeats_come_four_times_as_often_as_the_watchdog_needs(
    line: NotifySocket, watchdog_ms: float | None, wait_ms: float
) -> None:
    clock = SteppedClock()
    systemd = SystemdSupervisor(line.name, clock, watchdog_ms)
    assert systemd.is_heartbeat_due
    systemd.send_heartbeat("")
    clock.wait_ms(wait_ms - 1)
    assert not systemd.is_heartbeat_due
    clock.wait_ms(1)
    assert systemd.is_heartbeat_due


def test_a_datagram_that_was_not_received_is_sent_again(tmp_path: Path) -> None:
    place = tmp_path / "notify"
    systemd = SystemdSupervisor(str(place), SteppedClock())
    systemd.send_heartbeat("no reader yet")
    late = NotifySocket(str(place))
    systemd.send_heartbeat("set up the board")
    assert late.receive() == ["READY=1", "STATUS=set up the board"]
    late.close()


def test_a_socket_without_a_reader_does_not_block(line: NotifySocket) -> None:
    systemd = SystemdSupervisor(line.name, SteppedClock(), 20_000.0)
    begin = time.monotonic()
    for number in range(2000):
        systemd.send_heartbeat(f"sentence {number}")
    assert time.monotonic() - begin < 2.0


def test_the_watchdog_settings_come_from_the_environment(tmp_path: Path) -> None:
    clock, place = SteppedClock(), NotifySocket(str(tmp_path / "notify"))
    assert isinstance(supervisor_from_environment({}, clock), NullSupervisor)
    names = {"NOTIFY_SOCKET": place.name, "WATCHDOG_USEC": "20000000"}
    for watched, pid in ((True, os.getpid()), (False, os.getpid() + 1)):
        supervisor_from_environment({**names, "WATCHDOG_PID": str(pid)}, clock).send_heartbeat("")
        assert ("WATCHDOG=1" in place.receive()) is watched
    place.close()


@pytest.mark.parametrize("name", ["vsock:2:1234", "@", "somewhere"])
def test_an_unsupported_socket_type_is_reported(name: str) -> None:
    with pytest.raises(BadSupervisor, match=r"a path or an @name is understood"):
        supervisor_from_environment({"NOTIFY_SOCKET": name}, SteppedClock())


def test_the_status_names_every_lost_device() -> None:
    setting_up = session(phase=Phase.SETTING_UP)
    lost, _ = step(setting_up, DeviceLost("camera", plain("there is none: plug one in"), 0.0))
    lost, _ = step(lost, DeviceLost("LEDs", plain("plug the board in"), 0.0))
    reported = status_sentence(lost)
    assert reported.count("camera: there is none: plug one in") == 1
    assert "LEDs: plug the board in" in reported


def test_the_program_reports_ready_status_and_stopping_to_systemd(
    line: NotifySocket, tmp_path: Path
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
        assert line.receive(TIMEOUT_S)[0] == "READY=1"
        reported, alive, end = "", 0, time.monotonic() + TIMEOUT_S
        while (
            "/dev/video997" not in reported or "ttyACM997" not in reported
        ) and time.monotonic() < end:
            lines = line.receive(TIMEOUT_S)
            alive += "WATCHDOG=1" in lines
            reported = next((each for each in lines if each.startswith("STATUS=")), reported)
        assert "camera: there is no /dev/video997: plug the camera in" in reported
        assert "LEDs: there is no /dev/ttyACM997: plug the board in" in reported
        assert alive
        program.send_signal(signal.SIGTERM)
        while (lines := line.receive(TIMEOUT_S)) and "STOPPING=1" not in lines:
            continue
        assert "STOPPING=1" in lines
        assert program.wait(TIMEOUT_S) == 128 + signal.SIGTERM
    finally:
        program.kill()
        program.communicate()
