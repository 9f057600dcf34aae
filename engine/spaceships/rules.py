"""The rules of Spaceships. A round is both moves on the old position, then both lasers.

A ship with no hit points left stays until the round is over: it still fires and stops a beam.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from engine import catalogue
from engine.beam import Beam, BeamEvent, Emitter, Reaction, Step, relabel, trace
from engine.errors import BadOption, BadPosition, IllegalMove, UnknownName, excerpt
from engine.game import (
    MAX_SEED,
    ExpectedPiece,
    Loss,
    Mark,
    Outcome,
    Piece,
    Player,
    Setup,
    Turn,
    option,
)
from engine.grid import CUBE_STEPS, Cell, Heading, HexGrid
from engine.http_game import HttpGame, RoundEvent, Tally
from engine.sentences import Sentence
from engine.spaceships import state
from engine.spaceships.round_events import collision_of, move_target, round_event
from engine.spaceships.state import Action, ActionKind, Event, Position, Ship, Status
from engine.spaceships.terrain import MAX_RADIUS, Terrain, draw_map

if TYPE_CHECKING:
    from engine.spaceships.fast_state import FastSpaceships
    from engine.spaceships.tutorial import SpaceshipsTutorial

_MARKS = {
    Terrain.LAND: Mark.LAND,
    Terrain.VOID: Mark.VOID,
    Terrain.MOUNTAIN: Mark.MOUNTAIN,
}
_ACTIONS = tuple(make(h) for make in (Action.move, Action.laser) for h in range(len(CUBE_STEPS)))
_ANY_WAY = frozenset(range(len(CUBE_STEPS)))

Ships = tuple[Ship, Ship]


@dataclass(frozen=True)
class Spaceships(HttpGame[Position, Action]):
    """Two ships on hexagons. Both players move or fire simultaneously, in one of six directions."""

    collision_hp: int = option(5, "hit points that a collision costs", most=1000)
    collision_score: int = option(-5, "score for a collision", least=-1000, most=1000)
    hit_hp: int = option(20, "hit points that a laser takes", least=1, most=1000)
    hit_score: int = option(8, "score for hitting the other ship", least=-1000, most=1000)
    move_score: int = option(5, "score for a move to a free tile", least=-1000, most=1000)
    noop_score: int = option(-5, "score for doing nothing", least=-1000, most=1000)
    rounds: int = option(150, "how many rounds a game has at most", least=1, most=10_000)
    reach: int = option(12, "how many tiles a laser reaches", least=1, most=1000)
    radius: int = option(5, "tiles from the map's middle to its edge", least=1, most=MAX_RADIUS)
    hit_points: int = option(
        100, "hit points that a ship starts with", least=1, most=state.MAX_HIT_POINTS
    )

    name: ClassVar[str] = "spaceships"
    title: ClassVar[str] = "Spaceships"
    goal: ClassVar[Sentence] = catalogue.GOAL_SPACESHIPS()
    players: ClassVar[tuple[str, str]] = ("first", "second")
    letters: ClassVar[Mapping[str, str]] = {"ship": "S"}
    tags: ClassVar[Mapping[int, Piece]] = {12: Piece("ship", 0), 25: Piece("ship", 1)}

    # -- starting --------------------------------------------------------------------------

    def setups(self) -> Mapping[str, Setup]:
        return {}

    @property
    def default_setup(self) -> str:
        raise UnknownName(catalogue.NO_SETUPS(game=self.name))

    @property
    def default_seed(self) -> int:
        return 1

    def setup(self, name: str) -> Setup:
        raise UnknownName(catalogue.NO_SETUP_BUT_SEED(game=self.name, name=excerpt(name)))

    def start(self, setup: str | None = None, seed: int | None = None) -> Position:
        if setup is not None:
            self.setup(setup)
        return self.start_with(seed, self.players)

    def start_with(self, seed: int | None, nicks: tuple[str, str]) -> Position:
        """The start on the map of that seed, with players of these names."""
        state.check_nicks(nicks)
        seed = self.default_seed if seed is None else seed
        if abs(seed) > MAX_SEED:
            raise BadOption(catalogue.SEED_TOO_LONG(game=self.name))
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
            return _win_by_more(
                first.score, second.score, catalogue.BOTH_SHIPS_MORE_SCORE()
            ) or Outcome.draw(catalogue.BOTH_SHIPS_EQUAL_SCORE())
        if not first.hit_points or not second.hit_points:
            return _win_by_more(first.hit_points, second.hit_points, catalogue.SHIP_DESTROYED())
        if position.status != Status.OVER and position.round <= self.rounds:
            return None
        played = position.round - 1
        more_hit_points, more_score, equal = (
            (catalogue.MORE_HIT_POINTS_1, catalogue.MORE_SCORE_1, catalogue.EQUAL_AFTER_1)
            if played == 1
            else (catalogue.MORE_HIT_POINTS, catalogue.MORE_SCORE, catalogue.EQUAL_AFTER)
        )
        return (
            _win_by_more(first.hit_points, second.hit_points, more_hit_points(count=played))
            or _win_by_more(first.score, second.score, more_score(count=played))
            or Outcome.draw(equal(count=played))
        )

    def to_move(self, position: Position) -> tuple[Player, ...]:
        return (0, 1)

    def legal(self, position: Position, player: Player) -> Sequence[Action]:
        """Six moves and six lasers. A move that collides is legal, a noop is not."""
        if player not in self.to_move(position) or self.outcome(position) is not None:
            return ()
        return _ACTIONS

    def resolve(self, position: Position, moves: Mapping[Player, Action]) -> Turn[Position, Action]:
        self.check_movers(position, moves)
        if position.status == Status.PAUSE:
            raise IllegalMove(catalogue.GAME_PAUSED())
        actions = (moves[0], moves[1])
        flown, flights = self._fly(position, actions)
        aimed = replace(position, ships=_with_hit_points_before(flown, position.ships))
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
            beams=_label_ends(beams, losses),
            losses=losses,
            after=after,
            outcome=outcome,
            events=after.events,
        )

    def origin(self, position: Position, player: Player, move: Action) -> Cell | None:
        return None if move.kind == ActionKind.NOOP else position.ships[player].cell

    def marks(self, position: Position) -> Mapping[Cell, Mark]:
        return {cell: _MARKS[kind] for cell, kind in enumerate(position.terrain)}

    def simultaneous_game(self, position: Position) -> FastSpaceships:
        from engine.spaceships.fast_state import FastSpaceships  # lazy, for a quick start

        return FastSpaceships(self, position)

    def tutorial(self) -> SpaceshipsTutorial:
        from engine.spaceships.tutorial import SpaceshipsTutorial  # lazy, for a quick start

        return SpaceshipsTutorial(self)

    # -- on a table ------------------------------------------------------------------------

    def equivalent_orientations(self, piece: Piece) -> frozenset[int]:
        """All orientations: a ship faces a tile only to fire at it."""
        return _ANY_WAY

    def expected_after_moves(
        self,
        turn: Turn[Position, Action],
        seen_orientations: Mapping[Cell, int],
        moved_by_hand: Collection[Player] = (0, 1),
    ) -> Mapping[Cell, ExpectedPiece] | None:
        """A moving ship stands on its target, even before a collision. A firing ship faces it.

        None if a target is off the grid, or if both ships have the same target.
        """
        position, shown = turn.before, dict[Cell, ExpectedPiece]()
        for player, action in turn.moves:
            cell, ways = position.ships[player].cell, _ANY_WAY
            if player in moved_by_hand and action.heading is not None:
                if action.kind == ActionKind.LASER:
                    ways = frozenset({action.heading})
                else:
                    target = position.grid.ahead(cell, action.heading)
                    if target is None:
                        return None
                    cell = target
            if cell in shown:
                return None
            shown[cell] = ExpectedPiece("ship", player, ways)
        return shown

    # -- text ------------------------------------------------------------------------------

    def read_position(self, text: str) -> Position:
        return state.read_position(text, self.hit_points)

    def write_position(self, position: Position) -> str:
        return state.write_position(position)

    def full_hit_points(self, kind: str) -> int:
        return self.hit_points

    def with_pieces(
        self,
        position: Position,
        pieces: Mapping[Cell, Piece],
        mover: Player,
    ) -> Position:
        ships = [replace(ship, hit_points=0) for ship in position.ships]
        for cell, piece in pieces.items():
            if piece.kind != "ship" or ships[piece.owner].hit_points:
                raise BadPosition(catalogue.ONE_SHIP_EACH())
            points = max(1, piece.hit_points)
            ships[piece.owner] = replace(ships[piece.owner], hit_points=points, cell=cell)
        changed = replace(position, ships=(ships[0], ships[1]))
        return self.read_position(self.write_position(changed))

    def read_move(self, position: Position, player: Player, text: str) -> Action:
        """An action from its JSON. Noops are read too, since records contain them."""
        action = state.read_action(text)
        ended = self.outcome(position)
        if ended is not None:
            raise IllegalMove(catalogue.GAME_OVER(outcome=ended.sentence))
        if player not in self.to_move(position):
            raise IllegalMove(catalogue.NO_SUCH_PLAYER(player=player))
        return action

    def write_move(self, position: Position, player: Player, move: Action) -> str:
        return state.write_action(move)

    # -- for programs ----------------------------------------------------------------------

    def request_body(self, position: Position) -> str:
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

    def round_name(self, position: Position) -> Sentence:
        return catalogue.ROUND(round=min(position.round, self.rounds))

    def progress(self, position: Position) -> Sentence:
        return catalogue.ROUND_OF(round=min(position.round, self.rounds), rounds=self.rounds)

    def round_events(self, turn: Turn[Position, Action]) -> Sequence[RoundEvent]:
        return tuple(round_event(turn, event) for event in turn.events)

    # -- the parts of a round --------------------------------------------------------------

    def _fly(self, position: Position, actions: tuple[Action, Action]) -> tuple[Ships, list[Event]]:
        """Make both moves on the old position."""
        grid, ships, events = position.grid, list(position.ships), list[Event]()
        targets = [
            move_target(grid.tiles[ship.cell], action)
            for ship, action in zip(ships, actions, strict=True)
        ]
        for player, target in enumerate(targets):
            if target is None:
                continue
            ship = position.ships[player]
            event: dict[str, object] = {"type": "move", "nick": ship.nick}
            collision = collision_of(position, player, target, targets[1 - player])
            if collision is None:
                cell = grid.find(target)
                assert cell is not None, "a ship moves to a tile"
                ships[player] = _add_score(replace(ship, cell=cell), self.move_score)
                event["coordinates"] = list(target)
            else:
                lost = min(self.collision_hp, ship.hit_points)
                damaged_ship = replace(ship, hit_points=ship.hit_points - lost)
                ships[player] = _add_score(damaged_ship, self.collision_score)
                event |= {
                    "type": "collision",
                    "coordinates": list(grid.tiles[ship.cell]),
                    "hitpoints": lost,
                    "reason": collision.text,
                }
            events.append(event)
        return (ships[0], ships[1]), events

    def _fire(self, aimed: Position, actions: tuple[Action, Action]) -> tuple[Beam, ...]:
        """The beams of the firing ships. Mountains and the other ship stop them."""
        cells = [ship.cell for ship in aimed.ships]

        def surface(cell: Cell, heading: Heading) -> Reaction | None:  # noqa: ARG001
            if cell in cells:
                return Reaction(BeamEvent.DAMAGE)
            if aimed.terrain[cell] is Terrain.MOUNTAIN:
                return Reaction(BeamEvent.ABSORB)
            return None

        emitters = [
            Emitter(cells[player], action.heading, player)
            for player, action in enumerate(actions)
            if action.kind == ActionKind.LASER and action.heading is not None
        ]
        return trace(aimed.grid, emitters, surface, meeting=False, reach=self.reach)

    def _strike(
        self, flown: Ships, beams: Sequence[Beam], grid: HexGrid
    ) -> tuple[Ships, list[Event]]:
        """Apply the hits of all beams at once."""
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
        shooters = {beam.owner for beam in beams if beam.end.event is BeamEvent.DAMAGE}
        hits: list[Event] = []
        for player, ship in enumerate(flown):
            if 1 - player in shooters:
                lost = min(self.hit_hp, ship.hit_points)
                ships[player] = replace(ships[player], hit_points=ship.hit_points - lost)
                ships[1 - player] = _add_score(ships[1 - player], self.hit_score)
                hits.append({"type": "laser-hit", "nick": ship.nick, "hitpoints": lost})
        return (ships[0], ships[1]), lasers + hits

    def _idle(self, ships: Ships, actions: tuple[Action, Action]) -> tuple[Ships, list[Event]]:
        first, second = (
            _add_score(ship, self.noop_score) if action.kind == ActionKind.NOOP else ship
            for ship, action in zip(ships, actions, strict=True)
        )
        return (first, second), [
            {"type": "noop", "nick": ship.nick, "reason": action.reason}
            for ship, action in zip(ships, actions, strict=True)
            if action.kind == ActionKind.NOOP
        ]


def _add_score(ship: Ship, gain: int) -> Ship:
    most = state.MAX_SCORE
    return replace(ship, score=max(-most, min(most, ship.score + gain)))


def _with_hit_points_before(flown: Ships, before: Ships) -> Ships:
    """The ships on their new cells with their old hit points: no ship falls before the end."""
    first, second = (
        replace(ship, hit_points=old.hit_points) for ship, old in zip(flown, before, strict=True)
    )
    return first, second


def _losses(aimed: Position, after: Position) -> tuple[Loss, ...]:
    """The hit points that each ship lost by collisions and lasers."""
    pieces = aimed.pieces
    return tuple(
        Loss(ship.cell, pieces[ship.cell], ship.hit_points - left.hit_points)
        for ship, left in zip(aimed.ships, after.ships, strict=True)
        if left.hit_points < ship.hit_points
    )


def _label_ends(beams: Sequence[Beam], losses: Sequence[Loss]) -> tuple[Beam, ...]:
    """The beams with CAPTURE as last event where the ship they hit is destroyed."""
    events = {loss.cell: BeamEvent.CAPTURE if loss.removed else BeamEvent.DAMAGE for loss in losses}

    def end_event(end: Step) -> BeamEvent:
        return events[end.cell] if end.event is BeamEvent.DAMAGE else end.event

    return relabel(beams, end_event)


def _win_by_more(first: int, second: int, reason: Sentence) -> Outcome | None:
    """A win for the player with the larger number, None if they are equal."""
    return None if first == second else Outcome.win(0 if first > second else 1, reason)
