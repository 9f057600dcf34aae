"""`laserboard leds`: tests the LEDs and their wiring; `laserboard ports`: lists serial ports."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from controller.cli.args.position import (
    add_position,
    milliseconds_number,
    player_from,
    position_from,
    seconds_number,
)
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.devices.factory.leds import find_serial_ports, open_leds, read_board_stats
from controller.ports.devices import LedMatrix
from controller.ports.events import DeviceLost, DeviceRemark
from controller.ui.console import BadInput, Console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from controller.config.board_file import BoardFile
    from controller.config.leds import LedSettings
    from controller.lighting.animation import Animation
    from controller.lighting.layout import LedLayout
    from controller.lighting.playback import AnimationPlayer
    from controller.ports.devices import Pixels

ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
HOME, CLEAR_BELOW = "\x1b[H", "\x1b[J"
START_TIMEOUT_MS = 5_000.0
TERMINAL = "terminal://"
PACE_MS, SECONDS, DIGITS = 250, 3.0, "42"
DRAWN_HERE = "no LEDs are named, so they are drawn here: `--leds serial://auto` lights yours"
TEST_COLOURS = {
    "red": (1.0, 0.0, 0.0),
    "green": (0.0, 1.0, 0.0),
    "blue": (0.0, 0.0, 1.0),
    "white": (1.0, 1.0, 1.0),
    "half as bright": (0.5, 0.5, 0.5),
}
PICTURES = ("idle", "thinking", "winner", "clock-low", "legal", "number")


def add(commands: Subcommands) -> None:
    leds = add_command(
        commands,
        "leds",
        _leds,
        "test the LEDs: light one after the other, show colours or a beam, count lost pictures",
        "  laserboard leds walk --leds serial://auto\n"
        "  laserboard leds test --leds serial://auto\n"
        "  laserboard leds walk --board full-10x8 --pace 100\n"
        "  laserboard leds show --setup ace --beam blue\n"
        "  laserboard leds show --picture number --digits 42 --board hex-r5\n"
        "  laserboard leds stats --leds 'sim://?drop=0.01&flip=0.01'",
        "walk lights one LED after the other and names the cell above it. test shows full colours "
        "and the current they draw. show shows a beam or another picture of a game. stats sends "
        "pictures for a while and counts those that were confirmed, repeated or lost. If neither "
        "--leds nor the board file (`leds.url`) names LEDs, they are drawn in the terminal.",
    )
    leds.add_argument(
        "what", metavar="walk|test|show|stats", choices=["walk", "test", "show", "stats"]
    )
    leds.add_argument(
        "--leds",
        metavar="URL",
        help="serial://auto, adalight:///dev/ttyUSB0, ddp://wled.local, gpio://spi, terminal://,"
        " memory://, none:// or sim:// (default: the board file's, else terminal://)",
    )
    add_own_board(leds)
    leds.add_argument(
        "--pace",
        metavar="MS",
        type=milliseconds_number,
        default=PACE_MS,
        help=f"walk: time for each LED (default {PACE_MS})",
    )
    leds.add_argument(
        "--seconds",
        metavar="S",
        type=seconds_number,
        default=SECONDS,
        help=f"show, stats: duration (default {SECONDS:g}; a beam has its own duration)",
    )
    leds.add_argument(
        "--beam",
        metavar="SIDE",
        help="show: the beams of this side's lasers as they stand (default: the side to move)",
    )
    leds.add_argument(
        "--picture",
        choices=PICTURES,
        help="show: another picture of a game (default: a beam)",
    )
    leds.add_argument("--square", metavar="CELL", help="show --picture legal: the piece to move")
    leds.add_argument(
        "--digits",
        metavar="N",
        default=DIGITS,
        help=f"show --picture number: the number (default {DIGITS})",
    )
    add_position(leds)
    leds.set_defaults(game=None)
    _add_ports(commands)


@dataclass(frozen=True)
class _OpenLeds:
    """Open LEDs with their layout and settings."""

    stage: AnimationPlayer
    layout: LedLayout
    settings: LedSettings
    console: Console
    drawn: bool  # in the terminal, without hardware
    animated: bool  # pictures replace each other on the screen

    def picture(self, pixels: Pixels) -> str:
        from controller.ui.terminal.led_text import render_leds

        return render_leds(
            pixels, self.layout, colour=self.console.colour, gamma=self.settings.gamma
        )


def _leds(args: argparse.Namespace, console: Console) -> int:
    from controller.config.board_file import default_board, load_board_file

    file = load_board_file(args.board or default_board())
    lines: list[str] = []  # printed after closing: pictures in the terminal overwrite all text
    with _open(args, file, console) as lit:
        match args.what:
            case "walk":
                lines = _walk(args, lit)
            case "test":
                lines = _test(lit)
            case "show":
                _show(args, file, lit)
            case _:
                lines = _stats(args, lit)
        lost = _note_events(lit.stage.leds, console)
    if args.leds is None and file.leds is not None and file.leds.url is None:
        console.note(DRAWN_HERE)
    for line in lines:
        console.print(line)
    return 1 if lost else 0


@contextmanager
def _open(args: argparse.Namespace, file: BoardFile, console: Console) -> Iterator[_OpenLeds]:
    import numpy as np

    from controller.lighting.layout import led_layout
    from controller.lighting.output import for_settings
    from controller.lighting.playback import AnimationPlayer
    from controller.ui.terminal.led_text import render_leds

    layout = led_layout(file)
    if layout is None or file.leds is None:
        raise BadInput(
            f"the board {file.board.name!r} has no LEDs: add a `leds` section to its file, as in"
            " demo-10x8, or name another board"
        )
    settings, url = file.leds, args.leds or file.leds.url or TERMINAL
    animated = console.size is not None
    if console.size is not None and url == TERMINAL:
        dark = np.zeros((layout.led_count, 3), np.uint8)
        lines = ESCAPES.sub("", render_leds(dark, layout, colour=console.colour)).splitlines()
        wide, high = max(map(len, lines)), len(lines) + 2  # a line of text follows
        if console.size[0] < wide or console.size[1] < high:
            animated = False
            console.note(f"the picture moves in a terminal of {wide} x {high} characters or more")

    def draw(pixels: Pixels) -> str:
        text = render_leds(pixels, layout, colour=console.colour, gamma=settings.gamma)
        if not animated:  # pictures follow each other in the output: skip dark and repeated ones
            quiet = args.what == "stats" or not pixels.any()
            return "" if quiet else text.rstrip("\n") + "\n"
        lines = "".join(f"{line}\x1b[K\n" for line in text.splitlines())
        return HOME + lines + CLEAR_BELOW

    matrix = open_leds(url, settings, console.clock, draw, console.out)
    drawn = matrix.name == TERMINAL
    try:
        _wait_for_leds(matrix, settings, console)
        stage = AnimationPlayer(matrix, for_settings(settings), console.clock)
        yield _OpenLeds(stage, layout, settings, console, drawn, animated)
    finally:
        matrix.close()


def _wait_for_leds(matrix: LedMatrix, settings: LedSettings, console: Console) -> None:
    """Wait until the matrix answers. Raises `BadInput` with the reason if it does not."""
    import numpy as np

    begin_ms = console.clock.now_ms()
    if matrix.name == TERMINAL:
        return
    dark = np.zeros((sum(settings.leds_per_lane), 3), np.uint8)
    number = matrix.show(dark)
    while not matrix.wait(number, 200.0):
        for event in matrix.events():
            if isinstance(event, DeviceLost):
                raise BadInput(f"{event.device}: {event.reason}")
        if console.clock.now_ms() - begin_ms > START_TIMEOUT_MS:
            raise BadInput(f"{matrix.name}: no answer in {START_TIMEOUT_MS / 1000:g} s")
    details = matrix.details()
    if details is not None:
        console.note(f"{matrix.name}: {details.description}")


def _walk(args: argparse.Namespace, leds: _OpenLeds) -> list[str]:
    import numpy as np

    layout, console = leds.layout, leds.console
    lane_of = [lane for lane, count in enumerate(layout.leds_per_lane) for _ in range(count)]
    for led in range(layout.led_count):
        canvas = np.zeros((layout.led_count, 3), np.float32)
        canvas[led] = 1.0
        cell = layout.cell_of(led)
        place = "under no cell" if cell is None else layout.board.grid.name(cell)
        line = f"LED {led:4}, lane {lane_of[led]}: {place}"
        if not leds.drawn or leds.animated:
            number = leds.stage.leds.show(leds.stage.output_stage(canvas))
            leds.stage.leds.wait(number, args.pace)
        if leds.animated:
            console.out.write(f"{line}\x1b[K\r")
            console.out.flush()
            console.clock.wait_ms(args.pace)
        else:
            console.print(line)
            if not leds.drawn:
                console.clock.wait_ms(args.pace)
    if leds.animated and not leds.drawn:
        console.print()
    return [layout.describe()]


def _test(leds: _OpenLeds) -> list[str]:
    import numpy as np

    from controller.lighting.output import estimate_current_ma

    layout, settings, lines = leds.layout, leds.settings, []
    for name, colour in TEST_COLOURS.items():
        picture = leds.stage.output_stage(np.full((layout.led_count, 3), colour, np.float32))
        draws = estimate_current_ma(picture, settings.ma_per_led)
        number = leds.stage.leds.show(picture)
        leds.stage.leds.wait(number, START_TIMEOUT_MS)
        limited = " (at the limit)" if draws > 0.98 * settings.ma_limit else ""
        line = f"{name:15} {draws:6} mA{limited}"
        leds.console.print(line)
        leds.console.out.flush()
        if leds.drawn and leds.animated:
            lines.append(line)
        leds.console.clock.wait_ms(1000 if leds.animated or not leds.drawn else 0)
    return [*lines, f"{layout.describe()}; limit {settings.ma_limit} mA"]


def _show(args: argparse.Namespace, file: BoardFile, leds: _OpenLeds) -> None:
    from controller.session.board_fit import fit_board

    if args.game is None:
        args.game = fit_board(file.board).game.name
    game, position = position_from(args, leds.console)
    layout = leds.layout.for_grid(position.grid)
    animation, still_ms = _choose_animation(args, game, position, layout, leds)
    if leds.drawn and not leds.animated:  # print a single picture
        leds.console.print_picture(leds.picture(leds.stage.output_stage(animation.at(still_ms))))
        return
    leds.stage.play(animation, animation.duration_ms or 1000 * args.seconds)


def _choose_animation(
    args: argparse.Namespace, game: Any, position: Any, layout: LedLayout, leds: _OpenLeds
) -> tuple[Animation, float]:
    """The animation of the arguments, and the time of its most typical picture in ms."""
    from controller.lighting import animation as light
    from controller.lighting.animation.beams import turn_step_ms
    from engine.draw.palette import player_paints
    from engine.game import Turn

    effects = light.LightEffects(leds.settings.effects)
    owners: Sequence[Any] = player_paints(game.players)
    movers = game.to_move(position) or (0,)
    mover = movers[0]
    match args.picture:
        case "idle":
            return light.animate_idle(layout, owners, effects), 2000
        case "thinking":
            return light.animate_thinking(layout, owners[mover], effects), 1800
        case "winner":
            return light.animate_winner(layout, mover, owners, effects), 900
        case "clock-low":
            return light.animate_low_clock(layout, owners[mover], 0.6, effects), 300
        case "number":
            return light.animate_digits(layout, args.digits, effects), 600
        case "legal":
            if args.square is None:
                raise BadInput("show --picture legal: name the piece's cell with --square")
            chosen = position.grid.cell(args.square)
            targets = {
                cell
                for move in game.legal(position, mover)
                if game.origin(position, mover, move) == chosen
                for cell in game.resolve(position, {mover: move}).aimed.pieces.keys()
                - position.pieces.keys()
            }
            return light.animate_legal_targets(layout, chosen, targets, effects), 600
        case _:
            side = player_from(game, args.beam, mover)
            beams = game.standing_beams(position, side)
            if not beams:
                raise BadInput(
                    f"{game.players[side]} has no laser with a fixed direction here: name a"
                    " --picture, or another --game and --position"
                )
            turn: Any = Turn(position, (), position, tuple(beams), (), position, None)
            animation = light.animate_turn(layout, turn, owners, effects)
            longest = max(len(beam.steps) for beam in beams)
            return animation, longest * turn_step_ms(turn, effects) + 200


def _stats(args: argparse.Namespace, leds: _OpenLeds) -> list[str]:
    from controller.lighting.animation import LightEffects, animate_idle
    from engine.draw.palette import player_paints

    animation = animate_idle(
        leds.layout, player_paints(("blue", "red")), LightEffects(leds.settings.effects)
    )
    leds.stage.play(animation, 1000 * args.seconds)
    stats = leds.stage.leds.stats()
    rows: dict[str, object] = {
        "pictures": stats.shown,
        "confirmed": stats.acknowledged,
        "overtaken": stats.skipped,
        "sent again": stats.retries,
        "refused": stats.refused,
        "given up": stats.unanswered,
        "lost": stats.losses,
        "restarts": stats.restarts,
        "latency": f"{stats.latency_ms:.1f} ms",
    }
    counts = read_board_stats(leds.stage.leds)
    lines = [f"{name:12} {value}" for name, value in rows.items()]
    if counts is None:
        return [*lines, "these LEDs have no counters of their own"]
    counted = ", ".join(f"{value} {name}" for name, value in counts.items())
    return [*lines, f"the board counted {counted}"]


def _note_events(matrix: LedMatrix, console: Console) -> bool:
    """Print device events; returns whether the matrix is lost."""
    lost = False
    for event in matrix.events():
        match event:
            case DeviceLost():
                lost = True
                console.note(f"{event.device}: {event.reason}")
            case DeviceRemark():
                console.note(f"{event.device}: {event.sentence}")
            case _:
                lost = False
                console.note(f"{event.device}: works again")
    return lost


NO_PORTS = (
    "no serial port found: plug the board in with a USB cable that carries data, not power alone;"
    " without a board, use --leds terminal:// or sim://"
)


def _add_ports(commands: Subcommands) -> None:
    add_command(
        commands,
        "ports",
        _ports,
        "list the serial ports, and mark those with the Laserboard firmware",
        "  laserboard ports\n  laserboard leds test --leds serial:///dev/ttyACM0",
        "Opens each port and sends a HELLO. Reports a port that another program uses.",
    )


def _ports(args: argparse.Namespace, console: Console) -> int:  # noqa: ARG001
    found = find_serial_ports()
    for port in found:
        console.print(f"{'*' if port.is_laserboard else ' '} serial://{port.path}  {port.reply}")
    if not found:
        console.note(NO_PORTS)
    elif not any(port.is_laserboard for port in found):
        console.note("no Laserboard firmware answers: is it flashed? see firmware/README.md")
    return 0
