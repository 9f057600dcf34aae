"""`laserboard leds`: walks along the LEDs, shows test colours or a game picture, counts losses.

Without a URL the LEDs are drawn in the terminal: animated if it is large enough, else one picture
after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from controller.builder.paper_sentences import UNDER_NO_CELL
from controller.builder.sentences import DEVICE_SILENT
from controller.config.board_file import BoardFile, load_board_file
from controller.config.leds import LedSettings
from controller.devices.factory.leds import find_serial_ports, open_leds, read_board_stats
from controller.lighting import animation as light
from controller.lighting.animation import Animation
from controller.lighting.animation.beams import turn_step_ms
from controller.lighting.layout import LedLayout, led_layout
from controller.lighting.output import estimate_current_ma, for_settings
from controller.lighting.playback import AnimationPlayer
from controller.ports.devices import LedMatrix, Pixels
from controller.ports.events import DeviceLost, DeviceRemark
from controller.ports.sentences import REMEDY_AFTER_COLON
from controller.session.board_fit import fit_board
from controller.session.sentences import DEVICE_LOST, DEVICE_REMARK
from controller.ui.commands import sentences
from controller.ui.console import BadInput, Console
from controller.ui.position_options import PositionOptions, find_player
from controller.ui.sentences import DEVICE_IS
from controller.ui.terminal.led_text import render_leds
from engine.draw.palette import player_paints
from engine.game import AnyGame, Turn
from engine.grid import Cell

ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
HOME, CLEAR_BELOW = "\x1b[H", "\x1b[J"
START_TIMEOUT_MS = 5_000.0
TERMINAL = "terminal://"
TEST_COLOURS = {
    "red": (1.0, 0.0, 0.0),
    "green": (0.0, 1.0, 0.0),
    "blue": (0.0, 0.0, 1.0),
    "white": (1.0, 1.0, 1.0),
    "half as bright": (0.5, 0.5, 0.5),
}


@dataclass(frozen=True, slots=True)
class LedPictureOptions:
    """Options of `laserboard leds show`: a picture by name, else the beam of a turn."""

    position: PositionOptions
    name: str | None
    side: str | None  # whose beams; None: those of the side to move
    cell: str | None  # of the piece, for `legal`
    digits: str  # for `number`


@dataclass(frozen=True, slots=True)
class _Picture:
    """A picture of a game: the beams of `side`, or the one of that name."""

    game: AnyGame
    position: Any
    name: str | None  # None: beams
    side: int
    cell: Cell | None
    digits: str


@dataclass(frozen=True, slots=True)
class LedTestOptions:
    """The test (walk, test, show or stats), the LEDs, and the times."""

    action: str
    board: str
    url: str | None  # None: that of the board file, else the terminal
    pace_ms: float
    seconds: float
    picture: LedPictureOptions  # for show


def run_led_test(options: LedTestOptions, console: Console) -> int:
    """Run a test; returns the exit status, 1 if the LEDs were lost."""
    lines: list[str] = []  # printed after closing: pictures in the terminal overwrite all text
    file = load_board_file(options.board)
    picture = _make_picture(options.picture, file, console) if options.action == "show" else None
    with _open(options, file, console) as leds:
        match options.action:
            case "walk":
                lines = _walk(leds, options.pace_ms)
            case "test":
                lines = _test(leds)
            case "show":
                assert picture is not None
                _show(leds, picture, options.seconds)
            case _:
                lines = _stats(leds, options.seconds)
        lost = _note_events(leds.stage.leds, console)
    if options.url is None and file.leds is not None and file.leds.url is None:
        console.note(sentences.LEDS_DRAWN_HERE())
    for line in lines:
        console.print(line)
    return 1 if lost else 0


def _make_picture(choice: LedPictureOptions, file: BoardFile, console: Console) -> _Picture:
    named = choice.position.with_default_game(fit_board(file.board).game.name)
    game, position = named.make_position(console)
    side, cell = (game.to_move(position) or (0,))[0], None
    if choice.name is None:
        side = find_player(game, choice.side, side)
    elif choice.name == "legal":
        if choice.cell is None:
            raise BadInput(sentences.LEGAL_NEEDS_CELL())
        cell = position.grid.cell(choice.cell)
    return _Picture(game, position, choice.name, side, cell, choice.digits)


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
        return render_leds(
            pixels, self.layout, colour=self.console.colour, gamma=self.settings.gamma
        )


@contextmanager
def _open(options: LedTestOptions, file: BoardFile, console: Console) -> Iterator[_OpenLeds]:
    layout = led_layout(file)
    if layout is None or file.leds is None:
        raise BadInput(sentences.BOARD_HAS_NO_LEDS(board=file.board.name))
    settings, url = file.leds, options.url or file.leds.url or TERMINAL
    animated = console.size is not None
    if console.size is not None and url == TERMINAL:
        dark = np.zeros((layout.led_count, 3), np.uint8)
        lines = ESCAPES.sub("", render_leds(dark, layout, colour=console.colour)).splitlines()
        wide, high = max(map(len, lines)), len(lines) + 2  # a line of text follows
        if console.size[0] < wide or console.size[1] < high:
            animated = False
            console.note(sentences.PICTURE_NEEDS_TERMINAL(columns=wide, rows=high))

    def draw(pixels: Pixels) -> str:
        text = render_leds(pixels, layout, colour=console.colour, gamma=settings.gamma)
        if not animated:  # pictures follow each other in the output: skip dark and repeated ones
            quiet = options.action == "stats" or not pixels.any()
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
    begin_ms = console.clock.now_ms()
    if matrix.name == TERMINAL:
        return
    dark = np.zeros((sum(settings.leds_per_lane), 3), np.uint8)
    number = matrix.show(dark)
    while not matrix.wait(number, 200.0):
        for event in matrix.events():
            if isinstance(event, DeviceLost):
                raise BadInput(DEVICE_LOST(device=event.device, reason=event.reason))
        if console.clock.now_ms() - begin_ms > START_TIMEOUT_MS:
            raise BadInput(DEVICE_SILENT(device=matrix.name, seconds=START_TIMEOUT_MS / 1000))
    details = matrix.details()
    if details is not None:
        console.note(DEVICE_IS(device=matrix.name, details=details.description))


def _walk(leds: _OpenLeds, pace_ms: float) -> list[str]:
    layout, console = leds.layout, leds.console
    lane_of = [lane for lane, count in enumerate(layout.leds_per_lane) for _ in range(count)]
    for led in range(layout.led_count):
        canvas = np.zeros((layout.led_count, 3), np.float32)
        canvas[led] = 1.0
        cell = layout.cell_of(led)
        place = UNDER_NO_CELL() if cell is None else layout.board.grid.name(cell)
        line = sentences.LED_AT(led=led, lane=lane_of[led], place=place)
        if not leds.drawn or leds.animated:
            number = leds.stage.leds.show(leds.stage.output_stage(canvas))
            leds.stage.leds.wait(number, pace_ms)
        if leds.animated:
            console.out.write(f"{line}\x1b[K\r")
            console.out.flush()
            console.clock.wait_ms(pace_ms)
        else:
            console.print(line)
            if not leds.drawn:
                console.clock.wait_ms(pace_ms)
    if leds.animated and not leds.drawn:
        console.print()
    return [str(layout.describe())]


def _test(leds: _OpenLeds) -> list[str]:
    layout, settings, lines = leds.layout, leds.settings, []
    for name, colour in TEST_COLOURS.items():
        picture = leds.stage.output_stage(np.full((layout.led_count, 3), colour, np.float32))
        draws = estimate_current_ma(picture, settings.ma_per_led)
        number = leds.stage.leds.show(picture)
        leds.stage.leds.wait(number, START_TIMEOUT_MS)
        limited = draws > 0.98 * settings.ma_limit
        template = sentences.COLOUR_CURRENT_LIMITED if limited else sentences.COLOUR_CURRENT
        line = str(template(colour=name, current_ma=draws))
        leds.console.print(line)
        leds.console.out.flush()
        if leds.drawn and leds.animated:
            lines.append(line)
        leds.console.clock.wait_ms(1000 if leds.animated or not leds.drawn else 0)
    return [*lines, str(sentences.LED_LIMIT(layout=layout.describe(), limit_ma=settings.ma_limit))]


def _show(leds: _OpenLeds, picture: _Picture, seconds: float) -> None:
    layout = leds.layout.for_grid(picture.position.grid)
    animation, still_ms = _choose_animation(picture, layout, leds.settings)
    if leds.drawn and not leds.animated:  # print a single picture
        leds.console.print_picture(leds.picture(leds.stage.output_stage(animation.at(still_ms))))
        return
    leds.stage.play(animation, animation.duration_ms or 1000 * seconds)


def _choose_animation(
    picture: _Picture, layout: LedLayout, settings: LedSettings
) -> tuple[Animation, float]:
    """The animation of a picture, and the time of its most typical frame in ms."""
    game, position = picture.game, picture.position
    effects = light.LightEffects(settings.effects)
    owners: Sequence[Any] = player_paints(game.players)
    mover = (game.to_move(position) or (0,))[0]
    match picture.name:
        case "idle":
            return light.animate_idle(layout, owners, effects), 2000
        case "thinking":
            return light.animate_thinking(layout, owners[mover], effects), 1800
        case "winner":
            return light.animate_winner(layout, mover, owners, effects), 900
        case "clock-low":
            return light.animate_low_clock(layout, owners[mover], 0.6, effects), 300
        case "number":
            return light.animate_digits(layout, picture.digits, effects), 600
        case "legal":
            assert picture.cell is not None
            targets = {
                cell
                for move in game.legal(position, mover)
                if game.origin(position, mover, move) == picture.cell
                for cell in game.resolve(position, {mover: move}).aimed.pieces.keys()
                - position.pieces.keys()
            }
            return light.animate_legal_targets(layout, picture.cell, targets, effects), 600
        case _:
            return _beam_animation(picture, layout, effects, owners)


def _beam_animation(
    picture: _Picture, layout: LedLayout, effects: light.LightEffects, owners: Sequence[Any]
) -> tuple[Animation, float]:
    position = picture.position
    beams = picture.game.standing_beams(position, picture.side)
    if not beams:
        none = sentences.NO_FIXED_LASER(player=picture.game.players[picture.side])
        raise BadInput(REMEDY_AFTER_COLON(problem=none, remedy=sentences.NAME_A_PICTURE()))
    turn: Any = Turn(position, (), position, tuple(beams), (), position, None)
    longest = max(len(beam.steps) for beam in beams)
    animation = light.animate_turn(layout, turn, owners, effects)
    return animation, longest * turn_step_ms(turn, effects) + 200


def _stats(leds: _OpenLeds, seconds: float) -> list[str]:
    animation = light.animate_idle(
        leds.layout, player_paints(("blue", "red")), light.LightEffects(leds.settings.effects)
    )
    leds.stage.play(animation, 1000 * seconds)
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
        return [*lines, str(sentences.NO_LED_COUNTERS())]
    counted = tuple(f"{value} {name}" for name, value in counts.items())
    return [*lines, str(sentences.LED_BOARD_COUNTED(counts=counted))]


def _note_events(matrix: LedMatrix, console: Console) -> bool:
    """Print device events; returns whether the matrix is lost."""
    lost = False
    for event in matrix.events():
        match event:
            case DeviceLost():
                lost = True
                console.note(DEVICE_LOST(device=event.device, reason=event.reason))
            case DeviceRemark():
                console.note(DEVICE_REMARK(device=event.device, remark=event.sentence))
            case _:
                lost = False
                console.note(sentences.WORKS_AGAIN(device=event.device))
    return lost


# -- ports --------------------------------------------------------------------------------


def list_ports(console: Console) -> int:
    """Open each port, send a HELLO, and print the replies."""
    found = find_serial_ports()
    for port in found:
        console.print(f"{'*' if port.is_laserboard else ' '} serial://{port.path}  {port.reply}")
    if not found:
        console.note(sentences.NO_SERIAL_PORT())
    elif not any(port.is_laserboard for port in found):
        console.note(sentences.NO_FIRMWARE())
    return 0
