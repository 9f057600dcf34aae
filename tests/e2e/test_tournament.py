"""Boards, Mosquitto and `laserboard tournament`: killed, cut off, restarted; no result is lost."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.session.journal import recover
from controller.session.replay import replay
from controller.tournament.pairings import round_robin
from tests.support.tournament.event_processes import (
    EVENT,
    READER,
    USER,
    BoardProcess,
    Cable,
    Mosquitto,
    Process,
    TournamentProcess,
    environment,
    until,
)
from tests.support.web.browser import skip_unless_installed

STALE_S, LOST_S = 3.0, 10.0
BUSY_S = 30.0  # allowance for a busy machine; exact limits are tested in tests/tournament
# The next move captures a king.
LAST_MOVE = "e4ud5"
POSITION = "l++3d++k3B/2b7/1b++1B+1b+++4/3Bss+1b+++B1/2B+1S+Sb++3/2b+++1B+1b+++3/7B++2/3DKD3L b"
NAMES = [f"player {number:02}" for number in range(1, 17)]
PAIRINGS = {each.table: (each.first, each.second) for each in round_robin(NAMES) if each.round == 1}


@pytest.fixture
def running() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


def simulated_table(folder: Path, url: str, table: int, position: str, *more: str) -> Process:
    """`laserboard simulate`, with its camera and reader."""
    names = PAIRINGS[table]
    return Process(
        folder,
        *("controller.cli.main", "simulate", "--leds", "memory://", "--position", position),
        *("--event", EVENT, "--table", str(table), "--names", *names, "--broker", url),
        *more,
    )


def last_hashes(folder: Path) -> dict[int, str]:
    """By table: the last hash in the journal of every finished game of round 1."""
    found = {}
    for path in folder.rglob("*.journal"):
        entries = recover(path.read_bytes()).entries
        played = replay(entries)
        entry = played.setup.tournament_entry
        if entry is not None and entry.round == 1 and played.outcome is not None:
            found[entry.table] = entries[-1].hash
    return found


@pytest.mark.slow
def test_boards_become_stale_and_lost_and_recover_and_no_result_is_lost(
    tmp_path: Path, running: contextlib.ExitStack
) -> None:
    took: dict[str, float] = {}
    broker = Mosquitto(tmp_path)
    running.callback(broker.kill)
    cable = Cable(broker.port)
    (tmp_path / "players.txt").write_text("\n".join(NAMES), "utf-8")
    players = ("--players", str(tmp_path / "players.txt"))
    tournament = TournamentProcess(tmp_path / "tournament", broker.url, *players)
    running.callback(lambda: tournament.kill())
    boards: dict[int, Process] = {}

    def start_board(table: int, url: str, round_: int = 1) -> BoardProcess:
        names = PAIRINGS[table]
        boards[table] = board = BoardProcess(tmp_path / f"t{table}", url, table, names, round_)
        running.callback(board.kill)
        return board

    light = {
        table: start_board(table, cable.url if table == 3 else broker.url) for table in range(1, 7)
    }
    boards[7] = simulated_table(tmp_path / "t7", broker.url, 7, POSITION, "--page", "--port", "0")
    running.callback(boards[7].kill)
    boards[8] = simulated_table(tmp_path / "t8", broker.url, 8, POSITION, "--fast")
    running.callback(boards[8].kill)

    def shown(*wanted: str, tables: tuple[int, ...]) -> bool:
        freshness = tournament.freshness()
        return all(freshness.get(table) in wanted for table in tables)

    until(lambda: shown("live", tables=tuple(range(1, 8))), "seven live boards")
    until(lambda: 8 in tournament.freshness(), "the eighth")
    for table in (1, 2, 3, 4):
        light[table].do("move 3")
    until(
        lambda: [board["game"]["turns"] for board in tournament.json()["boards"][:4]] == [3] * 4,
        "turns of four boards",
    )

    def becomes_lost(what: str, *tables: int) -> None:
        """Wait until the boards are stale and then lost."""
        seconds = until(lambda: shown("stale", "lost", tables=tables), f"{what} stale")
        took[f"{what} stale"] = seconds
        took[f"{what} lost"] = seconds + until(lambda: shown("lost", tables=tables), f"{what} lost")

    # One board is killed, one is stopped, one loses its connection.
    boards[7].signal(signal.SIGKILL)
    becomes_lost("a program killed", 7)
    light[1].signal(signal.SIGKILL)
    becomes_lost("killed", 1)
    light[2].signal(signal.SIGSTOP)
    becomes_lost("stopped", 2)
    cable.cut = True
    becomes_lost("cut off", 3)
    until(lambda: shown("live", tables=(4, 5, 6)), "the others, still live")
    light[2].signal(signal.SIGCONT)
    took["going on again"] = until(lambda: shown("live", tables=(2,)), "table 2 again")
    cable.cut = False
    took["plugged in again"] = until(lambda: shown("live", tables=(3,)), "table 3 again")

    # One result is known. Then the broker is killed, and three games end meanwhile.
    light[4].do("finish")
    until(lambda: 4 in tournament.results(), "the result of table 4")
    broker.kill()
    becomes_lost("the broker killed", 2, 3, 4, 5, 6)
    until(lambda: re.search("was lost|no broker", str(tournament.json()["trouble"])), "why")
    light[5].do("finish")
    light[6].do("finish")
    light[6].signal(signal.SIGKILL)
    boards[8].write_line(LAST_MOVE)
    boards[8].says("stored in")  # the program ends before its result is sent
    assert boards[8].process.wait(60) == 0
    broker.start()
    took["the broker again"] = until(lambda: shown("live", tables=(2, 3, 4, 5)), "boards again")
    until(
        lambda: {4, 5} <= tournament.results().keys(), "what was played while the broker was away"
    )

    # The tournament is killed and restarted; meanwhile two more games end.
    tournament.kill()
    light[2].do("finish")
    light[3].do("finish")
    tournament = TournamentProcess(tmp_path / "tournament", broker.url, *players)
    took["the tournament again"] = until(
        lambda: shown("live", tables=(2, 3, 4, 5)), "the tournament again"
    )
    until(lambda: {2, 3, 4, 5} <= tournament.results().keys(), "all results so far")

    # A board that was killed is restarted: the next game at its table sends the last result.
    start_board(6, broker.url, round_=2)
    until(lambda: 6 in tournament.results(), "the result of a board that was killed")
    published = subprocess.run(
        [
            *(sys.executable, "-m", "controller.cli.main", "tournament", "publish"),
            *("--event", EVENT, "--broker", broker.url),
        ],
        env=environment(tmp_path / "t8"),
        capture_output=True,
        text=True,
    )
    assert published.stdout == f"1 result of {EVENT} sent\n", published
    until(lambda: 8 in tournament.results(), "the result of a program that had ended")
    for table in (1, 7):
        folder = tmp_path / f"t{table}"
        for journal in folder.rglob("*.journal"):
            journal.unlink()  # that game is played again
        start_board(table, broker.url).do("finish")
    until(lambda: len(tournament.results()) == 8, "all eight results")

    assert tournament.results() == last_hashes(tmp_path)
    standings = tournament.json()["standings"]
    assert [row["points"] for row in standings] == ["1"] * 8 + ["0"] * 8
    print(json.dumps({what: round(seconds, 2) for what, seconds in took.items()}, indent=2))
    for what, seconds in took.items():
        if what.endswith(("stale", "lost")):
            most_s = (STALE_S if what.endswith("stale") else LOST_S) + BUSY_S
            assert seconds <= most_s, f"{what}: {took}"


@pytest.mark.slow
def test_a_wrong_password_is_reported_and_the_tournament_keeps_trying(
    tmp_path: Path, running: contextlib.ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = Mosquitto(tmp_path)
    running.callback(broker.kill)
    monkeypatch.setattr("tests.support.tournament.event_processes.SECRET", "wr0ng")
    tournament = TournamentProcess(tmp_path / "tournament", broker.url)
    running.callback(tournament.kill)
    tournament.says("rejects club: is the password right?")
    assert "is the password right?" in tournament.json()["trouble"]["text"]
    assert tournament.process.poll() is None
    assert "wr0ng" not in "\n".join(tournament.lines)


def broker_certificate(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """A new CA, and the settings of a broker with a certificate of that CA."""
    program = shutil.which("openssl")
    skip_unless_installed(program is not None, "openssl")
    ca, key, asked, server = (folder / name for name in ("ca.pem", "key.pem", "asked", "cert.pem"))

    def run(*how: str | Path) -> None:
        subprocess.run([str(program), *map(str, how)], check=True, capture_output=True, cwd=folder)

    new = ("req", "-newkey", "rsa:2048", "-nodes", "-days", "2")
    run(*new, "-x509", "-subj", "/CN=a club", "-keyout", folder / "ca.key", "-out", ca)
    run(*new, "-subj", "/CN=127.0.0.1", "-keyout", key, "-out", asked)
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    run(*("x509", "-req", "-in", asked, "-CA", ca, "-CAkey", folder / "ca.key", "-CAcreateserial"),
        *("-days", "2", "-extfile", folder / "names", "-out", server))  # fmt: skip
    return ca, (f"cafile {ca}", f"certfile {server}", f"keyfile {key}")


@pytest.mark.slow
def test_with_tls_only_a_broker_with_a_certificate_of_the_ca_is_trusted(
    tmp_path: Path, running: contextlib.ExitStack
) -> None:
    ca, settings = broker_certificate(tmp_path)
    broker = Mosquitto(tmp_path, *settings)
    running.callback(broker.kill)
    url = broker.url.replace("mqtt://", "mqtts://")
    tournament = TournamentProcess(tmp_path / "tournament", url, "--ca-file", str(ca))
    running.callback(tournament.kill)
    tournament.says("connected to mqtts://")
    untrusted = TournamentProcess(tmp_path / "untrusted", url)
    running.callback(untrusted.kill)
    untrusted.says("its certificate is not trusted .*: name its CA file")
    plain = TournamentProcess(tmp_path / "plain", broker.url)
    running.callback(plain.kill)
    plain.says("does not answer as a broker does|cannot be reached|was lost")


@pytest.mark.slow
def test_read_access_is_enough_for_the_tournament_and_write_access_for_boards(
    tmp_path: Path, running: contextlib.ExitStack
) -> None:
    """The access rights that docs/tournament.md recommends."""
    rights = tmp_path / "rights"
    rights.write_text(
        f"user {USER}\ntopic write laserboard/1/#\nuser {READER}\ntopic read laserboard/1/#\n"
    )
    broker = Mosquitto(tmp_path, f"acl_file {rights}")
    running.callback(broker.kill)
    board = BoardProcess(tmp_path / "t1", broker.url, 1, PAIRINGS[1])
    running.callback(board.kill)
    board.do("finish")
    tournament = TournamentProcess(
        tmp_path / "tournament", broker.url.replace(f"{USER}@", f"{READER}@")
    )
    running.callback(tournament.kill)
    until(lambda: tournament.freshness() == {1: "live"}, "the board, with read access only")
    until(lambda: tournament.results() == last_hashes(tmp_path), "its result")
