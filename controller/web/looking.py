"""What can be fetched beside the live game: the camera's picture, and games that were played."""

from __future__ import annotations

import re
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.ports import Clock
from controller.web.analyst import Analyst
from controller.web.doors import Refused
from controller.web.gate import refused
from controller.web.hub import Hub
from controller.web.lobby import Answer, visitor_of
from controller.web.replays import FORMS, Replays
from controller.web.sights import Darkroom, Sights
from engine.errors import LaserboardError

NO_CAMERA = "the camera has given no picture yet"
LATER = "spectators see this game later: it is being played"
_TURN = re.compile("[0-9]{1,6}", re.ASCII)


class Looking:
    """Answers for `controller.web.app`; `sights` tells what there is to be seen now."""

    def __init__(
        self,
        clock: Clock,
        sights: Callable[[], Sights | None],
        replays: Replays,
        hub: Hub,
        analyst: Analyst,
    ) -> None:
        self._clock, self._sights, self._replays, self._hub = clock, sights, replays, hub
        self._analyst = analyst
        self._darkroom = Darkroom(clock)

    @property
    def routes(self) -> tuple[tuple[str, Answer], ...]:
        return (
            ("/camera.jpg", self._camera),
            ("/games.json", self._list),
            ("/games/{name}/game.json", self._told(self._game)),
            ("/games/{name}/drawing.json", self._told(self._drawing)),
            ("/games/{name}/record.{form}", self._told(self._record)),
            ("/games/{name}/analysis.json", self._told(self._analysis)),
            ("/games/{name}/{turn}.svg", self._told(self._picture)),
        )

    @property
    def posts(self) -> tuple[tuple[str, Answer], ...]:
        return (
            ("/games/{name}/analyse", self._told(self._analyse)),
            ("/games/{name}/stop", self._told(self._stop)),
        )

    async def _camera(self, request: Request) -> Response:
        if self._hub.sees_late(visitor_of(request)):
            return refused(LATER, 403)
        sights = self._sights()
        drawn = request.query_params.get("overlay") == "1"
        found = None if sights is None else await self._darkroom.photograph(sights, drawn)
        if found is None:
            return refused(NO_CAMERA, 503)
        age_ms = max(0, round(self._clock.now_ms() - found.taken_ms))
        headers = {"X-Frame-Number": str(found.number), "X-Age-Ms": str(age_ms)}
        return Response(found.jpeg, media_type="image/jpeg", headers=headers)

    async def _list(self, request: Request) -> Response:
        visitor = visitor_of(request)
        found = await self._replays.listed()
        shown = [each for each in found if not self._hub.hides(each["id"], visitor)]
        return JSONResponse({"games": shown})

    def _told(self, answer: Answer) -> Answer:
        """What is no game, or cannot be told of one, is not there."""

        async def told(request: Request) -> Response:
            try:
                if self._hub.hides(request.path_params["name"], visitor_of(request)):
                    return refused(LATER, 403)
                return await answer(request)
            except Refused:
                raise
            except LaserboardError as bad:
                return refused(str(bad), 404)

        return told

    async def _game(self, request: Request) -> Response:
        text = await self._replays.told(request.path_params["name"])
        return Response(text.encode(), media_type="application/json")

    async def _drawing(self, request: Request) -> Response:
        return JSONResponse(await self._replays.drawn(request.path_params["name"]))

    async def _record(self, request: Request) -> Response:
        name, form = request.path_params["name"], request.path_params["form"]
        forms = {"txt": "text", "json": "json"}
        text = await self._replays.written(name, forms.get(form, form))
        kind = "application/json" if forms.get(form) == FORMS["json"] else "text/plain"
        return Response(text.encode(), media_type=kind, headers=download(f"{name}.{form}"))

    async def _picture(self, request: Request) -> Response:
        name, turn = request.path_params["name"], request.path_params["turn"]
        if not _TURN.fullmatch(turn):
            return refused("a turn is a whole number", 404)
        beams = request.query_params.get("beams") == "1"
        drawn = await self._replays.pictured(name, int(turn), beams)
        headers = download(f"{name}-{turn}.svg") if "download" in request.query_params else {}
        return Response(drawn.encode(), media_type="image/svg+xml", headers=headers)

    # -- analysis ----------------------------------------------------------------------------------

    async def _analysis(self, request: Request) -> Response:
        after = request.query_params.get("after", "0")
        if not _TURN.fullmatch(after):
            return refused("after: a whole number of turns", 400)
        found = await self._analyst.told(request.path_params["name"], int(after))
        return Response(found.encode(), media_type="application/json")

    async def _analyse(self, request: Request) -> Response:
        await self._analyst.start(request.path_params["name"], visitor_of(request))
        return JSONResponse({"ok": True})

    async def _stop(self, request: Request) -> Response:
        await self._analyst.stop(request.path_params["name"], visitor_of(request))
        return JSONResponse({"ok": True})


def download(name: str) -> dict[str, str]:
    """Only for names that were found in the store; what is odd in them is left out."""
    plain = re.sub("[^A-Za-z0-9._-]", "_", name)
    return {"Content-Disposition": f'attachment; filename="{plain}"'}
