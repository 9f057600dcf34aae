"""`laserboard games`: lists, shows, exports and verifies the stored games of this computer."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.cli import games_evidence, games_export, games_verify
from controller.cli.args.position import side_to_move
from controller.cli.args.stored_game import add_stored_game
from controller.cli.command import Subcommands, add_command
from controller.ui.console import Console, printable_name
from engine.errors import LaserboardError

if TYPE_CHECKING:
    from controller.session.replay import ReplayedGame
    from controller.storage.stored_game import StoredGame
    from engine.game import AnyGame

MOST_LISTED = 20


def add(commands: Subcommands) -> None:
    games = add_command(
        commands,
        "games",
        _list,
        "list, show, export or verify the games that were played on this computer",
        "  laserboard games list\n"
        "  laserboard games show last\n"
        "  laserboard games export last --to game.pgn\n"
        "  laserboard games verify 2026-03-01-2.zip --hash 396aa3e7e9700002",
        "Every game is stored in a journal, turn by turn, so that a power cut loses nothing.",
    )
    games.set_defaults(all=False)
    actions = games.add_subparsers(title="what to do", metavar="list|show|export|verify|evidence")

    listing = add_command(
        actions, "list", _list, "list the games, the newest first", "  laserboard games list --all"
    )
    listing.add_argument(
        "--all", action="store_true", help=f"all games, not only the newest {MOST_LISTED}"
    )

    show = add_command(
        actions,
        "show",
        _show,
        "show a game: who played, every turn, the last position",
        "  laserboard games show last\n  laserboard games show 2026-03-01-2 --json",
    )
    add_stored_game(show)
    show.add_argument(
        "--json", action="store_true", help="print the whole game as JSON, with beams"
    )

    games_export.add(actions)
    games_verify.add(actions)
    games_evidence.add(actions)


def _list(args: argparse.Namespace, console: Console) -> int:
    from controller.storage.games import games_folder, list_journals, no_games_message

    folder = games_folder()
    paths = list_journals(folder)
    if not paths:
        console.note(no_games_message(folder))
    rows = [_row(path) for path in (paths if args.all else paths[:MOST_LISTED])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        console.print("  ".join(padded).rstrip())
    if len(paths) > len(rows):
        console.note(f"and {len(paths) - len(rows)} older: `laserboard games list --all`")
    return 0


def _row(path: Path) -> tuple[str, str, str, str, str]:
    """The cells of a game in the list: file name, game, players, turns, result."""
    from controller.session.journal import pluralise, recover
    from controller.session.replay import summarise
    from controller.storage.games import read_journal

    name = printable_name(path.stem)
    try:
        recovered = recover(read_journal(path))
        game = summarise(recovered.entries)
    except LaserboardError as error:
        return name, "-", "-", "-", f"cannot be read: {error}"
    result = "unfinished" if game.result is None else str(game.result)
    if recovered.damaged_tail is not None:
        kind = "torn" if recovered.damaged_tail.is_power_cut_tail else "damaged"
        result += f" ({kind} at line {recovered.damaged_tail.line})"
    turns = pluralise(game.turns, "turn", "turns")
    return name, printable_name(game.game), printable_name(" - ".join(game.players)), turns, result


def _show(args: argparse.Namespace, console: Console) -> int:
    from controller.storage.games import find_journal, games_folder
    from controller.storage.stored_game import load_game
    from controller.ui.commands.record_files import exit_status

    stored = load_game(find_journal(games_folder(), args.name))
    if args.json:
        console.print(json.dumps(_document(stored), indent=2, ensure_ascii=False))
    else:
        _print_game(stored, console)
    return exit_status(stored, console)


def _print_game(stored: StoredGame, console: Console) -> None:
    from controller.session.journal import pluralise
    from controller.ui.commands.record_files import turn_sentence
    from controller.ui.terminal import render_board

    played, start = stored.played, stored.played.setup
    game, position = start.game, played.position
    names = " - ".join(map(str, start.seats))
    start_name = "its own position" if start.position is not None else (
        f"seed {start.seed}" if start.setup_name is None else start.setup_name
    )  # fmt: skip
    console.print(printable_name(f"{stored.path.stem}: {names}, {game.title} from {start_name}"))
    details = [
        f"started {start.started}" if start.started else "",
        f"time {start.time_control}" if start.time_control else "",
        *(f"{name} {value}" for name, value in game.options().items()),
    ]
    if any(details):
        console.print(printable_name(", ".join(filter(None, details))))
    for number, turn in enumerate(played.turns, start=1):
        console.print(f"{number:4}. {turn_sentence(game, turn)}")
    if played.taken_back_turns:
        console.print(f"taken back: {pluralise(played.taken_back_turns, 'turn', 'turns')}")
    console.print_picture(render_board(game, position, colour=console.colour))
    if game.record_form == "text":
        console.print(game.write_position(position))
    clocks = _clocks(game, played)
    if clocks:
        console.print(clocks)
    unfinished = f"{side_to_move(game, position)} to move"
    console.print(unfinished if played.outcome is None else printable_name(str(played.outcome)))


def _clocks(game: AnyGame, played: ReplayedGame) -> str:
    """The clocks after the last turn."""
    from controller.session.clocks import format_clock
    from controller.session.replay import recorded_remaining_ms

    last = played.clocks[-1] if played.clocks else None
    remaining_ms = (
        []
        if last is None
        else [recorded_remaining_ms(last, player) for player in range(len(game.players))]
    )
    return ", ".join(
        f"{side} {format_clock(left_ms)}"
        for side, left_ms in zip(game.players, remaining_ms, strict=False)
        if left_ms is not None
    )


def _document(stored: StoredGame) -> dict[str, Any]:
    from engine.turn_json import position_value, turn_json

    played, start = stored.played, stored.played.setup
    game = start.game
    return {
        "file": str(stored.path),
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
        "taken_back": played.taken_back_turns,
        "position": position_value(game, played.position),
        "side": side_to_move(game, played.position),
        "outcome": "unfinished" if played.outcome is None else str(played.outcome),
        "harm": stored.damage,
    }
