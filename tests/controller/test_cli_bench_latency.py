"""`laserboard bench latency`: the whole way from frame to light is walked, and adds up."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from controller.bench import latency
from controller.bench.latency import PARTS, Bench, Settling, Way
from controller.session_values import Phase
from controller.simulated.hands import Unexpected
from controller.wiring import system_clock
from tests.controller.cli import Laserboard
from vision.steady import Settled

PLACES = ("frame", *(end for _, _, end in PARTS))


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One thread is for benchmarks only, and nobody waits for the light to be calm here."""
    before = cv2.getNumThreads()
    monkeypatch.setattr(latency, "REST_MS", 0.0)
    yield
    cv2.setNumThreads(before)


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    bench = Bench("demo-10x8", system_clock())
    yield bench
    bench.instruments.leds.close()


@pytest.fixture(scope="module")
def settlings(bench: Bench, tmp_path_factory: pytest.TempPathFactory) -> list[Settling]:
    return asyncio.run(bench.story(2, tmp_path_factory.mktemp("story") / "game.journal"))


# -- the game ----------------------------------------------------------------------------------


def test_what_is_kept_is_the_moment_before_the_table_settled(settlings: list[Settling]) -> None:
    """Only then all the work is still to be done."""
    assert len(settlings) == 2
    for settling in settlings:
        session = settling.session
        assert session.phase is Phase.TURN
        assert session.fire_wanted
        assert session.settled is None
        assert session.position == settling.turn.before
    first, second = settlings
    assert second.session.position == first.turn.after


def test_the_frame_that_is_kept_settles_it(settlings: list[Settling]) -> None:
    for settling in settlings:
        reader = latency._MarkedReader(settling.reader, lambda _: None)
        seen = reader.read(settling.grey)
        later_ms = round(settling.session.seen_ms or 0) + 1000
        _, report = settling.session.steady.watch(seen, later_ms)
        assert isinstance(report, Settled)


# -- the way -----------------------------------------------------------------------------------


def test_light_comes_after_all_else_and_is_light(
    bench: Bench, settlings: list[Settling], tmp_path: Path
) -> None:
    ways = asyncio.run(bench.again(settlings, 1, tmp_path))
    assert len(ways) == len(settlings)
    lap = bench.instruments.watch.lap
    assert tuple(sorted(lap, key=lambda place: lap[place].wall_ms)) == PLACES
    assert bench.instruments.watch.beams[0].any()
    lines = (tmp_path / "0.journal").read_text("utf-8").splitlines()
    assert len(lines) == 1 + len(settlings)


def test_another_turn_from_the_same_frame_is_an_error(
    bench: Bench, settlings: list[Settling], tmp_path: Path
) -> None:
    first, second = settlings
    with pytest.raises(Unexpected, match="another turn"):
        asyncio.run(bench.again([replace(first, turn=second.turn)], 1, tmp_path))


def test_the_sync_alone_is_left_out_of_the_work() -> None:
    """Wall time counts by tens, CPU time by ones; the sync worked for 0.25 of its 1."""
    lap = {place: (10.0 * number, 1.0 * number) for number, place in enumerate(PLACES)}
    way = Way.of(lap, 0.25, 30.0)
    assert way.total_wall_ms == 70
    assert way.total_cpu_ms == 7 - 0.25
    assert way.cpu_ms["sync"] == 0.25
    assert way.cpu_ms["loop"] == 1 + 0.75


# -- what is printed ---------------------------------------------------------------------------


def test_the_command_tells_parts_ratio_and_calls(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latency, "ROUNDS", 1)
    out = laserboard.prints("bench", "latency", "--board", "full-10x8", "--turns", "1")
    head, *lines = out.splitlines()
    assert head.startswith("full-10x8: 720 LEDs, 1 turn, each settled frame handed over 1 time")
    table = {row[0]: row[1:] for row in _rows(lines)}
    names = [part for part, _, _ in PARTS]
    assert list(table)[1:9] == [*names, "all"]
    walls = [float(table[name][1]) for name in names]
    assert float(table["all"][1]) == pytest.approx(sum(walls), abs=0.05)
    ratio = re.search(r"sync: ([\d.]+) ms, ([\d.]+) of one detectMarkers .* \(([\d.]+) ms\)", out)
    assert ratio is not None, out
    ours, share, theirs = map(float, ratio.groups())
    assert ours == float(table["all"][0])
    assert share == pytest.approx(ours / theirs, abs=0.01)
    assert "Shown, firing" in table
    assert "shine" in table


def _rows(lines: list[str]) -> Iterator[list[str]]:
    for line in lines:
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split("|")]
