"""Reads the games of a record file for commands, and turns damage into the exit status."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from controller.storage.stored_game import StoredGame
from controller.ui.commands import sentences
from controller.ui.console import (
    BAD_INPUT,
    MAX_RECORD_BYTES,
    BadInput,
    Console,
    printable_name,
    read_file,
)
from engine.draw.words import describe_action
from engine.errors import BadRecord
from engine.game import AnyGame, AnyTurn
from engine.record import Record, read_games
from engine.sentences import Sentence, as_sentence, joined

EXIT_DAMAGED = 1


class RecordReader:
    """The games of a file; a broken game is noted, and the exit status is not 0."""

    def __init__(self, name: str, console: Console) -> None:
        self.name, self.console = name, console
        self.text = read_file(name, MAX_RECORD_BYTES)
        self.broken = False

    def games(self) -> Iterator[tuple[int, Record]]:
        """Every readable game with its number."""
        number = 0
        for number, record in enumerate(read_games(self.text), start=1):
            if isinstance(record, BadRecord):
                self.report(f"{printable_name(self.name)}:{record.line}", number, record.message)
            else:
                yield number, record
        if number == 0:
            raise BadInput(sentences.NO_GAME_IN_FILE(name=printable_name(self.name)))

    def report(self, where: str, number: int, reason: Sentence) -> None:
        self.broken = True
        self.console.note(sentences.AT_GAME(place=where, number=number, reason=reason))

    @property
    def status(self) -> int:
        return BAD_INPUT if self.broken else 0


def same_file(name: str, other: str) -> bool:
    return name != "-" and Path(other).exists() and Path(name).samefile(other)


def turn_sentence(game: AnyGame, turn: AnyTurn) -> Sentence:
    """A turn in words: the moves, and the pieces that were hit."""
    parts: list[Sentence] = []
    for player, move in turn.moves:
        if game.record_form == "text":
            action: str | Sentence = game.write_move(turn.before, player, move)
        else:  # the notation is JSON
            action = describe_action(game, turn, player)
        parts.append(sentences.PLAYER_MOVED(player=game.players[player], move=action))
    for loss in turn.losses:
        template = sentences.PIECE_CAPTURED if loss.removed else sentences.PIECE_HIT
        parts.append(
            template(
                player=game.players[loss.piece.owner],
                kind=loss.piece.kind,
                cell=turn.after.grid.name(loss.cell),
            )
        )
    return joined(parts, ", ")


def exit_status(game: StoredGame, console: Console) -> int:
    """The exit status for a game; notes its damage."""
    if game.damage:
        name = printable_name(str(game.path))
        console.note(sentences.IN_FILE(name=name, reason=as_sentence(game.damage)))
    return EXIT_DAMAGED if game.is_damaged else 0
