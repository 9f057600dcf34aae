"""A new game at a table: the values of its arguments, and the plan made of them.

The board file supplies missing values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from controller.config.board_file import BoardFile
from controller.config.play import parse_seat
from controller.session.board_fit import fit_board
from controller.session.clocks import TimeControl
from controller.session.setup import Seat, TournamentEntry
from controller.table.plan import GamePlan, plan_game
from controller.ui.console import BadInput, Console
from controller.ui.hosting import sentences
from controller.ui.hosting.preferences import preferences_from, warn_slow_engine
from controller.ui.position_options import PositionOptions
from engine.errors import excerpt
from engine.game import AnyGame

SIDES_BY_ORDER = ("first", "second")  # valid for every game, whatever its sides are called
MAX_NAME_LENGTH = 40  # characters, as in a board file


@dataclass(frozen=True, slots=True)
class EventOptions:
    """The tournament of a game; None: not given."""

    event: str | None = None
    round: int | None = None
    table_number: int | None = None
    names: Sequence[str] | None = None
    broker_flags: Sequence[str] = ()  # those that were given

    def given_flags(self) -> list[str]:
        """The flags that were given, apart from those of the broker."""
        values = {
            "event": self.event,
            "round": self.round,
            "table": self.table_number,
            "names": self.names,
        }
        return [f"--{flag}" for flag, value in values.items() if value is not None]

    def tournament_entry(self, file: BoardFile) -> TournamentEntry | None:
        """Event, round and table of the game; None without an event."""
        if self.event is not None:
            table = self.table_number or file.event.table or 1
            return TournamentEntry(self.event, self.round or 1, table)
        lone = [flag for flag in self.given_flags() if flag != "--names"]
        for flag in (*lone, *self.broker_flags):
            raise BadInput(sentences.FLAG_NEEDS_EVENT(flag=flag))
        return None

    def name_seats(self, seats: Sequence[Seat]) -> tuple[Seat, ...]:
        """The same seats, with the names that were given."""
        if self.names is None:
            return tuple(seats)
        for name in self.names:
            if not 0 < len(name.strip()) <= MAX_NAME_LENGTH or not name.isprintable():
                raise BadInput(sentences.BAD_PLAYER_NAME(value=excerpt(name), most=MAX_NAME_LENGTH))
        return tuple(
            replace(seat, name=" ".join(name.split()))
            for seat, name in zip(seats, self.names, strict=True)
        )


@dataclass(frozen=True, slots=True)
class GameOptions:
    """A new game; None: as the board file says."""

    position: PositionOptions
    seats: Mapping[str, str | None]  # by `SIDES_BY_ORDER`, or the name of the side
    clock: str | None
    fire: str | None
    random_seed: int
    event: EventOptions
    refereed: bool = False

    def given_flags(self) -> list[str]:
        """The flags of settings that a resumed game keeps."""
        players = [f"--{side}" for side, who in self.seats.items() if who is not None]
        clock = [] if self.clock is None else ["--clock"]
        return [*self.position.given_flags(), *players, *clock, *self.event.given_flags()]

    @property
    def names_player(self) -> bool:
        return any(who is not None for who in self.seats.values())


def plan_new_game(
    choice: GameOptions, board_name: str, file: BoardFile, console: Console, *, simulated: bool
) -> GamePlan:
    """Plan a new game from the choice, else from the board file."""
    play, start = file.play, choice.position
    if not start.given_flags():
        start = replace(start, setup=play.setup)
    start = start.with_default_game(play.game or fit_board(file.board).game.name)
    game, position = start.make_position(console)
    seats = [
        usual if given is None else parse_seat(given, usual.name)
        for given, usual in zip(_chosen_seats(choice.seats, game), play.seats, strict=True)
    ]
    first, second = choice.event.name_seats(seats)
    if any(seat.level for seat in seats):
        warn_slow_engine(game, console)
    named = start.position is None and start.seed is None and bool(game.setups())
    return plan_game(
        game,
        position,
        start.setup or game.default_setup if named else None,
        (first, second),
        TimeControl.parse(choice.clock) if choice.clock is not None else play.clock,
        board_name=board_name,
        board_file=file,
        simulated=simulated,
        preferences=preferences_from(choice.fire, file, choice.refereed),
        random_seed=choice.random_seed,
        tournament_entry=choice.event.tournament_entry(file),
        policies=file.referee.policies if choice.refereed else None,
    )


def _chosen_seats(seats_by_side: Mapping[str, str | None], game: AnyGame) -> list[str | None]:
    """The seats of both players, chosen by order or by the name of the side."""
    for side, who in seats_by_side.items():
        if who is not None and side not in (*SIDES_BY_ORDER, *game.players):
            players = " and ".join(f"--{each}" for each in game.players)
            raise BadInput(sentences.NOT_A_PLAYER_OF(side=side, game=game.title, players=players))
    seats: list[str | None] = []
    for order, side in zip(SIDES_BY_ORDER, game.players, strict=True):
        flags = dict.fromkeys((order, side))  # in some games the sides are called by their order
        named = [who for flag in flags if (who := seats_by_side.get(flag)) is not None]
        if len(named) > 1:
            raise BadInput(sentences.SAME_PLAYER(first=order, second=side, game=game.title))
        seats.append(named[0] if named else None)
    return seats
