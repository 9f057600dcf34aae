"""`laserboard games verify`: whether a journal or an export is as it was written.

An export that was held against no published head is not proven: that has an exit status of its own.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.command import Subcommands, add_command
from controller.cli.console import BAD_INPUT, BadInput, Console, shown
from controller.cli.kept_game import DAMAGED, KeptGame
from controller.game_store import find, games_folder, kept, no_games, read
from controller.journal import count, recover
from controller.played import replay
from engine.errors import LaserboardError

if TYPE_CHECKING:
    from controller.exports.verify import Verdict

UNPROVEN = 3
ZIP = b"PK"


def add(whats: Subcommands) -> None:
    parser = add_command(
        whats,
        "verify",
        _verify,
        "check games: every line as it was written, every move legal, every result true",
        "  laserboard games verify\n"
        "  laserboard games verify /media/stick/*.journal\n"
        "  laserboard games verify 2026-03-01-2.zip --head 396aa3e7e9700002",
        "An export is proven complete and untouched since its head was published, if that head is "
        "given; the page, the score sheet and the hall show it. The exit status is 0 if all is "
        "well, 1 if anything is not as it was, 2 if something cannot be read or was typed wrong, "
        "3 if an export is whole in itself, and was held against no head.",
    )
    parser.add_argument(
        "games", metavar="NAME|FILE", nargs="*", help="which games (default: all that are kept)"
    )
    parser.add_argument(
        "--head",
        metavar="HASH",
        help="as it was published: all of its 64 digits, or the first 16 or more",
    )


def _verify(args: argparse.Namespace, console: Console) -> int:
    from controller.exports.verify import read_head

    folder = games_folder()
    if args.head is not None and len(args.games) != 1:
        raise BadInput("--head is the head of one game: name that one")
    head = None if args.head is None else read_head(args.head)
    if not args.games and not kept(folder):
        console.note(no_games(folder))
    statuses = set()
    for name in args.games or [each.stem for each in kept(folder)]:
        try:
            path = find(folder, name)
            statuses.add(_verify_one(name, path, head, console))
        except LaserboardError as error:
            console.note(f"laserboard: {error}")
            statuses.add(BAD_INPUT)
    return next((each for each in (BAD_INPUT, DAMAGED, UNPROVEN) if each in statuses), 0)


def _verify_one(name: str, path: Path, head: str | None, console: Console) -> int:
    if path.suffix.lower() == ".zip" or _begins_as_zip(path):
        return _verify_export(name, path, head, console)
    content = read(path)
    verdict = _verdict(path, content, head)
    console.print(f"{shown(name)}: {verdict}")
    return 0 if verdict.startswith("good") else DAMAGED


# -- a journal -----------------------------------------------------------------------------------


def _verdict(path: Path, content: bytes, head: str | None) -> str:
    from controller.exports.verify import against

    recovered = recover(content)
    try:
        kept_game = KeptGame(path, recovered, replay(recovered.entries))
    except LaserboardError as error:
        return f"damaged: {recovered.torn or error}"
    if kept_game.harm:
        kind = "wrong" if kept_game.played.fault else "damaged"
        if kind == "damaged" and not kept_game.is_damaged:
            kind = "torn"
        return f"{kind}: {kept_game.harm}"
    if head is not None and (wrong := against(recovered.entries, head)):
        return f"wrong: {wrong}"
    played = kept_game.played
    turns = count(len(played.turns), "turn", "turns")
    entries = count(len(recovered.entries), "entry", "entries")
    return shown(f"good: {entries}, {turns}, {played.ended or 'unfinished'}")


# -- an export -----------------------------------------------------------------------------------


def _begins_as_zip(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(ZIP)) == ZIP
    except OSError:
        return False


def _verify_export(name: str, path: Path, head: str | None, console: Console) -> int:
    from controller.exports.verify import verify

    try:
        with path.open("rb") as file:
            verdict = verify(file, head)
    except OSError as bad:
        raise BadInput(f"cannot read {shown(name)}: {bad.strerror or bad}") from None
    for sentence in verdict.findings:
        console.print(shown(f"{name}: wrong: {sentence}"))
    if verdict.findings:
        return DAMAGED
    console.print(shown(f"{name}: {_proven(verdict, head)}"))
    for sentence in verdict.open:
        console.print(shown(f"{name}: not proven: {sentence}"))
    return UNPROVEN if verdict.open else 0


def _proven(verdict: Verdict, head: str | None) -> str:
    if head is None:
        return f"whole in itself: {verdict}"
    return f"good, complete and untouched since its head was published: {verdict}"
