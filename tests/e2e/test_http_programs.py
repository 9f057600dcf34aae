"""Whole matches over HTTP with the command `spaceships` and the programs of `examples/`."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.session.journal import recover
from controller.session.replay import replay
from controller.storage.games import JOURNAL_SUFFIX
from engine.record import play, read_games
from engine.record.values import Record
from tests.support.cli import Laserboard
from tests.support.devices.hostile_programs import GOOD, Behaviour, Server, answer, says
from tests.support.paths import ROOT
from tests.support.signals import default_signals

PROGRAM = [sys.executable, "-m", "controller.cli.main"]
LONG_S = 120.0
ENDLESS = ("--rounds", "10000", "--option", "hit_hp=1", "--option", "collision_hp=0")
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node.js is not installed: `make node`")

Run = Callable[..., subprocess.CompletedProcess[str]]


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "XDG_DATA_HOME": str(folder), "PYTHONPATH": str(ROOT)}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the command with its own data folder."""

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*PROGRAM, "spaceships", *arguments],
            cwd=tmp_path,
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=LONG_S,
            stdin=subprocess.DEVNULL,
        )

    return command


@pytest.fixture
def example() -> Iterator[Callable[..., str]]:
    """Starts a program of `examples/` on a free port and returns its URL."""
    running: list[subprocess.Popen[str]] = []

    def start(file: str, nick: str) -> str:
        interpreter = sys.executable if file.endswith(".py") else str(NODE)
        program = subprocess.Popen(
            [interpreter, str(ROOT / "examples" / file), "0", nick],
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(program)
        assert program.stdout is not None
        line = program.stdout.readline()
        assert line.startswith(f"{nick} listens on http://127.0.0.1:"), line
        return line.split()[-1]

    yield start
    for program in running:
        program.kill()
        program.wait()
        assert program.stdout is not None
        program.stdout.close()


@pytest.fixture
def firing_program() -> Iterator[Server]:
    """A program that fires in every round."""
    server = Server(Behaviour("", says(answer(GOOD))))
    yield server
    server.close()


def journal_of(folder: Path) -> Path:
    (found,) = folder.rglob(f"*{JOURNAL_SUFFIX}")
    return found


def the_record(path: Path) -> Record:
    (record,) = read_games(path.read_text("utf-8"))
    assert isinstance(record, Record)
    return record


def rounds_in_the_record(path: Path) -> int:
    """The number of rounds in the record, or 0 without a file."""
    return len(the_record(path).turns) if path.exists() else 0


def test_the_python_program_plays_a_whole_game_against_the_computer(
    run: Run, example: Callable[..., str], tmp_path: Path
) -> None:
    url = example("ship_ai.py", "Ada")
    done = run("--player", f"Ada={url}", "--player", "Hal=computer:2", "--json", "match.json")
    assert done.returncode == 0, done.stderr
    assert "does nothing" not in done.stdout
    *_, verdict = done.stdout.splitlines()
    assert verdict.startswith(("Ada wins", "Hal wins", "a draw"))
    record = the_record(tmp_path / "match.json")
    assert record.result != "*"
    assert len(list(play(record))) == done.stdout.count("round ")
    kept = replay(recover(journal_of(tmp_path).read_bytes()).entries)
    assert kept.outcome is not None
    assert len(kept.turns) == len(record.turns)
    for text in (done.stdout, done.stderr, (tmp_path / "match.json").read_text("utf-8"),
                 journal_of(tmp_path).read_text("utf-8")):  # fmt: skip
        assert "127.0.0.1" not in text


@pytest.mark.slow
@needs_node
def test_both_programs_play_a_whole_game_against_each_other(
    run: Run, example: Callable[..., str]
) -> None:
    ada, grace = example("ship_ai.py", "Ada"), example("ship_ai.js", "Grace")
    done = run("--player", f"Ada={ada}", "--player", f"Grace={grace}", "--seed", "3")
    assert done.returncode == 0, done.stderr
    assert "does nothing" not in done.stdout
    assert done.stdout.splitlines()[-1].startswith(("Ada wins", "Grace wins", "a draw"))


@needs_node
def test_the_javascript_program_plays_a_whole_game_against_the_computer(
    run: Run, example: Callable[..., str]
) -> None:
    url = example("ship_ai.js", "Grace")
    done = run("--player", "Hal=computer:1", "--player", f"Grace={url}", "--rounds", "40")
    assert done.returncode == 0, done.stderr
    assert "does nothing" not in done.stdout


def test_an_interrupted_match_leaves_a_readable_record(
    firing_program: Server, tmp_path: Path
) -> None:
    for end in (signal.SIGINT, signal.SIGKILL):
        folder = tmp_path / end.name
        folder.mkdir()
        program = subprocess.Popen(
            [*PROGRAM, "spaceships", "--player", f"Ada={firing_program.url}",
             "--player", "Hal=computer:1", "--pace", "0.1", "--json", "match.json", *ENDLESS],
            cwd=folder, env=environment(folder), stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, preexec_fn=default_signals,
        )  # fmt: skip
        assert program.stdout is not None
        reported = 0
        for line in program.stdout:
            reported += line.startswith("round ")
            if reported == 5:
                break
        # SIGINT lets the program finish the record. Before SIGKILL the record must be up to date.
        end_s = time.monotonic() + LONG_S
        while end is signal.SIGKILL and rounds_in_the_record(folder / "match.json") < reported - 1:
            assert time.monotonic() < end_s, "the record is not written during the match"
            time.sleep(0.05)
        program.send_signal(end)
        program.communicate(timeout=LONG_S)
        kept = replay(recover(journal_of(folder).read_bytes()).entries)
        assert len(kept.turns) >= reported, "every printed round is in the journal"
        record = the_record(folder / "match.json")
        assert record.result == "*"
        assert len(list(play(record))) >= reported - 1


def test_a_match_of_programs_needs_no_camera_and_no_hands(run: Run, firing_program: Server) -> None:
    done = run(
        "--player", f"Ada={firing_program.url}", "--player", "Hal=computer:1", "--rounds", "2",
        "--board", "hex-r5", "--leds", "memory://", "--pace", "0",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("round ") == 2


REFUSED = {
    ("--player", "Ada=computer"): "two players are needed, not 1",
    ("--player", "Ada=computer", "--player", "Ada=computer"): "different nicks",
    ("--player", "Ada=ftp://x", "--player", "Hal=computer"): "http:// or https://",
    ("--player", "Ada", "--player", "Hal=computer"): "write NICK=URL, NICK=board or NICK=computer",
    ("--player", "Ada=computer:9", "--player", "Hal=computer"): "computer:1 to computer:8",
    ("--player", "Ada=board", "--player", "Hal=computer"): "a person plays at a board: name it",
    ("--player", "A=computer", "--player", "B=computer", "--pace", "-1"): "is not a time from 0",
    ("--player", "A=computer", "--player", "B=computer", "--json", "/no/x"): "cannot write /no/x",
    ("--player", "A=computer", "--player", "B=computer", "--board", "demo-10x8"): "demo-10x8",
    ("--player", "A=computer", "--player", "B=computer", "--option", "x=1"): "has no option 'x'",
}


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_a_match_that_cannot_be_played_is_refused_in_one_line(
    arguments: tuple[str, ...], laserboard: Laserboard
) -> None:
    assert REFUSED[arguments] in laserboard.refuses("spaceships", *arguments)


def test_an_error_about_a_url_does_not_contain_its_password(run: Run) -> None:
    done = run("--player", "Ada=ftp://ada:hidden@x/", "--player", "Hal=computer")
    assert "hidden" not in done.stderr


# -- docs/spaceships-ai.md ---------------------------------------------------------------------


def blocks() -> list[str]:
    page = (ROOT / "docs" / "spaceships-ai.md").read_text("utf-8")
    return [part.partition("\n```")[0] for part in page.split("```json\n")[1:]]


def test_every_message_in_the_documentation_is_valid() -> None:
    """States are read as positions, actions as answers, events as a state's."""
    from engine import games
    from engine.spaceships.state import read_position

    game = games.make_http_game("spaceships")
    kinds: dict[str, int] = {}
    state = json.loads(blocks()[0])
    whole = json.loads(game.request_body(game.start_with(7, ("Ada", "Grace"))))
    assert list(state) == list(whole)
    for block in blocks():
        value = json.loads(block)
        if "status" in value:
            kinds["state"] = kinds.get("state", 0) + 1
            assert list(value) == list(whole)
            read_position(json.dumps(value))
        elif "nick" in value:
            kinds[value["type"]] = kinds.get(value["type"], 0) + 1
            read_position(json.dumps({**state, "events": [value]}))
        else:
            kinds["answer"] = kinds.get("answer", 0) + 1
            game.read_answer(block)
    assert set(kinds) == {"state", "answer", "move", "collision", "laser", "laser-hit", "noop"}
