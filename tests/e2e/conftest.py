"""A browser for the tests of a module: while it is open, no other event loop runs in this process.

Programs and pages are closed when a test is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.web.browser import Program, Table, chromium

Start = Callable[..., Program]
Look = Callable[..., Table]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start the program in this test's own folder."""
    programs: list[Program] = []

    def started(*arguments: str) -> Program:
        programs.append(Program(tmp_path, *arguments))
        return programs[-1]

    yield started
    for program in programs:
        program.close()


@pytest.fixture
def look(browser: Browser) -> Iterator[Look]:
    """Open the page in a window of its own; a page with an error in it is a failure."""
    tables: list[Table] = []

    def looked(address: str, width: int = 1280, height: int = 800, **how: Any) -> Table:
        how = {"color_scheme": "dark", **how}
        context = browser.new_context(viewport={"width": width, "height": height}, **how)
        tables.append(Table(context.new_page()))
        return tables[-1].open(address)

    yield looked
    for table in tables:
        table.page.context.close()
        assert not table.troubles, table.troubles
