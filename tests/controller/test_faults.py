"""Faults around a simulated table: each happens to the device itself, and can be undone."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from controller.camera_address import Simulated
from controller.devices.clock import JumpyClock, ManualClock, SystemClock
from controller.devices.faults import SLOW_MS, NoSuchFault, TableFaults
from controller.devices.leds import MatrixSettings
from controller.devices.leds_serial import PATIENCE_MS
from controller.devices.leds_sim import SOUND_MS, Faults, SimulatedLeds, SimulatedMatrix
from controller.journal import recover
from controller.ports import WriteFailed
from controller.wiring import simulated_table
from tests.contracts.led_peers import eventually


@pytest.fixture
def faults() -> TableFaults:
    return TableFaults(simulated_table(Simulated()))


@pytest.mark.parametrize(
    ("fault", "told"), [("the disk is full", "No space left"), ("the disk is read-only", "Read-on")]
)
def test_a_disk_that_failed_takes_everything_when_it_has_room_again(
    faults: TableFaults, tmp_path: Path, fault: str, told: str
) -> None:
    path = tmp_path / "a.journal"
    journal, entries = faults.journal_at(path, ManualClock(), lambda: None)
    assert entries == ()
    assert journal.wait(journal.write("game", {}, 0.0), 10_000)
    faults.happen(fault)
    second = journal.write("turn", {"moves": "j4j3" * 20}, 1.0)
    assert not journal.wait(second, 10_000)
    (failed,) = [each for each in journal.events() if isinstance(each, WriteFailed)]
    assert told in failed.sentence
    assert recover(path.read_bytes()).torn is None, "no half line is left behind"
    faults.happen("the disk has room again")
    journal.retry()
    assert journal.wait(second, 10_000)
    journal.close()
    assert len(recover(path.read_bytes()).entries) == 2


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("the camera is unplugged", "the camera is plugged in"),
        ("the camera freezes", "the camera goes on"),
    ],
)
def test_a_camera_takes_no_pictures_until_it_does_again(
    faults: TableFaults, wrong: str, right: str
) -> None:
    assert not faults.blind
    faults.happen(wrong)
    assert faults.blind
    faults.happen(right)
    assert not faults.blind


def test_what_is_no_fault_is_refused(faults: TableFaults) -> None:
    with pytest.raises(NoSuchFault, match="the table is on fire"):
        faults.happen("the table is on fire")
    with pytest.raises(NoSuchFault, match="no cable to pull"):
        faults.happen("the LED cable is pulled")


def test_a_driver_waits_less_for_answers_over_a_cable_that_went_bad(faults: TableFaults) -> None:
    settings = MatrixSettings((3,))
    with closing(SimulatedLeds(SimulatedMatrix(), settings, SystemClock(), SOUND_MS)) as leds:
        faults.leds = leds
        assert leds.wait(leds.show(np.zeros((3, 3), np.uint8)), 60_000)
        faults.happen("the LED cable goes bad PERCENT", 5.0)
        assert leds.link.patience_ms == PATIENCE_MS
        assert leds.matrix.faults.drop == 0.05
        faults.happen("the LED cable is sound again")
        assert leds.link.patience_ms == SOUND_MS
        assert leds.matrix.faults == Faults()


def begins_to_sync(faults: TableFaults) -> None:
    """The writer's thread has come as far as the slow disk."""
    eventually(lambda: faults.disk.holds_back, "a sync that takes its time")


def test_a_slow_disk_takes_its_time_by_the_clock_of_whoever_writes(
    faults: TableFaults, tmp_path: Path
) -> None:
    clock = ManualClock()
    journal, _ = faults.journal_at(tmp_path / "a.journal", clock, lambda: None)
    faults.happen("the disk is slow")
    number = journal.write("game", {}, 0.0)
    begins_to_sync(faults)
    assert not journal.wait(number, 50)
    clock.wait_ms(SLOW_MS)
    assert journal.wait(number, 10_000)
    assert not faults.disk.holds_back
    later = journal.write("turn", {}, 1.0)
    begins_to_sync(faults)
    assert not journal.wait(later, 50)
    faults.happen("the disk is quick again")
    assert journal.wait(later, 10_000), "also what had begun while it was slow"
    journal.close()


def unsynced(faults: TableFaults, path: Path) -> None:
    """One entry is written, another was taken and not synced when everything is over."""
    journal, _ = faults.journal_at(path, ManualClock(), lambda: None)
    assert journal.wait(journal.write("game", {}, 0.0), 10_000)
    faults.happen("the disk is slow")
    number = journal.write("turn", {"moves": "j4j3"}, 1.0)
    begins_to_sync(faults)
    assert not journal.wait(number, 50)
    faults.disk.go()
    journal.close()


def test_a_killed_program_leaves_what_the_kernel_has(faults: TableFaults, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    unsynced(faults, path)
    found = recover(path.read_bytes())
    assert (len(found.entries), found.torn) == (2, None)


def test_a_power_cut_tears_what_was_not_synced_and_nothing_else(
    faults: TableFaults, tmp_path: Path
) -> None:
    path = tmp_path / "a.journal"
    unsynced(faults, path)
    faults.tear()
    found = recover(path.read_bytes())
    assert [each.kind for each in found.entries] == ["game"]
    assert found.torn is not None
    assert found.torn.is_tail
    journal, entries = faults.journal_at(path, ManualClock(), lambda: None)
    assert [each.kind for each in entries] == ["game"]
    faults.happen("the disk is quick again")
    assert journal.wait(journal.write("turn", {}, 2.0), 10_000), "the power is back"
    journal.close()


def test_a_clock_leaps_forward_and_never_back(faults: TableFaults) -> None:
    with pytest.raises(NoSuchFault, match="only where one runs"):
        faults.happen("the clock jumps SECONDS", 5.0)
    faults.clock = JumpyClock(ManualClock())
    faults.happen("the clock jumps SECONDS", 5.0)
    assert faults.clock.now_ms() == 5_000
    with pytest.raises(NoSuchFault, match="only forward"):
        faults.happen("the clock jumps SECONDS", -1.0)


def test_two_pieces_wear_each_others_tags() -> None:
    table = simulated_table(Simulated())
    one, other = list(table.things)[:2]
    before = table.things
    table.swap_tags(one, other)
    assert (table.things[one].tag, table.things[other].tag) == (
        before[other].tag,
        before[one].tag,
    )
    assert table.things[one].piece == before[one].piece, "the bodies stay"
