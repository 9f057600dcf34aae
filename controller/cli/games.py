"""`laserboard games`: the games that were played here; list, show, export and verify them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from controller.cli import games_evidence, games_export, games_verify
from controller.cli.command import Subcommands, add_command
from controller.cli.console import Console, shown
from controller.cli.kept_game import KeptGame, add_game, load, status
from controller.cli.positions import side_to_move
from controller.cli.records import sentence
from controller.clocks import clock_face
from controller.game_store import find, games_folder, kept, no_games, read
from controller.journal import count, recover
from controller.played import Played, left, summary
from controller.terminal import picture
from engine.errors import LaserboardError
from engine.game import AnyGame
from engine.turn_json import position_value, turn_json

LISTED = 20


def add(commands: Subcommands) -> None:
    games = add_command(
        commands,
        "games",
        _list,
        "list, show, export or verify the games that were played here",
        "  laserboard games list\n"
        "  laserboard games show last\n"
        "  laserboard games export last --to game.pgn\n"
        "  laserboard games verify 2026-03-01-2.zip --head 396aa3e7e9700002",
        "Every game is kept in a journal, written turn by turn: a power cut loses nothing.",
    )
    games.set_defaults(all=False)
    whats = games.add_subparsers(title="what to do", metavar="list|show|export|verify|evidence")

    listing = add_command(
        whats, "list", _list, "list the games, the newest first", "  laserboard games list --all"
    )
    listing.add_argument("--all", action="store_true", help=f"not only the newest {LISTED}")

    show = add_command(
        whats,
        "show",
        _show,
        "show a game: who played, every turn, the last position",
        "  laserboard games show last\n  laserboard games show 2026-03-01-2 --json",
    )
    add_game(show)
    show.add_argument("--json", action="store_true", help="print all of it, beams included")

    games_export.add(whats)
    games_verify.add(whats)
    games_evidence.add(whats)


def _list(args: argparse.Namespace, console: Console) -> int:
    folder = games_folder()
    paths = kept(folder)
    if not paths:
        console.note(no_games(folder))
    rows = [_row(path) for path in (paths if args.all else paths[:LISTED])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        console.print("  ".join(padded).rstrip())
    if len(paths) > len(rows):
        console.note(f"and {len(paths) - len(rows)} older: `laserboard games list --all`")
    return 0


def _row(path: Path) -> tuple[str, str, str, str, str]:
    """File name, game, players, turns, result."""
    name = shown(path.stem)
    try:
        recovered = recover(read(path))
        told = summary(recovered.entries)
    except LaserboardError as error:
        return name, "-", "-", "-", f"cannot be read: {error}"
    result = "unfinished" if told.result is None else str(told.result)
    if recovered.torn is not None:
        kind = "torn" if recovered.torn.is_tail else "damaged"
        result += f" ({kind} at line {recovered.torn.line})"
    turns = count(told.turns, "turn", "turns")
    return name, shown(told.game), shown(" - ".join(told.players)), turns, result


def _show(args: argparse.Namespace, console: Console) -> int:
    kept_game = load(find(games_folder(), args.name))
    if args.json:
        console.print(json.dumps(_document(kept_game), indent=2, ensure_ascii=False))
    else:
        _tell(kept_game, console)
    return status(kept_game, console)


def _tell(kept_game: KeptGame, console: Console) -> None:
    played, start = kept_game.played, kept_game.played.start
    game, position = start.game, played.position
    names = " - ".join(map(str, start.seats))
    begun = "its own position" if start.position is not None else (
        f"seed {start.seed}" if start.setup is None else start.setup
    )  # fmt: skip
    console.print(shown(f"{kept_game.path.stem}: {names}, {game.title} from {begun}"))
    agreed = [
        f"started {start.started}" if start.started else "",
        f"time {start.time_control}" if start.time_control else "",
        *(f"{name} {value}" for name, value in game.options().items()),
    ]
    if any(agreed):
        console.print(shown(", ".join(filter(None, agreed))))
    for number, turn in enumerate(played.turns, start=1):
        console.print(f"{number:4}. {sentence(game, turn)}")
    if played.taken_back:
        console.print(f"taken back: {count(played.taken_back, 'turn', 'turns')}")
    console.print_picture(picture(game, position, colour=console.colour))
    if game.record_form == "text":
        console.print(game.write_position(position))
    clocks = _clocks(game, played)
    if clocks:
        console.print(clocks)
    unfinished = f"{side_to_move(game, position)} to move"
    console.print(unfinished if played.ended is None else shown(str(played.ended)))


def _clocks(game: AnyGame, played: Played) -> str:
    """The clocks after the last turn."""
    last = played.clocks[-1] if played.clocks else None
    faces = [] if last is None else [left(last, player) for player in range(len(game.players))]
    return ", ".join(
        f"{side} {clock_face(left_ms)}"
        for side, left_ms in zip(game.players, faces, strict=False)
        if left_ms is not None
    )


def _document(kept_game: KeptGame) -> dict[str, Any]:
    played, start = kept_game.played, kept_game.played.start
    game = start.game
    return {
        "file": str(kept_game.path),
        "game": game.name,
        "options": game.options(),
        "players": [
            {"side": side, "name": seat.name, "kind": seat.kind}
            for side, seat in zip(game.players, start.seats, strict=True)
        ],
        "started": start.started,
        "time_control": start.time_control,
        "laserboard": start.version,
        "turns": [
            turn_json(game, turn) | {"clocks": None if clocks is None else clocks.as_json()}
            for turn, clocks in zip(played.turns, played.clocks, strict=True)
        ],
        "taken_back": played.taken_back,
        "position": position_value(game, played.position),
        "side": side_to_move(game, played.position),
        "outcome": "unfinished" if played.ended is None else str(played.ended),
        "harm": kept_game.harm,
    }
