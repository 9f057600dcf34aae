"""What the controller needs of the world outside, as protocols; devices implement them."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """Time as a value: nothing else in the program may look at a clock or wait."""

    def now_ms(self) -> float:
        """Milliseconds since some fixed moment; never goes back."""

    def wait_ms(self, duration_ms: float) -> None:
        """Let that much time pass."""
