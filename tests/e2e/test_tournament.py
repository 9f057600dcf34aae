"""Eight boards, a real Mosquitto and the hall: killed, cut off, restarted, and nothing lost."""

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
    HallProcess,
    Mosquitto,
    Process,
    environment,
    until,
)
from tests.support.web.browser import needed

STALE_S, LOST_S = 3.0, 10.0
BUSY_S = 30.0  # that a busy machine may add; what the hall itself goes by is in tests/tournament
# A king is one move away from being struck.
LAST_MOVE = "e4ud5"
POSITION = "l++3d++k3B/2b7/1b++1B+1b+++4/3Bss+1b+++B1/2B+1S+Sb++3/2b+++1B+1b+++3/7B++2/3DKD3L b"
NAMES = [f"player {number:02}" for number in range(1, 17)]
PAIRINGS = {each.table: (each.first, each.second) for each in round_robin(NAMES) if each.round == 1}


@pytest.fixture
def running() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


def whole_program(folder: Path, url: str, table: int, position: str, *more: str) -> Process:
    """`laserboard simulate`, camera, reader, firmware and all."""
    names = PAIRINGS[table]
    return Process(
        folder,
        *("controller.cli.main", "simulate", "--leds", "memory://", "--position", position),
        *("--event", EVENT, "--table", str(table), "--names", *names, "--broker", url),
        *more,
    )


def heads(folder: Path) -> dict[int, str]:
    """Of every game of the first round that has ended, as the journals themselves have it."""
    found = {}
    for path in folder.rglob("*.journal"):
        entries = recover(path.read_bytes()).entries
        played = replay(entries)
        occasion = played.setup.tournament_entry
        if occasion is not None and occasion.round == 1 and played.outcome is not None:
            found[occasion.table] = entries[-1].hash
    return found


@pytest.mark.slow
def test_boards_are_stale_lost_and_right_again_and_no_result_is_ever_lost(
    tmp_path: Path, running: contextlib.ExitStack
) -> None:
    took: dict[str, float] = {}
    broker = Mosquitto(tmp_path)
    running.callback(broker.kill)
    cable = Cable(broker.port)
    (tmp_path / "players.txt").write_text("\n".join(NAMES), "utf-8")
    players = ("--players", str(tmp_path / "players.txt"))
    hall = HallProcess(tmp_path / "hall", broker.url, *players)
    running.callback(lambda: hall.kill())
    boards: dict[int, Process] = {}

    def sit(table: int, url: str, round_: int = 1) -> BoardProcess:
        names = PAIRINGS[table]
        boards[table] = board = BoardProcess(tmp_path / f"t{table}", url, table, names, round_)
        running.callback(board.kill)
        return board

    cheap = {table: sit(table, cable.url if table == 3 else broker.url) for table in range(1, 7)}
    boards[7] = whole_program(tmp_path / "t7", broker.url, 7, POSITION, "--page", "--port", "0")
    running.callback(boards[7].kill)
    boards[8] = whole_program(tmp_path / "t8", broker.url, 8, POSITION, "--fast")
    running.callback(boards[8].kill)

    def shows(*wanted: str, tables: tuple[int, ...]) -> bool:
        fresh = hall.fresh()
        return all(fresh.get(table) in wanted for table in tables)

    until(lambda: shows("live", tables=tuple(range(1, 8))), "seven live boards")
    until(lambda: 8 in hall.fresh(), "the eighth")
    for table in (1, 2, 3, 4):
        cheap[table].do("move 3")
    until(
        lambda: [board["game"]["turns"] for board in hall.json()["boards"][:4]] == [3] * 4,
        "turns of four boards",
    )

    def gone(what: str, *tables: int) -> None:
        """Stale and then lost, each in time."""
        seconds = until(lambda: shows("stale", "lost", tables=tables), f"{what} stale")
        took[f"{what} stale"] = seconds
        took[f"{what} lost"] = seconds + until(lambda: shows("lost", tables=tables), f"{what} lost")

    # One is killed, one is stopped, one is cut off.
    boards[7].signal(signal.SIGKILL)
    gone("a program killed", 7)
    cheap[1].signal(signal.SIGKILL)
    gone("killed", 1)
    cheap[2].signal(signal.SIGSTOP)
    gone("stopped", 2)
    cable.cut = True
    gone("cut off", 3)
    until(lambda: shows("live", tables=(4, 5, 6)), "the others, still live")
    cheap[2].signal(signal.SIGCONT)
    took["going on again"] = until(lambda: shows("live", tables=(2,)), "table 2 again")
    cable.cut = False
    took["plugged in again"] = until(lambda: shows("live", tables=(3,)), "table 3 again")

    # A result is known; then the broker is gone, and three games end meanwhile.
    cheap[4].do("finish")
    until(lambda: 4 in hall.results(), "the result of table 4")
    broker.kill()
    gone("the broker killed", 2, 3, 4, 5, 6)
    until(lambda: re.search("was lost|no broker", str(hall.json()["trouble"])), "why")
    cheap[5].do("finish")
    cheap[6].do("finish")
    cheap[6].signal(signal.SIGKILL)
    boards[8].tell(LAST_MOVE)
    boards[8].says("kept in")  # its program has ended, and nobody has its result
    assert boards[8].process.wait(60) == 0
    broker.start()
    took["the broker again"] = until(lambda: shows("live", tables=(2, 3, 4, 5)), "boards again")
    until(lambda: {4, 5} <= hall.results().keys(), "what was played while the broker was away")

    # The hall is killed, and knows everything again; the games of the others end.
    hall.kill()
    cheap[2].do("finish")
    cheap[3].do("finish")
    hall = HallProcess(tmp_path / "hall", broker.url, *players)
    took["the hall again"] = until(lambda: shows("live", tables=(2, 3, 4, 5)), "the hall again")
    until(lambda: {2, 3, 4, 5} <= hall.results().keys(), "all results so far")

    # Whoever was killed begins again: the next game at that table tells of the one before it.
    sit(6, broker.url, round_=2)
    until(lambda: 6 in hall.results(), "the result of a board that was killed")
    reported = subprocess.run(
        [
            *(sys.executable, "-m", "controller.cli.main", "publish"),
            *("--event", EVENT, "--broker", broker.url),
        ],
        env=environment(tmp_path / "t8"),
        capture_output=True,
        text=True,
    )
    assert reported.stdout == f"1 result of {EVENT} told\n", reported
    until(lambda: 8 in hall.results(), "the result of a program that had ended")
    for table in (1, 7):
        folder = tmp_path / f"t{table}"
        for journal in folder.rglob("*.journal"):
            journal.unlink()  # that game is played anew
        sit(table, broker.url).do("finish")
    until(lambda: len(hall.results()) == 8, "all eight results")

    assert hall.results() == heads(tmp_path)  # 0 lost, and each as its own journal has it
    standings = hall.json()["standings"]
    assert [row["points"] for row in standings] == ["1"] * 8 + ["0"] * 8
    print(json.dumps({what: round(seconds, 2) for what, seconds in took.items()}, indent=2))
    for what, seconds in took.items():
        if what.endswith(("stale", "lost")):
            most_s = (STALE_S if what.endswith("stale") else LOST_S) + BUSY_S
            assert seconds <= most_s, f"{what}: {took}"


@pytest.mark.slow
def test_a_hall_with_a_wrong_password_says_so_and_keeps_trying(
    tmp_path: Path, running: contextlib.ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = Mosquitto(tmp_path)
    running.callback(broker.kill)
    monkeypatch.setattr("tests.support.tournament.event_processes.SECRET", "wr0ng")
    hall = HallProcess(tmp_path / "hall", broker.url)
    running.callback(hall.kill)
    hall.says("does not let club in: is the password right?")
    assert "is the password right?" in hall.json()["trouble"]
    assert hall.process.poll() is None
    assert "wr0ng" not in "\n".join(hall.said)


def certified(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """A CA of one's own, and what a broker needs that it vouches for."""
    program = shutil.which("openssl")
    needed(program is not None, "openssl")
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
def test_with_tls_only_a_broker_that_the_ca_vouches_for_is_believed(
    tmp_path: Path, running: contextlib.ExitStack
) -> None:
    ca, settings = certified(tmp_path)
    broker = Mosquitto(tmp_path, *settings)
    running.callback(broker.kill)
    url = broker.url.replace("mqtt://", "mqtts://")
    hall = HallProcess(tmp_path / "hall", url, "--ca-file", str(ca))
    running.callback(hall.kill)
    hall.says("connected to mqtts://")
    stranger = HallProcess(tmp_path / "stranger", url)
    running.callback(stranger.kill)
    stranger.says("its certificate is not trusted .*: name its CA file")
    plain = HallProcess(tmp_path / "plain", broker.url)
    running.callback(plain.kill)
    plain.says("does not answer as a broker does|cannot be reached|was lost")


@pytest.mark.slow
def test_a_hall_that_may_only_read_and_boards_that_may_only_write_are_enough(
    tmp_path: Path, running: contextlib.ExitStack
) -> None:
    """As docs/tournament.md tells a club to set it up, with one user who may only write."""
    rights = tmp_path / "rights"
    rights.write_text(
        f"user {USER}\ntopic write laserboard/1/#\nuser hall\ntopic read laserboard/1/#\n"
    )
    broker = Mosquitto(tmp_path, f"acl_file {rights}")
    running.callback(broker.kill)
    board = BoardProcess(tmp_path / "t1", broker.url, 1, PAIRINGS[1])
    running.callback(board.kill)
    board.do("finish")
    hall = HallProcess(tmp_path / "hall", broker.url.replace(f"{USER}@", f"{READER}@"))
    running.callback(hall.kill)
    until(lambda: hall.fresh() == {1: "live"}, "the board in a hall that only reads")
    until(lambda: hall.results() == heads(tmp_path), "its result")
