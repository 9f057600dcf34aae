"""Everybody who has the page open: each is sent the newest state as fast as they can take it.

A slow reader skips what came in between, and one that takes nothing at all is let go. Only for the
thread of the page.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from controller.ports import Clock
from controller.web.moment import Moment
from controller.web.parcels import Parcels
from controller.web.rights import Visitor
from engine.strict_json import write

TAKE_MS = 25.0  # moments that come faster are one
BEAT_S = 2.0  # whoever hears nothing for longer than that knows that something is wrong
MOST_ANSWERS = 50
MOST_CLIENTS = 300


class Client:
    """One open page."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.light = False  # wants to see the LEDs
        self.seen = self.light_seen = 0
        self.answers: deque[str] = deque(maxlen=MOST_ANSWERS)
        self.woken = asyncio.Event()

    def tell(self, message: str) -> None:
        """Something for this page alone."""
        self.answers.append(message)
        self.woken.set()

    def answer(self, number: int | None, sentence: str = "") -> None:
        """What became of a command; a sentence says why nothing did."""
        told = {"type": "answer", "id": number, "ok": not sentence, "sentence": sentence}
        self.tell(write(told))


class Hub:
    """The newest moment, and everybody who looks at it."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.parcels = Parcels()
        self.clients: set[Client] = set()
        self.moment: Moment | None = None
        self.beaten_ms = clock.now_ms()  # when the game's loop was last heard of
        self._light = ""
        self._light_number = 0
        self._due_ms = 0.0
        self._flushing: asyncio.TimerHandle | None = None

    # -- what comes from the game --------------------------------------------------------------

    def publish(self, moment: Moment) -> None:
        """There is something new, maybe."""
        self.moment = moment
        if self._flushing is None:
            wait_ms = max(0.0, self._due_ms - self._clock.now_ms())
            self._flushing = asyncio.get_running_loop().call_later(wait_ms / 1000, self._flush)

    def _flush(self) -> None:
        self._flushing = None
        self._due_ms = self._clock.now_ms() + TAKE_MS
        if self.moment is not None and self.parcels.take(self.moment):
            self._wake(lambda _: True)

    def shine(self, leds: str) -> None:
        """What the LEDs show now, as text."""
        if leds != self._light:
            self._light, self._light_number = leds, self._light_number + 1
            self._wake(lambda client: client.light)

    @property
    def lit(self) -> bool:
        """Whether anybody looks at the LEDs."""
        return any(client.light for client in self.clients)

    def _wake(self, whom: Callable[[Client], bool]) -> None:
        for client in self.clients:
            if whom(client):
                client.woken.set()

    # -- what goes to a page -------------------------------------------------------------------

    async def waiting(self, client: Client) -> list[str]:
        """All that this page should be sent, once there is something; the newest state last."""
        try:
            async with asyncio.timeout(BEAT_S):
                await client.woken.wait()
        except TimeoutError:
            return [self._beat()]
        client.woken.clear()
        messages = [*client.answers]
        client.answers.clear()
        shown = self.parcels.message(client.seen, self._clock.now_ms())
        if shown is not None:
            client.seen = self.parcels.number
            messages.append(shown)
        if client.light and client.light_seen != self._light_number:
            client.light_seen = self._light_number
            messages.append(f'{{"type":"light","leds":"{self._light}"}}')
        return messages

    def _beat(self) -> str:
        now_ms = self._clock.now_ms()
        quiet_ms = now_ms - self.beaten_ms
        return f'{{"type":"beat","now_ms":{round(now_ms)},"quiet_ms":{round(quiet_ms)}}}'
