"""The page analyses finished games: one at a time, for every role, and not during a game."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.devices.factory.clocks import system_clock
from controller.devices.factory.inputs import open_in_process_player
from controller.ports.devices import MoveChooser, MoveQuestion
from controller.ports.events import PlayerEvent, PlayerFailed
from controller.session.sentences import AGREED
from controller.session.state import Phase
from controller.ui.web import analysis_service, sentences
from controller.ui.web.game_view import GameView
from controller.ui.web.page_server import PageServer, PageSettings
from engine.catalogue import NOT_ANALYSABLE
from engine.game import Outcome
from engine.sentences import Sentence, plain, read_sentence
from tests.support.play.stored_games import TURNS, store_game
from tests.support.web.page_examples import moment
from tests.support.web.served_page import DAY, KEY, MAX_S, PIN, ServedPage


def over() -> GameView:
    """A finished game."""
    found = moment("laser-chess")
    session = replace(found.session, phase=Phase.OVER, outcome=Outcome.draw(AGREED()))
    return replace(found, session=session)


def fresh() -> GameView:
    """A game before its first turn."""
    found = moment("laser-chess")
    return replace(found, session=replace(found.session, history=()))


class QuickPlayer:
    """A player that searches for 1 ms. It returns no event until `may` is set."""

    name = "a quick player"

    def __init__(self, allowed: threading.Event) -> None:
        self._may, self._inner = allowed, open_in_process_player(system_clock())
        self.closed = False

    def think(self, question: MoveQuestion) -> int:
        return self._inner.think(replace(question, time_limit_s=0.001))

    def stop(self) -> None:
        self._inner.stop()

    def events(self) -> list[PlayerEvent]:
        return self._inner.events() if self._may.is_set() else []

    def close(self) -> None:
        self.closed = True


class BrokenPlayer(QuickPlayer):
    def events(self) -> list[PlayerEvent]:
        return [PlayerFailed(1, plain("it fell asleep"), 0.0)]


class DefectivePlayer(QuickPlayer):
    def events(self) -> list[PlayerEvent]:
        raise ZeroDivisionError


class AnalysisPage:
    """A page whose player returns no event until `may` is set."""

    def __init__(self, kind: type[QuickPlayer] = QuickPlayer) -> None:
        self.allowed = threading.Event()
        self.players: list[QuickPlayer] = []
        self.page = PageServer(
            PageSettings(KEY, 0, PIN, DAY, None), system_clock(), open_player=self._player(kind)
        )
        self.served = ServedPage(self.page)
        self.referee = self.served.log_in(key=KEY)
        self.one, self.other = self.served.log_in(pin=PIN), self.served.log_in(pin=PIN)

    def _player(self, kind: type[QuickPlayer]) -> Any:
        def opened() -> MoveChooser:
            self.players.append(kind(self.allowed))
            return self.players[-1]

        return opened

    def post(self, name: str, what: str, cookie: str) -> tuple[int, Sentence | None]:
        answer = self.served.post(f"/games/{name}/{what}", {}, cookie=cookie)
        return answer.status, answer.error if "error" in answer.json else None

    def reported(self, name: str, after: int = 0) -> Any:
        path = f"/games/{name}/analysis.json?after={after}"
        return self.served.ask(path, cookie=self.one).json

    def until(self, name: str, state: str) -> Any:
        end_s = time.monotonic() + MAX_S
        while time.monotonic() < end_s:
            found = self.reported(name)
            if found.get("state") == state:
                return found
        raise AssertionError(f"it never was {state}: {found}")


@contextmanager
def opened(now: GameView | None, kind: type[QuickPlayer] = QuickPlayer) -> Iterator[AnalysisPage]:
    analysis = AnalysisPage(kind)
    try:
        if now is not None:
            analysis.page.publish(now)
            with analysis.served.socket(
                analysis.one
            ) as socket:  # the page has the game when the socket has its state
                socket.until(lambda: socket.model)
        yield analysis
    finally:
        analysis.page.close()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.parametrize("game", ["laser-chess", "photon"])
@pytest.mark.parametrize(
    "now",
    [None, *(pytest.param(each, marks=pytest.mark.slow) for each in (over(), fresh()))],
    ids=["no game", "over", "fresh"],
)
def test_a_game_is_analysed_turn_by_turn(game: str, now: GameView | None) -> None:
    with opened(now) as analysis:
        name = store_game(game)
        assert analysis.reported(name)["state"] == "none"
        analysis.allowed.set()
        assert analysis.post(name, "analyse", analysis.one) == (200, None)
        found = analysis.until(name, "done")
        assert [turn["turn"] for turn in found["turns"]] == list(range(1, found["total"] + 1))
        assert [each["player"] for each in found["summary"]] == [0, 1]
        for turn in found["turns"]:
            assert 0 <= turn["share"] <= 1
            assert bool(turn["sign"]) == bool(turn["remark"]) == bool(turn["best"])
        assert analysis.reported(name, after=4)["turns"] == found["turns"][4:]
        assert analysis.post(name, "analyse", analysis.other) == (200, None), "it is done already"
        assert len(analysis.players) == 1


def test_nothing_is_analysed_or_reported_during_a_game() -> None:
    with opened(moment("laser-chess")) as analysis:
        name = store_game("laser-chess")
        for cookie in (analysis.one, analysis.referee):
            status, sentence = analysis.post(name, "analyse", cookie)
            assert (status, sentence) == (403, sentences.GAME_IN_PROGRESS())
        answer = analysis.served.ask(f"/games/{name}/analysis.json", cookie=analysis.referee)
        assert answer.status == 403
        assert analysis.players == []


def test_the_start_of_a_game_stops_and_hides_the_analysis() -> None:
    with opened(fresh()) as analysis:
        name = store_game("laser-chess")
        analysis.post(name, "analyse", analysis.one)
        analysis.page.publish(moment("laser-chess"))
        end_s = time.monotonic() + MAX_S
        while not (analysis.players and analysis.players[0].closed):
            assert time.monotonic() < end_s
        assert read_sentence(analysis.reported(name)["error"]) == sentences.GAME_IN_PROGRESS()
        analysis.page.publish(over())
        found = analysis.until(name, "stopped")
        assert read_sentence(found["sentence"]) == sentences.GAME_IN_PROGRESS()


def test_only_one_analysis_runs_at_a_time() -> None:
    with opened(None) as analysis:
        first, second = store_game("laser-chess"), store_game("photon")
        for _ in range(30):
            assert analysis.post(first, "analyse", analysis.one) == (200, None)
            assert analysis.post(second, "analyse", analysis.other) == (
                403,
                sentences.ANALYSIS_RUNNING(),
            )
        assert len(analysis.players) == 1
        assert analysis.post(second, "analyse", analysis.referee) == (200, None)
        assert analysis.reported(first)["state"] == "stopped"
        assert analysis.players[0].closed
        analysis.allowed.set()
        analysis.until(second, "done")
        assert len(analysis.players) == 2


def test_repeated_starts_are_rate_limited() -> None:
    with opened(None) as analysis:
        name = store_game("laser-chess")
        answers = []
        for _ in range(3 * analysis_service.BURST):
            answers.append(analysis.post(name, "analyse", analysis.one)[0])
            analysis.post(name, "stop", analysis.one)
        assert answers[: analysis_service.BURST] == [200] * analysis_service.BURST
        assert set(answers[analysis_service.BURST :]) <= {200, 429}
        assert answers.count(200) <= analysis_service.BURST + 1
        assert len(analysis.players) <= analysis_service.BURST + 1


def test_only_its_starter_or_the_referee_may_stop_an_analysis() -> None:
    with opened(None) as analysis:
        name = store_game("laser-chess")
        analysis.post(name, "analyse", analysis.one)
        assert analysis.post(name, "stop", analysis.other) == (403, sentences.NOT_YOUR_ANALYSIS())
        assert analysis.reported(name)["state"] == "running"
        assert analysis.post(name, "stop", analysis.one) == (200, None)
        assert analysis.reported(name)["state"] == "stopped"
        analysis.post(name, "analyse", analysis.one)
        assert analysis.post(name, "stop", analysis.referee) == (200, None)
        analysis.allowed.set()
        analysis.post(name, "analyse", analysis.other)
        assert analysis.until(name, "done")["evaluated"] == TURNS


def test_a_player_that_is_stopped_while_it_opens_is_closed() -> None:
    begun = threading.Event()

    class SlowToOpen(QuickPlayer):
        def __init__(self, allowed: threading.Event) -> None:
            super().__init__(allowed)
            begun.set()
            allowed.wait(MAX_S)

    with opened(None, SlowToOpen) as analysis:
        name = store_game("laser-chess")
        analysis.post(name, "analyse", analysis.one)
        assert begun.wait(MAX_S)
        stopping = threading.Thread(target=analysis.post, args=(name, "stop", analysis.one))
        stopping.start()
        analysis.until(name, "stopped")
        analysis.allowed.set()
        stopping.join(MAX_S)
        assert [each.closed for each in analysis.players] == [True]
        assert read_sentence(analysis.reported(name)["sentence"]) == sentences.ANALYSIS_STOPPED()


def test_starting_an_analysis_needs_a_login_and_the_own_origin() -> None:
    with opened(None) as analysis:
        name = store_game("laser-chess")
        assert analysis.served.post(f"/games/{name}/analyse", {}).status == 401
        elsewhere = analysis.served.post(
            f"/games/{name}/analyse", {}, cookie=analysis.one, origin="http://elsewhere"
        )
        assert elsewhere.status == 403
        assert analysis.served.ask(f"/games/{name}/analyse", cookie=analysis.one).status == 405
        assert analysis.players == []


def test_a_game_that_cannot_be_analysed_is_refused_with_the_reason() -> None:
    with opened(None) as analysis:
        status, sentence = analysis.post(store_game("spaceships"), "analyse", analysis.one)
        assert status == 404
        assert sentence == NOT_ANALYSABLE(game="Spaceships")
        assert analysis.post("2026-03-01-99", "analyse", analysis.one)[0] == 404
        answer = analysis.served.ask(
            f"/games/{store_game('photon')}/analysis.json?after=x", cookie=analysis.one
        )
        assert answer.status == 400


def test_a_failed_player_is_reported_and_can_be_restarted() -> None:
    with opened(None, BrokenPlayer) as analysis:
        name = store_game("laser-chess")
        analysis.post(name, "analyse", analysis.one)
        found = analysis.until(name, "failed")
        assert read_sentence(found["sentence"]) == plain("it fell asleep")
        assert analysis.players[0].closed
        analysis.post(name, "analyse", analysis.one)
        analysis.until(name, "failed")
        assert len(analysis.players) == 2


def test_a_defect_ends_the_analysis_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with opened(None, DefectivePlayer) as analysis:
        name = store_game("laser-chess")
        analysis.post(name, "analyse", analysis.one)
        found = analysis.until(name, "failed")
        defect = sentences.PROGRAM_DEFECT(error="ZeroDivisionError")
        assert read_sentence(found["sentence"]) == defect
        assert any(each.exc_info for each in caplog.records)
        assert analysis.players[0].closed


def test_a_continued_game_is_analysed_again(tmp_path: Path) -> None:
    with opened(None) as analysis:
        analysis.allowed.set()
        name = store_game("laser-chess")
        analysis.post(name, "analyse", analysis.one)
        analysis.until(name, "done")
        path = tmp_path / "laserboard" / "games" / f"{name}.journal"
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:3]))
        assert analysis.reported(name) == {
            "state": "none",
            "sentence": None,
            "total": 2,
            "turns": [],
        }


def test_a_page_without_a_computer_player_refuses_analysis() -> None:
    page = PageServer(PageSettings(KEY, 0, None, DAY, None), system_clock())
    try:
        answer = ServedPage(page).post(f"/games/{store_game('photon')}/analyse", {})
        assert (answer.status, answer.error) == (403, sentences.NO_COMPUTER_PLAYER())
    finally:
        page.close()
