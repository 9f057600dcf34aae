"""Hosts matches of programs over HTTP: without a board, or with people at a table."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from controller.storage.record_file import RecordFile
from controller.table.next_game import ScheduledGame
from controller.table.plan import JournalOpener
from controller.table.rig import NO_LEDS_URL, TableSpec
from controller.ui import sentences
from controller.ui.console import BadInput, Console, write_file
from controller.ui.hosting.options import PlayOptions
from controller.ui.hosting.page import open_page
from controller.ui.hosting.participants import Participants
from controller.ui.hosting.real_table import host_real_table, real_table_spec
from controller.ui.hosting.simulated_table import (
    SIMULATED_DEVICE,
    SimulatedStart,
    run_simulated_table,
)
from controller.ui.terminal.player_screen import print_kept_game
from controller.ui.terminal.spectator_screen import ignore_message, watch_match

if TYPE_CHECKING:
    from controller.table.loop import Loop
    from controller.table.plan import GamePlan
    from engine.game import Player


@dataclass(frozen=True)
class HttpMatch:
    """The game, its board, and the URLs of the programs."""

    plan: GamePlan
    board_name: str  # empty: no board
    programs: dict[Player, str]

    @property
    def has_people(self) -> bool:
        return any(not seat.is_automated for seat in self.plan.setup.seats)


def host_match(
    match: HttpMatch, options: PlayOptions, record_name: str | None, console: Console
) -> int:
    """Play the match; `record_name` is written after every round; the exit status."""
    record = None if record_name is None else _open_record(record_name, console)
    try:
        if match.has_people:
            return _host_at_board(match, options, record, console)
        _host_without_board(match, options, record, console)
        return 0
    finally:
        if record is not None:
            record.close()


def _open_record(name: str, console: Console) -> RecordFile:
    write_file(name, "", console)  # fails now, not after the first round
    return RecordFile(lambda text: write_file(name, text, console))


def _host_without_board(
    match: HttpMatch, options: PlayOptions, record: RecordFile | None, console: Console
) -> None:
    """Play until the spectator leaves; the spectator may begin again."""
    scheduled = ScheduledGame(match.board_name, match.plan)
    opened = None
    if options.page is not None:
        opened = open_page(options.page, console, scheduled.new_game_choices)
        if console.size is None:
            for note in opened.notes:
                console.print(note)
    people, again = Participants(console, None, opened, ignore_message), True
    try:
        while again:
            opener, spec = JournalOpener(), _led_only_spec(match, options)
            try:
                again = asyncio.run(watch_match(scheduled, spec, opener, record, people, console))
            finally:
                print_kept_game(opener.path, console)
            if again and record is not None:
                record.next_game()
    finally:
        if opened is not None:
            opened.page.close()


def _led_only_spec(match: HttpMatch, options: PlayOptions) -> TableSpec:
    """A table without camera: its LEDs show the match."""
    file, devices = match.plan.board_file, options.devices
    leds = NO_LEDS_URL
    if file.leds is not None and match.board_name:
        leds = file.leds.url or "serial://auto"
    return TableSpec(
        match.board_name,
        file,
        match.plan.fitted_board,
        devices.leds or leds,
        speaker_url=devices.speaker or NO_LEDS_URL,
        voice=devices.voice or "none",
        program_urls=match.programs,
    )


def _host_at_board(
    match: HttpMatch, options: PlayOptions, record: RecordFile | None, console: Console
) -> int:
    """People move pieces by hand, at a real table or a simulated one."""
    plan = match.plan
    scheduled = ScheduledGame(match.board_name, plan)

    def on_tick(loop: Loop) -> None:
        if record is not None:
            record.update(plan.setup, loop.session)

    if not plan.setup.simulated:
        spec = real_table_spec(options, match.board_name, plan, console)
        spec = replace(spec, program_urls=match.programs)
        return host_real_table(options, console, scheduled, JournalOpener(), on_tick, spec)
    if console.size is None and options.page is None:
        raise BadInput(sentences.NEEDS_TERMINAL_OR_PAGE())
    spec = TableSpec(
        match.board_name,
        plan.board_file,
        plan.fitted_board,
        options.devices.leds or SIMULATED_DEVICE,
        program_urls=match.programs,
    )
    start = SimulatedStart.new_game(match.board_name, plan)
    asyncio.run(run_simulated_table(options.page, console, spec, scheduled, start, on_tick=on_tick))
    return 0
