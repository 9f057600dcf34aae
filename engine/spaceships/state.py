"""A Spaceships position and its actions: frozen values, and the JSON that players exchange.

Text in, value out: strict, because the text comes from strangers' programs. Whatever is wrong
is one `BadPosition` or `BadMove` that names the place, such as `players[0].hitpoints`; whatever
is read is written back as the same value.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from engine import strict_json
from engine.errors import BadMove, BadPosition, LaserboardError, excerpt
from engine.game import LARGEST_SEED, Piece
from engine.grid import CUBE_STEPS, LARGEST_COORDINATE, Cell, Cube, Heading, HexGrid
from engine.spaceships.terrain import Terrain

MOST_HIT_POINTS = 1000
LARGEST_SCORE = 1_000_000_000  # a score stops here, so that what is played can be read back
LAST_ROUND = 1_000_000
LONGEST_NICK = 40
LONGEST_REASON = 200
LONGEST_STATE = 1_000_000  # characters; the widest grid there can be takes half of it
LONGEST_ACTION = 4_000
LONGEST_EXCERPT = 40  # of an answer in a reason

Event = Mapping[str, Any]


class Status(StrEnum):
    INIT = "init"  # nobody has acted yet
    PLAY = "play"
    PAUSE = "pause"
    OVER = "over"


class Kind(StrEnum):
    MOVE = "move"
    LASER = "laser"
    NOOP = "noop"  # what an answer becomes that is late or makes no sense


@dataclass(frozen=True, slots=True)
class Ship:
    nick: str
    hit_points: int
    cell: Cell
    score: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """What both players see before a round; `round` is the one about to be played, from 1.

    `events` tell the round before, as JSON values: objects are dicts, coordinates are lists.
    """

    grid: HexGrid
    terrain: tuple[Terrain, ...]
    ships: tuple[Ship, Ship]
    round: int = 1
    status: Status = Status.INIT
    events: tuple[Event, ...] = field(default=(), hash=False)
    seed: int | None = None

    @property
    def pieces(self) -> Mapping[Cell, Piece]:
        """The ships that still fly."""
        return {
            ship.cell: Piece("ship", owner, hit_points=ship.hit_points)
            for owner, ship in enumerate(self.ships)
            if ship.hit_points
        }


@dataclass(frozen=True, slots=True)
class Action:
    """What a ship does in a round. There is no other kind: one that exists can be played."""

    kind: Kind
    heading: Heading | None = None
    reason: str = ""  # of a noop only

    def __post_init__(self) -> None:
        if self.kind == Kind.NOOP:
            fits = self.heading is None and not _flaw(self.reason, LONGEST_REASON)
        else:
            fits = self.heading in range(len(CUBE_STEPS)) and not self.reason
        if not fits:
            raise BadMove(f"{excerpt(self)} is no action: a move or a laser has a heading "
                          "from 0 to 5, a noop has a reason")  # fmt: skip

    @classmethod
    def move(cls, heading: Heading) -> Self:
        return cls(Kind.MOVE, heading)

    @classmethod
    def laser(cls, heading: Heading) -> Self:
        return cls(Kind.LASER, heading)

    @classmethod
    def noop(cls, reason: str) -> Self:
        """Nothing done, and why. Any text will do: it is cleaned and cut to fit an event."""
        clean = "".join("?" if _unfit(char) else char for char in reason[:LONGEST_REASON])
        return cls(Kind.NOOP, reason=clean if clean.strip() else "no reason given")


def check_nicks(nicks: Sequence[str]) -> None:
    """Refuse names that two players cannot go by."""
    for player, nick in enumerate(nicks):
        flaw = _flaw(nick, LONGEST_NICK)
        if flaw:
            raise BadPosition(f"players[{player}].nick must be {flaw}, not {excerpt(nick)}")
    if len(nicks) != 2 or nicks[0] == nicks[1]:
        raise BadPosition(f"two players with different nicks are needed, not {excerpt(nicks)}")


# -- positions as JSON -----------------------------------------------------------------------


def read_position(text: str, most_hit_points: int = MOST_HIT_POINTS) -> Position:
    """The state as the server sends it; a ship may have up to `most_hit_points`."""
    return _read_state(_load(text, LONGEST_STATE, BadPosition), most_hit_points)


def write_position(position: Position) -> str:
    """One line, and no spaces between its parts."""
    seed = {} if position.seed is None else {"seed": position.seed}
    return strict_json.write(_state(position) | seed)


def write_state(position: Position) -> str:
    """What players are sent: the state as the game's description has it, and nothing else. Whoever
    is asked to act is in play, in the first round too."""
    return strict_json.write(_state(position) | {"status": Status.PLAY})


def _state(position: Position) -> dict[str, Any]:
    tiles = position.grid.tiles
    return {
        "status": position.status,
        "round": position.round,
        "grid": [
            {"coordinates": tile, "terrain": terrain}
            for tile, terrain in zip(tiles, position.terrain, strict=True)
        ],
        "players": [
            {
                "nick": ship.nick,
                "hitpoints": ship.hit_points,
                "coordinates": tiles[ship.cell],
                "score": ship.score,
            }
            for ship in position.ships
        ],
        "events": position.events,
    }


def _read_state(value: Any, most_hit_points: int) -> Position:
    state = strict_json.fields(
        value, "a state", BadPosition, ("status", "round", "grid", "players", "events"), ("seed",)
    )
    listed = [_read_tile(each, where) for where, each in _listed(state, "grid")]
    grid = HexGrid(tuple(tile for tile, _ in listed))
    terrain = tuple(kind for _, kind in listed)
    ships = [
        _read_ship(each, where, grid, terrain, most_hit_points)
        for where, each in _listed(state, "players", 2)
    ]
    first, second = ships
    nicks = (first.nick, second.nick)
    check_nicks(nicks)
    if first.cell == second.cell:
        raise BadPosition(f"both ships are on the tile {list(grid.tiles[first.cell])}")
    return Position(
        grid,
        terrain,
        (first, second),
        _whole(state["round"], "round", 1, LAST_ROUND),
        Status(_word(state["status"], "status", tuple(Status))),
        tuple(_read_event(each, where, nicks, grid) for where, each in _listed(state, "events")),
        _whole(state["seed"], "seed", -LARGEST_SEED, LARGEST_SEED) if "seed" in state else None,
    )


def _read_tile(value: Any, where: str) -> tuple[Cube, Terrain]:
    tile = strict_json.fields(value, where, BadPosition, ("coordinates", "terrain"))
    kind = Terrain(_word(tile["terrain"], f"{where}.terrain", tuple(Terrain)))
    return _cube(tile["coordinates"], f"{where}.coordinates"), kind


def _read_ship(
    value: Any, where: str, grid: HexGrid, terrain: Sequence[Terrain], most_hit_points: int
) -> Ship:
    keys = ("nick", "hitpoints", "coordinates", "score")
    ship = strict_json.fields(value, where, BadPosition, keys)
    cell = _on_grid(ship["coordinates"], f"{where}.coordinates", grid)
    if terrain[cell] is not Terrain.LAND:
        tile = list(grid.tiles[cell])
        raise BadPosition(f"{where}.coordinates must be land; {tile} is {terrain[cell]}")
    return Ship(
        _text(ship["nick"], f"{where}.nick", LONGEST_NICK, BadPosition),
        _whole(ship["hitpoints"], f"{where}.hitpoints", 0, most_hit_points),
        cell,
        _whole(ship["score"], f"{where}.score", -LARGEST_SCORE, LARGEST_SCORE),
    )


# What an event of each type has besides its type and nick, in the order it is written.
_EVENTS: Mapping[str, tuple[str, ...]] = {
    "move": ("coordinates",),
    "collision": ("coordinates", "hitpoints", "reason"),
    "laser": ("start", "end"),
    "laser-hit": ("hitpoints",),
    "noop": ("reason",),
}


def _read_event(value: Any, where: str, nicks: Sequence[str], grid: HexGrid) -> Event:
    # The game's first description writes ":laser-hit".
    kind = _type(value, where, (*_EVENTS, ":laser-hit"), BadPosition).removeprefix(":")
    keys = _EVENTS[kind]
    required = [key for key in keys if key != "reason"]
    event = strict_json.fields(value, where, BadPosition, ("type", "nick", *required), keys)
    read: dict[str, Any] = {"type": kind, "nick": _word(event["nick"], f"{where}.nick", nicks)}
    for key in keys:
        at = f"{where}.{key}"
        if key == "hitpoints":
            read[key] = _whole(event[key], at, 0, MOST_HIT_POINTS)
        elif key != "reason":
            read[key] = list(grid.tiles[_on_grid(event[key], at, grid)])
        elif "reason" in event:
            read[key] = _text(event[key], at, LONGEST_REASON, BadPosition)
    return read


# -- actions as JSON -------------------------------------------------------------------------


def read_action(text: str) -> Action:
    """`{"type":"move","direction":[1,0,-1]}`, the same with `laser`, or a noop and its reason."""
    return _read_action(_load(text, LONGEST_ACTION, BadMove))


def read_answer(text: str) -> Action:
    """What a player's program answers: a move or a laser, whatever else stands beside it.

    Lenient where that is harmless, and short of words: the other player reads what is wrong.
    """
    try:
        found = strict_json.scan(text, len(text) - len(text.lstrip()))
    except strict_json.NotJson as bad:
        raise BadMove(f"not JSON: {bad}") from None
    if text[found.end :].strip():
        raise BadMove("not JSON: something stands after its end")
    if found.wrong:
        raise BadMove(f"the JSON {found.wrong}")
    if not isinstance(found.value, dict):
        raise BadMove("not a JSON object with a type and a direction")
    kind, direction = found.value.get("type"), found.value.get("direction")
    if not isinstance(kind, str) or kind not in (Kind.MOVE, Kind.LASER):
        raise BadMove(f"the type must be move or laser, not {_short(kind)}")
    way = tuple(direction) if isinstance(direction, list) and _three_whole(direction) else ()
    if way not in CUBE_STEPS:
        raise BadMove(f"the direction must be one of the six, such as [1,0,-1], "
                      f"not {_short(direction)}")  # fmt: skip
    return Action(Kind(kind), CUBE_STEPS.index(way))


def _short(value: Any) -> str:
    return "missing" if value is None else excerpt(value, LONGEST_EXCERPT)


def write_action(action: Action) -> str:
    if action.heading is None:
        return strict_json.write({"type": action.kind, "reason": action.reason})
    return strict_json.write({"type": action.kind, "direction": CUBE_STEPS[action.heading]})


def _read_action(value: Any) -> Action:
    what = "an action"
    kind = Kind(_type(value, what, tuple(Kind), BadMove))
    if kind is Kind.NOOP:
        noop = strict_json.fields(value, what, BadMove, ("type", "reason"))
        return Action(kind, reason=_text(noop["reason"], "reason", LONGEST_REASON, BadMove))
    direction = strict_json.fields(value, what, BadMove, ("type", "direction"))["direction"]
    if _three_whole(direction) and tuple(direction) in CUBE_STEPS:
        return Action(kind, CUBE_STEPS.index(tuple(direction)))
    steps = ", ".join(str(list(step)) for step in CUBE_STEPS)
    raise BadMove(f"direction must be one of {steps}, not {excerpt(direction)}")


# -- values in JSON --------------------------------------------------------------------------


def _load(text: str, longest: int, error: type[LaserboardError]) -> Any:
    if len(text) > longest:
        raise error(f"{len(text)} characters are too many; at most {longest}")
    return strict_json.read(text, error)


def _listed(state: Mapping[str, Any], key: str, count: int | None = None) -> list[tuple[str, Any]]:
    """The entries of a list, each with its place."""
    entries = strict_json.items(state[key], key, BadPosition, count)
    return [(f"{key}[{i}]", entry) for i, entry in enumerate(entries)]


def _type(value: Any, what: str, known: Sequence[str], error: type[LaserboardError]) -> str:
    """The type of an object, which says what else it has."""
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in known:
        types = ", ".join(known)
        raise error(f"{what} must be an object with a type of {types}, not {excerpt(value)}")
    return kind


def _word(value: Any, where: str, known: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in known:
        words = ", ".join(excerpt(str(word)) for word in known)
        raise BadPosition(f"{where} must be one of {words}, not {excerpt(value)}")
    return value


def _whole(value: Any, where: str, least: int, most: int) -> int:
    return strict_json.whole(value, where, BadPosition, least, most)


def _text(value: Any, where: str, longest: int, error: type[LaserboardError]) -> str:
    wanted = _flaw(value, longest)
    if wanted:
        raise error(f"{where} must be {wanted}, not {excerpt(value)}")
    return str(value)


def _flaw(value: Any, longest: int) -> str:
    """What a text should be that people are to read on one line, if it is not."""
    if not isinstance(value, str) or not value.strip():
        return "text"
    if len(value) > longest:
        return f"at most {longest} characters"
    if any(map(_unfit, value)):
        return "without control characters"
    return ""


def _unfit(char: str) -> bool:
    """Controls, line ends, and halves of a surrogate pair, which UTF-8 cannot hold."""
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")


def _three_whole(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(type(n) is int for n in value)


def _cube(value: Any, where: str) -> Cube:
    if not _three_whole(value) or sum(value) != 0 or max(map(abs, value)) > LARGEST_COORDINATE:
        wanted = f"three whole numbers that add up to 0, none beyond {LARGEST_COORDINATE}"
        raise BadPosition(f"{where} must be {wanted}, not {excerpt(value)}")
    return value[0], value[1], value[2]


def _on_grid(value: Any, where: str, grid: HexGrid) -> Cell:
    cell = grid.find(_cube(value, where))
    if cell is None:
        raise BadPosition(f"{where} must be a tile of the grid, not {excerpt(value)}")
    return cell
