"""A referee on the page: rulings by command, evidence by hash, the game taken along; and what
players, spectators and strangers get when they try the same."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from controller.exports.verify import verify
from controller.journal import recover
from controller.laws import Laws
from controller.room import Furniture, SteppedRoom
from controller.web.commands import BadCommand, read_command
from controller.web.rights import REFEREES
from tests.controller.rooms import Table
from tests.web.playing import play
from tests.web.served import PIN, Served, Socket


def refereed(folder: Path) -> Table:
    """A simulated table with a referee, photographed."""
    table = Table(folder, control="5m")
    table.plan = replace(table.plan, start=replace(table.plan.start, laws=Laws()))
    furniture = Furniture("demo-10x8", table.plan.file, table.plan.top, "memory://", refereed=True)
    table.room = SteppedRoom(furniture, table.plan.start.first().pieces, table.keeping)
    return table


def begun(page: Socket) -> None:
    page.until(lambda: page.model.get("ways") and page.model["table"]["phase"] == "turn")


def illegal(page: Socket) -> dict[str, Any]:
    """Blue carries j4 two squares, and presses: what the referee is asked."""
    begun(page)
    grid = {name: (x, y) for name, x, y in page.model["game"]["grid"]["cells"]}
    (x, y), (to_x, to_y) = grid["j4"], grid["j2"]
    thing = next(t for t in page.model["things"] if abs(t["x"] - x) + abs(t["y"] - y) < 0.1)
    assert page.do("drag", thing=thing["thing"], x=to_x, y=to_y)["ok"]
    page.until(lambda: page.model["table"]["phase"] == "mismatch")
    assert page.do("fire", player=0)["ok"]
    page.until(lambda: page.model["referee"]["matters"])
    found: dict[str, Any] = page.model["referee"]["matters"][0]
    return found


def rule(page: Socket, **ruling: Any) -> dict[str, Any]:
    return page.do("rule", ruling=ruling)


def test_an_illegal_move_is_proposed_photographed_ruled_on_and_written(tmp_path: Path) -> None:
    def script(here: Served, page: Socket) -> None:
        matter = illegal(page)
        assert matter["about"] == "illegal move"
        assert matter["accepting"] == "red gets 2:00"
        assert page.model["referee"]["obstacles"], "why play cannot go on is always told"
        page.until(lambda: page.model["referee"]["matters"][0]["pictures"])
        cookie = here.enter(key="the-key-of-this-test-0123456789")
        pictures = page.model["referee"]["matters"][0]["pictures"]
        for when in ("before", "after"):
            found = here.ask(f"/evidence/{pictures[when]['picture']}.jpg", cookie=cookie)
            assert (found.status, found.headers["content-type"]) == (200, "image/jpeg")
            assert "immutable" in found.headers["cache-control"]
            drawn = here.ask(f"/evidence/{pictures[when]['seen']}.svg", cookie=cookie)
            assert drawn.body.startswith(b"<svg"), drawn.body[:80]
        assert here.ask(f"/evidence/{'0' * 64}.jpg", cookie=cookie).status == 404
        assert here.ask("/evidence/..%2fgame.journal", cookie=cookie).status == 404
        assert not rule(page, rule="go on")["ok"]
        tried = page.do(
            "rule", ruling={"rule": "accept", "matter": matter["number"]}, **{"try": True}
        )
        assert tried["ok"]
        assert page.model["referee"]["matters"], "what is only tried does nothing"
        assert rule(page, rule="accept", matter=matter["number"], note="seen by all")["ok"]
        page.until(lambda: not page.model["referee"]["matters"])
        page.until(lambda: page.model["clocks"]["left_ms"][1] == 420_000)
        again = rule(page, rule="accept", matter=matter["number"])
        assert "no open matter" in again["sentence"]
        page.until(lambda: page.model["ledger"]["rows"][-1]["kind"] == "ruling")
        rows = {row["kind"]: row for row in page.model["ledger"]["rows"]}
        assert rows["penalty"]["told"] == "blue, for illegal move: 2m more for red"
        assert (rows["penalty"]["by"], rows["ruling"]["by"]) == ("referee", "referee")
        assert rows["penalty"]["left_ms"][1] == 420_000
        zipped = here.ask("/desk/export.zip", cookie=cookie)
        assert zipped.status == 200
        head = page.model["ledger"]["head"]
        assert not verify(io.BytesIO(zipped.body), head=head).findings
        with zipfile.ZipFile(io.BytesIO(zipped.body)) as files:
            assert sum(name.endswith(".jpg") for name in files.namelist()) == 2
        for form in ("sheet.html", "journal.jsonl", "record.txt", "record.json"):
            assert here.ask(f"/desk/{form}", cookie=cookie).status == 200

    table = play(tmp_path, script, table=refereed(tmp_path))
    assert table.keeping.path is not None
    kinds = [each.kind for each in recover(table.keeping.path.read_bytes()).entries]
    assert [kind for kind in kinds if kind in ("matter", "evidence", "penalty", "ruling")] == [
        "matter",
        "evidence",
        "penalty",
        "ruling",
    ]


def test_a_position_is_corrected_by_its_pieces_and_the_ledger_strikes_what_is_superseded(
    tmp_path: Path,
) -> None:
    def script(here: Served, page: Socket) -> None:
        begun(page)
        assert page.do("move", text="j4j3", fire=True)["ok"]
        page.until(lambda: page.model["history"] and page.model["board"]["movers"] == [1])
        page.until(lambda: page.model["table"]["phase"] == "turn")
        cookie = here.enter(key="the-key-of-this-test-0123456789")
        position = here.ask("/position.json?back=1", cookie=cookie).json
        assert position["ways"]
        assert position["movers"] == [0]
        pieces = {
            each["cell"]: [each["kind"], each["owner"], each["degrees"], each["hit_points"]]
            for each in position["pieces"]
        }
        pieces["j3"] = pieces.pop("j5")
        crowd = page.do("arrange", pieces={"j3": ["king", 0, 0, 1]}, mover=0)
        assert "laser" in crowd["sentence"]
        assert not page.do("arrange", pieces=pieces, mover=0, turns=7)["ok"]
        assert page.do("arrange", pieces=pieces, mover=1, turns=1, note="bumped")["ok"]
        page.until(lambda: page.model["board"]["turns"] == 0)
        page.until(lambda: page.model["ledger"]["rows"][-1]["kind"] == "correction")
        rows = page.model["ledger"]["rows"]
        turn = next(row for row in rows if row["kind"] == "turn")
        assert turn["gone"] == rows[-1]["number"]
        assert "the position was put" in rows[-1]["told"]
        assert {each["cell"] for each in rows[-1]["after"]} == set(pieces)
        assert page.model["board"]["movers"] == [1]

    play(tmp_path, script, table=refereed(tmp_path))


def test_players_call_and_confirm_for_their_own_seat_and_rule_on_nothing(tmp_path: Path) -> None:
    def script(here: Served, page: Socket) -> None:
        begun(page)
        player = here.enter(pin=PIN)
        with here.socket(player) as seat:
            assert seat.do("sit", player=1)["ok"]
            for ruling in RULINGS:
                assert seat.do("rule", ruling=ruling)["sentence"] == REFEREES
            refused = seat.do("arrange", pieces={"a8": ["laser", 1, 180, 1]}, mover=0)
            assert refused["sentence"] == REFEREES
            assert not seat.do("want", wish="call the referee", player=0)["ok"]
            assert here.ask("/position.json", cookie=player).status == 403
            assert here.ask("/desk/export.zip", cookie=player).status == 403
            assert page.model["table"]["phase"] == "turn", "nothing has happened"
            assert seat.do("want", wish="call the referee")["ok"]
            page.until(lambda: page.model["referee"]["matters"])
            matter = page.model["referee"]["matters"][0]
            assert (matter["about"], matter["player"]) == ("call", 1)
            assert rule(page, rule="declare", result="1-0", reason="agreed")["ok"]
            page.until(lambda: page.model["table"]["phase"] == "over")
            assert seat.do("want", wish="confirm")["ok"]
            page.until(lambda: page.model["referee"]["confirmed"] == [1])
        spectator = here.enter(pin=PIN)
        with here.socket(spectator) as watching:
            watching.until(lambda: watching.model)
            assert watching.do("rule", ruling=RULINGS[0])["sentence"] == REFEREES
        assert here.ask(f"/evidence/{'a' * 64}.jpg", cookie=spectator).status == 403

    play(tmp_path, script, pin=PIN, table=refereed(tmp_path))


RULINGS: list[dict[str, Any]] = [
    {"rule": "stop"},
    {"rule": "go on"},
    {"rule": "clocks", "left_ms": [1, 1]},
    {"rule": "penalise", "player": 0, "penalty": "loss"},
    {"rule": "declare", "result": "0-1", "reason": "because"},
    {"rule": "correct", "turns": 1},
    {"rule": "override", "moves": ["j4j3"]},
    {"rule": "annotate", "note": "I was here"},
    {"rule": "accept", "matter": 1},
    {"rule": "dismiss", "matter": 1},
]
JUNK: list[Any] = [
    *(None, True, -1, 1e308, "", "x" * 500, "\0", "\ud800", [], {}, [[[]]], "loss", 2**60, {"a": 1})
]  # fmt: skip


def test_whatever_is_sent_as_a_ruling_is_one_or_is_refused() -> None:
    random = Random(8)
    for _ in range(3000):
        ruling = dict(random.choice(RULINGS))
        for _ in range(random.randrange(3)):
            ruling[random.choice([*ruling, "note", "choice", "position"])] = random.choice(JUNK)
        sent: dict[str, Any] = {"id": 1, "do": "rule", "ruling": random.choice([ruling, *JUNK[:3]])}
        if random.random() < 0.3:
            pieces = {random.choice(["a8", "zz", ""]): random.choice([["king", 0, 0, 1], *JUNK])}
            sent = {"id": 1, "do": "arrange", "pieces": pieces, "mover": random.choice([0, *JUNK])}
        with contextlib.suppress(BadCommand):
            read_command(json.dumps(sent))
