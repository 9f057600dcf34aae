"""`laserboard puzzles`: one move wins, find it; list, show, play and make them."""

from __future__ import annotations

import argparse
import asyncio
import shlex
from typing import TYPE_CHECKING

from controller.cli import puzzles_make
from controller.cli.agreed import add_fire, habits_from
from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console, write_file
from controller.cli.page import add_page, wants_page
from controller.cli.positions import count_number
from controller.cli.table import add_devices, at_real_table, furniture_from
from controller.wiring import wall_clock

if TYPE_CHECKING:
    from controller.loop import Loop
    from controller.puzzling import HostedPuzzle, Keeper, Own, Progress

NO_SEAT = "a puzzle is played at a terminal or on the page: there is neither (--page opens one)"


def add(commands: Subcommands) -> None:
    puzzles = add_command(
        commands,
        "puzzles",
        _list,
        "solve puzzles on the board: one move wins, find it",
        "  laserboard puzzles list\n"
        "  laserboard puzzles show 17\n"
        "  laserboard puzzles play --simulate\n"
        "  laserboard puzzles play 101 --board ./laserboard.yaml\n"
        "  laserboard puzzles play --from my-puzzles.json --simulate",
        "Each is a position in which exactly one move leads to a win in 1, 2 or 3 of your turns, "
        "whatever the computer does against it. All of them are proven.",
    )
    puzzles.set_defaults(turns=None, source=None)
    whats = puzzles.add_subparsers(title="what to do", metavar="list|show|play|make")

    listing = add_command(
        whats,
        "list",
        _list,
        "list the puzzles, the easy ones first, and which you have solved",
        "  laserboard puzzles list --turns 2",
        "The number behind each is how hard it looks: an estimate.",
    )
    listing.add_argument(
        "--turns", metavar="N", type=count_number, help="only those that are won in N turns"
    )
    _add_source(listing)

    show = add_command(
        whats,
        "show",
        _show,
        "show a puzzle in the terminal or as SVG",
        "  laserboard puzzles show 17 --svg puzzle.svg\n  laserboard puzzles show 17 --solution",
    )
    show.add_argument("number", metavar="N", type=count_number, help="which one")
    show.add_argument("--svg", metavar="FILE", help="write a drawing to FILE (- prints it)")
    show.add_argument("--solution", action="store_true", help="tell how it is solved, too")
    _add_source(show)

    play = add_command(
        whats,
        "play",
        _play,
        "play a puzzle on the board, and then the next",
        "  laserboard puzzles play --simulate\n"
        "  laserboard puzzles play 17 --board ./laserboard.yaml",
        "The lights show how to set the board up. You play the side to move, the computer defends "
        "as long as it can. If it was not the move, the board is put back and you try again; a "
        "hint names the piece at first, and then the move.",
    )
    play.add_argument(
        "number",
        metavar="N",
        nargs="?",
        type=count_number,
        help="which one (default: the first that you have not solved)",
    )
    _add_source(play)
    play.add_argument(
        "--simulate", action="store_true", help="on a simulated table: nothing is needed"
    )
    add_fire(add_devices(play))
    add_page(play)

    puzzles_make.add(whats)


def _add_source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--from", metavar="FILE", dest="source",
        help="puzzles of your own, as `laserboard puzzles make` writes them",
    )  # fmt: skip


def _own(args: argparse.Namespace) -> Own:
    """Those that are asked for; nothing: those that all have."""
    if args.source is None:
        return ()
    from controller.cli.puzzle_book import own_puzzles

    return own_puzzles(args.source)


def _list(args: argparse.Namespace, console: Console) -> int:
    from controller.puzzling import listed, load_progress, progress_file

    own, progress, solved, count = _own(args), load_progress(progress_file()), 0, 0
    for number, puzzle in listed(args.turns, own):
        tried = progress.of(puzzle)
        mark = "x" if tried.solved else " "
        told = f"  ({tried})" if tried.tries else ""
        task = f"{puzzle.rules.title}, {puzzle.task}"
        console.print(f"[{mark}] {number:>3}  {task}  {puzzle.rating}{told}")
        count, solved = count + 1, solved + bool(tried.solved)
    if not count:
        others = sorted({each.turns for _, each in listed(own=own)})
        raise BadInput(f"no puzzle is won in {args.turns} turns: there are {_and(others)}")
    play = "laserboard puzzles play" + (f" --from {shlex.quote(args.source)}" if own else "")
    console.note(f"{solved} of {count} solved; `{play} --simulate` plays the next")
    return 0


def _and(numbers: list[int]) -> str:
    """`1, 2 and 3`"""
    *some, last = map(str, numbers)
    return f"{', '.join(some)} and {last}" if some else last


def _show(args: argparse.Namespace, console: Console) -> int:
    from controller.terminal import picture
    from engine.draw import svg
    from engine.draw.words import headline
    from engine.puzzles import numbered

    puzzle = numbered(args.number, _own(args))
    game = puzzle.rules
    if args.svg is not None:
        write_file(args.svg, svg(game, puzzle.first), console)
        if not args.solution:
            return 0
    else:
        console.print_picture(picture(game, puzzle.first, colour=console.colour))
    tell = console.note if args.svg == "-" else console.print  # a drawing has its output alone
    tell(f"puzzle {args.number}: {puzzle.task}")
    for turn in puzzle.played() if args.solution else ():
        tell(f"  {headline(game, turn)}")
    return 0


def _play(args: argparse.Namespace, console: Console) -> int:
    if console.size is None and not wants_page(args, console):
        raise BadInput(NO_SEAT)
    return _simulated(args, console) if args.simulate else _at_table(args, console)


def _simulated(args: argparse.Namespace, console: Console) -> int:
    from controller.beginning import Keeping
    from controller.cli.live import at_simulated_table
    from controller.cli.simulate import simulated_furniture
    from controller.config import board_place
    from controller.puzzling import board_for

    keeper, own = _keeper(console), _own(args)
    number = args.number or _first(keeper.progress, own)
    args.board = board_for(number, own) if args.board is None else board_place(args.board)
    hosted = _hosted(args, number, keeper, own, simulated=True)
    furniture = simulated_furniture(args, hosted.plan)
    pieces = hosted.plan.start.first().pieces
    asyncio.run(
        at_simulated_table(
            args, console, furniture, hosted, Keeping(), pieces, each_beat=keeper.look
        )
    )
    return 0


def _at_table(args: argparse.Namespace, console: Console) -> int:
    from controller.beginning import Keeping
    from controller.cli.service import parted, supervised
    from controller.config import board_place, usual_board

    keeper, own = _keeper(console), _own(args)
    number = args.number or _first(keeper.progress, own)
    args.board = board_place(args.board or usual_board())
    hosted = _hosted(args, number, keeper, own, simulated=False)
    furniture = furniture_from(args, args.board, hosted.plan.file, hosted.plan, console)
    with supervised(console) as beat:

        def each_beat(loop: Loop) -> None:
            beat(loop)
            keeper.look(loop)

        off = asyncio.run(at_real_table(args, console, furniture, hosted, Keeping(), each_beat))
    return parted(off, console)


def _hosted(
    args: argparse.Namespace, number: int, keeper: Keeper, own: Own, *, simulated: bool
) -> HostedPuzzle:
    from controller.config import load_board_file
    from controller.puzzling import HostedPuzzle, plan_of

    file = load_board_file(args.board)
    habits = habits_from(args.fire, file)
    plan = plan_of(number, args.board, file, simulated, habits, own=own)
    return HostedPuzzle(args.board, plan, number, keeper, own)


def _first(progress: Progress, own: Own) -> int:
    from controller.puzzling import unsolved
    from engine.puzzles import shelf

    return unsolved(progress, (own or shelf())[0].game, own=own)


def _keeper(console: Console) -> Keeper:
    from controller.puzzling import Keeper, load_progress, progress_file

    path = progress_file()

    def save(progress: Progress) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(str(path), progress.write(), console)

    return Keeper(load_progress(path), save, wall_clock)
