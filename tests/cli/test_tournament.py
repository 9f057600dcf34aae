"""`laserboard tournament` on the command line, and games that are part of an event."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from controller.session.journal import format_entries, recover
from controller.session.referee.policy import RefereePolicies
from controller.session.replay import replay
from controller.session.setup import TournamentEntry
from controller.tournament import topics
from tests.support.cli import Laserboard
from tests.support.play.refereed_play import Refereed
from tests.support.tournament.message_examples import EVENT, result, sent, tournament_entry
from tests.support.tournament.published_boards import Board
from tests.support.tournament.recording_broker import Broker, broker, until

FAST = ("--blue", "computer:1", "--red", "computer:1", "--fast", "--leds", "memory://")


@pytest.fixture
def laserboard(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Laserboard:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("LASERBOARD_BROKER_PASSWORD", raising=False)
    monkeypatch.chdir(tmp_path)
    return Laserboard(capsys)


def unreachable_broker() -> str:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return f"mqtt://127.0.0.1:{taken.getsockname()[1]}"


def overview(mqtt_broker: Broker, *more: str) -> tuple[str, ...]:
    return ("tournament", "--event", EVENT, "--broker", mqtt_broker.url, "--once", *more)


def test_without_a_broker_one_sentence_gives_advice(laserboard: Laserboard) -> None:
    assert "no broker is named: give --broker mqtt://" in laserboard.refuses(
        "tournament", "--event", EVENT
    )


def test_an_unreachable_broker_is_reported_and_stored_results_are_printed(
    laserboard: Laserboard,
) -> None:
    with broker() as mqtt_broker:
        mqtt_broker.publish(*sent("result", result()), retain=True)
        assert laserboard(*overview(mqtt_broker)).status == 0
    ran = laserboard("tournament", "--event", EVENT, "--broker", unreachable_broker(), "--once")
    assert ran.status == 1
    assert "Ada - Grace  1-0" in ran.out
    assert ran.err.count("\n") == 1
    assert "no broker answers at mqtt://127.0.0.1" in ran.err


def test_a_wrong_password_is_one_sentence(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LASERBOARD_BROKER_PASSWORD", "wr0ng")
    with broker(user="club", password="right") as mqtt_broker:
        ran = laserboard(*overview(mqtt_broker))
    assert ran.status == 1
    assert "rejects club: is the password right?" in ran.err
    assert "wr0ng" not in ran.out + ran.err


def test_the_broker_of_the_board_file_is_used(laserboard: Laserboard, tmp_path: Path) -> None:
    assert laserboard("init").status == 0
    with broker(user="club", password="s3cret") as mqtt_broker:
        secret = tmp_path / "secret"
        secret.write_text("s3cret\n")
        secret.chmod(0o600)
        with Path("laserboard.yaml").open("a") as file:
            file.write(f"event:\n  broker: {mqtt_broker.url}\n  password_file: secret\n")
        assert "no board has sent a message yet" in laserboard.prints(
            "tournament", "--event", EVENT, "--once"
        )


def test_standings_as_json(laserboard: Laserboard, tmp_path: Path) -> None:
    (tmp_path / "players.txt").write_text("Ada\nGrace\nJürgen 🎉\n", "utf-8")
    with broker() as mqtt_broker:
        mqtt_broker.publish(*sent("result", result()), retain=True)
        report = json.loads(
            laserboard.prints(*overview(mqtt_broker, "--json", "--players", "players.txt"))
        )
    assert [row["name"] for row in report["standings"]] == ["Ada", "Grace", "Jürgen 🎉"]
    assert len(report["rounds"]) == 3


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--round", "2"), "--round needs --event NAME"),
        (("--table", "2"), "--table needs --event NAME"),
        (("--broker", "mqtt://x"), "--broker needs --event NAME"),
        (("--event", "x", "--round", "0"), "'0' is not a number from 1 to 9999"),
        (("--event", " "), "is not the name of an event"),
        (("--event", "x", "--broker", "mqtt://a:s3cret@x"), "does not belong in a URL"),
        (("--event", "x", "--broker", "mqtt://a@x", "--password-file", "no"), "cannot read"),
        (("--names", "Ada", ""), "--names: '' is not a name"),
    ],
)
def test_invalid_event_options_are_refused(
    laserboard: Laserboard, arguments: tuple[str, ...], complaint: str
) -> None:
    error = laserboard.refuses("simulate", *FAST, *arguments)
    assert complaint in error
    assert "s3cret" not in error


def test_a_simulated_game_is_published_also_after_resuming(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    where = ("--event", EVENT, "--round", "2", "--table", "3", "--names", "Ada", "Bob")
    with broker() as mqtt_broker:

        def newest_state() -> Any:
            """The newest retained state. The broker may store it only after the game has ended."""
            return json.loads(
                mqtt_broker.retained.get(topics.state_topic(TournamentEntry(EVENT, 2, 3)), b"{}")
            )

        ran = laserboard("simulate", *FAST, "--turns", "1", *where, "--broker", mqtt_broker.url)
        assert ran.status == 0, ran
        assert f"{mqtt_broker.url}: connected" in ran.out
        until(lambda: newest_state().get("turns") == 1)
        assert newest_state()["players"] == ["Ada", "Bob"]
        mqtt_broker.retained.clear()
        journals = sorted((tmp_path / "data").rglob("*.journal"))
        ran = laserboard(
            *("simulate", "--resume", str(journals[0]), "--fast", "--turns", "1"),
            *("--leds", "memory://", "--broker", mqtt_broker.url),
        )
        assert ran.status == 0, ran
        until(lambda: newest_state().get("turns") == 2)
    played = replay(recover(journals[0].read_bytes()).entries)
    assert played.setup.tournament_entry == TournamentEntry(EVENT, 2, 3)
    refused = laserboard.refuses(
        "simulate", "--resume", str(journals[0]), "--fast", "--event", "Another"
    )
    assert "--resume and --event: a resumed game keeps its settings" in refused


def test_an_event_needs_no_broker(laserboard: Laserboard, tmp_path: Path) -> None:
    ran = laserboard("simulate", *FAST, "--turns", "1", "--event", EVENT)
    assert ran.status == 0, ran
    (journal,) = (tmp_path / "data").rglob("*.journal")
    assert replay(recover(journal.read_bytes()).entries).setup.tournament_entry == TournamentEntry(
        EVENT, 1, 1
    )


def test_publish_sends_queued_results(laserboard: Laserboard, tmp_path: Path) -> None:
    refused = laserboard.refuses(
        "tournament", "publish", "--event", EVENT, "--broker", unreachable_broker()
    )
    assert "that has ended is stored in" in refused
    board = Board(tmp_path / "data" / "laserboard", unreachable_broker())
    board.finish()
    board.close()
    assert "is it running?" in laserboard.refuses(
        "tournament", "publish", "--event", EVENT, "--broker", unreachable_broker()
    )
    with broker() as mqtt_broker:
        printed = laserboard.prints(
            "tournament", "publish", "--event", EVENT, "--broker", mqtt_broker.url
        )
        assert printed == f"1 result of {EVENT} sent\n"
        until(lambda: topics.result_topic(tournament_entry()) in mqtt_broker.retained)


def test_publish_lists_unconfirmed_and_withdrawn_results(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    folder = tmp_path / "data" / "laserboard"
    board = Board(folder, unreachable_broker())
    board.finish()
    board.withdraws()
    board.close()
    table = Refereed(RefereePolicies(), tournament_entry=tournament_entry(2))
    table.does("blue resigns")
    table.does("red presses fire")
    (folder / "games" / "2026-03-01-7.journal").write_bytes(format_entries(table.entries()))
    with broker() as mqtt_broker:
        lines = laserboard.prints(
            "tournament", "publish", "--event", EVENT, "--broker", mqtt_broker.url
        ).splitlines()
        assert lines[0] == f"2 results of {EVENT} sent"
        assert sorted(lines[1:]) == [
            "round 1, table 1: its result was withdrawn, and the game is not over",
            "round 1, table 2: 0-1 waits for blue before it counts",
        ]
        until(lambda: len(mqtt_broker.retained) == 2)
        waits = json.loads(mqtt_broker.retained[topics.result_topic(tournament_entry(2))])["waits"]
        assert waits == ["blue"]
