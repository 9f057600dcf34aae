"""Arguments of commands that serve a page: --page, --lan, --port, --delay."""

from __future__ import annotations

import argparse
import re

from controller.ui.console import BadInput, Console
from controller.ui.hosting.options import PageOptions

PORTS = (0, 65535)  # 0: any free port
MAX_DELAY_MS = 3_600_000.0
_DELAY = re.compile("([0-9]{1,4})(s|m)", re.ASCII)


def add_page(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the page (see docs/using-the-page.md)")
    group.add_argument(
        "--page",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="serve a page with the game (default: yes in a terminal)",
    )
    group.add_argument(
        "--lan",
        action="store_true",
        help="serve the page to the local network; other computers need the printed PIN",
    )
    group.add_argument(
        "--port",
        metavar="N",
        type=port_number,
        help="port of the page (default 8137, or a free one)",
    )
    group.add_argument(
        "--delay",
        metavar="TIME",
        type=parse_delay_ms,
        default=0.0,
        help="delay for spectators, such as 30s or 2m (default: none)",
    )


def parse_delay_ms(text: str) -> float:
    """argparse type: a delay for spectators, in milliseconds."""
    match = _DELAY.fullmatch(text.strip().lower())
    wait_ms = 0.0 if match is None else int(match[1]) * (60_000.0 if match[2] == "m" else 1_000.0)
    if match is None or wait_ms > MAX_DELAY_MS:
        raise argparse.ArgumentTypeError(f"{text!r} is no delay: write 30s or 2m, up to 60m")
    return wait_ms


def page_options(args: argparse.Namespace, console: Console) -> PageOptions | None:
    """The options of the page; None without a page. In a terminal the page is the default."""
    if args.page is False:
        if args.lan or args.port is not None:
            raise BadInput("--no-page and --lan or --port: there is no page to serve")
        return None
    if not page_requested(args) and console.size is None:
        return None
    return PageOptions(args.lan, args.port, args.delay)


def page_requested(args: argparse.Namespace) -> bool:
    """Whether the command line asks for a page."""
    return bool(args.page or args.lan or args.port is not None)


def port_number(text: str) -> int:
    """argparse type: a TCP port."""
    least, most = PORTS
    if not (text.isascii() and text.isdigit() and least <= int(text[:6]) <= most):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: {least} to {most}")
    return int(text)
