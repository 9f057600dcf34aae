"""The section `play` of a board file: who plays what, and how, as a frozen value and back.

All of it is a habit, not a law: the command line may say otherwise. None is left to the board and
its game.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from controller.agreement import COMPUTER, HUMAN, Seat
from controller.clocks import BadClock, TimeControl
from controller.tabletop import fitted
from controller.yaml_tree import Place, Section, write_number
from engine import games
from engine.errors import LaserboardError, UnknownName, did_you_mean, excerpt
from engine.game import AnyGame
from engine.search import STRONGEST
from vision.board import DoesNotFit, PhysicalBoard

PLAY_KEYS = (
    *("game", "setup", "players", "names", "clock", "fire", "fire_after_s"),
    *("take_back", "voice"),
)
FIRE = ("button", "auto")
FIRE_AFTER_S = (1, 60)
TAKE_BACK = ("ask", "never")
VOICES = ("auto", "espeak", "terminal", "none")
USUAL_LEVEL = 3
LONGEST_NAME = 40
NO_CLOCK = TimeControl()


class BadSeat(LaserboardError, ValueError):
    """Somebody who cannot play."""


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """What a board file says about playing."""

    game: str | None = None  # None: the one that the board is made for
    setup: str | None = None  # None: the game's own
    seats: tuple[Seat, Seat] = (Seat(""), Seat(""))  # first and second; a name may be empty
    clock: TimeControl = NO_CLOCK
    fire: str = "button"  # auto: when the board was at rest for so long after a move:
    fire_after_s: float = 3.0
    take_back: str = "ask"  # the other player; never: what is fired is fired
    voice: str = "auto"  # espeak-ng, where it is installed


def read_play(place: Place | None, board: PhysicalBoard) -> PlaySettings:
    """The section `play` of a board file; game and setup must be of the kind for that board."""
    if place is None:
        return PlaySettings()
    keys = place.section(*PLAY_KEYS)
    game, setup = keys.get("game"), keys.get("setup")
    chosen = None if game is None else _game(game, board)
    usual, after = PlaySettings(), keys.get("fire_after_s")
    clock = keys.get("clock")
    return PlaySettings(
        None if chosen is None else chosen.name,
        None if setup is None else _setup(setup, chosen, board),
        _seats(keys),
        usual.clock if clock is None else _clock(clock),
        _choice(keys, "fire", FIRE),
        usual.fire_after_s if after is None else after.number(*FIRE_AFTER_S, "seconds"),
        _choice(keys, "take_back", TAKE_BACK),
        _choice(keys, "voice", VOICES),
    )


def write_play(play: PlaySettings) -> list[str]:
    """The lines of a board file that read back as these settings; none for the usual ones."""
    usual, lines = PlaySettings(), []
    for key in ("game", "setup", "clock", "fire", "take_back", "voice"):
        if getattr(play, key) != getattr(usual, key):
            lines.append(f"  {key}: {getattr(play, key)}")
    if play.fire_after_s != usual.fire_after_s:
        lines.append(f"  fire_after_s: {write_number(play.fire_after_s)}")
    if any(seat.computer for seat in play.seats):
        lines.append(f"  players: [{', '.join(seat.kind for seat in play.seats)}]")
    if any(seat.name for seat in play.seats):
        names = (json.dumps(seat.name, ensure_ascii=False) for seat in play.seats)
        lines.append(f"  names: [{', '.join(names)}]")
    return ["play:", *lines] if lines else []


def read_seat(text: str, name: str = "") -> Seat:
    """`human`, `computer` or `computer:3`; the name is for a person, and for a computer too."""
    if text == HUMAN:
        return Seat(name)
    found = re.fullmatch(rf"{COMPUTER[:-1]}(?::([1-{STRONGEST}]))?", text)
    if found is None:
        near = did_you_mean(text, (HUMAN, COMPUTER[:-1])) if ":" not in text else ""
        hint = near if "mean" in near else f": write human, or computer:1 to computer:{STRONGEST}"
        raise BadSeat(f"{excerpt(text)} is nobody who plays{hint}")
    return Seat(name, int(found[1] or USUAL_LEVEL))


def _game(place: Place, board: PhysicalBoard) -> AnyGame:
    try:
        game = games.make(place.plain("the name of a game"))
        fitted(board, game)
    except (UnknownName, DoesNotFit) as bad:
        raise place.error(str(bad)) from None
    return game


def _setup(place: Place, game: AnyGame | None, board: PhysicalBoard) -> str:
    name = place.plain("the name of a setup")
    try:
        game = game or fitted(board).game
        if not game.setups():
            raise place.error(f"{game.name} has no setups, it draws its own map: leave this out")
        return game.setup(name).name
    except (UnknownName, DoesNotFit) as bad:
        raise place.error(str(bad)) from None


def _seats(keys: Section) -> tuple[Seat, Seat]:
    players, names = keys.get("players"), keys.get("names")
    called, seats = ["", ""], [Seat(""), Seat("")]
    if names is not None:
        what = "a list of two names, the first player's and the second's"
        called = [_name(each) for each in names.items(2, 2, what)]
        seats = [Seat(name) for name in called]
    if players is not None:
        what = "a list of two, such as [human, computer:3]"
        seats = [
            _seat(each, name) for each, name in zip(players.items(2, 2, what), called, strict=True)
        ]
    return seats[0], seats[1]


def _seat(place: Place, name: str) -> Seat:
    try:
        return read_seat(place.plain("human, or computer:3"), name)
    except BadSeat as bad:
        raise place.error(str(bad)) from None


def _name(place: Place) -> str:
    name = place.plain(f'a name of up to {LONGEST_NAME} letters, or "" for none', empty=True)
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise place.wanted(f"a name of up to {LONGEST_NAME} letters on one line")
    return name


def _clock(place: Place) -> TimeControl:
    try:
        return TimeControl.read(place.plain("a time control, such as 10m or 5m+3s"))
    except BadClock as bad:
        raise place.error(str(bad)) from None


def _choice(keys: Section, key: str, words: tuple[str, ...]) -> str:
    place = keys.get(key)
    return words[0] if place is None else place.choice(*words)
