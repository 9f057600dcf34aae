"""A game on a simulated table without a script: people say their moves, the computer its own.

Whoever decides, simulated hands carry it out, press fire and take off what was captured.
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from controller.deeds import deeds
from controller.session_values import Phase
from controller.simulation import Lines, Simulation, Unexpected
from engine.errors import LaserboardError
from engine.game import AnyTurn, Player

Ask = Callable[[Player], str | None]  # a move as its game writes it; None: no more


class FreePlay:
    """One game, turn by turn."""

    def __init__(self, simulation: Simulation, ask: Ask) -> None:
        self.simulation, self._ask = simulation, ask
        self.turns = 0

    def play(self, most_turns: int | None = None) -> Lines:
        """Until the game is over, nobody says any more, or so many turns were played."""
        simulation = self.simulation
        yield from simulation.settle()
        while self._phase() is not Phase.OVER and self.turns != most_turns:
            before = simulation.session.position
            match self._phase():
                case Phase.TURN:
                    turn = yield from self._asked()
                    if turn is None:
                        return
                    yield from self._make(turn)
                    for player, _ in turn.moves:
                        yield from simulation.press(player)
                case Phase.COMPUTER_TO_MOVE:
                    known = simulation.session.known
                    assert known is not None
                    yield from self._make(known)
                    yield from simulation.settle()
                case Phase.CLEARING:
                    for each in simulation.session.differences:
                        yield from simulation.take(each.cell)
                    yield from simulation.settle()
                    continue
                case phase:
                    raise Unexpected(f"the game stands still: {phase}")
            if self._phase() is Phase.CLEARING:
                yield from simulation.settle()
            if simulation.session.position is before:
                raise Unexpected("the turn that was made was not recognised")
            self.turns += 1

    def _phase(self) -> Phase:
        return self.simulation.session.phase

    def _asked(self) -> Generator[str, None, AnyTurn | None]:
        """The turn that people say: one move for each who is to move."""
        session = self.simulation.session
        game, position = session.table.game, session.position
        moves = {}
        for player in session.movers:
            while player not in moves:
                text = self._ask(player)
                if text is None:
                    return None
                try:
                    moves[player] = game.read_move(position, player, text)
                except LaserboardError as bad:
                    yield str(bad)
        return game.resolve(position, moves)

    def _make(self, turn: AnyTurn) -> Lines:
        session = self.simulation.session
        done = deeds(session.table.game, turn, session.facing)
        if done is None:
            raise Unexpected("no hands can show this turn on a table")
        for deed in done:
            yield from self.simulation.do(deed)
