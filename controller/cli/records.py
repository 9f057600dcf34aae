"""Commands on game records: replay, convert."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from controller.cli.command import Subcommands, add_command
from controller.cli.console import (
    BAD_INPUT,
    LARGEST_RECORD,
    BadInput,
    Console,
    make_folder,
    read_file,
    shown,
    write_file,
)
from controller.terminal import picture
from engine.draw import svg, turn_svg
from engine.draw.words import action
from engine.errors import BadRecord
from engine.game import AnyGame, AnyTurn
from engine.record import Form, Record, Unwritable, form_of, play, read_games, write

PROGRESS_EVERY = 1000


def add(commands: Subcommands) -> None:
    replay = add_command(
        commands,
        "replay",
        _replay,
        "play a record again: every turn, what its beams did, the last position",
        "  laserboard replay game.pgn --svg pictures",
        "A file may hold many games, as text or as JSON. "
        "A broken game is reported with its line, and the others are still played.",
    )
    replay.add_argument("file", metavar="FILE", help="a record; - reads standard input")
    replay.add_argument("--svg", metavar="DIR", help="also draw every turn into DIR")

    convert = add_command(
        commands,
        "convert",
        _convert,
        "turn a record into JSON, or JSON into a record",
        "  laserboard convert game.pgn > game.json\n"
        "  laserboard convert game.json --output game.pgn",
    )
    convert.add_argument("file", metavar="FILE", help="a record; - reads standard input")
    convert.add_argument(
        "--to", choices=["text", "json"], help="the form to write (default: the other one)"
    )
    convert.add_argument("--output", metavar="FILE", help="write to FILE, all of it or nothing")


class RecordFile:
    """The games of a file as they come; what is broken is reported and remembered."""

    def __init__(self, name: str, console: Console) -> None:
        self.name, self.console = name, console
        self.text = read_file(name, LARGEST_RECORD)
        self.broken = False

    def games(self) -> Iterator[tuple[int, Record]]:
        """Each good game with its number."""
        number = 0
        for number, found in enumerate(read_games(self.text), start=1):
            if isinstance(found, BadRecord):
                self.report(f"{shown(self.name)}:{found.line}", number, found.message)
            else:
                yield number, found
        if number == 0:
            raise BadInput(f"{shown(self.name)}: there is no game in it")

    def report(self, where: str, number: int, message: str) -> None:
        self.broken = True
        self.console.note(f"{where}: game {number}: {message}")

    @property
    def status(self) -> int:
        return BAD_INPUT if self.broken else 0


def _replay(args: argparse.Namespace, console: Console) -> int:
    file = RecordFile(args.file, console)
    for number, record in file.games():
        turns = list(play(record))
        if args.svg is not None:
            folder = f"{args.svg}/game-{number:04}"
            _draw(record, turns, folder, console)
            console.note(f"{len(turns) + 1} drawings in {shown(folder)}")
        _tell(record, number, turns, console)
    return file.status


def _tell(record: Record, number: int, turns: list[AnyTurn], console: Console) -> None:
    game = record.rules()
    names = [record.tag(name.capitalize(), name) for name in game.players]
    start = record.setup or ("its own position" if record.start else f"seed {record.seed}")
    console.print(f"game {number}: {' - '.join(names)}, {game.title} from {start}")
    last = record.first()
    for i, (turn, entry) in enumerate(zip(turns, record.turns, strict=True), start=1):
        console.print(f"{i:4}. {sentence(game, turn)}")
        last = turn.after
        if entry.corrected is not None:
            console.print(f"      the referee put the board so: {entry.corrected}")
            last = game.read_position(entry.corrected)
    console.print_picture(picture(game, last, colour=console.colour))
    ended = game.outcome(last)
    reason = record.tag("Termination")
    console.print(str(ended) if ended else f"{record.result} {reason}".rstrip())


def sentence(game: AnyGame, turn: AnyTurn) -> str:
    """A turn in words: who moved what, and what the beams took."""
    words = []
    for player, move in turn.moves:
        told = action(game, turn, player)  # people do not read JSON
        if game.record_form == "text":
            told = game.write_move(turn.before, player, move)
        words.append(f"{game.players[player]} {told}")
    for loss in turn.losses:
        owner, fate = game.players[loss.piece.owner], "captured" if loss.removed else "hit"
        words.append(f"{owner}'s {loss.piece.kind} on {turn.after.grid.name(loss.cell)} {fate}")
    return ", ".join(words)


def _draw(record: Record, turns: list[AnyTurn], folder: str, console: Console) -> None:
    game = record.rules()
    make_folder(folder)
    write_file(f"{folder}/000.svg", svg(game, record.first()), console)
    for i, turn in enumerate(turns, start=1):
        write_file(f"{folder}/{i:03}.svg", turn_svg(game, turn), console)


def _convert(args: argparse.Namespace, console: Console) -> int:
    file = RecordFile(args.file, console)
    form: Form = args.to or ("json" if form_of(file.text) == "text" else "text")
    converted = []
    for number, record in file.games():
        try:
            converted.append(write(record, form))
        except Unwritable as error:
            file.report(shown(args.file), number, f"{error} (--to json)")
        if number % PROGRESS_EVERY == 0 and console.size is not None:
            console.note(f"{number} games")
    if args.output is not None and file.broken and same_file(args.file, args.output):
        raise BadInput(
            f"{shown(args.output)} is left as it is: its broken games would be lost; "
            "name another output"
        )
    text = ("\n" if form == "text" else "").join(converted)
    write_file(args.output or "-", text, console)
    return file.status


def same_file(name: str, other: str) -> bool:
    return name != "-" and Path(other).exists() and Path(name).samefile(other)
