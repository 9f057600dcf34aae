"""The catalogue of faults, their schedule, the ground truth, and the recovery."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from controller.config.addresses.camera import SimulatedCameraAddress
from controller.config.board_file import load_board
from controller.devices.factory.cameras import simulated_table
from controller.devices.factory.leds import make_table_faults
from controller.devices.sentences import MAKE_ROOM
from controller.session.board_fit import fit_board
from controller.session.clocks import Clocks, TimeControl
from controller.session.hand_actions import Carry
from controller.session.sentences import AGREED
from controller.session.setup import Seat
from controller.session.state import Phase, PlayedTurn, Session, SessionSetup
from controller.simulation.faults.catalogue import (
    CATALOGUE,
    FAULTS_BY_NAME,
    BadFaultSchedule,
    FaultSpec,
    FaultTiming,
    catalogue_table,
)
from controller.simulation.faults.ground_truth import (
    TableState,
    read_table_state,
    session_table_state,
    table_shows_position,
    table_shows_turn,
)
from controller.simulation.faults.placeholders import fill_placeholders
from controller.simulation.faults.recovery import Recovery, RecoveryTracker
from controller.simulation.faults.schedule import draw_schedule, possible_faults, read_schedule
from controller.simulation.script import EVENT_SENTENCES, read_line, read_script
from engine.game import Outcome, Piece
from engine.games import make
from tests.support.cli import Laserboard
from tests.support.engine.sentences import mentions
from tests.support.paths import SCRIPTS
from tests.support.play.simulated_rigs import Table

GAMES = SCRIPTS


def new_session() -> Session:
    """A game at its start."""
    top = fit_board(load_board("demo-10x8"))
    clocks = Clocks.for_control(TimeControl.parse("none"))
    return Session(
        setup=SessionSetup(fitted_board=top, seats=(Seat("Ada"), Seat("Bob"))),
        position=top.game.start("ace"),
        clocks=clocks,
    )


def sentences(fault: FaultSpec) -> set[str]:
    """The sentences of a fault as scripts define them."""
    session = new_session()
    now = TableState(dict(session.position.pieces))
    done = [Carry(0, next(iter(now.pieces)))]
    texts = fill_placeholders(
        (*fault.sentences, *fault.undo_sentences), session, now, Random(1), done
    )
    return {read_line(text.split(), "chaos", 1).sentence for text in texts}


# -- the catalogue ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", CATALOGUE, ids=lambda fault: fault.name)
def test_every_fault_has_an_example_script(fault: FaultSpec) -> None:
    file = GAMES / f"{fault.example_script}.game"
    played = {act.sentence for act in read_script(file.read_text(), file.name).lines}
    assert sentences(fault) <= played


def test_every_event_of_a_script_is_a_fault_or_undoes_one() -> None:
    named = {sentence for fault in CATALOGUE for sentence in sentences(fault)}
    assert set(EVENT_SENTENCES) - named == {"wait MS"}


def test_names_are_unique_and_can_be_typed() -> None:
    assert len(FAULTS_BY_NAME) == len(CATALOGUE)
    for fault in CATALOGUE:
        assert read_schedule([f"{fault.name}@12s"])[0].fault is fault


def test_a_fault_with_a_duration_is_undone() -> None:
    for fault in CATALOGUE:
        assert bool(fault.undo_sentences) is (fault.duration_s > 0), fault.name


def test_the_catalogue_is_listed_on_the_command_line(laserboard: Laserboard) -> None:
    ran = laserboard("simulate", "--fault", "list")
    assert ran.status == 0
    assert ran.lines == catalogue_table()
    assert len(ran.lines) == 1 + len(CATALOGUE)


# -- the schedule ----------------------------------------------------------------------------------


def test_a_seed_determines_the_schedule() -> None:
    first = list(islice(draw_schedule(7), 100))
    assert first == list(islice(draw_schedule(7), 100))
    assert first != list(islice(draw_schedule(8), 100))
    assert [due.at_ms for due in first] == sorted(due.at_ms for due in first)
    assert [due.number for due in first] == list(range(1, 101))


def test_every_fault_is_scheduled_equally_often() -> None:
    times = Counter(due.fault.name for due in islice(draw_schedule(7), 3 * len(CATALOGUE)))
    assert times == dict.fromkeys(FAULTS_BY_NAME, 3)


def test_impossible_faults_are_not_scheduled() -> None:
    quiet = possible_faults(computer=False, cable=False)
    assert not any(fault.needs_led_cable for fault in quiet)
    assert not any(fault.timings == (FaultTiming.THINKING,) for fault in quiet)
    assert possible_faults(computer=True, cable=True) == CATALOGUE


def test_requested_faults_are_sorted_by_time() -> None:
    schedule = read_schedule(["unplug@12s", "bump", "lamp@2.5"])
    assert [(due.fault.name, due.at_ms) for due in schedule] == [
        ("bump", 0),
        ("lamp", 2500),
        ("unplug", 12000),
    ]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--fault", "unplgu@12s"), "there is no fault 'unplgu', did you mean 'unplug'?"),
        (("--fault", "unplug@soon"), "write unplug@12s"),
        (("--fault", "bump", "--chaos", "1"), "give one"),
        (("--fault", "unplug", "--leds", "memory://", "--fast"), "play with --leds sim://"),
        (("--fault", "hand-while-thinking", "--fast"), "let a computer play"),
        (("--script", "a.game", "--chaos", "1"), "--script has its own faults"),
    ],
)
def test_an_unknown_fault_is_refused(
    laserboard: Laserboard,
    arguments: tuple[str, ...],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert complaint in laserboard.refuses("simulate", *arguments)


def test_a_bad_time_is_refused() -> None:
    with pytest.raises(BadFaultSchedule, match="is not a fault with its time"):
        read_schedule(["bump at noon"])


# -- recovery --------------------------------------------------------------------------------------


def recovery_after(*phases: Phase, start_count: int = 1) -> Recovery:
    """The recovery after these phases and one more completed turn."""
    session, recoveries = new_session(), RecoveryTracker()
    one = recoveries.start("bump", session, 0.0, 1)
    for phase in phases:
        recoveries.observe(replace(session, phase=phase), start_count)
        assert not one.is_over
    turn = next(session.game.turns(session.position))
    past = (PlayedTurn(session.position, session.clocks, turn),)
    recoveries.observe(replace(session, phase=Phase.FIRING, history=past), start_count)
    assert not one.is_over, "its beam still runs"
    recoveries.observe(replace(session, phase=Phase.TURN, history=past), start_count)
    assert one.is_over
    return one.recovery


def test_the_recovery_of_a_fault_is_its_most_severe_phase() -> None:
    assert recovery_after(Phase.TURN) is Recovery.ALONE
    assert recovery_after(Phase.MISMATCH, Phase.TURN) is Recovery.ASKED
    assert recovery_after(Phase.SETTING_UP) is Recovery.ASKED
    assert recovery_after(Phase.CHOOSING_TURN) is Recovery.ASKED
    assert recovery_after(Phase.MISMATCH, Phase.PAUSED, Phase.TURN) is Recovery.PAUSED
    assert recovery_after(Phase.PAUSED, start_count=2) is Recovery.RESUMED


# -- the ground truth ------------------------------------------------------------------------------


def test_the_ground_truth_comes_from_the_objects_on_the_table() -> None:
    session, table = new_session(), simulated_table(SimulatedCameraAddress())
    rules, position = session.game, session.position
    table.set_pieces(position.pieces)
    now = session_table_state(session, table.objects.values())
    assert table_shows_position(rules, position, now)
    turn = next(t for t in rules.turns(position) if not t.losses)
    assert not table_shows_turn(rules, turn, now.facing, now), "no piece has moved yet"
    made = rules.expected_after_moves(turn, now.facing)
    assert made is not None
    table.set_pieces(turn.aimed.pieces)
    after = session_table_state(session, table.objects.values())
    assert table_shows_turn(rules, turn, now.facing, after)
    others = [t for t in rules.turns(position) if t.moves != turn.moves]
    assert not any(table_shows_turn(rules, each, now.facing, after) for each in others[:10])


def test_with_simultaneous_moves_the_computers_piece_moves_after_firing() -> None:
    rules = make("spaceships")
    position = rules.start(seed=1)
    turn = next(
        t
        for t in rules.turns(position)
        if t.outcome is None
        and all(rules.write_move(position, *each).find('"move"') > 0 for each in t.moves)
        and rules.expected_after_moves(t, {}) is not None
    )
    by_people = rules.expected_after_moves(turn, {}, (1,))
    assert by_people is not None
    assert by_people != rules.expected_after_moves(turn, {})
    now = TableState({cell: Piece(one.kind, one.owner, 0) for cell, one in by_people.items()})
    ended = replace(turn, outcome=Outcome.draw(AGREED()))  # no turn can follow
    assert table_shows_turn(rules, ended, {}, now, moved_by_hand=(1,))
    assert not table_shows_turn(rules, ended, {}, now)


def test_a_game_that_cannot_restart_on_a_full_disk_restarts_with_free_space(
    tmp_path: Path,
) -> None:
    async def cut(frees_disk: bool) -> Table:
        table = Table(tmp_path / str(frees_disk), frees_disk=frees_disk)
        async with table.set_up() as simulation:
            table.rig.faults.inject_fault("the disk is full")
            await simulation.cut_power()
        return table

    table = asyncio.run(cut(frees_disk=False))
    assert "make room" in table.simulation.end_reason
    table = asyncio.run(cut(frees_disk=True))
    assert (table.simulation.end_reason, table.simulation.start_count) == ("", 2)
    assert any(mentions(sentence, MAKE_ROOM) for sentence in table.messages)


def test_a_piece_between_two_squares_is_misplaced() -> None:
    session, table = new_session(), simulated_table(SimulatedCameraAddress())
    board = table.board
    table.set_pieces(session.position.pieces)
    cell = next(iter(session.position.pieces))
    x_mm, y_mm = board.centre_mm(cell)
    table.move(table.handle_at(cell), x_mm + board.cell_mm / 2, y_mm)
    now = read_table_state(board, table.objects.values(), session.setup.fitted_board.pieces_by_tag)
    assert now.misplaced
    assert cell not in now.pieces
    assert not table_shows_position(session.game, session.position, now)


def test_a_difference_on_an_unseen_cell_counts_only_if_the_turn_changes_it() -> None:
    session = new_session()
    rules, position = session.game, session.position
    turn = next(
        t for t in rules.turns(position) if not t.losses and t.aimed.pieces.keys() - position.pieces
    )
    own = next(cell for cell in turn.aimed.pieces if cell not in position.pieces)
    other = next(
        cell for cell in position.pieces if position.pieces[cell] == turn.aimed.pieces[cell]
    )
    facing = TableState(position.pieces).facing
    for cell, fine in ((other, True), (own, False)):
        now = TableState({c: piece for c, piece in turn.aimed.pieces.items() if c != cell})
        assert not table_shows_turn(rules, turn, facing, now)
        assert table_shows_turn(rules, turn, facing, now, unseen={cell}) is fine
        astray = TableState(now.pieces, frozenset({cell}))
        assert table_shows_turn(rules, turn, facing, astray, unseen={cell}) is fine


def test_a_foreign_object_counts_only_on_a_cell_with_a_piece() -> None:
    session = new_session()
    rules, position = session.game, session.position
    turn = next(t for t in rules.turns(position) if not t.losses)
    made = TableState(turn.aimed.pieces)
    free = next(c for c in range(position.grid.size) if c not in made.pieces)
    beside = replace(made, foreign=frozenset({free}))
    upon = replace(made, foreign=frozenset({next(iter(made.pieces))}))
    facing = TableState(position.pieces).facing
    assert table_shows_turn(rules, turn, facing, beside)
    assert not table_shows_turn(rules, turn, facing, upon)
    assert not table_shows_position(rules, turn.aimed, beside), "the table is not as it should be"


def test_lamps_and_darkness_are_undone_completely() -> None:
    table = simulated_table(SimulatedCameraAddress())
    faults, before = make_table_faults(table), table.snapshot()
    for wrong, right in (
        ("a lamp is switched on", "the lamp is switched off"),
        ("the light goes out", "the light comes on"),
    ):
        faults.inject_fault(wrong)
        assert (table.snapshot().scene.room, table.snapshot().conditions) != (
            before.scene.room,
            before.conditions,
        )
        faults.inject_fault(right)
        assert table.snapshot().scene.room == before.scene.room
        assert table.snapshot().conditions == before.conditions
