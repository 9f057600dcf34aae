"""Puzzles in a session: task, wrong moves, hints, solution and stored progress."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.config.board_file import load_board_file
from controller.ports.events import Signal
from controller.session import sentences
from controller.session.events import Request
from controller.session.guidance import guidance_for
from controller.session.journal import format_entries, next_entry
from controller.session.sentences import GOAL_LINE
from controller.session.setup import BadGame, GameSetup, PuzzleGoal, Seat, read_setup, setup_body
from controller.session.state import Hint, Phase, TablePreferences
from controller.session.turns import PUZZLE_THINK_MS
from controller.table.next_game import NewGame
from controller.table.plan import find_unfinished
from controller.table.puzzle_series import (
    BadProgress,
    ProgressRecorder,
    PuzzleProgress,
    PuzzleTries,
    ScheduledPuzzle,
    load_progress,
    next_unsolved,
    numbered_puzzles,
    plan_puzzle,
)
from controller.table.sentences import PROGRESS_UNREADABLE
from controller.ui.terminal.keyboard import Keyboard
from controller.ui.terminal.panels import help_line
from engine import catalogue, games
from engine.draw.catalogue import GOES
from engine.puzzles import load_puzzles, puzzle_by_number
from engine.search import STRONGEST
from engine.sentences import Sentence
from tests.support.cli import Laserboard
from tests.support.engine.sentences import mentions, raises, whole_number
from tests.support.lighting.scene_cases import shown
from tests.support.play.table_play import BLUE, RED, Play, matches, play

# Blue wins in two: j6 to j7, any answer, j7 to j8.
POSITION = "l++4k+++4/4b+++b+++4/1b+2B+1S2B/4S+s+4/8B1/4D5/3B+DB++4/s2BK4L b"
LINE = ("j6j7", "f8+", "j7j8xf8")
GOAL = PuzzleGoal("puzzle 9", BLUE, 2, LINE)
SOLUTION = (
    "blue j6 to j7",
    "red f8 turns right",
    "blue j7 to j8 · f8 captured · 1-0 king captured",
)
ANYTHING = NewGame()
TWO_TURNS = "capture red's king in 2 turns"
WHY = "it captures the red king in 2 turns"
WRONG_FIRST_MOVE = sentences.WRONG_FIRST_MOVE()


def is_in_two(sentence: Sentence) -> bool:
    return matches(sentence, sentences.TO_MOVE_TASK, players="blue", task=TWO_TURNS)


def puzzle() -> Play:
    game = play(POSITION, red_level=STRONGEST)
    game.session = replace(game.session, puzzle=replace(game.session.puzzle, goal=GOAL))
    return game


def half_solved() -> Play:
    """The right first move was made, and the computer has answered."""
    game = puzzle().moves("j6", "j7").presses(BLUE).see()
    return game.chooses(RED, "f8+").turns("f8", 1)


def missed_at_first() -> Play:
    """Two wrong moves: the puzzle is missed."""
    game = puzzle().moves("i4", "h4").presses(BLUE).see().chooses(RED, "f8+").turns("f8", 1)
    return game.moves("h4", "g4").presses(BLUE)


# -- solving -----------------------------------------------------------------------------------


def test_the_guidance_names_the_task_and_the_remaining_turns() -> None:
    assert is_in_two(guidance_for(puzzle().session).sentence)
    assert matches(
        guidance_for(half_solved().session).sentence,
        sentences.TO_MOVE_TASK,
        players="blue",
        task="capture red's king this turn",
    )


def test_capturing_the_king_in_time_solves_the_puzzle() -> None:
    game = half_solved().moves("j7", "j8").presses(BLUE)
    assert game.phase() is Phase.OVER
    assert guidance_for(game.session).sentence == sentences.PUZZLE_SOLVED(puzzle="puzzle 9")
    assert game.said[-1] == sentences.PUZZLE_SOLVED(puzzle="puzzle 9")
    assert game.signal_count(Signal.OVER) == 1
    keys = "".join(span.text for span in help_line(game.session, Keyboard(simulated_hands=True)))
    assert keys.startswith("A next puzzle")


def test_the_computer_has_little_time_to_defend() -> None:
    (think,) = puzzle().moves("j6", "j7").presses(BLUE).see().thought()
    assert (think.question.level, think.question.time_limit_s) == (
        STRONGEST,
        PUZZLE_THINK_MS / 1000,
    )


def test_a_missed_puzzle_restarts_from_its_first_position() -> None:
    game = missed_at_first()
    assert game.phase() is Phase.SETTING_UP
    assert game.said[-1] == sentences.TRY_AGAIN()
    assert game.signal_count(Signal.WRONG) == 2
    assert game.written[-1].body == {"turns": 3}
    assert guidance_for(game.see().session).sentence.key == sentences.RETRY.key
    game.moves("g4", "i4")
    assert is_in_two(guidance_for(game.session).sentence)


def test_a_wrong_first_move_is_announced_at_once() -> None:
    game = puzzle().moves("i4", "h4")
    assert guidance_for(game.session).sentence != WRONG_FIRST_MOVE
    game.presses(BLUE)
    assert WRONG_FIRST_MOVE in game.said
    assert game.signal_count(Signal.WRONG) == 1
    assert guidance_for(game.see().session).sentence == sentences.WRONG_FIRST_MOVE_THINKING(
        thinking=sentences.ONE_IS_THINKING(players="red")
    )
    game.chooses(RED, "f8+")
    assert guidance_for(game.session).reasons == (WRONG_FIRST_MOVE,)
    assert guidance_for(game.turns("f8", 1).session).sentence == WRONG_FIRST_MOVE


def test_the_right_first_move_is_not_announced() -> None:
    game = puzzle().moves("j6", "j7").presses(BLUE).see()
    assert guidance_for(game.session).sentence == sentences.ONE_IS_THINKING(players="red")
    assert game.signal_count(Signal.WRONG) == 0


def test_take_back_after_a_wrong_move_restarts_and_counts_as_one_try() -> None:
    game = puzzle()
    game.session = replace(
        game.session, puzzle=replace(game.session.puzzle, goal=replace(GOAL, turns=3))
    )
    game.moves("i4", "h4").presses(BLUE).see().chooses(RED, "f8+").turns("f8", 1)
    game.moves("h4", "g4").presses(BLUE).see().asks(Request.TAKE_BACK, BLUE)
    assert game.written[-1].body == {"turns": 3}
    assert game.session.puzzle.failed_tries == 1
    assert guidance_for(game.see().session).sentence.key == sentences.RETRY.key


def test_after_the_right_first_move_only_the_rest_is_repeated() -> None:
    game = half_solved().moves("i4", "h4").presses(BLUE)
    assert game.written[-1].body == {"turns": 1}
    guidance = guidance_for(game.moves("h4", "i4").session)
    assert mentions(guidance.sentence, catalogue.PUZZLE_GOAL_NOW(other="red"))
    game.moves("j7", "j8").presses(BLUE)
    assert game.said[-1] == sentences.PUZZLE_SOLVED_AT(puzzle="puzzle 9", nth="2nd")


def test_a_missed_puzzle_of_one_turn_begins_a_new_turn() -> None:
    game = puzzle()
    game.session = replace(
        game.session, puzzle=replace(game.session.puzzle, goal=replace(GOAL, turns=1))
    )
    first = game.session.position
    game.moves("i4", "h4").presses(BLUE)
    assert game.session.position == first
    assert game.session.position is not first


def test_a_lost_game_restarts_the_puzzle() -> None:
    """Blue's laser hits Blue's king."""
    game = play("l++4k4/*/*/*/*/*/8B1/4K4L+++ b", red_level=STRONGEST)
    game.session = replace(
        game.session,
        puzzle=replace(game.session.puzzle, goal=replace(GOAL, line=("j1+", "f8+", "j1-"))),
    )
    game.moves("i2", "i3").presses(BLUE)
    assert game.phase() is Phase.SETTING_UP
    assert game.session.puzzle.failed_tries == 1


def test_giving_up_leaves_the_puzzle_unsolved_and_announces_the_solution() -> None:
    game = puzzle().asks(Request.RESIGN, BLUE)
    current_guidance = guidance_for(game.session)
    assert current_guidance.sentence == sentences.PUZZLE_UNSOLVED(puzzle="puzzle 9")
    assert tuple(map(str, current_guidance.reasons)) == SOLUTION
    assert game.said[-1] == sentences.with_reasons(
        current_guidance.sentence, current_guidance.reasons
    )


def test_after_giving_up_the_leds_show_the_rest_of_the_solution() -> None:
    for game, cells in ((puzzle(), ("j6", "j7")), (half_solved(), ("j7", "j8"))):
        game.asks(Request.RESIGN, BLUE)
        assert shown(game.session, "demo-10x8") == {game.cell(each) for each in cells}
        assert tuple(map(str, guidance_for(game.session).reasons)) == SOLUTION


def test_after_giving_up_on_a_wrong_line_the_solution_is_only_announced() -> None:
    game = puzzle().moves("i4", "h4").presses(BLUE).see().asks(Request.RESIGN, BLUE)
    assert tuple(map(str, guidance_for(game.session).reasons)) == SOLUTION
    assert game.session.turn.hint is None


# -- hints -------------------------------------------------------------------------------------


def test_the_first_hint_names_the_piece_and_the_second_the_move() -> None:
    game = puzzle()
    dark = shown(game.session, "demo-10x8")
    game.asks(Request.HINT, BLUE)
    assert guidance_for(game.session).sentence.slots["hint"] == sentences.HINT_PIECE(
        kind="deflector", cell="j6"
    )
    assert shown(game.session, "demo-10x8") - dark == {game.cell("j6")}
    game.asks(Request.HINT, BLUE)
    assert matches(
        guidance_for(game.session).sentence,
        sentences.TO_MOVE_TASK_HINT,
        players="blue",
        task=TWO_TURNS,
        hint=f"blue j6 to j7: {WHY}",
    )
    assert not game.thought()


def test_a_hint_after_the_solutions_own_defence_is_the_solution() -> None:
    game = half_solved().asks(Request.HINT, BLUE).asks(Request.HINT, BLUE)
    assert mentions(guidance_for(game.session).sentence, GOES(start="j7", end="j8"))


def test_a_hint_after_another_defence_is_computed() -> None:
    game = puzzle().moves("j6", "j7").presses(BLUE).see()
    game.chooses(RED, "f5g5").moves("f5", "g5").asks(Request.HINT, BLUE)
    question = game.thought()[-1]
    assert question.hint
    assert question.question.time_limit_s == PUZZLE_THINK_MS / 1000
    game.chooses(BLUE, "j7j8", hint=True)
    assert game.session.turn.hint == Hint(cell=game.cell("j7"))


def test_a_hint_after_a_wrong_move_says_to_take_back() -> None:
    game = puzzle().moves("i4", "h4").presses(BLUE).see().chooses(RED, "f8+").turns("f8", 1)
    game.asks(Request.HINT, BLUE)
    assert game.said[-1] == WRONG_FIRST_MOVE
    assert game.session.computer.thinking is None


# -- stored progress ---------------------------------------------------------------------------


def started() -> GameSetup:
    game = games.make()
    seats = (Seat("Ada"), Seat("", STRONGEST))
    return GameSetup(game, seats, position=game.read_position(POSITION), puzzle_goal=GOAL)


def test_a_goal_round_trips() -> None:
    body = setup_body(started())
    assert read_setup((next_entry(None, "game", body, 0.0),)).puzzle_goal == GOAL


@pytest.mark.parametrize(
    ("part", "value", "expected"),
    [
        ("turns", 0, whole_number("the turns of a goal", 1, 9, "0")),
        ("player", 2, whole_number("the player of a goal", 0, 1, "2")),
        ("line", [1], GOAL_LINE(value="[1]")),
        ("name", None, catalogue.NOT_TEXT(what="name", value="None")),
    ],
)
def test_an_invalid_goal_is_refused(part: str, value: object, expected: Sentence) -> None:
    body = setup_body(started())
    body["goal"] = {**body["goal"], part: value}
    with raises(BadGame, expected):
        read_setup((next_entry(None, "game", body, 0.0),))


def test_puzzle_progress_round_trips() -> None:
    progress = (
        PuzzleProgress().with_try("a b", "").with_try("a b", "2026-03-01 19:30").with_try("c r", "")
    )
    assert PuzzleProgress.parse(progress.to_text()) == progress
    assert progress.tries_by_position["a b"] == PuzzleTries(2, "2026-03-01 19:30")
    assert str(progress.tries_by_position["a b"]) == "solved 2026-03-01, 2 tries"


def test_a_solved_puzzle_keeps_its_first_solution() -> None:
    progress = PuzzleProgress().with_try("a b", "2026-03-01 19:30")
    assert progress.with_try("a b", "2026-03-02 08:00").with_try("a b", "") == progress


@pytest.mark.parametrize("text", ["", "{}", '{"format":2,"puzzles":{}}', "[]"])
def test_unreadable_progress_names_its_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "puzzles.json"
    path.write_text(text, "utf-8")
    with raises(BadProgress, PROGRESS_UNREADABLE) as caught:
        load_progress(path)
    assert caught.value.sentence.slots["path"] == str(path)


def test_every_try_is_stored_with_the_day_of_the_last() -> None:
    saved: list[PuzzleProgress] = []
    keeper = ProgressRecorder(PuzzleProgress(), saved.append, lambda: "2026-03-01 19:30")
    game = missed_at_first()
    keeper.check_session(game.session)
    keeper.check_session(game.see().session)
    assert [each.tries_by_position[POSITION] for each in saved] == [PuzzleTries(1)]
    game.moves("g4", "i4").moves("j6", "j7").presses(BLUE).see()
    game.chooses(RED, "f8+").turns("f8", 1).moves("j7", "j8").presses(BLUE)
    keeper.check_session(game.session)
    keeper.check_session(game.session)
    assert [each.tries_by_position[POSITION] for each in saved[1:]] == [
        PuzzleTries(2, "2026-03-01 19:30")
    ]


def test_a_game_without_a_goal_is_not_stored_as_progress() -> None:
    keeper = ProgressRecorder(PuzzleProgress(), lambda _: pytest.fail("it was"), str)
    keeper.check_session(play().asks(Request.RESIGN, BLUE).session)


# -- the next puzzle ---------------------------------------------------------------------------


def hosted(number: int, progress: PuzzleProgress) -> ScheduledPuzzle:
    file = load_board_file("demo-10x8")
    plan = plan_puzzle(number, "demo-10x8", file, True, TablePreferences())
    return ScheduledPuzzle(
        "demo-10x8", plan, number, ProgressRecorder(progress, lambda _: None, str)
    )


def test_the_strongest_level_defends_against_a_person() -> None:
    start = hosted(1, PuzzleProgress()).plan.setup
    solver = puzzle_by_number(1).solver
    assert start.seats[solver].level is None
    assert start.seats[1 - solver].level == STRONGEST
    assert start.puzzle_goal is not None
    assert start.puzzle_goal.name == "puzzle 1"


def test_the_next_puzzle_is_one_that_is_not_solved_yet() -> None:
    progress = PuzzleProgress().with_try(puzzle_by_number(2).position, "2026-03-01 19:30")
    following = hosted(1, progress).next_game(ANYTHING)
    assert isinstance(following, ScheduledPuzzle)
    assert following.number == 3
    assert following.plan.setup.first_position() == puzzle_by_number(3).start_position


def test_with_all_puzzles_solved_the_next_one_by_number_is_offered() -> None:
    progress = PuzzleProgress(
        {each.position: PuzzleTries(1, "2026-03-01") for each in load_puzzles()}
    )
    assert next_unsolved(progress, games.DEFAULT, 1) == 2


def test_a_requested_game_has_no_goal() -> None:
    wanted = replace(ANYTHING, game=games.DEFAULT, setup="ace", seats=("human", "computer:2"))
    assert hosted(1, PuzzleProgress()).next_game(wanted).plan.setup.puzzle_goal is None


# -- commands ----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "laserboard"


def test_the_list_marks_solved_puzzles(laserboard: Laserboard, folder: Path) -> None:
    folder.mkdir()
    progress = PuzzleProgress().with_try(puzzle_by_number(2).position, "2026-03-01 19:30")
    (folder / "puzzles.json").write_text(progress.to_text(), "utf-8")
    first, second, *_ = laserboard("puzzles", "list", "--turns", "1").lines
    assert first.startswith("[ ]   1  Laser Chess, ")
    assert second.startswith("[x]   2  Laser Chess, ")
    assert second.endswith("(solved 2026-03-01, 1 try)")


def test_the_solution_is_printed_only_on_request(laserboard: Laserboard) -> None:
    number, wanted = next(numbered_puzzles(2))
    out = laserboard.prints("puzzles", "show", str(number))
    assert out.endswith(f"puzzle {number}: {wanted.task}\n")
    solution = laserboard.prints("puzzles", "show", str(number), "--solution")
    assert len(solution.splitlines()) == len(out.splitlines()) + 3
    assert "king captured" in solution


def test_a_puzzle_is_drawn(laserboard: Laserboard, tmp_path: Path) -> None:
    laserboard.prints("puzzles", "show", "1", "--svg", str(tmp_path / "one.svg"))
    assert "<svg" in (tmp_path / "one.svg").read_text("utf-8")


def test_play_simulate_needs_the_page_or_a_terminal(laserboard: Laserboard) -> None:
    assert "neither" in laserboard.refuses("puzzles", "play", "--simulate")


def test_an_unknown_number_of_turns_is_refused(laserboard: Laserboard) -> None:
    assert "there are 1, 2 and 3" in laserboard.refuses("puzzles", "list", "--turns", "7")


def test_a_search_with_another_seed_does_not_continue_a_file(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    path = tmp_path / "some.json"
    path.write_text('{"format":1,"game":"laser-chess","seed":3,"games":0,"puzzles":[]}', "utf-8")
    complaint = laserboard.refuses("puzzles", "make", "--seed", "4", "--to", str(path))
    assert "seed 3" in complaint


def test_an_abandoned_puzzle_is_not_offered_for_resume(folder: Path) -> None:
    for goal, found in ((None, True), (GOAL, False)):
        body = setup_body(replace(started(), board="demo", puzzle_goal=goal))
        (folder / "games").mkdir(parents=True, exist_ok=True)
        path = folder / "games" / "2026-03-01-1.journal"
        path.write_bytes(format_entries([next_entry(None, "game", body, 0.0)]))
        assert (find_unfinished("demo", simulated=False, min_turns=0) is not None) == found
