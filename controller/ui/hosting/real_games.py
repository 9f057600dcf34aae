"""Hosts the games of `laserboard play` and `resume`: a new one, or a stored one that continues."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from controller.config.board_file import absolute_board_name, load_board_file
from controller.config.board_names import default_board
from controller.storage.games import find_journal, games_folder
from controller.table.next_game import ScheduledGame
from controller.table.plan import JournalOpener, load_resumable
from controller.ui.console import Console
from controller.ui.hosting.game_options import GameOptions, plan_new_game
from controller.ui.hosting.options import DeviceOptions, PlayOptions
from controller.ui.hosting.preferences import resumed_plan
from controller.ui.hosting.real_table import host_real_table, offer_unfinished


def host_real_game(
    choice: GameOptions,
    board: str | None,
    options: PlayOptions,
    console: Console,
    *,
    offers_unfinished: bool = True,
) -> int:
    """Play at a real table; the last game of the board continues, if the player wants that."""
    board_name = absolute_board_name(board or default_board())
    file = load_board_file(board_name)
    entry = choice.event.tournament_entry(file)
    unfinished = None
    if offers_unfinished:
        unfinished = offer_unfinished(board_name, file, entry, console)
    if unfinished is not None:
        path, played = unfinished
        plan = resumed_plan(played, file, choice.fire, choice.random_seed)
        opener = JournalOpener(path)
    else:
        plan = plan_new_game(choice, board_name, file, console, simulated=False)
        opener = JournalOpener()
    return host_real_table(options, console, ScheduledGame(board_name, plan), opener)


def resume_game(
    name: str, board: str | None, fire: str | None, options: PlayOptions, console: Console
) -> int:
    """Resume a stored game, where it was played: at a real table or a simulated one."""
    path = find_journal(games_folder(), name)
    played = load_resumable(path)
    if played.setup.simulated:
        return _resume_simulated(path, fire, replace(options, devices=DeviceOptions()), console)
    board_name = board or played.setup.board or default_board()
    plan = resumed_plan(played, load_board_file(board_name), fire, 0)
    return host_real_table(options, console, ScheduledGame(board_name, plan), JournalOpener(path))


def _resume_simulated(path: Path, fire: str | None, options: PlayOptions, console: Console) -> int:
    # 90 ms to import, which a real table does not need.
    from controller.ui.hosting.simulated_runs import SteppedOptions, host_stepped
    from controller.ui.hosting.simulated_start import resumed_start
    from controller.ui.hosting.simulated_table import host_simulated_table

    start = resumed_start(path, None, fire, 1)
    if not (console.size or options.page):
        return host_stepped(start, options, SteppedOptions(), console)
    return host_simulated_table(options, console, start)
