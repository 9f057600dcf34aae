"""The hall's own page, in a thread of its own, behind the same doors as the page of a game.

Everything can be read there and nothing can be asked for: the hall never commands a board.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

from controller.hall.export import export
from controller.hall.hearing import Hearing
from controller.hall.messages import State
from controller.hall.shown import hall_json, picture_name
from controller.ports import Clock
from controller.web.serving import LOOPBACK, Served, own_names
from engine import games
from engine.draw import svg
from engine.errors import LaserboardError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from controller.web.server import PageSettings

USUAL_PORT = 8138
REMEMBERED = 300  # pictures
SHARED = ("dom.js", "entering.js", "icon.svg")  # with the page of a game
UNDRAWN = "that position cannot be drawn"


class Site(Served):
    """A page that is served until it is closed."""

    def __init__(self, settings: PageSettings, clock: Clock, hearing: Hearing) -> None:
        super().__init__(settings.port, settings.pin is not None, USUAL_PORT)
        self._settings, self._clock, self._hearing = settings, clock, hearing
        self._pictures: OrderedDict[str, str] = OrderedDict()
        self._drawing: asyncio.Lock
        self._start()

    @property
    def address(self) -> str:
        """Where a browser on this computer finds it, without having to know the PIN."""
        key = f"#key={self._settings.key}" if self._settings.pin is not None else ""
        return f"http://{LOOPBACK}:{self.port}/{key}"

    async def _serve(self) -> None:
        from starlette.routing import Route

        from controller.web.assets import assets
        from controller.web.doors import Doors
        from controller.web.lobby import Lobby

        has = self._settings
        self._drawing = asyncio.Lock()
        doors = Doors(self._clock, has.today, has.entered, has.key, has.pin)
        shared = assets("controller.web")
        files = {name: shared[name] for name in SHARED} | dict(assets("controller.hall"))
        lobby = Lobby(doors, files, self.port)
        inside = lobby.for_visitors
        routes = [
            Route("/hall.json", inside(self._hall)),
            Route("/boards/{table:int}/{picture}.svg", inside(self._board)),
            Route("/games.zip", inside(self._games)),
        ]
        await self._answer(lobby.app(routes, own_names(lan=has.pin is not None)))

    async def _hall(self, _: Request) -> Response:
        from starlette.responses import JSONResponse

        return JSONResponse(hall_json(self._hearing.hall(), self._clock.now_ms()))

    async def _board(self, request: Request) -> Response:
        """The position as a picture; its name changes with it, so it may be kept for ever."""
        from starlette.responses import Response

        from controller.web.gate import refused

        board = self._hearing.hall().overview.boards.get(request.path_params["table"])
        wanted = request.path_params["picture"]
        drawn = self._pictures.get(wanted)
        if drawn is None:
            if board is None or board.state is None or picture_name(board) != wanted:
                return refused("the board does not look like that any more", 404)
            async with self._drawing:
                drawn = await asyncio.to_thread(picture, board.state)
            self._pictures[wanted] = drawn
            if len(self._pictures) > REMEMBERED:
                self._pictures.popitem(last=False)
        if not drawn:
            return refused(UNDRAWN, 404)
        headers = {"Cache-Control": "private, max-age=86400, immutable"}
        return Response(drawn, media_type="image/svg+xml", headers=headers)

    async def _games(self, _: Request) -> Response:
        from starlette.responses import Response

        hall = self._hearing.hall()
        packed = await asyncio.to_thread(export, hall, self._clock.now_ms())
        headers = {"Content-Disposition": 'attachment; filename="games.zip"'}
        return Response(packed, media_type="application/zip", headers=headers)


def picture(state: State) -> str:
    """A board's position as SVG; empty: it is none of a game that is known here."""
    try:
        game = games.make(state.game, state.options)
        return svg(game, game.read_position(state.position))
    except (LaserboardError, ValueError, TypeError, KeyError, RecursionError):
        return ""
