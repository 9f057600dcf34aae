"""How long pictures are kept: by age, by quota, and never those of a game that goes on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st

from controller.evidence_store import (
    DAY_S,
    GRACE_S,
    MB,
    Holding,
    Stock,
    prune,
    pruning,
    stock,
)
from controller.journal import following, recover, write_lines
from controller.played import result_body
from controller.referee_settings import EvidenceSettings
from engine.game import Outcome
from tests.controller.photographed import kept_game

# Machines that do much else at the same time are slow to draw examples.
PATIENTLY = trying(deadline=None, suppress_health_check=[HealthCheck.too_slow])

SETTINGS = EvidenceSettings(keep_days=10, quota_mb=10)
OLD_S, YOUNG_S = 11 * DAY_S, 2 * DAY_S


def of(*holdings: Holding, unowned: dict[str, float] | None = None, size: int = MB) -> Stock:
    names = {name for each in holdings for name in each.names}
    ages = dict.fromkeys(names, YOUNG_S) | (unowned or {})
    order = sorted(holdings, key=lambda each: -each.age_s)
    return Stock(dict.fromkeys(ages, size), ages, tuple(order))


def holding(game: str, count: int, age_s: float, finished: bool = True) -> Holding:
    return Holding(game, frozenset(f"{game}{n}" for n in range(count)), age_s, finished)


def test_pictures_of_games_past_their_time_go_whether_they_are_over_or_not() -> None:
    plan = pruning(
        of(holding("a", 2, OLD_S), holding("b", 2, OLD_S, False), holding("c", 2, YOUNG_S)),
        SETTINGS,
    )
    assert set(plan.aged) == {"a", "b"}
    assert plan.names == {"a0", "a1", "b0", "b1"}
    assert (plan.size, plan.left) == (4 * MB, 2 * MB)


def test_above_the_quota_the_oldest_games_that_are_over_lose_theirs() -> None:
    games = (
        holding("oldest", 4, 5 * DAY_S, finished=False),
        holding("older", 4, 4 * DAY_S),
        holding("old", 4, 3 * DAY_S),
        holding("new", 4, 2 * DAY_S),
    )
    plan = pruning(of(*games), SETTINGS)
    assert plan.crowded == ("older", "old")
    assert plan.left == 8 * MB
    assert str(plan) == "pictures removed (8.0 MB): the 2 oldest games, to stay below the quota"
    assert pruning(of(*games), SETTINGS, room=3 * MB).crowded == ("older", "old", "new")


def test_a_game_that_goes_on_keeps_its_pictures_whatever_the_quota_says() -> None:
    plan = pruning(of(holding("a", 40, YOUNG_S, finished=False)), SETTINGS)
    assert plan.names == frozenset()
    assert str(plan) == ""


def test_a_picture_that_another_game_has_too_stays() -> None:
    shared = frozenset({"x", "y"})
    plan = pruning(
        of(Holding("a", shared, OLD_S, True), Holding("b", frozenset({"y"}), YOUNG_S, False)),
        SETTINGS,
    )
    assert plan.names == {"x"}


def test_what_no_game_has_goes_when_it_is_old_or_room_is_needed_and_not_when_it_is_new() -> None:
    unowned = {"old": OLD_S, "young": YOUNG_S, "new": GRACE_S / 2}
    assert pruning(of(unowned=unowned), SETTINGS).names == {"old"}
    crowd = pruning(of(holding("a", 9, YOUNG_S), unowned=unowned), SETTINGS)
    assert crowd.names == {"old", "young"}
    assert crowd.crowded == ()


stocks = st.lists(
    st.builds(
        Holding,
        st.integers(0, 10**9).map(str),
        st.frozensets(st.sampled_from([f"{n}" for n in range(12)]), min_size=1),
        st.floats(0, 20 * DAY_S),
        st.booleans(),
    ),
    max_size=6,
    unique_by=lambda each: each.game,
)


@PATIENTLY
@given(stocks, st.dictionaries(st.text("xyz", min_size=1), st.floats(0, 20 * DAY_S), max_size=3))
def test_whatever_there_is_a_young_unfinished_game_loses_nothing(
    games: list[Holding], unowned: dict[str, float]
) -> None:
    there = of(*games, unowned=unowned, size=3 * MB)
    plan = pruning(there, SETTINGS)
    assert plan.left + plan.size == there.total
    for each in games:
        if not each.finished and each.age_s <= 10 * DAY_S:
            assert not plan.names & each.names


# -- on a disk -----------------------------------------------------------------------------------


def test_files_are_those_of_the_games_that_name_them_even_if_a_journal_is_damaged(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    for letter in "abc":
        (folder / f"{letter * 64}.jpg").write_bytes(b"1234")
    (folder / "letter.txt").write_text("not ours")
    (folder / f".{'d' * 64}.jpg.77.part").write_bytes(b"12")
    (tmp_path / "2026-03-01-1.journal").write_text(f'{{"damaged": "{"a" * 64}"}}')
    (tmp_path / "2026-03-02-1.journal").write_text("")
    found = stock(folder, (folder / f"{'a' * 64}.jpg").stat().st_mtime + OLD_S)
    (only,) = found.holdings
    assert (only.game, only.names, only.finished) == (
        "2026-03-01-1",
        frozenset({f"{'a' * 64}.jpg"}),
        False,
    )
    assert found.total == 14
    os.utime(tmp_path / "2026-03-01-1.journal", (2e9, 2e9))  # gone on with just now
    plan = pruning(stock(folder, 2e9), SETTINGS)
    prune(folder, plan)
    assert {path.name for path in folder.iterdir()} == {f"{'a' * 64}.jpg", "letter.txt"}


def test_whether_a_game_is_over_is_asked_only_where_a_quota_asks(tmp_path: Path) -> None:
    journal, folder = tmp_path / "2026-03-01-1.journal", tmp_path / "evidence"
    kept_game(journal)
    entries = list(recover(journal.read_bytes()).entries)
    resigned = result_body(Outcome("1-0", "red resigned"))
    entries.append(following(entries[-1], "result", resigned, 0.0))
    journal.write_bytes(write_lines(entries))
    now_s = journal.stat().st_mtime + YOUNG_S
    (judged,) = stock(folder, now_s).holdings
    (unjudged,) = stock(folder, now_s, judged_above=MB).holdings
    assert (judged.finished, unjudged.finished) == (True, False)
    tight = pruning(stock(folder, now_s), SETTINGS, room=10 * MB)
    assert tight.crowded == ("2026-03-01-1",)
    assert pruning(stock(folder, now_s, MB), SETTINGS, room=10 * MB).crowded == ()


def test_without_pictures_there_is_nothing_to_remove(tmp_path: Path) -> None:
    assert stock(tmp_path / "evidence", 0.0) == Stock({}, {})
    assert pruning(Stock({}, {}), SETTINGS).names == frozenset()


def test_nothing_is_removed_where_a_journal_cannot_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    (folder / f"{'a' * 64}.jpg").write_bytes(b"1")
    (tmp_path / "x.journal").mkdir()
    with pytest.raises(LookupError, match="cannot read"):
        stock(folder, 2e9)
