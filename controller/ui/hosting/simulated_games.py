"""Hosts the games of `laserboard simulate`: a new or a stored one, or a script, with faults."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from controller.config.addresses.leds import SimulatedLedAddress, parse_led_url
from controller.config.board_file import absolute_board_name, load_board_file
from controller.simulation.faults.catalogue import catalogue_table
from controller.simulation.faults.schedule import ScheduledFault, draw_schedule, possible_faults
from controller.simulation.hands import SimulationFailed
from controller.simulation.script import Script, read_script
from controller.storage.games import find_journal, games_folder
from controller.table.plan import GamePlan
from controller.ui.console import BadInput, Console, read_file
from controller.ui.hosting import sentences
from controller.ui.hosting.game_options import GameOptions, plan_new_game
from controller.ui.hosting.options import PlayOptions
from controller.ui.hosting.simulated_runs import SteppedOptions, host_script, host_stepped
from controller.ui.hosting.simulated_start import (
    default_board_for,
    pieces_from_text,
    resumed_start,
)
from controller.ui.hosting.simulated_table import (
    SIMULATED_DEVICE,
    FaultPlan,
    SimulatedStart,
    host_simulated_table,
)
from controller.ui.position_options import PositionOptions
from engine.errors import excerpt

PAGE_OPPONENT = "computer:3"  # the second player on the page, unless a player is named


@dataclass(frozen=True, slots=True)
class FaultOptions:
    """Faults to inject: random ones, or a schedule."""

    chaos: int | None = None  # the seed of random faults
    schedule: tuple[ScheduledFault, ...] = ()

    @property
    def is_given(self) -> bool:
        return self.chaos is not None or bool(self.schedule)


@dataclass(frozen=True, slots=True)
class SimulationOptions:
    """Options of `laserboard simulate`: the game, its position, script and faults."""

    game: GameOptions
    board: str | None = None  # None: the usual one of the game
    script: str | None = None  # a file
    resume: str | None = None  # the name of a stored game
    initial_position: str | None = None  # of the pieces on the table
    faults: FaultOptions = FaultOptions()
    turns: int | None = None  # None: to the end
    picture: str | None = None  # file for the image of the last beam
    fast: bool = False  # in simulated time
    speed: float = 1.0
    page_requested: bool = False  # not only served by default


def list_faults(console: Console) -> int:
    """Print the faults that can be injected."""
    console.print("\n".join(catalogue_table()))
    return 0


def host_simulation(choice: SimulationOptions, options: PlayOptions, console: Console) -> int:
    """Play a script, or a game: in simulated time where there is no screen; the exit status."""
    try:
        if choice.script is not None:
            return _host_script(choice, choice.script, options, console)
        if choice.fast or not (console.size or options.page):
            if choice.initial_position is not None:
                raise BadInput(sentences.INITIAL_POSITION_NEEDS_PAGE())
            start = _make_start(replace(choice, page_requested=False), options, console)
            stepped = SteppedOptions(choice.turns, choice.picture)
            return host_stepped(start, options, stepped, console)
    except SimulationFailed as unmet:
        console.note(f"laserboard: {unmet}")
        return 1
    start = _make_start(choice, options, console)
    return host_simulated_table(options, console, start, turns=choice.turns, speed=choice.speed)


def host_live_simulation(
    game: GameOptions, board: str | None, options: PlayOptions, console: Console
) -> int:
    """Play a new game in real time, with or without a screen; the exit status."""
    start = SimulatedStart.new_game(*_plan_game(game, board, console))
    return host_simulated_table(options, console, start)


def _host_script(
    choice: SimulationOptions, file: str, options: PlayOptions, console: Console
) -> int:
    if choice.faults.is_given:
        raise BadInput(sentences.SCRIPT_HAS_FAULTS())
    if choice.resume is not None:
        raise BadInput(sentences.SCRIPT_AND_RESUME())
    script = read_script(read_file(file), file)
    board = script.settings.get("board") if choice.board is None else choice.board
    board_name, plan = _plan_game(_with_settings(choice.game, script), board, console)
    if options.devices.leds is None:  # the script may name its LEDs
        devices = replace(options.devices, leds=script.settings.get("leds"))
        options = replace(options, devices=devices)
    return host_script(script, board_name, plan, options, choice.picture, console)


def _with_settings(choice: GameOptions, script: Script) -> GameOptions:
    """The choice, with the script's settings where it has none."""
    settings = script.settings

    def merged(given: str | None, key: str) -> str | None:
        return settings.get(key) if given is None else given

    start = choice.position
    seed = start.seed
    if seed is None and "seed" in settings:
        if not re.fullmatch("[0-9]{1,30}", settings["seed"]):
            value = excerpt(settings["seed"])
            raise BadInput(sentences.BAD_SCRIPT_SEED(file=str(script.file), value=value))
        seed = int(settings["seed"])
    position = PositionOptions(
        merged(start.game, "game"),
        start.options or script.options,
        merged(start.setup, "setup"),
        merged(start.position, "position"),
        seed,
    )
    seats = {side: merged(who, side) for side, who in choice.seats.items()}
    clock, fire = merged(choice.clock, "clock"), merged(choice.fire, "fire")
    return replace(choice, position=position, seats=seats, clock=clock, fire=fire)


def _make_start(
    choice: SimulationOptions, options: PlayOptions, console: Console
) -> SimulatedStart:
    """The start of a new or resumed game, with its pieces and faults."""
    game = choice.game
    if choice.resume is not None:
        given = game.given_flags()
        if given:
            raise BadInput(sentences.RESUMED_GAME_KEEPS(flag=given[0]))
        path = find_journal(games_folder(), choice.resume)
        start = resumed_start(path, choice.board, game.fire, game.random_seed)
    else:
        board_name, plan = _plan_game(game, choice.board, console)
        if choice.page_requested and _wants_opponent(game, plan):
            game = replace(game, seats={**game.seats, "second": PAGE_OPPONENT})
            board_name, plan = _plan_game(game, choice.board, console)
        start = SimulatedStart.new_game(board_name, plan)
    if choice.initial_position is not None:
        pieces = pieces_from_text(choice.initial_position, start.plan)
        start = replace(start, pieces=pieces, hands_set_up=False)
    return replace(start, fault_plan=_plan_faults(choice.faults, options, start.plan))


def _wants_opponent(choice: GameOptions, plan: GamePlan) -> bool:
    """Whether the computer plays second: no player is named, and it can play the game."""
    automated = any(seat.is_automated for seat in plan.setup.seats)
    first = plan.setup.first_position()
    return not (choice.names_player or automated) and plan.setup.game.computer_plays(first)


def _plan_game(choice: GameOptions, board: str | None, console: Console) -> tuple[str, GamePlan]:
    """The name of the board, and the plan."""
    board_name = absolute_board_name(board or default_board_for(choice.position.game))
    file = load_board_file(board_name)
    return board_name, plan_new_game(choice, board_name, file, console, simulated=True)


def _plan_faults(choice: FaultOptions, options: PlayOptions, plan: GamePlan) -> FaultPlan | None:
    if not choice.is_given:
        return None
    has_computer = any(seat.is_automated for seat in plan.setup.seats)
    leds = parse_led_url(options.devices.leds or SIMULATED_DEVICE)
    possible = possible_faults(has_computer, isinstance(leds, SimulatedLedAddress))
    if choice.chaos is not None:
        return FaultPlan(draw_schedule(choice.chaos, possible), choice.chaos)
    for due in choice.schedule:
        if due.fault not in possible:
            template = (
                sentences.FAULT_NEEDS_CABLE
                if due.fault.needs_led_cable
                else sentences.FAULT_NEEDS_COMPUTER
            )
            raise BadInput(template(fault=due.fault.name))
    return FaultPlan(iter(choice.schedule), 0)
