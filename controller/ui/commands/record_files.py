"""Reads the games of a record file for commands, and turns damage into the exit status."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from controller.storage.stored_game import StoredGame
from controller.ui.console import (
    BAD_INPUT,
    LARGEST_RECORD_BYTES,
    BadInput,
    Console,
    printable_name,
    read_file,
)
from engine.draw.words import describe_action
from engine.errors import BadRecord
from engine.game import AnyGame, AnyTurn
from engine.record import Record, read_games

EXIT_DAMAGED = 1


class RecordReader:
    """The games of a file; a broken game is noted, and the exit status is not 0."""

    def __init__(self, name: str, console: Console) -> None:
        self.name, self.console = name, console
        self.text = read_file(name, LARGEST_RECORD_BYTES)
        self.broken = False

    def games(self) -> Iterator[tuple[int, Record]]:
        """Every readable game with its number."""
        number = 0
        for number, record in enumerate(read_games(self.text), start=1):
            if isinstance(record, BadRecord):
                self.report(
                    f"{printable_name(self.name)}:{record.line}", number, str(record.message)
                )
            else:
                yield number, record
        if number == 0:
            raise BadInput(f"{printable_name(self.name)}: there is no game in it")

    def report(self, where: str, number: int, message: str) -> None:
        self.broken = True
        self.console.note(f"{where}: game {number}: {message}")

    @property
    def status(self) -> int:
        return BAD_INPUT if self.broken else 0


def same_file(name: str, other: str) -> bool:
    return name != "-" and Path(other).exists() and Path(name).samefile(other)


def turn_sentence(game: AnyGame, turn: AnyTurn) -> str:
    """A turn in words: the moves, and the pieces that were hit."""
    words = []
    for player, move in turn.moves:
        if game.record_form == "text":
            move_text = game.write_move(turn.before, player, move)
        else:  # the notation is JSON
            move_text = str(describe_action(game, turn, player))
        words.append(f"{game.players[player]} {move_text}")
    for loss in turn.losses:
        owner, fate = game.players[loss.piece.owner], "captured" if loss.removed else "hit"
        words.append(f"{owner}'s {loss.piece.kind} on {turn.after.grid.name(loss.cell)} {fate}")
    return ", ".join(words)


def exit_status(game: StoredGame, console: Console) -> int:
    """The exit status for a game; notes its damage."""
    if game.damage:
        console.note(f"{printable_name(str(game.path))}: {game.damage}")
    return EXIT_DAMAGED if game.is_damaged else 0
