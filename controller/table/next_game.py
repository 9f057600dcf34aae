"""The next game at a table: turns a request for a new game (`NewGame`) into a plan, and lists the
choices that the page offers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from controller.config.board_file import BoardFile, load_board_file, shipped_boards
from controller.config.play import parse_seat
from controller.session.board_fit import fit_board
from controller.session.clocks import TimeControl
from controller.session.setup import Seat
from controller.table import sentences
from controller.table.plan import GamePlan, plan_game
from engine import games
from engine.game import AnyGame
from engine.search import STRONGEST
from engine.sentences import sentence_json
from vision.board import BoardDoesNotFit

CLOCK_CHOICES = (
    "none",
    "3m+2s",
    "5m+3s",
    "10m",
    "10m+5s",
    "30s/move",
    "5m-delay-3s",
    "5m-bronstein-3s",
)


@dataclass(frozen=True)
class ScheduledGame:
    """A planned game and its board."""

    board_name: str  # or the path of its file
    plan: GamePlan

    @property
    def simulated(self) -> bool:
        return self.plan.setup.simulated

    def next_game(self, wanted: NewGame) -> ScheduledGame:
        """Plan the requested game; fields that are None stay as they are now."""
        before, plan = self.plan.setup, self.plan
        same = wanted.game in (None, before.game.name)
        game = before.game if same else games.make(wanted.game or "")
        place, file = self._board_for(game)
        setup: str | None
        if wanted.seed is None and game.setups():
            setup = game.setup(
                wanted.setup or (same and before.setup_name) or game.default_setup
            ).name
            position = game.start(setup)
        else:
            setup = None if wanted.setup is None else game.setup(wanted.setup).name
            position = game.start(setup, wanted.seed)
        first, second = (
            _next_seat(wanted, number, seat, before.game.players[number])
            for number, seat in enumerate(before.seats)
        )
        control = wanted.clock or before.time_control or "none"
        return ScheduledGame(
            place,
            plan_game(
                game,
                position,
                setup,
                (first, second),
                TimeControl.parse(control),
                board_name=place,
                board_file=file,
                simulated=self.simulated,
                preferences=plan.preferences,
                random_seed=plan.random_seed + 1,
                tournament_entry=before.tournament_entry,
                policies=before.policies,
            ),
        )

    def _board_for(self, game: AnyGame) -> tuple[str, BoardFile]:
        """This board if the game fits; at a simulated table else a shipped board for the game."""
        try:
            fit_board(self.plan.board_file.board, game)
            return self.board_name, self.plan.board_file
        except BoardDoesNotFit:
            if not self.simulated:
                raise
        return shipped_board_for(game)

    def new_game_choices(self) -> dict[str, Any]:
        """The games, levels and clocks that the page offers for a new game."""
        return {
            "games": [
                each for name in games.GAMES if (each := self._game_choice(games.make(name)))
            ],
            "levels": list(range(1, STRONGEST + 1)),
            "clocks": list(CLOCK_CHOICES),
        }

    def _game_choice(self, game: AnyGame) -> dict[str, Any] | None:
        try:
            self._board_for(game)
        except BoardDoesNotFit:
            return None
        return {
            "name": game.name,
            "title": game.title,
            "goal": sentence_json(game.goal),
            "sides": list(game.players),
            "setups": [
                {
                    "name": each.name,
                    "remark": None if each.remark is None else sentence_json(each.remark),
                }
                for each in game.setups().values()
            ],
            "seed": not game.setups(),
            "computer": game.computer_plays(game.start()),
        }


def shipped_board_for(game: AnyGame) -> tuple[str, BoardFile]:
    grid = game.start().grid
    for name in shipped_boards():
        file = load_board_file(name)
        if file.board.grid == grid:
            return name, file
    raise BoardDoesNotFit(sentences.NO_BOARD_MADE(game=game.title))


def _next_seat(wanted: NewGame, number: int, before: Seat, side: str) -> Seat:
    """The requested seat; without a request, the same as before.

    A person keeps their name, but the name of a side is that of the game before.
    """
    seat = before if wanted.seats is None else parse_seat(wanted.seats[number])
    if wanted.names is not None:
        return replace(seat, name=wanted.names[number])
    is_named = before.name != side and not (before.is_automated or seat.is_automated)
    return replace(seat, name=before.name if is_named else "")


@dataclass(frozen=True, slots=True)
class NewGame:
    """Request to start another game; this one is kept.

    A field that is None keeps its present value. Without a seed, a game whose map is drawn has its
    usual map.
    """

    game: str | None = None
    setup: str | None = None
    seed: int | None = None
    seats: tuple[str, str] | None = None
    names: tuple[str, str] | None = None
    clock: str | None = None
