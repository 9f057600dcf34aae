"""Delayed spectators get no state, LEDs or history before their time, on any route."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from controller.devices.factory.clocks import system_clock
from controller.ui.web.broadcast import DELAYED_MERGE_MS, Broadcaster, PageClient
from controller.ui.web.page_server import PageServer, PageSettings
from controller.ui.web.permissions import Role, User
from tests.support.web.page_examples import moment
from tests.support.web.served_page import DAY, KEY, PIN, ServedPage

DELAY_MS = 30_000.0
SPECTATOR, PLAYER = User("s"), User("p", Role.PLAYER, 1)


class SettableClock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.ms = 1_000_000.0

    def now_ms(self) -> float:
        return self.ms

    def wait_ms(self, duration_ms: float) -> None:
        self.ms += duration_ms


async def receive_all(hub: Broadcaster, client: PageClient) -> dict[str, object]:
    """All parts of the messages that are due for a page."""
    known: dict[str, object] = {}
    client.wake.set()
    for message in await hub.next_messages(client):
        reported = json.loads(message)
        if reported["type"] == "state":
            known |= reported["parts"] | {"now_ms": reported["now_ms"]}
        elif reported["type"] == "leds":
            known["light"] = reported["leds"]
    return known


@pytest.mark.parametrize("late_page", [False, True], ids=["spectator", "late page of a referee"])
def test_every_part_is_sent_after_the_delay_and_not_before(late_page: bool) -> None:
    async def play() -> None:
        clock = SettableClock()
        hub = Broadcaster(clock, DELAY_MS)
        now = PageClient(PLAYER)
        late = (
            PageClient(User("r", Role.HOST), delayed=True) if late_page else PageClient(SPECTATOR)
        )
        now.wants_leds = late.wants_leds = True
        hub.clients |= {now, late}
        hub.publish(moment("laser-chess", 2))
        hub.publish_leds("ff0000")
        await asyncio.sleep(0.06)
        assert len((await receive_all(hub, now))["history"]) == 2  # type: ignore[arg-type]
        nothing = await receive_all(hub, late)
        assert not {"history", "board", "messages", "clocks"} & set(nothing)
        assert nothing.get("light", "") == ""
        clock.ms += DELAY_MS - 1
        hub._release()
        assert "history" not in await receive_all(hub, late)
        clock.ms += DELAYED_MERGE_MS + 2
        hub.publish(moment("laser-chess", 3))
        await asyncio.sleep(0.06)
        hub._release()
        shown = await receive_all(hub, late)
        assert len(shown["history"]) == 2  # type: ignore[arg-type]
        assert shown["light"] == "ff0000"
        assert shown["now_ms"] == round(clock.ms - DELAY_MS), "the clocks are as old as the state"
        clock.ms += DELAY_MS
        hub._release()
        assert len((await receive_all(hub, late))["history"]) == 3  # type: ignore[arg-type]

    asyncio.run(play())


def test_states_in_quick_succession_are_never_sent_early() -> None:
    async def play() -> None:
        clock = SettableClock()
        hub = Broadcaster(clock, DELAY_MS)
        late = PageClient(SPECTATOR)
        hub.clients.add(late)
        for turns in (1, 2, 3):
            hub._delay(moment("laser-chess", turns), clock.ms)
            clock.ms += DELAYED_MERGE_MS / 4
        clock.ms = 1_000_000.0 + DELAY_MS  # the first state is due; it was merged with later ones
        hub._release()
        assert "history" not in await receive_all(hub, late)

    asyncio.run(play())


def test_no_route_bypasses_the_delay() -> None:
    clock = system_clock()
    page = PageServer(PageSettings(KEY, 0, PIN, DAY, None, DELAY_MS), clock)
    try:
        now = moment("laser-chess", 2)
        page.publish(replace(now, game=replace(now.game, name="2026-03-01-2")))
        served_page = ServedPage(page)
        spectator, referee = served_page.log_in(pin=PIN), served_page.log_in(key=KEY)
        with served_page.socket(referee) as live:
            live.until(lambda: live.model.get("history"))
        with served_page.socket(spectator) as watching:
            assert not watching.do("take_seat", player=0)["ok"], (
                "a seated player sees the current state"
            )
            assert "history" not in watching.model
            assert watching.user["delay_ms"] == DELAY_MS
        assert served_page.ask("/drawing.json", cookie=spectator).status == 503
        assert served_page.ask("/drawing.json", cookie=referee).status == 200
        assert served_page.ask("/camera.jpg", cookie=spectator).status == 403
        for file in ("game.json", "drawing.json", "record.txt", "record.json", "1.svg"):
            found = served_page.ask(f"/games/2026-03-01-2/{file}", cookie=spectator)
            assert found.status == 403, file
        for path in ("/position.json", "/referee/export.zip", f"/evidence/{'a' * 64}.jpg"):
            assert served_page.ask(path, cookie=spectator).status == 403, path
    finally:
        page.close()
