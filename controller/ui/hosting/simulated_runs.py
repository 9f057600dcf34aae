"""Plays a game at a simulated table in simulated time: a script, or moves from standard input.

Prints one line for each event, and the last beam as its LEDs.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from controller.simulation.faults.injector import FaultInjector
from controller.simulation.game import SimulatedGame
from controller.simulation.rig import SteppedSimulatedRig
from controller.table.plan import JournalOpener
from controller.ui.console import BadInput, Console
from controller.ui.hosting import sentences
from controller.ui.hosting.options import PlayOptions
from controller.ui.hosting.simulated_table import (
    SIMULATED_DEVICE,
    SimulatedStart,
    simulated_table_spec,
)
from engine.errors import LaserboardError, did_you_mean, excerpt

if TYPE_CHECKING:
    from controller.session.state import Session
    from controller.simulation.auto_play import AskForTurn
    from controller.simulation.script import Script
    from controller.table.plan import GamePlan
    from engine.game import AnyTurn, Piece
    from engine.grid import Cell


@dataclass(frozen=True, slots=True)
class SteppedOptions:
    """Options of a game in simulated time: its end, and the file for the image of its last beam."""

    turns: int | None = None
    picture: str | None = None


def host_script(
    script: Script,
    board_name: str,
    plan: GamePlan,
    options: PlayOptions,
    picture: str | None,
    console: Console,
) -> int:
    """Play the script; its journal is deleted at the end."""
    asyncio.run(_play_script(script, board_name, plan, options, picture, console))
    return 0


async def _play_script(
    script: Script,
    board_name: str,
    plan: GamePlan,
    options: PlayOptions,
    picture: str | None,
    console: Console,
) -> None:
    from controller.simulation.script_runner import ScriptRunner

    plan = _with_script_preferences(script, plan)
    with tempfile.TemporaryDirectory() as folder:
        rig = SteppedSimulatedRig(
            replace(simulated_table_spec(options, board_name, plan), voice="terminal"),
            _pieces_on_table(script, plan),
            JournalOpener(Path(folder) / "game.journal"),
            saves_images=picture is not None,
        )
        runner = ScriptRunner(script, rig, _line_printer(console))
        simulation = SimulatedGame(rig, plan.start_session, runner.on_message)
        _print_headline(plan, options, console)
        async with simulation:
            await runner.run(simulation)
    _save_pictures(picture, rig, console)


def host_stepped(
    start: SimulatedStart, options: PlayOptions, stepped: SteppedOptions, console: Console
) -> int:
    """Play with moves from standard input; prints the board before and after."""
    asyncio.run(_play_stepped(start, options, stepped, console))
    return 0


async def _play_stepped(
    start: SimulatedStart, options: PlayOptions, stepped: SteppedOptions, console: Console
) -> None:
    from controller.simulation.auto_play import AutoPlay
    from controller.ui.terminal.player_screen import print_kept_game

    plan, opener = start.plan, start.journal_opener
    resumed = opener.path is not None
    rig = SteppedSimulatedRig(
        simulated_table_spec(options, start.board_name, plan),
        start.pieces,
        opener,
        saves_images=stepped.picture is not None,
    )
    print_line = _line_printer(console)
    _print_headline(plan, options, console)
    async with SimulatedGame(
        rig, plan.start_session, lambda each: print_line(str(each)), rig.free_disk_space
    ) as simulation:
        _print_board(simulation.session, console)
        ask = _move_prompt(console)
        if start.fault_plan is None:
            await AutoPlay(simulation, ask).play(stepped.turns)
        else:
            faults = start.fault_plan
            injector = FaultInjector(rig, faults.schedule, faults.seed, print_line)
            await _play_with_faults(simulation, rig, injector, ask, stepped.turns, console)
        _print_board(simulation.session, console)
    if resumed:
        console.note(sentences.STORED_IN(path=str(opener.path)))
    else:
        print_kept_game(opener.path, console)
    _save_pictures(stepped.picture, rig, console)


async def _play_with_faults(
    simulation: SimulatedGame,
    rig: SteppedSimulatedRig,
    injector: FaultInjector,
    ask: AskForTurn,
    max_turns: int | None,
    console: Console,
) -> None:
    """Play while faults are injected; simulated players make the moves and correct the board."""
    from controller.simulation.faults.injector import run_alongside
    from controller.simulation.faults.people import FaultTolerantPlayers

    session = simulation.session
    turns = [past.turn for past in session.history]
    first = session.history[0].position if session.history else session.position
    people = FaultTolerantPlayers(simulation, rig, first, Random(0), turns, decide=ask)
    limit = None if max_turns is None else max_turns + len(turns)
    await run_alongside(people.play(limit), people.watch(), injector.run(simulation))
    _print_fault_outcomes(injector, console)


def _print_fault_outcomes(injector: FaultInjector, console: Console) -> None:
    from controller.simulation.soak.report import recovery_table

    recoveries = injector.recoveries.count_recoveries()
    if recoveries:
        counts = Counter({f"{name}: {end}": times for (name, end), times in recoveries.items()})
        for line in recovery_table(counts):
            console.print(line)


def _with_script_preferences(script: Script, plan: GamePlan) -> GamePlan:
    from controller.config.play import TAKE_BACK_CHOICES
    from controller.session.state import TakeBackRule

    rule = script.settings.get("take_back", plan.preferences.take_back)
    if rule not in TAKE_BACK_CHOICES:
        hint = did_you_mean(rule, TAKE_BACK_CHOICES)
        raise BadInput(
            sentences.UNKNOWN_TAKE_BACK(file=str(script.file), value=excerpt(rule), hint=hint)
        )
    return replace(plan, preferences=replace(plan.preferences, take_back=TakeBackRule(rule)))


def _pieces_on_table(script: Script, plan: GamePlan) -> Mapping[Cell, Piece]:
    """The pieces at the start: the game's position, unless the script has a `table` setting."""
    first, game = plan.setup.first_position(), plan.setup.game
    if "table" not in script.settings:
        pieces: Mapping[Cell, Piece] = first.pieces
    elif script.settings["table"] == "empty":
        pieces = {}
    else:
        pieces = game.read_position(script.settings["table"]).pieces
    return pieces


def _print_headline(plan: GamePlan, options: PlayOptions, console: Console) -> None:
    leds = (options.devices.leds or SIMULATED_DEVICE).partition("?")[0]
    console.print(
        sentences.GAME_WITH_LEDS(
            game=plan.setup.game.title, board=plan.board_file.board.name, leds=leds
        )
    )


def _print_board(session: Session, console: Console) -> None:
    from controller.ui.terminal import render_board

    console.print_picture(render_board(session.game, session.position, colour=console.colour))
    console.out.flush()


def _line_printer(console: Console) -> Callable[[str], None]:
    def print_line(line: str) -> None:
        console.print(line)
        console.out.flush()

    return print_line


def _move_prompt(console: Console) -> AskForTurn:
    """Ask for the move of each human player; an empty line or the end of input ends the game."""

    async def ask(session: Session) -> AnyTurn | None:
        game, position = session.game, session.position
        moves = {}
        for player in session.to_move:
            if player not in session.humans_to_move:  # the computer's own move replaces this one
                moves[player] = game.legal(position, player)[0]
            while player not in moves:
                text = console.ask(sentences.MOVE_QUESTION(player=game.players[player]))
                if not text:
                    console.print()
                    return None
                try:
                    moves[player] = game.read_move(position, player, text)
                except LaserboardError as error:
                    console.print(error.sentence)
        return game.resolve(position, moves)

    return ask


def _save_pictures(picture: str | None, rig: SteppedSimulatedRig, console: Console) -> None:
    """Save the last beam as the camera saw it, and print it as its LEDs."""
    from controller.storage.image_files import save_png
    from controller.table.rig import led_settings_or_default
    from controller.ui.terminal.led_text import render_leds

    pacing = rig.pacing
    if picture is not None:
        if pacing.table_image is None:
            raise BadInput(sentences.NO_BEAM_FIRED())
        save_png(picture, pacing.table_image)
    if pacing.brightest_picture is not None:
        gamma = led_settings_or_default(rig.spec.board_file).gamma
        console.print_picture(
            render_leds(pacing.brightest_picture, rig.layout, colour=console.colour, gamma=gamma)
        )
