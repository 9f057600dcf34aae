"""One game after another at one table: what somebody wants next becomes a plan, and what there is
to choose from can be told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from controller.agreement import Seat
from controller.beginning import Plan, agreed
from controller.clocks import TimeControl
from controller.config import BoardFile, load_board_file, shipped_boards
from controller.play_settings import read_seat
from controller.tabletop import fitted
from controller.web.commands import NewGame
from engine import games
from engine.game import AnyGame
from engine.search import STRONGEST
from vision.board import DoesNotFit

CLOCKS = ("none", "3m+2s", "5m+3s", "10m", "10m+5s", "30s/move", "5m-delay-3s", "5m-bronstein-3s")


@dataclass(frozen=True)
class Hosted:
    """A game to be played, and the board that it is played on: its name or its file."""

    place: str
    plan: Plan

    @property
    def simulated(self) -> bool:
        return self.plan.start.simulated

    @property
    def again(self) -> NewGame:
        """The same people, and the same game from its beginning."""
        start = self.plan.start
        sides = zip(start.seats, start.game.players, strict=True)
        first, second = (
            "" if seat.computer or seat.name == side else seat.name for seat, side in sides
        )
        return NewGame(None, None, None, None, (first, second), None)

    def next(self, wanted: NewGame) -> Hosted:
        """What is to be played then; what nobody says stays as it is."""
        before, plan = self.plan.start, self.plan
        same = wanted.game in (None, before.game.name)
        game = before.game if same else games.make(wanted.game or "")
        place, file = self._board(game)
        setup: str | None
        if wanted.seed is None and game.setups():
            setup = game.setup(wanted.setup or (same and before.setup) or game.default_setup).name
            position = game.start(setup)
        else:
            setup = None if wanted.setup is None else game.setup(wanted.setup).name
            position = game.start(setup, wanted.seed)
        first, second = (_seat(wanted, number, seat) for number, seat in enumerate(before.seats))
        control = wanted.clock or before.time_control or "none"
        return Hosted(
            place,
            agreed(
                game,
                position,
                setup,
                (first, second),
                TimeControl.read(control),
                place=place,
                file=file,
                simulated=self.simulated,
                habits=plan.habits,
                chance=plan.chance + 1,
                occasion=before.occasion,
                laws=before.laws,
            ),
        )

    def _board(self, game: AnyGame) -> tuple[str, BoardFile]:
        """This board, or one that is made for the game, if boards cost nothing."""
        try:
            fitted(self.plan.file.board, game)
            return self.place, self.plan.file
        except DoesNotFit:
            if not self.simulated:
                raise
        return made_for(game)

    def choices(self) -> dict[str, Any]:
        """What a new game can be, for a page to offer."""
        return {
            "games": [each for name in games.GAMES if (each := self._choice(games.make(name)))],
            "levels": list(range(1, STRONGEST + 1)),
            "clocks": list(CLOCKS),
        }

    def _choice(self, game: AnyGame) -> dict[str, Any] | None:
        try:
            self._board(game)
        except DoesNotFit:
            return None
        return {
            "name": game.name,
            "title": game.title,
            "goal": game.goal,
            "sides": list(game.players),
            "setups": [
                {"name": each.name, "remark": each.remark} for each in game.setups().values()
            ],
            "seed": not game.setups(),
            "computer": game.computer_plays(game.start()),
        }


def made_for(game: AnyGame) -> tuple[str, BoardFile]:
    grid = game.start().grid
    for name in shipped_boards():
        file = load_board_file(name)
        if file.board.grid == grid:
            return name, file
    raise DoesNotFit(f"no board is made for {game.title}")


def _seat(wanted: NewGame, number: int, before: Seat) -> Seat:
    """Who sits there: as it was, unless somebody says otherwise."""
    name = "" if wanted.names is None else wanted.names[number]
    if wanted.seats is not None:
        return read_seat(wanted.seats[number], name)
    return replace(before, name=name)
