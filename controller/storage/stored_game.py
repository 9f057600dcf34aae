"""A stored game: its journal, the replayed game, and how much of it survived damage."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from controller.session.journal import RecoveredJournal, recover
from controller.session.replay import ReplayedGame, replay
from controller.session.setup import BadGame
from controller.storage import sentences
from controller.storage.games import read_journal
from engine.errors import LaserboardError
from engine.sentences import Sentence


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A journal and the game that is replayed from it."""

    path: Path
    recovered: RecoveredJournal
    played: ReplayedGame

    @property
    def damage(self) -> Sentence | None:
        """The damaged and the intact part of the journal; None: nothing is damaged."""
        fault, tail = self.played.fault, self.recovered.damaged_tail
        turns = sentences.turn_count(len(self.played.turns))
        if fault is not None:
            return sentences.GAME_WRONG(fault=fault.sentence, turns=turns)
        return None if tail is None else sentences.GAME_DAMAGED(damage=tail.sentence, turns=turns)

    @property
    def is_damaged(self) -> bool:
        """Whether entries are lost; the torn tail that a power cut leaves does not count."""
        tail = self.recovered.damaged_tail
        return self.played.fault is not None or (tail is not None and not tail.is_power_cut_tail)


def load_game(path: Path) -> StoredGame:
    """Read and replay a journal; raises `BadGame` if no game is in it."""
    recovered = recover(read_journal(path))
    try:
        return StoredGame(path, recovered, replay(recovered.entries))
    except LaserboardError as error:
        tail = recovered.damaged_tail
        reason = error.sentence if tail is None else tail.sentence
        raise BadGame(sentences.CONTAINS_NO_GAME(path=_printable(path), reason=reason)) from error


def _printable(path: Path) -> str:
    return str(path) if str(path).isprintable() else repr(str(path))
