"""`laserboard match`: two players, many games, and how much better one is."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console
from controller.cli.positions import (
    add_game,
    any_number,
    count_number,
    game_from,
    milliseconds_number,
    seconds_number,
)

if TYPE_CHECKING:
    from controller.matches.contestants import Contestant, Spending
    from controller.matches.playing import Played
    from controller.ports import Player

DEFAULT_GAMES, DEFAULT_SECONDS, DEFAULT_RANDOM_TURNS = 40, 1.0, 4
TELL_EVERY_MS = 10_000.0  # where there is no terminal


def add(commands: Subcommands) -> None:
    match = add_command(
        commands,
        "match",
        _match,
        "let two computer players play many games, and tell how much better one is",
        "  laserboard match 4 3 --games 20\n"
        "  laserboard match native python --games 40 --seconds 1 --record match.pgn\n"
        "  laserboard match native:level=7 'cmd:./other-engine --fast' --movetime 100\n"
        "  laserboard match level:2 level:1 --depth 2 --jobs 2 --seed 7",
        "A and B are levels (3 or level:3), native, python, native:level=7,movetime=50, or "
        "cmd:PROGRAM for any program that speaks the protocol of docs/engine.md. Every opening is "
        "played twice, with colours exchanged; all setups in turn, some first turns by chance. "
        "Draws end by themselves. A player that crashes, hangs or plays an illegal move loses that "
        "game; the exit status is 1 then. The same command with the same --record goes on where "
        "it was left.",
    )
    match.add_argument("players", metavar="PLAYER", nargs=2, help="A, and B")
    match.add_argument(
        "--games", metavar="N", type=count_number, default=DEFAULT_GAMES,
        help=f"so many, an even number (default {DEFAULT_GAMES})",
    )  # fmt: skip
    spend = match.add_argument_group("what a move may take (default 1 second)")
    timed = spend.add_mutually_exclusive_group()
    timed.add_argument("--seconds", metavar="S", type=seconds_number, help="time")
    timed.add_argument("--movetime", metavar="MS", type=milliseconds_number, help="the same in ms")
    spend.add_argument("--depth", metavar="N", type=count_number, help="turns to look ahead")
    spend.add_argument("--nodes", metavar="N", type=count_number, help="positions to look at")
    match.add_argument(
        "--random-turns", metavar="N", type=_turns, default=DEFAULT_RANDOM_TURNS,
        help=f"first turns by chance (default {DEFAULT_RANDOM_TURNS})",
    )  # fmt: skip
    match.add_argument(
        "--seed", metavar="N", type=any_number, default=1, help="another number, other games"
    )
    match.add_argument(
        "--jobs", metavar="N", type=count_number, default=1, help="games at once (default 1)"
    )
    match.add_argument(
        "--patience", metavar="S", type=seconds_number, default=10.0,
        help="seconds beyond its time, or to start in, after which a player has lost (default 10)",
    )  # fmt: skip
    match.add_argument(
        "--record", metavar="FILE|FOLDER", help="write every game there; FOLDER/ is one file each"
    )
    add_game(match)


def _match(args: argparse.Namespace, console: Console) -> int:
    from controller.cli.match_records import Records
    from controller.matches.contestants import read_contestant
    from controller.matches.playing import Terms, openings
    from controller.matches.running import Match, check, run
    from controller.matches.tables import result
    from controller.wiring import open_engine

    first, second = map(read_contestant, args.players)
    if args.games % 2:
        raise BadInput(f"--games {args.games}: every opening is played twice, give an even number")
    game = game_from(args).for_computers()
    terms = Terms(game, (first, second), _spending(args), args.random_turns, args.seed)

    def opened(contestant: Contestant) -> Player:
        return open_engine(console.clock, contestant.command, args.patience)

    match = Match(terms, openings(terms, args.games // 2), console.clock, opened, args.jobs)
    records = None if args.record is None else Records(args.record, game, console)
    games = [] if records is None else records.played(terms)
    known = {each.number for each in games}
    wanted = len(known | {*range(1, args.games + 1)})
    if games:
        beyond = f" (--games {args.games}, and those beyond count, too)"
        more = beyond if wanted > args.games else ""
        console.note(f"{args.record}: {len(games)} of {wanted} games are played already{more}")
    if len(known) < wanted:
        check(match)
    tell = _live(console, wanted) if console.size else _by_the_way(console, wanted)
    left = False
    try:
        for played in run(match, known):
            if played is not None:
                games.append(played)
                if records is not None:
                    records.keep(played)
            tell(games)
    except KeyboardInterrupt:
        left = True
    if console.size:
        console.out.write("\r\x1b[K")
    for line in result(terms, games):
        console.print(line)
    if left:
        raise KeyboardInterrupt  # whoever started it should know
    return 1 if any(each.failed is not None for each in games) else 0


def _turns(text: str) -> int:
    """argparse type: a few turns, or none."""
    if text not in map(str, range(101)):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 100")
    return int(text)


def _spending(args: argparse.Namespace) -> Spending:
    from controller.matches.contestants import Spending

    seconds = args.seconds
    if seconds is None and args.movetime is None and args.depth is None and args.nodes is None:
        seconds = DEFAULT_SECONDS
    movetime = args.movetime if seconds is None else round(1000 * seconds)
    return Spending(movetime, args.depth, args.nodes)


# -- while it goes on --------------------------------------------------------------------------


def _live(console: Console, wanted: int) -> Callable[[Sequence[Played]], None]:
    from controller.matches.tables import so_far

    begun_ms, before = console.clock.now_ms(), -1

    def tell(games: Sequence[Played]) -> None:
        nonlocal before
        assert console.size is not None
        before = len(games) if before < 0 else before
        fresh, took_s = len(games) - before, (console.clock.now_ms() - begun_ms) / 1000
        left_s = took_s * (wanted - len(games)) / fresh if fresh else 0.0
        line = so_far(games, wanted) + (f", {left_s / 60:.0f} min to go" if fresh else "")
        console.out.write(f"\r{line[: console.size[0] - 1]}\x1b[K")
        console.out.flush()

    return tell


def _by_the_way(console: Console, wanted: int) -> Callable[[Sequence[Played]], None]:
    from controller.matches.tables import so_far

    told_ms, told = console.clock.now_ms(), -1

    def tell(games: Sequence[Played]) -> None:
        nonlocal told_ms, told
        now_ms = console.clock.now_ms()
        if now_ms < told_ms + TELL_EVERY_MS or len(games) in (told, wanted):
            return
        told_ms, told = now_ms, len(games)
        console.print(so_far(games, wanted))
        console.out.flush()

    return tell
