"""Evidence images: cropping, the reading beside them, and writing to disk."""

from __future__ import annotations

import errno
import json
import os
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

from controller.config.referee import EvidenceSettings
from controller.devices import sentences
from controller.devices.evidence_writer import MAX_QUEUED, FolderEvidenceWriter
from controller.devices.factory.clocks import stepped_clock
from controller.devices.journal_file import Disk
from controller.devices.simulated.faulty_disk import FaultyDisk
from controller.ports.events import DeviceRemark
from controller.ports.frames import CapturedFrame
from controller.session.evidence import (
    BadEvidence,
    EvidenceCaptured,
    EvidenceFailed,
    EvidenceImage,
    evidence_body,
    iter_evidence,
    read_evidence,
)
from controller.session.journal import next_entry
from controller.storage.evidence_files import read_evidence_file
from controller.storage.evidence_image import encode_evidence
from controller.storage.evidence_overlay import overlay_svg, parse_reading
from controller.storage.sentences import IMAGE_CHANGED, ONE_EXPIRED_GAME, PRUNED
from engine.sentences import plain
from tests.support.engine.sentences import mentions, raises
from tests.support.play.evidence_games import Game, kept_game, played_game
from vision.observation import CellState, Problem, ProblemKind
from vision.reader import Reader

# A busy machine draws examples slowly.
PATIENTLY = trying(deadline=None, suppress_health_check=[HealthCheck.too_slow])

TIMEOUT_MS = 30_000.0

hashes = st.text("0123456789abcdef", min_size=64, max_size=64)
images = st.none() | st.builds(EvidenceImage, hashes, hashes)


@pytest.fixture(scope="module")
def game() -> Game:
    return played_game()


@pytest.fixture
def keep(tmp_path: Path, game: Game) -> Iterator[Callable[..., FolderEvidenceWriter]]:
    """Makes writers that are closed at the end."""
    opened: list[FolderEvidenceWriter] = []

    def keep(**different: Any) -> FolderEvidenceWriter:
        settings = EvidenceSettings(**different.pop("settings", {}))
        keeper = FolderEvidenceWriter(
            tmp_path / "evidence", game.top, settings, stepped_clock(), **different
        )
        opened.append(keeper)
        return keeper

    yield keep
    for each in opened:
        each.close()


def reported(keeper: FolderEvidenceWriter) -> list[Any]:
    assert keeper.wait(TIMEOUT_MS)
    return list(keeper.events())


# -- in the journal ------------------------------------------------------------------------------


@PATIENTLY
@given(st.builds(EvidenceCaptured, st.integers(1, 999), images, images, st.just(0.0)))
def test_evidence_entries_round_trip(
    photographed: EvidenceCaptured,
) -> None:
    entry = next_entry(None, "evidence", evidence_body(photographed), 0.0)
    assert list(iter_evidence([entry])) == [photographed]


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
def test_an_entry_with_invalid_image_links_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(BadEvidence):
        read_evidence(body)


# -- one image ---------------------------------------------------------------------------------


def test_the_image_is_cropped_to_the_board(game: Game) -> None:
    captured = game.captures[0][0]
    made = encode_evidence(captured, game.top)
    assert made is not None
    image = cv2.imdecode(np.frombuffer(made.jpeg, np.uint8), cv2.IMREAD_COLOR)
    seen = json.loads(made.reading)
    assert image is not None
    assert (image.shape[1], image.shape[0]) == (seen["width"], seen["height"])
    wide = captured.frame.grey.shape[1]
    assert seen["width"] < 0.8 * wide
    left, upper = seen["cut_from"]
    assert captured.frame.bgr is not None
    whole = captured.frame.bgr[upper : upper + seen["height"], left : left + seen["width"]]
    assert np.abs(whole.astype(int) - image).mean() < 4
    for corner in seen["corners"]:
        assert corner["found"]
        for x, y in corner["outline"]:
            assert 0 < x < seen["width"]
            assert 0 < y < seen["height"]


def test_a_stored_image_reads_the_same_as_its_frame(game: Game) -> None:
    for captured in (each for pair in game.captures for each in pair):
        made = encode_evidence(captured, game.top)
        assert made is not None
        grey = cv2.imdecode(np.frombuffer(made.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
        again = Reader(game.top.board, game.top.pieces_by_tag).read(np.asarray(grey, np.uint8))
        meanings = game.top.pieces_by_tag
        assert again.pieces(meanings) == captured.observation.pieces(meanings)


def test_the_reading_has_each_cell_with_its_outline_in_the_image(game: Game) -> None:
    captured, top = game.captures[0][1], game.top
    made = encode_evidence(captured, top)
    assert made is not None
    seen, grid = json.loads(made.reading), top.board.grid
    assert seen["picture"] == made.image.image_hash == sha256(made.jpeg).hexdigest()
    assert [each["cell"] for each in seen["cells"]] == [grid.name(c) for c in range(grid.size)]
    pieces = captured.observation.pieces(top.pieces_by_tag)
    assert captured.lock is not None
    for cell, each in enumerate(seen["cells"]):
        sighting = captured.observation.sightings[cell]
        assert each["state"] == sighting.state.value
        assert each["confidence"] == pytest.approx(sighting.confidence, abs=0.001)
        centre = (
            captured.lock.camera.project(
                np.array([top.board.centre_mm(cell)]), top.board.cap_height_mm
            )[0]
            - seen["cut_from"]
        )
        assert np.mean(each["outline"], axis=0) == pytest.approx(centre, abs=1.5)
        if sighting.state is CellState.OCCUPIED:
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


def test_the_stored_reading_can_be_drawn(game: Game) -> None:
    made = encode_evidence(game.captures[0][0], game.top)
    assert made is not None
    drawn = overlay_svg(parse_reading(made.reading), game.top.game.players)
    for name in ("j4", "c5", "e1", "a1"):
        assert f'data-cell="{name}"' in drawn
    assert drawn.count('class="occupied"') == len(
        game.captures[0][0].observation.pieces(game.top.pieces_by_tag)
    )


def test_an_unknown_tag_and_a_problem_are_stored(game: Game) -> None:
    captured, cell = game.captures[0][0], game.top.board.grid.cell("e1")
    king = replace(captured.observation.sightings[cell], tag=40)
    sightings = [*captured.observation.sightings]
    sightings[cell] = king
    problem = Problem(ProblemKind.FOREIGN, plain("tag 40 on e1 is of no piece"), (cell,), (40,))
    seen = replace(captured.observation, sightings=tuple(sightings), problems=(problem,))
    made = encode_evidence(replace(captured, observation=seen), game.top)
    assert made is not None
    reported = json.loads(made.reading)
    assert (reported["cells"][cell]["tag"], reported["cells"][cell]["piece"]) == (40, None)
    assert reported["problems"] == [
        {
            "trouble": "foreign tag",
            "sentence": "tag 40 on e1 is of no piece",
            "sentence_key": "text.plain",
            "slots": {"text": "tag 40 on e1 is of no piece"},
            "cells": ["e1"],
            "tags": [40],
        }
    ]


def test_an_image_without_a_board_is_not_stored(game: Game) -> None:
    captured = game.captures[0][0]
    assert encode_evidence(replace(captured, lock=None), game.top) is None
    assert (
        encode_evidence(
            replace(captured, observation=replace(captured.observation, locked=False)), game.top
        )
        is None
    )


def read_image_files(folder: Path, image: EvidenceImage) -> tuple[bytes, ...]:
    """The JPEG image and the JSON reading."""
    return tuple(read_evidence_file(folder, name) for name in image.file_names())


# -- the keeper ----------------------------------------------------------------------------------


def test_images_of_a_turn_are_stored_under_their_hash(tmp_path: Path) -> None:
    for each in kept_game(tmp_path / "game.journal"):
        assert each.before != each.after
        for image in each.images:
            jpeg, seen = read_image_files(tmp_path / "evidence", image)
            assert jpeg.startswith(b"\xff\xd8")
            assert json.loads(seen)["picture"] == image.image_hash
    names = {path.name for path in (tmp_path / "evidence").iterdir()}
    assert len(names) == 12
    assert (tmp_path / "evidence").stat().st_mode & 0o077 == 0  # only for the owner


def test_equal_images_are_stored_once(
    keep: Callable[..., FolderEvidenceWriter], game: Game
) -> None:
    keeper, captured = keep(), game.captures[0][0]
    keeper.capture_before(captured)
    keeper.capture_turn(1, captured)
    (photographed,) = reported(keeper)
    assert photographed.before == photographed.after
    assert len(list(Path(keeper.name).iterdir())) == 2


def test_a_missing_frame_gives_no_image(
    keep: Callable[..., FolderEvidenceWriter], game: Game
) -> None:
    keeper, (before, after) = keep(), game.captures[0]
    keeper.capture_turn(1, after)
    keeper.capture_before(before)
    keeper.capture_before(None)
    keeper.capture_turn(2, None)
    first, second = reported(keeper)
    assert (first.before, first.after is None) == (None, False)
    assert (second.before, second.after) == (None, None)


def test_a_full_disk_is_reported_once_and_leaves_no_partial_file(
    keep: Callable[..., FolderEvidenceWriter], game: Game
) -> None:
    disk = FaultyDisk()
    keeper, (before, after) = keep(disk=disk), game.captures[0]
    disk.fail_with(errno.ENOSPC)
    for number in (1, 2):
        keeper.capture_before(before)
        keeper.capture_turn(number, after)
        assert keeper.wait(TIMEOUT_MS)
    (failed,) = keeper.events()
    assert isinstance(failed, EvidenceFailed)
    assert failed.sentence == sentences.NO_TURN_IMAGE(
        reason=os.strerror(errno.ENOSPC), remedy=sentences.MAKE_ROOM_FOR_IMAGES()
    )
    assert list(Path(keeper.name).iterdir()) == []
    disk.fail_with(None)
    keeper.capture_turn(3, after)
    (photographed,) = reported(keeper)
    assert (photographed.turn, photographed.after is None) == (3, False)


def test_a_torn_file_of_the_same_image_is_written_again(
    keep: Callable[..., FolderEvidenceWriter], game: Game
) -> None:
    made = encode_evidence(game.captures[0][1], game.top)
    assert made is not None
    keeper = keep()
    folder = Path(keeper.name)
    folder.mkdir(exist_ok=True)
    (folder / made.image.file_names()[0]).write_bytes(made.jpeg[:1000])
    with raises(BadEvidence, IMAGE_CHANGED(folder=str(folder), name=made.image.file_names()[0])):
        read_image_files(folder, made.image)
    keeper.capture_turn(1, game.captures[0][1])
    assert reported(keeper)[0].after == made.image
    assert read_image_files(folder, made.image) == (made.jpeg, made.reading)


class FullDisk(Disk):
    """A disk whose write accepts no byte."""

    def write(self, file: int, content: bytes) -> int:
        return 0


def test_a_disk_that_accepts_nothing_is_reported_in_a_sentence(
    keep: Callable[..., FolderEvidenceWriter], game: Game
) -> None:
    keeper = keep(disk=FullDisk())
    keeper.capture_turn(1, game.captures[0][1])
    (failed,) = reported(keeper)
    assert failed.sentence == sentences.NO_TURN_IMAGE(
        reason=sentences.DISK_ACCEPTS_NOTHING(),
        remedy=sentences.CORRECT_IMAGE_FOLDER(folder=keeper.name),
    )


class HeldDisk(Disk):
    """A disk whose sync blocks until `go` is set."""

    def __init__(self) -> None:
        self.free = threading.Event()

    def sync(self, file: int) -> None:
        assert self.free.wait(TIMEOUT_MS / 1000)


def test_a_slow_disk_drops_images_without_blocking(
    keep: Callable[..., FolderEvidenceWriter], game: Game
) -> None:
    disk = HeldDisk()
    keeper, captured = keep(disk=disk), game.captures[0][0]
    for number in range(1, MAX_QUEUED + 10):
        keeper.capture_turn(number, captured)
    assert not keeper.wait(0.0)
    disk.free.set()
    events = reported(keeper)
    assert sum(isinstance(each, EvidenceFailed) for each in events) == 1
    assert any(
        mentions(each.sentence, sentences.DISK_TOO_SLOW)
        for each in events
        if isinstance(each, EvidenceFailed)
    )
    assert MAX_QUEUED <= sum(isinstance(each, EvidenceCaptured) for each in events) < 8


def test_a_quota_full_of_unfinished_games_drops_only_new_images(
    keep: Callable[..., FolderEvidenceWriter], game: Game, tmp_path: Path
) -> None:
    path = tmp_path / "2026-03-01-1.journal"
    kept_game(path)  # a game in progress
    big = tmp_path / "evidence" / f"{'e' * 64}.jpg"
    big.write_bytes(b"x" * 10_000_000)
    line = next_entry(None, "evidence", {"picture": "e" * 64}, 0.0)
    (tmp_path / "other.journal").write_text(json.dumps(line.body))
    keeper = keep(settings={"quota_mb": 10})
    keeper.capture_turn(1, replace_pixels(game.captures[0][0]))
    failed = reported(keeper)[-1]
    assert isinstance(failed, EvidenceFailed)
    assert failed.sentence.key == sentences.QUOTA_EXCEEDED.key
    assert failed.sentence.slots["quota_mb"] == 10
    assert big.exists()


def replace_pixels(captured: CapturedFrame) -> CapturedFrame:
    """The same frame with other pixels."""
    frame = replace(captured.frame, bgr=None)
    return replace(captured, frame=frame)


def test_expired_images_are_removed_at_the_start_with_a_remark(
    keep: Callable[..., FolderEvidenceWriter], tmp_path: Path
) -> None:
    path = tmp_path / "2026-03-01-1.journal"
    kept_game(path)
    later_s = path.stat().st_mtime + 91 * 86_400
    (remark,) = reported(keep(now_s=lambda: later_s))
    assert isinstance(remark, DeviceRemark)
    assert remark.sentence.key == PRUNED.key
    assert mentions(remark.sentence, ONE_EXPIRED_GAME(count=1))
    assert list((tmp_path / "evidence").iterdir()) == []
    assert path.exists()


def test_closing_writes_all_queued_images(
    keep: Callable[..., FolderEvidenceWriter], game: Game
) -> None:
    keeper = keep()
    for number, (before, after) in enumerate(game.captures, start=1):
        keeper.capture_before(before)
        keeper.capture_turn(number, after)
    keeper.close()
    keeper.capture_turn(9, None)
    assert [each.turn for each in reported(keeper)] == [1, 2, 3]
