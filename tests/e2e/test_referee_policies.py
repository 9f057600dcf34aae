"""Every law at a simulated table: `laserboard referee --simulate` with a board file that says who
judges, hands that do it before the real reader, and what comes of it on the page and in the record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from controller.session.journal import recover
from controller.session.referee.policy import Incident, Policy
from controller.session.replay import replay
from controller.ui.web.page_server import PageServer
from hardware import boards
from tests.e2e.conftest import Start
from tests.support.play.refereed_play import KING
from tests.support.play.table_play import DUEL
from tests.support.web.browser import Program
from tests.support.web.served_page import Served, Socket

pytestmark = pytest.mark.slow
TO_AND_FRO = ("j4j3", "e7e8", "j3j4", "e8e7") * 2
TWO_MINUTES_MS = 120_000
MOST_PRESSES = 20
FIRST_OF_ALL = 1_000_000  # a number that no single command has


class Seen:
    """The page of a running table, and the referee at it."""

    def __init__(self, page: Socket) -> None:
        self.page = page

    @property
    def model(self) -> dict[str, Any]:
        return self.page.model

    @property
    def phase(self) -> str:
        return str(self.model["table"]["phase"])

    @property
    def proposals(self) -> list[dict[str, Any]]:
        return list(self.model["referee"]["proposals"])

    @property
    def reported(self) -> list[str]:
        """What the record tells, turns aside."""
        rows = self.model["journal"]["rows"] if self.model["journal"] else []
        return [row["kind"] for row in rows if row["kind"] != "turn"]

    def does(self, command: str, **reported: Any) -> None:
        answer = self.page.do(command, **reported)
        assert answer["ok"], (command, reported, answer["sentence"])

    def does_all(self, *commands: dict[str, Any]) -> None:
        """Asks for everything before any of it is done."""
        for number, command in enumerate(commands, start=FIRST_OF_ALL):
            self.page.line.send(json.dumps({"id": number, **command}))
        for number, command in enumerate(commands, start=FIRST_OF_ALL):
            answer = self.page.answer(number)
            assert answer["ok"], (command, answer["sentence"])

    def begins(self) -> None:
        self.page.until(lambda: self.model.get("legal_moves") and self.phase == "turn")

    def place(self, cell: str) -> tuple[float, float]:
        places = {name: (x, y) for name, x, y in self.model["game"]["grid"]["cells"]}
        return places[cell]

    def thing(self, cell: str) -> int | None:
        """What really stands there, whether the camera sees it or not."""
        x, y = self.place(cell)
        for each in self.model["objects"]:
            if abs(each["x"] - x) < 0.3 and abs(each["y"] - y) < 0.3:
                return int(each["object"])
        return None

    def carried(self, source: str, target: str, degrees: float = 0.0) -> None:
        """By a hand that knows no rules."""
        x, y = self.place(target)
        self.does("drag", object=self.thing(source), x=x, y=y, degrees=degrees)

    def plays(self, *moves: str) -> None:
        for number, move in enumerate(moves, start=len(self.model["history"]) + 1):
            self.page.until(lambda: self.phase == "turn" and self.model["table"]["can_move"])
            self.makes(move)
            self.fires(number)

    def makes(self, move: str) -> None:
        """And waits until the camera has seen it."""
        self.does("move", text=move)
        self.page.until(lambda: self.model["table"]["guidance"].endswith("press fire"))

    def fires(self, number: int = 1) -> None:
        self.does("fire", player=self.model["board"]["to_move"][0])
        self.page.until(lambda: len(self.model["history"]) >= number)

    def rules(self, **ruling: Any) -> None:
        self.does("ruling", ruling=ruling)

    def accepts(self) -> None:
        self.rules(rule="accept", proposal=self.proposals[0]["number"])


# -- what happens ----------------------------------------------------------------------------------


def illegal_move(seen: Seen) -> None:
    seen.carried("j4", "j2")
    seen.page.until(lambda: seen.phase == "mismatch")
    seen.does("fire", player=0)


def ambiguous_read(seen: Seen) -> None:
    """A sleeve lies over the board as fire is pressed: three moves fit."""
    # The hands do one after the other; the table has no time to settle between.
    seen.does_all({"do": "move", "text": "j4j3"}, {"do": "cover_cell", "cell": "j4"})
    seen.page.until(lambda: seen.thing("j3") is not None and not seen.model["table"]["hands_busy"])
    for _ in range(MOST_PRESSES):  # until the camera has seen that something was moved
        seen.does("fire", player=0)
        for _ in range(3):
            seen.page.receive()
        if seen.phase != "turn":
            return


def mismatch(seen: Seen) -> None:
    seen.carried("c5", "c5", 90.0)
    seen.page.until(lambda: seen.phase == "mismatch")


def flag_fall(seen: Seen) -> None:
    assert seen.model["clocks"]["running"] == [0]  # and nobody does anything


def king_hit(seen: Seen) -> None:
    seen.makes("j6j7")
    seen.fires()


def repetition(seen: Seen) -> None:
    seen.plays(*TO_AND_FRO)


# -- what comes of it ------------------------------------------------------------------------------


def punished(seen: Seen) -> None:
    seen.page.until(lambda: "penalty" in seen.reported)
    assert seen.model["clocks"]["left_ms"][1] == 600_000 + TWO_MINUTES_MS
    assert not seen.proposals


def noted(seen: Seen) -> None:
    seen.page.until(lambda: "incident" in seen.reported)
    assert not seen.proposals
    assert seen.phase not in ("paused", "over")


def over(result: str, *reported: str) -> Callable[[Seen], None]:
    def ended(seen: Seen) -> None:
        seen.page.until(lambda: seen.phase == "over" and seen.reported[-1:] == ["result"])
        assert seen.model["table"]["outcome"]["result"] == result
        assert seen.reported == [*reported, "result"]

    return ended


def asked_of_the_player(*reported: str) -> Callable[[Seen], None]:
    def chosen(seen: Seen) -> None:
        seen.page.until(lambda: seen.phase == "confirming")
        choices = [each["words"] for each in seen.model["table"]["choices"]]
        wanted = next(n for n, words in enumerate(choices) if "j4 to j3" in words)
        seen.does("request", request="choose", choice=wanted)
        seen.page.until(lambda: seen.model["history"])
        seen.page.until(lambda: seen.reported == [*reported])
        assert seen.model["history"][0]["text"] == "j4j3"

    return chosen


def nothing(seen: Seen) -> None:
    """Longer than a table is amiss before that is told."""
    begun_ms = seen.model["clocks"]["at_ms"]
    for _ in range(5):  # a beat comes every two seconds
        seen.page.receive()
    assert seen.phase == "mismatch"
    assert (seen.reported, seen.proposals) == ([], []), begun_ms


def asked(about: Incident, then: Callable[[Seen], None]) -> Callable[[Seen], None]:
    def proposed(seen: Seen) -> None:
        seen.page.until(lambda: seen.proposals)
        assert [each["incident"] for each in seen.proposals] == [about.value]
        seen.page.until(lambda: seen.phase == "paused")
        assert seen.model["clocks"]["running"] == []
        seen.page.until(lambda: seen.proposals[0]["images"])
        then(seen)

    return proposed


def accepted(comes: Callable[[Seen], None]) -> Callable[[Seen], None]:
    def ruled(seen: Seen) -> None:
        seen.accepts()
        comes(seen)

    return ruled


def one_is_chosen(seen: Seen) -> None:
    proposal = seen.proposals[0]
    wanted = next(n for n, words in enumerate(proposal["choices"]) if "j4 to j3" in words)
    seen.rules(rule="accept", proposal=proposal["number"], choice=wanted)
    seen.page.until(lambda: seen.model["history"])
    assert seen.model["history"][0]["text"] == "j4j3"


def dismissed_and_put_right(seen: Seen) -> None:
    seen.rules(rule="dismiss", proposal=seen.proposals[0]["number"])
    seen.page.until(lambda: not seen.proposals)
    seen.does("reset_pieces")
    seen.page.until(lambda: seen.phase == "turn")
    assert seen.reported == ["matter", "ruling"]


def ended_by_ruling(result: str) -> Callable[[Seen], None]:
    def ended(seen: Seen) -> None:
        seen.page.until(lambda: seen.phase == "over" and seen.reported[-1:] == ["ruling"])
        assert seen.model["table"]["outcome"]["result"] == result
        assert seen.reported == ["matter", "result", "ruling"]

    return ended


H, P = Incident, Policy
BEFORE = {H.KING_HIT: ("--position", KING), H.FLAG_FALL: ("--clock", "12s")}
ACTS: dict[Incident, Callable[[Seen], None]] = {
    H.ILLEGAL_MOVE: illegal_move,
    H.AMBIGUOUS_READ: ambiguous_read,
    H.MISMATCH: mismatch,
    H.FLAG_FALL: flag_fall,
    H.KING_HIT: king_hit,
    H.REPETITION: repetition,
}
COMES: dict[tuple[Incident, Policy], Callable[[Seen], None]] = {
    (H.ILLEGAL_MOVE, P.ACCEPT): punished,
    (H.ILLEGAL_MOVE, P.PROPOSE): asked(H.ILLEGAL_MOVE, accepted(punished)),
    (H.ILLEGAL_MOVE, P.LOG): noted,
    (H.AMBIGUOUS_READ, P.ACCEPT): asked_of_the_player(),
    (H.AMBIGUOUS_READ, P.PROPOSE): asked(H.AMBIGUOUS_READ, one_is_chosen),
    (H.AMBIGUOUS_READ, P.LOG): asked_of_the_player("incident"),
    (H.MISMATCH, P.ACCEPT): nothing,
    (H.MISMATCH, P.PROPOSE): asked(H.MISMATCH, dismissed_and_put_right),
    (H.MISMATCH, P.LOG): noted,
    (H.FLAG_FALL, P.ACCEPT): over("0-1"),
    (H.FLAG_FALL, P.PROPOSE): asked(H.FLAG_FALL, accepted(ended_by_ruling("0-1"))),
    (H.FLAG_FALL, P.LOG): noted,
    (H.KING_HIT, P.ACCEPT): over("1-0"),
    (H.KING_HIT, P.PROPOSE): asked(H.KING_HIT, accepted(ended_by_ruling("1-0"))),
    (H.KING_HIT, P.LOG): over("1-0", "incident"),
    (H.REPETITION, P.ACCEPT): over("1/2-1/2"),
    (H.REPETITION, P.PROPOSE): asked(H.REPETITION, accepted(ended_by_ruling("1/2-1/2"))),
    (H.REPETITION, P.LOG): noted,
}


def board_file(folder: Path, happening: Incident, policy: Policy) -> Path:
    """The board of the build guide, with that one law."""
    usual = Path(boards.__path__[0]) / "demo-10x8.yaml"
    law = f"\nreferee:\n  policies:\n    {happening}: {policy}\n"
    path = folder / "table.yaml"
    path.write_text(usual.read_text("utf-8") + law, "utf-8")
    return path


def test_every_law_is_tried() -> None:
    assert set(COMES) == {(happening, policy) for happening in Incident for policy in Policy}


@pytest.mark.parametrize(
    ("happening", "policy"), COMES, ids=lambda each: str(each).replace(" ", "-")
)
def test_the_table_judges_as_its_board_file_says(
    start: Start, tmp_path: Path, happening: Incident, policy: Policy
) -> None:
    given = ("--position", DUEL, "--clock", "10m", *BEFORE.get(happening, ()))
    options = dict(zip(given[::2], given[1::2], strict=True))
    program: Program = start(
        *("referee", "--simulate", "--leds", "memory://", "--event", "Club night"),
        *("--board", str(board_file(tmp_path, happening, policy))),
        *(word for option in options.items() for word in option),
    )
    key = re.findall(r"#key=(\S+)", program.address)[0]
    here = Served(cast(PageServer, program))
    with here.socket(here.log_in(key=key)) as page:
        seen = Seen(page)
        seen.begins()
        ACTS[happening](seen)
        COMES[happening, policy](seen)
        head, kinds, turns = (
            seen.model["journal"]["last_hash"],
            seen.reported,
            seen.model["history"],
        )
    program.close()
    if not kinds and not turns:
        assert not [*tmp_path.rglob("*.journal")], "a game in which nothing happened is not kept"
        return
    (journal,) = tmp_path.rglob("*.journal")
    entries = recover(journal.read_bytes()).entries
    assert replay(entries).fault is None
    assert head in {entry.hash for entry in entries}, "what the page shows is on the disk"
    assert set(kinds) <= {entry.kind for entry in entries}
