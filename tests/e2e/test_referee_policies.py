"""Every incident with every policy: `laserboard referee --simulate` with a board file that sets the
policy, simulated hands that cause the incident, and the result on the page and in the journal."""

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
from controller.session.sentences import PRESS_FIRE
from controller.ui.web.page_server import PageServer
from engine.catalogue import ONE_SQUARE
from engine.draw.catalogue import GOES, PLAYER_ACTS
from engine.sentences import read_sentence
from hardware import boards
from tests.support.play.refereed_play import KING
from tests.support.play.table_play import DUEL
from tests.support.web.browser import Program, Start
from tests.support.web.served_page import ServedPage, Socket

pytestmark = pytest.mark.slow
TO_AND_FRO = ("j4j3", "e7e8", "j3j4", "e8e7") * 2
TWO_MINUTES_MS = 120_000
MAX_PRESSES = 20
J4_TO_J3 = PLAYER_ACTS(player="blue", action=GOES(start="j4", end="j3"))
FIRST_BATCH_ID = 1_000_000  # above the ids of single commands


class RefereePage:
    """The referee's connection to the page of a running table."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket

    @property
    def model(self) -> dict[str, Any]:
        return self.socket.model

    @property
    def phase(self) -> str:
        return str(self.model["table"]["phase"])

    @property
    def proposals(self) -> list[dict[str, Any]]:
        return list(self.model["referee"]["proposals"])

    @property
    def entry_kinds(self) -> list[str]:
        """Kinds of the journal's entries, without turns."""
        rows = self.model["journal"]["rows"] if self.model["journal"] else []
        return [row["kind"] for row in rows if row["kind"] != "turn"]

    def do(self, command: str, **args: Any) -> None:
        answer = self.socket.do(command, **args)
        assert answer["ok"], (command, args, answer["sentence"])

    def do_all(self, *commands: dict[str, Any]) -> None:
        """Send all commands before the first answer."""
        for number, command in enumerate(commands, start=FIRST_BATCH_ID):
            self.socket.line.send(json.dumps({"id": number, **command}))
        for number, command in enumerate(commands, start=FIRST_BATCH_ID):
            answer = self.socket.answer(number)
            assert answer["ok"], (command, answer["sentence"])

    def wait_for_turn(self) -> None:
        self.socket.until(lambda: self.model.get("legal_moves") and self.phase == "turn")

    def place(self, cell: str) -> tuple[float, float]:
        places = {name: (x, y) for name, x, y in self.model["game"]["grid"]["cells"]}
        return places[cell]

    def object_at(self, cell: str) -> int | None:
        """The object that stands there, whether the camera sees it or not."""
        x, y = self.place(cell)
        for each in self.model["objects"]:
            if abs(each["x"] - x) < 0.3 and abs(each["y"] - y) < 0.3:
                return int(each["object"])
        return None

    def drag_anywhere(self, source: str, target: str, degrees: float = 0.0) -> None:
        """Drag a piece with rough hands, which ignore the rules."""
        x, y = self.place(target)
        self.do("drag", object=self.object_at(source), x=x, y=y, degrees=degrees)

    def play(self, *moves: str) -> None:
        for number, move in enumerate(moves, start=len(self.model["history"]) + 1):
            self.socket.until(lambda: self.phase == "turn" and self.model["table"]["can_move"])
            self.make_move(move)
            self.fire(number)

    def make_move(self, move: str) -> None:
        """Move, and wait until the camera has seen it."""
        self.do("move", text=move)
        self.socket.until(lambda: self.model["table"]["guidance"]["key"] == PRESS_FIRE.key)

    def fire(self, number: int = 1) -> None:
        self.do("fire", player=self.model["board"]["to_move"][0])
        self.socket.until(lambda: len(self.model["history"]) >= number)

    def rule(self, **ruling: Any) -> None:
        self.do("ruling", ruling=ruling)

    def accept(self) -> None:
        self.rule(rule="accept", proposal=self.proposals[0]["number"])


# -- incidents -----------------------------------------------------------------------------------


def illegal_move(page: RefereePage) -> None:
    page.drag_anywhere("j4", "j2")
    page.socket.until(lambda: page.phase == "mismatch")
    assert page.socket.refusal("fire", player=0).slots["reason"] == ONE_SQUARE()


def ambiguous_read(page: RefereePage) -> None:
    """A sleeve covers the cell as fire is pressed: three moves fit."""
    # Sent together: the table must not settle between the two.
    page.do_all({"do": "move", "text": "j4j3"}, {"do": "cover_cell", "cell": "j4"})
    page.socket.until(
        lambda: page.object_at("j3") is not None and not page.model["table"]["hands_busy"]
    )
    for _ in range(MAX_PRESSES):  # refused until the camera has seen that a piece was moved
        page.socket.do("fire", player=0)
        for _ in range(3):
            page.socket.receive()
        if page.phase != "turn":
            return


def mismatch(page: RefereePage) -> None:
    page.drag_anywhere("c5", "c5", 90.0)
    page.socket.until(lambda: page.phase == "mismatch")


def flag_fall(page: RefereePage) -> None:
    assert page.model["clocks"]["running"] == [0]  # no action: the time runs out


def king_hit(page: RefereePage) -> None:
    page.make_move("j6j7")
    page.fire()


def repetition(page: RefereePage) -> None:
    page.play(*TO_AND_FRO)


# -- results -------------------------------------------------------------------------------------


def penalised(page: RefereePage) -> None:
    page.socket.until(lambda: "penalty" in page.entry_kinds)
    assert page.model["clocks"]["left_ms"][1] == 600_000 + TWO_MINUTES_MS
    assert not page.proposals


def logged(page: RefereePage) -> None:
    page.socket.until(lambda: "incident" in page.entry_kinds)
    assert not page.proposals
    assert page.phase not in ("paused", "over")


def game_is_over(result: str, *entry_kinds: str) -> Callable[[RefereePage], None]:
    def ended(page: RefereePage) -> None:
        page.socket.until(lambda: page.phase == "over" and page.entry_kinds[-1:] == ["result"])
        assert page.model["table"]["outcome"]["result"] == result
        assert page.entry_kinds == [*entry_kinds, "result"]

    return ended


def player_is_asked(*entry_kinds: str) -> Callable[[RefereePage], None]:
    def chosen(page: RefereePage) -> None:
        page.socket.until(lambda: page.phase == "choosing turn")
        choices = [read_sentence(each["words"]) for each in page.model["table"]["choices"]]
        wanted = choices.index(J4_TO_J3)
        page.do("request", request="choose", choice=wanted)
        page.socket.until(lambda: page.model["history"])
        page.socket.until(lambda: page.entry_kinds == [*entry_kinds])
        assert page.model["history"][0]["notation"]["text"] == "j4j3"

    return chosen


def nothing_happens(page: RefereePage) -> None:
    """Nothing is written, for longer than `LASTING_MISMATCH_MS`."""
    for _ in range(5):  # the page gets a message every two seconds
        page.socket.receive()
    assert page.phase == "mismatch"
    assert (page.entry_kinds, page.proposals) == ([], [])


def proposal_is_open(
    incident: Incident, then: Callable[[RefereePage], None]
) -> Callable[[RefereePage], None]:
    def proposed(page: RefereePage) -> None:
        page.socket.until(lambda: page.proposals)
        assert [each["incident"] for each in page.proposals] == [incident.value]
        page.socket.until(lambda: page.phase == "paused")
        assert page.model["clocks"]["running"] == []
        page.socket.until(lambda: page.proposals[0]["images"])
        then(page)

    return proposed


def accept_then(result: Callable[[RefereePage], None]) -> Callable[[RefereePage], None]:
    def ruled(page: RefereePage) -> None:
        page.accept()
        result(page)

    return ruled


def choose_turn(page: RefereePage) -> None:
    proposal = page.proposals[0]
    wanted = [read_sentence(each) for each in proposal["choices"]].index(J4_TO_J3)
    page.rule(rule="accept", proposal=proposal["number"], choice=wanted)
    page.socket.until(lambda: page.model["history"])
    assert page.model["history"][0]["notation"]["text"] == "j4j3"


def dismiss_and_reset(page: RefereePage) -> None:
    page.rule(rule="dismiss", proposal=page.proposals[0]["number"])
    page.socket.until(lambda: not page.proposals)
    page.do("reset_pieces")
    page.socket.until(lambda: page.phase == "turn")
    assert page.entry_kinds == ["matter", "ruling"]


def ended_by_ruling(result: str) -> Callable[[RefereePage], None]:
    def ended(page: RefereePage) -> None:
        page.socket.until(lambda: page.phase == "over" and page.entry_kinds[-1:] == ["ruling"])
        assert page.model["table"]["outcome"]["result"] == result
        assert page.entry_kinds == ["matter", "result", "ruling"]

    return ended


OPTIONS = {Incident.KING_HIT: {"--position": KING}, Incident.FLAG_FALL: {"--clock": "12s"}}
CAUSES: dict[Incident, Callable[[RefereePage], None]] = {
    Incident.ILLEGAL_MOVE: illegal_move,
    Incident.AMBIGUOUS_READ: ambiguous_read,
    Incident.MISMATCH: mismatch,
    Incident.FLAG_FALL: flag_fall,
    Incident.KING_HIT: king_hit,
    Incident.REPETITION: repetition,
}
RESULTS: dict[tuple[Incident, Policy], Callable[[RefereePage], None]] = {
    (Incident.ILLEGAL_MOVE, Policy.ACCEPT): penalised,
    (Incident.ILLEGAL_MOVE, Policy.PROPOSE): proposal_is_open(
        Incident.ILLEGAL_MOVE, accept_then(penalised)
    ),
    (Incident.ILLEGAL_MOVE, Policy.LOG): logged,
    (Incident.AMBIGUOUS_READ, Policy.ACCEPT): player_is_asked(),
    (Incident.AMBIGUOUS_READ, Policy.PROPOSE): proposal_is_open(
        Incident.AMBIGUOUS_READ, choose_turn
    ),
    (Incident.AMBIGUOUS_READ, Policy.LOG): player_is_asked("incident"),
    (Incident.MISMATCH, Policy.ACCEPT): nothing_happens,
    (Incident.MISMATCH, Policy.PROPOSE): proposal_is_open(Incident.MISMATCH, dismiss_and_reset),
    (Incident.MISMATCH, Policy.LOG): logged,
    (Incident.FLAG_FALL, Policy.ACCEPT): game_is_over("0-1"),
    (Incident.FLAG_FALL, Policy.PROPOSE): proposal_is_open(
        Incident.FLAG_FALL, accept_then(ended_by_ruling("0-1"))
    ),
    (Incident.FLAG_FALL, Policy.LOG): logged,
    (Incident.KING_HIT, Policy.ACCEPT): game_is_over("1-0"),
    (Incident.KING_HIT, Policy.PROPOSE): proposal_is_open(
        Incident.KING_HIT, accept_then(ended_by_ruling("1-0"))
    ),
    (Incident.KING_HIT, Policy.LOG): game_is_over("1-0", "incident"),
    (Incident.REPETITION, Policy.ACCEPT): game_is_over("1/2-1/2"),
    (Incident.REPETITION, Policy.PROPOSE): proposal_is_open(
        Incident.REPETITION, accept_then(ended_by_ruling("1/2-1/2"))
    ),
    (Incident.REPETITION, Policy.LOG): logged,
}


def board_file(folder: Path, incident: Incident, policy: Policy) -> Path:
    """The board file of the build guide with this policy."""
    base = Path(boards.__path__[0]) / "demo-10x8.yaml"
    section = f"\nreferee:\n  policies:\n    {incident}: {policy}\n"
    path = folder / "table.yaml"
    path.write_text(base.read_text("utf-8") + section, "utf-8")
    return path


def test_every_policy_of_every_incident_is_tested() -> None:
    assert set(RESULTS) == {(incident, policy) for incident in Incident for policy in Policy}


@pytest.mark.parametrize(
    ("incident", "policy"), RESULTS, ids=lambda each: str(each).replace(" ", "-")
)
def test_incidents_follow_the_policy_of_the_board_file(
    start: Start, tmp_path: Path, incident: Incident, policy: Policy
) -> None:
    options = {"--position": DUEL, "--clock": "10m", **OPTIONS.get(incident, {})}
    program: Program = start(
        *("referee", "--simulate", "--leds", "memory://", "--event", "Club night"),
        *("--board", str(board_file(tmp_path, incident, policy))),
        *(word for option in options.items() for word in option),
    )
    key = re.findall(r"#key=(\S+)", program.address)[0]
    server = ServedPage(cast(PageServer, program))
    with server.socket(server.log_in(key=key)) as socket:
        page = RefereePage(socket)
        page.wait_for_turn()
        CAUSES[incident](page)
        RESULTS[incident, policy](page)
        head, kinds, turns = (
            page.model["journal"]["last_hash"],
            page.entry_kinds,
            page.model["history"],
        )
    program.close()
    if not kinds and not turns:
        assert not [*tmp_path.rglob("*.journal")], "a game without a turn is not stored"
        return
    (journal,) = tmp_path.rglob("*.journal")
    entries = recover(journal.read_bytes()).entries
    assert replay(entries).fault is None
    assert head in {entry.hash for entry in entries}, "the hash on the page is in the journal"
    assert set(kinds) <= {entry.kind for entry in entries}
