"""Lists the stored games of this computer, and shows one as text or JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from controller.session.clocks import format_clock
from controller.session.journal import recover
from controller.session.replay import ReplayedGame, recorded_remaining_ms, summarise
from controller.storage.games import (
    find_journal,
    games_folder,
    list_journals,
    no_games_message,
    read_journal,
)
from controller.storage.sentences import UNFINISHED, turn_count
from controller.storage.stored_game import StoredGame, load_game
from controller.ui.commands import sentences
from controller.ui.commands.positions import side_to_move, to_move_sentence
from controller.ui.commands.record_files import exit_status, turn_sentence
from controller.ui.console import Console, printable_name
from controller.ui.terminal import render_board
from engine.errors import LaserboardError
from engine.game import AnyGame
from engine.sentences import Sentence
from engine.turn_json import position_value, turn_json


def list_games(most: int | None, console: Console) -> int:
    """Print the newest `most` games (None: all), one line each."""
    folder = games_folder()
    paths = list_journals(folder)
    if not paths:
        console.note(no_games_message(folder))
    rows = [_row(path) for path in paths[:most]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        console.print("  ".join(padded).rstrip())
    if len(paths) > len(rows):
        console.note(sentences.OLDER_GAMES(count=len(paths) - len(rows)))
    return 0


def _row(path: Path) -> tuple[str, str, str, str, str]:
    """The cells of a game in the list: file name, game, players, turns, result."""
    name = printable_name(path.stem)
    try:
        recovered = recover(read_journal(path))
        game = summarise(recovered.entries)
    except LaserboardError as error:
        return name, "-", "-", "-", str(sentences.GAME_UNREADABLE(reason=error.sentence))
    result: str | Sentence = UNFINISHED() if game.result is None else str(game.result)
    if recovered.damaged_tail is not None:
        torn = recovered.damaged_tail.is_power_cut_tail
        template = sentences.RESULT_TORN if torn else sentences.RESULT_DAMAGED
        result = template(result=result, line=recovered.damaged_tail.line)
    players, turns = printable_name(" - ".join(game.players)), str(turn_count(game.turns))
    return name, printable_name(game.game), players, turns, str(result)


def show_game(name: str, as_json: bool, console: Console) -> int:
    """Print a game: who played, every turn, the last position; the exit status."""
    stored = load_game(find_journal(games_folder(), name))
    if as_json:
        console.print(json.dumps(_document(stored), indent=2, ensure_ascii=False))
    else:
        _print_game(stored, console)
    return exit_status(stored, console)


def _print_game(stored: StoredGame, console: Console) -> None:
    played, start = stored.played, stored.played.setup
    game, position = start.game, played.position
    start_name: str | Sentence = start.setup_name or sentences.FROM_SEED(seed=str(start.seed))
    if start.position is not None:
        start_name = sentences.OWN_POSITION()
    headline = sentences.STORED_GAME(
        file=stored.path.stem,
        players=" - ".join(map(str, start.seats)),
        game=game.title,
        start=start_name,
    )
    console.print(printable_name(str(headline)))
    details = [
        str(sentences.STARTED_AT(time=start.started)) if start.started else "",
        str(sentences.TIME_CONTROL(time_control=str(start.time_control)))
        if start.time_control
        else "",
        *(f"{name} {value}" for name, value in game.options().items()),
    ]
    if any(details):
        console.print(printable_name(", ".join(filter(None, details))))
    for number, turn in enumerate(played.turns, start=1):
        console.print(f"{number:4}. {turn_sentence(game, turn)}")
    if played.taken_back_turns:
        console.print(sentences.TAKEN_BACK(turns=turn_count(played.taken_back_turns)))
    console.print_picture(render_board(game, position, colour=console.colour))
    if game.record_form == "text":
        console.print(game.write_position(position))
    clocks = _clocks(game, played)
    if clocks:
        console.print(clocks)
    ended = played.outcome
    console.print(printable_name(str(ended)) if ended else to_move_sentence(game, position))


def _clocks(game: AnyGame, played: ReplayedGame) -> str:
    """The clocks after the last turn."""
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
        "harm": str(stored.damage or ""),
    }
