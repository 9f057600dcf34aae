"""Pictures of turns: what is cut out of a frame, what is told of it, and how they are kept."""

from __future__ import annotations

import errno
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st

from controller.devices.evidence_keeper import MOST_WAITING, FolderKeeper
from controller.devices.journal_file import Disk
from controller.devices.worn_disk import WornDisk
from controller.evidence import (
    BadEvidence,
    EvidenceFailed,
    Photographed,
    Picture,
    evidence_body,
    evidence_of,
    read_evidence,
)
from controller.evidence_drawing import overlay_svg, read_seen
from controller.evidence_picture import developed
from controller.evidence_store import read_picture
from controller.journal import following
from controller.ports import DeviceRemark
from controller.referee_settings import EvidenceSettings
from controller.sight import Glimpse
from controller.wiring import no_evidence, stepped_clock
from tests.controller.photographed import Game, kept_game, played_game
from vision.observation import Problem, State, Trouble
from vision.reader import Reader

# Machines that do much else at the same time are slow to draw examples.
PATIENTLY = trying(deadline=None, suppress_health_check=[HealthCheck.too_slow])

PATIENCE_MS = 30_000.0

hashes = st.text("0123456789abcdef", min_size=64, max_size=64)
pictures = st.none() | st.builds(Picture, hashes, hashes)


@pytest.fixture(scope="module")
def game() -> Game:
    return played_game()


@pytest.fixture
def keep(tmp_path: Path, game: Game) -> Iterator[Callable[..., FolderKeeper]]:
    """Keepers that are closed in the end."""
    opened: list[FolderKeeper] = []

    def keep(**different: Any) -> FolderKeeper:
        settings = EvidenceSettings(**different.pop("settings", {}))
        keeper = FolderKeeper(
            tmp_path / "evidence", game.top, settings, stepped_clock(), **different
        )
        opened.append(keeper)
        return keeper

    yield keep
    for each in opened:
        each.close()


def told(keeper: FolderKeeper) -> list[Any]:
    assert keeper.wait(PATIENCE_MS)
    return list(keeper.events())


# -- in the journal ------------------------------------------------------------------------------


@PATIENTLY
@given(st.builds(Photographed, st.integers(1, 999), pictures, pictures, st.just(0.0)))
def test_what_the_journal_says_of_pictures_reads_back_the_same(photographed: Photographed) -> None:
    entry = following(None, "evidence", evidence_body(photographed), 0.0)
    assert list(evidence_of([entry])) == [photographed]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"turn": 0},
        {"turn": 1, "before": {"picture": "a" * 64}},
        {"turn": 1, "after": {"picture": "../../etc/passwd", "seen": "a" * 64}},
        {"turn": 1, "after": {"picture": "A" * 64, "seen": "a" * 64}},
        {"turn": 1, "after": None},
    ],
)
def test_an_entry_that_links_no_pictures_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(BadEvidence):
        read_evidence(body)


# -- one picture ---------------------------------------------------------------------------------


def test_what_is_kept_is_the_board_and_nothing_of_the_room(game: Game) -> None:
    glimpse = game.glimpses[0][0]
    made = developed(glimpse, game.top)
    assert made is not None
    picture = cv2.imdecode(np.frombuffer(made.jpeg, np.uint8), cv2.IMREAD_COLOR)
    seen = json.loads(made.seen)
    assert picture is not None
    assert (picture.shape[1], picture.shape[0]) == (seen["width"], seen["height"])
    wide = glimpse.frame.grey.shape[1]
    assert seen["width"] < 0.8 * wide
    left, upper = seen["cut_from"]
    assert glimpse.frame.bgr is not None
    whole = glimpse.frame.bgr[upper : upper + seen["height"], left : left + seen["width"]]
    assert np.abs(whole.astype(int) - picture).mean() < 4
    for corner in seen["corners"]:
        assert corner["found"]
        for x, y in corner["outline"]:
            assert 0 < x < seen["width"]
            assert 0 < y < seen["height"]


def test_the_reader_reads_a_kept_picture_as_it_read_the_frame(game: Game) -> None:
    for glimpse in (each for pair in game.glimpses for each in pair):
        made = developed(glimpse, game.top)
        assert made is not None
        grey = cv2.imdecode(np.frombuffer(made.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
        again = Reader(game.top.board, game.top.meanings).read(np.asarray(grey, np.uint8))
        meanings = game.top.meanings
        assert again.pieces(meanings) == glimpse.seen.pieces(meanings)


def test_what_was_read_is_told_cell_by_cell_where_it_lies_in_the_picture(game: Game) -> None:
    glimpse, top = game.glimpses[0][1], game.top
    made = developed(glimpse, top)
    assert made is not None
    seen, grid = json.loads(made.seen), top.board.grid
    assert seen["picture"] == made.picture.picture == sha256(made.jpeg).hexdigest()
    assert [each["cell"] for each in seen["cells"]] == [grid.name(c) for c in range(grid.size)]
    pieces = glimpse.seen.pieces(top.meanings)
    assert glimpse.lock is not None
    for cell, each in enumerate(seen["cells"]):
        sighting = glimpse.seen.sightings[cell]
        assert each["state"] == sighting.state.value
        assert each["confidence"] == pytest.approx(sighting.confidence, abs=0.001)
        centre = (
            glimpse.lock.view.project(
                np.array([top.board.centre_mm(cell)]), top.board.cap_height_mm
            )[0]
            - seen["cut_from"]
        )
        assert np.mean(each["outline"], axis=0) == pytest.approx(centre, abs=1.5)
        if sighting.state is State.OCCUPIED:
            piece = pieces[cell]
            assert each["piece"] == {
                "kind": piece.kind,
                "owner": top.game.players[piece.owner],
                "letter": top.game.letters[piece.kind],
                "degrees": grid.degrees(piece.orientation),
            }
            inside = cv2.pointPolygonTest(
                np.array(each["outline"], np.float32), np.mean(each["mark"], axis=0).tolist(), False
            )
            assert inside > 0
        else:
            assert "piece" not in each


def test_what_is_kept_can_be_drawn_again(game: Game) -> None:
    made = developed(game.glimpses[0][0], game.top)
    assert made is not None
    drawn = overlay_svg(read_seen(made.seen), game.top.game.players)
    for name in ("j4", "c5", "e1", "a1"):
        assert f'data-cell="{name}"' in drawn
    assert drawn.count('class="occupied"') == len(
        game.glimpses[0][0].seen.pieces(game.top.meanings)
    )


def test_a_tag_that_means_nothing_and_a_problem_are_told(game: Game) -> None:
    glimpse, cell = game.glimpses[0][0], game.top.board.grid.cell("e1")
    king = replace(glimpse.seen.sightings[cell], tag=40)
    sightings = [*glimpse.seen.sightings]
    sightings[cell] = king
    problem = Problem(Trouble.FOREIGN, "tag 40 on e1 is of no piece", (cell,), (40,))
    seen = replace(glimpse.seen, sightings=tuple(sightings), problems=(problem,))
    made = developed(replace(glimpse, seen=seen), game.top)
    assert made is not None
    told = json.loads(made.seen)
    assert (told["cells"][cell]["tag"], told["cells"][cell]["piece"]) == (40, None)
    assert told["problems"] == [
        {
            "trouble": "foreign tag",
            "sentence": "tag 40 on e1 is of no piece",
            "cells": ["e1"],
            "tags": [40],
        }
    ]


def test_a_picture_without_a_board_is_not_kept(game: Game) -> None:
    glimpse = game.glimpses[0][0]
    assert developed(replace(glimpse, lock=None), game.top) is None
    assert developed(replace(glimpse, seen=replace(glimpse.seen, locked=False)), game.top) is None


# -- the keeper ----------------------------------------------------------------------------------


def test_a_turn_has_its_pictures_on_the_disk_by_what_is_in_them(tmp_path: Path) -> None:
    for each in kept_game(tmp_path / "game.journal"):
        assert each.before != each.after
        for picture in each.pictures:
            jpeg, seen = read_picture(tmp_path / "evidence", picture)
            assert jpeg.startswith(b"\xff\xd8")
            assert json.loads(seen)["picture"] == picture.picture
    names = {path.name for path in (tmp_path / "evidence").iterdir()}
    assert len(names) == 12
    assert (tmp_path / "evidence").stat().st_mode & 0o077 == 0  # for nobody else's eyes


def test_the_same_picture_is_kept_once(keep: Callable[..., FolderKeeper], game: Game) -> None:
    keeper, glimpse = keep(), game.glimpses[0][0]
    keeper.before(glimpse)
    keeper.turn(1, glimpse)
    (photographed,) = told(keeper)
    assert photographed.before == photographed.after
    assert len(list(Path(keeper.name).iterdir())) == 2


def test_a_picture_that_nobody_has_is_none(keep: Callable[..., FolderKeeper], game: Game) -> None:
    keeper, (before, after) = keep(), game.glimpses[0]
    keeper.turn(1, after)
    keeper.before(before)
    keeper.before(None)
    keeper.turn(2, None)
    first, second = told(keeper)
    assert (first.before, first.after is None) == (None, False)
    assert (second.before, second.after) == (None, None)


def test_a_full_disk_is_told_once_and_leaves_no_half_file(
    keep: Callable[..., FolderKeeper], game: Game
) -> None:
    disk = WornDisk()
    keeper, (before, after) = keep(disk=disk), game.glimpses[0]
    disk.fails_with(errno.ENOSPC)
    for number in (1, 2):
        keeper.before(before)
        keeper.turn(number, after)
        assert keeper.wait(PATIENCE_MS)
    (failed,) = keeper.events()
    assert isinstance(failed, EvidenceFailed)
    assert "No space left" in failed.sentence
    assert "games evidence prune" in failed.sentence
    assert list(Path(keeper.name).iterdir()) == []
    disk.fails_with(None)
    keeper.turn(3, after)
    (photographed,) = told(keeper)
    assert (photographed.turn, photographed.after is None) == (3, False)


def test_a_torn_file_of_the_same_picture_is_written_again(
    keep: Callable[..., FolderKeeper], game: Game
) -> None:
    made = developed(game.glimpses[0][1], game.top)
    assert made is not None
    keeper = keep()
    folder = Path(keeper.name)
    folder.mkdir(exist_ok=True)
    (folder / made.picture.names()[0]).write_bytes(made.jpeg[:1000])
    with pytest.raises(BadEvidence, match="not as it was written"):
        read_picture(folder, made.picture)
    keeper.turn(1, game.glimpses[0][1])
    assert told(keeper)[0].after == made.picture
    assert read_picture(folder, made.picture) == (made.jpeg, made.seen)


class HeldDisk(Disk):
    """A disk that does nothing until it is let go."""

    def __init__(self) -> None:
        self.free = threading.Event()

    def sync(self, file: int) -> None:
        assert self.free.wait(PATIENCE_MS / 1000)


def test_a_disk_that_is_too_slow_costs_pictures_and_never_memory_or_time(
    keep: Callable[..., FolderKeeper], game: Game
) -> None:
    disk = HeldDisk()
    keeper, glimpse = keep(disk=disk), game.glimpses[0][0]
    for number in range(1, MOST_WAITING + 10):
        keeper.turn(number, glimpse)
    assert not keeper.wait(0.0)
    disk.free.set()
    events = told(keeper)
    assert sum(isinstance(each, EvidenceFailed) for each in events) == 1
    assert any("too slow" in each.sentence for each in events if isinstance(each, EvidenceFailed))
    assert MOST_WAITING <= sum(isinstance(each, Photographed) for each in events) < 8


def test_a_quota_that_is_full_of_games_that_go_on_costs_pictures_alone(
    keep: Callable[..., FolderKeeper], game: Game, tmp_path: Path
) -> None:
    path = tmp_path / "2026-03-01-1.journal"
    kept_game(path)  # is not over
    big = tmp_path / "evidence" / f"{'e' * 64}.jpg"
    big.write_bytes(b"x" * 10_000_000)
    line = following(None, "evidence", {"picture": "e" * 64}, 0.0)
    (tmp_path / "other.journal").write_text(json.dumps(line.body))
    keeper = keep(settings={"quota_mb": 10})
    keeper.turn(1, replace_pixels(game.glimpses[0][0]))
    failed = told(keeper)[-1]
    assert isinstance(failed, EvidenceFailed)
    assert "quota is 10 MB; raise referee.evidence.quota_mb" in failed.sentence
    assert big.exists()


def replace_pixels(glimpse: Glimpse) -> Glimpse:
    """Another picture of the same."""
    frame = replace(glimpse.frame, bgr=None)
    return replace(glimpse, frame=frame)


def test_what_is_past_its_time_is_removed_when_a_game_begins_and_that_is_said(
    keep: Callable[..., FolderKeeper], tmp_path: Path
) -> None:
    path = tmp_path / "2026-03-01-1.journal"
    kept_game(path)
    later_s = path.stat().st_mtime + 91 * 86_400
    (remark,) = told(keep(now_s=lambda: later_s))
    assert isinstance(remark, DeviceRemark)
    assert remark.sentence.startswith("pictures removed (")
    assert "1 game past their time" in remark.sentence
    assert list((tmp_path / "evidence").iterdir()) == []
    assert path.exists()


def test_without_a_referee_nothing_is_kept(game: Game) -> None:
    keeper = no_evidence()
    keeper.before(game.glimpses[0][0])
    keeper.turn(1, game.glimpses[0][1])
    assert keeper.wait(0.0)
    assert keeper.events() == []
    keeper.close()


def test_a_keeper_that_is_closed_has_kept_all_that_was_asked_for(
    keep: Callable[..., FolderKeeper], game: Game
) -> None:
    keeper = keep()
    for number, (before, after) in enumerate(game.glimpses, start=1):
        keeper.before(before)
        keeper.turn(number, after)
    keeper.close()
    keeper.turn(9, None)
    assert [each.turn for each in told(keeper)] == [1, 2, 3]
