"""What every command shares: where it prints, in colour or not, and how it reads files."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryFile
from typing import TextIO

from controller.ports import Clock
from engine.errors import LaserboardError

BAD_INPUT = 2
NAME = "laserboard"
MIB = 1024 * 1024
LARGEST_POSITION, LARGEST_RECORD = 8 * MIB, 256 * MIB


class BadInput(LaserboardError, ValueError):
    """Something that a person typed, or a file that a person named, is no good."""


@dataclass(frozen=True, slots=True)
class Console:
    """The terminal, passed to every command."""

    out: TextIO
    err: TextIO
    colour: bool
    size: tuple[int, int] | None  # columns and rows, where the cursor may be moved
    clock: Clock

    def print(self, text: str = "") -> None:
        print(text, file=self.out)

    def print_picture(self, text: str) -> None:
        """A board; without colours, the blanks at the ends of its lines are for nothing."""
        lines = text.splitlines()
        self.print("\n".join(lines if self.colour else [line.rstrip() for line in lines]))

    def ask(self, question: str) -> str:
        """A line that somebody types; empty where nobody can."""
        with _ctrl_c_at_once():
            self.out.write(question)
            self.out.flush()
            return "" if sys.stdin is None else sys.stdin.readline().strip()

    def note(self, text: str) -> None:
        """Beside the result, so that scripts need not skip it; after what was printed before."""
        self.out.flush()
        print(text, file=self.err)


@contextmanager
def _ctrl_c_at_once() -> Iterator[None]:
    """Ctrl-C is heeded although a loop's own handler would wait for what is waited for here."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):  # it is not heeded at all
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def called() -> str:
    """The program's name as this shell knows it, so that what is printed can be typed."""
    given = Path(sys.argv[0])
    return str(given) if given.name == NAME and which(NAME) is None else NAME


def read_file(name: str, largest: int = LARGEST_POSITION) -> str:
    """The text of a file, or of standard input for `-`."""
    try:
        if name != "-":
            with Path(name).open("rb") as file:
                content = file.read(largest + 1)
        elif sys.stdin is None:
            raise BadInput("cannot read standard input: it is closed")
        else:
            content = sys.stdin.buffer.read(largest + 1)
        if len(content) > largest:
            raise BadInput(f"{shown(name)}: larger than {largest // MIB} MiB")
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as bad:
        raise BadInput(f"{shown(name)}: not a text file (byte {bad.start} is not UTF-8)") from None
    except OSError as bad:
        raise BadInput(f"cannot read {shown(name)}: {bad.strerror or bad}") from None
    except ValueError as bad:
        if isinstance(bad, BadInput):
            raise
        raise BadInput(f"cannot read {shown(name)}: {bad}") from None


def write_file(name: str, text: str, console: Console) -> None:
    """Write a whole file, or nothing at all; `-` is standard output."""
    if name == "-":
        console.out.write(text)
    else:
        write_bytes(name, text.encode("utf-8"))


def write_bytes(name: str, content: bytes) -> None:
    """Write a whole file, or nothing at all."""
    path = Path(name)
    try:
        if path.exists() and not path.is_file():  # a device, or a folder: that is an error
            path.write_bytes(content)
            return
        part = path.with_name(path.name + ".part")
        part.write_bytes(content)
        part.replace(path)
    except OSError as bad:
        raise BadInput(f"cannot write {shown(name)}: {bad.strerror or bad}") from None
    except ValueError as bad:
        raise BadInput(f"cannot write {shown(name)}: {bad}") from None


def check_writable(*names: str | None) -> None:
    """Refuse before the work what could not be written after it; None is no file at all."""
    for name in names:
        if name is None or name == "-":
            continue
        path = Path(name)
        try:
            if path.is_dir():
                raise BadInput(f"cannot write {shown(name)}: it is a folder")
            if path.exists() and not path.is_file():
                continue  # a device
            with TemporaryFile(dir=path.parent):
                pass
        except OSError as bad:
            raise BadInput(f"cannot write {shown(name)}: {bad.strerror or bad}") from None
        except ValueError as bad:
            if isinstance(bad, BadInput):
                raise
            raise BadInput(f"cannot write {shown(name)}: {bad}") from None


def make_folder(name: str) -> None:
    """A folder for drawings: new, or one that has none yet."""
    path = Path(name)
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.glob("*.svg")):
            raise BadInput(f"{shown(name)} has drawings already: name another folder")
    except OSError as bad:
        raise BadInput(f"cannot make {shown(name)}: {bad.strerror or bad}") from None


def shown(name: str) -> str:
    """A file's name on one line."""
    return name if name and name.isprintable() else repr(name)
