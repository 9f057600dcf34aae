"""Many clients in one process: `python -m controller.benchmarks.web_clients PORT COUNT`.

Commands come as lines: on `in` all connect to the page, on `elsewhere` to a fake page in this
process, which loads the machine equally and is the baseline, on `out` all disconnect. Each line is
answered by one line of JSON. Clients measure the age of a message on arrival: both processes read
the same clock.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.typing import Origin

from controller.devices.factory.clocks import system_clock
from controller.ports.devices import Clock

MAX_CONNECTING = 10  # concurrently
MESSAGE_RATE_HZ, MESSAGE_CHARS = 7.0, 2300  # as measured on a page


class WebClients:
    """All clients."""

    def __init__(self, port: int, count: int, clock: Clock) -> None:
        self._port, self._count, self._clock = port, count, clock
        self._tasks: list[asyncio.Task[None]] = []
        self._connected = 0
        self._letters = self._messages = 0
        self._ages_ms: list[float] = []
        self._fake_server: Server | None = None
        self._broadcast_task: asyncio.Task[None] | None = None

    async def connect_all(self) -> dict[str, Any]:
        return await self._connect_all_to(self._port)

    async def connect_to_fake_page(self) -> dict[str, Any]:
        self._fake_server = await serve(_ignore_messages, "127.0.0.1", 0, compression=None)
        self._broadcast_task = asyncio.create_task(self._broadcast_events(self._fake_server))
        return await self._connect_all_to(self._fake_server.sockets[0].getsockname()[1])

    async def _connect_all_to(self, port: int) -> dict[str, Any]:
        slots = asyncio.Semaphore(MAX_CONNECTING)
        self._tasks = [asyncio.create_task(self._watch(slots, port)) for _ in range(self._count)]
        while self._connected < self._count and not any(task.done() for task in self._tasks):
            await asyncio.sleep(0.02)
        self._ages_ms, self._letters, self._messages = [], 0, 0
        return {"in": self._connected}

    async def disconnect_all(self) -> dict[str, Any]:
        measured = {"ages_ms": self._ages_ms, "messages": self._messages, "letters": self._letters}
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._connected = 0
        if self._fake_server is not None and self._broadcast_task is not None:
            self._broadcast_task.cancel()
            self._fake_server.close()
            self._fake_server = None
        return measured

    async def _broadcast_events(self, server: Server) -> None:
        """Send as much, and as often, as a page does."""
        number = 0
        while True:
            await asyncio.sleep(1 / MESSAGE_RATE_HZ)
            number += 1
            messages = [
                {"number": number, "sentence": "a" * MESSAGE_CHARS, "at_ms": self._clock.now_ms()}
            ]
            broadcast(
                server.connections, json.dumps({"type": "state", "parts": {"messages": messages}})
            )

    async def _watch(self, slots: asyncio.Semaphore, port: int) -> None:
        origin = Origin(f"http://127.0.0.1:{port}")
        async with slots:
            line = await connect(
                f"ws://127.0.0.1:{port}/live", origin=origin, compression=None, max_size=None
            )
        newest, entered = 0, False
        async with line:
            async for message in line:
                now_ms = self._clock.now_ms()
                self._messages += 1
                self._letters += len(message)
                if not entered:
                    entered = True
                    self._connected += 1
                if '"messages":' not in message:
                    continue
                for shown in json.loads(message)["parts"]["messages"]:
                    if shown["number"] > newest:
                        newest = shown["number"]
                        self._ages_ms.append(now_ms - shown["at_ms"])


async def _ignore_messages(line: ServerConnection) -> None:
    await line.wait_closed()


async def main(port: int, count: int) -> None:
    clients = WebClients(port, count, system_clock())
    commands = {
        "in": clients.connect_all,
        "elsewhere": clients.connect_to_fake_page,
        "out": clients.disconnect_all,
    }
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await commands[line.strip()]()), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
