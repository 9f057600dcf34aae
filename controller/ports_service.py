"""What a program needs that runs without anybody at a keyboard: somebody who watches over it."""

from __future__ import annotations

from typing import Protocol


class Supervisor(Protocol):
    """Starts the program with the machine, and starts it again when it hangs. Never blocks."""

    @property
    def is_due(self) -> bool:
        """Whether it is time for another sign of life."""

    def going(self, sentence: str) -> None:
        """A sign of life, with what people read now. The first says that all is ready."""

    def leaving(self, why: str) -> None:
        """The program ends."""
