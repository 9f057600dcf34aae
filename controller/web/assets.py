"""The files of the page, read once at the start: a request finds one by its name in a table, and no
path from a client ever reaches the file system."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

KINDS = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
}
INDEX = "index.html"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file."""

    content: bytes
    kind: str
    tag: str  # changes with its content


def assets(package: str) -> Mapping[str, Asset]:
    """Every file of a page, by its name below `static/` in its package."""
    return dict(_below(files(package) / "static", ""))


def _below(folder: Traversable, path: str) -> list[tuple[str, Asset]]:
    found: list[tuple[str, Asset]] = []
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        name = f"{path}{each.name}"
        if each.is_dir():
            found += _below(each, f"{name}/")
            continue
        kind = KINDS.get(f".{each.name.rpartition('.')[2]}")
        if kind is not None:
            content = each.read_bytes()
            tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
            found.append((name, Asset(content, kind, tag)))
    return found
