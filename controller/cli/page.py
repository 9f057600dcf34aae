"""The arguments by which a command is told to serve its page, and the page."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from controller.cli.console import BadInput, Console
from controller.web.serving import LOOPBACK

if TYPE_CHECKING:
    from controller.web.server import Page

PORTS = (0, 65535)  # 0: any that is free
MOST_DELAY_MS = 3_600_000.0
_DELAY = re.compile("([0-9]{1,4})(s|m)", re.ASCII)


@dataclass(frozen=True)
class Opened:
    """A page that is served, and what people at this computer should know of it."""

    page: Page
    pin: str | None
    notes: tuple[str, ...]

    @property
    def public(self) -> str:
        """Where others find it, without any secret; on this computer alone, if it is for nobody
        else."""
        return next(iter(self.page.addresses), f"http://{LOOPBACK}:{self.page.port}/")


def add_page(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the page (see docs/page.md)")
    group.add_argument(
        "--page",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="show the game in a browser (default: yes, if this is a terminal)",
    )
    group.add_argument(
        "--lan",
        action="store_true",
        help="for all in the local network, who need the PIN that is shown then",
    )
    group.add_argument(
        "--port", metavar="N", type=port_number, help="where (default 8137, or any that is free)"
    )

    group.add_argument(
        "--delay",
        metavar="TIME",
        type=delay_ms,
        default=0.0,
        help="spectators see everything so much later, such as 30s or 2m (default: at once)",
    )


def delay_ms(text: str) -> float:
    """A time that spectators wait."""
    found = _DELAY.fullmatch(text.strip().lower())
    wait_ms = 0.0 if found is None else int(found[1]) * (60_000.0 if found[2] == "m" else 1_000.0)
    if found is None or wait_ms > MOST_DELAY_MS:
        raise argparse.ArgumentTypeError(f"{text!r} is no delay: write 30s or 2m, up to 60m")
    return wait_ms


def wants_page(args: argparse.Namespace, console: Console) -> bool:
    """Whether a page is to be served."""
    if args.page is False:
        if args.lan or args.port is not None:
            raise BadInput("--no-page and --lan or --port: there is no page to be shown there")
        return False
    return bool(args.page or args.lan or args.port is not None or console.size is not None)


def open_page(
    args: argparse.Namespace,
    console: Console,
    choices: Callable[[], dict[str, Any]],
    *,
    refereed: bool = False,
) -> Opened:
    """The page, which anybody may look at from now on."""
    from controller.web.doors import new_key, new_pin
    from controller.web.secrets_file import secrets_path
    from controller.web.server import Page, PageSettings
    from controller.wiring import open_player, today

    key, pin = new_key(), new_pin() if args.lan else None
    settings = PageSettings(key, args.port, pin, today(), secrets_path(), args.delay)
    page = Page(settings, console.clock, choices, lambda: open_player(console.clock))
    notes = [f"the page: {page.address}"]
    if refereed:
        notes.append(f"the referee's console: {page.address.replace('/#', '/console#')}")
    if pin is not None:
        notes.append(f"for others: {' or '.join(page.addresses)} with the PIN {pin}")
    return Opened(page, pin, tuple(notes))


def port_number(text: str) -> int:
    """A port that somebody names."""
    least, most = PORTS
    if not (text.isascii() and text.isdigit() and least <= int(text[:6]) <= most):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: {least} to {most}")
    return int(text)
