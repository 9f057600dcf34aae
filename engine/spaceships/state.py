"""Spaceships positions and actions: frozen values, and the JSON that programs exchange.

Reading is strict: the text is untrusted. Errors (`BadPosition`, `BadMove`) name the place, such
as `players[0].hitpoints`. Every value that is read is written back equal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from engine import catalogue, strict_json
from engine.errors import BadMove, BadPosition, LaserboardError, excerpt
from engine.game import MAX_SEED, Piece
from engine.grid import CUBE_STEPS, MAX_COORDINATE, Cell, Cube, Heading, HexGrid
from engine.sentences import Sentence
from engine.spaceships.terrain import Terrain

MAX_HIT_POINTS = 1000
MAX_SCORE = 1_000_000_000  # scores stop here, so that positions can be read back
LAST_ROUND = 1_000_000
MAX_NICK_LENGTH = 40
MAX_REASON_LENGTH = 200
MAX_STATE_LENGTH = 1_000_000  # characters; the largest grid takes half of it
MAX_ACTION_LENGTH = 4_000
MAX_EXCERPT_LENGTH = 40  # of an answer, in a reason

Event = Mapping[str, Any]


class Status(StrEnum):
    INIT = "init"  # before the first round
    PLAY = "play"
    PAUSE = "pause"
    OVER = "over"


class ActionKind(StrEnum):
    MOVE = "move"
    LASER = "laser"
    NOOP = "noop"  # for a late or invalid answer


@dataclass(frozen=True, slots=True)
class Ship:
    nick: str
    hit_points: int
    cell: Cell
    score: int = 0


@dataclass(frozen=True, slots=True)
class Position:
    """The state before a round, which both players see. `round` counts from 1.

    `events` are those of the previous round, as JSON values.
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
        """The ships with hit points left."""
        return {
            ship.cell: Piece("ship", owner, hit_points=ship.hit_points)
            for owner, ship in enumerate(self.ships)
            if ship.hit_points
        }


@dataclass(frozen=True, slots=True)
class Action:
    """The action of a ship in a round. The constructor checks that it can be played."""

    kind: ActionKind
    heading: Heading | None = None
    reason: str = ""  # of a noop only

    def __post_init__(self) -> None:
        if self.kind == ActionKind.NOOP:
            fits = self.heading is None and not _text_flaw(self.reason, MAX_REASON_LENGTH)
        else:
            fits = self.heading in range(len(CUBE_STEPS)) and not self.reason
        if not fits:
            raise BadMove(catalogue.NOT_AN_ACTION(value=excerpt(self)))

    @classmethod
    def move(cls, heading: Heading) -> Self:
        return cls(ActionKind.MOVE, heading)

    @classmethod
    def laser(cls, heading: Heading) -> Self:
        return cls(ActionKind.LASER, heading)

    @classmethod
    def noop(cls, reason: str) -> Self:
        """No action, with a reason. Any text is cleaned and cut to fit an event."""
        clean = "".join("?" if _is_forbidden(char) else char for char in reason[:MAX_REASON_LENGTH])
        return cls(ActionKind.NOOP, reason=clean if clean.strip() else "no reason given")


def check_nicks(nicks: Sequence[str]) -> None:
    """Raise `BadPosition` unless these are two different, printable names."""
    for player, nick in enumerate(nicks):
        flaw = _text_flaw(nick, MAX_NICK_LENGTH)
        if flaw:
            place = f"players[{player}].nick"
            raise BadPosition(catalogue.TEXT_UNFIT(place=place, fit=flaw, value=excerpt(nick)))
    if len(nicks) != 2 or nicks[0] == nicks[1]:
        raise BadPosition(catalogue.NICKS_ALIKE(value=excerpt(nicks)))


# -- positions as JSON -----------------------------------------------------------------------


def read_position(text: str, most_hit_points: int = MAX_HIT_POINTS) -> Position:
    """A position from the state that the server sends. Ships have at most `most_hit_points`."""
    return _read_state(_load(text, MAX_STATE_LENGTH, BadPosition), most_hit_points)


def write_position(position: Position) -> str:
    """A position as one line of compact JSON."""
    seed = {} if position.seed is None else {"seed": position.seed}
    return strict_json.write(_state(position) | seed)


def write_state(position: Position) -> str:
    """The state that programs get, as the description of the game defines it.

    The status is always "play", in the first round too, and the seed is left out.
    """
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
    state = strict_json.require_object(
        value, "a state", BadPosition, ("status", "round", "grid", "players", "events"), ("seed",)
    )
    listed = [_read_tile(each, where) for where, each in _require_entries(state, "grid")]
    grid = HexGrid(tuple(tile for tile, _ in listed))
    terrain = tuple(kind for _, kind in listed)
    ships = [
        _read_ship(each, where, grid, terrain, most_hit_points)
        for where, each in _require_entries(state, "players", 2)
    ]
    first, second = ships
    nicks = (first.nick, second.nick)
    check_nicks(nicks)
    if first.cell == second.cell:
        raise BadPosition(catalogue.SHIPS_TOGETHER(tile=str(list(grid.tiles[first.cell]))))
    return Position(
        grid,
        terrain,
        (first, second),
        _require_int(state["round"], "round", 1, LAST_ROUND),
        Status(_require_one_of(state["status"], "status", tuple(Status))),
        tuple(
            _read_event(each, where, nicks, grid)
            for where, each in _require_entries(state, "events")
        ),
        _require_int(state["seed"], "seed", -MAX_SEED, MAX_SEED) if "seed" in state else None,
    )


def _read_tile(value: Any, where: str) -> tuple[Cube, Terrain]:
    tile = strict_json.require_object(value, where, BadPosition, ("coordinates", "terrain"))
    kind = Terrain(_require_one_of(tile["terrain"], f"{where}.terrain", tuple(Terrain)))
    return _cube(tile["coordinates"], f"{where}.coordinates"), kind


def _read_ship(
    value: Any, where: str, grid: HexGrid, terrain: Sequence[Terrain], most_hit_points: int
) -> Ship:
    keys = ("nick", "hitpoints", "coordinates", "score")
    ship = strict_json.require_object(value, where, BadPosition, keys)
    cell = _read_cell(ship["coordinates"], f"{where}.coordinates", grid)
    if terrain[cell] is not Terrain.LAND:
        tile = str(list(grid.tiles[cell]))
        raise BadPosition(
            catalogue.SHIP_NOT_ON_LAND(place=where, tile=tile, terrain=str(terrain[cell]))
        )
    return Ship(
        _require_text(ship["nick"], f"{where}.nick", MAX_NICK_LENGTH, BadPosition),
        _require_int(ship["hitpoints"], f"{where}.hitpoints", 0, most_hit_points),
        cell,
        _require_int(ship["score"], f"{where}.score", -MAX_SCORE, MAX_SCORE),
    )


# The keys of each type of event besides type and nick, in the order of writing.
_EVENTS: Mapping[str, tuple[str, ...]] = {
    "move": ("coordinates",),
    "collision": ("coordinates", "hitpoints", "reason"),
    "laser": ("start", "end"),
    "laser-hit": ("hitpoints",),
    "noop": ("reason",),
}


def _read_event(value: Any, where: str, nicks: Sequence[str], grid: HexGrid) -> Event:
    # The first description of the game writes ":laser-hit".
    kind = _require_type(value, where, (*_EVENTS, ":laser-hit"), BadPosition).removeprefix(":")
    keys = _EVENTS[kind]
    required = [key for key in keys if key != "reason"]
    event = strict_json.require_object(value, where, BadPosition, ("type", "nick", *required), keys)
    read: dict[str, Any] = {
        "type": kind,
        "nick": _require_one_of(event["nick"], f"{where}.nick", nicks),
    }
    for key in keys:
        at = f"{where}.{key}"
        if key == "hitpoints":
            read[key] = _require_int(event[key], at, 0, MAX_HIT_POINTS)
        elif key != "reason":
            read[key] = list(grid.tiles[_read_cell(event[key], at, grid)])
        elif "reason" in event:
            read[key] = _require_text(event[key], at, MAX_REASON_LENGTH, BadPosition)
    return read


# -- actions as JSON -------------------------------------------------------------------------


def read_action(text: str) -> Action:
    """An action from `{"type":"move","direction":[1,0,-1]}`, also `laser`, or a noop."""
    return _read_action(_load(text, MAX_ACTION_LENGTH, BadMove))


def read_answer(text: str) -> Action:
    """The action in a program's answer: a move or a laser. Other keys are ignored.

    Errors quote little of the answer: the opponent reads them.
    """
    try:
        scanned = strict_json.scan(text, len(text) - len(text.lstrip()))
    except strict_json.NotJson as error:
        raise BadMove(catalogue.NOT_JSON(problem=str(error))) from None
    if text[scanned.end :].strip():
        raise BadMove(catalogue.NOT_JSON_REST())
    if scanned.fault:
        raise BadMove(catalogue.HAS_FAULT(subject=catalogue.THE_JSON(), fault=scanned.fault))
    if not isinstance(scanned.value, dict):
        raise BadMove(catalogue.ANSWER_NO_OBJECT())
    kind, direction = scanned.value.get("type"), scanned.value.get("direction")
    if not isinstance(kind, str) or kind not in (ActionKind.MOVE, ActionKind.LASER):
        raise BadMove(catalogue.ANSWER_WRONG_TYPE(value=_short(kind)))
    step = tuple(direction) if isinstance(direction, list) and _is_int_triple(direction) else ()
    if step not in CUBE_STEPS:
        raise BadMove(catalogue.ANSWER_WRONG_DIRECTION(value=_short(direction)))
    return Action(ActionKind(kind), CUBE_STEPS.index(step))


def _short(value: Any) -> str | Sentence:
    return catalogue.MISSING() if value is None else excerpt(value, MAX_EXCERPT_LENGTH)


def write_action(action: Action) -> str:
    if action.heading is None:
        return strict_json.write({"type": action.kind, "reason": action.reason})
    return strict_json.write({"type": action.kind, "direction": CUBE_STEPS[action.heading]})


def _read_action(value: Any) -> Action:
    what = "an action"
    kind = ActionKind(_require_type(value, what, tuple(ActionKind), BadMove))
    if kind is ActionKind.NOOP:
        noop = strict_json.require_object(value, what, BadMove, ("type", "reason"))
        return Action(
            kind, reason=_require_text(noop["reason"], "reason", MAX_REASON_LENGTH, BadMove)
        )
    direction = strict_json.require_object(value, what, BadMove, ("type", "direction"))["direction"]
    if _is_int_triple(direction) and tuple(direction) in CUBE_STEPS:
        return Action(kind, CUBE_STEPS.index(tuple(direction)))
    steps = tuple(str(list(step)) for step in CUBE_STEPS)
    raise BadMove(catalogue.NOT_ONE_OF(what="direction", choices=steps, value=excerpt(direction)))


# -- values in JSON --------------------------------------------------------------------------


def _load(text: str, longest: int, error: type[LaserboardError]) -> Any:
    if len(text) > longest:
        raise error(catalogue.TEXT_TOO_LONG(length=len(text), most=longest))
    return strict_json.read(text, error)


def _require_entries(
    state: Mapping[str, Any], key: str, count: int | None = None
) -> list[tuple[str, Any]]:
    """The entries of an array, each with its place."""
    entries = strict_json.require_list(state[key], key, BadPosition, count)
    return [(f"{key}[{i}]", entry) for i, entry in enumerate(entries)]


def _require_type(value: Any, what: str, known: Sequence[str], error: type[LaserboardError]) -> str:
    """The `type` of an object, checked to be one of the known."""
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in known:
        types = tuple(map(str, known))
        raise error(catalogue.WRONG_TYPE(what=what, types=types, value=excerpt(value)))
    return kind


def _require_one_of(value: Any, where: str, known: Sequence[str]) -> str:
    if not isinstance(value, str) or value not in known:
        words = tuple(excerpt(str(word)) for word in known)
        raise BadPosition(catalogue.NOT_ONE_OF(what=where, choices=words, value=excerpt(value)))
    return value


def _require_int(value: Any, where: str, least: int, most: int) -> int:
    return strict_json.require_int(value, where, BadPosition, least, most)


def _require_text(value: Any, where: str, longest: int, error: type[LaserboardError]) -> str:
    flaw = _text_flaw(value, longest)
    if flaw:
        raise error(catalogue.TEXT_UNFIT(place=where, fit=flaw, value=excerpt(value)))
    return str(value)


def _text_flaw(value: Any, longest: int) -> Sentence | None:
    """The condition that a text for one line does not meet."""
    if not isinstance(value, str) or not value.strip():
        return catalogue.FIT_TEXT()
    if len(value) > longest:
        return catalogue.FIT_LENGTH(most=longest)
    if any(map(_is_forbidden, value)):
        return catalogue.FIT_CHARACTERS()
    return None


def _is_forbidden(char: str) -> bool:
    """Whether it is a control, a line end, or a lone surrogate, which UTF-8 cannot encode."""
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")


def _is_int_triple(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(type(n) is int for n in value)


def _cube(value: Any, where: str) -> Cube:
    if not _is_int_triple(value) or sum(value) != 0 or max(map(abs, value)) > MAX_COORDINATE:
        raise BadPosition(
            catalogue.NOT_COORDINATES(place=where, most=MAX_COORDINATE, value=excerpt(value))
        )
    return value[0], value[1], value[2]


def _read_cell(value: Any, where: str, grid: HexGrid) -> Cell:
    cell = grid.find(_cube(value, where))
    if cell is None:
        raise BadPosition(catalogue.NOT_ON_GRID(place=where, value=excerpt(value)))
    return cell
