"""ASGI middleware: checks every request before the application, and adds security headers.

It rejects a foreign `Host` (DNS rebinding), and a POST or WebSocket with a foreign `Origin` (CSRF).
It ignores forwarding headers and gives no rights to client addresses.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.ui.web import sentences
from engine.sentences import Sentence, sentence_json

MAX_BODY_BYTES = 4096
MAX_URL_LENGTH = 2048
READ_METHODS, WRITE_METHODS = ("GET", "HEAD"), ("POST",)
_HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[a-z0-9.-]{1,253})(?::([0-9]{1,5}))?", re.ASCII)

CONTENT_SECURITY_POLICY = "; ".join(
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
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


def error_response(sentence: Sentence, status: int, **headers: str) -> JSONResponse:
    return JSONResponse({"error": sentence_json(sentence)}, status, headers=headers)


class RequestGuard:
    """The middleware; `host_names` are valid in a `Host` header, besides the server's addresses."""

    def __init__(self, app: ASGIApp, host_names: Collection[str], port: int) -> None:
        self._app, self._host_names, self._port = app, frozenset(host_names), port

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
        guarded_send = _with_security_headers(send)
        if refusal is not None:
            await refusal(scope, receive, guarded_send)
            return
        await self._app(scope, _limit_body(receive), guarded_send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        host = headers.getlist("host")
        if len(host) != 1 or not self.is_own_host(host[0], scope):
            return error_response(sentences.FOREIGN_HOST(), 421)
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > MAX_URL_LENGTH:
            return error_response(sentences.URL_TOO_LONG(), 414)
        method = scope.get("method", "GET")
        if method not in (*READ_METHODS, *WRITE_METHODS):
            refusal = sentences.METHOD_NOT_ALLOWED(method=method)
            return error_response(refusal, 405, Allow="GET, HEAD, POST")
        needs_origin = method in WRITE_METHODS or scope["type"] == "websocket"
        if needs_origin and headers.getlist("origin") != [f"http://{host[0]}"]:
            return error_response(sentences.FOREIGN_ORIGIN(), 403)
        if method in WRITE_METHODS:
            return _body_refusal(headers)
        return None

    def is_own_host(self, host: str, scope: Scope) -> bool:
        """Whether the header names this server: by a configured name, or by the address that the
        connection was made to, which DNS cannot fake."""
        match = _HOST.fullmatch(host.lower())
        if match is None or int(match[2] or 80) != self._port:
            return False
        name = match[1].removeprefix("[").removesuffix("]")
        if name in self._host_names:
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
    media_type = headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        return error_response(sentences.NOT_JSON_BODY(), 415)
    length = headers.get("content-length", "")
    if not re.fullmatch("[0-9]{1,9}", length, re.ASCII):
        return error_response(sentences.LENGTH_REQUIRED(), 411)
    if int(length) > MAX_BODY_BYTES:
        return error_response(sentences.BODY_TOO_LONG(most=MAX_BODY_BYTES), 413)
    return None


def _limit_body(receive: Receive) -> Receive:
    """Disconnect when a body is longer than the limit, whatever its Content-Length said."""
    remaining = MAX_BODY_BYTES

    async def limited() -> Message:
        nonlocal remaining
        message = await receive()
        body: bytes = message.get("body", b"")
        remaining -= len(body)
        if remaining < 0:
            return {"type": "http.disconnect"}
        return message

    return limited


def _with_security_headers(send: Send) -> Send:
    """Add the security headers to every response, and `no-store` unless it sets its caching."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=_header_scope(message))
            for name, value in SECURITY_HEADERS.items():
                headers[name] = value
            if "cache-control" not in headers:
                headers["Cache-Control"] = "no-store"
            message = {**message, "headers": headers.raw}
        await send(message)

    return send_with_headers


def _header_scope(message: Message) -> dict[str, Any]:
    return {"headers": list(message.get("headers", []))}
