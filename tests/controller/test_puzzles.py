"""A puzzle at the table: it is told what is asked for, what went wrong, and when it is solved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.agreement import BadGame, Goal, Seat, Start, game_body, read_start
from controller.beginning import unfinished
from controller.config import load_board_file
from controller.flow.turns import PUZZLE_THOUGHT_MS
from controller.goals import ASTRAY
from controller.guide import guide
from controller.journal import following, write_lines
from controller.ports import Signal
from controller.puzzling import (
    BadProgress,
    HostedPuzzle,
    Keeper,
    Progress,
    Tried,
    listed,
    load_progress,
    plan_of,
    unsolved,
)
from controller.session_values import Habits, Phase, Wish
from controller.terminal.keyboard import Keyboard
from controller.terminal.words import help_line
from controller.web.commands import NewGame
from engine import games
from engine.puzzles import numbered, shelf
from engine.search import STRONGEST
from tests.controller.cli import Laserboard
from tests.controller.playing import BLUE, RED, Play, play
from tests.controller.test_guide_light import shown

# Blue wins in two: j6 to j7, whatever Red does, and then j7 to j8.
POSITION = "l++4k+++4/4b+++b+++4/1b+2B+1S2B/4S+s+4/8B1/4D5/3B+DB++4/s2BK4L b"
LINE = ("j6j7", "f8+", "j7j8xf8")
GOAL = Goal("puzzle 9", BLUE, 2, LINE)
SOLUTION = (
    "blue j6 to j7",
    "red f8 turns right",
    "blue j7 to j8 · f8 captured · 1-0 king captured",
)
ANYTHING = NewGame(None, None, None, None, None, None)
IN_TWO = "blue to move: strike red's king in 2 turns"
WHY = "it strikes the red king in 2 turns"


def puzzle() -> Play:
    game = play(POSITION, red_level=STRONGEST)
    game.session = replace(game.session, goal=GOAL)
    return game


def half_solved() -> Play:
    """The first move is found, and the computer has answered."""
    game = puzzle().moves("j6", "j7").presses(BLUE).see()
    return game.chooses(RED, "f8+").turns("f8", 1)


def missed_at_first() -> Play:
    """Another first move, and another second: the two turns are over."""
    game = puzzle().moves("i4", "h4").presses(BLUE).see().chooses(RED, "f8+").turns("f8", 1)
    return game.moves("h4", "g4").presses(BLUE)


# -- the flow ----------------------------------------------------------------------------------


def test_the_guide_says_what_is_asked_for_and_what_is_left_of_it() -> None:
    assert guide(puzzle().session).sentence == IN_TWO
    assert guide(half_solved().session).sentence == "blue to move: strike red's king this turn"


def test_the_king_struck_in_time_is_the_puzzle_solved() -> None:
    game = half_solved().moves("j7", "j8").presses(BLUE)
    assert game.phase() is Phase.OVER
    assert guide(game.session).sentence == "puzzle 9 is solved: well done!"
    assert game.said[-1] == "puzzle 9 is solved: well done!"
    assert game.told(Signal.OVER) == 1
    keys = "".join(span.text for span in help_line(game.session, Keyboard(hands=True)))
    assert keys.startswith("A next puzzle")


def test_the_computer_has_little_time_to_defend() -> None:
    (think,) = puzzle().moves("j6", "j7").presses(BLUE).see().thought()
    assert (think.question.level, think.question.seconds) == (STRONGEST, PUZZLE_THOUGHT_MS / 1000)


def test_a_turn_too_late_is_tried_again_from_the_beginning() -> None:
    game = missed_at_first()
    assert game.phase() is Phase.SETTING_UP
    assert game.said[-1].startswith("that was not the move")
    assert game.told(Signal.WRONG) == 2
    assert game.written[-1].body == {"turns": 3}
    assert guide(game.see().session).sentence.startswith("not the move, try again: set up")
    game.moves("g4", "i4")
    assert guide(game.session).sentence == IN_TWO


def test_a_first_move_that_does_not_win_is_told_at_once() -> None:
    game = puzzle().moves("i4", "h4")
    assert ASTRAY not in guide(game.session).sentence
    game.presses(BLUE)
    assert ASTRAY in game.said
    assert game.told(Signal.WRONG) == 1
    assert guide(game.see().session).sentence == f"{ASTRAY} (red is thinking)"
    game.chooses(RED, "f8+")
    assert guide(game.session).reasons == (ASTRAY,)
    assert guide(game.turns("f8", 1).session).sentence == ASTRAY


def test_the_right_first_move_is_not_told_as_such() -> None:
    """Whoever has found it may still doubt."""
    game = puzzle().moves("j6", "j7").presses(BLUE).see()
    assert guide(game.session).sentence == "red is thinking"
    assert game.told(Signal.WRONG) == 0


def test_take_back_on_the_wrong_way_leads_to_the_beginning_and_counts_as_one_try() -> None:
    game = puzzle()
    game.session = replace(game.session, goal=replace(GOAL, turns=3))
    game.moves("i4", "h4").presses(BLUE).see().chooses(RED, "f8+").turns("f8", 1)
    game.moves("h4", "g4").presses(BLUE).see().asks(Wish.TAKE_BACK, BLUE)
    assert game.written[-1].body == {"turns": 3}
    assert game.session.missed == 1
    assert guide(game.see().session).sentence.startswith("not the move, try again: set up")


def test_whoever_found_the_first_move_tries_only_the_rest_again() -> None:
    game = half_solved().moves("i4", "h4").presses(BLUE)
    assert game.written[-1].body == {"turns": 1}
    assert guide(game.moves("h4", "i4").session).sentence.endswith("king this turn")
    game.moves("j7", "j8").presses(BLUE)
    assert game.said[-1] == "puzzle 9 is solved, at the 2nd try: well done!"


def test_a_puzzle_of_one_turn_that_was_missed_begins_a_new_turn_for_hands_and_keys() -> None:
    game = puzzle()
    game.session = replace(game.session, goal=replace(GOAL, turns=1))
    first = game.session.position
    game.moves("i4", "h4").presses(BLUE)
    assert game.session.position == first
    assert game.session.position is not first


def test_a_game_that_is_lost_is_tried_again_too() -> None:
    """Blue lets its own laser strike its own king."""
    game = play("l++4k4/*/*/*/*/*/8B1/4K4L+++ b", red_level=STRONGEST)
    game.session = replace(game.session, goal=replace(GOAL, line=("j1+", "f8+", "j1-")))
    game.moves("i2", "i3").presses(BLUE)
    assert game.phase() is Phase.SETTING_UP
    assert game.session.missed == 1


def test_a_puzzle_that_is_given_up_stays_unsolved_and_its_solution_is_told() -> None:
    game = puzzle().asks(Wish.RESIGN, BLUE)
    told = guide(game.session)
    assert told.sentence == "puzzle 9 is left unsolved; this is its solution"
    assert told.reasons == SOLUTION
    assert game.said[-1] == f"{told.sentence}: {'; '.join(SOLUTION)}"


def test_the_light_shows_what_would_have_gone_on_from_where_it_was_given_up() -> None:
    for game, cells in ((puzzle(), ("j6", "j7")), (half_solved(), ("j7", "j8"))):
        game.asks(Wish.RESIGN, BLUE)
        assert shown(game.session, "demo-10x8") == {game.cell(each) for each in cells}
        assert guide(game.session).reasons == SOLUTION


def test_given_up_on_the_wrong_way_the_solution_is_told_in_words_alone() -> None:
    game = puzzle().moves("i4", "h4").presses(BLUE).see().asks(Wish.RESIGN, BLUE)
    assert guide(game.session).reasons == SOLUTION
    assert game.session.hint is None


# -- hints -------------------------------------------------------------------------------------


def test_a_hint_names_the_piece_at_first_and_then_the_move() -> None:
    game = puzzle()
    dark = shown(game.session, "demo-10x8")
    game.asks(Wish.HINT, BLUE)
    assert guide(game.session).sentence == f"{IN_TWO} (hint: the deflector on j6)"
    assert shown(game.session, "demo-10x8") - dark == {game.cell("j6")}
    game.asks(Wish.HINT, BLUE)
    assert guide(game.session).sentence == f"{IN_TWO} (hint: blue j6 to j7: {WHY})"
    assert not game.thought()


def test_a_hint_after_the_solutions_own_defence_is_the_solution() -> None:
    game = half_solved().asks(Wish.HINT, BLUE).asks(Wish.HINT, BLUE)
    assert "j7 to j8" in guide(game.session).sentence


def test_a_hint_after_another_defence_is_thought_over() -> None:
    game = puzzle().moves("j6", "j7").presses(BLUE).see()
    game.chooses(RED, "f5g5").moves("f5", "g5").asks(Wish.HINT, BLUE)
    question = game.thought()[-1]
    assert question.hint
    assert question.question.seconds == PUZZLE_THOUGHT_MS / 1000
    game.chooses(BLUE, "j7j8", hint=True)
    assert game.session.clue == game.cell("j7")


def test_a_hint_on_the_wrong_way_says_to_take_back() -> None:
    game = puzzle().moves("i4", "h4").presses(BLUE).see().chooses(RED, "f8+").turns("f8", 1)
    game.asks(Wish.HINT, BLUE)
    assert game.said[-1] == ASTRAY
    assert game.session.question is None


# -- kept and told -----------------------------------------------------------------------------


def started() -> Start:
    game = games.make()
    seats = (Seat("Ada"), Seat("", STRONGEST))
    return Start(game, seats, position=game.read_position(POSITION), goal=GOAL)


def test_a_goal_is_written_down_and_read_back() -> None:
    body = game_body(started())
    assert read_start((following(None, "game", body, 0.0),)).goal == GOAL


@pytest.mark.parametrize(
    ("part", "value"), [("turns", 0), ("player", 2), ("line", [1]), ("name", None)]
)
def test_a_goal_that_is_none_is_refused(part: str, value: object) -> None:
    body = game_body(started())
    body["goal"] = {**body["goal"], part: value}
    with pytest.raises(BadGame, match=part):
        read_start((following(None, "game", body, 0.0),))


def test_what_became_of_a_puzzle_reads_back() -> None:
    progress = Progress().after("a b", "").after("a b", "2026-03-01 19:30").after("c r", "")
    assert Progress.read(progress.write()) == progress
    assert progress.tried["a b"] == Tried(2, "2026-03-01 19:30")
    assert str(progress.tried["a b"]) == "solved 2026-03-01, 2 tries"


def test_a_puzzle_that_was_solved_stays_solved_as_it_was() -> None:
    progress = Progress().after("a b", "2026-03-01 19:30")
    assert progress.after("a b", "2026-03-02 08:00").after("a b", "") == progress


@pytest.mark.parametrize("text", ["", "{}", '{"format":2,"puzzles":{}}', "[]"])
def test_progress_that_cannot_be_read_says_which_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "puzzles.json"
    path.write_text(text, "utf-8")
    with pytest.raises(BadProgress, match=r"puzzles\.json"):
        load_progress(path)


def test_every_try_is_kept_and_the_day_of_the_last() -> None:
    saved: list[Progress] = []
    keeper = Keeper(Progress(), saved.append, lambda: "2026-03-01 19:30")
    game = missed_at_first()
    keeper.see(game.session)
    keeper.see(game.see().session)
    assert [each.tried[POSITION] for each in saved] == [Tried(1)]
    game.moves("g4", "i4").moves("j6", "j7").presses(BLUE).see()
    game.chooses(RED, "f8+").turns("f8", 1).moves("j7", "j8").presses(BLUE)
    keeper.see(game.session)
    keeper.see(game.session)
    assert [each.tried[POSITION] for each in saved[1:]] == [Tried(2, "2026-03-01 19:30")]


def test_a_game_that_is_no_puzzle_is_not_kept() -> None:
    keeper = Keeper(Progress(), lambda _: pytest.fail("it was"), str)
    keeper.see(play().asks(Wish.RESIGN, BLUE).session)


# -- one after another -------------------------------------------------------------------------


def hosted(number: int, progress: Progress) -> HostedPuzzle:
    file = load_board_file("demo-10x8")
    plan = plan_of(number, "demo-10x8", file, True, Habits())
    return HostedPuzzle("demo-10x8", plan, number, Keeper(progress, lambda _: None, str))


def test_a_person_solves_and_the_strongest_computer_defends() -> None:
    start = hosted(1, Progress()).plan.start
    solver = numbered(1).solver
    assert start.seats[solver].level is None
    assert start.seats[1 - solver].level == STRONGEST
    assert start.goal is not None
    assert start.goal.name == "puzzle 1"


def test_the_next_puzzle_is_one_that_is_not_solved_yet() -> None:
    progress = Progress().after(numbered(2).position, "2026-03-01 19:30")
    following = hosted(1, progress).next(ANYTHING)
    assert isinstance(following, HostedPuzzle)
    assert following.number == 3
    assert following.plan.start.first() == numbered(3).first


def test_with_all_of_them_solved_the_next_just_follows() -> None:
    progress = Progress({each.position: Tried(1, "2026-03-01") for each in shelf()})
    assert unsolved(progress, games.DEFAULT, 1) == 2


def test_whoever_wants_a_game_gets_one_without_a_goal() -> None:
    wanted = replace(ANYTHING, game=games.DEFAULT, setup="ace", seats=("human", "computer:2"))
    assert hosted(1, Progress()).next(wanted).plan.start.goal is None


# -- commands ----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "laserboard"


def test_the_list_says_what_is_solved(laserboard: Laserboard, folder: Path) -> None:
    folder.mkdir()
    progress = Progress().after(numbered(2).position, "2026-03-01 19:30")
    (folder / "puzzles.json").write_text(progress.write(), "utf-8")
    first, second, *_ = laserboard("puzzles", "list", "--turns", "1").lines
    assert first.startswith("[ ]   1  Laser Chess, ")
    assert second.startswith("[x]   2  Laser Chess, ")
    assert second.endswith("(solved 2026-03-01, 1 try)")


def test_a_puzzle_is_shown_and_its_solution_only_if_one_asks(laserboard: Laserboard) -> None:
    number, wanted = next(listed(2))
    out = laserboard.prints("puzzles", "show", str(number))
    assert out.endswith(f"puzzle {number}: {wanted.task}\n")
    solution = laserboard.prints("puzzles", "show", str(number), "--solution")
    assert len(solution.splitlines()) == len(out.splitlines()) + 3
    assert "king captured" in solution


def test_a_puzzle_is_drawn(laserboard: Laserboard, tmp_path: Path) -> None:
    laserboard.prints("puzzles", "show", "1", "--svg", str(tmp_path / "one.svg"))
    assert "<svg" in (tmp_path / "one.svg").read_text("utf-8")


def test_nobody_plays_where_nobody_sits(laserboard: Laserboard) -> None:
    assert "neither" in laserboard.refuses("puzzles", "play", "--simulate")


def test_puzzles_of_no_length_are_not_listed(laserboard: Laserboard) -> None:
    assert "there are 1, 2 and 3" in laserboard.refuses("puzzles", "list", "--turns", "7")


def test_a_file_of_another_search_is_not_gone_on_with(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    path = tmp_path / "some.json"
    path.write_text('{"format":1,"game":"laser-chess","seed":3,"games":0,"puzzles":[]}', "utf-8")
    complaint = laserboard.refuses("puzzles", "make", "--seed", "4", "--to", str(path))
    assert "seed 3" in complaint


def test_a_puzzle_that_was_left_is_no_unfinished_game(folder: Path) -> None:
    for goal, found in ((None, True), (GOAL, False)):
        body = game_body(replace(started(), board="demo", goal=goal))
        (folder / "games").mkdir(parents=True, exist_ok=True)
        path = folder / "games" / "2026-03-01-1.journal"
        path.write_bytes(write_lines([following(None, "game", body, 0.0)]))
        assert (unfinished("demo", simulated=False, fewest=0) is not None) == found
