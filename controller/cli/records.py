"""Commands on game records: replay, convert."""

from __future__ import annotations

import argparse

from controller.cli.command import Subcommands, add_command
from controller.cli.console import BAD_INPUT, BadInput, Console, read_file, write_file
from controller.terminal import picture
from engine.draw import svg, turn_svg
from engine.errors import BadRecord
from engine.game import AnyGame, AnyTurn
from engine.record import Form, Record, form_of, play, read_games, write_games


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
    convert.add_argument("--output", metavar="FILE", help="write to FILE instead of the terminal")


def _games(name: str, text: str, console: Console) -> tuple[list[tuple[int, Record]], bool]:
    """The games of a file with their numbers, and whether any is broken: that is reported."""
    games: list[tuple[int, Record]] = []
    broken = False
    for number, found in enumerate(read_games(text), start=1):
        if isinstance(found, BadRecord):
            broken = True
            console.note(f"{name}:{found.line}: game {number}: {found.message}")
        else:
            games.append((number, found))
    if not games and not broken:
        raise BadInput(f"{name}: there is no game in it")
    return games, broken


def _replay(args: argparse.Namespace, console: Console) -> int:
    games, broken = _games(args.file, read_file(args.file), console)
    for number, record in games:
        turns = list(play(record))
        _tell(record, number, turns, console)
        if args.svg:
            folder = f"{args.svg}/game-{number:04}"
            _draw(record, turns, folder)
            console.note(f"{len(turns) + 1} drawings in {folder}")
    return BAD_INPUT if broken else 0


def _tell(record: Record, number: int, turns: list[AnyTurn], console: Console) -> None:
    game = record.rules()
    names = [record.tag(name.capitalize(), name) for name in game.players]
    start = record.setup or ("its own position" if record.start else f"seed {record.seed}")
    console.print(f"game {number}: {' - '.join(names)}, {game.title} from {start}")
    for i, turn in enumerate(turns, start=1):
        console.print(f"{i:4}. {sentence(game, turn)}")
    last = turns[-1].after if turns else record.first()
    console.print(picture(game, last, colour=console.colour))
    ended = game.outcome(last)
    reason = record.tag("Termination")
    console.print(str(ended) if ended else f"{record.result} {reason}".rstrip())


def sentence(game: AnyGame, turn: AnyTurn) -> str:
    """A turn in words: who moved what, and what the beams took."""
    words = [
        f"{game.players[player]} {game.write_move(turn.before, player, move)}"
        for player, move in turn.moves
    ]
    for loss in turn.losses:
        owner, fate = game.players[loss.piece.owner], "captured" if loss.removed else "hit"
        words.append(f"{owner}'s {loss.piece.kind} on {turn.after.grid.name(loss.cell)} {fate}")
    return ", ".join(words)


def _draw(record: Record, turns: list[AnyTurn], folder: str) -> None:
    game = record.rules()
    write_file(f"{folder}/000.svg", svg(game, record.first()))
    for i, turn in enumerate(turns, start=1):
        write_file(f"{folder}/{i:03}.svg", turn_svg(game, turn))


def _convert(args: argparse.Namespace, console: Console) -> int:
    text = read_file(args.file)
    games, broken = _games(args.file, text, console)
    form: Form = args.to or ("json" if form_of(text) == "text" else "text")
    converted = write_games([record for _, record in games], form)
    if args.output:
        write_file(args.output, converted)
    else:
        console.out.write(converted)
    return BAD_INPUT if broken else 0
