"""`laserboard games`: the games that were played here; list, show, export and verify them."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.agreement import BadGame
from controller.cli.command import Subcommands, add_command
from controller.cli.console import BAD_INPUT, BadInput, Console, shown, write_file
from controller.cli.positions import side_to_move
from controller.cli.records import sentence
from controller.clocks import clock_face
from controller.game_store import LAST, SUFFIX, find, games_folder, kept, no_games, read
from controller.journal import Recovered, count, recover
from controller.played import Played, left, record, replay, summary
from controller.terminal import picture
from engine.errors import LaserboardError
from engine.game import AnyGame
from engine.record import Form, Unwritable, write
from engine.turn_json import position_value, turn_json

DAMAGED = 1
LISTED = 20
FORMS: dict[str, Form] = {"text": "text", "json": "json"}


def add(commands: Subcommands) -> None:
    games = add_command(
        commands,
        "games",
        _list,
        "list, show, export or verify the games that were played here",
        "  laserboard games list\n"
        "  laserboard games show last\n"
        "  laserboard games export last --to game.pgn\n"
        "  laserboard games verify",
        "Every game is kept in a journal, written turn by turn: a power cut loses nothing.",
    )
    games.set_defaults(all=False)
    whats = games.add_subparsers(title="what to do", metavar="list|show|export|verify")

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
    _add_game(show)
    show.add_argument("--json", action="store_true", help="print all of it, beams included")

    export = add_command(
        whats,
        "export",
        _export,
        "write a game as a record, which `laserboard replay` plays again",
        "  laserboard games export last --to game.pgn\n"
        "  laserboard games export 2026-03-01-2 --to json",
        "What was taken back is left out.",
    )
    _add_game(export)
    export.add_argument(
        "--to",
        metavar="text|json|FILE",
        default="",
        help="print that form, or write FILE, as JSON if it ends with .json "
        "(default: print the game's own form)",
    )

    verify = add_command(
        whats,
        "verify",
        _verify,
        "check games: every line as it was written, every move legal, every result true",
        "  laserboard games verify\n  laserboard games verify /media/stick/*.journal",
        "One line for each game; the exit status is 1 if any is damaged.",
    )
    verify.add_argument(
        "games", metavar="NAME|FILE", nargs="*", help="which games (default: all that are kept)"
    )


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name",
        metavar=f"NAME|FILE|{LAST}",
        nargs="?",
        default=LAST,
        help=f"a name from the list, a journal, or {LAST}: the newest (default)",
    )


@dataclass(frozen=True, slots=True)
class _Kept:
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


def _load(path: Path) -> _Kept:
    recovered = recover(read(path))
    try:
        return _Kept(path, recovered, replay(recovered.entries))
    except LaserboardError as error:
        reason = str(error) if recovered.torn is None else f"{recovered.torn}"
        raise BadGame(f"{shown(str(path))} tells no game: {reason}") from None


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
    kept_game = _load(find(games_folder(), args.name))
    if args.json:
        console.print(json.dumps(_document(kept_game), indent=2, ensure_ascii=False))
    else:
        _tell(kept_game, console)
    return _status(kept_game, console)


def _tell(kept_game: _Kept, console: Console) -> None:
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


def _document(kept_game: _Kept) -> dict[str, Any]:
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


def _export(args: argparse.Namespace, console: Console) -> int:
    kept_game = _load(find(games_folder(), args.name))
    form = FORMS.get(args.to, "json" if args.to.endswith(".json") else None)
    if args.to.endswith(SUFFIX):
        raise BadInput(f"--to {shown(args.to)}: that is a journal's name; a record is another file")
    printed = args.to in ("", *FORMS)
    if not printed and "." not in args.to and "/" not in args.to:
        raise BadInput(
            f"--to {shown(args.to)}: say text or json, or name a file such as {args.to}.pgn"
        )
    try:
        text = write(record(kept_game.played), form)
    except Unwritable as error:
        raise BadInput(f"{shown(str(kept_game.path))}: {error} (--to json)") from None
    write_file("-" if printed else args.to, text, console)
    return _status(kept_game, console)


def _status(kept_game: _Kept, console: Console) -> int:
    if kept_game.harm:
        console.note(f"{shown(str(kept_game.path))}: {kept_game.harm}")
    return DAMAGED if kept_game.is_damaged else 0


def _verify(args: argparse.Namespace, console: Console) -> int:
    folder = games_folder()
    if not args.games and not kept(folder):
        console.note(no_games(folder))
    status = 0
    for name in args.games or [each.stem for each in kept(folder)]:
        try:
            path = find(folder, name)
            content = read(path)
        except LaserboardError as error:
            console.note(f"laserboard: {error}")
            status = BAD_INPUT
            continue
        verdict = _verdict(path, content)
        console.print(f"{shown(name)}: {verdict}")
        if not verdict.startswith("good"):
            status = max(status, DAMAGED)
    return status


def _verdict(path: Path, content: bytes) -> str:
    recovered = recover(content)
    try:
        kept_game = _Kept(path, recovered, replay(recovered.entries))
    except LaserboardError as error:
        return f"damaged: {recovered.torn or error}"
    if kept_game.harm:
        kind = "wrong" if kept_game.played.fault else "damaged"
        if kind == "damaged" and not kept_game.is_damaged:
            kind = "torn"
        return f"{kind}: {kept_game.harm}"
    played = kept_game.played
    turns = count(len(played.turns), "turn", "turns")
    entries = count(len(recovered.entries), "entry", "entries")
    return shown(f"good: {entries}, {turns}, {played.ended or 'unfinished'}")
