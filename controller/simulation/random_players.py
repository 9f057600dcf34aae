"""Simulated players who choose random legal turns and log them.

They use only the rules and their own log (`turns_made`), never the session's position, so that the
log can be compared with the journal. Only the computer's moves are read from the session.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from controller.session import sentences
from controller.session.events import Request, Requested
from controller.session.guidance import guidance_for
from controller.session.move_options import can_be_shown
from controller.session.state import Phase, Session
from controller.simulation.game import SimulatedGame
from controller.simulation.hands import HANDS_TIMEOUT_MS, SimulationFailed
from engine.game import AnyTurn, Outcome, Player

CAPTURE_SEARCH_RATE = 0.5  # share of turns for which they look for a capture
SAMPLED_TURNS = 16  # random turns among which they look
WIN_VALUE = 1000  # more than all captures
MAX_CORRECTIONS = 4  # attempts to correct the board

_CORRECTION_PHASES = (Phase.SETTING_UP, Phase.CLEARING, Phase.MISMATCH)


class RandomPlayers:
    """All simulated players at one table."""

    def __init__(
        self,
        simulation: SimulatedGame,
        start_position: Any,
        rng: Random,
        turns_made: Sequence[AnyTurn] = (),
        on_turn_chosen: Callable[[AnyTurn], None] = lambda _: None,
    ) -> None:
        self._simulation, self._start_position, self._rng = simulation, start_position, rng
        self._game = simulation.session.game
        self._on_turn_chosen = on_turn_chosen  # called before the hands start
        self.turns_made = list(turns_made)
        self.outcome: Outcome | None = None
        self.asked = self.mismatches = 0  # times that these phases were entered

    @property
    def position(self) -> Any:
        return self.turns_made[-1].after if self.turns_made else self._start_position

    async def play(self, max_turns: int) -> None:
        """Play to the end; after `max_turns` turns the player to move resigns."""
        await self.correct_board()
        while (ended := self._game.outcome(self.position)) is None and len(
            self.turns_made
        ) < max_turns:
            await self.play_turn()
        self.outcome = ended or self._resign()
        if not await self._simulation.loop.wait_until(self._is_over, HANDS_TIMEOUT_MS):
            raise SimulationFailed(f"the game should be over, and is not: {self._describe_state()}")

    async def watch(self) -> None:
        """Count questions and mismatches at every tick."""
        loop, before = self._simulation.loop, self._session.phase
        while await loop.next_tick():
            now = self._session.phase
            self.asked += now is Phase.CHOOSING_TURN and before is not now
            self.mismatches += now is Phase.MISMATCH and before is not now
            before = now

    async def play_turn(self) -> None:
        """Play one turn of a person or the computer, until the table is ready for the next."""
        session = self._session
        match session.phase:
            case Phase.COMPUTER_TO_MOVE:
                turn = await self._make_computer_turn(session)
            case Phase.TURN | Phase.WAITING_FOR_OTHER:
                turn = await self._make_human_turn(session)
            case _:
                raise SimulationFailed(f"no player can move: {self._describe_state()}")
        self.turns_made.append(turn)
        if len(self._session.history) != len(self.turns_made):
            raise SimulationFailed(
                f"a turn that was made was not recognised: {self._describe_state()}"
            )
        await self.correct_board()

    async def correct_board(self) -> None:
        """Correct the board until the session asks for no more corrections."""
        hands = self._simulation.hands
        for _ in range(MAX_CORRECTIONS):
            await hands.wait_settled()
            differences = self._session.table.differences
            if self._session.phase not in _CORRECTION_PHASES:
                return
            if not differences:  # a cell is covered
                await hands.wait_seen()
                continue
            pieces = self.position.pieces
            if all(each.cell not in pieces for each in differences):
                for each in differences:
                    await hands.take_off(each.cell)
            else:
                cell = differences[0].cell
                await hands.reach_in(cell, lambda: hands.world.lay_out(self.position.pieces))
        raise SimulationFailed(f"the board cannot be corrected: {self._describe_state()}")

    # -- a turn --------------------------------------------------------------------------------

    async def _make_computer_turn(self, session: Session) -> AnyTurn:
        assert session.computer.turn is not None
        turn = self._game.resolve(self.position, dict(session.computer.turn.moves))
        self._on_turn_chosen(turn)
        await self._simulation.hands.make_turn(turn)
        await self._simulation.hands.wait_settled()
        return turn

    async def _make_human_turn(self, session: Session) -> AnyTurn:
        hands, turn = self._simulation.hands, self.choose_turn()
        people = [each for each, _ in turn.moves if not session.seats[each].is_automated]
        self._on_turn_chosen(turn)
        await hands.make_turn(turn, people)
        for player in people:
            await hands.press_fire(player)
        if self._session.phase is Phase.CHOOSING_TURN:
            await self._confirm_turn(turn, people[0])
        if len(people) == len(turn.moves) or len(self._session.history) == len(self.turns_made):
            return turn
        recorded = dict(self._session.history[-1].turn.moves)
        moves = {each: move if each in people else recorded[each] for each, move in turn.moves}
        return self._game.resolve(self.position, moves)

    async def _confirm_turn(self, turn: AnyTurn, player: Player) -> None:
        """Answer the session, which found several turns that look like this one."""
        loop = self._simulation.loop
        for choice, turns in enumerate(self._session.turn.choices):
            if turns[-1].moves == turn.moves:
                loop.dispatch(Requested(Request.CHOOSE, player, loop.now_ms(), choice))
                await self._simulation.hands.wait_idle()
                return
        raise SimulationFailed("the turn that was made is not among the choices")

    def choose_turn(self) -> AnyTurn:
        """A random turn; often the best of several, or games would not end."""
        sampled = SAMPLED_TURNS if self._rng.random() < CAPTURE_SEARCH_RATE else 1
        return max((self._random_turn() for _ in range(sampled)), key=self._turn_value)

    def _random_turn(self) -> AnyTurn:
        movers = self._game.to_move(self.position)
        return self._game.resolve(self.position, {each: self._random_move(each) for each in movers})

    def _random_move(self, player: Player) -> Any:
        legal = self._game.legal(self.position, player)
        for move in self._rng.sample(legal, len(legal)):
            if can_be_shown(self._game, self.position, player, move):
                return move
        raise SimulationFailed(f"no move of {self._game.players[player]} can be made by hand")

    def _turn_value(self, turn: AnyTurn) -> int:
        """The turn's value for its mover; if both move simultaneously, the number of hits."""
        movers = [player for player, _ in turn.moves]
        if turn.outcome is not None and turn.outcome.winner is not None:
            return WIN_VALUE if turn.outcome.winner in movers else -WIN_VALUE
        return sum(
            loss.hits if len(movers) > 1 or loss.piece.owner not in movers else -2 * loss.hits
            for loss in turn.losses
        )

    # -- the end -------------------------------------------------------------------------------

    def _resign(self) -> Outcome:
        loop, seats = self._simulation.loop, self._session.seats
        movers = self._game.to_move(self.position)
        player = next((each for each in movers if not seats[each].is_automated), 1 - movers[0])
        loop.dispatch(Requested(Request.RESIGN, player, loop.now_ms()))
        return Outcome.win(1 - player, sentences.RESIGNED())

    def _is_over(self) -> bool:
        session = self._session
        return session.phase is Phase.OVER and not session.writing.unwritten

    def _describe_state(self) -> str:
        now = guidance_for(self._session)
        reasons = "; ".join(map(str, (now.sentence, *now.reasons)))
        return f"{self._session.phase} after {len(self.turns_made)} turns ({reasons})"

    @property
    def _session(self) -> Session:
        return self._simulation.session
