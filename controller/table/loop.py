"""The loop of one game: fetches events at 30 Hz, calls `step`, carries out its effects.

Nothing here may block: cameras, journals and computer players work in their own threads and
processes, and each tick fetches their events. Wait with `wait_until` or `next_tick`.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, assert_never

from controller.lighting.renderer import LightRenderer
from controller.ports.buttons import FIRE
from controller.ports.devices import Buttons, Camera, Clock, Journal, MoveChooser, Speaker, Voice
from controller.ports.events import (
    DeviceBack,
    DeviceEvent,
    DeviceLost,
    DeviceRemark,
    JournalEntry,
    PlayerFailed,
    Pressed,
    Written,
)
from controller.ports.frames import BoardReader, Observed
from controller.session import sentences
from controller.session.effects import (
    Announce,
    CaptureEvidence,
    Done,
    PlaySignal,
    Refuse,
    ShowBeams,
    Shutdown,
    StopThinking,
    Think,
    Write,
)
from controller.session.events import (
    BeamsShown,
    ChoiceFailed,
    Event,
    MoveChosen,
    Requested,
    Ruled,
    Tick,
)
from controller.session.evidence import EvidenceWriter
from controller.session.state import Phase, Session
from controller.session.step import step
from engine.draw.spoken import turn_speech
from engine.sentences import Sentence

log = logging.getLogger(__name__)

TICK_MS = 1000 / 30


@dataclass(frozen=True)
class Devices:
    """The devices of one table."""

    camera: Camera
    board_reader: BoardReader
    lights: LightRenderer
    journal: Journal
    computer_player: MoveChooser
    buttons: Buttons
    speaker: Speaker
    voice: Voice
    clock: Clock
    programs: Mapping[int, MoveChooser] = field(default_factory=dict)  # by player
    publisher: Publisher | None = None  # of a tournament game
    evidence_writer: EvidenceWriter | None = None  # with a referee

    def close(self) -> None:
        """Close all devices, also if one fails: the journal late, the publisher last."""
        with contextlib.ExitStack() as closing:
            if self.publisher is not None:
                closing.callback(self.publisher.close)
            for device in (
                self.journal,
                self.voice,
                self.speaker,
                self.buttons,
                self.computer_player,
            ):
                closing.callback(device.close)
            for program in self.programs.values():
                closing.callback(program.close)
            if self.evidence_writer is not None:
                closing.callback(self.evidence_writer.close)
            closing.callback(self.lights.leds.close)
            closing.callback(self.board_reader.close)


class Pacing(Protocol):
    """Waits between two ticks, in real or simulated time."""

    async def wait(self, loop: Loop) -> None: ...


class Loop:
    """One game on one table."""

    def __init__(
        self,
        session: Session,
        devices: Devices,
        pacing: Pacing,
        on_message: Callable[[Sentence], None],
        entries: tuple[JournalEntry, ...] = (),
    ) -> None:
        self.session, self.devices = session, devices
        self.entries = entries  # of the journal, as far as they are on disk
        self._pacing, self._on_message = pacing, on_message
        self._request_count = 0
        self._answers: dict[int, Sentence | None] = {}  # by request; None: done
        self._open_questions: dict[tuple[MoveChooser, int], Think] = {}
        self._over = False
        self._next_tick: asyncio.Future[None] | None = None
        self.observation_count = 0

    def dispatch(self, event: Event) -> None:
        """Step the session, and start its effects."""
        if isinstance(event, Written) and event.entry is not None:
            self.entries = (*self.entries, event.entry)
        self.session, effects = step(self.session, event)
        for effect in effects:
            match effect:
                case Announce(sentence):
                    self._announce(sentence)
                case Refuse(request_id, reason):
                    self._announce(reason)
                    self._answers[request_id] = reason
                case Done(request_id):
                    self._answers[request_id] = None
                case PlaySignal(signal):
                    self.devices.speaker.play_signal(signal)
                case Write():
                    self._write(effect)
                case ShowBeams(turn):
                    self.devices.lights.show_beams(turn, self.session, self.now_ms())
                    self.devices.voice.say(turn_speech(self.session.game, turn))
                case Think():
                    self._ask_player(effect)
                case CaptureEvidence():
                    self._capture_evidence(effect)
                case StopThinking():
                    for chooser in self._players():
                        chooser.stop()
                    self._open_questions = {}
                case Shutdown():
                    self.stop()
                case _:
                    assert_never(effect)

    def request(self, event: Pressed | Requested | Ruled) -> Sentence | None:
        """Dispatch a request from a screen; returns the reason if it is refused."""
        self._request_count += 1
        self.dispatch(replace(event, request_id=self._request_count))
        return self._answers.pop(self._request_count)

    def _announce(self, sentence: Sentence) -> None:
        self._on_message(sentence)
        self.devices.voice.say(sentence)

    async def run(self) -> None:
        """Tick until `stop` is called."""
        try:
            while not self._over:
                self.tick()
                await self._pacing.wait(self)
        finally:
            self.stop()
            self._wake_waiters()

    def stop(self) -> None:
        self._over = True

    @property
    def is_over(self) -> bool:
        return self._over

    async def wait_until(self, condition: Callable[[], bool], within_ms: float) -> bool:
        """Wait until the condition holds; False after `within_ms` or when the loop ends."""
        end_ms = self.now_ms() + within_ms
        while not condition():
            if self.now_ms() >= end_ms or not await self.next_tick():
                return False
        return True

    async def next_tick(self) -> bool:
        """Wait for one tick; False when the loop has ended."""
        if not self._over:
            if self._next_tick is None or self._next_tick.done():
                self._next_tick = asyncio.get_running_loop().create_future()
            await self._next_tick
        return not self._over

    def now_ms(self) -> float:
        return self.devices.clock.now_ms()

    # -- a tick --------------------------------------------------------------------------------

    def tick(self) -> None:
        """Dispatch all events since the last tick, and render the lights."""
        devices = self.devices
        devices.board_reader.pause(self.session.phase is Phase.FIRING)
        devices.board_reader.set_context(
            devices.lights.possibly_lit_cells(self.now_ms()), self.session.look_closer
        )
        for reading in devices.board_reader.read_events():
            if isinstance(reading, Observed):
                self.observation_count += 1
                self.dispatch(reading)
            else:
                self._handle_device_event("camera", reading)
        for name, device in (
            ("LEDs", devices.lights.leds),
            ("buttons", devices.buttons),
            ("sound", devices.speaker),
            ("voice", devices.voice),
        ):
            for event in device.events():
                self._handle_device_event(name, event)
        for pressed in devices.buttons.pressed():
            self.dispatch(self._press_of_player(pressed))
        writer = devices.evidence_writer
        for stored in (*devices.journal.events(), *(() if writer is None else writer.events())):
            if isinstance(stored, DeviceRemark):
                log.warning("%s", stored.sentence)
                self._on_message(stored.sentence)
            else:
                self.dispatch(stored)
        self._collect_answers()
        self.dispatch(Tick(self.now_ms()))
        if devices.lights.render(self.session, self.now_ms()):
            self.dispatch(BeamsShown(self.now_ms()))
        if devices.publisher is not None:
            self._publish(devices.publisher)
        self._wake_waiters()

    def _press_of_player(self, pressed: Pressed) -> Pressed:
        """Turn the fire button of a seat into that of the player who sits there."""
        if pressed.button not in FIRE:
            return pressed
        player = self.session.setup.fitted_board.player_at_seat(FIRE.index(pressed.button))
        return replace(pressed, button=FIRE[player])

    def _publish(self, publisher: Publisher) -> None:
        publisher.publish(self.session)
        for event in publisher.events():
            self._handle_device_event(publisher.name, event)

    def _wake_waiters(self) -> None:
        """Let all `next_tick` calls return."""
        if self._next_tick is not None and not self._next_tick.done():
            self._next_tick.set_result(None)

    def _handle_device_event(self, name: str, event: DeviceEvent) -> None:
        match event:
            case DeviceRemark(_, remark):
                log.warning("%s: %s", name, remark)
                self._on_message(sentences.DEVICE_REMARK(device=name, remark=remark))
            case DeviceLost():
                log.warning("%s lost: %s", name, event.reason)
                self.dispatch(replace(event, device=name))
            case DeviceBack():
                log.info("%s is back", name)
                self.dispatch(replace(event, device=name))

    def _players(self) -> tuple[MoveChooser, ...]:
        return (*self.devices.programs.values(), self.devices.computer_player)

    def _ask_player(self, effect: Think) -> None:
        """Ask the program of the seat; the computer for hints and for all other seats."""
        computer = self.devices.computer_player
        chooser = computer if effect.hint else self.devices.programs.get(effect.player, computer)
        others = {key: each for key, each in self._open_questions.items() if key[0] is not chooser}
        self._open_questions = {**others, (chooser, chooser.think(effect.question)): effect}

    def _collect_answers(self) -> None:
        answers = [(each, event) for each in self._players() for event in each.events()]
        for chooser, event in answers:
            asked = self._open_questions.pop((chooser, event.number), None)
            if asked is None:
                continue
            if isinstance(event, PlayerFailed):
                log.warning("no move for player %d: %s", asked.player, event.reason)
                self.dispatch(ChoiceFailed(asked.player, event.reason, event.at_ms))
            else:
                self.dispatch(
                    MoveChosen(
                        asked.player,
                        event.move,
                        self.now_ms(),
                        asked.hint,
                        event.claim,
                        event.score,
                        event.line,
                    )
                )

    def _capture_evidence(self, effect: CaptureEvidence) -> None:
        writer, frame = self.devices.evidence_writer, self.devices.board_reader.last_frame()
        if writer is None:
            return
        if effect.turn is None:
            writer.capture_before(frame)
        elif effect.proposal is not None:
            writer.capture_proposal(effect.proposal, effect.turn, frame)
        else:
            writer.capture_turn(effect.turn, frame)

    def _write(self, entry: Write) -> None:
        journal = self.devices.journal
        if entry.number <= journal.last_requested:  # the disk refused it the first time
            journal.retry()
        else:
            journal.write(entry.kind, entry.body, entry.at_ms)


class RealTime:
    """Waits in real time; `wake`, from any thread, ends the wait immediately."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()

    def wake(self) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop is closed
            self._loop.call_soon_threadsafe(self._woken.set)

    async def wait(self, _: Loop) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), TICK_MS / 1000)
        self._woken.clear()


def freeze_garbage_collector() -> None:
    """Exempt all present objects from garbage collection, which would delay a tick by tens of
    milliseconds. For programs that play one game."""
    gc.collect()
    gc.freeze()


@contextlib.asynccontextmanager
async def running_loop(loop: Loop) -> AsyncIterator[Loop]:
    """Run a loop in the background."""
    task = asyncio.create_task(loop.run())
    try:
        yield loop
    finally:
        loop.stop()
        await task  # raises what ended the loop


class Publisher(Protocol):
    """Publishes one game. Never blocks, and never stops a game."""

    page_url: str  # of the page of this game; empty without one

    @property
    def name(self) -> str:
        """The broker, without secrets, for sentences."""

    def publish(self, session: Session) -> None:
        """Publish the state of the game; only the newest counts."""

    def events(self) -> list[DeviceEvent]:
        """Remarks since the last call."""

    def close(self) -> None:
        """Send what is queued, sign off, and disconnect; may be called again."""


OpenPublisher = Callable[[Journal, Clock], Publisher]  # for one game
