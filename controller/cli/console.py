"""What every command shares: where it prints, in colour or not, and how it reads files."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from controller.ports import Clock
from engine.errors import LaserboardError

BAD_INPUT = 2
LARGEST_FILE = 256 * 1024 * 1024


class BadInput(LaserboardError, ValueError):
    """Something that a person typed, or a file that a person named, is no good."""


@dataclass(frozen=True, slots=True)
class Console:
    """The terminal, passed to every command."""

    out: TextIO
    err: TextIO
    colour: bool
    animated: bool  # may the cursor be moved?
    clock: Clock

    def print(self, text: str = "") -> None:
        print(text, file=self.out)

    def note(self, text: str) -> None:
        """Beside the result, so that scripts need not skip it."""
        print(text, file=self.err)


Command = Callable[..., int]


def read_file(name: str) -> str:
    """The text of a file, or of standard input for `-`."""
    try:
        if name == "-":
            return sys.stdin.buffer.read().decode("utf-8")
        path = Path(name)
        if path.is_file() and path.stat().st_size > LARGEST_FILE:
            raise BadInput(f"{name}: larger than {LARGEST_FILE >> 20} MiB")
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as bad:
        raise BadInput(f"{name}: not a text file (byte {bad.start} is not UTF-8)") from None
    except (OSError, ValueError) as bad:
        if isinstance(bad, BadInput):
            raise
        reason = bad.strerror if isinstance(bad, OSError) and bad.strerror else bad
        raise BadInput(f"cannot read {name}: {reason}") from None


def write_file(name: str, text: str) -> None:
    """Write a whole file; a missing folder is made."""
    path = Path(name)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except (OSError, ValueError) as bad:
        reason = bad.strerror if isinstance(bad, OSError) and bad.strerror else bad
        raise BadInput(f"cannot write {name}: {reason}") from None
