"""Any story at all: hands, buttons, wishes, bumps, full disks and power cuts, in any order.

Whatever happens, the journal tells exactly the turns that hands made and fired, and a game that
was cut off goes on from it.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from controller.clocks import Clocks, TimeControl
from controller.config import load_board
from controller.journal import Entry, following
from controller.played import GAME, Seat, Start, game_body, replay
from controller.ports import DeviceBack, DeviceLost
from controller.resume import resumed
from controller.session_values import Chosen, Phase, Session, Think, Wish, Write
from controller.tabletop import fitted
from engine import games
from engine.game import AnyTurn
from tests.controller.test_session import Play
from tests.vision.unkind import Tabletop as Table

BOARD = load_board("demo-10x8")
GAME_RULES = games.make()
RESTFUL = (Phase.TURN, Phase.WAITING_FOR_OTHER, Phase.CONFIRMING, Phase.MISMATCH)


class Kept(Play):
    """A table whose journal survives."""

    entries: list[Entry]

    def write(self, entry: Write) -> None:
        if self.disk:
            before = self.entries[-1]
            if entry.number == before.number + 1:
                self.entries.append(following(before, entry.kind, entry.body, entry.at_ms))
        super().write(entry)


class Story(RuleBasedStateMachine):
    """One game, and everything that may happen to it."""

    phases: ClassVar[Counter[Phase]] = Counter()

    @initialize(
        setup=st.sampled_from(["ace", "sophie"]),
        red=st.sampled_from([None, 1]),
        seed=st.integers(0, 999),
    )
    def begin(self, setup: str, red: int | None, seed: int) -> None:
        self.random = Random(seed)
        seats = (Seat("Ada"), Seat("Bob", red))
        control = "10m+5s"
        position = GAME_RULES.start(setup)
        begun = Start(GAME_RULES, seats, setup=setup, time_control=control)
        top = fitted(BOARD, GAME_RULES, None, position.grid)
        clocks = Clocks.of(TimeControl.read(control))
        self.play = Kept(
            Session(top, seats, position, clocks, entries=1), Table.of(GAME_RULES, position)
        )
        self.play.entries = [following(None, GAME, game_body(begun), 0)]
        self.fired: list[str] = []
        self.play.see()

    # -- what people do ------------------------------------------------------------------------

    def turn(self) -> AnyTurn:
        return self.random.choice(list(GAME_RULES.turns(self.play.session.position)))

    @precondition(lambda self: self.play.phase() is Phase.TURN)
    @rule()
    def make_a_turn(self) -> None:
        turn = self.turn()
        table = Table.of(GAME_RULES, self.play.session.position).after(GAME_RULES, turn)
        assert table is not None
        self.play.table = table
        self.play.see().presses(self.play.session.movers[0])
        self.settle_up()

    @precondition(lambda self: self.play.phase() is Phase.COMPUTER_THINKING)
    @rule()
    def the_computer_chooses(self) -> None:
        session = self.play.session
        question = next(e for e in reversed(self.play.effects) if isinstance(e, Think))
        turn = self.turn()
        ((player, move),) = turn.moves
        text = GAME_RULES.write_move(session.position, player, move)
        assert question.player == player
        self.play.happens(Chosen(player, text, self.play.at_ms))
        table = Table.of(GAME_RULES, session.position).after(GAME_RULES, turn)
        assert table is not None
        self.play.table = table
        self.play.see()
        self.settle_up()

    def settle_up(self) -> None:
        """Whatever was captured is taken off, and all stands as the position has it."""
        self.play.table = Table.of(GAME_RULES, self.play.session.position)
        self.play.see()

    @rule(player=st.integers(0, 1))
    def press(self, player: int) -> None:
        self.play.presses(player)

    @rule(by=st.integers(1, 3))
    def bump_a_piece(self, by: int) -> None:
        cells = sorted(self.play.table.tags)
        self.play.turns(self.play.table.grid.name(self.random.choice(cells)), by)
        self.settle_up()

    @rule(seconds=st.floats(0.1, 2.0))
    def cover_the_board(self, seconds: float) -> None:
        self.play.see(seconds, covered=range(30))
        self.play.see()

    @rule(wish=st.sampled_from([w for w in Wish if w is not Wish.RESIGN]), player=st.integers(0, 1))
    def wish(self, wish: Wish, player: int) -> None:
        self.play.asks(wish, player)
        self.settle_up()

    @precondition(lambda self: self.play.session.entries > 4)
    @rule(player=st.integers(0, 1))
    def resign(self, player: int) -> None:
        self.play.asks(Wish.RESIGN, player)

    @rule()
    def time_passes(self) -> None:
        self.play.later(20)

    @rule()
    def a_device_comes_and_goes(self) -> None:
        self.play.happens(DeviceLost("leds", "it was unplugged", self.play.at_ms))
        self.play.happens(DeviceBack("leds", self.play.at_ms))

    @precondition(lambda self: self.play.phase() is Phase.TURN)
    @rule()
    def the_disk_is_full_for_a_turn(self) -> None:
        self.play.disk = False
        self.make_a_turn()
        assert self.play.phase() in (Phase.PAUSED, Phase.TURN)
        self.play.disk = True
        self.play.asks(Wish.CONTINUE, 0)
        self.settle_up()

    @precondition(lambda self: self.play.phase() is not Phase.OVER)
    @rule()
    def the_power_is_cut(self) -> None:
        before = self.play
        after = Kept(resumed(before.entries, BOARD), before.table)
        after.entries, after.phases = before.entries, before.phases
        self.play = after
        self.settle_up()

    def teardown(self) -> None:
        if hasattr(self, "play"):
            Story.phases += self.play.phases

    # -- what always holds ---------------------------------------------------------------------

    @invariant()
    def the_journal_tells_the_game(self) -> None:
        if not hasattr(self, "play"):
            return
        session: Any = self.play.session
        played = replay(self.play.entries)
        assert played.fault is None, played.fault
        if not session.pending and not session.unwritten:
            assert GAME_RULES.write_position(played.position) == GAME_RULES.write_position(
                session.position
            )
        if session.phase is Phase.OVER:
            assert played.ended == session.outcome
        assert session.clocks.running == () or session.phase in (
            *RESTFUL,
            Phase.COMPUTER_THINKING,
        )


def test_any_story_leaves_a_journal_that_tells_it() -> None:
    """The same stories each time, which between them come to every phase."""
    Story.phases.clear()
    run_state_machine_as_test(
        Story,
        settings=settings(max_examples=20, stateful_step_count=30, deadline=None, derandomize=True),
    )
    print("reached:", ", ".join(f"{phase} {count}" for phase, count in Story.phases.items()))
    # Two who act at once, and turns that look alike, are in tests of their own.
    rare = {Phase.WAITING_FOR_OTHER, Phase.CONFIRMING}
    assert set(Phase) - Story.phases.keys() <= rare


@pytest.mark.slow
def test_many_stories_leave_journals_that_tell_them() -> None:
    run_state_machine_as_test(
        Story, settings=settings(max_examples=200, stateful_step_count=40, deadline=None)
    )
