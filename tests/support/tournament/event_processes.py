"""An event with everything that belongs to it: a real Mosquitto, boards in processes of their own,
a cable that can be cut, and the hall as people start it."""

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
from tests.support.web.browser import needed

EVENT = "Club / night 🎉"
USER, READER, SECRET = "club", "hall", "öpen sesame"
PATIENCE_S = 90.0


def until(met: Callable[[], Any], what: str, within_s: float = PATIENCE_S) -> float:
    """Wait until something is true; how many seconds that took.

    Whoever does not answer in time is asked again.
    """
    begun_s = time.monotonic()
    while True:
        last = ""
        try:
            if met():
                return time.monotonic() - begun_s
        except OSError as trouble:
            last = f" ({trouble})"
        assert time.monotonic() - begun_s < within_s, f"that did not come: {what}{last}"
        time.sleep(0.05)


class Mosquitto:
    """The broker, with a password and without a memory."""

    def __init__(self, folder: Path, *settings: str) -> None:
        program = shutil.which("mosquitto", path=f"{os.environ['PATH']}:/usr/sbin")
        needed(program is not None, "mosquitto")
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
            f"user {getpass.getuser()}\n"  # it would become another one, who may read nothing here
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
    """Between a board and the broker: whatever goes through it may vanish without a word."""

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
            while self.cut:  # not even an end comes through
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
    """Something of ours, with what it says."""

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
        self.said: list[str] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))

    def says(self, pattern: str, times: int = 1) -> re.Match[str]:
        def found() -> list[re.Match[str]]:
            return [match for line in self.said if (match := re.search(pattern, line))]

        def settled() -> bool:
            assert self.process.poll() is None or len(found()) >= times, self.said
            return len(found()) >= times

        until(settled, f"{pattern!r} in {self.said}")
        return found()[times - 1]

    def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class BoardProcess(Process):
    """A table whose moves are told to it."""

    def __init__(
        self, folder: Path, url: str, table: int, names: tuple[str, str], round_: int = 1
    ) -> None:
        place = (str(folder / "laserboard"), url, EVENT, str(table), str(round_))
        super().__init__(folder, "tests.support.tournament.board_process", *place, *names)
        self._asked = 0
        self.says("^ready$")

    def do(self, command: str) -> None:
        self.tell(command)
        self._asked += 1
        self.says("^done$", self._asked)


class HallProcess(Process):
    """`laserboard hall`, and what its page tells."""

    def __init__(self, folder: Path, url: str, *more: str) -> None:
        how = ("--event", EVENT, "--broker", url, "--port", "0")
        super().__init__(folder, "controller.cli.main", "hall", *how, *more)
        self.address = self.says(r"the hall: (http://\S+)")[1]

    def json(self) -> Any:
        assert self.process.poll() is None, self.said
        with urllib.request.urlopen(f"{self.address}tournament.json", timeout=10) as answer:
            return json.load(answer)

    def fresh(self) -> dict[int, str]:
        return {board["table"]: board["freshness"] for board in self.json()["boards"]}

    def results(self) -> dict[int, str]:
        games = self.json()["rounds"][0]["games"]
        return {game["table"]: game["last_hash"] for game in games if game["result"]}
