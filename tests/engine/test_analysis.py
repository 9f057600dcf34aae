"""Analysis of games: verdicts, searches of equal depth, annotations and the drawing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine import catalogue, games
from engine.analysis import (
    BLUNDER,
    MISTAKE,
    SLIP,
    Annotation,
    NotAnalysable,
    SearchTask,
    Verdict,
    analyse,
    annotate_record,
    classify_move,
    make_searcher,
    score_share,
    summarise_players,
    turn_contexts,
)
from engine.draw.score_graph import score_svg
from engine.errors import BadOption
from engine.record import (
    Record,
    RecordAnnotation,
    RecordedTurn,
    make_record,
    play,
    read_record,
    write_record,
)
from engine.search import DECIDED, WIN, Choice, Limit, choose, never_stop
from tests.support.engine.random_play import random_turns
from tests.support.engine.sentences import raises

CHESS = games.make()
# The last moves of docs/game.pgn: blue captures the king with e4ud5.
WON = [
    *("j5i6", "a4b4", "c5d5", "h8h7", "c1d2", "h7g6", "j4i5", "b4c3", "i6-", "g6f7"),
    *("d2e3", "h4g4", "i6j7", "f7f6", "j7j8xg8", "a5b6", "e4ud5xf8"),
]


def chess(moves: list[str], result: str = "*") -> Record:
    return Record(
        "laser-chess", tuple(RecordedTurn((move,)) for move in moves), result, setup="ace"
    )


def annotations_of(record: Record, depth: int = 3, **which: int) -> list[Annotation]:
    return list(
        analyse(record, make_searcher(record.rules(), lambda _: never_stop), depth, **which)
    )


def random_record(name: str, turns: int, seed: int = 1) -> Record:
    game = games.make(name)
    played = list(random_turns(game, seed, turns, retries=50))
    return make_record(game, None, played)


# -- verdicts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("best", "score", "word"),
    [
        (30, 30, Verdict.BEST),
        (30, 31 - SLIP, Verdict.GOOD),
        (30, 30 - SLIP, Verdict.SLIP),
        (30, 30 - MISTAKE, Verdict.MISTAKE),
        (30, 30 - BLUNDER, Verdict.BLUNDER),
        (WIN - 1, WIN - 5, Verdict.GOOD),  # won later, but won
        (WIN - 3, 900, Verdict.MISSED_WIN),
        (WIN - 3, 2 - WIN, Verdict.BLUNDER),
        (-50, 4 - WIN, Verdict.BLUNDER),
        (6 - WIN, 2 - WIN, Verdict.GOOD),  # lost anyway
    ],
)
def test_a_verdict_depends_on_lost_score_and_missed_wins(
    best: int, score: int, word: Verdict
) -> None:
    assert classify_move(best, score) is word


def test_capturing_the_king_is_best_and_other_moves_are_missed_wins() -> None:
    (last,) = annotations_of(chess(WON, "1-0"), first=len(WON))
    assert (last.verdict, last.score, last.player) == (Verdict.BEST, WIN - 1, 0)
    (later,) = annotations_of(chess([*WON[:-1], "j8j7"]), first=len(WON))
    assert (later.verdict, later.score) == (Verdict.GOOD, WIN - 3)
    (missed,) = annotations_of(chess([*WON[:-1], "i5j5"]), first=len(WON))
    assert missed.verdict is Verdict.MISSED_WIN
    assert missed.best_score == WIN - 1
    assert missed.better_line[0].outcome is not None
    assert missed.reason is not None
    assert missed.reason.piece is not None
    assert missed.reason.piece.kind == "king"


def test_a_move_that_loses_the_king_is_a_blunder_with_its_refutation() -> None:
    (last,) = annotations_of(chess([*WON[:9], "f8e7"]), first=10)
    assert last.verdict is Verdict.BLUNDER
    assert last.score == 2 - WIN, "red moves and blue captures"
    assert last.answer is not None
    assert last.answer.outcome is not None
    assert last.for_first_player(last.score) == WIN - 2, "blue is the first player"


def test_capturing_the_own_king_is_a_blunder() -> None:
    _, last = annotations_of(chess(["c5b6", "e5e6xf8"], "1-0"))
    assert (last.verdict, last.score, last.answer) == (Verdict.BLUNDER, 1 - WIN, None)


def test_the_move_that_the_computer_would_play_is_best() -> None:
    for name in ("laser-chess", "photon"):
        game = games.make(name)
        position, turns = game.start(), []
        for _ in range(3):
            move = choose(game, position, Limit(depth=3)).move
            turns.append(game.resolve(position, {position.side: move}))
            position = turns[-1].after
        found = annotations_of(make_record(game, None, turns))
        assert [each.verdict for each in found] == [Verdict.BEST] * 3
        assert [each.loss for each in found] == [0] * 3


# -- equal depth -------------------------------------------------------------------------------


def asking(
    think: Callable[[SearchTask], Choice],
) -> tuple[list[SearchTask], Callable[[SearchTask], Choice]]:
    asked: list[SearchTask] = []

    def noted(ask: SearchTask) -> Choice:
        asked.append(ask)
        return think(ask)

    return asked, noted


@pytest.mark.parametrize("name", ["laser-chess", "photon"])
def test_a_played_move_is_searched_one_depth_less_from_its_position(name: str) -> None:
    record = random_record(name, 6)
    game = record.rules()
    plain = make_searcher(game, lambda _: never_stop)
    asked, think = asking(plain)
    turns = list(play(record))
    for each in analyse(record, think, 4):
        turn, mine, asked[:] = turns[each.number - 1], list(asked), []
        assert mine[0].position == turn.before
        best = plain(mine[0])
        if best.move == dict(turn.moves)[each.player]:
            assert len(mine) == 1, "nothing is searched twice"
            continue
        for ask in mine[1:]:
            assert ask.position == turn.after
            assert ask.depth == (4 if best.turns_to_end else best.depth - 1)
        assert each.score <= each.best_score


def test_scores_are_compared_at_equal_depth() -> None:
    record = random_record("laser-chess", 1)
    game = record.rules()
    depths = iter([6, 3])

    def think(ask: SearchTask) -> Choice:
        found = choose(game, ask.position, Limit(depth=min(ask.depth or 3, 3)))
        return replace(found, depth=next(depths, ask.depth or 0))

    asked, noted = asking(think)
    (only,) = analyse(record, noted)
    assert [ask.depth for ask in asked] == [None, 5, 4]
    assert asked[2].position == asked[0].position
    assert only.depth == 4


def test_a_question_includes_the_history_for_repetitions() -> None:
    shuffle = ["j5i5", "a4b4", "i5j5", "b4a4"]
    record = chess(shuffle * 2)
    found = annotations_of(record, first=8)
    assert len(found) == 1
    last = list(turn_contexts(record))[-1]
    assert last.moves == tuple(shuffle * 2)[:-1]
    # Third repetition: the player with the worse score claims the draw.
    assert abs(found[0].score) < 100


def test_the_next_turn_begins_at_a_corrected_position() -> None:
    record = chess(["j5i5", "a4b4"])
    put = CHESS.write_position(next(play(record)).before)
    put = put.replace(" b", " r")
    entries = (replace(record.turns[0], corrected=put), record.turns[1])
    corrected = replace(record, turns=entries)
    second = list(turn_contexts(corrected))[1]
    assert (second.moves, second.start) == ((), CHESS.read_position(put))
    assert len(annotations_of(corrected)) == 2


# -- choosing games and turns ------------------------------------------------------------------


def test_a_simultaneous_game_is_refused_with_the_reason() -> None:
    with raises(NotAnalysable, catalogue.NOT_ANALYSABLE):
        annotations_of(Record("spaceships", seed=7))


def test_turns_can_be_chosen() -> None:
    found = annotations_of(chess(WON[:6]), first=3, last=4)
    assert [(each.number, each.player) for each in found] == [(3, 0), (4, 1)]


def test_a_depth_below_the_minimum_is_refused() -> None:
    with raises(BadOption, catalogue.BAD_ANALYSIS_DEPTH):
        annotations_of(chess(WON[:1]), depth=2)


def test_turns_are_analysed_one_by_one() -> None:
    searched = []

    def think(ask: SearchTask) -> Choice:
        searched.append(ask)
        return choose(CHESS, ask.position, Limit(depth=3))

    coming = analyse(chess(WON[:6]), think, 3)
    assert searched == []
    next(coming)
    assert len(searched) <= 3


# -- annotated records -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["laser-chess", "photon"])
def test_an_annotated_record_reads_back_exactly(name: str) -> None:
    record = random_record(name, 12, seed=5)
    found = annotations_of(record)
    assert any(each.better_line for each in found), "a random game contains mistakes"
    kept = annotate_record(record, found)
    forms = ("text", "json") if record.rules().record_form == "text" else ("json",)
    for form in forms:
        assert read_record(write_record(kept, form)) == kept  # type: ignore[arg-type]
    for entry, each in zip(kept.turns, found, strict=True):
        assert entry.annotation is not None
        assert entry.annotation.score == each.for_first_player(each.score)
        assert entry.annotation.verdict == each.verdict
        assert bool(entry.annotation.better) is each.verdict.is_clearly_worse


def test_a_second_analysis_replaces_the_first_and_keeps_comments() -> None:
    record = chess(WON[:2])
    entry = replace(
        record.turns[0], comment="hm", annotation=RecordAnnotation(999, "blunder", ("j4j3",))
    )
    record = replace(record, turns=(entry, record.turns[1]))
    kept = annotate_record(record, annotations_of(record))
    assert kept.turns[0].comment == "hm"
    assert kept.turns[0].annotation is not None
    assert kept.turns[0].annotation.score != 999
    assert annotate_record(kept, annotations_of(kept)) == kept


def test_a_summary_counts_every_turn_once() -> None:
    found = annotations_of(random_record("laser-chess", 12, seed=5))
    both = summarise_players(found)
    assert [each.player for each in both] == [0, 1]
    assert sum(sum(each.verdicts.values()) for each in both) == len(found) == 12
    for each in both:
        own = [one for one in found if one.player == each.player]
        assert each.loss == pytest.approx(sum(one.loss for one in own) / len(own))
        assert 0 <= each.accuracy <= 100
    assert summarise_players([]) == ()


def test_the_win_share_is_half_at_score_zero_and_1_for_a_win() -> None:
    assert score_share(0) == 0.5
    assert (score_share(WIN - 3), score_share(3 - WIN)) == (1.0, 0.0)
    assert score_share(-100) == pytest.approx(1 - score_share(100))
    assert score_share(100) < score_share(300) < score_share(DECIDED) <= 1.0


def test_the_drawing_marks_and_names_every_mistake() -> None:
    found = annotations_of(random_record("laser-chess", 12, seed=5))
    drawn = score_svg(CHESS, found, ("<Ada>", "Bob"))
    worse = [each for each in found if each.verdict.is_clearly_worse]
    assert drawn.count('class="mark"') == len(worse) > 0
    assert "&lt;Ada&gt;" in drawn
    assert "<Ada>" not in drawn
    for each in found:
        assert f"{each.number}. {CHESS.players[each.player]}, {each.verdict}" in drawn
