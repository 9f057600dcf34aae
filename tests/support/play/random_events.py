"""Random events for one game: a hypothesis state machine, and the same driven by a seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from controller.config.board_file import load_board
from controller.session.board_fit import fit_board
from controller.session.clocks import Clocks, TimeControl
from controller.session.effects import Write
from controller.session.events import Request
from controller.session.journal import JournalEntry, next_entry
from controller.session.replay import replay
from controller.session.resume import resume_session
from controller.session.setup import GAME, GameSetup, Seat, setup_body
from controller.session.state import (
    ESSENTIAL_DEVICES,
    PendingWrites,
    Phase,
    Session,
    SessionSetup,
    TablePreferences,
)
from engine import games
from engine.game import AnyTurn
from tests.support.play.table_play import Play, Transition
from tests.support.vision.tagged_table import Tabletop as Table
from vision.board import PhysicalBoard

ACTING = (Phase.TURN, Phase.WAITING_FOR_OTHER, Phase.CHOOSING_TURN, Phase.MISMATCH)
CONTROL = "10m+5s"
ANY_REQUEST = tuple(requested for requested in Request if requested is not Request.RESIGN)
LEVELS = ((None, None), (None, 1), (None, 1), (2, 1))
ANSWERS = ("moves", "moves", "moves", "errs", "gives up")
DEVICES = (*ESSENTIAL_DEVICES, "buttons")
FRAME_MS = 300.0  # long, so that runs are fast


def no_precondition(_: RandomGame) -> bool:
    return True


# Preconditions of the rules that have one.
PRECONDITIONS: Mapping[str, Callable[[RandomGame], bool]] = {
    "make_a_turn": lambda random_game: random_game.play.phase() in ACTING,
    "make_a_turn_and_rest": lambda random_game: random_game.play.phase() in ACTING,
    "make_a_turn_that_is_half_hidden": lambda random_game: random_game.play.phase() in ACTING,
    "choose_one": lambda random_game: random_game.play.phase() is Phase.CHOOSING_TURN,
    "bump_a_piece": lambda random_game: bool(random_game.play.table.tags),
    "lose_a_piece": lambda random_game: bool(random_game.play.table.tags),
    "resign": lambda random_game: random_game.play.session.writing.entry_count > 6,
    "time_runs_out": lambda random_game: random_game.play.session.writing.entry_count > 5,
    "the_computer_answers": lambda random_game: (
        random_game.play.session.computer.thinking is not None
    ),
    "the_disk_answers": lambda random_game: bool(random_game.play.session.writing.unwritten),
    "the_beam_has_run": lambda random_game: random_game.play.session.firing.running,
    "the_power_is_cut": lambda random_game: (
        random_game.play.session.underlying_phase is not Phase.OVER
    ),
}


class JournalledPlay(Play):
    """Keeps the journal entries, for a resume."""

    entries: list[JournalEntry]

    def write(self, entry: Write) -> None:
        if self.disk:
            before = self.entries[-1]
            if entry.number == before.number + 1:
                self.entries.append(next_entry(before, entry.kind, entry.body, entry.at_ms))
        super().write(entry)


class RandomGame(RuleBasedStateMachine):
    """One game with random events of players, devices and disk."""

    play: JournalledPlay
    transitions: ClassVar[Counter[Transition]] = Counter()
    board: ClassVar[PhysicalBoard] = load_board("demo-10x8")
    rules_of: ClassVar[str] = "laser-chess"
    starts: ClassVar[tuple[dict[str, Any], ...]] = ({"setup_name": "ace"}, {"setup_name": "sophie"})

    @initialize(
        start=st.integers(0, 1),
        levels=st.sampled_from(LEVELS),
        auto_fire=st.booleans(),
        seed=st.integers(0, 999),
    )
    def begin(
        self, start: int, levels: tuple[int | None, int | None], auto_fire: bool, seed: int
    ) -> None:
        self.random = Random(seed)
        self.game = games.make(self.rules_of)
        seats = (Seat("Ada", levels[0]), Seat("Bob", levels[1]))
        begun = GameSetup(self.game, seats, time_control=CONTROL, **self.starts[start])
        position = begun.first_position()
        session = Session(
            setup=SessionSetup(
                fitted_board=fit_board(self.board, self.game, None, position.grid),
                seats=seats,
                preferences=TablePreferences(2000) if auto_fire else TablePreferences(),
            ),
            writing=PendingWrites(entry_count=1),
            position=position,
            clocks=Clocks.for_control(TimeControl.parse(CONTROL)),
        )
        self.play = JournalledPlay(session, Table.of(self.game, position), frame_ms=FRAME_MS)
        self.play.entries = [next_entry(None, GAME, setup_body(begun), 0)]
        self.play.see()

    # -- players -------------------------------------------------------------------------------

    def turn(self) -> AnyTurn:
        return self.random.choice(list(self.game.turns(self.play.session.position)))

    def make_by_hand(self, turn: AnyTurn) -> None:
        """Make the turn on the table, if hands can make it."""
        table = Table.of(self.game, self.play.session.position).after(self.game, turn)
        if table is not None:
            self.play.table = table

    def set_up_pieces(self) -> None:
        """Set all pieces as in the position."""
        self.play.table = Table.of(self.game, self.play.session.position)
        self.play.see()

    @precondition(PRECONDITIONS["make_a_turn"])
    @rule(then_set_up=st.booleans())
    def make_a_turn(self, then_set_up: bool) -> None:
        self.make_by_hand(self.turn())
        self.play.see()
        for player in self.play.session.to_move:
            self.play.presses(player)
        if then_set_up:
            self.set_up_pieces()

    @rule()
    def correct_the_table(self) -> None:
        self.set_up_pieces()

    @precondition(PRECONDITIONS["make_a_turn_and_rest"])
    @rule(long_wait=st.booleans())
    def make_a_turn_and_rest(self, long_wait: bool) -> None:
        self.make_by_hand(self.turn())
        self.play.see(3.0 if long_wait else 1.0)
        self.play.later(0.5)

    @precondition(PRECONDITIONS["make_a_turn_that_is_half_hidden"])
    @rule()
    def make_a_turn_that_is_half_hidden(self) -> None:
        before = set(self.play.table.tags)
        self.make_by_hand(self.turn())
        grid = self.play.table.grid
        gone = sorted(before - self.play.table.tags.keys())
        near = {
            cell for each in gone for h in range(grid.headings) if (cell := grid.ahead(each, h))
        }
        self.play.see(6, covered=[cell for cell in near if cell not in before])
        for player in self.play.session.to_move:
            self.play.presses(player)

    @precondition(PRECONDITIONS["choose_one"])
    @rule(choice=st.integers(0, 2))
    def choose_one(self, choice: int) -> None:
        self.play.asks(Request.CHOOSE, 0, choice)

    @rule(player=st.integers(0, 1))
    def press(self, player: int) -> None:
        self.play.presses(player)

    @precondition(PRECONDITIONS["bump_a_piece"])
    @rule(by=st.integers(1, 3))
    def bump_a_piece(self, by: int) -> None:
        cells = sorted(self.play.table.tags)
        self.play.turns(self.play.table.grid.name(self.random.choice(cells)), by)

    @precondition(PRECONDITIONS["lose_a_piece"])
    @rule()
    def lose_a_piece(self) -> None:
        cells = sorted(self.play.table.tags)
        self.play.takes(self.play.table.grid.name(self.random.choice(cells)))

    @rule(press=st.booleans())
    def cover_the_board(self, press: bool) -> None:
        self.play.see(0.5, covered=range(30))
        if press:
            self.play.presses(self.play.session.to_move[-1])
        self.play.see()

    @rule(requested=st.sampled_from(ANY_REQUEST), player=st.integers(0, 1))
    def request(self, requested: Request, player: int) -> None:
        self.play.asks(requested, player)

    @rule(player=st.integers(0, 1), taken_back=st.booleans())
    def offer_and_accept(self, player: int, taken_back: bool) -> None:
        self.play.asks(Request.TAKE_BACK if taken_back else Request.OFFER_DRAW, player)
        if taken_back or self.play.session.writing.entry_count > 6:
            self.play.asks(Request.ACCEPT, 1 - player)

    @rule()
    def go_on(self) -> None:
        self.play.asks(Request.CONTINUE, 0)

    @precondition(PRECONDITIONS["resign"])
    @rule(player=st.integers(0, 1))
    def resign(self, player: int) -> None:
        self.play.asks(Request.RESIGN, player)

    @rule()
    def time_passes(self) -> None:
        self.play.later(20)

    @precondition(PRECONDITIONS["time_runs_out"])
    @rule()
    def time_runs_out(self) -> None:
        self.play.later(1200)

    # -- the computer --------------------------------------------------------------------------

    @precondition(PRECONDITIONS["the_computer_answers"])
    @rule(what=st.sampled_from(ANSWERS), made=st.booleans())
    def the_computer_answers(self, what: str, made: bool) -> None:
        question, position = self.play.session.computer.thinking, self.play.session.position
        assert question is not None
        if what == "gives up":
            self.play.gives_up(question.player)
            return
        turn = self.turn()
        move = self.game.write_move(position, question.player, dict(turn.moves)[question.player])
        self.play.chooses(question.player, move if what == "moves" else "nonsense", question.hint)
        if made and self.play.session.computer.turn is not None:
            self.make_by_hand(self.play.session.computer.turn)
            self.play.see()

    # -- devices and disk ----------------------------------------------------------------------

    @rule(device=st.sampled_from(DEVICES))
    def lose_a_device(self, device: str) -> None:
        self.play.loses(device)

    @rule(device=st.sampled_from(DEVICES))
    def a_device_is_back(self, device: str) -> None:
        self.play.regains(device)

    @rule(disk=st.sampled_from([True, False, None]))
    def the_disk_changes(self, disk: bool | None) -> None:
        self.play.disk = disk

    @precondition(PRECONDITIONS["the_disk_answers"])
    @rule(disk=st.booleans())
    def the_disk_answers(self, disk: bool) -> None:
        self.play.disk = disk
        for entry in self.play.session.writing.unwritten:
            self.play.write(entry)

    @rule(leds_answer=st.booleans())
    def the_leds_are_slow(self, leds_answer: bool) -> None:
        self.play.leds_answer = leds_answer

    @precondition(PRECONDITIONS["the_beam_has_run"])
    @rule()
    def the_beam_has_run(self) -> None:
        self.play.shows()

    @precondition(PRECONDITIONS["the_power_is_cut"])
    @rule()
    def the_power_is_cut(self) -> None:
        before = self.play
        if replay(before.entries).outcome is None:
            after = JournalledPlay(
                resume_session(before.entries, self.board), before.table, frame_ms=FRAME_MS
            )
            after.entries, after.transitions = before.entries, before.transitions
            self.play = after
            self.set_up_pieces()

    def teardown(self) -> None:
        if hasattr(self, "play"):
            RandomGame.transitions += self.play.transitions

    # -- invariants ----------------------------------------------------------------------------

    @invariant()
    def all_invariants_hold(self) -> None:
        if hasattr(self, "play"):
            self.journal_matches_the_session()
            self.no_clock_runs_without_a_player()
            self.some_event_is_expected()

    def journal_matches_the_session(self) -> None:
        session = self.play.session
        if session.writing.unwritten:
            return
        played = replay(self.play.entries)
        assert played.fault is None, played.fault
        assert [past.turn.moves for past in session.history] == [
            turn.moves for turn in played.turns
        ]
        if not session.firing.turns:
            replayed, current = (
                self.game.write_position(each) for each in (played.position, session.position)
            )
            assert replayed == current
            assert session.phase is not Phase.OVER or played.outcome == session.outcome

    def no_clock_runs_without_a_player(self) -> None:
        session = self.play.session
        acting = (*ACTING, Phase.COMPUTER_THINKING)
        assert session.clocks.running == () or session.phase in acting
        if session.missing_devices:
            assert session.phase in (Phase.PAUSED, Phase.FIRING, Phase.OVER)

    def some_event_is_expected(self) -> None:
        """Each phase has the event that will end it."""
        session = self.play.session
        match session.phase:
            case Phase.COMPUTER_THINKING:
                assert session.computer.thinking is not None
            case Phase.FIRING:
                assert session.firing.running or session.writing.unwritten
            case Phase.CHOOSING_TURN:
                assert session.turn.choices
            case Phase.WAITING_FOR_OTHER:
                assert session.still_to_act or session.turn.fire_requested
            case Phase.PAUSED:
                assert session.pause.requested or session.missing_devices
            case _:
                assert session.phase in Phase


class RandomSpaceshipsGame(RandomGame):
    """The same for Spaceships, where both players act at once."""

    board = load_board("hex-r5")
    rules_of = "spaceships"
    starts = ({"seed": 7}, {"seed": 3})


# -- the same rules, drawn by a seed -----------------------------------------------------------

WHO = (0, 1)
OFTEN, NOW_AND_THEN, SELDOM = 12, 4, 1
WEIGHTED_RULES: Mapping[str, tuple[int, Callable[[Random], dict[str, Any]]]] = {
    "make_a_turn": (OFTEN, lambda r: {"then_set_up": r.random() < 0.7}),
    "correct_the_table": (NOW_AND_THEN, lambda _: {}),
    "make_a_turn_and_rest": (NOW_AND_THEN, lambda r: {"long_wait": r.random() < 0.5}),
    "make_a_turn_that_is_half_hidden": (NOW_AND_THEN, lambda _: {}),
    "choose_one": (NOW_AND_THEN, lambda r: {"choice": r.randrange(3)}),
    "press": (NOW_AND_THEN, lambda r: {"player": r.choice(WHO)}),
    "bump_a_piece": (SELDOM, lambda r: {"by": r.randint(1, 3)}),
    "lose_a_piece": (SELDOM, lambda _: {}),
    "cover_the_board": (SELDOM, lambda r: {"press": r.random() < 0.5}),
    "request": (
        NOW_AND_THEN,
        lambda r: {"requested": r.choice(ANY_REQUEST), "player": r.choice(WHO)},
    ),
    "offer_and_accept": (
        SELDOM,
        lambda r: {"player": r.choice(WHO), "taken_back": r.random() < 0.7},
    ),
    "go_on": (OFTEN, lambda _: {}),
    "resign": (SELDOM, lambda r: {"player": r.choice(WHO)}),
    "time_passes": (SELDOM, lambda _: {}),
    "time_runs_out": (SELDOM, lambda _: {}),
    "the_computer_answers": (
        OFTEN,
        lambda r: {"what": r.choice(ANSWERS), "made": r.random() < 0.6},
    ),
    "lose_a_device": (NOW_AND_THEN, lambda r: {"device": r.choice(DEVICES)}),
    "a_device_is_back": (OFTEN, lambda r: {"device": r.choice(DEVICES)}),
    "the_disk_changes": (NOW_AND_THEN, lambda r: {"disk": r.choice((True, True, False, None))}),
    "the_disk_answers": (NOW_AND_THEN, lambda r: {"disk": r.random() < 0.7}),
    "the_leds_are_slow": (NOW_AND_THEN, lambda r: {"leds_answer": r.random() < 0.6}),
    "the_beam_has_run": (NOW_AND_THEN, lambda _: {}),
    "the_power_is_cut": (SELDOM, lambda _: {}),
}


def run_random_rules(random_game: RandomGame, seed: int, steps: int) -> None:
    """Run `steps` random rules, drawn by the seed."""
    random = Random(seed)
    random_game.begin(random.randrange(2), random.choice(LEVELS), random.random() < 0.5, seed)
    names = list(WEIGHTED_RULES)
    for _ in range(steps):
        name = random.choices(names, [WEIGHTED_RULES[each][0] for each in names])[0]
        arguments = WEIGHTED_RULES[name][1](random)
        if PRECONDITIONS.get(name, no_precondition)(random_game):
            getattr(random_game, name)(**arguments)
            random_game.all_invariants_hold()
        if random_game.play.phase() is Phase.OVER and random.random() < 0.3:
            break
    random_game.teardown()
