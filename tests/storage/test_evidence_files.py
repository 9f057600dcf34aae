"""Evidence is deleted by age and quota, but never that of an unfinished young game."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st

from controller.config.referee import EvidenceSettings
from controller.session.journal import format_entries, next_entry, recover
from controller.session.replay import result_body
from controller.storage.evidence_files import (
    DAY_S,
    GRACE_S,
    MB,
    EvidenceInventory,
    GameFiles,
    plan_pruning,
    prune,
    take_inventory,
)
from controller.storage.games import NoSuchGame
from controller.storage.sentences import CANNOT_READ, GAMES_OVER_QUOTA, PRUNED
from engine.game import Outcome
from engine.sentences import plain
from tests.support.engine.sentences import raises
from tests.support.play.evidence_games import kept_game

# Drawing examples is slow on a busy machine.
PATIENTLY = trying(deadline=None, suppress_health_check=[HealthCheck.too_slow])

SETTINGS = EvidenceSettings(keep_days=10, quota_mb=10)
OLD_S, YOUNG_S = 11 * DAY_S, 2 * DAY_S


def inventory(
    *holdings: GameFiles, unowned: dict[str, float] | None = None, size: int = MB
) -> EvidenceInventory:
    names = {name for each in holdings for name in each.names}
    ages = dict.fromkeys(names, YOUNG_S) | (unowned or {})
    order = sorted(holdings, key=lambda each: -each.age_s)
    return EvidenceInventory(dict.fromkeys(ages, size), ages, tuple(order))


def game_files(game: str, count: int, age_s: float, finished: bool = True) -> GameFiles:
    return GameFiles(game, frozenset(f"{game}{n}" for n in range(count)), age_s, finished)


def test_expired_images_are_deleted_also_of_unfinished_games() -> None:
    plan = plan_pruning(
        inventory(
            game_files("a", 2, OLD_S), game_files("b", 2, OLD_S, False), game_files("c", 2, YOUNG_S)
        ),
        SETTINGS,
    )
    assert set(plan.expired_games) == {"a", "b"}
    assert plan.names == {"a0", "a1", "b0", "b1"}
    assert (plan.size_bytes, plan.remaining_bytes) == (4 * MB, 2 * MB)


def test_above_the_quota_images_of_the_oldest_finished_games_are_deleted() -> None:
    games = (
        game_files("oldest", 4, 5 * DAY_S, finished=False),
        game_files("older", 4, 4 * DAY_S),
        game_files("old", 4, 3 * DAY_S),
        game_files("new", 4, 2 * DAY_S),
    )
    plan = plan_pruning(inventory(*games), SETTINGS)
    assert plan.over_quota_games == ("older", "old")
    assert plan.remaining_bytes == 8 * MB
    assert plan.sentence == PRUNED(megabytes="8.0", reasons=GAMES_OVER_QUOTA(count=2))
    assert plan_pruning(inventory(*games), SETTINGS, extra_bytes=3 * MB).over_quota_games == (
        "older",
        "old",
        "new",
    )


def test_an_unfinished_game_keeps_its_images_above_the_quota() -> None:
    plan = plan_pruning(inventory(game_files("a", 40, YOUNG_S, finished=False)), SETTINGS)
    assert plan.names == frozenset()
    assert plan.sentence is None


def test_an_image_of_another_game_stays() -> None:
    shared = frozenset({"x", "y"})
    plan = plan_pruning(
        inventory(
            GameFiles("a", shared, OLD_S, True), GameFiles("b", frozenset({"y"}), YOUNG_S, False)
        ),
        SETTINGS,
    )
    assert plan.names == {"x"}


def test_unreferenced_files_are_deleted_if_old_or_over_quota_but_not_if_new() -> None:
    unowned = {"old": OLD_S, "young": YOUNG_S, "new": GRACE_S / 2}
    assert plan_pruning(inventory(unowned=unowned), SETTINGS).names == {"old"}
    crowd = plan_pruning(inventory(game_files("a", 9, YOUNG_S), unowned=unowned), SETTINGS)
    assert crowd.names == {"old", "young"}
    assert crowd.over_quota_games == ()


stocks = st.lists(
    st.builds(
        GameFiles,
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
def test_a_young_unfinished_game_loses_nothing(
    games: list[GameFiles], unowned: dict[str, float]
) -> None:
    there = inventory(*games, unowned=unowned, size=3 * MB)
    plan = plan_pruning(there, SETTINGS)
    assert plan.remaining_bytes + plan.size_bytes == there.total_bytes
    for each in games:
        if not each.finished and each.age_s <= 10 * DAY_S:
            assert not plan.names & each.names


# -- files --------------------------------------------------------------------------------------


def test_a_damaged_journal_keeps_the_files_that_it_references(
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
    found = take_inventory(folder, (folder / f"{'a' * 64}.jpg").stat().st_mtime + OLD_S)
    (only,) = found.games
    assert (only.game, only.names, only.finished) == (
        "2026-03-01-1",
        frozenset({f"{'a' * 64}.jpg"}),
        False,
    )
    assert found.total_bytes == 14
    os.utime(tmp_path / "2026-03-01-1.journal", (2e9, 2e9))  # written just now
    plan = plan_pruning(take_inventory(folder, 2e9), SETTINGS)
    prune(folder, plan)
    assert {path.name for path in folder.iterdir()} == {f"{'a' * 64}.jpg", "letter.txt"}


def test_games_are_replayed_only_if_the_quota_needs_it(tmp_path: Path) -> None:
    journal, folder = tmp_path / "2026-03-01-1.journal", tmp_path / "evidence"
    kept_game(journal)
    entries = list(recover(journal.read_bytes()).entries)
    resigned = result_body(Outcome("1-0", plain("red resigned")))
    entries.append(next_entry(entries[-1], "result", resigned, 0.0))
    journal.write_bytes(format_entries(entries))
    now_s = journal.stat().st_mtime + YOUNG_S
    (candidate,) = take_inventory(folder, now_s).games
    (unchecked,) = take_inventory(folder, now_s, check_finished_above_bytes=MB).games
    assert (candidate.finished, unchecked.finished) == (True, False)
    tight = plan_pruning(take_inventory(folder, now_s), SETTINGS, extra_bytes=10 * MB)
    assert tight.over_quota_games == ("2026-03-01-1",)
    assert (
        plan_pruning(
            take_inventory(folder, now_s, MB), SETTINGS, extra_bytes=10 * MB
        ).over_quota_games
        == ()
    )


def test_without_images_there_is_nothing_to_delete(tmp_path: Path) -> None:
    assert take_inventory(tmp_path / "evidence", 0.0) == EvidenceInventory({}, {})
    assert plan_pruning(EvidenceInventory({}, {}), SETTINGS).names == frozenset()


def test_nothing_is_deleted_if_a_journal_cannot_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    (folder / f"{'a' * 64}.jpg").write_bytes(b"1")
    (tmp_path / "x.journal").mkdir()
    with raises(NoSuchGame, CANNOT_READ):
        take_inventory(folder, 2e9)
