"""`laserboard soak`: plays simulated games and compares each journal with the hands' actions."""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.args.position import any_number, count_number, seconds_number
from controller.cli.command import Subcommands, add_command, add_renamed
from controller.session.journal import pluralise
from controller.ui.console import BadInput, Console, write_file
from engine import games

if TYPE_CHECKING:
    from controller.simulation.soak.game import SoakResult
    from controller.simulation.soak.runner import SoakGoal, SoakProgress

DEFAULT_GAMES, DEFAULT_TURNS = 100, 40
PROGRESS_EVERY_GAMES = 10  # games between two lines of output without a terminal


def add(commands: Subcommands) -> None:
    soak = add_command(
        commands,
        "soak",
        _soak,
        "play games on a simulated table, and compare each journal with the hands' actions",
        "  laserboard soak --games 6\n"
        "  laserboard soak --games 100 --folder soak      run it again to continue\n"
        "  laserboard soak --turns 200 --leds 'sim://?drop=0.02'\n"
        "  laserboard soak --turns 500 --chaos",
        "Runs the real reader, session, journal, LED driver and firmware; table, camera, hands and "
        "time are simulated. The hands record their actions independently of the journal. The exit "
        "status is 1 if a turn is wrong or lost, or a game hangs.",
    )
    long = soak.add_mutually_exclusive_group()
    long.add_argument(
        "--games", metavar="N", type=count_number, help=f"number of games (default {DEFAULT_GAMES})"
    )
    long.add_argument(
        "--turns", metavar="N", type=count_number, help="least number of turns in all games"
    )
    soak.add_argument(
        "--chaos",
        action="store_true",
        help="inject random faults of `simulate --fault list`",
    )
    soak.add_argument(
        "--jobs", metavar="N", type=count_number, default=2, help="games at once (default 2)"
    )
    soak.add_argument(
        "--seed",
        metavar="S",
        type=any_number,
        default=1,
        help="seed of moves and faults (default 1)",
    )
    soak.add_argument(
        "--game",
        metavar="NAME",
        action="append",
        help=f"game to play, may be repeated (default {', '.join(games.GAMES)})",
    )
    soak.add_argument(
        "--resign-after",
        metavar="N",
        type=count_number,
        default=DEFAULT_TURNS,
        help=f"turns after which a player resigns (default {DEFAULT_TURNS})",
    )
    soak.add_argument(
        "--leds",
        metavar="URL",
        default="sim://",
        help="sim:// with its faults, or memory:// (default sim://)",
    )
    soak.add_argument(
        "--folder",
        metavar="DIR",
        help="folder for journals and results (default: a temporary one, deleted after success)",
    )
    add_renamed(
        soak,
        "--timeout",
        "--patience",
        metavar="S",
        type=seconds_number,
        default=120.0,
        help="seconds without a turn after which a game counts as hanging (default 120)",
    )
    soak.add_argument("--json", metavar="FILE", help="write all results to FILE")


def _soak(args: argparse.Namespace, console: Console) -> int:
    from controller.simulation.soak.report import fault_table, game_table
    from controller.simulation.soak.runner import SoakGoal, SoakPlan, SoakRunner, results_json

    names = tuple(games.make(name).name for name in args.game or games.GAMES)
    plan = SoakPlan(args.seed, names, args.leds, args.resign_after, args.chaos)
    _check_leds(args.leds)
    games_wanted = None if args.turns is not None else args.games or DEFAULT_GAMES
    goal = SoakGoal(games_wanted, args.turns)
    folder = _folder(args.folder)
    soak = SoakRunner(plan, folder, console.clock, args.jobs, args.timeout)
    if soak.results:
        done = pluralise(len(soak.results), "game is", "games are")
        console.note(f"{folder}: {done} finished already")
    report = (
        _progress_in_place(console, goal)
        if console.size
        else _progress_lines(console, len(soak.results))
    )
    try:
        verdicts = soak.run(goal, report)
    except BaseException:
        if args.folder is None:
            shutil.rmtree(folder)
        raise
    if console.size:
        console.out.write("\r\x1b[K")
    for line in (*game_table(verdicts), *(fault_table(verdicts) if args.chaos else ())):
        console.print(line)
    bad = [each for each in verdicts if not each.passed]
    for each in bad:
        console.print(_failure_text(each))
    if args.json is not None:
        write_file(args.json, json.dumps(results_json(plan, verdicts), indent=1) + "\n", console)
    if bad:
        console.note(f"journals are in {folder}")
    elif args.folder is None:
        shutil.rmtree(folder)
    return 1 if bad else 0


def _check_leds(url: str) -> None:
    from controller.config.addresses.leds import (
        MemoryLedAddress,
        SimulatedLedAddress,
        parse_led_url,
    )

    if not isinstance(parse_led_url(url), SimulatedLedAddress | MemoryLedAddress):
        raise BadInput(f"--leds {url}: a simulated table has sim:// or memory://")


def _folder(name: str | None) -> Path:
    if name is None:
        return Path(tempfile.mkdtemp(prefix="laserboard-soak-"))
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as bad:
        raise BadInput(f"cannot make {name}: {bad.strerror or bad}") from None
    return Path(name)


# -- progress ----------------------------------------------------------------------------------


def _progress_in_place(console: Console, goal: SoakGoal) -> Callable[[SoakProgress], None]:
    def report_progress(now: SoakProgress) -> None:
        assert console.size is not None
        line = f"{_so_far(now)}, {_to_come(now, goal)}"
        console.out.write(f"\r{line[: console.size[0] - 1]}\x1b[K")
        console.out.flush()

    return report_progress


def _progress_lines(console: Console, printed: int) -> Callable[[SoakProgress], None]:
    printed = printed // PROGRESS_EVERY_GAMES * PROGRESS_EVERY_GAMES

    def report_progress(now: SoakProgress) -> None:
        nonlocal printed
        if len(now.results) >= printed + PROGRESS_EVERY_GAMES:
            printed = len(now.results) // PROGRESS_EVERY_GAMES * PROGRESS_EVERY_GAMES
            console.print(_so_far(now))
            console.out.flush()

    return report_progress


def _so_far(now: SoakProgress) -> str:
    return (
        f"{pluralise(len(now.results), 'game', 'games')}, {pluralise(now.turns, 'turn', 'turns')}, "
        f"{now.failed_games} wrong, "
        f"{now.turns_per_second:.2f} turns/s"
    )


def _to_come(now: SoakProgress, goal: SoakGoal) -> str:
    part = goal.progress_share(now)
    if not now.new_turns or not part:
        return "beginning"
    left_s = now.seconds * (1 - part) / part
    return f"{100 * part:.0f} %, {left_s / 60:.0f} min to go"


# -- results -----------------------------------------------------------------------------------


def _failure_text(verdict: SoakResult) -> str:
    parts = [f"{verdict.wrong} wrong"] if verdict.wrong else []
    parts += [f"{verdict.lost} lost"] if verdict.lost else []
    parts += [verdict.trouble] if verdict.trouble else []
    return f"game {verdict.number} ({verdict.game}, {verdict.journal}): {'; '.join(parts)}"
