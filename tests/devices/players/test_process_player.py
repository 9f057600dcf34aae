"""Engine processes: questions, stopping, timeouts and restarts."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.devices import sentences
from controller.devices.clock import ManualClock, SystemClock
from controller.devices.players.process_player import (
    DEFAULT_COMMAND,
    InProcessPlayer,
    PlayerTimeouts,
    ProcessPlayer,
)
from controller.ports.devices import MoveChooser, MoveQuestion
from controller.ports.events import PlayerAnswered, PlayerEvent, PlayerFailed
from engine import games
from engine.catalogue import NO_SUCH_GAME
from engine.errors import did_you_mean
from engine.game import AnyGame
from engine.search import Limit, choose
from tests.support.engine.sentences import mentions

LONG_S = 120.0  # on a busy machine
CLOCK = SystemClock()
ALL = [kind() for kind in games.GAMES.values()]
every_game = pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)


def question(game: AnyGame = ALL[0], **more: Any) -> MoveQuestion:
    return MoveQuestion(game.name, game.write_position(game.start()), **({"level": 3} | more))


def endless() -> MoveQuestion:
    return question(level=None, time_limit_s=3600.0)


def saying(*lines: str) -> tuple[str, ...]:
    """A program that answers each line with the next of these."""
    script = (
        f"for line in {list(lines)!r}:\n"
        "    input()\n"
        "    print(line, flush=True)\n"
        "import time; time.sleep(600)"
    )
    return sys.executable, "-c", script


@pytest.fixture
def opened() -> Iterator[Callable[..., ProcessPlayer]]:
    """Makes players; closes them at the end and checks that no process is left."""
    players: list[ProcessPlayer] = []

    def make(*command: str, timeouts: PlayerTimeouts | None = None) -> ProcessPlayer:
        players.append(ProcessPlayer(CLOCK, command or DEFAULT_COMMAND, timeouts))
        return players[-1]

    yield make
    for player in players:
        player.close()
    left = [each for each in threading.enumerate() if each.name == ProcessPlayer.name]
    assert left == []


def await_event(player: MoveChooser) -> PlayerEvent:
    events: list[PlayerEvent] = await_that(player.events)
    return events[0]


def await_that(condition: Callable[[], Any]) -> Any:
    end_ms = CLOCK.now_ms() + 1000 * LONG_S
    while CLOCK.now_ms() < end_ms:
        if found := condition():
            return found
        CLOCK.wait_ms(5)
    raise AssertionError("timed out")


def gone(pid: int) -> bool:
    """Whether no process is left, not even a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


Opened = Callable[..., ProcessPlayer]


@every_game
@pytest.mark.parametrize("kind", ["process", "direct"])
def test_every_kind_of_player_answers_with_the_same_legal_move(
    kind: str, game: AnyGame, opened: Opened
) -> None:
    player: MoveChooser = opened() if kind == "process" else InProcessPlayer(ManualClock())
    number = player.think(question(game, seed=11))
    chosen = await_event(player)
    assert isinstance(chosen, PlayerAnswered)
    assert chosen.number == number == 1
    position = game.start()
    mover = game.to_move(position)[0]
    expected = choose(game, position, Limit(level=3, seed=11))
    assert chosen.move == game.write_move(position, mover, expected.move)
    # With simultaneous moves there is no line.
    assert chosen.line[:1] in ((chosen.move,), ())
    assert player.events() == []
    player.close()
    player.close()
    assert player.events() == []


@pytest.mark.parametrize("kind", ["process", "direct"])
def test_a_question_that_cannot_be_answered_fails_with_the_reason(
    kind: str, opened: Opened
) -> None:
    player: MoveChooser = opened() if kind == "process" else InProcessPlayer(ManualClock())
    player.think(MoveQuestion("no-such-game", "", level=1))
    failed = await_event(player)
    assert isinstance(failed, PlayerFailed)
    hint = did_you_mean("no-such-game", games.GAMES)
    no_game = NO_SUCH_GAME(name="'no-such-game'", hint=hint)
    assert str(no_game) in str(failed.reason)


def test_a_question_does_not_block(opened: Opened) -> None:
    player = opened(sys.executable, "-c", "input()")
    for number in range(1, 2000):
        assert player.think(question()) == number
        assert player.events() == []
        player.stop()


def test_a_stopped_question_gives_no_event_and_the_next_one_is_answered(
    opened: Opened,
) -> None:
    player = opened()
    player.think(question(level=1))
    await_event(player)  # now the process is ready
    player.think(endless())
    player.stop()
    player.stop()
    second = player.think(question(level=1))
    assert await_event(player).number == second
    assert player.events() == []


def test_a_new_question_replaces_the_previous_one_in_the_same_process(opened: Opened) -> None:
    player = opened()
    player.think(question(level=1))
    await_event(player)
    pid = player.pid
    player.think(endless())
    await_that(lambda: player._process and player._process.question_number)
    second = player.think(question(level=1))
    chosen = await_event(player)
    assert isinstance(chosen, PlayerAnswered)
    assert chosen.number == second
    assert player.pid == pid


def test_an_unfetched_answer_is_dropped_with_the_next_question(opened: Opened) -> None:
    player = opened()
    player.think(question(level=1))
    await_that(lambda: player._events)
    second = player.think(question(level=1))
    assert await_event(player).number == second


def test_a_process_killed_while_idle_is_replaced_for_the_next_question(opened: Opened) -> None:
    player = opened()
    player.think(question(level=1))
    await_event(player)
    pid = player.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    await_that(lambda: player.pid is None)
    assert gone(pid)
    number = player.think(question(level=1))
    chosen = await_event(player)
    assert isinstance(chosen, PlayerAnswered)
    assert chosen.number == number


def test_after_two_kills_during_one_question_the_question_fails(opened: Opened) -> None:
    player = opened()
    number = player.think(endless())
    killed: set[int] = set()

    def kill_the_next() -> bool:
        process = player._process
        if process is not None and process.question_number and process.program.pid not in killed:
            killed.add(process.program.pid)
            os.kill(process.program.pid, signal.SIGKILL)
        return bool(player._events)

    await_that(kill_the_next)
    (failed,) = player.events()
    assert isinstance(failed, PlayerFailed)
    assert failed.number == number
    assert mentions(
        failed.reason,
        sentences.PLAYER_KILLED(player=sentences.COMPUTER_PLAYER(), signal=9),
    )
    assert len(killed) == 2
    assert all(gone(pid) for pid in killed)
    player.think(question(level=1))
    assert isinstance(await_event(player), PlayerAnswered)


def test_a_process_that_hangs_is_killed_and_the_question_fails(
    opened: Opened, tmp_path: Path
) -> None:
    script = (
        f"import os, pathlib, time; pathlib.Path({str(tmp_path / 'pid')!r})"
        ".write_text(str(os.getpid())); print('ok', flush=True); time.sleep(600)"
    )
    player = opened(sys.executable, "-c", script, timeouts=PlayerTimeouts(answer_ms=100))
    number = player.think(question(time_limit_s=0.0))
    failed = await_event(player)
    assert isinstance(failed, PlayerFailed)
    assert failed.number == number
    assert failed.reason == sentences.PLAYER_TOO_LATE(player=sentences.THE_PROGRAM())
    assert gone(int((tmp_path / "pid").read_text()))


@pytest.mark.parametrize("last_command", ["hello", "isready"])
def test_a_process_that_ignores_commands_is_replaced_and_the_next_question_answered(
    last_command: str, opened: Opened, tmp_path: Path
) -> None:
    """The first process hangs, all later ones are real."""
    mark, again, patient = (tmp_path / each for each in ("started", "again", "patient"))
    script = tmp_path / "player.py"
    script.write_text(
        "import pathlib, sys, time\n"
        f"mark, again, patient = map(pathlib.Path, {[str(mark), str(again), str(patient)]!r})\n"
        "if mark.exists():\n"
        "    again.touch()\n"
        "    while not patient.exists(): time.sleep(0.01)\n"
        "    from controller.devices.players.engine_main import main\n"
        "    sys.exit(main())\n"
        "mark.touch()\n"
        "print('ok', flush=True)\n"
        f"while input() != {last_command!r}: pass\n"
        "print('readyok', flush=True)\n"
        "time.sleep(600)\n"
    )
    player = opened(sys.executable, str(script), timeouts=PlayerTimeouts(answer_ms=300))
    player.think(endless())
    attribute = "go_sent_ms" if last_command == "isready" else "question_number"
    await_that(lambda: player._process and getattr(player._process, attribute))
    player.stop()
    number = player.think(question(level=1))
    await_that(again.exists)
    player._timeouts = PlayerTimeouts()  # the real one may be slow on a busy machine
    patient.touch()
    chosen = await_event(player)
    assert isinstance(chosen, PlayerAnswered)
    assert chosen.number == number


def test_a_process_that_is_never_ready_fails_the_question(opened: Opened) -> None:
    script = "import time; time.sleep(600)"
    player = opened(sys.executable, "-c", script, timeouts=PlayerTimeouts(start_ms=100))
    player.think(question())
    failed = await_event(player)
    assert isinstance(failed, PlayerFailed)
    assert failed.reason == sentences.PLAYER_NOT_STARTED(player=sentences.THE_PROGRAM())


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("/no/such/program",), "cannot start /no/such/program: No such file"),
        ((sys.executable, "-c", "raise SystemExit('no memory')"), "ended with 1: no memory"),
    ],
)
def test_a_program_that_cannot_run_fails_the_question_with_the_reason(
    command: tuple[str, ...], reason: str, opened: Opened
) -> None:
    player = opened(*command)
    for number in (1, 2):
        player.think(question())
        failed = await_event(player)
        assert isinstance(failed, PlayerFailed)
        assert failed.number == number
        assert reason in str(failed.reason)


# The lines sent to a program without options: hello, game, position, isready, go.
@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        (("ok", "", "[]", "readyok", "bestmove"), "bestmove without a move"),
        (("ok", "", "", "readyok", "bestmove {"), "not JSON"),
        (("ok", "", "", "readyok", "error I resign"), "I resign"),
        (("ok", "error what game?", "error what position?", "readyok"), "what game?"),
    ],
)
def test_an_incomplete_answer_or_an_error_fails_with_the_reason(
    replies: tuple[str, ...], reason: str, opened: Opened
) -> None:
    player = opened(*saying(*replies))
    player.think(question())
    failed = await_event(player)
    assert isinstance(failed, PlayerFailed)
    assert reason in str(failed.reason)


def test_unknown_lines_are_ignored_and_progress_is_optional(opened: Opened) -> None:
    reported = "info string hm\ninfo depth 9 wat\n\xff\0\ninfo score mate 3\nbestmove a1a2 ponder b"
    player = opened(*saying("ok", "chatter", "bestmove z9", "readyok", reported))
    number = player.think(question())
    chosen = await_event(player)
    assert isinstance(chosen, PlayerAnswered)
    assert (chosen.number, chosen.move, chosen.score, chosen.line) == (number, "a1a2", 0, ())


def test_the_progress_of_a_program_is_reported_with_its_move(opened: Opened) -> None:
    reported = (
        "info depth 7 seldepth 9 score win 3 nodes 42 nps 9 time 5 pv a1a2 b1b2\nbestmove a1a2"
    )
    player = opened(*saying("ok", "", "", "readyok", reported))
    player.think(question())
    chosen = await_event(player)
    assert isinstance(chosen, PlayerAnswered)
    assert (chosen.depth, chosen.nodes, chosen.turns_to_end) == (7, 42, 3)
    assert chosen.line == ("a1a2", "b1b2")
    assert chosen.thought_ms > 0


def test_closing_during_a_search_leaves_no_process_and_no_open_file(
    opened: Opened,
) -> None:
    before = open_files()
    player = opened()
    player.think(endless())
    await_that(lambda: player._process and player._process.question_number)
    pid = player.pid
    assert pid is not None
    player.close()
    assert gone(pid)
    assert open_files() == before
    player.think(question())
    player.stop()
    assert player.events() == []


def test_the_engine_is_found_from_a_folder_with_packages_of_the_same_name(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "controller").mkdir()
    (tmp_path / "controller" / "__init__.py").write_text("raise SystemExit('the wrong one')\n")
    monkeypatch.chdir(tmp_path)
    player = opened()
    player.think(question(level=1))
    assert isinstance(await_event(player), PlayerAnswered)
