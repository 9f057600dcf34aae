"""Starts the program as a process, and controls its page in headless Chromium."""

from __future__ import annotations

import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from tests.support.paths import ROOT

SCREENSHOTS = ROOT / "build" / "screenshots"
AXE = ROOT / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
TIMEOUT_S = float(os.environ.get("LASERBOARD_PATIENCE_S", "60"))  # more on a busy machine
TIMEOUT_MS = 1000 * TIMEOUT_S
SWITCHES = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Console errors of a browser whose server is gone. Some tests kill it.
CONNECTION_ERRORS = (
    *("WebSocket", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_CONNECTION_CLOSED"),
    *("ERR_CONNECTION_ABORTED", "ERR_EMPTY_RESPONSE"),
    *("ERR_CONTENT_LENGTH_MISMATCH", "ERR_INCOMPLETE_CHUNKED_ENCODING"),  # in the middle of a file
)
# Collects all elements that match from now on, also those that are removed again soon.
COLLECT = """selector => {
  window.collector?.disconnect();
  window.collected = new Set();
  window.collector = new MutationObserver(() => {
    for (const each of document.querySelectorAll(selector)) collected.add(each);
  });
  const options = {subtree: true, childList: true, attributeFilter: ["class"]};
  collector.observe(document.body, options);
}"""
expect.set_options(timeout=TIMEOUT_MS)


def skip_unless_installed(there: bool, what: str) -> None:
    """Skip the test if a program is not installed; in CI it must be."""
    if not there and not os.environ.get("CI"):
        pytest.skip(f"{what} is missing: `make test-slow` installs it")
    assert there, f"{what} is missing"


class Program:
    """`laserboard ...` with its page, and the lines that it prints."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        environment = os.environ | {"XDG_DATA_HOME": str(folder), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "controller.cli.main", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )
        self.lines: list[str] = []
        self._queue: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.address = self.until(r"the page: (\S+)")[1]
        self.port = int(re.findall(r":(\d+)/", self.address)[0])

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._queue.put(line)
        self._queue.put(None)

    def until(self, pattern: str) -> re.Match[str]:
        """Wait for the first line that matches."""
        end = time.monotonic() + TIMEOUT_S
        while True:
            line = self._queue.get(timeout=max(0.1, end - time.monotonic()))
            assert line is not None, f"it ended before {pattern!r} came: {self.lines}"
            self.lines.append(line)
            found = re.search(pattern, line)
            if found:
                return found

    def kill(self) -> None:
        """End the process at once, as a power cut does."""
        self.process.kill()
        self.process.wait()

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.kill()


class Table:
    """The page, controlled with mouse, touch and keyboard."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        page.set_default_timeout(TIMEOUT_MS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._on_console)

    def _on_console(self, message: Any) -> None:
        if message.type == "error" and not any(word in message.text for word in CONNECTION_ERRORS):
            self.errors.append(message.text)

    def open(self, address: str) -> Table:
        self.page.goto(address)
        expect(self.page.locator("#board .piece").first).to_be_attached()
        return self

    def at(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def cell(self, name: str) -> Locator:
        return self.page.locator(f'#board .touch[data-cell="{name}"]')

    # -- reading -----------------------------------------------------------------------------------

    def says(self, pattern: str) -> None:
        """Wait until the guidance matches."""
        expect(self.at("#sentence")).to_have_text(re.compile(pattern, re.IGNORECASE))

    def until(self, script: str) -> None:
        """Poll the script until it is true. The page's CSP forbids `wait_for_function`."""
        end = time.monotonic() + TIMEOUT_S
        while not self.page.evaluate(f"() => Boolean({script})"):
            assert time.monotonic() < end, script
            self.page.wait_for_timeout(40)

    @contextmanager
    def sees(self, selector: str, count: int | None = 1) -> Iterator[None]:
        """Expect that the block makes `count` such elements appear, however briefly; None: any."""
        self.page.evaluate(COLLECT, selector)
        yield
        self.until("collected.size" if count is None else f"collected.size === {count}")

    def moves(self, *texts: str) -> None:
        """Wait until the list of turns is exactly this."""
        expect(self.at("#moves .text")).to_have_text(list(texts))

    def marked(self, look: str) -> set[str]:
        found = self.at(f"#board .mark.{look}").evaluate_all("all => all.map(e => e.dataset.cell)")
        return set(found)

    def shot(self, name: str) -> Path:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        path = SCREENSHOTS / f"{name}.png"
        self.page.screenshot(path=path)
        return path

    # -- acting ------------------------------------------------------------------------------------

    def touch(self, name: str) -> None:
        x, y = self.middle(name)
        self.page.mouse.click(x, y)

    def middle(self, name: str) -> tuple[float, float]:
        box = self.cell(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, source: str, target: str, off: tuple[float, float] = (0, 0)) -> None:
        (x, y), (to_x, to_y) = self.middle(source), self.middle(target)
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=3)
        mouse.move(to_x + off[0], to_y + off[1], steps=3)
        mouse.up()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def fire(self) -> None:
        """Press fire once the table shows the move."""
        self.says("press fire")
        self.at("#fire").click()

    def axe(self, where: str) -> None:
        """Check accessibility with axe: no serious finding."""
        skip_unless_installed(AXE.exists(), "axe-core")
        self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        bad = [
            f"{each['id']}: {each['help']}: {[node['target'] for node in each['nodes']]}"
            for each in found["violations"]
            if each["impact"] in ("serious", "critical")
        ]
        assert not bad, f"{where}: {bad}"


Start = Callable[..., Program]
OpenPage = Callable[..., Table]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, headless."""
    path = shutil.which("chromium")
    skip_unless_installed(path is not None, "chromium")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=SWITCHES)
        yield browser
        browser.close()
