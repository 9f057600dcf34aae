"""Something that is played, with chaos and watchers beside it for as long as it lasts."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


async def beside(playing: Coroutine[Any, Any, None], *others: Coroutine[Any, Any, None]) -> None:
    """To the end of what is played; what goes wrong with another ends that, too."""
    game = asyncio.ensure_future(playing)
    running = [asyncio.ensure_future(each) for each in others]
    try:
        while not game.done():
            open_tasks = [each for each in running if not each.done()]
            await asyncio.wait([game, *open_tasks], return_when=asyncio.FIRST_COMPLETED)
            for each in running:
                if each.done():
                    each.result()
        game.result()
    finally:
        for each in (game, *running):
            each.cancel()
        await asyncio.gather(game, *running, return_exceptions=True)
