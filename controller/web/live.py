"""The socket of one open page: commands come in, the newest state goes out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.ports import Clock
from controller.web.commands import (
    BadCommand,
    Command,
    Sit,
    Stand,
    Watch,
    number_in,
    read_command,
)
from controller.web.doors import Doors, Refused
from controller.web.hub import MOST_CLIENTS, Client, Hub
from controller.web.rights import allowed
from controller.web.throttle import Bucket
from engine.strict_json import write

LONGEST_COMMAND = 2048
BURST, REFILL_MS = 60, 40.0  # commands: 25 a second, and some at once
PATIENCE = 200  # commands that are not heard before such a page is let go
SLOW_S = 15.0  # a page that takes nothing for so long is let go
ENTER_FIRST, TOO_MANY, TOO_FAST = 4401, 4429, 4408
# Whoever sits sees the game as it is.
TOO_LATE = "spectators see this game later: seats are taken before its first turn"

Carry = Callable[[Client, int, Command], str]  # hands a command to the game; why it cannot


class Live:
    """Serves sockets; `carry` is given what only the game can do."""

    def __init__(self, hub: Hub, doors: Doors, clock: Clock, carry: Carry) -> None:
        self._hub, self._doors, self._clock, self._carry = hub, doors, clock, carry

    async def __call__(self, socket: WebSocket, cookie: str | None) -> None:
        place = socket.client.host if socket.client else ""
        try:
            visitor = await self._doors.visitor(cookie, place)
        except Refused:
            visitor = None
        await socket.accept()
        if visitor is None:
            await socket.close(ENTER_FIRST, "enter with the PIN first")
            return
        if len(self._hub.clients) >= MOST_CLIENTS:
            await socket.close(TOO_MANY, "too many pages are open: try again later")
            return
        client = Client(visitor, late="late" in socket.query_params)
        client.tell(self._you(client))
        self._hub.clients.add(client)
        tasks = [
            asyncio.create_task(self._speak(socket, client)),
            asyncio.create_task(self._listen(socket, client)),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.clients.discard(client)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        for task in tasks:
            if not task.cancelled():
                task.result()  # a defect is the server's to tell

    async def _speak(self, socket: WebSocket, client: Client) -> None:
        """Until the page is gone, or takes nothing any more."""
        try:
            while True:
                for message in await self._hub.waiting(client):
                    async with asyncio.timeout(SLOW_S):
                        await socket.send_text(message)
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            with contextlib.suppress(TimeoutError, RuntimeError):
                async with asyncio.timeout(1.0):
                    await socket.close(TOO_FAST, "this page takes too long")

    async def _listen(self, socket: WebSocket, client: Client) -> None:
        bucket = Bucket(BURST, REFILL_MS, self._clock.now_ms())
        unheard = 0
        while True:
            try:
                message = await socket.receive()
            except (WebSocketDisconnect, RuntimeError):
                return
            if message["type"] != "websocket.receive":
                return
            if not bucket.take(self._clock.now_ms()):
                unheard += 1
                if unheard == 1:
                    client.answer(None, "too fast: some of that was not heard")
                if unheard > PATIENCE:
                    await socket.close(TOO_MANY, "too fast")
                    return
                continue
            unheard = 0
            self._heard(client, message.get("text"))

    def _heard(self, client: Client, text: str | None) -> None:
        if text is None or len(text) > LONGEST_COMMAND:
            client.answer(None, f"a command is JSON text of at most {LONGEST_COMMAND} letters")
            return
        try:
            number, wanted = read_command(text)
        except BadCommand as bad:
            client.answer(number_in(text), str(bad))
            return
        now = self._doors.now(client.visitor)
        command = "you are not known here any more" if now is None else allowed(now, wanted)
        if isinstance(command, str):
            client.answer(number, command)
            return
        try:
            sentence = self._done(client, number, command)
        except Refused as refused:
            sentence = str(refused)
        if sentence is not None:
            client.answer(number, sentence)

    def _done(self, client: Client, number: int, command: Command) -> str | None:
        """What the page itself can do is done here; None: the game will answer."""
        match command:
            case Watch(light):
                client.light, client.light_seen = light, 0
                client.woken.set()
                return ""
            case Sit(player):
                moment = self._hub.moment
                if moment is None or moment.session.seats[player].computer:
                    raise Refused("the computer sits there")
                if self._hub.sees_late(client.visitor) and moment.session.history:
                    raise Refused(TOO_LATE)
                self._doors.sit(client.visitor, player)
            case Stand(player):
                self._doors.stand(client.visitor, player)
            case _:
                return self._carry(client, number, command) or None
        self._seats_changed()
        return ""

    def _seats_changed(self) -> None:
        """Everybody is told who they are now, and which seats are taken."""
        for each in self._hub.clients:
            was_late = self._hub.is_late(each)
            each.visitor = self._doors.now(each.visitor) or each.visitor
            each.tell(self._you(each))
            if self._hub.is_late(each) is not was_late:
                self._hub.turned(each)

    def _you(self, client: Client) -> str:
        visitor = client.visitor
        told = {
            "type": "you",
            "role": visitor.role.value,
            "seat": visitor.seat,
            "seats": list(visitor.seats),
            "taken": list(self._doors.taken()),
            "may": list(visitor.may),
            "delay_ms": round(self._hub.delay_ms) if self._hub.is_late(client) else 0,
        }
        return write(told)
