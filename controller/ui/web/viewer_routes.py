"""The routes for viewers: camera images, and stored games with their records and analyses.

With a spectators' delay, spectators get no camera images, and not the journal of the running game.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from controller.ports.devices import Clock
from controller.ui.web import sentences
from controller.ui.web.analysis_service import AnalysisService
from controller.ui.web.auth import RequestRefused
from controller.ui.web.base_app import Endpoint, user_of
from controller.ui.web.broadcast import Broadcaster
from controller.ui.web.camera_view import CameraImageCache, CameraView
from controller.ui.web.replay_service import FORMS, ReplayService
from controller.ui.web.request_guard import error_response
from engine.errors import LaserboardError

_TURN = re.compile("[0-9]{1,6}", re.ASCII)


class ViewerRoutes:
    """The endpoints; `camera_view` returns the camera of the present table, or None."""

    def __init__(
        self,
        clock: Clock,
        camera_view: Callable[[], CameraView | None],
        replay_service: ReplayService,
        broadcaster: Broadcaster,
        analysis_service: AnalysisService,
    ) -> None:
        self._clock, self._camera_view, self._replay_service, self._broadcaster = (
            clock,
            camera_view,
            replay_service,
            broadcaster,
        )
        self._analysis_service = analysis_service
        self._image_cache = CameraImageCache(clock)

    @property
    def routes(self) -> tuple[tuple[str, Endpoint], ...]:
        return (
            ("/camera.jpg", self._camera),
            ("/games.json", self._list),
            ("/games/{name}/game.json", self._or_not_found(self._game)),
            ("/games/{name}/drawing.json", self._or_not_found(self._drawing)),
            ("/games/{name}/record.{form}", self._or_not_found(self._record)),
            ("/games/{name}/analysis.json", self._or_not_found(self._analysis)),
            ("/games/{name}/{turn}.svg", self._or_not_found(self._position_svg)),
        )

    @property
    def post_routes(self) -> tuple[tuple[str, Endpoint], ...]:
        return (
            ("/games/{name}/analyse", self._or_not_found(self._analyse)),
            ("/games/{name}/stop", self._or_not_found(self._stop)),
        )

    async def _camera(self, request: Request) -> Response:
        if self._broadcaster.sees_delayed(user_of(request)):
            return error_response(sentences.GAME_IS_DELAYED(), 403)
        view = self._camera_view()
        with_overlay = request.query_params.get("overlay") == "1"
        image = None if view is None else await self._image_cache.latest_image(view, with_overlay)
        if image is None:
            return error_response(sentences.NO_CAMERA_IMAGE(), 503)
        age_ms = max(0, round(self._clock.now_ms() - image.taken_ms))
        headers = {"X-Frame-Number": str(image.number), "X-Age-Ms": str(age_ms)}
        return Response(image.jpeg, media_type="image/jpeg", headers=headers)

    async def _list(self, request: Request) -> Response:
        user = user_of(request)
        rows = await self._replay_service.list_games()
        visible = [each for each in rows if not self._broadcaster.hides_game(each["id"], user)]
        return JSONResponse({"games": visible})

    def _or_not_found(self, endpoint: Endpoint) -> Endpoint:
        """Wrap an endpoint for a game: it answers 403 if the game is hidden, 404 on an error."""

        async def checked(request: Request) -> Response:
            try:
                if self._broadcaster.hides_game(request.path_params["name"], user_of(request)):
                    return error_response(sentences.GAME_IS_DELAYED(), 403)
                return await endpoint(request)
            except RequestRefused:
                raise
            except LaserboardError as error:
                return error_response(error.sentence, 404)

        return checked

    async def _game(self, request: Request) -> Response:
        text = await self._replay_service.game_text(request.path_params["name"])
        return Response(text.encode(), media_type="application/json")

    async def _drawing(self, request: Request) -> Response:
        return JSONResponse(await self._replay_service.board_drawing(request.path_params["name"]))

    async def _record(self, request: Request) -> Response:
        name, form = request.path_params["name"], request.path_params["form"]
        forms = {"txt": "text", "json": "json"}
        text = await self._replay_service.record_text(name, forms.get(form, form))
        media_type = "application/json" if forms.get(form) == FORMS["json"] else "text/plain"
        return Response(
            text.encode(), media_type=media_type, headers=attachment_header(f"{name}.{form}")
        )

    async def _position_svg(self, request: Request) -> Response:
        name, turn = request.path_params["name"], request.path_params["turn"]
        if not _TURN.fullmatch(turn):
            return error_response(sentences.TURN_NOT_A_NUMBER(), 404)
        beams = request.query_params.get("beams") == "1"
        svg = await self._replay_service.position_svg(name, int(turn), beams)
        headers = (
            attachment_header(f"{name}-{turn}.svg") if "download" in request.query_params else {}
        )
        return Response(svg.encode(), media_type="image/svg+xml", headers=headers)

    # -- analysis ----------------------------------------------------------------------------------

    async def _analysis(self, request: Request) -> Response:
        after = request.query_params.get("after", "0")
        if not _TURN.fullmatch(after):
            return error_response(sentences.AFTER_NOT_A_NUMBER(), 400)
        text = await self._analysis_service.status_json(request.path_params["name"], int(after))
        return Response(text.encode(), media_type="application/json")

    async def _analyse(self, request: Request) -> Response:
        await self._analysis_service.start(request.path_params["name"], user_of(request))
        return JSONResponse({"ok": True})

    async def _stop(self, request: Request) -> Response:
        await self._analysis_service.stop(request.path_params["name"], user_of(request))
        return JSONResponse({"ok": True})


def attachment_header(name: str) -> dict[str, str]:
    """The header that makes the browser save the response, with a safe ASCII file name."""
    file_name = re.sub("[^A-Za-z0-9._-]", "_", name)
    return {"Content-Disposition": f'attachment; filename="{file_name}"'}
