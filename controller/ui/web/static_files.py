"""The files of the page, read once at the start: a request finds one by its name in a table, and no
path from a client ever reaches the file system."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

MEDIA_TYPES = {
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


@dataclass(frozen=True, slots=True)
class StaticFile:
    """One file."""

    content: bytes
    media_type: str
    etag: str  # changes with its content


def load_static_files(package: str) -> Mapping[str, StaticFile]:
    """Every file of a page, by its name below `static/` in its package."""
    return dict(_read_folder(files(package) / "static", ""))


def _read_folder(folder: Traversable, path: str) -> list[tuple[str, StaticFile]]:
    found: list[tuple[str, StaticFile]] = []
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        name = f"{path}{each.name}"
        if each.is_dir():
            found += _read_folder(each, f"{name}/")
            continue
        kind = MEDIA_TYPES.get(f".{each.name.rpartition('.')[2]}")
        if kind is not None:
            content = each.read_bytes()
            tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
            found.append((name, StaticFile(content, kind, tag)))
    return found
