"""From configuration to objects: the only package that imports concrete devices.

Devices are imported when they are asked for: OpenCV alone takes longer to load than most commands
take to run.
"""

from __future__ import annotations

from controller.devices.clock import JumpyClock, SteppedClock, SystemClock
from controller.ports import Clock
from controller.wiring.cameras import (
    DEFAULT_BOARD,
    camera_over,
    find_cameras,
    no_camera,
    open_camera,
    open_eyes,
    simulated_table,
)
from controller.wiring.event import hall_memory, herald_of, listen, send_results
from controller.wiring.lamps import (
    board_counts,
    faults_around,
    find_ports,
    full_frame,
    open_bare_board,
    open_instruments,
    open_leds,
    open_peer,
    simulated_leds,
    simulated_world,
)
from controller.wiring.people import (
    direct_player,
    open_buttons,
    open_engine,
    open_play_keys,
    open_player,
    open_program,
    open_speaker,
    open_voice,
)
from controller.wiring.records import (
    OpenFile,
    journal_at,
    new_journal,
    no_evidence,
    open_evidence,
    today,
    wall_clock,
    wall_seconds,
)
from controller.wiring.service import is_service, open_supervisor
from controller.wiring.workshop import render_parts

OWN_BOARD = "laserboard.yaml"  # what `laserboard init` writes
BOARD_VARIABLE = "LASERBOARD_BOARD"  # of the environment: names another; `laserboard-service` does

__all__ = [
    "BOARD_VARIABLE",
    "DEFAULT_BOARD",
    "OWN_BOARD",
    "OpenFile",
    "board_counts",
    "camera_over",
    "direct_player",
    "faults_around",
    "find_cameras",
    "find_ports",
    "full_frame",
    "hall_memory",
    "herald_of",
    "is_service",
    "journal_at",
    "jumpy",
    "listen",
    "new_journal",
    "no_camera",
    "no_evidence",
    "open_bare_board",
    "open_buttons",
    "open_camera",
    "open_engine",
    "open_evidence",
    "open_eyes",
    "open_instruments",
    "open_leds",
    "open_peer",
    "open_play_keys",
    "open_player",
    "open_program",
    "open_speaker",
    "open_supervisor",
    "open_voice",
    "render_parts",
    "send_results",
    "simulated_leds",
    "simulated_table",
    "simulated_world",
    "stepped_clock",
    "system_clock",
    "today",
    "wall_clock",
    "wall_seconds",
]


def system_clock() -> Clock:
    return SystemClock()


def stepped_clock() -> Clock:
    """Time that passes only by waiting."""
    return SteppedClock()


def jumpy(clock: Clock) -> JumpyClock:
    """The same clock, which can be made to leap."""
    return JumpyClock(clock)
