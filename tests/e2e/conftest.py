"""Fixtures: a browser for each module, and programs and pages that are closed after each test.

While the browser is open, no other event loop can run in this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.web.browser import OpenPage, Program, Start, Table, chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts the program with the test's own data folder."""
    programs: list[Program] = []

    def start_program(*arguments: str) -> Program:
        programs.append(Program(tmp_path, *arguments))
        return programs[-1]

    yield start_program
    for program in programs:
        program.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens the page in its own browser context. An error in the page fails the test."""
    tables: list[Table] = []

    def open_address(address: str, width: int = 1280, height: int = 800, **options: Any) -> Table:
        options = {"color_scheme": "dark", **options}
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        tables.append(Table(context.new_page()))
        return tables[-1].open(address)

    yield open_address
    for table in tables:
        table.page.context.close()
        assert not table.errors, table.errors
