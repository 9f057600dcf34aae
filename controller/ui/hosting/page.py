"""Opens the page for the games of one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from controller.session.sentences import join_or
from controller.ui.console import Console
from controller.ui.hosting import sentences
from controller.ui.hosting.options import PageOptions
from controller.ui.web.http_server import LOOPBACK
from engine.sentences import Sentence

if TYPE_CHECKING:
    from controller.ui.web.http_server import ThreadedServer
    from controller.ui.web.page_server import PageServer


@dataclass(frozen=True)
class OpenedPage:
    """A page that is served, and the notes for people at this computer: addresses and the PIN."""

    page: PageServer
    pin: str | None
    notes: tuple[Sentence, ...]

    @property
    def public_url(self) -> str:
        """Address without a key; on this computer's loopback if the page is not for the LAN."""
        return next(iter(self.page.addresses), f"http://{LOOPBACK}:{self.page.port}/")


def open_page(
    options: PageOptions,
    console: Console,
    new_game_choices: Callable[[], dict[str, Any]],
    *,
    refereed: bool = False,
) -> OpenedPage:
    """Serve the page until `OpenedPage.page` is closed."""
    from controller.devices.factory.clocks import today_ordinal
    from controller.devices.factory.inputs import open_computer_player
    from controller.ui.web.auth import new_key, new_pin
    from controller.ui.web.auth_store import auth_store_path
    from controller.ui.web.page_server import PageServer, PageSettings

    key, pin = new_key(), new_pin() if options.lan else None
    settings = PageSettings(
        key, options.port, pin, today_ordinal(), auth_store_path(), options.delay_ms
    )
    page = PageServer(
        settings, console.clock, new_game_choices, lambda: open_computer_player(console.clock)
    )
    notes = [sentences.PAGE_ADDRESS(url=page.address)]
    if refereed:
        notes.append(sentences.CONSOLE_ADDRESS(url=page.address.replace("/#", "/console#")))
    if pin is not None:
        notes.append(address_for_others(page, pin))
    return OpenedPage(page, pin, tuple(notes))


def address_for_others(page: ThreadedServer, pin: str) -> Sentence:
    """The addresses of a page in the local network, and its PIN."""
    return sentences.ADDRESS_FOR_OTHERS(urls=join_or(page.addresses), pin=pin)
