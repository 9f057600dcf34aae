"""The catalogue of faults, what a seed has in store, and how a fault is said to have ended."""

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
from controller.session.board_fit import fit_board
from controller.session.clocks import Clocks, TimeControl
from controller.session.hand_actions import Carry
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
from tests.support.paths import SCRIPTS
from tests.support.play.simulated_rigs import Table

GAMES = SCRIPTS


def at_table() -> Session:
    """A game that has just begun."""
    top = fit_board(load_board("demo-10x8"))
    clocks = Clocks.for_control(TimeControl.parse("none"))
    return Session(
        setup=SessionSetup(board=top, seats=(Seat("Ada"), Seat("Bob"))),
        position=top.game.start("ace"),
        clocks=clocks,
    )


def sentences(fault: FaultSpec) -> set[str]:
    """What a fault is in a script, capitals and all."""
    session = at_table()
    now = TableState(dict(session.position.pieces))
    done = [Carry(0, next(iter(now.pieces)))]
    texts = fill_placeholders(
        (*fault.sentences, *fault.undo_sentences), session, now, Random(1), done
    )
    return {read_line(text.split(), "chaos", 1).sentence for text in texts}


# -- the catalogue ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", CATALOGUE, ids=lambda fault: fault.name)
def test_every_fault_is_shown_to_its_end_by_a_script(fault: FaultSpec) -> None:
    file = GAMES / f"{fault.example_script}.game"
    played = {act.sentence for act in read_script(file.read_text(), file.name).lines}
    assert sentences(fault) <= played


def test_every_event_of_a_script_is_a_fault_or_undoes_one() -> None:
    named = {sentence for fault in CATALOGUE for sentence in sentences(fault)}
    assert set(EVENT_SENTENCES) - named == {"wait MS"}


def test_names_are_names_that_can_be_typed() -> None:
    assert len(FAULTS_BY_NAME) == len(CATALOGUE)
    for fault in CATALOGUE:
        assert read_schedule([f"{fault.name}@12s"])[0].fault is fault


def test_what_lasts_is_undone_and_what_is_undone_lasts() -> None:
    for fault in CATALOGUE:
        assert bool(fault.undo_sentences) is (fault.duration_s > 0), fault.name


def test_the_catalogue_can_be_read(laserboard: Laserboard) -> None:
    ran = laserboard("simulate", "--fault", "list")
    assert ran.status == 0
    assert ran.lines == catalogue_table()
    assert len(ran.lines) == 1 + len(CATALOGUE)


# -- when ------------------------------------------------------------------------------------------


def test_a_seed_always_has_the_same_in_store_and_another_something_else() -> None:
    first = list(islice(draw_schedule(7), 100))
    assert first == list(islice(draw_schedule(7), 100))
    assert first != list(islice(draw_schedule(8), 100))
    assert [due.at_ms for due in first] == sorted(due.at_ms for due in first)
    assert [due.number for due in first] == list(range(1, 101))


def test_every_fault_comes_as_often_as_the_others() -> None:
    times = Counter(due.fault.name for due in islice(draw_schedule(7), 3 * len(CATALOGUE)))
    assert times == dict.fromkeys(FAULTS_BY_NAME, 3)


def test_what_cannot_happen_is_not_scheduled() -> None:
    quiet = possible_faults(computer=False, cable=False)
    assert not any(fault.needs_led_cable for fault in quiet)
    assert not any(fault.timings == (FaultTiming.THINKING,) for fault in quiet)
    assert possible_faults(computer=True, cable=True) == CATALOGUE


def test_what_is_asked_for_comes_in_its_time() -> None:
    dues = read_schedule(["unplug@12s", "bump", "lamp@2.5"])
    assert [(due.fault.name, due.at_ms) for due in dues] == [
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
def test_a_fault_that_cannot_be_is_refused(
    laserboard: Laserboard,
    arguments: tuple[str, ...],
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert complaint in laserboard.refuses("simulate", *arguments)


def test_a_time_that_is_none_is_no_fault() -> None:
    with pytest.raises(BadFaultSchedule, match="is not a fault with its time"):
        read_schedule(["bump at noon"])


# -- how it ended ----------------------------------------------------------------------------------


def ended(*phases: Phase, lives: int = 1) -> Recovery:
    """After those phases, one more turn was completed."""
    session, endings = at_table(), RecoveryTracker()
    one = endings.start("bump", session, 0.0, 1)
    for phase in phases:
        endings.observe(replace(session, phase=phase), lives)
        assert not one.is_over
    turn = next(session.game.turns(session.position))
    past = (PlayedTurn(session.position, session.clocks, turn),)
    endings.observe(replace(session, phase=Phase.FIRING, history=past), lives)
    assert not one.is_over, "its beam still runs"
    endings.observe(replace(session, phase=Phase.TURN, history=past), lives)
    assert one.is_over
    return one.recovery


def test_an_ending_is_the_worst_that_people_saw() -> None:
    assert ended(Phase.TURN) is Recovery.ALONE
    assert ended(Phase.MISMATCH, Phase.TURN) is Recovery.ASKED
    assert ended(Phase.SETTING_UP) is Recovery.ASKED
    assert ended(Phase.CONFIRMING) is Recovery.ASKED
    assert ended(Phase.MISMATCH, Phase.PAUSED, Phase.TURN) is Recovery.PAUSED
    assert ended(Phase.PAUSED, lives=2) is Recovery.RESUMED


# -- the truth -------------------------------------------------------------------------------------


def test_the_truth_is_reported_from_the_things_themselves() -> None:
    session, table = at_table(), simulated_table(SimulatedCameraAddress())
    rules, position = session.game, session.position
    table.set_pieces(position.pieces)
    now = session_table_state(session, table.things.values())
    assert table_shows_position(rules, position, now)
    turn = next(t for t in rules.turns(position) if not t.losses)
    assert not table_shows_turn(rules, turn, now.facing, now), "nobody has moved yet"
    made = rules.expected_after_moves(turn, now.facing)
    assert made is not None
    table.set_pieces(turn.aimed.pieces)
    after = session_table_state(session, table.things.values())
    assert table_shows_turn(rules, turn, now.facing, after)
    others = [t for t in rules.turns(position) if t.moves != turn.moves]
    assert not any(table_shows_turn(rules, each, now.facing, after) for each in others[:10])


def test_a_computer_among_those_who_act_at_once_has_not_moved_when_it_fires() -> None:
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
    ended = replace(turn, outcome=Outcome.draw("agreed"))  # nothing can be made on top of it
    assert table_shows_turn(rules, ended, {}, now, hands=(1,))
    assert not table_shows_turn(rules, ended, {}, now)


def test_a_game_that_does_not_begin_on_a_full_disk_begins_when_there_is_room(
    tmp_path: Path,
) -> None:
    async def cut(mends: bool) -> Table:
        table = Table(tmp_path / str(mends), mends=mends)
        async with table.set_up() as simulation:
            table.room.faults.inject_fault("the disk is full")
            await simulation.cut_power()
        return table

    table = asyncio.run(cut(mends=False))
    assert "make room" in table.simulation.end_reason
    table = asyncio.run(cut(mends=True))
    assert (table.simulation.end_reason, table.simulation.lives) == ("", 2)
    assert any("make room" in sentence for sentence in table.heard)


def test_a_piece_between_two_squares_is_on_none() -> None:
    session, table = at_table(), simulated_table(SimulatedCameraAddress())
    board = table.board
    table.set_pieces(session.position.pieces)
    cell = next(iter(session.position.pieces))
    x_mm, y_mm = board.centre_mm(cell)
    table.move(table.handle_at(cell), x_mm + board.cell_mm / 2, y_mm)
    now = read_table_state(board, table.things.values(), session.setup.board.pieces_by_tag)
    assert now.misplaced
    assert cell not in now.pieces
    assert not table_shows_position(session.game, session.position, now)


def test_what_stands_wrong_unseen_makes_a_turn_wrong_only_if_it_is_the_turns_own() -> None:
    session = at_table()
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


def test_what_is_no_piece_has_no_part_in_a_turn_unless_it_lies_in_its_way() -> None:
    session = at_table()
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


def test_a_lamp_and_the_dark_leave_no_trace() -> None:
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
