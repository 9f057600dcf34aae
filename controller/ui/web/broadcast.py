"""Everybody who has the page open: each is sent the newest state as fast as they can take it.

A slow reader skips what came in between, and one that takes nothing at all is let go. Where there
is a delay, spectators are sent what was the newest state then. Only for the thread of the page.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from controller.ports.devices import Clock
from controller.session.state import Phase
from controller.ui.web.game_view import GameView
from controller.ui.web.json_values import optional_sentence_json
from controller.ui.web.permissions import User
from controller.ui.web.state_diff import StateDiff
from engine.sentences import Sentence
from engine.strict_json import write

MERGE_MS = 25.0  # moments that come faster are one
DELAYED_MERGE_MS = 200.0  # and so are those that wait to be shown later
HEARTBEAT_S = 2.0  # whoever hears nothing for longer than that knows that something is wrong
MOST_ANSWERS = 50
MOST_CLIENTS = 300


class PageClient:
    """One open page."""

    def __init__(self, user: User, delayed: bool = False) -> None:
        self.user = user
        self.delayed = delayed  # sees everything later, whoever it is
        self.wants_leds = False  # wants to see the LEDs
        self.seen_number = self.seen_leds_number = 0
        self.answers: deque[str] = deque(maxlen=MOST_ANSWERS)
        self.wake = asyncio.Event()

    def send(self, message: str) -> None:
        """Something for this page alone."""
        self.answers.append(message)
        self.wake.set()

    def answer(self, number: int | None, refusal: Sentence | None = None) -> None:
        """Answer the command with that id: done, or refused."""
        message = {
            "type": "answer",
            "id": number,
            "ok": refusal is None,
            "sentence": optional_sentence_json(refusal),
        }
        self.send(write(message))


class Broadcaster:
    """The newest moment, and everybody who looks at it; `delay_ms` later for spectators."""

    def __init__(self, clock: Clock, delay_ms: float = 0.0) -> None:
        self._clock = clock
        self.delay_ms = delay_ms
        self.state_diff = StateDiff()
        self._delayed_diff = StateDiff() if delay_ms else self.state_diff
        self.clients: set[PageClient] = set()
        self.game_view: GameView | None = None
        self.last_tick_ms = clock.now_ms()  # when the game's loop was last heard of
        self._leds = self._delayed_leds = ""
        self._leds_number = 0
        self._due_ms = 0.0
        self._flush_timer: asyncio.TimerHandle | None = None
        self._delayed_views: deque[tuple[float, float, GameView]] = (
            deque()
        )  # since when, until when
        self._delayed_led_frames: deque[tuple[float, str]] = deque()
        self._release_timer: asyncio.TimerHandle | None = None

    # -- what comes from the game --------------------------------------------------------------

    def publish(self, game_view: GameView) -> None:
        """There is something new, maybe."""
        self.game_view = game_view
        if self._flush_timer is None:
            wait_ms = max(0.0, self._due_ms - self._clock.now_ms())
            self._flush_timer = asyncio.get_running_loop().call_later(wait_ms / 1000, self._flush)

    def _flush(self) -> None:
        self._flush_timer = None
        now_ms = self._clock.now_ms()
        self._due_ms = now_ms + MERGE_MS
        if self.game_view is None:
            return
        if self.delay_ms:
            self._delay(self.game_view, now_ms)
        if self.state_diff.update(self.game_view):
            self._wake(lambda client: not self.is_delayed(client))

    def publish_leds(self, leds: str) -> None:
        """What the LEDs show now, as text."""
        if leds != self._leds:
            self._leds, self._leds_number = leds, self._leds_number + 1
            self._wake(lambda client: client.wants_leds and not self.is_delayed(client))
            if self.delay_ms:
                self._delayed_led_frames.append((self._clock.now_ms() + self.delay_ms, leds))
                self._schedule_release()

    @property
    def leds_wanted(self) -> bool:
        """Whether anybody looks at the LEDs."""
        return any(client.wants_leds for client in self.clients)

    def _wake(self, condition: Callable[[PageClient], bool]) -> None:
        for client in self.clients:
            if condition(client):
                client.wake.set()

    # -- what is shown later -------------------------------------------------------------------

    def is_delayed(self, client: PageClient) -> bool:
        """Whether that page is shown everything later."""
        return bool(self.delay_ms) and (client.delayed or self.sees_delayed(client.user))

    def sees_delayed(self, user: User) -> bool:
        return bool(self.delay_ms) and not user.seats

    def view_for(self, user: User, delayed: bool = False) -> GameView | None:
        """The newest moment that they may know of, or that a late page shows."""
        return (
            self._delayed_diff.game_view if delayed or self.sees_delayed(user) else self.game_view
        )

    def hides_game(self, game: str, user: User) -> bool:
        """Whether a game is being played of which they must not know everything yet."""
        now, late = self.game_view, self._delayed_diff.game_view
        if not self.sees_delayed(user) or now is None or game != now.game.name:
            return False
        if late is None or now.session.phase is not Phase.OVER:
            return True
        return (late.game.number, late.last_hash) != (now.game.number, now.last_hash)

    @property
    def game_in_progress(self) -> bool:
        """Whether a game is in its midst: a turn was played, and it is not over."""
        session = None if self.game_view is None else self.game_view.session
        return (
            session is not None
            and bool(session.history)
            and session.underlying_phase is not Phase.OVER
        )

    def _delay(self, game_view: GameView, now_ms: float) -> None:
        """Until it may be shown: many in a short time are one, the last."""
        since_ms = now_ms
        if self._delayed_views and now_ms - self._delayed_views[-1][0] < DELAYED_MERGE_MS:
            since_ms = self._delayed_views.pop()[0]
        self._delayed_views.append((since_ms, now_ms + self.delay_ms, game_view))
        self._schedule_release()

    def _schedule_release(self) -> None:
        if self._release_timer is not None:
            return
        waiting = [self._delayed_views[0][1]] if self._delayed_views else []
        waiting += [self._delayed_led_frames[0][0]] if self._delayed_led_frames else []
        if waiting:
            wait_s = max(0.0, min(waiting) - self._clock.now_ms()) / 1000
            self._release_timer = asyncio.get_running_loop().call_later(wait_s, self._release)

    def _release(self) -> None:
        self._release_timer = None
        now_ms, newest = self._clock.now_ms(), None
        while self._delayed_views and self._delayed_views[0][1] <= now_ms:
            newest = self._delayed_views.popleft()[2]
        if newest is not None and self._delayed_diff.update(newest):
            self._wake(self.is_delayed)
        while self._delayed_led_frames and self._delayed_led_frames[0][0] <= now_ms:
            self._delayed_leds = self._delayed_led_frames.popleft()[1]
            self._leds_number += 1
            self._wake(lambda client: client.wants_leds and self.is_delayed(client))
        self._schedule_release()

    # -- what goes to a page -------------------------------------------------------------------

    def resend_all(self, client: PageClient) -> None:
        """Who that page is has changed: it is shown everything anew, now or later."""
        client.seen_number = client.seen_leds_number = 0
        client.wake.set()

    async def next_messages(self, client: PageClient) -> list[str]:
        """All that this page should be sent, once there is something; the newest state last."""
        try:
            async with asyncio.timeout(HEARTBEAT_S):
                await client.wake.wait()
        except TimeoutError:
            return [self._heartbeat(client)]
        client.wake.clear()
        messages = [*client.answers]
        client.answers.clear()
        late = self.is_delayed(client)
        state_diff = self._delayed_diff if late else self.state_diff
        shown = state_diff.message(client.seen_number, self._client_time_ms(client))
        if shown is not None:
            client.seen_number = state_diff.number
            messages.append(shown)
        if client.wants_leds and client.seen_leds_number != self._leds_number:
            client.seen_leds_number = self._leds_number
            leds = self._delayed_leds if late else self._leds
            messages.append(f'{{"type":"leds","leds":"{leds}"}}')
        return messages

    def _client_time_ms(self, client: PageClient) -> float:
        """The time that the page shows."""
        return self._clock.now_ms() - (self.delay_ms if self.is_delayed(client) else 0.0)

    def _heartbeat(self, client: PageClient) -> str:
        silent_ms = self._clock.now_ms() - self.last_tick_ms
        now_ms = round(self._client_time_ms(client))
        return f'{{"type":"heartbeat","now_ms":{now_ms},"loop_silent_ms":{round(silent_ms)}}}'
