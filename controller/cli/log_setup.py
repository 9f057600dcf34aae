"""Sets up `logging` once for the program: standard error, a file, or the systemd journal.

Without options, standard error gets errors only. While a full-screen display is drawn, they wait.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

from controller.ui.console import BadInput, printable_name

OWN_PACKAGES = ("controller", "engine", "vision")
LINE_FORMAT = "%(levelname)s %(name)s: %(message)s"
FILE_FORMAT = "%(asctime)s %(levelname)s %(threadName)s %(name)s: %(message)s"
MAX_HELD = 1000  # held records; later ones are dropped
# systemd reads these prefixes (see sd-daemon(3)) and removes them.
JOURNAL_LEVELS = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (logging.INFO, 6),
)
JOURNAL_DEBUG = 7
_installed: list[logging.Handler] = []


class StderrHandler(logging.StreamHandler):  # type: ignore[type-arg]
    """Writes to standard error; while a screen is drawn there, it holds the records back."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self._held: list[logging.LogRecord] | None = None

    def hold(self, screen_is_drawn: bool) -> None:
        """Hold records back from now on, or write those that were held back."""
        self.acquire()
        try:
            held, self._held = self._held, [] if screen_is_drawn else None
        finally:
            self.release()
        for record in held or ():
            self.handle(record)

    def emit(self, record: logging.LogRecord) -> None:
        if self._held is None:
            super().emit(record)
        elif len(self._held) < MAX_HELD:
            self._held.append(record)


class SystemdJournalFormatter(logging.Formatter):
    """Puts the level of the systemd journal before every line, also of a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        level = next(
            (number for least, number in JOURNAL_LEVELS if record.levelno >= least), JOURNAL_DEBUG
        )
        return "\n".join(f"<{level}>{line}" for line in super().format(record).splitlines())


def set_up_logging(verbose: bool, log_file: str | None) -> StderrHandler:
    """Install the handlers, replacing those of an earlier call; returns that of standard error."""
    close_logging()
    stderr = StderrHandler()
    if _stderr_is_journal():
        stderr.setFormatter(SystemdJournalFormatter("%(name)s: %(message)s"))
        stderr.setLevel(logging.DEBUG if verbose else logging.INFO)
    else:
        stderr.setFormatter(logging.Formatter(LINE_FORMAT))
        quiet = logging.ERROR if log_file is None else logging.CRITICAL + 1
        stderr.setLevel(logging.DEBUG if verbose else quiet)
    _installed.append(stderr)
    if log_file is not None:
        _installed.append(_open_file(log_file))
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    for handler in _installed:
        root.addHandler(handler)
    for name in OWN_PACKAGES:
        logging.getLogger(name).setLevel(min(each.level for each in _installed))
    return stderr


def close_logging() -> None:
    """Remove and close the handlers of `set_up_logging`, and unset the levels it set."""
    for handler in _installed:
        logging.getLogger().removeHandler(handler)
        handler.close()
    _installed.clear()
    for name in OWN_PACKAGES:
        logging.getLogger(name).setLevel(logging.NOTSET)


def _open_file(name: str) -> logging.Handler:
    try:
        handler = logging.FileHandler(Path(name), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"--log: cannot write {printable_name(name)}: {error.strerror}") from error
    handler.setFormatter(logging.Formatter(FILE_FORMAT))
    handler.setLevel(logging.DEBUG)
    return handler


def _stderr_is_journal() -> bool:
    """Whether systemd connected standard error to its journal (see systemd.exec(5))."""
    stream = os.environ.get("JOURNAL_STREAM", "")
    try:
        status = os.fstat(sys.stderr.fileno())
    except (OSError, ValueError, AttributeError):
        return False
    return stream == f"{status.st_dev}:{status.st_ino}"
