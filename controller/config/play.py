"""Reads and writes the section `play` of a board file: game, seats, clock, firing.

The command line overrides it. None: the board and its game decide.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from controller.config import sentences
from controller.config.yaml_tree import ConfigNode, ConfigSection, format_number
from controller.session.board_fit import fit_board
from controller.session.clocks import BadClock, TimeControl
from controller.session.setup import COMPUTER_PREFIX, HUMAN, Seat
from engine import catalogue, games
from engine.errors import LaserboardError, UnknownName, did_you_mean, excerpt
from engine.game import AnyGame
from engine.search import STRONGEST
from vision.board import BoardDoesNotFit, PhysicalBoard

PLAY_KEYS = (
    *("game", "setup", "players", "names", "clock", "fire", "fire_after_s"),
    *("take_back", "voice"),
)
FIRE_MODES = ("button", "auto")
FIRE_AFTER_S_RANGE = (1, 60)
TAKE_BACK_CHOICES = ("ask", "never")
VOICE_CHOICES = ("auto", "espeak", "terminal", "none")
DEFAULT_LEVEL = 3
MAX_NAME_LENGTH = 40
NO_CLOCK = TimeControl()


class BadSeat(LaserboardError, ValueError):
    """An invalid seat."""


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """The section `play`."""

    game: str | None = None  # None: the game that the board is made for
    setup: str | None = None  # None: the game's default
    seats: tuple[Seat, Seat] = (Seat(""), Seat(""))  # first and second player; a name may be empty
    clock: TimeControl = NO_CLOCK
    fire: str = "button"  # auto: fire when the board is settled for `fire_after_s`
    fire_after_s: float = 3.0
    take_back: str = "ask"  # the other player; or never
    voice: str = "auto"  # espeak-ng if installed


def read_play(node: ConfigNode | None, board: PhysicalBoard) -> PlaySettings:
    """Read the section `play`; game and setup must fit the board."""
    if node is None:
        return PlaySettings()
    keys = node.section(*PLAY_KEYS)
    game, setup = keys.get("game"), keys.get("setup")
    chosen = None if game is None else _read_game(game, board)
    defaults, after = PlaySettings(), keys.get("fire_after_s")
    clock = keys.get("clock")
    return PlaySettings(
        None if chosen is None else chosen.name,
        None if setup is None else _read_setup(setup, chosen, board),
        _read_seats(keys),
        defaults.clock if clock is None else _read_clock(clock),
        _read_choice(keys, "fire", FIRE_MODES),
        defaults.fire_after_s
        if after is None
        else after.number(*FIRE_AFTER_S_RANGE, sentences.SECONDS()),
        _read_choice(keys, "take_back", TAKE_BACK_CHOICES),
        _read_choice(keys, "voice", VOICE_CHOICES),
    )


def write_play(play: PlaySettings) -> list[str]:
    """The lines of the section; empty for the defaults."""
    defaults, lines = PlaySettings(), []
    for key in ("game", "setup", "clock", "fire", "take_back", "voice"):
        if getattr(play, key) != getattr(defaults, key):
            lines.append(f"  {key}: {getattr(play, key)}")
    if play.fire_after_s != defaults.fire_after_s:
        lines.append(f"  fire_after_s: {format_number(play.fire_after_s)}")
    if any(seat.is_automated for seat in play.seats):
        lines.append(f"  players: [{', '.join(seat.kind for seat in play.seats)}]")
    if any(seat.name for seat in play.seats):
        names = (json.dumps(seat.name, ensure_ascii=False) for seat in play.seats)
        lines.append(f"  names: [{', '.join(names)}]")
    return ["play:", *lines] if lines else []


def parse_seat(text: str, name: str = "") -> Seat:
    """Parse `human`, `computer` or `computer:3`; either may have a name."""
    if text == HUMAN:
        return Seat(name)
    found = re.fullmatch(rf"{COMPUTER_PREFIX[:-1]}(?::([1-{STRONGEST}]))?", text)
    if found is None:
        hint = did_you_mean(text, (HUMAN, COMPUTER_PREFIX[:-1]))
        if ":" not in text and hint.key == catalogue.DID_YOU_MEAN.key:
            raise BadSeat(sentences.NOT_A_SEAT_NEAR(value=excerpt(text), hint=hint))
        raise BadSeat(sentences.NOT_A_SEAT(value=excerpt(text), strongest=STRONGEST))
    return Seat(name, int(found[1] or DEFAULT_LEVEL))


def _read_game(node: ConfigNode, board: PhysicalBoard) -> AnyGame:
    try:
        game = games.make(node.raw_text(sentences.GAME_NAME()))
        fit_board(board, game)
    except (UnknownName, BoardDoesNotFit) as error:
        raise node.error(error.sentence) from error
    return game


def _read_setup(node: ConfigNode, game: AnyGame | None, board: PhysicalBoard) -> str:
    name = node.raw_text(sentences.SETUP_NAME())
    try:
        game = game or fit_board(board).game
        if not game.setups():
            raise node.error(sentences.GAME_WITHOUT_SETUPS(game=game.name))
        return game.setup(name).name
    except (UnknownName, BoardDoesNotFit) as error:
        raise node.error(error.sentence) from error


def _read_seats(keys: ConfigSection) -> tuple[Seat, Seat]:
    players, names = keys.get("players"), keys.get("names")
    called, seats = ["", ""], [Seat(""), Seat("")]
    if names is not None:
        called = [_read_name(each) for each in names.items(2, 2, sentences.TWO_NAMES())]
        seats = [Seat(name) for name in called]
    if players is not None:
        nodes = players.items(2, 2, sentences.TWO_SEATS())
        seats = [_read_seat(each, name) for each, name in zip(nodes, called, strict=True)]
    return seats[0], seats[1]


def _read_seat(node: ConfigNode, name: str) -> Seat:
    try:
        return parse_seat(node.raw_text(sentences.SEAT()), name)
    except BadSeat as error:
        raise node.error(error.sentence) from error


def _read_name(node: ConfigNode) -> str:
    name = node.raw_text(sentences.PLAYER_NAME(most=MAX_NAME_LENGTH), empty=True)
    if len(name) > MAX_NAME_LENGTH or not name.isprintable():
        raise node.wrong_value(sentences.PLAYER_NAME_LINE(most=MAX_NAME_LENGTH))
    return name


def _read_clock(node: ConfigNode) -> TimeControl:
    try:
        return TimeControl.parse(node.raw_text(sentences.TIME_CONTROL()))
    except BadClock as error:
        raise node.error(error.sentence) from error


def _read_choice(keys: ConfigSection, key: str, words: tuple[str, ...]) -> str:
    place = keys.get(key)
    return words[0] if place is None else place.choice(*words)
