"""Faults around a simulated table: each happens to the device itself, and can be undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.camera_address import Simulated
from controller.devices.clock import ManualClock
from controller.devices.faults import NoSuchFault, TableFaults
from controller.journal import recover
from controller.ports import WriteFailed
from controller.wiring import simulated_table


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
