"""Reads every file of version 0.1 and compares it with the facts that version 0.1 reported.

`tests/data/0.1/expected.json` lists each file with its kind and its facts. Each kind has a function
here that computes the same facts with the present code. Tests never write into `tests/data/0.1`:
they copy a file first. Sentences for people are not compared, values are.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import zipfile
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from controller.computer.tuning.selfplay import load_games
from controller.config.board_file import load_board, load_board_file, load_lens, write_board
from controller.config.leds import LedSettings
from controller.devices.clock import ManualClock
from controller.devices.journal_file import JournalFile
from controller.ports.devices import BadJournal
from controller.session.evidence import iter_evidence
from controller.session.journal import DamagedTail, JournalEntry, format_entries, recover
from controller.session.referee.state import referee_state_of, result_blocked_by_names
from controller.session.replay import game_record, replay, summarise
from controller.session.resume import resume_session
from controller.session.sentences import CHECKSUM_WRONG, DAMAGED_SECOND
from controller.simulation.script import read_script
from controller.simulation.soak.runner import SoakPlan, read_results
from controller.storage.evidence_files import evidence_folder, read_evidence_file, take_inventory
from controller.storage.evidence_overlay import overlay_svg, parse_reading
from controller.storage.export.manifest import derived_files
from controller.storage.export.verify import verify_export
from controller.storage.games import list_journals
from controller.storage.image_files import read_grey_image
from controller.storage.stored_game import load_game
from controller.table.plan import load_resumable
from controller.table.puzzle_series import load_progress
from controller.tournament.messages import GameResult
from controller.tournament.outbox import Outbox, read_outbox
from controller.tournament.outbox_file import OutboxFile
from controller.tournament.pairings import read_players
from controller.tournament.subscriber import TournamentSubscriber
from controller.tournament.views import tournament_json
from controller.ui.commands.puzzle_files import read_playable_puzzles, read_puzzle_file
from controller.ui.web.auth import SESSION_DAYS, Auth
from engine import games
from engine.errors import LaserboardError
from engine.laser_chess import evaluation
from engine.puzzles import write_puzzle_book
from engine.record import Record, play, read_games, write_games
from engine.turn_based import TurnBased
from tests.support.cli import Laserboard
from tests.support.engine.sentences import raises
from tests.support.paths import ROOT

DATA = ROOT / "tests" / "data" / "0.1"
EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text("utf-8"))
FILES: dict[str, dict[str, Any]] = EXPECTED["files"]
DESCRIPTIONS = ("README.md", "expected.json")
GAMES = DATA / "laserboard" / "games"
Facts = dict[str, Any]


def of_kind(*kinds: str) -> list[str]:
    return [name for name, file in FILES.items() if file["kind"] in kinds]


def expected_facts(name: str) -> Facts:
    facts: Facts = FILES[name]["facts"]
    return facts


def as_json(value: Facts) -> Facts:
    """Convert tuples and the like to what JSON gives back."""
    found: Facts = json.loads(json.dumps(value))
    return found


def digest(content: bytes | str) -> str:
    return sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def short(text: str) -> str:
    """A position as text, or its hash where the text is longer than 200 characters."""
    return text if len(text) <= 200 else f"sha256 {digest(text)}"


JOURNALS_WITH_ENTRIES = [name for name in of_kind("journal") if expected_facts(name)["entries"]]

# -- journals ----------------------------------------------------------------------------------


def journal_facts(path: Path) -> Facts:
    """Setup, turns, clocks, result and open proposals of a journal."""
    recovered = recover(path.read_bytes())
    entries, damage = recovered.entries, recovered.damaged_tail
    facts: Facts = {
        "entries": len(entries),
        "kinds": dict(sorted(Counter(entry.kind for entry in entries).items())),
        "first_hash": entries[0].hash if entries else "",
        "last_hash": entries[-1].hash if entries else "",
        "damage": None if damage is None else _damage_facts(damage),
    }  # fmt: skip
    if not entries:
        return as_json(facts) | {"resumable": _is_resumable(path)}
    return as_json(facts | _game_facts(entries) | {"resumable": _is_resumable(path)})


def _damage_facts(damage: DamagedTail) -> Facts:
    return {
        "line": damage.line,
        "is_power_cut_tail": damage.is_power_cut_tail,
        "lost_bytes": damage.lost_bytes,
    }


def _game_facts(entries: Sequence[JournalEntry]) -> Facts:
    played, summary = replay(entries), summarise(entries)
    setup, game, position = played.setup, played.setup.game, played.position
    state, goal = referee_state_of(entries), setup.puzzle_goal
    outcome = played.outcome
    written = {"json": digest(write_games([game_record(played)], "json"))}
    if game.record_form == "text":
        written["text"] = digest(write_games([game_record(played)], "text"))
    return {
        "game": game.name,
        "options": game.options(),
        "setup": setup.setup_name,
        "seed": setup.seed,
        "first_position": short(game.write_position(setup.first_position())),
        "seats": [[seat.name, seat.kind] for seat in setup.seats],
        "time_control": setup.time_control,
        "started": setup.started,
        "written_by": setup.version,
        "board": setup.board,
        "simulated": setup.simulated,
        "tournament_entry": None if setup.tournament_entry is None else str(setup.tournament_entry),
        "policies": None if setup.policies is None else setup.policies.as_json(),
        "puzzle_goal": goal and [goal.name, goal.player, goal.turns, list(goal.line)],
        "faulty": played.fault is not None,
        "turns": len(played.turns),
        "moves": [
            [game.write_move(turn.before, player, move) for player, move in turn.moves]
            for turn in played.turns
        ],
        "taken_back": played.taken_back_turns,
        "corrected": [
            [number, short(game.write_position(put))] for number, put in played.corrections
        ],
        "clocks": [None if each is None else each.as_json() for each in played.clocks],
        "last_clocks": None if played.last_clocks is None else played.last_clocks.as_json(),
        "last_position": short(game.write_position(position)),
        "to_move": [] if outcome else [game.players[player] for player in game.to_move(position)],
        "result": None if outcome is None else [outcome.result, str(outcome.reason)],
        "summary_result": None if summary.result is None else str(summary.result),
        "rulings": sum(entry.kind == "ruling" for entry in entries),
        "open_proposals": [
            [each.number, each.subject, str(each.sentence), each.player, str(each.penalty),
             [str(choice) for choice in each.choices]]
            for each in state.open_proposals
        ],
        "illegal_moves": list(state.illegal_moves),
        "confirmed": sorted(state.confirmed_by),
        "upheld": state.upheld_by_referee,
        "waits_for": [
            str(each)
            for each in result_blocked_by_names(state, setup.policies, setup.seats, game)
        ],
        "evidence": [
            [each.turn, each.proposal, [list(image.file_names()) for image in each.images]]
            for each in iter_evidence(entries)
        ],
        "record": written,
    }  # fmt: skip


def _is_resumable(path: Path) -> bool:
    """Whether the game can be resumed; if so, it resumes at the position where it stopped."""
    try:
        plan = load_resumable(path)
        session = resume_session(recover(path.read_bytes()).entries, load_board(plan.setup.board))
    except LaserboardError:
        return False
    assert session.position == plan.position
    return True


@pytest.mark.parametrize("name", of_kind("journal"))
def test_a_journal_contains_the_same_game(name: str) -> None:
    facts, expected = journal_facts(DATA / name), expected_facts(name)
    for key in expected:
        assert facts.get(key) == expected[key], key
    assert facts == expected


@pytest.mark.parametrize("name", JOURNALS_WITH_ENTRIES)
def test_journal_entries_are_formatted_to_the_same_bytes(name: str) -> None:
    content = (DATA / name).read_bytes()
    recovered = recover(content)
    good = content if recovered.damaged_tail is None else content[: recovered.damaged_tail.at_byte]
    assert format_entries(recovered.entries) == good


@pytest.mark.parametrize("name", of_kind("journal"))
def test_a_journal_is_opened_for_writing(name: str, tmp_path: Path) -> None:
    """Moves a damaged tail to a file beside the journal; refuses damage in the middle."""
    content, damage = (DATA / name).read_bytes(), expected_facts(name)["damage"]
    copy = tmp_path / "game.journal"
    copy.write_bytes(content)
    if damage is not None and not damage["is_power_cut_tail"]:
        with raises(BadJournal, DAMAGED_SECOND(line=damage["line"], reason=CHECKSUM_WRONG())):
            JournalFile(copy, ManualClock())
        assert copy.read_bytes() == content
        return
    journal = JournalFile(copy, ManualClock())
    journal.close()
    assert len(journal.recovered.entries) == expected_facts(name)["entries"]
    lost = 0 if damage is None else damage["lost_bytes"]
    assert copy.read_bytes() == content[: len(content) - lost]
    beside = tmp_path / "game.journal.torn"
    assert (beside.read_bytes() if lost else b"") == content[len(content) - lost :]


@pytest.mark.parametrize("name", of_kind("torn tail"))
def test_a_cut_off_tail_contains_no_entry(name: str) -> None:
    content = (DATA / name).read_bytes()
    assert {"bytes": len(content), "sha256": digest(content)} == expected_facts(name)
    assert not recover(content).entries


# -- evidence ----------------------------------------------------------------------------------


def image_facts(path: Path) -> Facts:
    height, width = read_grey_image(path).shape[:2]
    return {"width": int(width), "height": int(height), "sha256": digest(path.read_bytes())}


def reading_facts(path: Path) -> Facts:
    reading = parse_reading(path.read_bytes())
    pieces = {
        each["cell"]: [each["piece"]["owner"], each["piece"]["kind"], each["piece"]["degrees"]]
        for each in reading["cells"]
        if each["state"] == "occupied"
    }
    found = {key: reading[key] for key in ("picture", "width", "height", "problems")}
    assert overlay_svg(reading, ("blue", "red")).startswith("<svg")
    return as_json(found | {"pieces": pieces, "cells": len(reading["cells"])})


@pytest.mark.parametrize("name", of_kind("image"))
def test_an_evidence_image_is_read(name: str) -> None:
    assert image_facts(DATA / name) == expected_facts(name)
    assert Path(name).stem == expected_facts(name)["sha256"]


@pytest.mark.parametrize("name", of_kind("reading"))
def test_a_stored_reading_is_drawn(name: str) -> None:
    assert reading_facts(DATA / name) == expected_facts(name)
    assert Path(name).stem == digest((DATA / name).read_bytes())


def test_journals_find_their_evidence_images() -> None:
    linked = 0
    for path in sorted(GAMES.glob("*.journal")):
        for each in iter_evidence(recover(path.read_bytes()).entries):
            for image in each.images:
                for file_name in image.file_names():
                    read_evidence_file(evidence_folder(path), file_name)
                linked += 1
    assert linked == EXPECTED["together"]["linked_pictures"]
    found = take_inventory(GAMES / "evidence", 0.0)
    assert not found.unreferenced
    assert [each.game for each in found.games] == EXPECTED["together"]["games_with_pictures"]


# -- records -----------------------------------------------------------------------------------


def record_facts(path: Path) -> Facts:
    """Each game of a record file: its content, and its last position when replayed."""
    found = list(read_games(path.read_text("utf-8")))
    records = [each for each in found if isinstance(each, Record)]
    assert len(records) == len(found), found
    facts: Facts = {"games": [_record_game_facts(each) for each in records]}
    forms: Iterable[Any] = ("json",)
    if all(each.rules().record_form == "text" for each in records):
        forms = ("json", "text")
    facts["written"] = {form: digest(write_games(records, form)) for form in forms}
    return as_json(facts)


def _record_game_facts(record: Record) -> Facts:
    game = record.rules()
    turns = list(play(record))
    after = record.turns[-1].corrected if record.turns else None
    last = game.write_position(turns[-1].after if turns else record.first_position())
    return {
        "game": record.game,
        "options": dict(record.options),
        "tags": dict(record.tags),
        "result": record.result,
        "turns": len(record.turns),
        "moves": [list(each.moves) for each in record.turns],
        "clocks_ms": [each.clock_ms for each in record.turns],
        "annotated": sum(each.annotation is not None for each in record.turns),
        "comments": [record.comment, *(each.comment for each in record.turns)],
        "first_position": short(game.write_position(record.first_position())),
        "last_position": short(last if after is None else after),
    }


@pytest.mark.parametrize("name", of_kind("record"))
def test_a_record_is_read_and_replayed(name: str) -> None:
    assert record_facts(DATA / name) == expected_facts(name)


@pytest.mark.parametrize("name", of_kind("record"))
def test_a_record_is_converted_and_replayed_by_the_command_line(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    laserboard = Laserboard(capsys)
    assert laserboard("replay", str(DATA / name)).status == 0
    for form, expected in expected_facts(name)["written"].items():
        assert digest(laserboard.prints("convert", str(DATA / name), "--to", form)) == expected


# -- exports -----------------------------------------------------------------------------------


def export_facts(path: Path) -> Facts:
    """The report of `verify_export`, without and with the published hash."""
    with path.open("rb") as file:
        report = verify_export(file)
        with_hash = verify_export(file, report.last_hash)
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        manifest = json.loads(archive.read("manifest.json"))
        record_ = next(read_games(archive.read("game.json").decode()))
        assert isinstance(record_, Record)
    played = report.played
    assert played is not None
    return {
        "files": names,
        "manifest": {key: manifest[key] for key in ("format", "edition", "head", "entries")},
        "last_hash": report.last_hash,
        "entries": report.entries,
        "pictures": report.images,
        "turns": len(played.turns),
        "outcome": None if played.outcome is None else str(played.outcome),
        "last_position": short(played.setup.game.write_position(played.position)),
        "record_turns": len(record_.turns),
        "findings": len(report.findings),
        "findings_with_hash": len(with_hash.findings),
    }


@pytest.mark.parametrize("name", of_kind("export"))
def test_an_export_is_verified(name: str) -> None:
    assert export_facts(DATA / name) == expected_facts(name)


@pytest.mark.parametrize("name", of_kind("export"))
def test_an_export_is_verified_by_the_command_line(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    laserboard, expected = Laserboard(capsys), expected_facts(name)
    ran = laserboard("games", "verify", str(DATA / name), "--head", expected["last_hash"][:16])
    assert ran.status == (1 if expected["findings"] else 0), ran
    assert ran.out.count("wrong:") == expected["findings"]


@pytest.mark.parametrize("name", of_kind("score sheet"))
def test_a_score_sheet_shows_its_hash(name: str) -> None:
    expected = expected_facts(name)
    text = (DATA / name).read_text("utf-8")
    assert expected["last_hash"][:16] in text
    assert digest(text) == expected["sha256"]


@pytest.mark.parametrize("name", of_kind("score sheet"))
def test_a_score_sheet_is_derived_from_its_journal(name: str) -> None:
    """To the byte, with the words of its edition, such as `counts no more`."""
    entries = recover((GAMES / Path(name).name).with_suffix(".journal").read_bytes()).entries
    sheet = derived_files(entries, replay(entries), edition=2)["sheet.html"]
    assert sheet == (DATA / name).read_bytes()


# -- boards and lenses -------------------------------------------------------------------------


def board_facts(path: Path) -> Facts:
    file = load_board_file(str(path))
    leds = file.leds
    assert leds is None or isinstance(leds, LedSettings)
    text = write_board(
        file.board,
        file.camera,
        leds,
        file.buttons,
        file.speaker,
        file.play,
        file.referee,
        file.event,
    )
    return {
        "name": file.board.name,
        "cells": file.board.grid.size,
        "leds": None if leds is None else sum(strip.count for strip in leds.strips),
        "written": text.replace(f"{path.parent}/", "").splitlines(),
    }


@pytest.mark.parametrize("name", of_kind("board"))
def test_a_board_file_has_the_same_settings(name: str, tmp_path: Path) -> None:
    assert board_facts(DATA / name) == expected_facts(name)
    anew = tmp_path / Path(name).name
    anew.write_text("\n".join(expected_facts(name)["written"]) + "\n", "utf-8")
    assert board_facts(anew)["written"] == expected_facts(name)["written"]


def lens_facts(path: Path) -> Facts:
    lens = load_lens(str(path))
    return as_json(
        {
            "focal": lens.focal,
            "centre": lens.centre,
            "distortion": lens.distortion,
            "calibrated": lens.calibrated,
        }
    )


@pytest.mark.parametrize("name", of_kind("lens"))
def test_a_lens_file_is_read(name: str) -> None:
    assert lens_facts(DATA / name) == expected_facts(name)


# -- puzzles -----------------------------------------------------------------------------------


def puzzle_file_facts(path: Path) -> Facts:
    book = read_puzzle_file(str(path))
    assert read_playable_puzzles(str(path)) == book.puzzles
    return {
        "game": book.game,
        "seed": book.seed,
        "games": book.games_played,
        "puzzles": [
            [each.turns, each.rating, each.position, list(each.line), each.solver]
            for each in book.puzzles
        ],
        "written": digest(write_puzzle_book(book)),
    }


@pytest.mark.parametrize("name", of_kind("puzzles"))
def test_a_puzzle_file_is_read(name: str) -> None:
    assert puzzle_file_facts(DATA / name) == expected_facts(name)
    assert digest((DATA / name).read_bytes()) == expected_facts(name)["written"]


def progress_facts(path: Path) -> Facts:
    progress = load_progress(path)
    tried = {at: [each.tries, each.solved_at] for at, each in progress.tries_by_position.items()}
    return {"tried": tried, "written": digest(progress.to_text())}


@pytest.mark.parametrize("name", of_kind("puzzle progress"))
def test_solved_puzzles_stay_solved(name: str) -> None:
    assert progress_facts(DATA / name) == expected_facts(name)
    assert digest((DATA / name).read_bytes()) == expected_facts(name)["written"]


# -- logins ------------------------------------------------------------------------------------


def copy_private(path: Path, folder: Path) -> Path:
    """Copy a file with mode 0600: the login store refuses others, and Git does not keep modes."""
    copy = folder / path.name
    shutil.copyfile(path, copy)
    copy.chmod(0o600)
    return copy


def login_facts(path: Path, day: int, cookies: dict[str, str]) -> Facts:
    """The user that each cookie authenticates."""
    auth = Auth(ManualClock(), day, path, "another key", "314159")

    async def known() -> Facts:
        found = {}
        for name, cookie in cookies.items():
            user = await auth.authenticate(cookie, "127.0.0.1")
            found[name] = None if user is None else [user.id, user.role.value, user.seat]
        return found

    return {"day": day, "cookies": cookies, "users": asyncio.run(known())}


@pytest.mark.parametrize("name", of_kind("logins"))
def test_a_cookie_authenticates_its_user(name: str, tmp_path: Path) -> None:
    expected, copy = expected_facts(name), copy_private(DATA / name, tmp_path)
    assert login_facts(copy, expected["day"], expected["cookies"]) == expected
    wrong = {name: f"{cookie[:-1]}!" for name, cookie in expected["cookies"].items()}
    expired_day = expected["day"] + SESSION_DAYS + 1
    for day, cookies in ((expected["day"], wrong), (expired_day, expected["cookies"])):
        found = login_facts(copy, day, cookies)["users"]
        assert set(found.values()) == {None}


# -- tournaments -------------------------------------------------------------------------------


def outbox_facts(path: Path) -> Facts:
    recovered = recover(path.read_bytes())
    outbox = read_outbox(recovered.entries)
    return as_json(
        {
            "entries": len(recovered.entries),
            "last_hash": recovered.entries[-1].hash,
            "results": _results(outbox),
            "unsent": outbox.unsent_count,
        }
    )


def _results(outbox: Outbox) -> list[Facts]:
    return [{**_result(each.result), "sent": each.sent} for each in outbox.results.values()]


def _result(result: GameResult) -> Facts:
    names = ("round", "table", "game_id", "game", "players", "sides", "result", "reason", "turns")
    later_names = ("last_hash", "entries", "awaiting")
    found = {name: getattr(result, name) for name in (*names, *later_names)}
    found |= {"reason": str(result.reason or ""), "awaiting": [*map(str, result.awaiting)]}
    again = next(read_games(result.record))
    assert isinstance(again, Record)
    assert len(again.turns) == result.turns
    return found


@pytest.mark.parametrize("name", of_kind("outbox"))
def test_an_outbox_keeps_its_results(name: str, tmp_path: Path) -> None:
    expected = expected_facts(name)
    assert outbox_facts(DATA / name) == expected
    copy = shutil.copyfile(DATA / name, tmp_path / Path(name).name)
    opened = OutboxFile(copy, ManualClock())
    opened.close()
    assert not opened.remarks
    assert as_json({"results": _results(opened.outbox)})["results"] == expected["results"]
    assert copy.read_bytes() == (DATA / name).read_bytes()


def tournament_facts(path: Path, players: Path) -> Facts:
    memory = OutboxFile(path, ManualClock(), 5_000)
    names = read_players(players.read_text("utf-8"), str(players))
    subscriber = TournamentSubscriber("Club night", names, "", ManualClock(), memory)
    shown = tournament_json(subscriber.view(), 0.0)
    subscriber.close()
    for game in (game for each in shown["rounds"] for game in each["games"]):
        for name in ("reason", "remark"):
            game[name] = "" if game[name] is None else game[name]["text"]
    return as_json({key: shown[key] for key in ("rounds", "standings", "games")})


def test_a_tournament_keeps_its_results(tmp_path: Path) -> None:
    name = "laserboard/hall/Club%20night.results"
    copy = shutil.copyfile(DATA / name, tmp_path / "Club%20night.results")
    found = tournament_facts(copy, DATA / "hall" / "players.txt")
    assert found == EXPECTED["together"]["tournament"]


def event_zip_facts(path: Path) -> Facts:
    with zipfile.ZipFile(path) as archive:
        heads = json.loads(archive.read("heads.json"))
        texts = {
            name: archive.read(name).decode("utf-8")
            for name in archive.namelist()
            if name.startswith("games/")
        }
    found = {}
    for name, text in texts.items():
        record_ = next(read_games(text))
        assert isinstance(record_, Record)
        found[name] = [record_.game, record_.result, len(list(play(record_)))]
    return {"heads": heads, "games": found}


@pytest.mark.parametrize("name", of_kind("games of an event"))
def test_all_games_of_an_event_are_read(name: str) -> None:
    assert event_zip_facts(DATA / name) == expected_facts(name)


@pytest.mark.parametrize("name", of_kind("players"))
def test_a_list_of_players_is_read(name: str) -> None:
    path = DATA / name
    assert list(read_players(path.read_text("utf-8"), name)) == expected_facts(name)["players"]


# -- resumed work ------------------------------------------------------------------------------


def soak_facts(path: Path) -> Facts:
    stored = json.loads(path.read_text("utf-8"))
    plan = SoakPlan(**{**stored["plan"], "games": tuple(stored["plan"]["games"])})
    results = read_results(path.parent, plan)
    assert all(each.passed for each in results)
    return {
        "games": list(plan.games),
        "finished": [[each.number, each.game, each.turns, each.outcome] for each in results],
    }


@pytest.mark.parametrize("name", of_kind("soak"))
def test_a_soak_reads_its_finished_games(name: str) -> None:
    assert soak_facts(DATA / name) == expected_facts(name)


def test_a_soak_resumes_in_its_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    shutil.copytree(DATA / "soak", tmp_path / "soak")
    before = (tmp_path / "soak" / "soak.json").read_bytes()
    ran = Laserboard(capsys)(*EXPECTED["together"]["soak_command"], str(tmp_path / "soak"))
    assert ran.status == 0, ran
    assert "3 games are finished already" in ran.err
    assert (tmp_path / "soak" / "soak.json").read_bytes() == before


@pytest.mark.parametrize("name", list(EXPECTED["together"]["match_commands"]))
def test_a_match_resumes_from_its_records(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    shutil.copytree(DATA / "match", tmp_path / "match")
    expected = EXPECTED["together"]["match_commands"][name]
    ran = Laserboard(capsys)(*expected["command"], str(tmp_path / name))
    assert ran.status == 0, ran
    assert f"{expected['games']} of {expected['games']} games are played already" in ran.err
    for path in sorted((DATA / "match").rglob("*.*")):
        assert (tmp_path / path.relative_to(DATA)).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("name", of_kind("puzzles"))
def test_a_puzzle_search_resumes_in_its_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    copy = shutil.copyfile(DATA / name, tmp_path / "made.json")
    expected = EXPECTED["together"]["puzzle_commands"][name]
    assert Laserboard(capsys)(*expected, str(copy)).status == 0
    assert copy.read_bytes() == (DATA / name).read_bytes()


def self_play_facts(path: Path) -> Facts:
    played = load_games(path)
    numbers_in_use = _evaluation("laser-chess")
    by = digest(repr(numbers_in_use.parameters()))[:8]
    return {
        "numbers": [each.number for each in played],
        "results": [each.result for each in played],
        "positions": sum(len(each.positions) for each in played),
        "first": list(played[0].positions[0]),
        "played_by_the_numbers_in_use": path.stem.endswith(by),
    }


def _evaluation(name: str) -> Any:
    game = games.make(name)
    assert isinstance(game, TurnBased)
    return game.evaluation()


@pytest.mark.parametrize("name", of_kind("self-play"))
def test_self_play_games_are_read(name: str) -> None:
    assert self_play_facts(DATA / name) == expected_facts(name)


def parameter_facts(path: Path) -> Facts:
    """The parameters of a file, as the engine reads them from its own data."""
    patch = pytest.MonkeyPatch()
    caches = (evaluation.load_parameters, evaluation.feature_weights, evaluation.piece_values)
    try:
        patch.setattr(evaluation, "PARAMETERS_FILE", path)
        for each in caches:
            each.cache_clear()
        numbers_in_use = _evaluation("laser-chess")
        found = list(numbers_in_use.parameters())
        run = json.loads(path.read_text("utf-8"))
        return {
            "numbers": len(found),
            "sum": sum(found),
            "features": list(evaluation.feature_weights()),
            "worth": digest(repr(evaluation.piece_values())),
            "keys": sorted(run),
        }
    finally:
        patch.undo()
        for each in caches:
            each.cache_clear()


@pytest.mark.parametrize("name", of_kind("evaluation parameters"))
def test_tuned_parameters_are_read(name: str) -> None:
    assert parameter_facts(DATA / name) == expected_facts(name)


# -- scripts -----------------------------------------------------------------------------------


def script_facts(path: Path) -> Facts:
    script = read_script(path.read_text("utf-8"), path.name)
    return {
        "settings": dict(script.settings),
        "lines": [str(line) for line in script.lines],
        "expectations": sum(line.is_expectation for line in script.lines),
    }


@pytest.mark.parametrize("name", of_kind("script"))
def test_a_script_is_read(name: str) -> None:
    assert script_facts(DATA / name) == expected_facts(name)


# -- a user's data folder ----------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of a user of version 0.1 who has upgraded."""
    shutil.copytree(DATA / "laserboard", tmp_path / "laserboard")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "laserboard"


def test_all_games_are_listed_and_verified(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    laserboard, together = Laserboard(capsys), EXPECTED["together"]
    assert len(list_journals(home / "games")) == len(together["games_list"])
    assert laserboard.prints("games", "list", "--all").splitlines() == together["games_list"]
    ran = laserboard("games", "verify")
    assert (ran.status, ran.lines) == (1, together["games_verify"])
    listed = laserboard("puzzles", "list").out.splitlines()
    assert [line for line in listed if line.startswith("[x]")] == together["puzzles_solved"]


@pytest.mark.parametrize("name", list(EXPECTED["together"]["games_show"]))
def test_a_game_is_shown_completely(
    capsys: pytest.CaptureFixture[str], home: Path, name: str
) -> None:
    """`games show --json` has all turns and beams."""
    path = home / "games" / f"{name}.journal"
    ran = Laserboard(capsys)("games", "show", str(path), "--json")
    shown = json.loads(ran.out)
    assert shown.pop("file") == str(path)
    expected = EXPECTED["together"]["games_show"][name]
    assert ran.status == expected["status"]
    assert len(shown["turns"]) == expected["turns"]
    assert shown["outcome"] == expected["outcome"]
    assert digest(json.dumps(shown, sort_keys=True)) == expected["sha256"]


@pytest.mark.parametrize(
    "name", ["lc-two-computers", "photon-two-computers", "ships-two-computers"]
)
def test_a_game_resumes_at_its_last_turn(
    capsys: pytest.CaptureFixture[str], home: Path, name: str
) -> None:
    path = home / "games" / f"{name}.journal"
    before = recover(path.read_bytes()).entries
    how = ("--turns", "1", "--fast", "--leds", "memory://")
    ran = Laserboard(capsys)("simulate", "--resume", name, *how)
    assert ran.status == 0, ran
    assert load_game(path).damage is None
    after = recover(path.read_bytes()).entries
    assert after[: len(before)] == before
    assert len(after) == len(before) + 1


# -- coverage ----------------------------------------------------------------------------------


def test_every_file_is_covered() -> None:
    there = {path.relative_to(DATA).as_posix() for path in DATA.rglob("*") if path.is_file()}
    assert there - set(DESCRIPTIONS) == set(FILES)


def test_every_kind_has_a_test() -> None:
    kinds = {file["kind"] for file in FILES.values()}
    assert kinds == set(FACTS) | {"torn tail", "score sheet"}
    for name, file in FILES.items():
        assert file["facts"], name


FACTS = {
    "journal": journal_facts,
    "image": image_facts,
    "reading": reading_facts,
    "record": record_facts,
    "export": export_facts,
    "board": board_facts,
    "lens": lens_facts,
    "puzzles": puzzle_file_facts,
    "puzzle progress": progress_facts,
    "logins": login_facts,
    "outbox": outbox_facts,
    "games of an event": event_zip_facts,
    "players": read_players,
    "soak": soak_facts,
    "self-play": self_play_facts,
    "evaluation parameters": parameter_facts,
    "script": script_facts,
}
