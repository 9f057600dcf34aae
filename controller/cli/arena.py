"""Games that programs play over HTTP, a command each: `laserboard NAME --player NICK=URL ...`.

People may sit at a board and play too. Where no person does, nobody has to move anything: the
terminal shows the match, and the LEDs of a board if one is given.
"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

from controller.agreement import Seat
from controller.cli.agreed import add_fire, habits_from
from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console, write_file
from controller.cli.page import add_page, open_page, wants_page
from controller.cli.positions import any_number, count_number
from controller.cli.service import parted
from controller.cli.table import add_devices, at_real_table, furniture_from
from controller.program_address import BadProgram, read_program_url
from controller.wiring import wall_clock
from engine import games
from engine.errors import excerpt
from engine.game import Player

if TYPE_CHECKING:
    from controller.beginning import Plan
    from controller.loop import Loop
    from controller.record_file import RecordFile
    from controller.room import Furniture

AT_THE_BOARD, COMPUTER = "board", "computer"
USUAL_PACE_S = 0.6  # where somebody watches
LONGEST_PACE_S = 60.0
SIMULATED = "sim:"


def add(commands: Subcommands) -> None:
    for name in games.OVER_HTTP:
        _add(commands, name)


def _add(commands: Subcommands, name: str) -> None:
    call = f"  laserboard {name}"
    match = add_command(
        commands,
        name,
        partial(_match, name),
        "let programs play each other over HTTP, against the computer, or against people",
        f"{call} --player Ada=http://127.0.0.1:8001 --player Grace=http://127.0.0.1:8002\n"
        f"{call} --player Ada=http://127.0.0.1:8001 --player Hal=computer:5 --seed 7 --pace 1\n"
        f"{call} --player Ada=computer --player Hal=computer --json match.json\n"
        f"{call} --player Ada=http://127.0.0.1:8001 --player Me=board --board hex-r5 "
        "--camera sim://\n"
        "two programs to begin with, each in a terminal of its own:\n"
        "  python3 examples/ship_ai.py 8001 Ada\n"
        "  node examples/ship_ai.js 8002 Grace",
        "Before every round the state is posted as JSON to both programs at once. Each has 4 "
        "seconds in all for its answer; one that is late, broken or too long does nothing in that "
        f"round, and the reason is an event that both can read. docs/{name}-ai.md has every "
        "message. Every round is on the disk before it is shown (`laserboard games`). Keys: P "
        "pauses and goes on, R begins again, Q leaves.",
    )  # fmt: skip
    match.add_argument(
        "--player",
        metavar="NICK=WHO",
        action="append",
        required=True,
        help="twice. WHO is an http(s) URL, `board` for a person, or computer:LEVEL (1 to 8)",
    )
    match.add_argument("--seed", metavar="N", type=any_number, help="which map (default 1)")
    match.add_argument("--rounds", metavar="N", type=count_number, help="the most there are")
    match.add_argument(
        "--pace",
        metavar="S",
        type=_pace,
        help=f"seconds that a round takes at least (default {USUAL_PACE_S:g} where it is shown)",
    )
    match.add_argument("--json", metavar="FILE", help="write the record, round by round")
    match.add_argument(
        "--chance", metavar="N", type=any_number, default=1, help="another number, another game "
        "of the computer",
    )  # fmt: skip
    match.set_defaults(option=[])
    match.add_argument(
        "--option", metavar="KEY=VALUE", action="append", help="a rule, see `laserboard setups "
        "--options`",
    )  # fmt: skip
    add_fire(add_devices(match))
    add_page(match)


@dataclass(frozen=True)
class Match:
    """Who plays what, and where their programs are."""

    plan: Plan
    place: str  # the board; nothing: there is none
    programs: dict[Player, str]

    @property
    def people(self) -> bool:
        return any(not seat.computer for seat in self.plan.start.seats)


def _match(name: str, args: argparse.Namespace, console: Console) -> int:
    match = _agreed(name, args, console)
    record = _record_file(args, console)
    try:
        if not match.people:
            _watched(args, match, record, console)
            return 0
        return _at_board(args, match, record, console)
    finally:
        if record is not None:
            record.close()


# -- what was agreed ---------------------------------------------------------------------------


def _agreed(name: str, args: argparse.Namespace, console: Console) -> Match:
    from controller.agreement import Start
    from controller.beginning import Plan
    from controller.config import BoardFile, board_place, load_board_file
    from vision.board import PhysicalBoard

    if len(args.player) != 2:
        raise BadInput(f"two players are needed, not {len(args.player)}: give --player twice")
    told = [_read_player(each) for each in args.player]
    game = games.arena(name, _options(args))
    position = game.start_with(args.seed, (told[0][0].name, told[1][0].name))
    people = any(not seat.computer for seat, _ in told)
    if people and args.board is None:
        raise BadInput("a person plays at a board: name it (--board hex-r5 --camera sim:// is one "
                       "that is not there)")  # fmt: skip
    place = "" if args.board is None else board_place(args.board)
    file = load_board_file(place) if place else BoardFile(PhysicalBoard("none", position.grid))
    start = Start(
        game,
        (told[0][0], told[1][0]),
        position=position,
        version=version("laserboard"),
        started=wall_clock(),
        board=place,
        simulated=people and (args.camera or "").startswith(SIMULATED),
    )
    habits = replace(habits_from(args.fire, file), pace_ms=1000 * _pace_s(args, console))
    plan = Plan(start, file, habits, args.chance, hands=people)
    assert plan.top is not None  # a board that the map does not fit on is refused here
    return Match(plan, place, {n: url for n, (_, url) in enumerate(told) if url})


def _read_player(text: str) -> tuple[Seat, str]:
    """A seat, and the URL of its program if it is one's."""
    from controller.play_settings import BadSeat, read_seat

    nick, equals, who = text.partition("=")
    if not equals or not nick or not who:
        raise BadInput(f"--player {excerpt(nick)}: write NICK=URL, NICK=board or NICK=computer:3")
    if who == AT_THE_BOARD:
        return Seat(nick), ""
    try:
        if who.partition(":")[0] == COMPUTER:
            return read_seat(who, nick), ""
        read_program_url(who)
    except (BadSeat, BadProgram) as bad:
        raise BadInput(f"--player {nick}: {bad}") from None
    return Seat(nick, program=True), who


def _options(args: argparse.Namespace) -> dict[str, str]:
    given = dict[str, str]()
    for text in args.option or ():
        key, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"--option {excerpt(text)}: write KEY=VALUE")
        given[key] = value
    return given if args.rounds is None else {**given, "rounds": str(args.rounds)}


def _pace_s(args: argparse.Namespace, console: Console) -> float:
    if args.pace is not None:
        return float(args.pace)
    shown = console.size is not None or args.board is not None
    return USUAL_PACE_S if shown else 0.0


def _pace(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_PACE_S:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a time from 0 to {LONGEST_PACE_S:g} seconds"
        )
    return seconds


def _record_file(args: argparse.Namespace, console: Console) -> RecordFile | None:
    from controller.record_file import RecordFile

    if args.json is None:
        return None
    if args.json == "-":
        raise BadInput("--json needs a file: the record is written again with every round")
    write_file(args.json, "", console)  # what cannot be written is told before anybody plays
    return RecordFile(lambda text: write_file(args.json, text, console))


# -- playing -----------------------------------------------------------------------------------


def _watched(
    args: argparse.Namespace, match: Match, record: RecordFile | None, console: Console
) -> None:
    """Nobody moves anything: again and again, as long as somebody wants another match."""
    from controller.beginning import Keeping
    from controller.cli.company import Company
    from controller.cli.front import farewell
    from controller.cli.spectator import unheard, watch
    from controller.hosting import Hosted

    hosted = Hosted(match.place, match.plan)
    opened = open_page(args, console, hosted.choices) if wants_page(args, console) else None
    if opened is not None and console.size is None:
        for note in opened.notes:
            console.print(note)
    people, again = Company(console, None, opened, unheard), True
    try:
        while again:
            keeping, furniture = Keeping(), _gallery(args, match)
            try:
                again = asyncio.run(watch(hosted, furniture, keeping, record, people, console))
            finally:
                farewell(keeping.path, console)
            if again and record is not None:
                record.next_game()
    finally:
        if opened is not None:
            opened.page.close()


def _gallery(args: argparse.Namespace, match: Match) -> Furniture:
    from controller.room import NO_LEDS, Furniture

    file = match.plan.file
    usual = NO_LEDS if file.leds is None or not match.place else file.leds.url or "serial://auto"
    return Furniture(
        match.place,
        file,
        match.plan.top,
        args.leds or usual,
        speaker=args.speaker or NO_LEDS,
        voice=args.voice or "none",
        programs=match.programs,
    )


def _at_board(
    args: argparse.Namespace, match: Match, record: RecordFile | None, console: Console
) -> int:
    """People move pieces by hand, at a real table or at one that is not there."""
    from controller.beginning import Keeping
    from controller.cli.live import at_simulated_table
    from controller.hosting import Hosted
    from controller.room import Furniture

    plan, keeping = match.plan, Keeping()
    hosted = Hosted(match.place, plan)

    def each_beat(loop: Loop) -> None:
        if record is not None:
            record.keep(plan.start, loop.session)

    if (args.camera or "").startswith(SIMULATED):
        if console.size is None and not wants_page(args, console):
            raise BadInput("a person at a simulated table needs a terminal to play in, or --page")
        furniture = Furniture(
            match.place, plan.file, plan.top, args.leds or "sim://", programs=match.programs
        )
        pieces = plan.start.first().pieces
        asyncio.run(
            at_simulated_table(
                args, console, furniture, hosted, keeping, pieces, each_beat=each_beat
            )
        )
        return 0
    furniture = furniture_from(args, match.place, plan.file, plan, console)
    furniture = replace(furniture, programs=match.programs)
    off = asyncio.run(at_real_table(args, console, furniture, hosted, keeping, each_beat))
    return parted(off, console)
