"""The WebSocket `/live`: receives commands, sends answers and the newest state.

It checks the login, the user's permissions and the rate of commands. It executes the commands about
seats and LEDs itself, and submits the others to the game.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.ports.devices import Clock
from controller.ui.web import sentences
from controller.ui.web.auth import Auth, RequestRefused
from controller.ui.web.broadcast import MAX_CLIENTS, Broadcaster, PageClient
from controller.ui.web.commands import (
    BadCommand,
    Command,
    LeaveSeatCommand,
    TakeSeatCommand,
    WatchLedsCommand,
    read_command,
    read_command_id,
)
from controller.ui.web.permissions import authorize
from controller.ui.web.rate_limit import TokenBucket
from engine.sentences import Sentence
from engine.strict_json import write

log = logging.getLogger(__name__)

PROTOCOL = 2  # of docs/page-protocol.md; a page with another number reloads itself
MAX_COMMAND_LENGTH = 2048
BURST, REFILL_MS = 60, 40.0  # rate limit of each client: 25 commands a second
MAX_DROPPED_COMMANDS = 200  # in a row, beyond the rate limit; then the socket is closed
SEND_TIMEOUT_S = 15.0  # then the client is too slow, and its socket is closed
CLOSE_LOGIN_REQUIRED, CLOSE_TOO_MANY, CLOSE_TOO_SLOW = 4401, 4429, 4408

# Queues a command for the game; returns the reason if that is refused.
SubmitCommand = Callable[[PageClient, int, Command], Sentence | None]


class LiveSocket:
    """Serves the sockets; `submit` takes the commands for the game."""

    def __init__(
        self, broadcaster: Broadcaster, auth: Auth, clock: Clock, submit: SubmitCommand
    ) -> None:
        self._broadcaster, self._auth, self._clock, self._submit = broadcaster, auth, clock, submit

    async def __call__(self, socket: WebSocket, cookie: str | None) -> None:
        client_host = socket.client.host if socket.client else ""
        try:
            user = await self._auth.authenticate(cookie, client_host)
        except RequestRefused:
            user = None
        await socket.accept()
        if user is None:
            await socket.close(CLOSE_LOGIN_REQUIRED, str(sentences.LOGIN_REQUIRED()))
            return
        if len(self._broadcaster.clients) >= MAX_CLIENTS:
            await socket.close(CLOSE_TOO_MANY, str(sentences.TOO_MANY_PAGES()))
            return
        client = PageClient(user, delayed="delayed" in socket.query_params)
        client.send(self._user_json(client))
        self._broadcaster.clients.add(client)
        tasks = [
            asyncio.create_task(self._send_messages(socket, client)),
            asyncio.create_task(self._receive_commands(socket, client)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._broadcaster.clients.discard(client)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        for task in tasks:
            if not task.cancelled():
                task.result()  # re-raises a defect

    async def _send_messages(self, socket: WebSocket, client: PageClient) -> None:
        """Send messages until the client disconnects or is too slow."""
        while True:
            for message in await self._broadcaster.next_messages(client):
                try:
                    async with asyncio.timeout(SEND_TIMEOUT_S):
                        await socket.send_text(message)
                except (TimeoutError, WebSocketDisconnect, RuntimeError):
                    log.debug("a page is gone or too slow", exc_info=True)
                    with contextlib.suppress(TimeoutError, RuntimeError):
                        async with asyncio.timeout(1.0):
                            await socket.close(CLOSE_TOO_SLOW, str(sentences.TOO_SLOW()))
                    return

    async def _receive_commands(self, socket: WebSocket, client: PageClient) -> None:
        bucket = TokenBucket(BURST, REFILL_MS, self._clock.now_ms())
        dropped = 0
        while True:
            try:
                message = await socket.receive()
            except (WebSocketDisconnect, RuntimeError):
                return
            if message["type"] != "websocket.receive":
                return
            if not bucket.take(self._clock.now_ms()):
                dropped += 1
                if dropped == 1:
                    client.answer(None, sentences.TOO_FAST())
                if dropped > MAX_DROPPED_COMMANDS:
                    await socket.close(CLOSE_TOO_MANY, str(sentences.TOO_FAST()))
                    return
                continue
            dropped = 0
            self._on_message(client, message.get("text"))

    def _on_message(self, client: PageClient, text: str | None) -> None:
        if text is None or len(text) > MAX_COMMAND_LENGTH:
            client.answer(None, sentences.COMMAND_TOO_LONG(most=MAX_COMMAND_LENGTH))
            return
        try:
            number, received = read_command(text)
        except BadCommand as error:
            client.answer(read_command_id(text), error.sentence)
            return
        user = self._auth.current_user(client.user)
        command = sentences.LOGGED_OUT() if user is None else authorize(user, received)
        if isinstance(command, Sentence):
            client.answer(number, command)
            return
        try:
            if self._execute(client, number, command):
                client.answer(number)
        except RequestRefused as refused:
            client.answer(number, refused.sentence)

    def _execute(self, client: PageClient, number: int, command: Command) -> bool:
        """Execute a command; False: it is queued for the game, which answers it later."""
        match command:
            case WatchLedsCommand(on):
                client.wants_leds, client.seen_leds_number = on, 0
                client.wake.set()
                return True
            case TakeSeatCommand(player):
                game_view = self._broadcaster.game_view
                if game_view is None or game_view.session.seats[player].is_automated:
                    raise RequestRefused(sentences.COMPUTER_SEAT())
                if self._broadcaster.sees_delayed(client.user) and game_view.session.history:
                    raise RequestRefused(sentences.SEATS_CLOSED())
                self._auth.take_seat(client.user, player)
            case LeaveSeatCommand(player):
                self._auth.leave_seat(client.user, player)
            case _:
                refusal = self._submit(client, number, command)
                if refusal is not None:
                    raise RequestRefused(refusal)
                return False
        self._seats_changed()
        return True

    def _seats_changed(self) -> None:
        """Send all clients their present user and the taken seats."""
        for each in self._broadcaster.clients:
            was_delayed = self._broadcaster.is_delayed(each)
            each.user = self._auth.current_user(each.user) or each.user
            each.send(self._user_json(each))
            if self._broadcaster.is_delayed(each) is not was_delayed:
                self._broadcaster.resend_all(each)

    def _user_json(self, client: PageClient) -> str:
        user = client.user
        message = {
            "type": "user",
            "protocol": PROTOCOL,
            "role": user.role.value,
            "seat": user.seat,
            "seats": list(user.seats),
            "taken_seats": list(self._auth.taken_seats()),
            "permissions": list(user.permissions),
            "delay_ms": round(self._broadcaster.delay_ms)
            if self._broadcaster.is_delayed(client)
            else 0,
        }
        return write(message)
