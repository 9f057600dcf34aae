"""`laserboard simulate --page`: the whole program, controlled only through its page."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from controller.ui.web.page_server import PageServer
from tests.support.cli import Laserboard
from tests.support.signals import default_signals
from tests.support.web.served_page import ServedPage, Socket

TIMEOUT_S = 60


@dataclass
class Program:
    """A running program with its page."""

    process: subprocess.Popen[str]
    page: ServedPage
    key: str
    pin: str

    def terminate(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(TIMEOUT_S)


@contextmanager
def program(folder: Path, *arguments: str) -> Iterator[Program]:
    process = subprocess.Popen(
        [sys.executable, "-m", "controller.cli.main", "simulate", "--page", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | {"XDG_DATA_HOME": str(folder), "PYTHONUNBUFFERED": "1"},
        text=True,
        preexec_fn=default_signals,
    )
    try:
        assert process.stdout is not None
        reported = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:([0-9]+)/#key=([\w-]+)", reported)
        assert found is not None, reported
        pin = ""
        if "--lan" in arguments:
            match = re.search("PIN ([0-9]{6})", process.stdout.readline())
            assert match is not None
            pin = match[1]
        reached = cast(PageServer, SimpleNamespace(port=int(found[1])))
        yield Program(process, ServedPage(reached), found[2], pin)
    finally:
        process.kill()
        process.wait()


def wait_for_turn(page: Socket) -> None:
    page.until(lambda: page.model.get("legal_moves") and page.model["table"]["phase"] == "turn")


@pytest.mark.slow
def test_a_game_is_played_on_the_page_and_another_follows(tmp_path: Path) -> None:
    with program(tmp_path, "--leds", "memory://", "--port", "0") as running:
        served_page = running.page
        with served_page.socket(served_page.log_in(key=running.key)) as page:
            wait_for_turn(page)
            assert page.do("move", text="j4j3", fire=True)["ok"]
            page.until(lambda: page.model["board"]["to_move"] == [1])
            first = page.model["game"]["id"]
            assert not page.do("new_game", game="chess")["ok"]
            assert page.do("new_game", game="photon", seats=["human", "computer:1"])["ok"]
            page.until(lambda: page.model["game"]["name"] == "photon")
            wait_for_turn(page)
            assert page.model["game"]["number"] == 2
            assert page.model["history"] == []
            assert page.model["game"]["id"] != first
            way = next(w for ways in page.model["legal_moves"].values() for w in ways if w["to"])
            assert page.do("move", text=way["text"], player=0, fire=True)["ok"]
            page.until(lambda: len(page.model["history"]) == 2)
            listed = {each["id"] for each in served_page.ask("/games.json").json["games"]}
            assert listed == {first, page.model["game"]["id"]}
        assert running.terminate() == 128 + signal.SIGTERM
    kept = sorted((tmp_path / "laserboard" / "games").iterdir())
    assert len(kept) == 2
    entered = tmp_path / "laserboard" / "page" / "entered.json"
    assert oct(entered.stat().st_mode & 0o777) == "0o600"
    verified = subprocess.run(
        [sys.executable, "-m", "controller.cli.main", "games", "verify", *map(str, kept)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert verified.stdout.count(": good: ") == 2


def test_in_the_local_network_every_request_needs_the_pin(tmp_path: Path) -> None:
    with program(tmp_path, "--leds", "memory://", "--lan", "--port", "0") as running:
        served_page = running.page
        assert served_page.ask("/games.json").status == 401
        wrong = f"{(int(running.pin) + 1) % 10**6:06}"
        assert served_page.post("/login", {"pin": wrong}).status == 403
        with served_page.socket(served_page.log_in(pin=running.pin)) as page:
            wait_for_turn(page)
            assert page.do("take_seat", player=0)["ok"]
            assert page.do("move", text="j4j3", fire=True)["ok"]
            page.until(lambda: page.model["history"])
            reported = json.dumps(page.model)
            assert running.pin not in reported
            assert running.key not in reported


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--no-page", "--lan"), "no page"),
        (("--no-page", "--port", "8200"), "no page"),
        (("--port", "99999"), "no port"),
        (("--port", "x"), "no port"),
    ],
)
def test_contradictory_options_are_refused(
    laserboard: Laserboard, arguments: tuple[str, ...], sentence: str
) -> None:
    ran = laserboard("play", "--camera", "sim://", "--leds", "memory://", *arguments)
    assert ran.status == 2
    assert sentence in ran.err


@pytest.fixture
def laserboard(capsys: pytest.CaptureFixture[str]) -> Laserboard:
    return Laserboard(capsys)
