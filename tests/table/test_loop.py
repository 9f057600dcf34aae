"""The loop: effects, events of devices, and errors."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from controller.devices.sentences import SIMULATED_CAMERA_UNPLUGGED
from controller.ports.events import DeviceLost, Pressed, Signal
from controller.session import sentences
from controller.session.events import Request, Requested
from controller.session.journal import recover
from controller.session.replay import TURN, replay
from controller.session.setup import Seat
from controller.session.state import Phase
from controller.simulation.hands import SimulationFailed
from controller.table.loop import Devices, Loop, running_loop
from engine.sentences import plain
from tests.support.engine.sentences import mentions
from tests.support.play.simulated_rigs import Table


def first_turn(table: Table) -> Any:
    """The turn `j4j3` from the starting position."""
    game, position = table.plan.setup.game, table.plan.setup.first_position()
    return game.resolve(position, {0: game.read_move(position, 0, "j4j3")})


def entries(table: Table) -> list[str]:
    assert table.journal_opener.path is not None
    return [entry.kind for entry in recover(table.journal_opener.path.read_bytes()).entries]


def test_a_turn_is_on_the_disk_before_its_beam_is_lit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path)
    written: list[list[str]] = []

    async def play() -> None:
        async with table.set_up() as simulation:
            lights = simulation.loop.devices.lights
            fire = lights.show_beams

            def observed(*args: Any) -> None:
                written.append(entries(table))
                fire(*args)

            monkeypatch.setattr(lights, "show_beams", observed)
            await simulation.hands.make_turn(first_turn(table))
            await simulation.hands.press_fire(0)
            assert written == [["game", TURN]]
            assert simulation.session.phase is Phase.TURN
            assert simulation.session.to_move == (1,)

    asyncio.run(play())


def test_a_power_cut_loses_no_turn_and_the_table_is_compared(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            await simulation.hands.make_turn(first_turn(table))
            await simulation.hands.press_fire(0)
            before = simulation.session.position
            await simulation.cut_power()
            phases = [simulation.session.phase]
            await simulation.hands.wait_settled()
            phases.append(simulation.session.phase)
            assert phases == [Phase.SETTING_UP, Phase.TURN]
            assert simulation.session.position == before
            assert simulation.session.to_move == (1,)

    asyncio.run(play())


def test_the_computer_is_asked_and_its_move_is_carried_out(tmp_path: Path) -> None:
    table = Table(tmp_path, seats=(Seat("Ada"), Seat("computer", 1)))

    async def play() -> None:
        async with table.set_up() as simulation:
            await simulation.hands.make_turn(first_turn(table))
            await simulation.hands.press_fire(0)
            assert simulation.session.phase is Phase.COMPUTER_TO_MOVE
            known = simulation.session.computer.turn
            assert known is not None
            await simulation.hands.make_turn(known)
            await simulation.hands.wait_settled()
            assert simulation.session.history[-1].turn is known

    asyncio.run(play())
    assert table.journal_opener.path is not None
    assert len(replay(recover(table.journal_opener.path.read_bytes()).entries).turns) == 2


def test_a_hint_is_computed_and_announced(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            simulation.loop.dispatch(Requested(Request.HINT, 0, simulation.loop.now_ms()))
            await simulation.loop.wait_until(
                lambda: simulation.session.turn.hinted_turn is not None, 60_000
            )
            assert simulation.session.turn.hinted_turn is not None

    asyncio.run(play())
    assert any(mentions(said, sentences.HINT) for said in table.messages)


def test_a_lost_camera_pauses_the_game_until_it_is_back(tmp_path: Path) -> None:
    table = Table(tmp_path, control="5m")

    async def play() -> None:
        async with table.set_up() as simulation:

            def phase() -> Phase:
                return simulation.session.phase

            def left_ms() -> float | None:
                return simulation.session.clocks.remaining_ms(0, simulation.loop.now_ms())

            table.rig.table.plugged_in = False
            await simulation.loop.wait_until(lambda: phase() is Phase.PAUSED, 20_000)
            left = left_ms()
            await simulation.loop.wait_until(lambda: False, 30_000)
            assert left_ms() == left
            table.rig.table.plugged_in = True
            await simulation.loop.wait_until(lambda: phase() is Phase.TURN, 20_000)
            assert phase() is Phase.TURN

    asyncio.run(play())
    assert any(mentions(said, SIMULATED_CAMERA_UNPLUGGED()) for said in table.messages)


def test_waiting_hands_get_the_error_that_ended_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            monkeypatch.setattr(simulation.loop.devices.lights, "render", _broken)
            with pytest.raises(SimulationFailed, match="the camera gives no image"):
                await simulation.hands.wait_frames(3)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(play())


def _broken(*_: object) -> bool:
    raise ZeroDivisionError


def _drain(events: list[Any]) -> list[Any]:
    """Return all events and clear the list."""
    taken = events.copy()
    events.clear()
    return taken


class ClosableDevice:
    """A device that counts calls of `close`, which may fail."""

    def __init__(self, fails: bool = False) -> None:
        self.closed, self.fails = 0, fails

    def close(self) -> None:
        self.closed += 1
        if self.fails:
            raise OSError("gone")


def test_all_devices_are_closed_even_if_one_fails() -> None:
    class Lamp:
        leds = ClosableDevice(fails=True)

    parts: Any = [None, ClosableDevice(), Lamp(), *(ClosableDevice() for _ in range(5)), None]
    devices = Devices(*parts)
    with pytest.raises(OSError, match="gone"):
        devices.close()
    assert [part.closed for part in (parts[1], Lamp.leds, *parts[3:8])] == [1] * 7


def test_buttons_and_remarks_reach_the_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            reported: list[Signal] = []
            devices = simulation.loop.devices
            monkeypatch.setattr(devices.speaker, "play_signal", reported.append)
            pressed = [Pressed("fire 0", simulation.loop.now_ms())]
            monkeypatch.setattr(
                devices.buttons, "pressed", lambda: [pressed.pop()] if pressed else []
            )
            lost = [DeviceLost("gpio://", plain("a wire is off"), 0.0)]
            monkeypatch.setattr(devices.buttons, "events", lambda: _drain(lost))
            await simulation.loop.next_tick()
            assert Signal.WRONG in reported

    asyncio.run(play())
    assert sentences.NO_MOVE() in table.messages
    lost_sentence = sentences.DEVICE_LOST(device="buttons", reason=plain("a wire is off"))
    assert lost_sentence in table.messages


def test_a_stopped_loop_does_not_tick(tmp_path: Path) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        async with table.set_up() as simulation:
            simulation.loop.stop()
            assert not await simulation.loop.next_tick()
            assert not await simulation.loop.wait_until(lambda: False, 1e9)

    asyncio.run(play())


def test_an_error_in_the_loop_is_not_swallowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(tmp_path)

    async def play() -> None:
        devices, entries_on_disk = table.rig.open()
        try:
            loop = Loop(
                table.plan.start_session(entries_on_disk, devices), devices, table.rig.pacing, print
            )
            monkeypatch.setattr(devices.lights, "render", _broken)
            async with running_loop(loop):
                await loop.wait_until(lambda: False, 1e9)
        finally:
            devices.close()

    with pytest.raises(ZeroDivisionError):
        asyncio.run(play())
