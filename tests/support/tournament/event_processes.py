"""The processes of an event: Mosquitto, boards, `laserboard tournament`, and a TCP proxy that can
cut a board off from the broker."""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from controller.config.addresses.broker import PASSWORD_VARIABLE
from tests.support.tournament.recording_broker import own_port
from tests.support.web.browser import skip_unless_installed

EVENT = "Club / night 🎉"
USER, READER, SECRET = "club", "reader", "öpen sesame"
TIMEOUT_S = 90.0


def until(met: Callable[[], Any], what: str, within_s: float = TIMEOUT_S) -> float:
    """Poll `met` until it is true, and return the seconds that took. An OSError counts as false."""
    begun_s = time.monotonic()
    while True:
        error_text = ""
        try:
            if met():
                return time.monotonic() - begun_s
        except OSError as error:
            error_text = f" ({error})"
        assert time.monotonic() - begun_s < within_s, f"timeout: {what}{error_text}"
        time.sleep(0.05)


class Mosquitto:
    """The broker, with passwords and without persistence."""

    def __init__(self, folder: Path, *settings: str) -> None:
        program = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin")
        skip_unless_installed(program is not None, "mosquitto")
        assert program is not None
        self._program, self.port = program, own_port()
        self._settings, passwords = folder / "mosquitto.conf", folder / "passwords"
        for how, user in (("-bc", USER), ("-b", READER)):
            subprocess.run(
                ["mosquitto_passwd", *(f"-{sign}" for sign in how[1:]), passwords, user, SECRET],
                check=True,
                capture_output=True,
            )
        self._settings.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous false\n"
            f"password_file {passwords}\npersistence false\n"
            f"user {getpass.getuser()}\n"  # else, as root, a user without access
            + "".join(f"{line}\n" for line in settings)
        )
        self._process: subprocess.Popen[bytes]
        self.start()

    @property
    def url(self) -> str:
        return f"mqtt://{USER}@127.0.0.1:{self.port}"

    def start(self) -> None:
        self._process = subprocess.Popen(
            [self._program, "-c", str(self._settings)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self._answers, "mosquitto")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _answers(self) -> bool:
        assert self._process.poll() is None, "mosquitto has ended"
        socket.create_connection(("127.0.0.1", self.port), 1).close()
        return True


class Cable:
    """A TCP proxy between a board and the broker. While `cut`, it drops all bytes silently."""

    def __init__(self, port: int) -> None:
        self._to, self.cut = port, False
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"mqtt://{USER}@127.0.0.1:{self.port}"

    def _accept(self) -> None:
        while True:
            line, _ = self._socket.accept()
            try:
                there = socket.create_connection(("127.0.0.1", self._to), 5)
            except OSError:
                line.close()
                continue
            there.settimeout(None)
            for one, other in ((line, there), (there, line)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while content := one.recv(65536):
                if not self.cut:
                    other.sendall(content)
            while self.cut:  # pass on no end of the connection either
                time.sleep(0.05)
        for each in (one, other):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {
        "XDG_DATA_HOME": str(folder),
        "PYTHONUNBUFFERED": "1",
        PASSWORD_VARIABLE: SECRET,
    }


class Process:
    """A Python module in a process, with the lines that it prints."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment(folder),
            encoding="utf-8",
        )
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def says(self, pattern: str, times: int = 1) -> re.Match[str]:
        def found() -> list[re.Match[str]]:
            return [match for line in self.lines if (match := re.search(pattern, line))]

        def printed() -> bool:
            assert self.process.poll() is None or len(found()) >= times, self.lines
            return len(found()) >= times

        until(printed, f"{pattern!r} in {self.lines}")
        return found()[times - 1]

    def write_line(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class BoardProcess(Process):
    """A board that plays the moves of commands on its standard input."""

    def __init__(
        self, folder: Path, url: str, table: int, names: tuple[str, str], round_: int = 1
    ) -> None:
        place = (str(folder / "laserboard"), url, EVENT, str(table), str(round_))
        super().__init__(folder, "tests.support.tournament.board_process", *place, *names)
        self._commands = 0
        self.says("^ready$")

    def do(self, command: str) -> None:
        self.write_line(command)
        self._commands += 1
        self.says("^done$", self._commands)


class TournamentProcess(Process):
    """`laserboard tournament`, and the JSON of its page."""

    def __init__(self, folder: Path, url: str, *more: str) -> None:
        how = ("--event", EVENT, "--broker", url, "--port", "0")
        super().__init__(folder, "controller.cli.main", "tournament", *how, *more)
        self.address = self.says(r"the tournament: (http://\S+)")[1]

    def json(self) -> Any:
        assert self.process.poll() is None, self.lines
        with urllib.request.urlopen(f"{self.address}tournament.json", timeout=10) as answer:
            return json.load(answer)

    def freshness(self) -> dict[int, str]:
        return {board["table"]: board["freshness"] for board in self.json()["boards"]}

    def results(self) -> dict[int, str]:
        games = self.json()["rounds"][0]["games"]
        return {game["table"]: game["last_hash"] for game in games if game["result"]}
