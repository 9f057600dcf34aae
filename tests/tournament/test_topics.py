"""Topics of an event round-trip for every name and do not match other events."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.session.setup import TournamentEntry
from controller.tournament import sentences, topics
from controller.tournament.topics import BadEvent, MessageTopic, read_event_name, read_topic
from tests.support.engine.sentences import raises

names = st.text(min_size=1, max_size=30).filter(lambda name: name.strip() and name.isprintable())


@settings(deadline=None)
@given(name=names, table=st.integers(1, 9999), round_=st.integers(1, 9999))
def test_a_topic_round_trips(name: str, table: int, round_: int) -> None:
    event = read_event_name(name)
    where = TournamentEntry(event, round_, table)
    assert read_topic(topics.state_topic(where)) == MessageTopic(event, table, "state")
    assert read_topic(topics.pulse_topic(where)) == MessageTopic(event, table, "pulse")
    assert read_topic(topics.presence_topic(where)) == MessageTopic(event, table, "presence")
    assert read_topic(topics.result_topic(where)) == MessageTopic(event, table, "result", round_)
    for sign in "+#\0 ":
        assert sign not in topics.table_topic(where)
    assert topics.state_topic(where).count("/") == 4
    assert topics.state_topic(where).startswith(topics.event_filter(event)[:-1])


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "laserboard",
        "laserboard/1",
        "laserboard/2/Club/1/state",
        "laserboard/1/Club/0/state",
        "laserboard/1/Club/01/state",
        "laserboard/1/Club/10000/state",
        "laserboard/1/Club/one/state",
        "laserboard/1/Club/1/state/",
        "laserboard/1/Club/1/orders",
        "laserboard/1/Club/1/result",
        "laserboard/1/Club/1/result/0",
        "laserboard/1/Club night/1/state",  # would not be written so
        "laserboard/1/%43lub/1/state",
        "laserboard/1/%FF/1/state",
        "laserboard/1/Club/²/state",
        "$SYS/broker/uptime",
    ],
)
def test_any_other_topic_is_ignored(topic: str) -> None:
    assert read_topic(topic) is None


def test_equal_names_give_the_same_event_in_any_unicode_form() -> None:
    assert read_event_name("  Cafe\u0301   night ") == read_event_name("Caf\u00e9 night")


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\x00b", "a\u202eb"])
def test_an_unreadable_event_name_is_refused(name: str) -> None:
    with raises(BadEvent, sentences.BAD_EVENT):
        read_event_name(name)


def test_an_event_name_cannot_escape_its_folder() -> None:
    assert topics.escape("../../etc") == "%2E%2E%2F%2E%2E%2Fetc"
