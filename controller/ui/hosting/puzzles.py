"""Hosts puzzles at a real or simulated table, one after another, and stores the progress."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from controller.config.board_file import absolute_board_name, load_board_file
from controller.config.board_names import default_board
from controller.devices.factory.clocks import local_time_text
from controller.table.plan import JournalOpener
from controller.table.puzzle_series import (
    OwnPuzzles,
    ProgressRecorder,
    PuzzleProgress,
    ScheduledPuzzle,
    board_name_for,
    load_progress,
    next_unsolved,
    plan_puzzle,
    progress_file,
)
from controller.ui.console import Console, write_file
from controller.ui.hosting.options import PlayOptions
from controller.ui.hosting.preferences import preferences_from
from controller.ui.hosting.real_table import host_real_table
from controller.ui.hosting.simulated_table import (
    SimulatedStart,
    run_simulated_table,
    simulated_table_spec,
)
from engine.puzzles import load_puzzles


@dataclass(frozen=True)
class PuzzleOptions:
    """Options of `laserboard puzzles play`: the puzzle, its file, the board."""

    number: int | None  # None: the first unsolved one
    own: OwnPuzzles  # empty: the shipped puzzles
    board: str | None  # None: the usual one
    fire: str | None = None  # None: as the board file says


def host_simulated_puzzles(puzzles: PuzzleOptions, options: PlayOptions, console: Console) -> int:
    """Play puzzles at a simulated table; the exit status."""
    recorder = _open_progress(console)
    number = _first_number(puzzles, recorder)
    if puzzles.board is None:
        board_name = board_name_for(number, puzzles.own)
    else:
        board_name = absolute_board_name(puzzles.board)
    scheduled = _scheduled_puzzle(puzzles, number, board_name, recorder, simulated=True)
    spec = simulated_table_spec(options, board_name, scheduled.plan)
    start = SimulatedStart.new_game(board_name, scheduled.plan)
    asyncio.run(
        run_simulated_table(
            options.page, console, spec, scheduled, start, on_tick=recorder.check_loop
        )
    )
    return 0


def host_real_puzzles(puzzles: PuzzleOptions, options: PlayOptions, console: Console) -> int:
    """Play puzzles at a real table; the exit status."""
    recorder = _open_progress(console)
    number = _first_number(puzzles, recorder)
    board_name = absolute_board_name(puzzles.board or default_board())
    scheduled = _scheduled_puzzle(puzzles, number, board_name, recorder, simulated=False)
    return host_real_table(options, console, scheduled, JournalOpener(), recorder.check_loop)


def _scheduled_puzzle(
    puzzles: PuzzleOptions,
    number: int,
    board_name: str,
    recorder: ProgressRecorder,
    *,
    simulated: bool,
) -> ScheduledPuzzle:
    file = load_board_file(board_name)
    preferences = preferences_from(puzzles.fire, file)
    plan = plan_puzzle(number, board_name, file, simulated, preferences, own=puzzles.own)
    return ScheduledPuzzle(board_name, plan, number, recorder, puzzles.own)


def _first_number(puzzles: PuzzleOptions, recorder: ProgressRecorder) -> int:
    if puzzles.number:
        return puzzles.number
    game = (puzzles.own or load_puzzles())[0].game
    return next_unsolved(recorder.progress, game, own=puzzles.own)


def _open_progress(console: Console) -> ProgressRecorder:
    path = progress_file()

    def save(progress: PuzzleProgress) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(str(path), progress.to_text(), console)

    return ProgressRecorder(load_progress(path), save, local_time_text)
