"""The catalogue of faults, what a seed has in store, and how a fault is said to have ended."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from controller.agreement import Seat
from controller.camera_address import Simulated
from controller.clocks import Clocks, TimeControl
from controller.config import load_board
from controller.session_values import Past, Phase, Session
from controller.simulated.chaos.catalogue import (
    BY_NAME,
    CATALOGUE,
    Fault,
    Moment,
    NoSuchChaos,
    table,
)
from controller.simulated.chaos.endings import Ending, Endings
from controller.simulated.chaos.filling import filled
from controller.simulated.chaos.schedule import asked_for, possible_faults, schedule
from controller.simulated.chaos.truth import Stood, by_the_session, rests, shows, stood
from controller.simulated.deeds import Carry
from controller.simulated.script import EVENTS, read_act, read_script
from controller.tabletop import fitted
from controller.wiring import faults_around, simulated_table
from engine.game import Outcome, Piece
from engine.games import make
from tests.controller.cli import Laserboard
from tests.controller.rooms import Table

GAMES = Path(__file__).parent.parent / "games"


@pytest.fixture
def laserboard(capsys: pytest.CaptureFixture[str]) -> Laserboard:
    return Laserboard(capsys)


def at_table() -> Session:
    """A game that has just begun."""
    top = fitted(load_board("demo-10x8"))
    clocks = Clocks.of(TimeControl.read("none"))
    return Session(top, (Seat("Ada"), Seat("Bob")), top.game.start("ace"), clocks)


def sentences(fault: Fault) -> set[str]:
    """What a fault is in a script, capitals and all."""
    session = at_table()
    now = Stood(dict(session.position.pieces))
    done = [Carry(0, next(iter(now.pieces)))]
    texts = filled((*fault.happens, *fault.undone), session, now, Random(1), done)
    return {read_act(text.split(), "chaos", 1).sentence for text in texts}


# -- the catalogue ---------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", CATALOGUE, ids=lambda fault: fault.name)
def test_every_fault_is_shown_to_its_end_by_a_script(fault: Fault) -> None:
    file = GAMES / f"{fault.script}.game"
    played = {act.sentence for act in read_script(file.read_text(), file.name).acts}
    assert sentences(fault) <= played


def test_every_event_of_a_script_is_a_fault_or_undoes_one() -> None:
    named = {sentence for fault in CATALOGUE for sentence in sentences(fault)}
    assert set(EVENTS) - named == {"wait MS"}


def test_names_are_names_that_can_be_typed() -> None:
    assert len(BY_NAME) == len(CATALOGUE)
    for fault in CATALOGUE:
        assert asked_for([f"{fault.name}@12s"])[0].fault is fault


def test_what_lasts_is_undone_and_what_is_undone_lasts() -> None:
    for fault in CATALOGUE:
        assert bool(fault.undone) is (fault.lasts_s > 0), fault.name


def test_the_catalogue_can_be_read(laserboard: Laserboard) -> None:
    ran = laserboard("simulate", "--fault", "list")
    assert ran.status == 0
    assert ran.lines == table()
    assert len(ran.lines) == 1 + len(CATALOGUE)


# -- when ------------------------------------------------------------------------------------------


def test_a_seed_always_has_the_same_in_store_and_another_something_else() -> None:
    first = list(islice(schedule(7), 100))
    assert first == list(islice(schedule(7), 100))
    assert first != list(islice(schedule(8), 100))
    assert [due.at_ms for due in first] == sorted(due.at_ms for due in first)
    assert [due.number for due in first] == list(range(1, 101))


def test_every_fault_comes_as_often_as_the_others() -> None:
    times = Counter(due.fault.name for due in islice(schedule(7), 3 * len(CATALOGUE)))
    assert times == dict.fromkeys(BY_NAME, 3)


def test_what_cannot_happen_is_not_scheduled() -> None:
    quiet = possible_faults(computer=False, cable=False)
    assert not any(fault.cable for fault in quiet)
    assert not any(fault.when == (Moment.THINKING,) for fault in quiet)
    assert possible_faults(computer=True, cable=True) == CATALOGUE


def test_what_is_asked_for_comes_in_its_time() -> None:
    dues = asked_for(["unplug@12s", "bump", "lamp@2.5"])
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
        (("--script", "a.game", "--chaos", "1"), "--script tells itself what happens"),
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
    with pytest.raises(NoSuchChaos, match="is no fault and its time"):
        asked_for(["bump at noon"])


# -- how it ended ----------------------------------------------------------------------------------


def ended(*phases: Phase, lives: int = 1) -> Ending:
    """After those phases, one more turn was completed."""
    session, endings = at_table(), Endings()
    one = endings.begins("bump", session, 0.0, 1)
    for phase in phases:
        endings.watch(replace(session, phase=phase), lives)
        assert not one.over
    turn = next(session.table.game.turns(session.position))
    past = (Past(session.position, session.clocks, turn),)
    endings.watch(replace(session, phase=Phase.FIRING, history=past), lives)
    assert not one.over, "its beam still runs"
    endings.watch(replace(session, phase=Phase.TURN, history=past), lives)
    assert one.over
    return one.ending


def test_an_ending_is_the_worst_that_people_saw() -> None:
    assert ended(Phase.TURN) is Ending.ALONE
    assert ended(Phase.MISMATCH, Phase.TURN) is Ending.ASKED
    assert ended(Phase.SETTING_UP) is Ending.ASKED
    assert ended(Phase.CONFIRMING) is Ending.ASKED
    assert ended(Phase.MISMATCH, Phase.PAUSED, Phase.TURN) is Ending.PAUSED
    assert ended(Phase.PAUSED, lives=2) is Ending.RESUMED


# -- the truth -------------------------------------------------------------------------------------


def test_the_truth_is_told_from_the_things_themselves() -> None:
    session, table = at_table(), simulated_table(Simulated())
    rules, position = session.table.game, session.position
    table.lay_out(position.pieces)
    now = by_the_session(session, table.things.values())
    assert rests(rules, position, now)
    turn = next(t for t in rules.turns(position) if not t.losses)
    assert not shows(rules, turn, now.facing, now), "nobody has moved yet"
    made = rules.carried_out(turn, now.facing)
    assert made is not None
    table.lay_out(turn.aimed.pieces)
    after = by_the_session(session, table.things.values())
    assert shows(rules, turn, now.facing, after)
    others = [t for t in rules.turns(position) if t.moves != turn.moves]
    assert not any(shows(rules, each, now.facing, after) for each in others[:10])


def test_a_computer_among_those_who_act_at_once_has_not_moved_when_it_fires() -> None:
    rules = make("spaceships")
    position = rules.start(seed=1)
    turn = next(
        t
        for t in rules.turns(position)
        if t.outcome is None
        and all(rules.write_move(position, *each).find('"move"') > 0 for each in t.moves)
        and rules.carried_out(t, {}) is not None
    )
    by_people = rules.carried_out(turn, {}, (1,))
    assert by_people is not None
    assert by_people != rules.carried_out(turn, {})
    now = Stood({cell: Piece(one.kind, one.owner, 0) for cell, one in by_people.items()})
    ended = replace(turn, outcome=Outcome.draw("agreed"))  # nothing can be made on top of it
    assert shows(rules, ended, {}, now, hands=(1,))
    assert not shows(rules, ended, {}, now)


def test_a_game_that_does_not_begin_on_a_full_disk_begins_when_there_is_room(
    tmp_path: Path,
) -> None:
    async def cut(mends: bool) -> Table:
        table = Table(tmp_path / str(mends), mends=mends)
        async with table.set_up() as simulation:
            table.room.faults.happen("the disk is full")
            await simulation.power_cut()
        return table

    table = asyncio.run(cut(mends=False))
    assert "make room" in table.simulation.ended
    table = asyncio.run(cut(mends=True))
    assert (table.simulation.ended, table.simulation.lives) == ("", 2)
    assert any("make room" in sentence for sentence in table.heard)


def test_a_piece_between_two_squares_is_on_none() -> None:
    session, table = at_table(), simulated_table(Simulated())
    board = table.board
    table.lay_out(session.position.pieces)
    cell = next(iter(session.position.pieces))
    x_mm, y_mm = board.centre_mm(cell)
    table.move(table.at(cell), x_mm + board.cell_mm / 2, y_mm)
    now = stood(board, table.things.values(), session.table.meanings)
    assert now.astray
    assert cell not in now.pieces
    assert not rests(session.table.game, session.position, now)


def test_what_stands_wrong_unseen_makes_a_turn_wrong_only_if_it_is_the_turns_own() -> None:
    session = at_table()
    rules, position = session.table.game, session.position
    turn = next(
        t for t in rules.turns(position) if not t.losses and t.aimed.pieces.keys() - position.pieces
    )
    own = next(cell for cell in turn.aimed.pieces if cell not in position.pieces)
    other = next(
        cell for cell in position.pieces if position.pieces[cell] == turn.aimed.pieces[cell]
    )
    facing = Stood(position.pieces).facing
    for cell, fine in ((other, True), (own, False)):
        now = Stood({c: piece for c, piece in turn.aimed.pieces.items() if c != cell})
        assert not shows(rules, turn, facing, now)
        assert shows(rules, turn, facing, now, unseen={cell}) is fine
        astray = Stood(now.pieces, frozenset({cell}))
        assert shows(rules, turn, facing, astray, unseen={cell}) is fine


def test_what_is_no_piece_has_no_part_in_a_turn_unless_it_lies_in_its_way() -> None:
    session = at_table()
    rules, position = session.table.game, session.position
    turn = next(t for t in rules.turns(position) if not t.losses)
    made = Stood(turn.aimed.pieces)
    free = next(c for c in range(position.grid.size) if c not in made.pieces)
    beside = replace(made, foreign=frozenset({free}))
    upon = replace(made, foreign=frozenset({next(iter(made.pieces))}))
    facing = Stood(position.pieces).facing
    assert shows(rules, turn, facing, beside)
    assert not shows(rules, turn, facing, upon)
    assert not rests(rules, turn.aimed, beside), "the table is not as it should be"


def test_a_lamp_and_the_dark_leave_no_trace() -> None:
    table = simulated_table(Simulated())
    faults, before = faults_around(table), table.look()
    for wrong, right in (
        ("a lamp is switched on", "the lamp is switched off"),
        ("the light goes out", "the light comes on"),
    ):
        faults.happen(wrong)
        assert (table.look().scene.room, table.look().conditions) != (
            before.scene.room,
            before.conditions,
        )
        faults.happen(right)
        assert table.look().scene.room == before.scene.room
        assert table.look().conditions == before.conditions
