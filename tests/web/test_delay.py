"""Spectators who see a game later learn nothing before their time, by whatever they ask."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from controller.web.hub import LATE_TAKE_MS, Client, Hub
from controller.web.rights import Role, Visitor
from controller.web.server import Page, PageSettings
from controller.wiring import system_clock
from tests.web.examples import moment
from tests.web.served import DAY, KEY, PIN, Served

DELAY_MS = 30_000.0
SPECTATOR, PLAYER = Visitor("s"), Visitor("p", Role.PLAYER, 1)


class Hand:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.ms = 1_000_000.0

    def now_ms(self) -> float:
        return self.ms

    def wait_ms(self, duration_ms: float) -> None:
        self.ms += duration_ms


async def heard(hub: Hub, client: Client) -> dict[str, object]:
    """Everything that a page knows once it was sent what waits for it."""
    known: dict[str, object] = {}
    client.woken.set()
    for message in await hub.waiting(client):
        told = json.loads(message)
        if told["type"] == "show":
            known |= told["parts"] | {"now_ms": told["now_ms"]}
        elif told["type"] == "light":
            known["light"] = told["leds"]
    return known


@pytest.mark.parametrize("late_page", [False, True], ids=["spectator", "late page of a referee"])
def test_nothing_is_shown_before_its_time_and_everything_then(late_page: bool) -> None:
    async def play() -> None:
        clock = Hand()
        hub = Hub(clock, DELAY_MS)
        now = Client(PLAYER)
        late = Client(Visitor("r", Role.REFEREE), late=True) if late_page else Client(SPECTATOR)
        now.light = late.light = True
        hub.clients |= {now, late}
        hub.publish(moment("laser-chess", 2))
        hub.shine("ff0000")
        await asyncio.sleep(0.06)
        assert len((await heard(hub, now))["history"]) == 2  # type: ignore[arg-type]
        nothing = await heard(hub, late)
        assert not {"history", "board", "said", "clocks"} & set(nothing)
        assert nothing.get("light", "") == ""
        clock.ms += DELAY_MS - 1
        hub._release()
        assert "history" not in await heard(hub, late)
        clock.ms += LATE_TAKE_MS + 2
        hub.publish(moment("laser-chess", 3))
        await asyncio.sleep(0.06)
        hub._release()
        shown = await heard(hub, late)
        assert len(shown["history"]) == 2  # type: ignore[arg-type]
        assert shown["light"] == "ff0000"
        assert shown["now_ms"] == round(clock.ms - DELAY_MS), "its clocks show the time of then"
        clock.ms += DELAY_MS
        hub._release()
        assert len((await heard(hub, late))["history"]) == 3  # type: ignore[arg-type]

    asyncio.run(play())


def test_moments_that_come_fast_are_never_shown_early() -> None:
    async def play() -> None:
        clock = Hand()
        hub = Hub(clock, DELAY_MS)
        late = Client(SPECTATOR)
        hub.clients.add(late)
        for turns in (1, 2, 3):
            hub._keep(moment("laser-chess", turns), clock.ms)
            clock.ms += LATE_TAKE_MS / 4
        clock.ms = 1_000_000.0 + DELAY_MS  # the first one's time, which was one with the others
        hub._release()
        assert "history" not in await heard(hub, late)

    asyncio.run(play())


def test_no_door_leads_around_the_delay() -> None:
    clock = system_clock()
    page = Page(PageSettings(KEY, 0, PIN, DAY, None, DELAY_MS), clock)
    try:
        now = moment("laser-chess", 2)
        page.publish(replace(now, sitting=replace(now.sitting, name="2026-03-01-2")))
        here = Served(page)
        spectator, referee = here.enter(pin=PIN), here.enter(key=KEY)
        with here.socket(referee) as live:
            live.until(lambda: live.model.get("history"))
        with here.socket(spectator) as watching:
            assert not watching.do("sit", player=0)["ok"], "whoever sits would see it at once"
            assert "history" not in watching.model
            assert watching.you["delay_ms"] == DELAY_MS
        assert here.ask("/drawing.json", cookie=spectator).status == 503
        assert here.ask("/drawing.json", cookie=referee).status == 200
        assert here.ask("/camera.jpg", cookie=spectator).status == 403
        for file in ("game.json", "drawing.json", "record.txt", "record.json", "1.svg"):
            found = here.ask(f"/games/2026-03-01-2/{file}", cookie=spectator)
            assert found.status == 403, file
        for path in ("/position.json", "/desk/export.zip", f"/evidence/{'a' * 64}.jpg"):
            assert here.ask(path, cookie=spectator).status == 403, path
    finally:
        page.close()
