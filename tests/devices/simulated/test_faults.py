"""Fault injection on the devices of a simulated table."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from controller.config.addresses.camera import SimulatedCameraAddress
from controller.devices import sentences
from controller.devices.clock import JumpingClock, ManualClock, SystemClock
from controller.devices.factory.cameras import simulated_table
from controller.devices.leds.live import MatrixSettings
from controller.devices.leds.serial_link import ANSWER_TIMEOUT_MS
from controller.devices.leds.simulated import (
    HEALTHY_TIMEOUT_MS,
    CableFaults,
    SimulatedLeds,
    SimulatedMatrix,
)
from controller.devices.simulated.faults import SLOW_SYNC_MS, TableFaults, UnknownFault
from controller.ports.events import WriteFailed
from controller.session.journal import recover
from tests.support.devices.led_peers import eventually
from tests.support.engine.sentences import raises


@pytest.fixture
def faults() -> TableFaults:
    return TableFaults(simulated_table(SimulatedCameraAddress()))


@pytest.mark.parametrize(
    ("fault", "reason"),
    [("the disk is full", "No space left"), ("the disk is read-only", "Read-on")],
)
def test_a_failed_write_succeeds_after_the_disk_fault_ends(
    faults: TableFaults, tmp_path: Path, fault: str, reason: str
) -> None:
    path = tmp_path / "a.journal"
    journal, entries = faults.open_journal(path, ManualClock(), lambda: None)
    assert entries == ()
    assert journal.wait(journal.write("game", {}, 0.0), 10_000)
    faults.inject_fault(fault)
    second = journal.write("turn", {"moves": "j4j3" * 20}, 1.0)
    assert not journal.wait(second, 10_000)
    (failed,) = [each for each in journal.events() if isinstance(each, WriteFailed)]
    assert reason in str(failed.sentence)
    assert recover(path.read_bytes()).damaged_tail is None, "no half line is left behind"
    faults.inject_fault("the disk has room again")
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
def test_a_lost_camera_takes_no_pictures_until_it_is_back(
    faults: TableFaults, wrong: str, right: str
) -> None:
    assert not faults.camera_blind
    faults.inject_fault(wrong)
    assert faults.camera_blind
    faults.inject_fault(right)
    assert not faults.camera_blind


def test_an_unknown_fault_is_refused(faults: TableFaults) -> None:
    with raises(UnknownFault, sentences.NO_SUCH_FAULT(name="the table is on fire")):
        faults.inject_fault("the table is on fire")
    with raises(UnknownFault, sentences.NO_CABLE()):
        faults.inject_fault("the LED cable is pulled")


def test_the_answer_timeout_is_shorter_over_a_bad_cable(faults: TableFaults) -> None:
    settings = MatrixSettings((3,))
    with closing(
        SimulatedLeds(SimulatedMatrix(), settings, SystemClock(), HEALTHY_TIMEOUT_MS)
    ) as leds:
        faults.leds = leds
        assert leds.wait(leds.show(np.zeros((3, 3), np.uint8)), 60_000)
        faults.inject_fault("the LED cable goes bad PERCENT", 5.0)
        assert leds.link.answer_timeout_ms == ANSWER_TIMEOUT_MS
        assert leds.matrix.faults.drop == 0.05
        faults.inject_fault("the LED cable is sound again")
        assert leds.link.answer_timeout_ms == HEALTHY_TIMEOUT_MS
        assert leds.matrix.faults == CableFaults()


def begins_to_sync(faults: TableFaults) -> None:
    """Wait until the writer thread is in the slow sync."""
    eventually(lambda: faults.disk.is_delaying, "a sync that takes its time")


def test_a_slow_disk_delays_by_the_clock_of_the_writer(faults: TableFaults, tmp_path: Path) -> None:
    clock = ManualClock()
    journal, _ = faults.open_journal(tmp_path / "a.journal", clock, lambda: None)
    faults.inject_fault("the disk is slow")
    number = journal.write("game", {}, 0.0)
    begins_to_sync(faults)
    assert not journal.wait(number, 50)
    clock.wait_ms(SLOW_SYNC_MS)
    assert journal.wait(number, 10_000)
    assert not faults.disk.is_delaying
    later = journal.write("turn", {}, 1.0)
    begins_to_sync(faults)
    assert not journal.wait(later, 50)
    faults.inject_fault("the disk is quick again")
    assert journal.wait(later, 10_000), "also what had begun while it was slow"
    journal.close()


def unsynced(faults: TableFaults, path: Path) -> None:
    """One entry is synced, another only written, when the power goes off."""
    journal, _ = faults.open_journal(path, ManualClock(), lambda: None)
    assert journal.wait(journal.write("game", {}, 0.0), 10_000)
    faults.inject_fault("the disk is slow")
    number = journal.write("turn", {"moves": "j4j3"}, 1.0)
    begins_to_sync(faults)
    assert not journal.wait(number, 50)
    faults.disk.power_off()
    journal.close()


def test_a_killed_program_leaves_the_written_bytes(faults: TableFaults, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    unsynced(faults, path)
    found = recover(path.read_bytes())
    assert (len(found.entries), found.damaged_tail) == (2, None)


def test_a_power_cut_damages_only_unsynced_bytes(faults: TableFaults, tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    unsynced(faults, path)
    faults.corrupt_journal()
    found = recover(path.read_bytes())
    assert [each.kind for each in found.entries] == ["game"]
    assert found.damaged_tail is not None
    assert found.damaged_tail.is_power_cut_tail
    journal, entries = faults.open_journal(path, ManualClock(), lambda: None)
    assert [each.kind for each in entries] == ["game"]
    faults.inject_fault("the disk is quick again")
    assert journal.wait(journal.write("turn", {}, 2.0), 10_000), "the power is back"
    journal.close()


def test_the_clock_jumps_only_forward(faults: TableFaults) -> None:
    with raises(UnknownFault, sentences.CLOCK_FORWARD_ONLY()):
        faults.inject_fault("the clock jumps SECONDS", 5.0)
    faults.clock = JumpingClock(ManualClock())
    faults.inject_fault("the clock jumps SECONDS", 5.0)
    assert faults.clock.now_ms() == 5_000
    with raises(UnknownFault, sentences.CLOCK_FORWARD_ONLY()):
        faults.inject_fault("the clock jumps SECONDS", -1.0)


def test_two_pieces_exchange_their_tags() -> None:
    table = simulated_table(SimulatedCameraAddress())
    one, other = list(table.objects)[:2]
    before = table.objects
    table.swap_tags(one, other)
    assert (table.objects[one].tag, table.objects[other].tag) == (
        before[other].tag,
        before[one].tag,
    )
    assert table.objects[one].piece == before[one].piece, "the bodies stay"
