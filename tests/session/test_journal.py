"""Journals: complete entries are recovered, and every damage is detected."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from controller.session import sentences
from controller.session.journal import (
    NO_PREVIOUS_HASH,
    BadEntry,
    JournalEntry,
    RecoveredJournal,
    format_entries,
    format_entry,
    next_entry,
    parse_entry,
    recover,
)
from tests.support.engine.random_play import examples

leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
)
values: SearchStrategy[Any] = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
bodies = st.dictionaries(st.text(max_size=8), values, max_size=4)
kinds = st.sampled_from(["game", "turn", "take back", "result", "größer"])
times = st.integers(0, 10**12) | st.floats(0, 1e12)


def chained(parts: list[tuple[str, dict[str, Any], float]]) -> list[JournalEntry]:
    entries: list[JournalEntry] = []
    for kind, body, at_ms in parts:
        entries.append(next_entry(entries[-1] if entries else None, kind, body, at_ms))
    return entries


journals = st.lists(st.tuples(kinds, bodies, times), min_size=1, max_size=6).map(chained)


def sample(count: int = 4) -> list[JournalEntry]:
    return chained(
        [("turn", {"moves": {"blue": "j4j3"}, "i": i}, 1000.5 * i) for i in range(count)]
    )


def line_of_byte(entries: list[JournalEntry], at: int) -> int:
    """The index of the entry whose line contains a byte."""
    return format_entries(entries)[:at].count(b"\n")


# -- one line ----------------------------------------------------------------------------------


@given(journals)
@examples(60)
def test_entries_round_trip(entries: list[JournalEntry]) -> None:
    for entry in entries:
        assert parse_entry(format_entry(entry).removesuffix(b"\n")) == entry
    assert recover(format_entries(entries)) == RecoveredJournal(tuple(entries))


def test_a_line_is_sorted_json_with_a_sha256_checksum() -> None:
    first, second = sample(2)
    line = format_entry(second)
    assert line.isascii()
    assert line.endswith(b"\n")
    value = json.loads(line)
    assert list(value) == ["at_ms", "before", "body", "hash", "kind", "n"]
    assert value["before"] == first.hash
    assert first.previous_hash == NO_PREVIOUS_HASH
    bare = {key: value[key] for key in value if key != "hash"}
    text = json.dumps(bare, sort_keys=True, separators=(",", ":"))
    assert value["hash"] == sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    ("kind", "body", "at_ms"),
    [
        ("turn", {"x": float("nan")}, 0),
        ("turn", {"x": object()}, 0),
        ("turn", {"x": "\ud800"}, 0),
        ("turn", {"x": 10**70}, 0),
        ("turn", {"1": 1, 1: 2}, 0),
        ("turn", [1], 0),
        ("", {}, 0),
        ("a\nb", {}, 0),
        ("turn", {}, float("inf")),
        ("turn", {}, True),
    ],
)
def test_an_entry_that_could_not_be_read_back_is_refused(
    kind: str, body: Any, at_ms: float
) -> None:
    with pytest.raises(BadEntry):
        next_entry(None, kind, body, at_ms)


def test_a_line_that_is_not_canonical_is_refused() -> None:
    line = format_entry(sample(1)[0]).removesuffix(b"\n")
    for other in (b" " + line, line + b" ", line.replace(b'"n":1', b'"n": 1'), line + b"\r"):
        with pytest.raises(BadEntry):
            parse_entry(other)


# -- recovery ----------------------------------------------------------------------------------


@given(journals, st.floats(0, 1))
@examples(100)
def test_a_cut_at_any_byte_loses_no_complete_entry(
    entries: list[JournalEntry], where: float
) -> None:
    content = format_entries(entries)
    cut = round(where * len(content))
    found = recover(content[:cut])
    whole = content[:cut].count(b"\n")
    assert found.entries == tuple(entries[:whole])
    if cut == len(format_entries(entries[:whole])):
        assert found.damaged_tail is None
    else:
        assert found.damaged_tail is not None
        assert found.damaged_tail.line == whole + 1
        assert found.damaged_tail.is_power_cut_tail
        assert content[: found.damaged_tail.at_byte] == format_entries(entries[:whole])
        assert found.damaged_tail.at_byte + found.damaged_tail.lost_bytes == cut


def test_every_cut_of_one_journal_recovers_the_complete_entries() -> None:
    entries = sample()
    content = format_entries(entries)
    for cut in range(len(content) + 1):
        assert recover(content[:cut]).entries == tuple(entries[: content[:cut].count(b"\n")])


def test_every_flipped_bit_of_one_journal_is_detected() -> None:
    entries = sample(3)
    content = format_entries(entries)
    for at in range(len(content)):
        for bit in range(8):
            changed = bytearray(content)
            changed[at] ^= 1 << bit
            found = recover(bytes(changed))
            good = line_of_byte(entries, at)
            assert found.damaged_tail is not None, (at, bit)
            assert found.damaged_tail.line == good + 1
            assert not found.damaged_tail.is_power_cut_tail, (
                "it was written once and must not be truncated"
            )
            assert found.entries == tuple(entries[:good])


@given(journals, st.data())
@examples(100)
def test_a_flipped_bit_anywhere_is_detected(
    entries: list[JournalEntry], draw: st.DataObject
) -> None:
    content = bytearray(format_entries(entries))
    at = draw.draw(st.integers(0, len(content) - 1))
    content[at] ^= 1 << draw.draw(st.integers(0, 7))
    found = recover(bytes(content))
    good = line_of_byte(entries, at)
    assert found.entries == tuple(entries[:good])
    assert found.damaged_tail is not None
    assert found.damaged_tail.line == good + 1


@given(st.binary(max_size=300))
@examples(100)
def test_recovery_of_any_bytes_returns_a_result(content: bytes) -> None:
    found = recover(content)
    assert found.entries == ()
    assert (found.damaged_tail is None) == (content == b"")


def test_a_line_left_out_moved_or_doubled_breaks_the_chain() -> None:
    first, second, third, fourth = sample()
    for order, good in (
        ([second, third], 0),
        ([first, third, fourth], 1),
        ([first, third, second], 1),
        ([first, second, second, third], 2),
    ):
        found = recover(format_entries(order))
        assert len(found.entries) == good
        assert found.damaged_tail is not None


def test_an_entry_of_another_journal_breaks_the_chain() -> None:
    ours, theirs = sample(3), chained([("turn", {"other": i}, i) for i in range(3)])
    found = recover(format_entries([ours[0], theirs[1], ours[2]]))
    assert found.entries == (ours[0],)
    assert found.damaged_tail is not None
    assert found.damaged_tail.reason == sentences.ENTRY_LINK()


def test_an_entry_with_a_wrong_number_breaks_the_chain() -> None:
    first = sample(1)[0]
    astray = next_entry(replace(first, number=7), "turn", {}, 0)
    torn = recover(format_entries([first, astray])).damaged_tail
    assert torn is not None
    assert torn.reason == sentences.ENTRY_NUMBER(number=8, expected=2)


def test_damage_before_intact_entries_is_not_a_torn_tail() -> None:
    entries = sample(4)
    content = format_entries(entries)
    second = content.index(b"j4j3", len(format_entry(entries[0])))
    damaged = content[:second] + b"#" + content[second + 1 :]
    torn = recover(damaged).damaged_tail
    assert torn is not None
    assert (torn.is_power_cut_tail, torn.intact_after) == (False, 2)
    damage = sentences.DAMAGED_SECOND(line=2, reason=sentences.CHECKSUM_WRONG())
    assert torn.sentence == sentences.DAMAGED_AND_MORE(damage=damage, count=2)


def test_an_entry_after_a_lost_line_end_counts_as_intact() -> None:
    """Otherwise the next start would cut off two synced entries as a torn tail."""
    entries = sample(3)
    content = bytearray(format_entries(entries))
    content[len(format_entries(entries[:2])) - 1] ^= 0x40
    torn = recover(bytes(content)).damaged_tail
    assert torn is not None
    assert (torn.line, torn.intact_after) == (2, 1)


def test_blocks_of_zeros_after_a_power_cut_are_a_torn_tail() -> None:
    entries = sample(2)
    found = recover(format_entries(entries) + b"\0" * 4096)
    assert found.entries == tuple(entries)
    assert found.damaged_tail is not None
    assert found.damaged_tail.is_power_cut_tail
