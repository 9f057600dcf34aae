"""A game that is kept, as commands load it: its journal, and what can be trusted of it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from controller.agreement import BadGame
from controller.cli.console import Console, shown
from controller.game_store import LAST, read
from controller.journal import Recovered, count, recover
from controller.played import Played, replay
from engine.errors import LaserboardError

DAMAGED = 1


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A journal with the game that it tells, as far as it can be trusted."""

    path: Path
    recovered: Recovered
    played: Played

    @property
    def harm(self) -> str:
        """What is wrong with it, and what survives; empty: nothing."""
        fault, torn = self.played.fault, self.recovered.torn
        survive = f"({count(len(self.played.turns), 'turn', 'turns')})"
        if fault is not None:
            return f"{fault}; what is before it survives {survive}"
        return "" if torn is None else f"{torn} {survive}"

    @property
    def is_damaged(self) -> bool:
        """Something that was once written is lost, which a mere torn tail was not."""
        torn = self.recovered.torn
        return self.played.fault is not None or (torn is not None and not torn.is_tail)


def load(path: Path) -> KeptGame:
    recovered = recover(read(path))
    try:
        return KeptGame(path, recovered, replay(recovered.entries))
    except LaserboardError as error:
        reason = str(error) if recovered.torn is None else f"{recovered.torn}"
        raise BadGame(f"{shown(str(path))} tells no game: {reason}") from None


def status(kept_game: KeptGame, console: Console) -> int:
    """The exit status that goes with it, and a note if it is not as it was."""
    if kept_game.harm:
        console.note(f"{shown(str(kept_game.path))}: {kept_game.harm}")
    return DAMAGED if kept_game.is_damaged else 0


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        metavar=f"NAME|FILE|{LAST}",
        nargs="?",
        default=LAST,
        help=f"a name from the list, a journal, or {LAST}: the newest (default)",
    )
