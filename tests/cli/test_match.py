"""`laserboard match` with real processes: two levels; programs that crash, hang or break rules."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest

from controller.computer import sentences
from controller.computer.match.game import (
    MatchGame,
    MatchTerms,
    SearchTotals,
    game_from_record,
    make_openings,
)
from controller.computer.match.players import (
    BadContestant,
    Contestant,
    MoveLimits,
    parse_contestant,
)
from controller.computer.match.report import report_lines
from engine import catalogue, games
from engine.errors import BadRecord
from engine.game import Outcome
from engine.record import Record, make_record, play, read_games
from engine.sentences import plain
from tests.support.cli import Laserboard
from tests.support.devices.engine_programs import CHEATS, CRASHES, GIVES_UP, HANGS, WELL, program
from tests.support.engine.sentences import Expected, raises
from tests.support.signals import default_signals


def records(path: Path) -> list[Record]:
    found = list(read_games(path.read_text("utf-8")))
    assert not [each for each in found if isinstance(each, BadRecord)]
    return [each for each in found if isinstance(each, Record)]


# -- players --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "contestant"),
    [
        ("3", Contestant("level:3", level=3)),
        ("level:8", Contestant("level:8", level=8)),
        ("native", Contestant("native", core="native")),
        ("python:level=7", Contestant("python:level=7", core="python", level=7)),
        (
            "auto:depth=3,movetime=50",
            Contestant("auto:depth=3,movetime=50", core="auto", limits=MoveLimits(50, 3)),
        ),
        (
            "cmd:sh -c 'a  b'",
            Contestant("cmd:sh -c 'a  b'", command=("sh", "-c", "a  b")),
        ),
    ],
)
def test_player_arguments_are_parsed(text: str, contestant: Contestant) -> None:
    assert parse_contestant(text) == contestant


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9", sentences.SETTING_RANGE(value="'level:9'", key="level", most=8, number="'9'")),
        ("level:", sentences.SETTING_RANGE(value="'level:'", key="level", most=8, number="''")),
        ("gpu", sentences.NO_SUCH_PLAYER(value="'gpu'")),
        ("native:", sentences.NO_SUCH_PLAYER(value="'native:'")),
        ("native:levl=3", catalogue.DID_YOU_MEAN(name="level")),
        (
            "native:depth=0",
            sentences.SETTING_RANGE(value="'native:depth=0'", key="depth", most=40, number="'0'"),
        ),
        ("cmd:", sentences.COMMAND_EMPTY()),
        ("cmd:/no/such/program -x", sentences.NO_SUCH_PROGRAM(name="'/no/such/program'")),
        ("cmd:'", sentences.COMMAND_UNREADABLE),
        ("", sentences.NO_SUCH_PLAYER(value="''")),
    ],
)
def test_an_invalid_player_argument_is_refused(text: str, expected: Expected) -> None:
    with raises(BadContestant, expected):
        parse_contestant(text)


# -- openings -------------------------------------------------------------------------


def terms_of(game: str, seed: int = 1, random_turns: int = 4) -> MatchTerms:
    both = (Contestant("A"), Contestant("B"))
    return MatchTerms(games.make(game).for_computers(), both, MoveLimits(), random_turns, seed)


@pytest.mark.parametrize("name", games.GAMES)
def test_openings_differ_are_not_lost_at_once_and_use_all_setups_in_turn(name: str) -> None:
    terms = terms_of(name)
    game, found = terms.game, make_openings(terms, 7)
    positions = {game.write_position(each.end_position(game)) for each in found}
    assert len(positions) == 7
    setups: list[str | None] = [*game.setups()] or [None]
    assert [each.setup for each in found] == [setups[n % len(setups)] for n in range(7)]
    for each in found:
        assert len(each.turns) == 4
        assert all(turn.outcome is None for turn in each.turns)
        for turn in game.turns(each.end_position(game)):
            assert turn.outcome is None or turn.outcome.winner not in dict(turn.moves)
    assert [each.turns for each in make_openings(terms, 2)] == [each.turns for each in found[:2]]
    assert make_openings(terms_of(name, seed=2), 1)[0].turns != found[0].turns


def test_two_hundred_games_have_a_hundred_openings() -> None:
    terms = terms_of(games.DEFAULT)
    game = terms.game
    assert (
        len({game.write_position(each.end_position(game)) for each in make_openings(terms, 100)})
        == 100
    )


def test_games_may_begin_without_random_openings() -> None:
    terms = terms_of(games.DEFAULT, random_turns=0)
    assert all(not each.turns for each in make_openings(terms, 7))


# -- whole matches --------------------------------------------------------------------


@pytest.mark.parametrize("name", games.GAMES)
def test_a_match_is_played_to_its_end_and_every_game_is_recorded(
    name: str, laserboard: Laserboard, tmp_path: Path
) -> None:
    file = tmp_path / "games"
    ran = laserboard(
        *("match", "3", "level:1", "--games", "4", "--movetime", "20", "--game", name),
        *("--record", str(file), "--jobs", "2"),
        *(("--option", "rounds=8") if hasattr(games.make(name), "rounds") else ()),
    )
    assert (ran.status, ran.err) == (0, "")
    found = sorted(records(file), key=lambda each: int(each.tag("Round")))
    game = games.make(name)
    names = [[each.tag(player.capitalize()) for player in game.players] for each in found]
    assert names == [["level:3", "level:1"], ["level:1", "level:3"]] * 2
    texts = set()
    for each in found:
        *_, last = play(each)
        assert last.outcome is not None
        assert each.result == last.outcome.result
        texts.add(tuple(entry.moves for entry in each.turns))
    assert len(texts) == 4
    first, second = found[:2]
    assert first.turns[:4] == second.turns[:4], "the same opening, with colours exchanged"
    assert first.turns[:4] != found[2].turns[:4]
    points = sum(_points(each, "level:3") for each in found)
    row = re.search(r"^A level:3 +(\d) +(\d) +(\d) +([\d.]+) %", ran.out, re.MULTILINE)
    assert row is not None
    assert float(row[4]) == pytest.approx(100 * points / 4, abs=0.1)
    assert "A against B: 2 pairs of games, too few to tell (from 5 pairs on)" in ran.out
    assert "games ended: " in ran.out


def _points(record: Record, name: str) -> float:
    first = record.tag(record.rules().players[0].capitalize()) == name
    return {"1-0": float(first), "0-1": float(not first)}.get(record.result, 0.5)


def test_a_match_without_time_limits_is_reproducible(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        laserboard.prints(
            *("match", "2", "auto:level=1", "--games", "2", "--depth", "1", "--seed", "5"),
            *("--record", str(tmp_path / name)),
        )
    assert records(tmp_path / "one") == records(tmp_path / "two")


def test_an_interrupted_match_resumes_and_a_finished_one_is_reported_again(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    call = ("match", "2", "1", "--depth", "1", "--record", f"{folder}/")
    laserboard.prints(*call, "--games", "2")

    def written() -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}

    before = written()
    more = laserboard(*call, "--games", "4")
    assert more.err.endswith("2 of 4 games are played already\n")
    assert len(list(folder.iterdir())) == 4
    assert (
        before.items() <= {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}.items()
    )
    again = laserboard(*call, "--games", "4")
    assert "4 games" in again.out
    row = r"^A level:2 .* % +- +- +-$"
    assert re.search(row, again.out, re.MULTILINE), "no move was searched again"
    fewer = laserboard(*call, "--games", "2")
    assert "4 of 4 games are played already (--games 2, and those beyond count, too)" in fewer.err
    refused = laserboard.refuses(*call, "--games", "4", "--seed", "2")
    assert "has a game of another match" in refused


def ended(number: int, points: float) -> MatchGame:
    """A game of a match by its number; `points` are those of the match's first player."""
    terms, seats = terms_of(games.DEFAULT), (0, 1) if number % 2 else (1, 0)
    winner = None if points == 0.5 else seats.index(0 if points else 1)
    outcome = (
        Outcome.draw(plain("by hand")) if winner is None else Outcome.win(winner, plain("by hand"))
    )
    record = make_record(terms.game, terms.game.start(), ())
    return MatchGame(number, seats, outcome, record, (SearchTotals(), SearchTotals()))


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([], []),
        ([1, 0.5] * 2, ["A against B: 2 pairs of games, too few to tell (from 5 pairs on)"]),
        ([0, 0], ["A against B: 1 pair of games, too few to tell (from 5 pairs on)"]),
        (
            [1, 0.5] * 5,
            [
                "A against B: Elo +154, +40 to +314 (95 %, pentanomial over 5 pairs of games)",
                "A is the better one with a likelihood of 99.7 %",
            ],
        ),
        (
            [0, 0] * 5,
            [
                "A against B: Elo -417, -inf to -156 (95 %, pentanomial over 5 pairs of games)",
                "A is the better one with a likelihood of less than 0.1 %",
            ],
        ),
        (
            [1, 0] * 5,
            [
                "A against B: Elo +0, -90 to +90 (95 %, pentanomial over 5 pairs of games)",
                "A is the better one with a likelihood of 50.0 %",
            ],
        ),
    ],
)
def test_the_report_has_elo_and_likelihood_from_5_pairs_on(
    points: list[float], expected: list[str]
) -> None:
    played = [ended(number, each) for number, each in enumerate(points, start=1)]
    lines = list(report_lines(terms_of(games.DEFAULT), played))
    assert [line for line in lines if line.startswith("A ") and line[2] in "ai"] == expected


# -- programs that fail ---------------------------------------------------------------


# `--timeout` applies to our own player too: it is short only where it runs out.
@pytest.mark.parametrize(
    ("failure", "reason", "timeout"),
    [
        (CRASHES, "gave no move: the program ended with 1: out of cheese", 20),
        (CHEATS, "played no legal move: illegal move", 20),
        (HANGS, "gave no move: the program did not answer in time, and was ended", 5),
        (GIVES_UP, "gave no move: I am? tired", 20),
    ],
)
def test_a_program_that_fails_loses_with_the_reason(
    failure: str, reason: str, timeout: int, laserboard: Laserboard, tmp_path: Path
) -> None:
    file = tmp_path / "games.pgn"
    ran = laserboard(
        *("match", "1", program(tmp_path, failure), "--games", "2", "--movetime", "5"),
        *("--timeout", str(timeout), "--jobs", "2", "--record", str(file)),
    )
    assert ran.status == 1
    assert re.search(r"A level:1 +2 +0 +0 +100.0 %", ran.out), ran.out
    assert "2 by a player that failed" in ran.out
    found = sorted(records(file), key=lambda each: int(each.tag("Round")))
    assert [each.result for each in found] == ["1-0", "0-1"]
    assert all(reason in each.tag("Termination") for each in found)
    assert reason in ran.out
    terms = terms_of(games.DEFAULT)
    assert game_from_record(terms, found[0]) is None, "the file belongs to another match"


def test_the_timeout_limits_the_wait_for_a_program_that_never_starts(
    laserboard: Laserboard,
) -> None:
    before_s = monotonic()
    call = ("match", "1", "cmd:cat", "--games", "2", "--jobs", "2", "--depth", "1")
    ran = laserboard(*call, "--timeout", "3")
    assert monotonic() - before_s < 50, "it has a minute otherwise"
    assert ran.status == 1
    assert ran.out.count("(cmd:cat) gave no move: the program did not start in time") == 2


def test_an_external_program_may_play_and_win(laserboard: Laserboard, tmp_path: Path) -> None:
    ran = laserboard(
        *(
            "match",
            program(tmp_path, WELL),
            f"cmd:{sys.executable} -m controller.cli.main engine",
            "--games",
            "2",
        ),
        *("--depth", "1", "--random-turns", "2"),
    )
    assert ran.status == 0, ran
    assert "by a player that failed" not in ran.out


def test_a_core_that_cannot_play_is_reported_before_the_match(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    from controller.ports.devices import MoveChooser
    from controller.ui.commands import computer_match
    from tests.support.devices.failing_player import Failing

    made: Callable[..., MoveChooser] = lambda *_: Failing("no native core is built")  # noqa: E731
    monkeypatch.setattr(computer_match, "open_engine_player", made)
    refused = laserboard.refuses("match", "native", "python", "--games", "2")
    assert "native cannot play: no native core is built" in refused


def test_a_record_that_cannot_be_written_is_reported_before_the_match(
    laserboard: Laserboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from controller.ui.commands import computer_match

    fail = lambda *_: pytest.fail("a player was opened")  # noqa: E731
    monkeypatch.setattr(computer_match, "open_engine_player", fail)
    call = ("match", "1", "2", "--games", "2", "--record")
    refused = laserboard.refuses(*call, str(tmp_path / "nope" / "x.pgn"))
    assert "nope/x.pgn: No such file or directory" in refused


def test_a_match_needs_an_even_number_of_games(laserboard: Laserboard) -> None:
    assert "give an even number" in laserboard.refuses("match", "1", "2", "--games", "3")


def test_an_interrupted_match_prints_its_results_and_leaves_no_process() -> None:
    match = subprocess.Popen(
        [sys.executable, "-m", "controller.cli.main", "match", "1", "8", "--seconds", "3600"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=default_signals,
    )
    assert match.stdout is not None
    try:
        while len(engines := _children(match.pid)) < 2:
            assert match.poll() is None
        os.kill(match.pid, signal.SIGINT)
        out, _ = match.communicate(timeout=60)
    finally:
        match.kill()
        match.wait()
    assert match.returncode == 130
    assert b"0 games" in out
    assert not [pid for pid in engines if Path(f"/proc/{pid}").exists()]


def _children(pid: int) -> list[int]:
    found = list[str]()
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError):  # the thread has ended
            found += (task / "children").read_text().split()
    return list(map(int, found))
