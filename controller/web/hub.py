"""Everybody who has the page open: each is sent the newest state as fast as they can take it.

A slow reader skips what came in between, and one that takes nothing at all is let go. Where there
is a delay, spectators are sent what was the newest state then. Only for the thread of the page.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from controller.ports import Clock
from controller.session_values import Phase
from controller.web.moment import Moment
from controller.web.parcels import Parcels
from controller.web.rights import Visitor
from engine.strict_json import write

TAKE_MS = 25.0  # moments that come faster are one
LATE_TAKE_MS = 200.0  # and so are those that wait to be shown later
BEAT_S = 2.0  # whoever hears nothing for longer than that knows that something is wrong
MOST_ANSWERS = 50
MOST_CLIENTS = 300


class Client:
    """One open page."""

    def __init__(self, visitor: Visitor, late: bool = False) -> None:
        self.visitor = visitor
        self.late = late  # sees everything later, whoever it is
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
    """The newest moment, and everybody who looks at it; `delay_ms` later for spectators."""

    def __init__(self, clock: Clock, delay_ms: float = 0.0) -> None:
        self._clock = clock
        self.delay_ms = delay_ms
        self.parcels = Parcels()
        self._late = Parcels() if delay_ms else self.parcels
        self.clients: set[Client] = set()
        self.moment: Moment | None = None
        self.beaten_ms = clock.now_ms()  # when the game's loop was last heard of
        self._light = self._late_light = ""
        self._light_number = 0
        self._due_ms = 0.0
        self._flushing: asyncio.TimerHandle | None = None
        self._waiting: deque[tuple[float, float, Moment]] = deque()  # since when, until when
        self._lights_waiting: deque[tuple[float, str]] = deque()
        self._releasing: asyncio.TimerHandle | None = None

    # -- what comes from the game --------------------------------------------------------------

    def publish(self, moment: Moment) -> None:
        """There is something new, maybe."""
        self.moment = moment
        if self._flushing is None:
            wait_ms = max(0.0, self._due_ms - self._clock.now_ms())
            self._flushing = asyncio.get_running_loop().call_later(wait_ms / 1000, self._flush)

    def _flush(self) -> None:
        self._flushing = None
        now_ms = self._clock.now_ms()
        self._due_ms = now_ms + TAKE_MS
        if self.moment is None:
            return
        if self.delay_ms:
            self._keep(self.moment, now_ms)
        if self.parcels.take(self.moment):
            self._wake(lambda client: not self.is_late(client))

    def shine(self, leds: str) -> None:
        """What the LEDs show now, as text."""
        if leds != self._light:
            self._light, self._light_number = leds, self._light_number + 1
            self._wake(lambda client: client.light and not self.is_late(client))
            if self.delay_ms:
                self._lights_waiting.append((self._clock.now_ms() + self.delay_ms, leds))
                self._release_later()

    @property
    def lit(self) -> bool:
        """Whether anybody looks at the LEDs."""
        return any(client.light for client in self.clients)

    def _wake(self, whom: Callable[[Client], bool]) -> None:
        for client in self.clients:
            if whom(client):
                client.woken.set()

    # -- what is shown later -------------------------------------------------------------------

    def is_late(self, client: Client) -> bool:
        """Whether that page is shown everything later."""
        return bool(self.delay_ms) and (client.late or self.sees_late(client.visitor))

    def sees_late(self, visitor: Visitor) -> bool:
        return bool(self.delay_ms) and not visitor.seats

    def shown_to(self, visitor: Visitor, late: bool = False) -> Moment | None:
        """The newest moment that they may know of, or that a late page shows."""
        return self._late.moment if late or self.sees_late(visitor) else self.moment

    def hides(self, game: str, visitor: Visitor) -> bool:
        """Whether a game is being played of which they must not know everything yet."""
        now, late = self.moment, self._late.moment
        if not self.sees_late(visitor) or now is None or game != now.sitting.name:
            return False
        if late is None or now.session.phase is not Phase.OVER:
            return True
        return (late.sitting.number, late.head) != (now.sitting.number, now.head)

    @property
    def playing(self) -> bool:
        """Whether a game is in its midst: a turn was played, and it is not over."""
        session = None if self.moment is None else self.moment.session
        return session is not None and bool(session.history) and session.beneath is not Phase.OVER

    def _keep(self, moment: Moment, now_ms: float) -> None:
        """Until it may be shown: many in a short time are one, the last."""
        since_ms = now_ms
        if self._waiting and now_ms - self._waiting[-1][0] < LATE_TAKE_MS:
            since_ms = self._waiting.pop()[0]
        self._waiting.append((since_ms, now_ms + self.delay_ms, moment))
        self._release_later()

    def _release_later(self) -> None:
        if self._releasing is not None:
            return
        waiting = [self._waiting[0][1]] if self._waiting else []
        waiting += [self._lights_waiting[0][0]] if self._lights_waiting else []
        if waiting:
            wait_s = max(0.0, min(waiting) - self._clock.now_ms()) / 1000
            self._releasing = asyncio.get_running_loop().call_later(wait_s, self._release)

    def _release(self) -> None:
        self._releasing = None
        now_ms, newest = self._clock.now_ms(), None
        while self._waiting and self._waiting[0][1] <= now_ms:
            newest = self._waiting.popleft()[2]
        if newest is not None and self._late.take(newest):
            self._wake(self.is_late)
        while self._lights_waiting and self._lights_waiting[0][0] <= now_ms:
            self._late_light = self._lights_waiting.popleft()[1]
            self._light_number += 1
            self._wake(lambda client: client.light and self.is_late(client))
        self._release_later()

    # -- what goes to a page -------------------------------------------------------------------

    def turned(self, client: Client) -> None:
        """Who that page is has changed: it is shown everything anew, now or later."""
        client.seen = client.light_seen = 0
        client.woken.set()

    async def waiting(self, client: Client) -> list[str]:
        """All that this page should be sent, once there is something; the newest state last."""
        try:
            async with asyncio.timeout(BEAT_S):
                await client.woken.wait()
        except TimeoutError:
            return [self._beat(client)]
        client.woken.clear()
        messages = [*client.answers]
        client.answers.clear()
        late = self.is_late(client)
        parcels = self._late if late else self.parcels
        shown = parcels.message(client.seen, self._time_of(client))
        if shown is not None:
            client.seen = parcels.number
            messages.append(shown)
        if client.light and client.light_seen != self._light_number:
            client.light_seen = self._light_number
            leds = self._late_light if late else self._light
            messages.append(f'{{"type":"light","leds":"{leds}"}}')
        return messages

    def _time_of(self, client: Client) -> float:
        """The time that the page shows."""
        return self._clock.now_ms() - (self.delay_ms if self.is_late(client) else 0.0)

    def _beat(self, client: Client) -> str:
        quiet_ms = self._clock.now_ms() - self.beaten_ms
        now_ms = round(self._time_of(client))
        return f'{{"type":"beat","now_ms":{now_ms},"quiet_ms":{round(quiet_ms)}}}'
