"""Broadcasts the newest state of the game to all connected clients.

Back-pressure: a slow client skips intermediate states, and one that takes nothing is disconnected
(`live_socket`). With a delay, spectators get the state of `delay_ms` ago. Call it only from the
page's thread.
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

MERGE_MS = 25.0  # states that follow each other faster are merged into the last one
DELAYED_MERGE_MS = 200.0  # the same for states that wait for their delay
HEARTBEAT_S = 2.0  # without another message
MAX_QUEUED_ANSWERS = 50
MAX_CLIENTS = 300


class PageClient:
    """One connected client: its user, and what it has already been sent."""

    def __init__(self, user: User, delayed: bool = False) -> None:
        self.user = user
        self.delayed = delayed  # whether it asked for the delayed game
        self.wants_leds = False
        self.seen_number = self.seen_leds_number = 0
        self.answers: deque[str] = deque(maxlen=MAX_QUEUED_ANSWERS)
        self.wake = asyncio.Event()

    def send(self, message: str) -> None:
        """Queue a message for this client alone."""
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
    """The clients and the newest state, and the state of `delay_ms` ago for spectators."""

    def __init__(self, clock: Clock, delay_ms: float = 0.0) -> None:
        self._clock = clock
        self.delay_ms = delay_ms
        self.state_diff = StateDiff()
        self._delayed_diff = StateDiff() if delay_ms else self.state_diff
        self.clients: set[PageClient] = set()
        self.game_view: GameView | None = None
        self.last_tick_ms = clock.now_ms()  # of the game's loop
        self._leds = self._delayed_leds = ""
        self._leds_number = 0
        self._due_ms = 0.0
        self._flush_timer: asyncio.TimerHandle | None = None
        # (when the first of the merged states came, when it is due, the last of them)
        self._delayed_views: deque[tuple[float, float, GameView]] = deque()
        self._delayed_led_frames: deque[tuple[float, str]] = deque()
        self._release_timer: asyncio.TimerHandle | None = None

    # -- from the game -------------------------------------------------------------------------

    def publish(self, game_view: GameView) -> None:
        """Take the newest state, and send it soon."""
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
        """Take the newest colours of the LEDs, as hexadecimal text."""
        if leds != self._leds:
            self._leds, self._leds_number = leds, self._leds_number + 1
            self._wake(lambda client: client.wants_leds and not self.is_delayed(client))
            if self.delay_ms:
                self._delayed_led_frames.append((self._clock.now_ms() + self.delay_ms, leds))
                self._schedule_release()

    @property
    def leds_wanted(self) -> bool:
        """Whether any client watches the LEDs."""
        return any(client.wants_leds for client in self.clients)

    def _wake(self, condition: Callable[[PageClient], bool]) -> None:
        for client in self.clients:
            if condition(client):
                client.wake.set()

    # -- the spectators' delay ------------------------------------------------------------------

    def is_delayed(self, client: PageClient) -> bool:
        """Whether the client gets the delayed game: it asked for it, or its user is a spectator."""
        return bool(self.delay_ms) and (client.delayed or self.sees_delayed(client.user))

    def sees_delayed(self, user: User) -> bool:
        return bool(self.delay_ms) and not user.seats

    def view_for(self, user: User, delayed: bool = False) -> GameView | None:
        """The newest state that the user may see, or with `delayed` the delayed one."""
        return (
            self._delayed_diff.game_view if delayed or self.sees_delayed(user) else self.game_view
        )

    def hides_game(self, game: str, user: User) -> bool:
        """Whether the user must not see the journal of this game yet, because of the delay."""
        newest, delayed = self.game_view, self._delayed_diff.game_view
        if not self.sees_delayed(user) or newest is None or game != newest.game.name:
            return False
        if delayed is None or newest.session.phase is not Phase.OVER:
            return True
        return (delayed.game.number, delayed.last_hash) != (newest.game.number, newest.last_hash)

    @property
    def game_in_progress(self) -> bool:
        """Whether a turn was played and the game is not over."""
        session = None if self.game_view is None else self.game_view.session
        return (
            session is not None
            and bool(session.history)
            and session.underlying_phase is not Phase.OVER
        )

    def _delay(self, game_view: GameView, now_ms: float) -> None:
        """Queue a state until it is due; states in a short time are merged into the last one."""
        since_ms = now_ms
        if self._delayed_views and now_ms - self._delayed_views[-1][0] < DELAYED_MERGE_MS:
            since_ms = self._delayed_views.pop()[0]
        self._delayed_views.append((since_ms, now_ms + self.delay_ms, game_view))
        self._schedule_release()

    def _schedule_release(self) -> None:
        if self._release_timer is not None:
            return
        due_ms = [self._delayed_views[0][1]] if self._delayed_views else []
        due_ms += [self._delayed_led_frames[0][0]] if self._delayed_led_frames else []
        if due_ms:
            wait_s = max(0.0, min(due_ms) - self._clock.now_ms()) / 1000
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

    # -- to the clients ------------------------------------------------------------------------

    def resend_all(self, client: PageClient) -> None:
        """Send the whole state again: the client changes between the live and the delayed game."""
        client.seen_number = client.seen_leds_number = 0
        client.wake.set()

    async def next_messages(self, client: PageClient) -> list[str]:
        """Wait for messages to the client; after `HEARTBEAT_S` without one, return a heartbeat."""
        try:
            async with asyncio.timeout(HEARTBEAT_S):
                await client.wake.wait()
        except TimeoutError:
            return [self._heartbeat(client)]
        client.wake.clear()
        messages = [*client.answers]
        client.answers.clear()
        delayed = self.is_delayed(client)
        state_diff = self._delayed_diff if delayed else self.state_diff
        state = state_diff.message(client.seen_number, self._client_time_ms(client))
        if state is not None:
            client.seen_number = state_diff.number
            messages.append(state)
        if client.wants_leds and client.seen_leds_number != self._leds_number:
            client.seen_leds_number = self._leds_number
            leds = self._delayed_leds if delayed else self._leds
            messages.append(f'{{"type":"leds","leds":"{leds}"}}')
        return messages

    def _client_time_ms(self, client: PageClient) -> float:
        """The present time of the game that the client sees."""
        return self._clock.now_ms() - (self.delay_ms if self.is_delayed(client) else 0.0)

    def _heartbeat(self, client: PageClient) -> str:
        silent_ms = self._clock.now_ms() - self.last_tick_ms
        now_ms = round(self._client_time_ms(client))
        return f'{{"type":"heartbeat","now_ms":{now_ms},"loop_silent_ms":{round(silent_ms)}}}'
