"""`laserboard games` on intact, torn, damaged and impossible journals of every game."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.session import sentences
from controller.session.clocks import Clocks, TimeControl
from controller.session.journal import JournalEntry, format_entries, next_entry, recover
from controller.session.replay import game_record, replay, result_body, take_back_body, turn_body
from controller.session.setup import BadGame, GameSetup, Seat, TournamentEntry, setup_body
from controller.storage.games import (
    NoSuchGame,
    find_journal,
    games_folder,
    list_journals,
    new_journal_path,
)
from engine import catalogue, games
from engine.errors import LaserboardError
from engine.game import AnyGame, AnyTurn, Outcome
from engine.record import read_record as read_record
from engine.record.catalogue import NOT_A_RESULT
from engine.sentences import Sentence, plain
from tests.support.cli import Laserboard
from tests.support.engine.random_play import random_turns, start
from tests.support.engine.sentences import Expected, mentions, raises, whole_number

CLOCKS = replace(Clocks.for_control(TimeControl.parse("10m+5s")), left_ms=(591_000.0, 600_000.0))
ADA_AND_BOB = (Seat("Ada"), Seat("", 3))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty games folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    return tmp_path / "share" / "laserboard" / "games"


def begun(game: AnyGame, **fields: Any) -> GameSetup:
    return GameSetup(game, ADA_AND_BOB, version="0.1.0", **{"started": "2026-03-01 19:30"} | fields)


class Table:
    """Plays a game and collects its journal entries."""

    def __init__(self, setup: GameSetup) -> None:
        self.game = setup.game
        self.entries: list[JournalEntry] = []
        self.note("game", setup_body(setup))

    def note(self, kind: str, body: dict[str, Any]) -> None:
        before = self.entries[-1] if self.entries else None
        self.entries.append(next_entry(before, kind, body, 1000.0 * len(self.entries)))

    def play(self, *turns: AnyTurn) -> None:
        for turn in turns:
            self.note("turn", turn_body(self.game, turn, CLOCKS))

    def move(self, *texts: str) -> None:
        """Play moves of a game whose players take turns."""
        for text in texts:
            position = replay(self.entries).position
            (player,) = self.game.to_move(position)
            move = self.game.read_move(position, player, text)
            self.play(self.game.resolve(position, {player: move}))

    def keep(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(format_entries(self.entries))
        return path


def short_game() -> Table:
    table = Table(begun(games.make(), setup_name="mercury", time_control="10m+5s"))
    table.move("j4i4xj3", "a5b5")
    return table


def damage(path: Path, line: int) -> None:
    """Change one byte in the middle of a line."""
    lines = path.read_bytes().splitlines(keepends=True)
    at = lines[line - 1].index(b'"body"') + 10
    lines[line - 1] = lines[line - 1][:at] + b"#" + lines[line - 1][at + 1 :]
    path.write_bytes(b"".join(lines))


# -- replaying a journal -----------------------------------------------------------------------


@pytest.mark.parametrize("name", games.GAMES)
@pytest.mark.parametrize("begin", ["by default", "from a position"])
def test_every_game_is_rebuilt_from_its_journal_turn_by_turn(name: str, begin: str) -> None:
    game = games.make(name)
    turns = list(random_turns(game, seed=7, most=25, retries=3))
    if begin == "from a position":
        setup = begun(game, position=turns[0].before)
    else:
        setup = begun(game, seed=None if game.setups() else 7)
        assert setup.first_position() == start(game, 7)
    table = Table(setup)
    table.play(*turns)
    entries = recover(format_entries(table.entries)).entries
    played = replay(entries)
    assert played.fault is None
    assert played.turns == tuple(turns)
    assert played.outcome == turns[-1].outcome
    assert replay(entries[:-1]).turns == tuple(turns[:-1])


def test_a_turn_that_was_taken_back_is_not_replayed() -> None:
    table = short_game()
    before = replay(table.entries[:2])
    table.note("result", result_body(Outcome("1-0", plain("red resigned"))))
    table.note("take back", take_back_body(1))
    played = replay(table.entries)
    assert played == replace(before, taken_back_turns=1)
    table.move("a5a4")
    assert [len(replay(table.entries).turns), replay(table.entries).fault] == [2, None]


def wrong_movers(movers: Sentence) -> Sentence:
    return sentences.WRONG_MOVERS(players=plain("blue"), movers=movers)


def test_entries_that_change_no_position_are_skipped() -> None:
    table = short_game()
    table.note("pause", {"by": "red"})
    table.note("device", {"lost": "camera"})
    assert replay(table.entries) == replay(table.entries[:3])


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("turn", {"moves": {"blue": "j8j1"}}, catalogue.ILLEGAL_MOVE),
        ("turn", {"moves": {"red": "a5b5"}}, wrong_movers(plain("red"))),
        ("turn", {"moves": {}}, wrong_movers(sentences.NO_MOVER())),
        ("turn", {"moves": {"blue": 5}}, catalogue.NOT_TEXT(what="blue", value="5")),
        ("turn", {}, catalogue.NOT_AN_OBJECT(what="moves", value="None")),
        (
            "turn",
            {"moves": {"blue": "i4i3"}, "clocks": [1]},
            catalogue.NOT_AN_OBJECT(what="clocks", value="[1]"),
        ),
        ("take back", {"turns": 3}, sentences.TAKE_BACK_COUNT(turns=3, played=2)),
        ("take back", {"turns": 0}, whole_number("turns taken back", 1, 1_000_000, "0")),
        (
            "take back",
            {"turns": 1, "position": "K9 b"},
            sentences.TAKE_BACK_POSITION(value="'K9 b'"),
        ),
        ("result", {"result": "2-0"}, NOT_A_RESULT),
    ],
)
def test_replay_stops_at_an_impossible_entry(
    kind: str, body: dict[str, Any], expected: Expected
) -> None:
    table = short_game()
    good = replay(table.entries)
    table.note(kind, body)
    table.note("result", result_body(Outcome("1-0", plain("red resigned"))))
    played = replay(table.entries)
    assert played.fault is not None
    assert played.fault.line == 4
    assert mentions(played.fault.reason, expected)
    assert replace(played, fault=None) == good


def test_a_turn_after_the_result_is_a_fault() -> None:
    table = short_game()
    table.note("result", result_body(Outcome("1-0", plain("red resigned"))))
    table.move()
    table.note("turn", {"moves": {"blue": "i4i3"}})
    played = replay(table.entries)
    assert played.fault is not None
    outcome = catalogue.OUTCOME(result="1-0", reason=plain("red resigned"))
    assert played.fault.reason == sentences.TURN_AFTER_RESULT(outcome=outcome)


def test_a_result_that_the_board_contradicts_is_a_fault() -> None:
    game = games.make()
    turns = list(random_turns(game, seed=3, most=3000))
    ended = turns[-1].outcome
    assert ended is not None
    table = Table(begun(game))
    table.play(*turns)
    table.note("result", result_body(ended))
    assert replay(table.entries).fault is None
    table.entries.pop()
    other = "0-1" if ended.result != "0-1" else "1-0"
    table.note("result", {"result": other, "reason": "we say so"})
    fault = replay(table.entries).fault
    assert fault is not None
    outcome = catalogue.OUTCOME(result=other, reason=plain("we say so"))
    ending = catalogue.OUTCOME(result=ended.result, reason=ended.reason)
    assert fault.reason == sentences.OTHER_RESULT(outcome=outcome, ended=ending)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"format": 2}, sentences.OTHER_FORMAT(value="2", known=1)),
        ({"game": "ludo"}, catalogue.NO_SUCH_GAME),
        ({"setup": "ludo"}, catalogue.NO_SUCH_SETUP),
        ({"seed": 4}, sentences.BAD_BEGINNING(value="['setup', 'seed']")),
        ({"players": []}, sentences.PLAYER_COUNT(game="laser-chess", needed=2, count=0)),
        ({"players": [{"kind": "dog"}, {}]}, sentences.NOT_A_PLAYER(value="'dog'")),
        ({"options": 3}, catalogue.NOT_AN_OBJECT(what="options", value="3")),
    ],
)
def test_a_journal_with_an_invalid_setup_is_refused(
    change: dict[str, Any], expected: Expected
) -> None:
    body = setup_body(begun(games.make(), setup_name="ace")) | change
    with raises(LaserboardError, expected):
        replay([next_entry(None, "game", body, 0)])


def test_a_journal_without_a_setup_entry_is_refused() -> None:
    for entries in ([], [next_entry(None, "turn", {}, 0)]):
        with pytest.raises(BadGame):
            replay(entries)


def test_a_game_names_its_event() -> None:
    entry = TournamentEntry("Club night, spring", 3, 4)
    start = begun(games.make(), setup_name="ace", tournament_entry=entry)
    played = replay([next_entry(None, "game", setup_body(start), 0)])
    assert played.setup.tournament_entry == entry
    assert [dict(game_record(played).tags)[tag] for tag in ("Event", "Round", "Board")] == [
        "Club night, spring",
        "3",
        "4",
    ]
    for wrong, expected in (
        ({"round": 0}, whole_number("round", 1, 9999, "0")),
        ({"table": "four"}, whole_number("table", 1, 9999, "'four'")),
        ({"event": 5}, catalogue.NOT_TEXT(what="event", value="5")),
    ):
        body = setup_body(start)
        body["occasion"] = body["occasion"] | wrong
        with raises(BadGame, expected):
            replay([next_entry(None, "game", body, 0)])


# -- the games folder --------------------------------------------------------------------------


def test_game_names_have_day_and_number_and_are_unique(folder: Path) -> None:
    assert games_folder() == folder
    names = []
    for day in ("2026-03-01", "2026-03-01", "2026-03-02", "2026-03-02"):
        path = new_journal_path(folder, day)
        names.append(path.stem)
        short_game().keep(path)
    assert names == ["2026-03-01-1", "2026-03-01-2", "2026-03-02-1", "2026-03-02-2"]


def test_last_is_the_newest_game_even_if_the_calendar_was_set_back(folder: Path) -> None:
    for day in ("2026-03-01", "1970-01-01", "1970-01-01"):
        short_game().keep(path := new_journal_path(folder, day))
        assert find_journal(folder, "last") == path


def test_game_10_of_a_day_is_newer_than_game_9(folder: Path) -> None:
    for name in ("2026-03-01-9", "2026-03-01-10", "2026-02-28-11", "club night"):
        short_game().keep(folder / f"{name}.journal")
    (folder / "2026-03-01-9.journal.torn").write_bytes(b"half")
    names = [path.stem for path in list_journals(folder)]
    assert names == ["2026-03-01-10", "2026-03-01-9", "2026-02-28-11", "club night"]
    assert find_journal(folder, "last").stem == "2026-03-01-10"


def test_a_relative_data_home_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "share")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert games_folder() == tmp_path / ".local/share/laserboard/games"


def test_a_misspelt_game_name_gets_a_suggestion(folder: Path) -> None:
    short_game().keep(folder / "2026-03-01-1.journal")
    with raises(NoSuchGame, catalogue.DID_YOU_MEAN(name="2026-03-01-1")):
        find_journal(folder, "2026-03-1-1")


# -- list --------------------------------------------------------------------------------------


def test_list_has_players_game_and_result(laserboard: Laserboard, folder: Path) -> None:
    table = short_game()
    table.keep(folder / "2026-03-01-1.journal")
    table.note("take back", take_back_body(1))
    table.note("result", result_body(Outcome("1-0", plain("red resigned"))))
    table.keep(folder / "2026-03-02-1.journal")
    assert laserboard.prints("games", "list").splitlines() == [
        "2026-03-02-1  laser-chess  Ada - computer:3  1 turn   1-0 red resigned",
        "2026-03-01-1  laser-chess  Ada - computer:3  2 turns  unfinished",
    ]
    assert laserboard.prints("games") == laserboard.prints("games", "list")


def test_list_marks_torn_and_damaged_journals_and_other_files(
    laserboard: Laserboard, folder: Path
) -> None:
    torn = short_game().keep(folder / "2026-03-03-1.journal")
    torn.write_bytes(torn.read_bytes()[:-3])
    damage(short_game().keep(folder / "2026-03-02-1.journal"), 2)
    (folder / "2026-03-01-1.journal").write_bytes(b"")
    lines = laserboard.prints("games", "list").splitlines()
    assert [line.split("  ")[-1].strip() for line in lines] == [
        "unfinished (torn at line 3)",
        "unfinished (damaged at line 2)",
        "cannot be read: it holds no game",
    ]


def test_a_long_list_is_cut_to_the_newest_with_a_note(laserboard: Laserboard, folder: Path) -> None:
    for number in range(1, 24):
        short_game().keep(folder / f"2026-03-01-{number}.journal")
    ran = laserboard("games", "list")
    assert (ran.status, len(ran.lines)) == (0, 20)
    assert "3 older" in ran.err
    assert len(laserboard.prints("games", "list", "--all").splitlines()) == 23


def test_without_any_game_a_sentence_says_how_to_play_one(
    laserboard: Laserboard, folder: Path
) -> None:
    for command in ("list", "verify"):
        ran = laserboard("games", command)
        assert (ran.status, ran.out) == (0, "")
        assert "laserboard simulate" in ran.err
        assert str(folder) in ran.err
    for command in ("show", "export"):
        assert "laserboard simulate" in laserboard.refuses("games", command, "last")


# -- show --------------------------------------------------------------------------------------


def test_show_prints_every_turn_and_draws_the_last_position(
    laserboard: Laserboard, folder: Path
) -> None:
    table = short_game()
    table.keep(folder / "2026-03-01-1.journal")
    text = laserboard.prints("games", "show", "last")
    lines = text.splitlines()
    assert lines[0] == "2026-03-01-1: Ada - computer:3, Laser Chess from mercury"
    assert lines[1] == "started 2026-03-01 19:30, time 10m+5s"
    assert lines[2] == "   1. blue j4i4xj3, blue's deflector on j3 captured"
    assert lines[3].startswith("   2. red a5b5")
    assert lines[-2:] == ["blue 9:51, red 10:00", "blue to move"]
    shown = laserboard.prints("show", "--position", lines[-3]).splitlines()
    assert shown[0] in lines
    assert set(shown) <= set(lines)
    assert laserboard.prints("games", "show", "2026-03-01-1") == text


@pytest.mark.parametrize("name", games.GAMES)
def test_show_json_has_everything(laserboard: Laserboard, folder: Path, name: str) -> None:
    game = games.make(name)
    turns = list(random_turns(game, seed=2, most=6))
    table = Table(begun(game, seed=None if game.setups() else 2))
    table.play(*turns)
    path = table.keep(folder / "2026-03-01-1.journal")
    document = json.loads(laserboard.prints("games", "show", str(path), "--json"))
    assert document["game"] == name
    assert [len(document["turns"]), document["players"][0]["name"]] == [len(turns), "Ada"]
    assert document["turns"][0]["clocks"] == CLOCKS.as_json()
    assert laserboard.prints("games", "show", str(path))


def test_show_prints_the_intact_part_of_a_damaged_game(
    laserboard: Laserboard, folder: Path
) -> None:
    path = short_game().keep(folder / "2026-03-01-1.journal")
    damage(path, 2)
    ran = laserboard("games", "show")
    assert ran.status == 1
    assert ran.lines[-1] == "blue to move"
    assert not any("j4i4" in line for line in ran.lines)
    assert "line 2" in ran.err
    assert "1 entry behind it cannot be trusted (0 turns)" in ran.err


def test_a_file_that_is_no_journal_is_refused_in_one_line(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    file = tmp_path / "letter"
    for content in (b"", b"Dear Bob,\n", b"\xff\0"):
        file.write_bytes(content)
        assert "contains no game" in laserboard.refuses("games", "show", str(file))
    assert "no game and no file" in laserboard.refuses("games", "show", str(tmp_path / "nothing"))
    laserboard.refuses("games", "show", "\0")


# -- export ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games.GAMES)
def test_an_exported_game_is_a_record_that_replay_reads(
    laserboard: Laserboard, folder: Path, tmp_path: Path, name: str
) -> None:
    game = games.make(name)
    turns = list(random_turns(game, seed=4, most=15))
    table = Table(begun(game, seed=None if game.setups() else 4, time_control="10m+5s"))
    table.play(*turns)
    table.keep(folder / "2026-03-01-1.journal")
    file = tmp_path / "game.json"
    assert laserboard.prints("games", "export", "last", "--to", str(file)) == ""
    assert laserboard.prints("games", "export", "--to", "json") == file.read_text()
    written = read_record(file.read_text())
    assert written == game_record(replay(table.entries))
    assert written.tag("Date") == "2026.03.01"
    assert f"{len(turns):4}. " in laserboard.prints("replay", str(file))


def test_export_writes_text_for_games_with_a_text_form(
    laserboard: Laserboard, folder: Path
) -> None:
    table = short_game()
    table.note("take back", take_back_body(1))
    table.move("a5a4")
    table.note("result", result_body(Outcome("1-0", plain("red resigned"))))
    table.keep(folder / "2026-03-01-1.journal")
    text = laserboard.prints("games", "export", "last")
    assert text == laserboard.prints("games", "export", "last", "--to", "text")
    assert '[Blue "Ada"]\n[Red "computer:3"]\n[Result "1-0"]' in text
    assert "[%clk 0:09:51]" in text
    assert "a5a4" in text
    assert "a5b5" not in text
    assert read_record(text).tag("Termination") == "red resigned"


def test_a_game_without_a_text_form_is_refused_with_its_formats(
    laserboard: Laserboard, folder: Path
) -> None:
    game = games.make("photon")
    Table(begun(game)).keep(folder / "2026-03-01-1.journal")
    assert "--to json" in laserboard.refuses("games", "export", "last", "--to", "text")


def test_an_export_never_overwrites_a_journal(laserboard: Laserboard, folder: Path) -> None:
    path = short_game().keep(folder / "2026-03-01-1.journal")
    before = path.read_bytes()
    assert "another file" in laserboard.refuses("games", "export", "last", "--to", str(path))
    assert path.read_bytes() == before


def test_an_unknown_export_format_is_not_used_as_a_file_name(
    laserboard: Laserboard, folder: Path
) -> None:
    short_game().keep(folder / "2026-03-01-1.journal")
    assert "say text, json, jsonl, sheet or zip" in laserboard.refuses(
        "games", "export", "last", "--to", "pdf"
    )
    assert not Path("pdf").exists()


# -- verify ------------------------------------------------------------------------------------


def test_verify_accepts_intact_games(laserboard: Laserboard, folder: Path) -> None:
    table = short_game()
    table.keep(folder / "2026-03-01-1.journal")
    table.note("result", result_body(Outcome("1-0", plain("red resigned"))))
    table.keep(folder / "2026-03-01-2.journal")
    verdicts = laserboard.prints("games", "verify").splitlines()
    assert verdicts == [
        "2026-03-01-2: good: 4 entries, 2 turns, 1-0 red resigned",
        "2026-03-01-1: good: 3 entries, 2 turns, unfinished",
    ]
    assert laserboard.prints("games", "verify", "last").startswith("last: good")


def test_verify_reports_damage_with_its_line_and_exits_with_1(
    laserboard: Laserboard, folder: Path
) -> None:
    good = short_game().keep(folder / "2026-03-01-1.journal")
    damaged = short_game().keep(folder / "2026-03-01-2.journal")
    damage(damaged, 2)
    torn = short_game().keep(folder / "2026-03-01-3.journal")
    torn.write_bytes(torn.read_bytes()[:-3])
    empty = folder / "2026-03-01-4.journal"
    empty.write_bytes(b"")
    ran = laserboard("games", "verify", *map(str, (damaged, good, torn, empty)))
    assert ran.status == 1
    assert len(ran.lines) == 4
    assert ran.lines[0].startswith(f"{damaged}: damaged: line 2 ")
    assert "the entry before it survives" in ran.lines[0]
    assert ran.lines[1].startswith(f"{good}: good: ")
    assert ran.lines[2] == (
        f"{torn}: torn: line 3 is cut off: it has no end; the 2 entries before it survive (1 turn)"
    )
    assert ran.lines[3] == f"{empty}: damaged: it holds no entry: nothing was played"


def test_verify_finds_an_illegal_move_with_valid_checksums(
    laserboard: Laserboard, folder: Path
) -> None:
    table = short_game()
    table.note("turn", {"moves": {"blue": "j8j1"}})
    path = table.keep(folder / "2026-03-01-1.journal")
    ran = laserboard("games", "verify", str(path))
    assert ran.status == 1
    assert f"{path}: wrong: line 4: " in ran.out
    assert "survives (2 turns)" in ran.out


def test_verify_checks_the_other_files_if_one_is_missing(
    laserboard: Laserboard, folder: Path
) -> None:
    path = short_game().keep(folder / "2026-03-01-1.journal")
    ran = laserboard("games", "verify", "nothing", str(path))
    assert ran.status == 2
    assert "no file 'nothing'" in ran.err
    assert ran.out.startswith(f"{path}: good")
