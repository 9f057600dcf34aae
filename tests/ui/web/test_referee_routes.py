"""The routes of the referee: rulings, evidence by hash, the export; other roles are refused."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from controller.session.journal import recover
from controller.session.referee.policy import RefereePolicies
from controller.session.sentences import NO_OPEN_PROPOSAL, SUBJECTS
from controller.simulation.rig import SteppedSimulatedRig
from controller.storage.export.verify import verify_export
from controller.storage.sentences import PENALTY_TIME, POSITION_SET, TURN_VOID, WITH_NOTE
from controller.table.rig import TableSpec
from controller.ui.web import sentences
from controller.ui.web.commands import BadCommand, read_command
from engine.catalogue import LASER_MISSING
from engine.sentences import joined, read_sentence
from tests.support.play.simulated_rigs import Table
from tests.support.web.page_play import play
from tests.support.web.served_page import PIN, ServedPage, Socket


def refereed(folder: Path) -> Table:
    """A simulated table with a referee and evidence images."""
    table = Table(folder, control="5m")
    table.plan = replace(table.plan, setup=replace(table.plan.setup, policies=RefereePolicies()))
    table_spec = TableSpec(
        "demo-10x8", table.plan.board_file, table.plan.fitted_board, "memory://", refereed=True
    )
    table.rig = SteppedSimulatedRig(
        table_spec, table.plan.setup.first_position().pieces, table.journal_opener
    )
    return table


def wait_for_turn(page: Socket) -> None:
    page.until(lambda: page.model.get("legal_moves") and page.model["table"]["phase"] == "turn")


def illegal(page: Socket) -> dict[str, Any]:
    """Blue moves j4 by two squares and fires; returns the proposal for the referee."""
    wait_for_turn(page)
    grid = {name: (x, y) for name, x, y in page.model["game"]["grid"]["cells"]}
    (x, y), (to_x, to_y) = grid["j4"], grid["j2"]
    thing = next(t for t in page.model["objects"] if abs(t["x"] - x) + abs(t["y"] - y) < 0.1)
    assert page.do("drag", object=thing["object"], x=to_x, y=to_y)["ok"]
    page.until(lambda: page.model["table"]["phase"] == "mismatch")
    assert not page.do("fire", player=0)["ok"]  # the answer says what is illegal
    page.until(lambda: page.model["referee"]["proposals"])
    found: dict[str, Any] = page.model["referee"]["proposals"][0]
    return found


def rule(page: Socket, **ruling: Any) -> dict[str, Any]:
    return page.do("ruling", ruling=ruling)


def test_an_illegal_move_has_a_proposal_evidence_and_a_ruling_in_the_journal(
    tmp_path: Path,
) -> None:
    def script(served_page: ServedPage, page: Socket) -> None:
        proposal = illegal(page)
        assert proposal["incident"] == "illegal move"
        effect = sentences.GETS_TIME(player="red", time="2:00")
        assert read_sentence(proposal["accept_effect"]) == effect
        assert page.model["referee"]["obstacles"], "the obstacles to play are always listed"
        page.until(lambda: page.model["referee"]["proposals"][0]["images"])
        cookie = served_page.log_in(key="the-key-of-this-test-0123456789")
        images = page.model["referee"]["proposals"][0]["images"]
        for when in ("before", "after"):
            found = served_page.ask(f"/evidence/{images[when]['image']}.jpg", cookie=cookie)
            assert (found.status, found.headers["content-type"]) == (200, "image/jpeg")
            assert "immutable" in found.headers["cache-control"]
            drawn = served_page.ask(f"/evidence/{images[when]['observation']}.svg", cookie=cookie)
            assert drawn.body.startswith(b"<svg"), drawn.body[:80]
        assert served_page.ask(f"/evidence/{'0' * 64}.jpg", cookie=cookie).status == 404
        assert served_page.ask("/evidence/..%2fgame.journal", cookie=cookie).status == 404
        assert not rule(page, rule="go on")["ok"]
        tried = page.do(
            "ruling", ruling={"rule": "accept", "proposal": proposal["number"]}, dry_run=True
        )
        assert tried["ok"]
        assert page.model["referee"]["proposals"], "a dry run changes nothing"
        assert rule(page, rule="accept", proposal=proposal["number"], note="seen by all")["ok"]
        page.until(lambda: not page.model["referee"]["proposals"])
        page.until(lambda: page.model["clocks"]["left_ms"][1] == 420_000)
        number = proposal["number"]
        again = page.refusal("ruling", ruling={"rule": "accept", "proposal": number})
        assert again == NO_OPEN_PROPOSAL(number=number)
        page.until(lambda: page.model["journal"]["rows"][-1]["kind"] == "ruling")
        rows = {row["kind"]: row for row in page.model["journal"]["rows"]}
        assert read_sentence(rows["penalty"]["sentence"]) == PENALTY_TIME(
            player="blue", cause=SUBJECTS["illegal move"](), time="2m", other="red"
        )
        assert (rows["penalty"]["by"], rows["ruling"]["by"]) == ("referee", "referee")
        assert rows["penalty"]["left_ms"][1] == 420_000
        zipped = served_page.ask("/referee/export.zip", cookie=cookie)
        assert zipped.status == 200
        head = page.model["journal"]["last_hash"]
        assert not verify_export(io.BytesIO(zipped.body), published_hash=head).findings
        with zipfile.ZipFile(io.BytesIO(zipped.body)) as files:
            assert sum(name.endswith(".jpg") for name in files.namelist()) == 2
        for form in ("sheet.html", "journal.jsonl", "record.txt", "record.json"):
            assert served_page.ask(f"/referee/{form}", cookie=cookie).status == 200

    table = play(tmp_path, script, table=refereed(tmp_path))
    assert table.journal_opener.path is not None
    kinds = [each.kind for each in recover(table.journal_opener.path.read_bytes()).entries]
    assert [kind for kind in kinds if kind in ("matter", "evidence", "penalty", "ruling")] == [
        "matter",
        "evidence",
        "penalty",
        "ruling",
    ]


def test_a_position_is_corrected_by_its_pieces_and_superseded_turns_are_marked(
    tmp_path: Path,
) -> None:
    def script(served_page: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        assert page.do("move", text="j4j3", fire=True)["ok"]
        page.until(lambda: page.model["history"] and page.model["board"]["to_move"] == [1])
        page.until(lambda: page.model["table"]["phase"] == "turn")
        cookie = served_page.log_in(key="the-key-of-this-test-0123456789")
        position = served_page.ask("/position.json?turns_back=1", cookie=cookie).json
        assert position["legal_moves"]
        assert position["to_move"] == [0]
        pieces = {
            each["cell"]: [each["kind"], each["owner"], each["degrees"], each["hit_points"]]
            for each in position["pieces"]
        }
        pieces["j3"] = pieces.pop("j5")
        alone = {"j3": ["king", 0, 0, 1]}
        refusal = page.refusal("set_position", pieces=alone, player_to_move=0)
        assert refusal == LASER_MISSING(player="blue", cell="j1")
        assert not page.do("set_position", pieces=pieces, player_to_move=0, turns_back=7)["ok"]
        assert page.do(
            "set_position", pieces=pieces, player_to_move=1, turns_back=1, note="bumped"
        )["ok"]
        page.until(lambda: page.model["board"]["turns"] == 0)
        page.until(lambda: page.model["journal"]["rows"][-1]["kind"] == "correction")
        rows = page.model["journal"]["rows"]
        turn = next(row for row in rows if row["kind"] == "turn")
        assert turn["superseded_by"] == rows[-1]["number"]
        corrected = joined([TURN_VOID(turns=1), POSITION_SET(cells=("j5", "j4", "j3"))])
        sentence = read_sentence(rows[-1]["sentence"])
        assert sentence == WITH_NOTE(sentence=corrected, note="bumped")
        assert {each["cell"] for each in rows[-1]["after"]} == set(pieces)
        assert page.model["board"]["to_move"] == [1]

    play(tmp_path, script, table=refereed(tmp_path))


def test_players_call_and_confirm_for_their_own_seat_but_make_no_ruling(tmp_path: Path) -> None:
    def script(served_page: ServedPage, page: Socket) -> None:
        wait_for_turn(page)
        player = served_page.log_in(pin=PIN)
        with served_page.socket(player) as seat:
            assert seat.do("take_seat", player=1)["ok"]
            for ruling in RULINGS:
                assert seat.refusal("ruling", ruling=ruling) == sentences.REFEREE_ONLY()
            pieces = {"a8": ["laser", 1, 180, 1]}
            refusal = seat.refusal("set_position", pieces=pieces, player_to_move=0)
            assert refusal == sentences.REFEREE_ONLY()
            assert not seat.do("request", request="call the referee", player=0)["ok"]
            assert served_page.ask("/position.json", cookie=player).status == 403
            assert served_page.ask("/referee/export.zip", cookie=player).status == 403
            assert page.model["table"]["phase"] == "turn", "nothing has happened"
            assert seat.do("request", request="call the referee")["ok"]
            page.until(lambda: page.model["referee"]["proposals"])
            proposal = page.model["referee"]["proposals"][0]
            assert (proposal["incident"], proposal["player"]) == ("call", 1)
            assert rule(page, rule="declare", result="1-0", reason="agreed")["ok"]
            page.until(lambda: page.model["table"]["phase"] == "over")
            assert seat.do("request", request="confirm")["ok"]
            page.until(lambda: page.model["referee"]["confirmed"] == [1])
        spectator = served_page.log_in(pin=PIN)
        with served_page.socket(spectator) as watching:
            watching.until(lambda: watching.model)
            assert watching.refusal("ruling", ruling=RULINGS[0]) == sentences.REFEREE_ONLY()
        assert served_page.ask(f"/evidence/{'a' * 64}.jpg", cookie=spectator).status == 403

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
    {"rule": "accept", "proposal": 1},
    {"rule": "dismiss", "proposal": 1},
]
JUNK: list[Any] = [
    *(None, True, -1, 1e308, "", "x" * 500, "\0", "\ud800", [], {}, [[[]]], "loss", 2**60, {"a": 1})
]  # fmt: skip


def test_any_ruling_is_valid_or_refused() -> None:
    random = Random(8)
    for _ in range(3000):
        ruling = dict(random.choice(RULINGS))
        for _ in range(random.randrange(3)):
            ruling[random.choice([*ruling, "note", "choice", "position"])] = random.choice(JUNK)
        sent: dict[str, Any] = {
            "id": 1,
            "do": "ruling",
            "ruling": random.choice([ruling, *JUNK[:3]]),
        }
        if random.random() < 0.3:
            pieces = {random.choice(["a8", "zz", ""]): random.choice([["king", 0, 0, 1], *JUNK])}
            sent = {
                "id": 1,
                "do": "set_position",
                "pieces": pieces,
                "player_to_move": random.choice([0, *JUNK]),
            }
        with contextlib.suppress(BadCommand):
            read_command(json.dumps(sent))
