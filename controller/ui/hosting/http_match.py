"""Hosts matches of programs over HTTP: without a board, or with people at a table."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from controller.config.addresses.program import BadProgram, parse_program_url
from controller.config.board_file import BoardFile, absolute_board_name, load_board_file
from controller.config.play import BadSeat, parse_seat
from controller.devices.factory.clocks import local_time_text
from controller.session.setup import GameSetup, Seat
from controller.storage.record_file import RecordFile
from controller.table.next_game import ScheduledGame
from controller.table.plan import GamePlan, JournalOpener
from controller.table.rig import NO_LEDS_URL, TableSpec
from controller.ui.console import BadInput, Console, write_file
from controller.ui.hosting import sentences
from controller.ui.hosting.options import SHOWN_PACE_S, PlayOptions
from controller.ui.hosting.page import open_page
from controller.ui.hosting.participants import Participants
from controller.ui.hosting.preferences import preferences_from
from controller.ui.hosting.real_table import host_real_table, real_table_spec
from controller.ui.hosting.simulated_table import (
    SIMULATED_DEVICE,
    SimulatedStart,
    run_simulated_table,
)
from controller.ui.position_options import read_options
from controller.ui.terminal.player_screen import print_kept_game
from controller.ui.terminal.spectator_screen import ignore_message, watch_match
from engine import games
from engine.errors import excerpt
from vision.board import PhysicalBoard

if TYPE_CHECKING:
    from controller.table.loop import Loop
    from engine.game import Player

HUMAN_AT_BOARD, COMPUTER = "board", "computer"
SIMULATED_SCHEME = "sim:"


@dataclass(frozen=True)
class HttpMatch:
    """The game, its board, and the URLs of the programs."""

    plan: GamePlan
    board_name: str  # empty: no board
    programs: dict[Player, str]

    @property
    def has_people(self) -> bool:
        return any(not seat.is_automated for seat in self.plan.setup.seats)


@dataclass(frozen=True, slots=True)
class HttpMatchOptions:
    """A match as the command line describes it."""

    game: str
    players: Sequence[str]  # NICK=WHO
    board: str | None  # None: no board
    fire: str | None  # None: as the board file says
    seed: int | None  # of the map
    rounds: int | None
    pace_s: float | None  # least time of a round; None: the usual one
    options: Sequence[str]  # KEY=VALUE
    random_seed: int


def host_match(
    choice: HttpMatchOptions, options: PlayOptions, record_name: str | None, console: Console
) -> int:
    """Play the match; `record_name` is written after every round; the exit status."""
    match = _plan_match(choice, options, console)
    record = None if record_name is None else _open_record(record_name, console)
    try:
        if match.has_people:
            return _host_at_board(match, options, record, console)
        _host_without_board(match, options, record, console)
        return 0
    finally:
        if record is not None:
            record.close()


def _plan_match(choice: HttpMatchOptions, options: PlayOptions, console: Console) -> HttpMatch:
    if len(choice.players) != 2:
        raise BadInput(sentences.TWO_PLAYERS_NEEDED(count=len(choice.players)))
    players = [_read_player(each) for each in choice.players]
    (first, _), (second, _) = players
    rule_options = read_options(choice.options)
    if choice.rounds is not None:
        rule_options["rounds"] = str(choice.rounds)
    game = games.make_http_game(choice.game, rule_options)
    position = game.start_with(choice.seed, (first.name, second.name))
    has_people = any(not seat.is_automated for seat in (first, second))
    if has_people and choice.board is None:
        raise BadInput(sentences.PERSON_NEEDS_BOARD())
    board_name = "" if choice.board is None else absolute_board_name(choice.board)
    file = (
        load_board_file(board_name)
        if board_name
        else BoardFile(PhysicalBoard("none", position.grid))
    )
    start = GameSetup(
        game,
        (first, second),
        position=position,
        version=version("laserboard"),
        started=local_time_text(),
        board=board_name,
        simulated=has_people and (options.devices.camera or "").startswith(SIMULATED_SCHEME),
    )
    pace_s = choice.pace_s
    if pace_s is None:
        is_shown = console.size is not None or choice.board is not None
        pace_s = SHOWN_PACE_S if is_shown else 0.0
    preferences = replace(preferences_from(choice.fire, file), min_round_ms=1000 * pace_s)
    plan = GamePlan(start, file, preferences, choice.random_seed, moved_by_hand=has_people)
    assert plan.fitted_board is not None  # raises if the map does not fit the board
    return HttpMatch(plan, board_name, {n: url for n, (_, url) in enumerate(players) if url})


def _read_player(text: str) -> tuple[Seat, str]:
    """The seat, and the URL of its program (empty: no program)."""
    nick, equals, who = text.partition("=")
    if not equals or not nick or not who:
        raise BadInput(sentences.PLAYER_NEEDS_SEAT(value=excerpt(nick)))
    if who == HUMAN_AT_BOARD:
        return Seat(nick), ""
    try:
        if who.partition(":")[0] == COMPUTER:
            return parse_seat(who, nick), ""
        parse_program_url(who)
    except (BadSeat, BadProgram) as error:
        raise BadInput(sentences.BAD_PLAYER(nick=nick, reason=error.sentence)) from error
    return Seat(nick, is_program=True), who


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
