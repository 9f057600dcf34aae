"""The computer player in its own process: the program alone, and the device that keeps it."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller import player_process
from controller.devices.clock import ManualClock, SystemClock
from controller.devices.player import COMMAND, FOLDER, DirectPlayer, Patience, ProcessPlayer
from controller.ports import Chosen, Player, PlayerEvent, PlayerFailed, Question
from engine import games
from engine.game import AnyGame
from engine.search import Limit, NoComputer, choose

LONG_S = 120.0  # for a machine that has much else to do
CLOCK = SystemClock()


def plays(game: AnyGame) -> bool:
    try:
        choose(game, game.start(), Limit(level=1))
    except NoComputer:
        return False
    return True


ALL = [kind() for kind in games.GAMES.values()]
PLAYED = [game for game in ALL if plays(game)]
every_played = pytest.mark.parametrize("game", PLAYED, ids=lambda game: game.name)


def question(game: AnyGame = PLAYED[0], **more: Any) -> Question:
    return Question(game.name, game.write_position(game.start()), **({"level": 3} | more))


def endless() -> Question:
    return question(level=None, seconds=3600.0)


# -- the program -------------------------------------------------------------------------------


class Program:
    """The real process, spoken to line by line."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=os.environ | {"PYTHONPATH": str(FOLDER)},
        )
        self.timer = threading.Timer(LONG_S, self.process.kill)
        self.timer.start()
        assert self.heard() == {"ready": 1}

    def say(self, *messages: object) -> None:
        assert self.process.stdin is not None
        for message in messages:
            text = message if isinstance(message, str) else json.dumps(message)
            self.process.stdin.write(f"{text}\n".encode())

    def heard(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(LONG_S)
        self.timer.cancel()
        self.process.stdout.close()


@pytest.fixture
def program() -> Iterator[Program]:
    found = Program()
    yield found
    found.close()


def request(number: int, game: AnyGame = PLAYED[0], **more: object) -> dict[str, object]:
    start = {"id": number, "game": game.name, "position": game.write_position(game.start())}
    return start | more


def test_it_plays_every_game_that_has_a_computer_and_says_so_of_the_others(
    program: Program,
) -> None:
    assert PLAYED
    for number, game in enumerate(ALL, start=1):
        program.say(request(number, game, level=3, seed=5))
        answer = program.heard()
        assert answer["id"] == number
        if game not in PLAYED:
            assert "does not play" in answer["error"]
            continue
        position = game.start()
        mover = game.to_move(position)[0]
        assert game.read_move(position, mover, answer["move"]) in game.legal(position, mover)
        expected = choose(game, position, Limit(level=3, seed=5))
        assert answer["move"] == game.write_move(position, mover, expected.move)
        assert answer["score"] == expected.score
        assert answer["line"][:1] in ([answer["move"]], [])
        assert "stopped" not in answer


def test_a_search_is_stopped_by_its_number_and_answers_with_what_it_has(program: Program) -> None:
    program.say(request(7, seconds=3600), {"stop": 3}, {"stop": 7})
    answer = program.heard()
    assert answer["id"] == 7
    assert answer["stopped"] is True
    assert answer["move"]


def test_a_stop_for_another_request_stops_nothing(program: Program) -> None:
    program.say(request(7, seconds=1), {"stop": 6}, {"stop": None})
    answer = program.heard()
    assert answer["id"] == 7
    assert "stopped" not in answer


def test_a_new_request_stops_the_one_before(program: Program) -> None:
    program.say(request(1, seconds=3600), request(2, level=1))
    assert [program.heard()["id"], program.heard()["id"]] == [1, 2]


def test_time_ends_a_search(program: Program) -> None:
    program.say(request(1, seconds=0.05))
    answer = program.heard()
    assert answer["move"]
    assert "stopped" not in answer


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("garbage", "not JSON"),
        ("\0\xff", "not JSON"),
        ("", "not JSON"),
        ("[1]", "must be an object"),
        ("[" * 10_000, "not JSON"),
        ('{"id": 4}', "lacks 'game'"),
        ('{"id": -1, "game": "x", "position": "y"}', "id must be"),
        ('{"id": 4, "game": "x", "position": "y", "levl": 1}', "did you mean 'level'"),
        ('{"id": 4, "game": "x", "position": "y", "level": 1}', "there is no game 'x'"),
        ('{"id": 4, "game": 1, "position": "y"}', "game must be text"),
        ('{"id": 4, "game": "x", "position": "y", "seconds": -1}', "seconds must be"),
        ('{"id": 4, "game": "x", "position": "y", "seconds": NaN}', "NaN"),
        ('{"id": 4, "game": "x", "position": "y", "moves": [1]}', "moves must be"),
        ('{"id": 4, "game": "x", "position": "y", "options": 1}', "options must be"),
        ('{"id": 4, "game": "x", "position": "y", "level": 99}', "levels go from 1"),
        ('{"id": 4, "game": "x", "position": "y"}', "give it depth or seconds"),
        (json.dumps(request(4, level=1, position="x" * 500)), "x"),
        (json.dumps(request(4, level=1, options={"nonsense": 1})), "no option"),
        (json.dumps(request(4, level=1, moves=["nonsense"])), "nonsense"),
        ('{"stop": 1, "id": 2}', "unknown key"),
    ],
)
def test_what_cannot_be_answered_gets_an_error_line_and_the_next_request_a_move(
    line: str, said: str
) -> None:
    answers = served(f"{line}\n{json.dumps(request(9, level=1))}\n".encode())
    assert answers[0] == {"ready": 1}
    assert said in answers[1]["error"]
    assert answers[2]["id"] == 9
    assert answers[2]["move"]


def served(lines: bytes) -> list[Any]:
    answers: list[Any] = []
    player_process.serve(io.BytesIO(lines), answers.append)
    return answers


def test_a_line_without_an_end_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_process, "LONGEST_LINE", 2000)
    last = json.dumps(request(9, level=1)).encode()
    answers = served(b"x" * 9000 + b"\n" + last + b"\n")
    assert "more than 2000 bytes" in answers[1]["error"]
    assert answers[2]["id"] == 9


def test_a_defect_is_an_answer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(player_process, "choose", broken)
    answers = served(json.dumps(request(9, level=1)).encode() + b"\n")
    assert answers[1] == {"id": 9, "error": "ZeroDivisionError: of all things"}


def test_garbage_reaches_the_real_process_and_does_it_no_harm(program: Program) -> None:
    program.say("garbage", "{}", request(2, level=1))
    assert "not JSON" in program.heard()["error"]
    assert "lacks 'id'" in program.heard()["error"]
    assert program.heard()["move"]


def test_the_end_of_its_input_ends_it_also_in_the_middle_of_a_search(program: Program) -> None:
    program.say(request(1, seconds=3600))
    program.close()
    assert program.process.returncode == 0


@every_played
def test_moves_since_a_position_are_played_before_it_thinks(game: AnyGame) -> None:
    position, texts = game.start(), []
    for _ in range(4):
        moves = {mover: game.legal(position, mover)[-1] for mover in game.to_move(position)}
        texts += [game.write_move(position, mover, move) for mover, move in moves.items()]
        position = game.resolve(position, moves).after
    answer = player_process.answer(request(1, game, level=2, moves=texts), lambda: False)
    mover = game.to_move(position)[0]
    assert game.read_move(position, mover, answer["move"]) in game.legal(position, mover)


# -- the device --------------------------------------------------------------------------------


@pytest.fixture
def opened() -> Iterator[Callable[..., ProcessPlayer]]:
    """Players that are closed at the end, and then have no process left."""
    players: list[ProcessPlayer] = []

    def make(*command: str, patience: Patience | None = None) -> ProcessPlayer:
        players.append(ProcessPlayer(CLOCK, command or COMMAND, patience))
        return players[-1]

    yield make
    for player in players:
        player.close()
    left = [each for each in threading.enumerate() if each.name == ProcessPlayer.name]
    assert left == []


def await_event(player: Player) -> PlayerEvent:
    events: list[PlayerEvent] = await_that(player.events)
    return events[0]


def await_that(condition: Callable[[], Any]) -> Any:
    end_ms = CLOCK.now_ms() + 1000 * LONG_S
    while CLOCK.now_ms() < end_ms:
        if found := condition():
            return found
        CLOCK.wait_ms(5)
    raise AssertionError("nothing came of it")


def gone(pid: int) -> bool:
    """Not even a zombie is left."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


Opened = Callable[..., ProcessPlayer]


@every_played
@pytest.mark.parametrize("kind", ["process", "direct"])
def test_every_player_answers_a_question_with_a_legal_move_and_the_same_one(
    kind: str, game: AnyGame, opened: Opened
) -> None:
    player: Player = opened() if kind == "process" else DirectPlayer(ManualClock())
    number = player.think(question(game, seed=11))
    chosen = await_event(player)
    assert isinstance(chosen, Chosen)
    assert chosen.number == number == 1
    position = game.start()
    mover = game.to_move(position)[0]
    expected = choose(game, position, Limit(level=3, seed=11))
    assert chosen.move == game.write_move(position, mover, expected.move)
    # Where both act at once, nobody knows how it goes on.
    assert chosen.line[:1] in ((chosen.move,), ())
    assert player.events() == []
    player.close()
    player.close()
    assert player.events() == []


@pytest.mark.parametrize("kind", ["process", "direct"])
def test_a_question_that_cannot_be_answered_fails_with_the_reason(
    kind: str, opened: Opened
) -> None:
    player: Player = opened() if kind == "process" else DirectPlayer(ManualClock())
    player.think(Question("no-such-game", "", level=1))
    failed = await_event(player)
    assert isinstance(failed, PlayerFailed)
    assert "there is no game 'no-such-game'" in failed.reason


def test_asking_does_not_wait_for_the_process(opened: Opened) -> None:
    player = opened(sys.executable, "-c", "input()")
    for number in range(1, 2000):
        assert player.think(question()) == number
        assert player.events() == []
        player.stop()


def test_a_stopped_question_is_never_heard_of_again_and_the_next_one_answered(
    opened: Opened,
) -> None:
    player = opened()
    player.think(question(level=1))
    await_event(player)  # it is ready, and will think at once
    player.think(endless())
    player.stop()
    player.stop()
    second = player.think(question(level=1))
    assert await_event(player).number == second
    assert player.events() == []


def test_a_new_question_replaces_the_one_before_in_the_same_process(opened: Opened) -> None:
    player = opened()
    player.think(question(level=1))
    await_event(player)
    pid = player.pid
    player.think(endless())
    await_that(lambda: player._process and player._process.asked)
    second = player.think(question(level=1))
    chosen = await_event(player)
    assert isinstance(chosen, Chosen)
    assert chosen.number == second
    assert player.pid == pid


def test_an_answer_that_nobody_fetched_is_forgotten_with_the_next_question(opened: Opened) -> None:
    player = opened()
    player.think(question(level=1))
    await_that(lambda: player._events)
    second = player.think(question(level=1))
    assert await_event(player).number == second


def test_a_process_killed_at_rest_is_replaced_for_the_next_question(opened: Opened) -> None:
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
    assert isinstance(chosen, Chosen)
    assert chosen.number == number


def test_a_process_killed_while_it_thinks_is_asked_again_and_then_given_up(opened: Opened) -> None:
    player = opened()
    number = player.think(endless())
    killed: set[int] = set()

    def kill_the_next() -> bool:
        process = player._process
        if process is not None and process.asked and process.program.pid not in killed:
            killed.add(process.program.pid)
            os.kill(process.program.pid, signal.SIGKILL)
        return bool(player._events)

    await_that(kill_the_next)
    (failed,) = player.events()
    assert isinstance(failed, PlayerFailed)
    assert failed.number == number
    assert "signal 9" in failed.reason
    assert len(killed) == 2
    assert all(gone(pid) for pid in killed)
    player.think(question(level=1))
    assert isinstance(await_event(player), Chosen)


def test_a_process_that_hangs_is_killed_and_the_question_fails(
    opened: Opened, tmp_path: Path
) -> None:
    script = (
        f"import os, pathlib, time; pathlib.Path({str(tmp_path / 'pid')!r})"
        ".write_text(str(os.getpid())); print('{\"ready\": 1}', flush=True); time.sleep(600)"
    )
    player = opened(sys.executable, "-c", script, patience=Patience(answer_ms=100))
    number = player.think(question(seconds=0.0))
    failed = await_event(player)
    assert isinstance(failed, PlayerFailed)
    assert (failed.number, "did not answer in time" in failed.reason) == (number, True)
    assert gone(int((tmp_path / "pid").read_text()))


def test_a_process_that_does_not_heed_a_stop_is_replaced_and_the_next_question_answered(
    opened: Opened, tmp_path: Path
) -> None:
    """The first one started hangs, and all others are the real one."""
    mark, script = tmp_path / "started", tmp_path / "player.py"
    script.write_text(
        "import pathlib, sys, time\n"
        f"mark = pathlib.Path({str(mark)!r})\n"
        "if mark.exists():\n"
        "    from controller.player_process import main\n"
        "    sys.exit(main())\n"
        "mark.touch()\n"
        "print('{\"ready\": 1}', flush=True)\n"
        "time.sleep(600)\n"
    )
    player = opened(sys.executable, str(script), patience=Patience(answer_ms=300))
    player.think(endless())
    await_that(lambda: player._process and player._process.asked)
    player.stop()
    number = player.think(question(level=1))
    chosen = await_event(player)
    assert isinstance(chosen, Chosen)
    assert chosen.number == number


def test_a_process_that_never_says_that_it_is_ready_is_given_up(opened: Opened) -> None:
    script = "import time; time.sleep(600)"
    player = opened(sys.executable, "-c", script, patience=Patience(start_ms=100))
    player.think(question())
    failed = await_event(player)
    assert isinstance(failed, PlayerFailed)
    assert "did not start in time" in failed.reason


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("/no/such/program",), "cannot start /no/such/program: No such file"),
        ((sys.executable, "-c", "raise SystemExit('no memory')"), "ended with 1: no memory"),
    ],
)
def test_a_program_that_does_not_work_is_a_failed_question_with_the_reason(
    command: tuple[str, ...], reason: str, opened: Opened
) -> None:
    player = opened(*command)
    for number in (1, 2):
        player.think(question())
        failed = await_event(player)
        assert isinstance(failed, PlayerFailed)
        assert failed.number == number
        assert reason in failed.reason


def test_lines_that_are_no_answer_are_passed_over_and_half_an_answer_is_a_failure(
    opened: Opened,
) -> None:
    lines = ["chatter", "[]", '{"ready": 1}', '{"id": 99, "move": "x"}', '{"id": 1}']
    script = (
        f"for line in {lines!r}:\n"
        f"    if '99' in line: input()\n"
        f"    print(line, flush=True)\n"
        "input()"
    )
    player = opened(sys.executable, "-c", script)
    player.think(question())
    failed = await_event(player)
    assert isinstance(failed, PlayerFailed)
    assert "KeyError" in failed.reason


def test_closing_in_the_middle_of_a_thought_leaves_no_process_and_no_open_file(
    opened: Opened,
) -> None:
    before = open_files()
    player = opened()
    player.think(endless())
    await_that(lambda: player._process and player._process.asked)
    pid = player.pid
    assert pid is not None
    player.close()
    assert gone(pid)
    assert open_files() == before
    player.think(question())
    player.stop()
    assert player.events() == []


def test_it_is_found_from_any_folder_even_one_with_the_same_names(
    opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "controller").mkdir()
    (tmp_path / "controller" / "__init__.py").write_text("raise SystemExit('the wrong one')\n")
    monkeypatch.chdir(tmp_path)
    player = opened()
    player.think(question(level=1))
    assert isinstance(await_event(player), Chosen)
