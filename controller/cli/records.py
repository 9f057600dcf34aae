"""`laserboard replay` and `laserboard convert`: print and convert game records."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from controller.cli.command import Subcommands, add_command
from controller.ui.console import BadInput, Console, make_folder, printable_name, write_file

if TYPE_CHECKING:
    from engine.game import AnyTurn
    from engine.record import Record, RecordForm

PROGRESS_EVERY = 1000


def add(commands: Subcommands) -> None:
    replay = add_command(
        commands,
        "replay",
        _replay,
        "print every turn of a record, its captures and the last position",
        "  laserboard replay game.pgn --svg pictures",
        "A file may hold many games, as text or as JSON. A broken game is reported with its line "
        "number; the other games are still printed.",
    )
    replay.add_argument("file", metavar="FILE", help="a record; - reads standard input")
    replay.add_argument("--svg", metavar="DIR", help="also draw every turn into DIR")

    convert = add_command(
        commands,
        "convert",
        _convert,
        "convert a record from text to JSON, or from JSON to text",
        "  laserboard convert game.pgn > game.json\n"
        "  laserboard convert game.json --output game.pgn",
    )
    convert.add_argument("file", metavar="FILE", help="a record; - reads standard input")
    convert.add_argument(
        "--to", choices=["text", "json"], help="the form to write (default: the other one)"
    )
    convert.add_argument("--output", metavar="FILE", help="write to FILE (default: print it)")


def _replay(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.record_files import RecordReader
    from engine.record import play

    file = RecordReader(args.file, console)
    for number, record in file.games():
        turns = list(play(record))
        if args.svg is not None:
            folder = f"{args.svg}/game-{number:04}"
            _draw(record, turns, folder, console)
            console.note(f"{len(turns) + 1} drawings in {printable_name(folder)}")
        _print_game(record, number, turns, console)
    return file.status


def _print_game(record: Record, number: int, turns: list[AnyTurn], console: Console) -> None:
    from controller.ui.commands.record_files import turn_sentence
    from controller.ui.terminal import render_board

    game = record.rules()
    names = [record.tag(name.capitalize(), name) for name in game.players]
    start = record.setup or ("its own position" if record.start else f"seed {record.seed}")
    console.print(f"game {number}: {' - '.join(names)}, {game.title} from {start}")
    last = record.first_position()
    for i, (turn, entry) in enumerate(zip(turns, record.turns, strict=True), start=1):
        console.print(f"{i:4}. {turn_sentence(game, turn)}")
        last = turn.after
        if entry.corrected is not None:
            console.print(f"      corrected by the referee: {entry.corrected}")
            last = game.read_position(entry.corrected)
    console.print_picture(render_board(game, last, colour=console.colour))
    ended = game.outcome(last)
    reason = record.tag("Termination")
    console.print(str(ended) if ended else f"{record.result} {reason}".rstrip())


def _draw(record: Record, turns: list[AnyTurn], folder: str, console: Console) -> None:
    from engine.draw import position_svg, turn_svg

    game = record.rules()
    make_folder(folder)
    write_file(f"{folder}/000.svg", position_svg(game, record.first_position()), console)
    for i, turn in enumerate(turns, start=1):
        write_file(f"{folder}/{i:03}.svg", turn_svg(game, turn), console)


def _convert(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.record_files import RecordReader, same_file
    from engine.record import Unwritable, detect_form, write_record

    file = RecordReader(args.file, console)
    form: RecordForm = args.to or ("json" if detect_form(file.text) == "text" else "text")
    converted = []
    for number, record in file.games():
        try:
            converted.append(write_record(record, form))
        except Unwritable as error:
            file.report(printable_name(args.file), number, f"{error} (--to json)")
        if number % PROGRESS_EVERY == 0 and console.size is not None:
            console.note(f"{number} games")
    if args.output is not None and file.broken and same_file(args.file, args.output):
        raise BadInput(
            f"{printable_name(args.output)} is left as it is: its broken games would be lost; "
            "name another output"
        )
    text = ("\n" if form == "text" else "").join(converted)
    write_file(args.output or "-", text, console)
    return file.status
