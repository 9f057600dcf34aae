"""`laserboard bench latency`: measures every stage from frame to light; the sum is the total."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import pytest

from controller.benchmarks import latency
from controller.benchmarks.latency import STAGES, LatencyBenchmark, LatencySample, SettledFrame
from controller.devices.factory.clocks import system_clock
from controller.session.state import Phase
from controller.simulation.hands import SimulationFailed
from tests.support.cli import Laserboard
from vision.settling import Settled

PLACES = ("frame", *(end for _, _, end in STAGES))


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Benchmarks set one thread, and tests need not wait until the guide's light has settled."""
    before = cv2.getNumThreads()
    monkeypatch.setattr(latency, "GUIDE_LIGHT_MS", 0.0)
    yield
    cv2.setNumThreads(before)


@pytest.fixture(scope="module")
def bench() -> Iterator[LatencyBenchmark]:
    bench = LatencyBenchmark("demo-10x8", system_clock())
    yield bench
    bench.instruments.leds.close()


@pytest.fixture(scope="module")
def settled_frames(
    bench: LatencyBenchmark, tmp_path_factory: pytest.TempPathFactory
) -> list[SettledFrame]:
    return asyncio.run(bench.record_game(2, tmp_path_factory.mktemp("game") / "game.journal"))


# -- the game ----------------------------------------------------------------------------------


def test_the_recorded_state_is_from_before_the_table_settled(
    settled_frames: list[SettledFrame],
) -> None:
    """Only then is all the work still to be done."""
    assert len(settled_frames) == 2
    for settled_frame in settled_frames:
        session = settled_frame.session
        assert session.phase is Phase.TURN
        assert session.turn.fire_requested
        assert session.table.settled is None
        assert session.position == settled_frame.turn.before
    first, second = settled_frames
    assert second.session.position == first.turn.after


def test_the_recorded_frame_settles_the_table(settled_frames: list[SettledFrame]) -> None:
    for settled_frame in settled_frames:
        reader = latency._MarkedReader(settled_frame.reader_state, lambda _: None)
        seen = reader.read(settled_frame.grey)
        later_ms = round(settled_frame.session.table.last_frame_ms or 0) + 1000
        _, report = settled_frame.session.table.settle_detector.update(seen, later_ms)
        assert isinstance(report, Settled)


# -- replay ------------------------------------------------------------------------------------


def test_the_stages_occur_in_order_and_end_with_the_lit_beam(
    bench: LatencyBenchmark, settled_frames: list[SettledFrame], tmp_path: Path
) -> None:
    samples = asyncio.run(bench.replay_frames(settled_frames, 1, tmp_path))
    assert len(samples) == len(settled_frames)
    lap = bench.instruments.stopwatch.lap
    assert tuple(sorted(lap, key=lambda place: lap[place].wall_ms)) == PLACES
    assert bench.instruments.stopwatch.beam_pictures[0].any()
    lines = (tmp_path / "0.journal").read_text("utf-8").splitlines()
    assert len(lines) == 1 + len(settled_frames)


def test_another_turn_from_the_same_frame_is_an_error(
    bench: LatencyBenchmark, settled_frames: list[SettledFrame], tmp_path: Path
) -> None:
    first, second = settled_frames
    with pytest.raises(SimulationFailed, match="another turn"):
        asyncio.run(bench.replay_frames([replace(first, turn=second.turn)], 1, tmp_path))


def test_cpu_time_excludes_only_the_sync() -> None:
    """Wall time counts by tens, CPU time by ones; the sync used 0.25 of its 1."""
    lap = {place: (10.0 * number, 1.0 * number) for number, place in enumerate(PLACES)}
    sample = LatencySample.from_lap(lap, 0.25, 30.0)
    assert sample.total_wall_ms == 70
    assert sample.total_cpu_ms == 7 - 0.25
    assert sample.cpu_ms["sync"] == 0.25
    assert sample.cpu_ms["loop"] == 1 + 0.75


# -- report ------------------------------------------------------------------------------------


def test_the_command_prints_stages_ratio_and_calls(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latency, "ROUNDS", 1)
    out = laserboard.prints("bench", "latency", "--board", "full-10x8", "--turns", "1")
    head, *lines = out.splitlines()
    assert head.startswith("full-10x8: 720 LEDs, 1 turn, each settled frame handed over 1 time")
    table = {row[0]: row[1:] for row in _rows(lines)}
    names = [part for part, _, _ in STAGES]
    assert list(table)[1:9] == [*names, "all"]
    walls = [float(table[name][1]) for name in names]
    assert float(table["all"][1]) == pytest.approx(sum(walls), abs=0.05)
    ratio = re.search(r"sync: ([\d.]+) ms, ([\d.]+) of one detectMarkers .* \(([\d.]+) ms\)", out)
    assert ratio is not None, out
    ours, share, theirs = map(float, ratio.groups())
    assert ours == float(table["all"][0])
    assert share == pytest.approx(ours / theirs, abs=0.01)
    assert "BeamsShown, firing" in table
    assert "render" in table


def _rows(lines: list[str]) -> Iterator[list[str]]:
    for line in lines:
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split("|")]
