"""Stores games of random turns in the folder of games."""

from __future__ import annotations

from random import Random

from controller.devices.factory.clocks import system_clock
from controller.devices.factory.journals import open_journal
from controller.session.clocks import Clocks, TimeControl
from controller.session.replay import RESULT, TURN, result_body, turn_body
from controller.session.sentences import AGREED
from controller.session.setup import GAME, GameSetup, PuzzleGoal, Seat, setup_body
from controller.storage.games import games_folder, new_journal_path
from engine import games
from engine.game import Outcome
from tests.support.engine.random_play import random_turn

TURNS = 6


def store_game(name: str, turns: int = TURNS, goal: PuzzleGoal | None = None) -> str:
    """Store a game of random turns and return its name."""
    game, random = games.make(name), Random(5)
    seats = Seat("Ada"), Seat("Bob", 3)
    start = GameSetup(game, seats, time_control="5m", started="2026-03-01 10:00", puzzle_goal=goal)
    path = new_journal_path(games_folder(), "2026-03-01")
    path.parent.mkdir(parents=True, exist_ok=True)
    journal, _ = open_journal(path, system_clock(), lambda: None)
    journal.write(GAME, setup_body(start), 0.0)
    position, clocks = start.first_position(), Clocks.for_control(TimeControl.parse("5m"))
    for _ in range(turns):
        turn = random_turn(game, position, random)
        journal.write(TURN, turn_body(game, turn, clocks), 0.0)
        position = turn.after
        if turn.outcome is not None:
            break
    else:
        if turns:
            journal.write(RESULT, result_body(Outcome.draw(AGREED())), 0.0)
    journal.close()
    return path.stem
