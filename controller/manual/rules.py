"""`docs/rules-*.svg`: how each game is played, the pages that `laserboard print rules` prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from controller.sheets.page import A4
from controller.sheets.rules.page import rules_page
from engine.games import GAMES, make


def page(name: str) -> str:
    return rules_page(make(name), A4).svg() + "\n"


PAGES: Mapping[str, Callable[[], str]] = {
    f"rules-{name}.svg": partial(page, name) for name in GAMES
}
