"""Sessions of every game in the middle of play, and a keyboard to press keys on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from controller.config.board_file import load_board
from controller.session.board_fit import fit_board
from controller.session.clocks import Clocks, TimeControl
from controller.session.setup import Seat
from controller.session.state import Phase, PlayedTurn, Session, SessionSetup
from controller.simulation.requests import MakeMove
from controller.ui.intents import Intent, Reply
from controller.ui.terminal.keyboard import Keyboard
from engine import games
from engine.grid import Cell
from tests.support.engine.random_play import random_turn
from vision.infer import Exact

BOARDS = {"laser-chess": "demo-10x8", "photon": "photon-10x10", "spaceships": "hex-r5"}
KEYS = (
    *("up", "down", "left", "right", "enter", "space", "esc", "backspace", "tab", "redraw"),
    *"abcdefghijkoprtyuqxyzAFHTOYNCRPQZ0123456789+-,.[]<>{}/?!é",
)  # fmt: skip


def session(
    name: str = "laser-chess",
    turns: int = 0,
    *,
    position: str | None = None,
    clock: str = "5m+3s",
    computer: int | None = None,
    phase: Phase = Phase.TURN,
) -> Session:
    """A session after some random turns."""
    game, random = games.make(name), Random(7)
    now: Any = game.start() if position is None else game.read_position(position)
    clocks = Clocks.for_control(TimeControl.parse(clock))
    history = []
    for _ in range(turns):
        turn = random_turn(game, now, random)
        history.append(PlayedTurn(now, clocks, turn))
        now = turn.after
    top = fit_board(load_board(BOARDS[name]), game, None, now.grid)
    seats = (Seat("Ada"), Seat("Bob", computer))
    running = clocks.start(game.to_move(now), 0.0)
    return Session(
        setup=SessionSetup(fitted_board=top, seats=seats),
        position=now,
        clocks=running,
        phase=phase,
        history=tuple(history),
    )


@dataclass
class KeyboardUser:
    """Presses keys and collects the intents."""

    session: Session
    keyboard: Keyboard = field(default_factory=Keyboard)
    intents: list[Intent] = field(default_factory=list)

    def keys(self, *keys: str) -> list[Intent]:
        """Press keys; returns their intents."""
        before = len(self.intents)
        for key in keys:
            self.keyboard, intents = self.keyboard.press(key, self.session)
            self.intents += intents
        return self.intents[before:]

    def types(self, text: str) -> list[Intent]:
        keys: Iterable[str] = ("space" if sign == " " else sign for sign in text)
        return self.keys(*keys, "enter")

    def at(self, name: str) -> KeyboardUser:
        self.keyboard = replace(self.keyboard.for_session(self.session), cursor=self.cell(name))
        return self

    def cell(self, name: str) -> Cell:
        cell: Cell = self.session.position.grid.cell(name)
        return cell

    def name(self, cell: Cell | None) -> str:
        return "" if cell is None else self.session.position.grid.name(cell)

    def makes_on_table(self, make: Intent) -> KeyboardUser:
        """The move has been made on the table and inferred."""
        assert isinstance(make, MakeMove)
        turn = self.session.game.resolve(self.session.position, {make.player: make.move})
        self.session = replace(
            self.session, table=replace(self.session.table, inference=Exact((turn,), 9.0))
        )
        return self

    def written(self, intents: list[Intent]) -> list[str]:
        """Intents as text: moves in the game's notation, sentences in English."""
        game, position = self.session.game, self.session.position
        words = []
        for each in intents:
            match each:
                case MakeMove(player, move):
                    words.append(game.write_move(position, player, move))
                case Reply(sentence):
                    words.append(str(sentence))
                case _:
                    words.append(str(each))
        return words
