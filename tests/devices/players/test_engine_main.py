"""The engine process over pipes: searches, bad lines and random input."""

from __future__ import annotations

import io
import os
import subprocess
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.computer import server
from controller.computer.protocol import BestMove, SearchProgress, read_reply
from controller.computer.server import EngineServer
from controller.devices.clock import SystemClock
from controller.devices.players import engine_main
from controller.devices.players.process_player import DEFAULT_COMMAND, PROJECT_ROOT
from engine import games, strict_json
from engine.errors import LaserboardError
from engine.game import AnyGame
from engine.search import Limit, choose

LONG_S = 120.0  # on a busy machine
ALL = [kind() for kind in games.GAMES.values()]
every_game = pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)


class Program:
    """The real process, driven line by line."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            DEFAULT_COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=os.environ | {"PYTHONPATH": str(PROJECT_ROOT)},
        )
        self.timer = threading.Timer(LONG_S, self.process.kill)
        self.timer.start()

    def say(self, *lines: str) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(f"{line}\n".encode())

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode().rstrip("\n")

    def until(self, *firsts: str) -> list[str]:
        """All lines up to one that starts with one of these words."""
        lines = [self.line()]
        while lines[-1].partition(" ")[0] not in firsts:
            assert lines[-1], lines
            lines.append(self.line())
        return lines

    def moved(self) -> tuple[SearchProgress, BestMove]:
        """Its last progress and its best move."""
        *_, reported, best = map(read_reply, self.until("bestmove", "error"))
        assert isinstance(reported, SearchProgress)
        assert isinstance(best, BestMove)
        return reported, best

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


def test_hello_lists_name_games_and_options(program: Program) -> None:
    program.say("hello")
    lines = program.until("ok")
    assert lines[0].startswith("name Laserboard ")
    assert lines[1] == "protocol 1"
    assert lines[2] == f"games {' '.join(games.GAMES)}"
    assert "option name Level type number default 8 min 1 max 8" in lines
    assert "option name Core type choice default auto var auto var native var python" in lines


def test_the_engine_plays_every_game(program: Program) -> None:
    program.say("setoption name level value 3", "setoption name Seed value 5")
    for game in ALL:
        position = game.start()
        program.say(f"game {game.name}", f"position {game.write_position(position)}", "go")
        reported, best = program.moved()
        mover = game.to_move(position)[0]
        expected = choose(game, position, Limit(level=3, seed=5))
        assert best.move == game.write_move(position, mover, expected.move)
        assert (reported.score, reported.depth) == (expected.score, expected.depth)
        assert reported.line[:1] in ((best.move,), ())


def test_the_default_position_is_the_start_of_the_first_game(program: Program) -> None:
    program.say("go depth 2")
    game = games.make()
    _, best = program.moved()
    assert game.read_move(game.start(), 0, best.move) in game.legal(game.start(), 0)


def test_every_depth_is_reported(program: Program) -> None:
    program.say("go depth 3")
    infos = [read_reply(line) for line in program.until("bestmove")[:-1]]
    assert [each.depth for each in infos if isinstance(each, SearchProgress)] == [1, 2, 3]


def test_a_stop_is_answered_with_the_best_move_so_far(program: Program) -> None:
    program.say("go infinite", "stop")
    assert program.moved()
    program.say("stop", "stop", "isready")
    assert program.line() == "readyok", "a stop without a search is no error, and no move"


def test_other_lines_are_answered_during_a_search(program: Program) -> None:
    program.say("go infinite", "isready", "setoption name Level value 9", "stop")
    lines = program.until("bestmove")
    assert "readyok" in lines
    assert any(line.startswith("error Level must be") for line in lines)


def test_a_new_go_stops_the_previous_one_and_both_are_answered(program: Program) -> None:
    program.say("go infinite", "setoption name Level value 1", "go")
    assert program.moved()
    assert program.moved()


def test_end_of_input_and_quit_end_the_program_even_during_a_search() -> None:
    for last in ("", "quit"):
        program = Program()
        program.say("go movetime 3600000", last)
        program.close()
        assert program.process.returncode == 0


def test_a_process_without_a_reader_ends(program: Program) -> None:
    assert program.process.stdout is not None
    program.say("go infinite")
    program.line()
    program.process.stdout.close()
    program.say("isready")
    assert program.process.wait(LONG_S) == 1


def test_a_search_ends_after_movetime(program: Program) -> None:
    """`laserboard match` measures how exactly."""
    program.say("isready")
    program.until("readyok")
    clock = SystemClock()
    start_ms = clock.now_ms()
    program.say("go movetime 100")
    assert program.moved()
    assert 100 <= clock.now_ms() - start_ms < 5000


def test_with_almost_no_time_left_a_move_is_returned_at_once(program: Program) -> None:
    for reported in ("btime 1 rtime 1", "btime -5 rtime 60000", "time0 0 time1 0 inc0 3"):
        program.say(f"go {reported}")
        assert program.moved()[0].depth <= 2


# -- lines that are no good --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("garbage", "no command 'garbage'; known: hello"),
        ("positio", "did you mean 'position'"),
        ("\0\xff", "no command"),
        ("[" * 10_000, "not JSON"),
        ("{}", "no command"),
        ("game", "write game NAME"),
        ("game x", "there is no game 'x'"),
        ("game laser-chess 1", "must be an object"),
        ("game laser-chess {", "not JSON"),
        ('game laser-chess {"nonsense":1}', "no option"),
        ("position", "write position setup NAME"),
        ("position " + "x" * 500, "x"),
        ("position setup nowhere", "no setup 'nowhere'"),
        ("position seed 3", "not from a seed"),
        ("position setup ace moves nonsense", "nonsense"),
        ("position [1,", "not JSON"),
        ("setoption Level 3", "write setoption name NAME"),
        ("setoption name Levl value 3", "did you mean 'Level'"),
        ("setoption name Level value 99", "Level must be a whole number from 1 to 8"),
        ("setoption name Core value gpu", "one of auto, native, python"),
        ("go", "level 8 thinks until it is stopped"),
        ("go depth", "depth must be"),
        ("go depth 0", "depth must be a whole number from 1 to 40"),
        ("go movetime -1", "movetime must be"),
        ("go movetime 1e3", "movetime must be"),
        ("go fast", "go has no 'fast'"),
        (
            "go foo",
            "go has no 'foo'; known: movetime, softtime, depth, nodes, player, infinite, btime, "
            "bluetime, binc, blueinc, rtime, redtime, rinc, redinc, time0, inc0, time1, inc1",
        ),
        ("quit now", "quit stands alone on its line, without 'now'"),
        ("stop it", "stop stands alone on its line, without 'it'"),
        ("go depth 1 depth 2", "depth twice"),
        ("go rtime 1000", "nothing of blue's clock: add btime"),
        ("go depth 2 player 1", "not the turn of player 1, but of 0"),
    ],
)
def test_a_bad_line_is_answered_by_one_error_and_the_next_line_executed(
    line: str, said: str
) -> None:
    answers = served(f"{line}\ngame laser-chess\ngo depth 1\nwait\n".encode("latin-1"))
    assert answers[0].startswith("error ")
    assert said in answers[0]
    assert answers[-1].startswith("bestmove ")
    assert sum(answer.startswith("error") for answer in answers) == 1


def served(lines: bytes) -> list[str]:
    answers: list[str] = []
    engine_main.serve(io.BytesIO(lines), lambda reply: answers.append(str(reply)))
    return answers


def test_no_move_is_returned_for_a_refused_position() -> None:
    answers = served(b"position setup ace\nposition torn\ngo depth 1\ngame torn\ngo depth 1\n")
    assert [answer.partition(" ")[0] for answer in answers] == ["error"] * 4
    assert "no position to think over" in answers[1]
    assert "there is no game" in answers[3]


def test_no_move_is_returned_for_a_finished_game() -> None:
    answers = served(b"position l++9/5k4/*/*/*/*/*/9L b\ngo depth 1\nwait\n")
    assert answers[-1].startswith("error the game is over")


def test_the_length_of_a_line_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_main, "MAX_LINE_BYTES", 2000)
    answers = served(b"x" * 9000 + b"\ngo depth 1\nwait\n")
    assert "more than 2000 bytes" in answers[0]
    assert answers[-1].startswith("bestmove")


def test_an_unexpected_exception_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(server, "choose", broken)
    assert served(b"go depth 1\nwait\n") == ["error ZeroDivisionError: of all things"]


def test_waiting_for_an_endless_search_is_refused() -> None:
    answers = served(b"wait\ngo infinite\nwait\nstop\nwait\n")
    assert any("wait would never end" in answer for answer in answers)
    assert answers[-1].startswith("bestmove")


def test_the_real_process_survives_garbage(program: Program) -> None:
    assert program.process.stdin is not None
    program.process.stdin.write(bytes(range(256)) * 8 + b"\n")
    program.say("x" * 1_000_000, "{}", "go depth 1")
    lines = program.until("bestmove")
    assert any("no command" in line for line in lines)
    assert all(line.startswith(("error ", "info ", "bestmove ")) for line in lines)


KNOWN = [
    *("hello", "isready", "setoption", "name", "value", "Level", "Core", "Seed", "Margin", "game"),
    *("position", "setup", "seed", "moves", "go", "movetime", "depth", "nodes", "infinite"),
    *("btime", "rtime", "inc0", "player", "stop", "ace", "j4j3", "{}", '{"a":1}', "[", "1", "-7"),
    *(*games.GAMES, "9" * 40, "\0", "\x85", "\udcff", "\u2028", "l++9/5k4/*/8bS/*/*/4K5/9L b"),
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.sampled_from(KNOWN) | st.text(max_size=6), max_size=7), max_size=6))
def test_any_line_gets_at_most_one_line_and_no_defect(
    lines: list[list[str]],
) -> None:
    said: list[object] = []
    listener = EngineServer(said.append, SystemClock())
    for each in lines:
        try:
            listener.execute_line(" ".join(each))
        except LaserboardError as refused:
            said.append(f"error {refused}")
    assert all("\n" not in str(each) for each in said)


# -- positions ---------------------------------------------------------------------------------


def said_of(*lines: str) -> BestMove:
    answers = served("\n".join([*lines, "wait"]).encode())
    best = read_reply(answers[-1])
    assert isinstance(best, BestMove), answers
    return best


@every_game
def test_the_moves_after_a_position_are_played_before_the_search(game: AnyGame) -> None:
    position, texts = game.start(), list[str]()
    reported = f"position {game.write_position(position)}"
    lines = [f"game {game.name}", "setoption name Level value 2"]
    for _ in range(4):
        moves = {mover: game.legal(position, mover)[-1] for mover in game.to_move(position)}
        texts += [game.write_move(position, mover, move) for mover, move in moves.items()]
        position = game.resolve(position, moves).after
        lines.append(f"{reported} moves {' '.join(texts)}")
    best = said_of(*lines, "go")
    mover = game.to_move(position)[0]
    assert game.read_move(position, mover, best.move) in game.legal(position, mover)
    assert best == said_of(*lines[:2], lines[-1], "go"), "all moves at once, or one by one"
    # After a take-back and with another position, nothing of the old state is left.
    assert said_of(*lines, lines[-2], reported, "position torn", lines[-1], "go") == best


@every_game
def test_a_json_position_may_contain_blanks(game: AnyGame) -> None:
    """A position may be JSON: `moves` or a blank in it does not end it."""
    text = game.write_position(game.start())
    if game.record_form == "json":
        text = text.replace(",", " ,  ").replace(":", " : ")
    lines = (f"game {game.name}", "setoption name Level value 1", f"position {text}", "go")
    assert said_of(*lines)


def test_with_simultaneous_moves_either_player_may_be_chosen() -> None:
    both = [game for game in ALL if len(game.to_move(game.start())) > 1]
    for game in both:
        for player in (0, 1):
            lines = (f"game {game.name}", "setoption name Level value 2", f"go player {player}")
            position = game.start()
            move = game.read_move(position, player, said_of(*lines).move)
            assert move in game.legal(position, player)
    assert both


def test_options_of_a_game_are_applied() -> None:
    shuffled = "d6d7 h8g7 d7d6 g7h8 " * 2
    line = f"position setup ace moves {shuffled}"
    rules = strict_json.write({"repetition": "automatic"})
    assert said_of("setoption name Level value 1", line, "go").move
    answers = served(f"game laser-chess {rules}\n{line}\ngo depth 1\nwait\n".encode())
    assert "threefold repetition" in answers[-1]


def test_a_draw_better_than_the_score_is_claimed_with_the_move() -> None:
    """Blue has only a king against a king and two defenders, and may claim a repetition."""
    start = "l++9/5k4/4s5/3bb5/*/*/4K5/9L b"
    line = f"position {start} moves e2e1 f7g7 e1e2 g7f7 e2e1 f7g7 e1e2 g7f7"
    assert said_of(line, "go depth 2").claim
    assert not said_of(f"position {start}", "go depth 2").claim
