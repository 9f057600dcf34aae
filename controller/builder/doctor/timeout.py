"""`run_with_timeout`: runs a function in a thread and gives up waiting after a time limit."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

from controller.builder import sentences
from engine.errors import LaserboardError

T = TypeVar("T")
log = logging.getLogger(__name__)


class CheckTimedOut(LaserboardError, TimeoutError):
    """The function did not return in time."""


def run_with_timeout(timeout_s: float, work: Callable[[], T]) -> T:
    """The result of `work`, or its exception; `CheckTimedOut` abandons the thread."""
    results: list[T] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:
            log.debug("raised again by the caller, unless it timed out", exc_info=error)
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(timeout_s)
    if errors:
        raise errors[0]
    if not results:
        raise CheckTimedOut(sentences.CHECK_TIMED_OUT(seconds=timeout_s))
    return results[0]
