"""Many spectators in a process of their own: `python -m controller.bench.spectators PORT COUNT`.

On the line `in` all connect, on `elsewhere` to a game that is only made up, in this process: it
keeps the computer as busy, and is what to compare with. On `out` all leave. Each line is answered
with one line of JSON. What they measure is how old a sentence is when it arrives: both processes
read the same clock.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.typing import Origin

from controller.ports import Clock
from controller.wiring import system_clock

AT_ONCE = 10  # that connect at the same time
RATE, SIZE = 7.0, 2300  # messages a second and letters in each, as measured on a page


class Spectators:
    """All of them."""

    def __init__(self, port: int, count: int, clock: Clock) -> None:
        self._port, self._count, self._clock = port, count, clock
        self._tasks: list[asyncio.Task[None]] = []
        self._in = 0
        self._letters = self._messages = 0
        self._ages_ms: list[float] = []
        self._made_up: Server | None = None
        self._telling: asyncio.Task[None] | None = None

    async def enter(self) -> dict[str, Any]:
        return await self._all_to(self._port)

    async def elsewhere(self) -> dict[str, Any]:
        self._made_up = await serve(_deaf, "127.0.0.1", 0, compression=None)
        self._telling = asyncio.create_task(self._tell(self._made_up))
        return await self._all_to(self._made_up.sockets[0].getsockname()[1])

    async def _all_to(self, port: int) -> dict[str, Any]:
        doors = asyncio.Semaphore(AT_ONCE)
        self._tasks = [asyncio.create_task(self._watch(doors, port)) for _ in range(self._count)]
        while self._in < self._count and not any(task.done() for task in self._tasks):
            await asyncio.sleep(0.02)
        self._ages_ms, self._letters, self._messages = [], 0, 0
        return {"in": self._in}

    async def leave(self) -> dict[str, Any]:
        told = {"ages_ms": self._ages_ms, "messages": self._messages, "letters": self._letters}
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._in = 0
        if self._made_up is not None and self._telling is not None:
            self._telling.cancel()
            self._made_up.close()
            self._made_up = None
        return told

    async def _tell(self, server: Server) -> None:
        """As many letters, as often, as a page sends."""
        number = 0
        while True:
            await asyncio.sleep(1 / RATE)
            number += 1
            said = [{"number": number, "sentence": "a" * SIZE, "at_ms": self._clock.now_ms()}]
            broadcast(server.connections, json.dumps({"type": "show", "parts": {"said": said}}))

    async def _watch(self, doors: asyncio.Semaphore, port: int) -> None:
        origin = Origin(f"http://127.0.0.1:{port}")
        async with doors:
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
                    self._in += 1
                if '"said":' not in message:
                    continue
                for said in json.loads(message)["parts"]["said"]:
                    if said["number"] > newest:
                        newest = said["number"]
                        self._ages_ms.append(now_ms - said["at_ms"])


async def _deaf(line: ServerConnection) -> None:
    await line.wait_closed()


async def main(port: int, count: int) -> None:
    spectators = Spectators(port, count, system_clock())
    orders = {
        "in": spectators.enter,
        "elsewhere": spectators.elsewhere,
        "out": spectators.leave,
    }
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await orders[line.strip()]()), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
