"""`laserboard demo`: the computer plays itself in the terminal, beams running cell by cell."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from typing import Any

from controller.cli.command import Subcommands, add_command
from controller.cli.computer import deadline
from controller.cli.console import BadInput, Console
from controller.cli.positions import add_position, any_number, count_number, position_from
from controller.cli.records import sentence
from controller.terminal import beam_frames, picture, rooms
from controller.terminal.sheet import ROOMY
from engine.game import AnyGame, AnyTurn
from engine.search import Limit, choose

HOME, CLEAR_BELOW, CLEAR = "\x1b[H", "\x1b[J", "\x1b[2J"
HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"
STEP_MS, FLASH_MS, REST_MS = 45.0, 140.0, 700.0
DEFAULT_LEVELS = "6,4"
THINK_SECONDS = 10.0  # only level 8 would take longer


def add(commands: Subcommands) -> None:
    demo = add_command(
        commands,
        "demo",
        _demo,
        "watch the computer play itself",
        "  laserboard demo --setup sophie --levels 5,5 --chance 3",
        "Without a terminal, one line a turn is printed and the last position.",
    )
    add_position(demo)
    demo.add_argument(
        "--levels",
        metavar="A,B",
        default=DEFAULT_LEVELS,
        help=f"how strong each side plays, 1 to 8 (default {DEFAULT_LEVELS})",
    )
    demo.add_argument(
        "--chance", metavar="N", type=any_number, default=1, help="another number, another game"
    )
    demo.add_argument("--turns", metavar="N", type=count_number, help="stop after N single turns")
    demo.add_argument(
        "--speed", metavar="X", type=_speed, default=1.0, help="2 is twice as fast (default 1)"
    )


def _demo(args: argparse.Namespace, console: Console) -> int:
    game, position = position_from(args, console)
    game = game.for_computers()
    limits = _limits(args.levels)
    show = _Show(game, console, args.speed)
    number = 0
    try:
        show.begin(position)
        while (ended := game.outcome(position)) is None and number != args.turns:
            moves = {}
            for mover in game.to_move(position):
                limit = replace(limits[mover], seed=args.chance * 1000 + number)
                stop = deadline(console.clock, THINK_SECONDS)
                moves[mover] = choose(game, position, limit, stop, mover).move
            turn = game.resolve(position, moves)
            number += 1
            show.turn(number, turn)
            position = turn.after
        show.end(position, f"after {number} turns: {ended or 'to be continued'}")
    finally:
        show.leave()
    return 0


def _limits(text: str) -> tuple[Limit, ...]:
    words = text.split(",")
    if len(words) != 2 or not all(re.fullmatch("[0-9]{1,3}", word) for word in words):
        raise BadInput(f"--levels {text!r}: write two levels, such as {DEFAULT_LEVELS}")
    return tuple(Limit(level=int(word)) for word in words)


class _Show:
    """The stage: redraws in place on a terminal, else writes one line a turn."""

    def __init__(self, game: AnyGame, console: Console, speed: float) -> None:
        self.game, self.console, self.speed = game, console, speed
        self.log: list[str] = []
        self.columns = self.log_lines = 0
        self.animated = False
        self.room = ROOMY

    def begin(self, position: Any) -> None:
        if self.console.size is None:
            return
        columns, rows = self.console.size
        for self.room in rooms(position.grid):
            lines = picture(self.game, position, colour=False, room=self.room).splitlines()
            width, height = max(map(len, lines)), len(lines)
            self.animated = width <= columns and height < rows
            if self.animated:
                break
        if not self.animated:
            needed, got = f"{width} x {height + 1}", f"{columns} x {rows}"
            self.console.note(f"to see the board, the terminal must be {needed}; it is {got}")
            return
        self.columns, self.log_lines = columns, min(3, rows - height - 2)
        self.console.out.write(HIDE_CURSOR + CLEAR)
        colour = self.console.colour
        self._frame(picture(self.game, position, colour=colour, room=self.room), REST_MS)

    def turn(self, number: int, turn: AnyTurn) -> None:
        self.log.append(f"{number:3}. {sentence(self.game, turn)}")
        if not self.animated:
            self.console.print(self.log[-1])
            return
        frames = list(beam_frames(self.game, turn, colour=self.console.colour, room=self.room))
        growing = max((len(beam.steps) for beam in turn.beams), default=0)
        for i, frame in enumerate(frames):
            last = i == len(frames) - 1
            self._frame(frame, REST_MS if last else STEP_MS if i < growing else FLASH_MS)

    def end(self, position: Any, verdict: str) -> None:
        if not self.animated:
            self.console.print_picture(picture(self.game, position, colour=self.console.colour))
        self.console.print(verdict)

    def leave(self) -> None:
        if self.animated:
            self.console.out.write(SHOW_CURSOR)
            self.console.out.flush()

    def _frame(self, text: str, rest_ms: float) -> None:
        lines = text.rstrip("\n").split("\n")
        if self.log_lines > 0:
            lines += ["", *(line[: self.columns] for line in self.log[-self.log_lines :])]
        self.console.out.write(HOME + "".join(f"{line}\x1b[K\n" for line in lines) + CLEAR_BELOW)
        self.console.out.flush()
        self.console.clock.wait_ms(rest_ms / self.speed)


def _speed(text: str) -> float:
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0.01 <= speed <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a speed between 0.01 and 1000")
    return speed
