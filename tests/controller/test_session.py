"""The flow of a game, event by event, by a clock of our own and a table seen perfectly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from controller.clocks import Clocks, TimeControl
from controller.config import load_board
from controller.guide import guide
from controller.played import Seat
from controller.ports import DeviceBack, DeviceLost, Pressed, WriteFailed, Written
from controller.session import step
from controller.session_values import (
    Asked,
    Chosen,
    Effect,
    Event,
    Fire,
    Observed,
    Phase,
    Say,
    Session,
    Shown,
    StopThinking,
    Think,
    Tick,
    Wish,
    Write,
)
from controller.tabletop import fitted
from engine import games
from engine.grid import Cell
from tests.vision.unkind import Tabletop as Table
from tests.vision.unkind import clearly
from vision.observation import Observation, Sighting, State

FRAME_MS = 100.0
BLUE, RED = 0, 1
# Blue's mirror on j4; Red's on c5 is struck from j5.
DUEL = "l++9/4k5/*/2b7/9B/*/*/4K4L"


@dataclass
class Play:
    """A game at a table: hands act, frames come, and effects are carried out at once."""

    session: Session
    table: Table
    at_ms: float = 0.0
    written: list[Write] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    disk: bool = True
    lamps: bool = True
    phases: Counter[Phase] = field(default_factory=Counter)  # after each event

    def happens(self, event: Event) -> None:
        self.session, effects = step(self.session, event)
        self.effects += effects
        self.phases[self.session.phase] += 1
        for effect in effects:
            match effect:
                case Say(sentence):
                    self.said.append(sentence)
                case Write():
                    self.write(effect)
                case Fire() if self.lamps:
                    self.happens(Shown(self.at_ms))
                case _:
                    continue

    def write(self, entry: Write) -> None:
        if self.disk:
            self.written.append(entry)
            self.happens(Written(entry.number, self.at_ms))
        else:
            self.happens(WriteFailed(entry.number, "the disk is full: free some space", self.at_ms))

    def see(self, seconds: float = 1.5, covered: Collection[Cell] = ()) -> Play:
        grid = self.table.grid
        sightings = tuple(
            Sighting(State.COVERED)
            if cell in covered
            else Sighting(State.OCCUPIED, *self.table.tags[cell], confidence=0.99)
            if cell in self.table.tags
            else Sighting(State.EMPTY, confidence=0.99)
            for cell in range(grid.size)
        )
        seen = Observation(grid, sightings, clearly(self.table, covered), changed=frozenset())
        for _ in range(round(1000 * seconds / FRAME_MS)):
            self.at_ms += FRAME_MS
            self.happens(Observed(seen, self.at_ms))
        return self

    def cell(self, name: str) -> Cell:
        return self.table.grid.cell(name)

    def moves(self, source: str, target: str) -> Play:
        self.table = self.table.moved(self.cell(source), self.cell(target))
        return self.see()

    def turns(self, name: str, by: int) -> Play:
        self.table = self.table.turned(self.cell(name), by)
        return self.see()

    def takes(self, name: str) -> Play:
        self.table = self.table.without(self.cell(name))
        return self.see()

    def presses(self, player: int) -> Play:
        self.happens(Pressed(f"fire {player}", self.at_ms))
        return self

    def asks(self, wish: Wish, player: int, choice: int = 0) -> Play:
        self.happens(Asked(wish, player, self.at_ms, choice))
        return self

    def later(self, seconds: float) -> Play:
        self.at_ms += 1000 * seconds
        self.happens(Tick(self.at_ms))
        return self

    def phase(self) -> Phase:
        return self.session.phase

    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.written]


def play(
    position: str = DUEL,
    clock: str = "none",
    red_level: int | None = None,
) -> Play:
    """Two at a table that is set up."""
    rules = games.make()
    start: Any = rules.read_position(position)
    top = fitted(load_board("demo-10x8"), rules, None, start.grid)
    seats = (Seat("Ada"), Seat("Bob", red_level))
    session = Session(top, seats, start, Clocks.of(TimeControl.read(clock)))
    return Play(session, Table.of(rules, start)).see()


# -- a turn ------------------------------------------------------------------------------------


def test_a_game_begins_when_the_board_is_right() -> None:
    rules = games.make()
    start = rules.read_position(DUEL)
    top = fitted(load_board("demo-10x8"), rules, None, start.grid)
    table = Table.of(rules, start)
    session = Session(top, (Seat("Ada"), Seat("Bob")), start, Clocks())
    game = Play(session, table.without(start.grid.cell("j4"))).see()
    assert game.phase() is Phase.SETTING_UP
    assert [each.cell for each in game.session.differences] == [start.grid.cell("j4")]
    game.table = table
    assert game.see().phase() is Phase.TURN


def test_a_move_is_written_before_its_beam_runs() -> None:
    game = play()
    game.disk = False
    game.moves("j4", "j5").presses(BLUE)
    assert not any(isinstance(effect, Fire) for effect in game.effects)
    assert game.phase() is Phase.PAUSED
    assert "the disk is full: free some space" in game.said
    game.disk = True
    game.asks(Wish.CONTINUE, BLUE)
    assert game.kinds() == ["turn"]
    assert any(isinstance(effect, Fire) for effect in game.effects)


def test_a_captured_piece_is_taken_off_before_play_goes_on() -> None:
    game = play().moves("j4", "j5").presses(BLUE).see()
    assert game.phase() is Phase.CLEARING
    assert "take red's deflector from c5" in game.said
    assert game.takes("c5").phase() is Phase.TURN
    assert guide(game.session).sentence == "red to move"


def test_a_captured_piece_may_be_gone_before_the_beam_has_run() -> None:
    game = play()
    game.lamps = False
    game.moves("j4", "j5").presses(BLUE)
    assert game.phase() is Phase.FIRING
    game.takes("c5")
    game.happens(Shown(game.at_ms))
    assert game.see().phase() is Phase.TURN


def test_nothing_happens_before_somebody_presses() -> None:
    game = play().moves("j4", "j5").see(10)
    assert game.phase() is Phase.TURN
    assert game.written == []
    assert guide(game.session).sentence == "blue j4 to j5 · c5 captured: press fire"


def test_firing_an_unchanged_board_is_no_move() -> None:
    game = play().presses(BLUE)
    assert game.said[-1] == "no move made yet"
    assert game.written == []


def test_a_press_before_the_table_has_settled_counts_when_it_has() -> None:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    game.see(0.1, covered=range(20)).presses(BLUE)
    assert game.said[-1] == "hands off the board, please"
    assert game.written == []
    game.see()
    assert game.kinds() == ["turn"]


def test_only_whose_turn_it_is_can_fire() -> None:
    game = play().moves("j4", "j5").presses(RED)
    assert game.said[-1] == "it is the turn of blue"
    assert game.written == []


def test_what_is_no_move_is_named_and_can_be_put_right() -> None:
    game = play().moves("j4", "j7").presses(BLUE)
    assert game.phase() is Phase.MISMATCH
    assert {game.table.grid.name(each.cell) for each in game.session.differences} == {"j4", "j7"}
    assert game.written == []
    assert game.moves("j7", "j4").phase() is Phase.TURN


def test_a_move_that_cannot_be_told_from_another_is_asked_for() -> None:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    hidden = [game.cell(name) for name in ("j5", "i4")]
    game.see(6, covered=hidden).presses(BLUE)
    assert game.phase() is Phase.CONFIRMING
    assert game.said[-1].startswith("which was it: ")
    assert game.written == []
    names = guide(game.session).reasons
    assert {name[: len("blue j4 to j5")] for name in names} == {"blue j4 to j5", "blue j4 to i4"}
    game.asks(Wish.CHOOSE, BLUE, len(names))
    assert game.said[-1] == "choose 1 to 2"
    wanted = next(i for i, name in enumerate(names) if name.startswith("blue j4 to j5"))
    game.asks(Wish.CHOOSE, BLUE, wanted)
    assert [entry.body["moves"] for entry in game.written] == [{"blue": "j4j5xc5"}]


def test_an_illegal_move_is_told_by_its_rule_with_what_would_be_legal() -> None:
    game = play().moves("j4", "j7").presses(BLUE)
    rule = "a piece moves one square, in any of the 8 directions"
    assert game.said[-1] == f"j4 to j7: {rule}; it may go to i3, i4, i5, j3, j5"


def test_what_is_no_move_of_one_piece_is_told_cell_by_cell() -> None:
    game = play()
    game.table = game.table.turned(game.cell("e7"), 1).turned(game.cell("c5"), 2)
    game.see().presses(BLUE)
    assert game.said[-1] == "c5: the deflector of red should be turned half round"


# -- the computer ------------------------------------------------------------------------------


def test_the_computer_chooses_people_carry_out_and_the_camera_checks() -> None:
    game = play(red_level=3).moves("j4", "j3").presses(BLUE).see()
    assert game.phase() is Phase.COMPUTER_THINKING
    thought = [effect for effect in game.effects if isinstance(effect, Think)]
    assert [(each.player, each.level) for each in thought] == [(RED, 3)]
    game.happens(Chosen(RED, "e7e6", game.at_ms))
    assert game.phase() is Phase.COMPUTER_TO_MOVE
    assert game.see().phase() is Phase.COMPUTER_TO_MOVE
    assert len(game.written) == 1
    game.moves("e7", "d7")
    assert game.phase() is Phase.MISMATCH
    game.moves("d7", "e6")
    assert game.kinds() == ["turn", "turn"]
    assert guide(game.session).sentence == "blue to move"


def test_its_move_and_ones_own_may_be_made_in_one_go() -> None:
    game = play(red_level=3).moves("j4", "j3").presses(BLUE).see()
    game.happens(Chosen(RED, "e7e6", game.at_ms))
    game.table = game.table.moved(game.cell("e7"), game.cell("e6"))
    game.moves("j3", "j2")
    assert [entry.body["moves"] for entry in game.written] == [
        {"blue": "j4j3"},
        {"red": "e7e6"},
        {"blue": "j3j2"},
    ]


def test_a_computer_that_errs_pauses_the_game() -> None:
    game = play(red_level=3).moves("j4", "j3").presses(BLUE).see()
    game.happens(Chosen(RED, "a1a2", game.at_ms))
    assert game.phase() is Phase.PAUSED
    assert "the computer erred" in game.said[-1]


# -- clocks ------------------------------------------------------------------------------------


def test_the_clock_runs_only_while_somebody_can_act() -> None:
    game = play(clock="5m")
    begun = game.session.clocks.remaining_ms(BLUE, game.at_ms)
    assert begun is not None
    game.lamps = False
    game.moves("j4", "j5").presses(BLUE)
    used = game.session.clocks.remaining_ms(BLUE, game.at_ms)
    assert used is not None
    assert used < begun
    game.later(60)
    assert game.session.clocks.remaining_ms(BLUE, game.at_ms) == used
    game.happens(Shown(game.at_ms))
    game.later(60)
    assert game.session.clocks.remaining_ms(RED, game.at_ms) == 5 * 60_000


def test_a_flag_falls() -> None:
    game = play(clock="1m").later(61)
    assert game.phase() is Phase.OVER
    assert str(game.session.outcome) == "0-1 time"
    assert game.kinds() == ["result"]


def test_a_pause_stops_the_clock() -> None:
    game = play(clock="1m").asks(Wish.PAUSE, BLUE).later(3600)
    assert game.phase() is Phase.PAUSED
    game.asks(Wish.CONTINUE, RED)
    assert game.phase() is Phase.TURN
    assert game.later(61).phase() is Phase.OVER


# -- wishes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("player", "result"), [(BLUE, "0-1 resigned"), (RED, "1-0 resigned")])
def test_whoever_resigns_loses(player: int, result: str) -> None:
    game = play().asks(Wish.RESIGN, player)
    assert str(game.session.outcome) == result
    assert any(isinstance(effect, StopThinking) for effect in game.effects)


def test_a_draw_needs_both() -> None:
    game = play().asks(Wish.OFFER_DRAW, BLUE).asks(Wish.ACCEPT, BLUE)
    assert game.phase() is Phase.TURN
    assert str(game.asks(Wish.ACCEPT, RED).session.outcome) == "1/2-1/2 agreed"


def test_a_declined_offer_is_gone() -> None:
    game = play().asks(Wish.OFFER_DRAW, BLUE).asks(Wish.DECLINE, RED).asks(Wish.ACCEPT, RED)
    assert game.phase() is Phase.TURN


def test_a_draw_is_claimed_only_where_there_is_one() -> None:
    game = play().asks(Wish.CLAIM_DRAW, BLUE)
    assert game.said[-1] == "there is no draw to claim"


def test_a_turn_is_taken_back_with_its_clock_when_both_agree() -> None:
    game = play(clock="5m").later(100).moves("j4", "j3").presses(BLUE).see()
    position = game.session.history[0][0]
    game.asks(Wish.TAKE_BACK, BLUE).asks(Wish.ACCEPT, RED)
    assert game.session.position == position
    assert game.phase() is Phase.SETTING_UP
    assert game.kinds() == ["turn", "take back"]
    assert game.moves("j3", "j4").phase() is Phase.TURN
    assert game.session.movers == (BLUE,)


def test_there_is_nothing_to_take_back_at_first() -> None:
    assert play().asks(Wish.TAKE_BACK, BLUE).said[-1] == "there is nothing to take back"


def test_nothing_is_wished_for_after_the_end() -> None:
    game = play().asks(Wish.RESIGN, BLUE)
    ended = game.session
    for wish in Wish:
        game.asks(wish, RED)
    assert game.session == ended


# -- trouble -----------------------------------------------------------------------------------


def test_a_lost_device_is_told_and_so_is_its_return() -> None:
    game = play()
    game.happens(DeviceLost("usb://0", "it has stopped sending pictures", game.at_ms))
    assert game.session.lost == {"usb://0"}
    game.happens(DeviceBack("usb://0", game.at_ms))
    assert game.session.lost == frozenset()
    assert game.said[-2:] == ["usb://0: it has stopped sending pictures", "usb://0 works again"]


def test_an_answer_that_nobody_waits_for_changes_nothing() -> None:
    game = play()
    before = game.session
    game.happens(Chosen(RED, "e7e6", game.at_ms))
    game.happens(Shown(game.at_ms))
    game.happens(Written(99, game.at_ms))
    assert replace(game.session, unwritten=()) == before
