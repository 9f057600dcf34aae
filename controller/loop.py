"""One loop around one game: events in, step, effects out.

Nothing here blocks. The camera is read, entries are written and moves are thought of elsewhere;
what comes of it is fetched at every beat. Whoever waits for something waits for beats.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, assert_never

from controller.evidence import EvidenceKeeper
from controller.lights import Lights
from controller.ports import (
    Buttons,
    Camera,
    Clock,
    DeviceBack,
    DeviceEvent,
    DeviceLost,
    DeviceRemark,
    Journal,
    PlayerFailed,
    Pressed,
    Speaker,
    Voice,
)
from controller.ports import Player as Thinker
from controller.ports_event import Herald
from controller.press import FIRE
from controller.session import step
from controller.session_values import (
    ChoiceFailed,
    Chosen,
    Event,
    Fire,
    Observed,
    Phase,
    Photograph,
    Say,
    Session,
    Shown,
    StopThinking,
    SwitchOff,
    Tell,
    Think,
    Tick,
    Write,
)
from controller.sight import Glimpse
from controller.spoken import turn_words
from engine.grid import Cell

BEAT_MS = 1000 / 30
PUZZLING = (Phase.SETTING_UP, Phase.MISMATCH, Phase.CLEARING, Phase.CONFIRMING)


class Eyes(Protocol):
    """Observations of the table, and what becomes of the camera."""

    def seen(self) -> list[Observed | DeviceEvent]:
        """Everything since this was last asked."""

    def rest(self, resting: bool) -> None:
        """Whether nobody wants to see anything for now."""

    def mind(self, lit: frozenset[Cell], puzzled: bool) -> None:
        """These cells have light under them: that is no hand. And whether to look closer."""

    def glimpse(self) -> Glimpse | None:
        """The newest picture that was read; None before the first. From any thread."""

    def close(self) -> None: ...


@dataclass(frozen=True)
class Devices:
    """What a game is played with."""

    camera: Camera
    eyes: Eyes
    lights: Lights
    journal: Journal
    thinker: Thinker
    buttons: Buttons
    speaker: Speaker
    voice: Voice
    clock: Clock
    programs: Mapping[int, Thinker] = field(default_factory=dict)  # by player
    herald: Herald | None = None  # of a game that is part of an event
    evidence: EvidenceKeeper | None = None  # only where there is a referee

    def close(self) -> None:
        """All of them, whatever happens to one; the journal last, and then whoever tells of it."""
        with contextlib.ExitStack() as closing:
            if self.herald is not None:
                closing.callback(self.herald.close)
            for device in (self.journal, self.voice, self.speaker, self.buttons, self.thinker):
                closing.callback(device.close)
            for program in self.programs.values():
                closing.callback(program.close)
            if self.evidence is not None:
                closing.callback(self.evidence.close)
            closing.callback(self.lights.leds.close)
            closing.callback(self.eyes.close)


class Pace(Protocol):
    """How time goes by between two beats."""

    async def rest(self, loop: Loop) -> None: ...


class Loop:
    """One game on one table."""

    def __init__(
        self,
        session: Session,
        devices: Devices,
        pace: Pace,
        heard: Callable[[str], None],
    ) -> None:
        self.session, self.devices = session, devices
        self._pace, self._heard = pace, heard
        self._thinking: dict[tuple[Thinker, int], Think] = {}
        self._over = False
        self._beat: asyncio.Future[None] | None = None
        self.observed = 0  # so many pictures of the table

    def happens(self, event: Event) -> None:
        """An event, and the beginning of all that comes of it."""
        self.session, effects = step(self.session, event)
        for effect in effects:
            match effect:
                case Say(sentence):
                    self._heard(sentence)
                    self.devices.voice.say(sentence)
                case Tell(signal):
                    self.devices.speaker.tell(signal)
                case Write():
                    self._write(effect)
                case Fire(turn):
                    self.devices.lights.fire(turn, self.session, self.now_ms())
                    self.devices.voice.say(turn_words(self.session.table.game, turn))
                case Think():
                    self._ask(effect)
                case Photograph():
                    self._photograph(effect)
                case StopThinking():
                    for thinker in self._thinkers():
                        thinker.stop()
                    self._thinking = {}
                case SwitchOff():
                    self.stop()
                case _:
                    assert_never(effect)

    async def run(self) -> None:
        """Beat until somebody says `stop`."""
        try:
            while not self._over:
                self.beat()
                await self._pace.rest(self)
        finally:
            self.stop()
            self._beaten()

    def stop(self) -> None:
        self._over = True

    @property
    def is_over(self) -> bool:
        return self._over

    async def until(self, met: Callable[[], bool], within_ms: float) -> bool:
        """Wait for something to become true, so long at most; whether it did."""
        end_ms = self.now_ms() + within_ms
        while not met():
            if self.now_ms() >= end_ms or not await self.next_beat():
                return False
        return True

    async def next_beat(self) -> bool:
        """Wait for one more beat; whether there was one."""
        if not self._over:
            if self._beat is None or self._beat.done():
                self._beat = asyncio.get_running_loop().create_future()
            await self._beat
        return not self._over

    def now_ms(self) -> float:
        return self.devices.clock.now_ms()

    # -- a beat --------------------------------------------------------------------------------

    def beat(self) -> None:
        """Fetch all that happened, and let the lights go on."""
        devices = self.devices
        devices.eyes.rest(self.session.phase is Phase.FIRING)
        puzzled = self.session.phase in PUZZLING and self.session.settled is not None
        devices.eyes.mind(devices.lights.lit(self.now_ms()), puzzled)
        for seen in devices.eyes.seen():
            if isinstance(seen, Observed):
                self.observed += 1
                self.happens(seen)
            else:
                self._device("camera", seen)
        for name, device in (
            ("LEDs", devices.lights.leds),
            ("buttons", devices.buttons),
            ("sound", devices.speaker),
            ("voice", devices.voice),
        ):
            for event in device.events():
                self._device(name, event)
        for pressed in devices.buttons.pressed():
            self.happens(self._by_player(pressed))
        for written in devices.journal.events():
            if isinstance(written, DeviceRemark):
                self._heard(written.sentence)
            else:
                self.happens(written)
        for kept in devices.evidence.events() if devices.evidence is not None else ():
            if isinstance(kept, DeviceRemark):
                self._heard(kept.sentence)
            else:
                self.happens(kept)
        self._think()
        self.happens(Tick(self.now_ms()))
        if devices.lights.shine(self.session, self.now_ms()):
            self.happens(Shown(self.now_ms()))
        if devices.herald is not None:
            self._tell(devices.herald)
        self._beaten()

    def _by_player(self, pressed: Pressed) -> Pressed:
        """A fire button lies in front of a seat, and fires for whoever sits there."""
        if pressed.button not in FIRE:
            return pressed
        player = self.session.table.seated(FIRE.index(pressed.button))
        return replace(pressed, button=FIRE[player])

    def _tell(self, herald: Herald) -> None:
        herald.show(self.session)
        for event in herald.events():
            self._device(herald.name, event)

    def _beaten(self) -> None:
        """Whoever waits may look again."""
        if self._beat is not None and not self._beat.done():
            self._beat.set_result(None)

    def _device(self, name: str, event: DeviceEvent) -> None:
        match event:
            case DeviceRemark(_, sentence):
                self._heard(f"{name}: {sentence}")
            case DeviceLost() | DeviceBack():
                self.happens(replace(event, device=name))

    def _thinkers(self) -> tuple[Thinker, ...]:
        return (*self.devices.programs.values(), self.devices.thinker)

    def _ask(self, effect: Think) -> None:
        """Programs think for their own seats; hints, and all other seats, are the computer's."""
        computer = self.devices.thinker
        thinker = computer if effect.hint else self.devices.programs.get(effect.player, computer)
        others = {key: each for key, each in self._thinking.items() if key[0] is not thinker}
        self._thinking = {**others, (thinker, thinker.think(effect.question)): effect}

    def _think(self) -> None:
        heard = [(each, event) for each in self._thinkers() for event in each.events()]
        for thinker, event in heard:
            asked = self._thinking.pop((thinker, event.number), None)
            if asked is None:
                continue
            if isinstance(event, PlayerFailed):
                self.happens(ChoiceFailed(asked.player, event.reason, event.at_ms))
            else:
                self.happens(
                    Chosen(
                        asked.player,
                        event.move,
                        self.now_ms(),
                        asked.hint,
                        event.claim,
                        event.score,
                        event.line,
                    )
                )

    def _photograph(self, wanted: Photograph) -> None:
        keeper, glimpse = self.devices.evidence, self.devices.eyes.glimpse()
        if keeper is None:
            return
        if wanted.turn is None:
            keeper.before(glimpse)
        elif wanted.matter is not None:
            keeper.matter(wanted.matter, wanted.turn, glimpse)
        else:
            keeper.turn(wanted.turn, glimpse)

    def _write(self, entry: Write) -> None:
        journal = self.devices.journal
        if entry.number <= journal.asked:  # the disk did not take it the first time
            journal.retry()
        else:
            journal.write(entry.kind, entry.body, entry.at_ms)


class InTime:
    """Beats as time passes, and at once when woken, from whatever thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()

    def wake(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is over: nobody is left to be woken
            self._loop.call_soon_threadsafe(self._woken.set)

    async def rest(self, _: Loop) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), BEAT_MS / 1000)
        self._woken.clear()


def settle_memory() -> None:
    """What is there now stays: it is not looked through again whenever garbage is collected,
    which would hold up a beat for tens of milliseconds. For programs that play one game."""
    gc.collect()
    gc.freeze()


@contextlib.asynccontextmanager
async def running(loop: Loop) -> AsyncIterator[Loop]:
    """Let time go by for a loop."""
    beating = asyncio.create_task(loop.run())
    try:
        yield loop
    finally:
        loop.stop()
        await beating  # what went wrong there is why others waited in vain
