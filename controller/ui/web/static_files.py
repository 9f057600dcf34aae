"""The static files of a page, read once at the start.

A request looks up its file by name in a mapping, so that no path from a client reaches the file
system.
"""

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
    """The content of one file, with its HTTP headers."""

    content: bytes
    media_type: str
    etag: str  # changes with its content


def load_static_files(package: str) -> Mapping[str, StaticFile]:
    """Load the files in `static/` of a package, by their paths below it."""
    return dict(_read_folder(files(package) / "static", ""))


def _read_folder(folder: Traversable, path: str) -> list[tuple[str, StaticFile]]:
    static_files: list[tuple[str, StaticFile]] = []
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        name = f"{path}{each.name}"
        if each.is_dir():
            static_files += _read_folder(each, f"{name}/")
            continue
        media_type = MEDIA_TYPES.get(f".{each.name.rpartition('.')[2]}")
        if media_type is not None:
            content = each.read_bytes()
            etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
            static_files.append((name, StaticFile(content, media_type, etag)))
    return static_files
