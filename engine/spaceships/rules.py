"""The rules of Spaceships: one round is both moves on the old position, then both lasers on the
new one. Ships stand until the round is over: one brought to 0 hit points still stops a beam.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from engine.arena import Arena, Happening, Tally
from engine.beam import Beam, Emitter, Reaction, Step, What, relabel, trace
from engine.errors import BadOption, BadPosition, IllegalMove, UnknownName, excerpt
from engine.game import (
    LARGEST_SEED,
    Loss,
    Mark,
    Outcome,
    Piece,
    Player,
    Setup,
    Standing,
    Turn,
    option,
)
from engine.grid import CUBE_STEPS, Cell, Cube, Heading, HexGrid
from engine.spaceships import state
from engine.spaceships.state import Action, Event, Kind, Position, Ship, Status
from engine.spaceships.terrain import LARGEST_RADIUS, Terrain, draw_map

if TYPE_CHECKING:
    from engine.spaceships.duel import ShipDuel
    from engine.spaceships.primer import SpaceshipsPrimer

_MARKS = {
    Terrain.LAND: Mark.LAND,
    Terrain.VOID: Mark.VOID,
    Terrain.MOUNTAIN: Mark.MOUNTAIN,
}
_ACTIONS = tuple(make(h) for make in (Action.move, Action.laser) for h in range(len(CUBE_STEPS)))
_ANY_WAY = frozenset(range(len(CUBE_STEPS)))

Ships = tuple[Ship, Ship]


@dataclass(frozen=True)
class Spaceships(Arena[Position, Action]):
    """Two ships on hexagons. Both players act at once, by a move or a laser in six directions."""

    collision_hp: int = option(5, "hit points that a collision costs", most=1000)
    collision_score: int = option(-5, "score for a collision", least=-1000, most=1000)
    hit_hp: int = option(20, "hit points that a laser takes", least=1, most=1000)
    hit_score: int = option(8, "score for hitting the other ship", least=-1000, most=1000)
    move_score: int = option(5, "score for a move to a free tile", least=-1000, most=1000)
    noop_score: int = option(-5, "score for doing nothing", least=-1000, most=1000)
    rounds: int = option(150, "how many rounds a game has at most", least=1, most=10_000)
    reach: int = option(12, "how many tiles a laser reaches", least=1, most=1000)
    radius: int = option(5, "tiles from the map's middle to its edge", least=1, most=LARGEST_RADIUS)
    hit_points: int = option(
        100, "hit points that a ship starts with", least=1, most=state.MOST_HIT_POINTS
    )

    name: ClassVar[str] = "spaceships"
    title: ClassVar[str] = "Spaceships"
    goal: ClassVar[str] = "both ships act at once: fly or fire, and destroy the other"
    players: ClassVar[tuple[str, str]] = ("first", "second")
    letters: ClassVar[Mapping[str, str]] = {"ship": "S"}
    tags: ClassVar[Mapping[int, Piece]] = {12: Piece("ship", 0), 25: Piece("ship", 1)}

    # -- starting --------------------------------------------------------------------------

    def setups(self) -> Mapping[str, Setup]:
        return {}

    @property
    def default_setup(self) -> str:
        raise UnknownName(f"{self.name} has no setups: it starts from a seed")

    @property
    def default_seed(self) -> int:
        return 1

    def setup(self, name: str) -> Setup:
        raise UnknownName(f"{self.name} has no setup {excerpt(name)}: it starts from a seed")

    def start(self, setup: str | None = None, seed: int | None = None) -> Position:
        if setup is not None:
            self.setup(setup)
        return self.start_with(seed, self.players)

    def start_with(self, seed: int | None, nicks: tuple[str, str]) -> Position:
        """The start on the map of that seed, by players of these names."""
        state.check_nicks(nicks)
        seed = self.default_seed if seed is None else seed
        if abs(seed) > LARGEST_SEED:
            raise BadOption(f"{self.name}: the seed has more digits than a record can hold")
        drawn = draw_map(seed, self.radius)
        first, second = (
            Ship(nick, self.hit_points, cell)
            for nick, cell in zip(nicks, drawn.starts, strict=True)
        )
        return Position(drawn.grid, drawn.terrain, (first, second), seed=seed)

    # -- playing ---------------------------------------------------------------------------

    def outcome(self, position: Position) -> Outcome | None:
        first, second = position.ships
        if not first.hit_points and not second.hit_points:
            reason = "both ships destroyed"
            return _ahead(first.score, second.score, f"{reason}, more score") or Outcome.draw(
                f"{reason}, equal score"
            )
        if not first.hit_points or not second.hit_points:
            return _ahead(first.hit_points, second.hit_points, "ship destroyed")
        if position.status != Status.OVER and position.round <= self.rounds:
            return None
        played = position.round - 1
        when = f"after {played} round{'' if played == 1 else 's'}"
        return (
            _ahead(first.hit_points, second.hit_points, f"more hit points {when}")
            or _ahead(first.score, second.score, f"more score {when}")
            or Outcome.draw(f"equal {when}")
        )

    def to_move(self, position: Position) -> tuple[Player, ...]:
        return (0, 1)

    def legal(self, position: Position, player: Player) -> Sequence[Action]:
        """Six moves and six lasers; a move that collides is legal, and a noop is not chosen."""
        if player not in self.to_move(position) or self.outcome(position) is not None:
            return ()
        return _ACTIONS

    def resolve(self, position: Position, moves: Mapping[Player, Action]) -> Turn[Position, Action]:
        self.check_movers(position, moves)
        if position.status == Status.PAUSE:
            raise IllegalMove("the game is paused: nobody acts until it goes on")
        actions = (moves[0], moves[1])
        flown, flights = self._fly(position, actions)
        aimed = replace(position, ships=_unhurt(flown, position.ships))
        beams = self._fire(aimed, actions)
        struck, shots = self._strike(flown, beams, aimed.grid)
        ships, noops = self._idle(struck, actions)
        after = replace(
            position,
            ships=ships,
            round=position.round + 1,
            status=Status.PLAY,
            events=(*flights, *shots, *noops),
        )
        outcome = self.outcome(after)
        if outcome is not None:
            after = replace(after, status=Status.OVER)
        losses = _losses(aimed, after)
        return Turn(
            before=position,
            moves=tuple(enumerate(actions)),
            aimed=aimed,
            beams=_named(beams, losses),
            losses=losses,
            after=after,
            outcome=outcome,
            events=after.events,
        )

    def origin(self, position: Position, player: Player, move: Action) -> Cell | None:
        return None if move.kind == Kind.NOOP else position.ships[player].cell

    def marks(self, position: Position) -> Mapping[Cell, Mark]:
        return {cell: _MARKS[kind] for cell, kind in enumerate(position.terrain)}

    def duel(self, position: Position) -> ShipDuel:
        from engine.spaceships.duel import ShipDuel  # not before it is needed

        return ShipDuel(self, position)

    def primer(self) -> SpaceshipsPrimer:
        from engine.spaceships.primer import SpaceshipsPrimer  # not before it is needed

        return SpaceshipsPrimer(self)

    # -- on a table ------------------------------------------------------------------------

    def alike(self, piece: Piece) -> frozenset[int]:
        """A ship faces a tile only to fire that way."""
        return _ANY_WAY

    def carried_out(
        self,
        turn: Turn[Position, Action],
        facing: Mapping[Cell, int],
        hands: Collection[Player] = (0, 1),
    ) -> Mapping[Cell, Standing] | None:
        """Who moves stands on the tile, also on one that will turn out to be a collision; who
        fires faces the neighbour that way. No table has tiles off the grid, nor room for two
        ships on one."""
        position, shown = turn.before, dict[Cell, Standing]()
        for player, action in turn.moves:
            cell, ways = position.ships[player].cell, _ANY_WAY
            if player in hands and action.heading is not None:
                if action.kind == Kind.LASER:
                    ways = frozenset({action.heading})
                else:
                    target = position.grid.ahead(cell, action.heading)
                    if target is None:
                        return None
                    cell = target
            if cell in shown:
                return None
            shown[cell] = Standing("ship", player, ways)
        return shown

    # -- text ------------------------------------------------------------------------------

    def read_position(self, text: str) -> Position:
        return state.read_position(text, self.hit_points)

    def write_position(self, position: Position) -> str:
        return state.write_position(position)

    def unhurt(self, kind: str) -> int:
        return self.hit_points

    def arranged(
        self,
        position: Position,
        pieces: Mapping[Cell, Piece],
        mover: Player,
    ) -> Position:
        ships = [replace(ship, hit_points=0) for ship in position.ships]
        for cell, piece in pieces.items():
            if piece.kind != "ship" or ships[piece.owner].hit_points:
                raise BadPosition("each side has one ship, and nothing else")
            points = max(1, piece.hit_points)
            ships[piece.owner] = replace(ships[piece.owner], hit_points=points, cell=cell)
        put = replace(position, ships=(ships[0], ships[1]))
        return self.read_position(self.write_position(put))

    def read_move(self, position: Position, player: Player, text: str) -> Action:
        """An action from its JSON; a noop is read too, since records have them."""
        action = state.read_action(text)
        ended = self.outcome(position)
        if ended is not None:
            raise IllegalMove(f"the game is over: {ended}")
        if player not in self.to_move(position):
            raise IllegalMove(f"there is no player {player}: they are 0 and 1")
        return action

    def write_move(self, position: Position, player: Player, move: Action) -> str:
        return state.write_action(move)

    # -- for programs ----------------------------------------------------------------------

    def request(self, position: Position) -> str:
        return state.write_state(position)

    def read_answer(self, text: str) -> Action:
        return state.read_answer(text)

    def no_answer(self, reason: str) -> Action:
        return Action.noop(reason)

    def tallies(self, position: Position) -> tuple[Tally, Tally]:
        first, second = (
            Tally(ship.nick, ship.hit_points, self.hit_points, ship.score)
            for ship in position.ships
        )
        return first, second

    def clock(self, position: Position) -> str:
        return f"round {min(position.round, self.rounds)} of {self.rounds}"

    def happenings(self, turn: Turn[Position, Action]) -> Sequence[Happening]:
        return tuple(_told(turn, event) for event in turn.events)

    # -- the parts of a round --------------------------------------------------------------

    def _fly(self, position: Position, actions: tuple[Action, Action]) -> tuple[Ships, list[Event]]:
        """Make both moves on the old position."""
        grid, ships, events = position.grid, list(position.ships), list[Event]()
        targets = [
            _target(grid.tiles[ship.cell], action)
            for ship, action in zip(ships, actions, strict=True)
        ]
        for player, target in enumerate(targets):
            if target is None:
                continue
            ship = position.ships[player]
            event: dict[str, object] = {"type": "move", "nick": ship.nick}
            reason = _obstacle(position, player, target, targets[1 - player])
            if reason is None:
                cell = grid.find(target)
                assert cell is not None, "a ship moves to a tile"
                ships[player] = _scored(replace(ship, cell=cell), self.move_score)
                event["coordinates"] = list(target)
            else:
                lost = min(self.collision_hp, ship.hit_points)
                hurt = replace(ship, hit_points=ship.hit_points - lost)
                ships[player] = _scored(hurt, self.collision_score)
                event |= {
                    "type": "collision",
                    "coordinates": list(grid.tiles[ship.cell]),
                    "hitpoints": lost,
                    "reason": reason,
                }
            events.append(event)
        return (ships[0], ships[1]), events

    def _fire(self, aimed: Position, actions: tuple[Action, Action]) -> tuple[Beam, ...]:
        """The beams of those who fire; each passes all but mountains and the other ship."""
        cells = [ship.cell for ship in aimed.ships]

        def surface(cell: Cell, heading: Heading) -> Reaction | None:  # noqa: ARG001
            if cell in cells:
                return Reaction(What.DAMAGE)
            if aimed.terrain[cell] is Terrain.MOUNTAIN:
                return Reaction(What.ABSORB)
            return None

        emitters = [
            Emitter(cells[player], action.heading, player)
            for player, action in enumerate(actions)
            if action.kind == Kind.LASER and action.heading is not None
        ]
        return trace(aimed.grid, emitters, surface, meeting=False, reach=self.reach)

    def _strike(
        self, flown: Ships, beams: Sequence[Beam], grid: HexGrid
    ) -> tuple[Ships, list[Event]]:
        """Count the hits of all beams, which arrive at once."""
        ships = list(flown)
        lasers: list[Event] = [
            {
                "type": "laser",
                "nick": flown[beam.owner].nick,
                "start": list(grid.tiles[beam.path[0]]),
                "end": list(grid.tiles[beam.path[-1]]),
            }
            for beam in beams
        ]
        shooters = {beam.owner for beam in beams if beam.end.what is What.DAMAGE}
        hits: list[Event] = []
        for player, ship in enumerate(flown):
            if 1 - player in shooters:
                lost = min(self.hit_hp, ship.hit_points)
                ships[player] = replace(ships[player], hit_points=ship.hit_points - lost)
                ships[1 - player] = _scored(ships[1 - player], self.hit_score)
                hits.append({"type": "laser-hit", "nick": ship.nick, "hitpoints": lost})
        return (ships[0], ships[1]), lasers + hits

    def _idle(self, ships: Ships, actions: tuple[Action, Action]) -> tuple[Ships, list[Event]]:
        first, second = (
            _scored(ship, self.noop_score) if action.kind == Kind.NOOP else ship
            for ship, action in zip(ships, actions, strict=True)
        )
        return (first, second), [
            {"type": "noop", "nick": ship.nick, "reason": action.reason}
            for ship, action in zip(ships, actions, strict=True)
            if action.kind == Kind.NOOP
        ]


def _target(tile: Cube, action: Action) -> Cube | None:
    """The tile that a ship moves to, on the grid or not; None if it does not move."""
    if action.kind != Kind.MOVE or action.heading is None:
        return None
    (q, r, s), (dq, dr, ds) = tile, CUBE_STEPS[action.heading]
    return q + dq, r + dr, s + ds


def _obstacle(position: Position, player: Player, target: Cube, other: Cube | None) -> str | None:
    """Why a ship cannot come to `target` while the other one moves to `other`."""
    where, cell = list(target), position.grid.find(target)
    if cell is None:
        return f"off the grid at {where}"
    if position.terrain[cell] is not Terrain.LAND:
        return f"{position.terrain[cell]} at {where}"
    if cell == position.ships[1 - player].cell:
        return f"the other ship held {where}"
    if target == other:
        return f"both moved to {where}"
    return None


def _scored(ship: Ship, gain: int) -> Ship:
    most = state.LARGEST_SCORE
    return replace(ship, score=max(-most, min(most, ship.score + gain)))


def _unhurt(flown: Ships, before: Ships) -> Ships:
    """The ships where they have flown to, as whole as they were: who falls, stands till then."""
    first, second = (
        replace(ship, hit_points=old.hit_points) for ship, old in zip(flown, before, strict=True)
    )
    return first, second


def _losses(aimed: Position, after: Position) -> tuple[Loss, ...]:
    """What collisions and lasers took from each ship."""
    pieces = aimed.pieces
    return tuple(
        Loss(ship.cell, pieces[ship.cell], ship.hit_points - left.hit_points)
        for ship, left in zip(aimed.ships, after.ships, strict=True)
        if left.hit_points < ship.hit_points
    )


def _named(beams: Sequence[Beam], losses: Sequence[Loss]) -> tuple[Beam, ...]:
    """The beams, their last steps named by what became of the ship they hit."""
    fates = {loss.cell: What.CAPTURE if loss.removed else What.DAMAGE for loss in losses}

    def fate(end: Step) -> What:
        return fates[end.cell] if end.what is What.DAMAGE else end.what

    return relabel(beams, fate)


def _ahead(first: int, second: int, reason: str) -> Outcome | None:
    """A win for the player who has more, None if nobody has."""
    return None if first == second else Outcome.win(0 if first > second else 1, reason)


def _told(turn: Turn[Position, Action], event: Event) -> Happening:
    """One event in words."""
    grid = turn.before.grid
    player = [ship.nick for ship in turn.before.ships].index(event["nick"])

    def name(key: str) -> str:
        cell = grid.find(tuple(event[key]))
        return "?" if cell is None else grid.name(cell)

    match event["type"]:
        case "move":
            return Happening(player, f"flies to {name('coordinates')}")
        case "collision":
            why = str(event["reason"]).partition(" at [")[0].partition(" held [")[0]
            why = why.replace("both moved to", "both came to").partition(" [")[0]
            return Happening(player, f"collides ({why}), -{event['hitpoints']} hp", amiss=True)
        case "laser":
            return Happening(player, f"fires {name('start')} to {name('end')}")
        case "laser-hit":
            return Happening(player, f"is hit, -{event['hitpoints']} hp", hit=True)
        case _:
            return Happening(player, f"does nothing: {event['reason']}", amiss=True)
