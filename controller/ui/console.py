"""Input and output of commands: standard streams, files, and their errors."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryFile
from typing import TextIO

from controller.ports.devices import Clock
from controller.ui import sentences
from engine.errors import LaserboardError
from engine.sentences import Sentence, Template

BAD_INPUT = 2
PROGRAM = "laserboard"
MIB = 1024 * 1024
MAX_POSITION_BYTES, MAX_RECORD_BYTES = 8 * MIB, 256 * MIB


class BadInput(LaserboardError, ValueError):
    """An argument or a file of the user is wrong."""


@dataclass(frozen=True, slots=True)
class Console:
    """Standard output and error, passed to every command."""

    out: TextIO
    err: TextIO
    colour: bool
    size: tuple[int, int] | None  # columns and rows of a terminal; None: not a terminal
    clock: Clock
    hold_log: Callable[[bool], object] = bool  # True: a screen is drawn, print no log now

    def print(self, text: str | Sentence = "") -> None:
        print(text, file=self.out)

    def print_picture(self, text: str) -> None:
        """Print a board; without colours, the lines lose their trailing blanks."""
        lines = text.splitlines()
        self.print("\n".join(lines if self.colour else [line.rstrip() for line in lines]))

    def ask(self, question: str | Sentence) -> str:
        """Ask for a line; empty at the end of the input."""
        with _immediate_ctrl_c():
            self.out.write(str(question))
            self.out.flush()
            return "" if sys.stdin is None else sys.stdin.readline().strip()

    def note(self, text: str | Sentence) -> None:
        """Print to standard error, after everything that was printed before."""
        self.out.flush()
        print(text, file=self.err)


@contextmanager
def _immediate_ctrl_c() -> Iterator[None]:
    """Let Ctrl-C interrupt a read immediately; the handler of asyncio would wait for its loop."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):  # it is ignored
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def program_name() -> str:
    """The program as this shell can run it: its name if it is on the PATH, else its path."""
    given = Path(sys.argv[0])
    return str(given) if given.name == PROGRAM and which(PROGRAM) is None else PROGRAM


def read_file(name: str, largest: int = MAX_POSITION_BYTES) -> str:
    """The text of a file, or of standard input for `-`."""
    try:
        if name != "-":
            with Path(name).open("rb") as file:
                content = file.read(largest + 1)
        elif sys.stdin is None:
            raise BadInput(
                sentences.CANNOT_READ(name=sentences.STANDARD_INPUT(), reason=sentences.IS_CLOSED())
            )
        else:
            content = sys.stdin.buffer.read(largest + 1)
        if len(content) > largest:
            raise BadInput(sentences.FILE_TOO_LARGE(name=printable_name(name), most=largest // MIB))
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise BadInput(
            sentences.NOT_A_TEXT_FILE(name=printable_name(name), byte=error.start)
        ) from error
    except OSError as error:
        raise file_error(sentences.CANNOT_READ, name, error) from error
    except ValueError as error:
        if isinstance(error, BadInput):
            raise
        raise file_error(sentences.CANNOT_READ, name, error) from error


def write_file(name: str, text: str, console: Console) -> None:
    """Write a file through a temporary one; `-` is standard output."""
    if name == "-":
        console.out.write(text)
    else:
        write_bytes(name, text.encode("utf-8"))


def write_bytes(name: str, content: bytes) -> None:
    """Write a file through a temporary one, so that it is complete or unchanged."""
    path = Path(name)
    try:
        if path.exists() and not path.is_file():  # a device; a folder raises an error
            path.write_bytes(content)
            return
        part = path.with_name(path.name + ".part")
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise file_error(sentences.CANNOT_WRITE, name, error) from error
    except ValueError as error:
        raise file_error(sentences.CANNOT_WRITE, name, error) from error


def check_writable(*names: str | None) -> None:
    """Raise `BadInput` if a file cannot be written, before the work begins; None is skipped."""
    for name in names:
        if name is None or name == "-":
            continue
        path = Path(name)
        try:
            if path.is_dir():
                raise BadInput(
                    sentences.CANNOT_WRITE(name=printable_name(name), reason=sentences.IS_FOLDER())
                )
            if path.exists() and not path.is_file():
                continue  # a device
            with TemporaryFile(dir=path.parent):
                pass
        except OSError as error:
            raise file_error(sentences.CANNOT_WRITE, name, error) from error
        except ValueError as error:
            if isinstance(error, BadInput):
                raise
            raise file_error(sentences.CANNOT_WRITE, name, error) from error


def make_folder(name: str) -> None:
    """Make a folder for drawings; raises if it has drawings already."""
    path = Path(name)
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.glob("*.svg")):
            raise BadInput(sentences.HAS_DRAWINGS(name=printable_name(name)))
    except OSError as error:
        raise file_error(sentences.CANNOT_MAKE, name, error) from error


def file_error(template: Template, name: str, bad: OSError | ValueError) -> BadInput:
    """The error of a file that cannot be read, written or made, in the system's words."""
    reason = (bad.strerror if isinstance(bad, OSError) else None) or str(bad)
    return BadInput(template(name=printable_name(name), reason=reason))


def printable_name(name: str) -> str:
    """A file name without control characters."""
    return name if name and name.isprintable() else repr(name)
