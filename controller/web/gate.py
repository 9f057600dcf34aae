"""What every request must pass before anything looks at it, and what every answer carries.

A name that is not ours in `Host` is somebody's DNS playing tricks. A POST or a socket from another
site's page is known by its `Origin`. Nothing is believed of where a request comes from.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 4096
LONGEST_TARGET = 2048
READING, WRITING = ("GET", "HEAD"), ("POST",)
_HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9.-]{1,253})(?::([0-9]{1,5}))?", re.ASCII)

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "manifest-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


def refused(sentence: str, status: int, **headers: str) -> JSONResponse:
    """An answer that says what is wrong."""
    return JSONResponse({"error": sentence}, status, headers=headers)


class Gate:
    """Around the whole application."""

    def __init__(self, app: ASGIApp, names: Collection[str], port: int) -> None:
        self._app, self._names, self._port = app, frozenset(names), port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if scope["type"] == "websocket":
            if refusal is not None:
                await send({"type": "websocket.close", "code": 4403, "reason": "not from here"})
                return
            await self._app(scope, receive, send)
            return
        answer = _dressed(send)
        if refusal is not None:
            await refusal(scope, receive, answer)
            return
        await self._app(scope, _limited(receive), answer)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        host = headers.getlist("host")
        if len(host) != 1 or not self.ours(host[0], scope):
            return refused("this page is not served under that name", 421)
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > LONGEST_TARGET:
            return refused("that address is too long", 414)
        method = scope.get("method", "GET")
        if method not in (*READING, *WRITING):
            return refused(f"{method} does nothing here", 405, Allow="GET, HEAD, POST")
        asks = method in WRITING or scope["type"] == "websocket"
        if asks and headers.getlist("origin") != [f"http://{host[0]}"]:
            return refused("only this page itself may ask for that", 403)
        if method in WRITING:
            return _body_refusal(headers)
        return None

    def ours(self, host: str, scope: Scope) -> bool:
        """Whether that is a name of this server: the address that the request has come to, which
        no DNS can fake, or a name that we were told."""
        found = _HOST.fullmatch(host.lower())
        if found is None or int(found[2] or 80) != self._port:
            return False
        name = found[1].removeprefix("[").removesuffix("]")
        if name in self._names:
            return True
        server = scope.get("server")
        try:
            return server is not None and _address(name) == _address(server[0])
        except ValueError:
            return False


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    address = ipaddress.ip_address(text)
    mapped = getattr(address, "ipv4_mapped", None)
    return address if mapped is None else mapped


def _body_refusal(headers: Headers) -> JSONResponse | None:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return refused("send JSON (Content-Type: application/json)", 415)
    length = headers.get("content-length", "")
    if not re.fullmatch("[0-9]{1,9}", length, re.ASCII):
        return refused("say how long it is (Content-Length)", 411)
    if int(length) > LARGEST_BODY:
        return refused(f"too long: at most {LARGEST_BODY} bytes", 413)
    return None


def _limited(receive: Receive) -> Receive:
    """A body that is longer than it said it would be ends there."""
    left = LARGEST_BODY

    async def limited() -> Message:
        nonlocal left
        message = await receive()
        body: bytes = message.get("body", b"")
        left -= len(body)
        if left < 0:
            return {"type": "http.disconnect"}
        return message

    return limited


def _dressed(send: Send) -> Send:
    """Every answer says what a browser may do with it."""

    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=_headers(message))
            for name, value in HEADERS.items():
                headers[name] = value
            if "cache-control" not in headers:
                headers["Cache-Control"] = "no-store"
            message = {**message, "headers": headers.raw}
        await send(message)

    return dressed


def _headers(message: Message) -> dict[str, Any]:
    return {"headers": list(message.get("headers", []))}
