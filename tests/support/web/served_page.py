"""A page server, and HTTP and WebSocket clients for valid and invalid requests."""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from controller.devices.factory.clocks import system_clock
from controller.ports.devices import Clock
from controller.ui.web.page_server import PageServer, PageSettings
from engine.sentences import Sentence, read_sentence
from tests.support.web.page_examples import moment

KEY = "the-key-of-this-test-0123456789"
PIN = "271828"
MAX_S = float(os.environ.get("LASERBOARD_PATIENCE_S", "60"))  # more on a busy machine
TIMEOUT_S = MAX_S / 3
DAY = 740_000


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> Sentence:
        return read_sentence(self.json["error"])


@dataclass
class ServedPage:
    """A page server, with requests to it."""

    page: PageServer
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.page.port}"

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    def ask(
        self,
        path: str,
        *,
        method: str = "GET",
        body: bytes | None = None,
        cookie: str = "",
        **headers: str | None,
    ) -> Answer:
        """Send a request. Header names have underscores; None omits a header."""
        given: dict[str, str | None] = {"Host": self.host, "Cookie": cookie or None}
        given |= {name.replace("_", "-").title(): value for name, value in headers.items()}
        line = http.client.HTTPConnection("127.0.0.1", self.page.port, timeout=TIMEOUT_S)
        try:
            line.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            if body is not None and "Content-Length" not in given:
                given["Content-Length"] = str(len(body))
            for name, value in given.items():
                if value is not None:
                    line.putheader(name, value)
            line.endheaders(body)
            answer = line.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())
        finally:
            line.close()

    def post(self, path: str, value: Any, *, cookie: str = "", **headers: str | None) -> Answer:
        reported: dict[str, str | None] = {
            "content_type": "application/json",
            "origin": self.origin,
            **headers,
        }
        content = value if isinstance(value, bytes) else json.dumps(value).encode()
        return self.ask(path, method="POST", body=content, cookie=cookie, **reported)

    def log_in(self, **secret: str) -> str:
        """A cookie."""
        answer = self.post("/login", secret)
        assert answer.status == 200, answer.body
        return answer.headers["set-cookie"].partition(";")[0]

    @contextmanager
    def socket(self, cookie: str = "", **how: Any) -> Iterator[Socket]:
        headers = {"Cookie": cookie} if cookie else {}
        how = {"origin": self.origin, **how}
        with connect(
            f"ws://{self.host}/live",
            additional_headers=headers,
            open_timeout=TIMEOUT_S,
            compression=None,
            **how,
        ) as line:
            yield Socket(line)


@dataclass
class Socket:
    """An open WebSocket, with the last value of each part that it received."""

    line: ClientConnection
    model: dict[str, Any] = field(default_factory=dict)
    user: dict[str, Any] = field(default_factory=dict)
    leds: str | None = None
    states: int = 0
    _number: int = 0

    def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.line.recv(timeout=TIMEOUT_S))
        match message["type"]:
            case "state":
                self.model |= message["parts"]
                self.states += 1
            case "user":
                self.user = message
            case "leds":
                self.leds = message["leds"]
        return message

    def until(self, met: Callable[[], Any]) -> None:
        end_s = time.monotonic() + MAX_S
        while time.monotonic() < end_s:
            if met():
                return
            self.receive()
        raise AssertionError(f"timed out; last state: {self.model.get('table')}")

    def do(self, command: str, **fields: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        self._number += 1
        self.line.send(json.dumps({"id": self._number, "do": command, **fields}))
        return self.answer(self._number)

    def refusal(self, command: str, **fields: Any) -> Sentence:
        """Send a command that must be refused; return the reason."""
        answer = self.do(command, **fields)
        assert not answer["ok"], answer
        return read_sentence(answer["sentence"])

    @property
    def messages(self) -> list[Sentence]:
        return [read_sentence(each["sentence"]) for each in self.model["messages"]]

    def answer(self, number: int | None) -> dict[str, Any]:
        end_s = time.monotonic() + MAX_S
        while time.monotonic() < end_s:
            message = self.receive()
            if message["type"] == "answer" and message["id"] == number:
                return message
        raise AssertionError("no answer came")


@contextmanager
def served(
    *, pin: str | None = None, entered: Path | None = None, clock: Clock | None = None
) -> Iterator[ServedPage]:
    """Serve a page with an unchanging game in progress."""
    settings = PageSettings(KEY, 0, pin, DAY, entered)
    page = PageServer(settings, clock or system_clock())
    try:
        page.publish(moment("laser-chess"))
        yield ServedPage(page)
    finally:
        page.close()
