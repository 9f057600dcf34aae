"""Waiting for something, but not for ever."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from engine.errors import LaserboardError

T = TypeVar("T")


class TooLong(LaserboardError, TimeoutError):
    """Something did not come to an end."""


def within(patience_s: float, work: Callable[[], T]) -> T:
    """What the work gives; `TooLong` if it takes longer, and then it is left behind."""
    done: list[T] = []
    failed: list[Exception] = []

    def run() -> None:
        try:
            done.append(work())
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(patience_s)
    if failed:
        raise failed[0]
    if not done:
        raise TooLong(f"no answer in {patience_s:g} s")
    return done[0]
