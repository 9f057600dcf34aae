"""Parsing of scripts, and errors with file and line."""

from __future__ import annotations

import pytest

from controller.config.addresses.camera import SimulatedCameraAddress
from controller.devices.factory.cameras import simulated_table
from controller.devices.simulated.faults import TableFaults
from controller.simulation import sentences
from controller.simulation.script import (
    EVENT_SENTENCES,
    NUMBER_SLOTS,
    SENTENCES,
    BadScript,
    ScriptLine,
    read_script,
)
from controller.simulation.script_actions import PLAYER_ACTIONS, REQUEST_SENTENCES
from controller.simulation.script_expectations import EXPECTATION_CHECKS
from engine.sentences import Sentence
from tests.support.engine.sentences import raises

GOOD = """\
# a remark
board demo-10x8
setup ace      # and another

blue moves j4 j3
blue presses fire
expect turn j4j3
"""


def test_a_script_is_parsed_into_lines() -> None:
    script = read_script(GOOD, "a.game")
    assert script.settings == {"board": "demo-10x8", "setup": "ace"}
    assert script.lines == (
        ScriptLine(5, "blue moves j4 j3", "WHO moves CELL CELL", ("blue", "j4", "j3")),
        ScriptLine(6, "blue presses fire", "WHO presses fire", ("blue",)),
        ScriptLine(7, "expect turn j4j3", "expect turn TEXT", ("j4j3",)),
    )


def test_settings_are_parsed() -> None:
    text = "first computer:3\nsecond human\noption a=1\noption b=2\nclock 5m+3s\nfirst leaves"
    script = read_script(text, "a.game")
    assert script.settings == {"first": "computer:3", "second": "human", "clock": "5m+3s"}
    assert script.options == ("a=1", "b=2")
    assert [line.arguments for line in script.lines] == [("first",)]


EXAMPLES = {
    "WHO": "blue",
    "CELL": "j4",
    "CELLS": "j4 j3",
    "TEXT": "one two",
    "PIECE": "king",
    "TIME": "4:57",
    **dict.fromkeys(NUMBER_SLOTS, "12"),
}


def no_number(number: int, line: str, word: str) -> Sentence:
    problem = sentences.NOT_A_NUMBER(value=repr(word))
    return sentences.AT_SCRIPT_LINE(file="a.game", number=number, line=line, problem=problem)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_sentence_is_parsed(sentence: str) -> None:
    arguments = [EXAMPLES[kind] for kind in sentence.split() if kind in EXAMPLES]
    text = " ".join(EXAMPLES.get(word, word) for word in sentence.split())
    (line,) = read_script(text, "a.game").lines
    assert (line.sentence, line.arguments, str(line)) == (
        sentence,
        tuple(" ".join(arguments).split()),
        text,
    )


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_sentence_has_an_implementation(sentence: str) -> None:
    faults = TableFaults(simulated_table(SimulatedCameraAddress())).fault_names
    assert sentence in {
        *PLAYER_ACTIONS,
        *REQUEST_SENTENCES,
        *EXPECTATION_CHECKS,
        *faults,
        *EVENT_SENTENCES[:3],
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", sentences.SCRIPT_EMPTY(file="a.game")),
        ("board x", sentences.SCRIPT_EMPTY(file="a.game")),
        (
            "blue computer:1\nwait 1\nblue human",
            sentences.SETTING_TOO_LATE(file="a.game", line=3, key="blue"),
        ),
        (
            "blue human\nblue human\nwait 1",
            sentences.SETTING_TWICE(file="a.game", line=2, key="blue"),
        ),
        ("wait 1\nboard x", sentences.SETTING_TOO_LATE(file="a.game", line=2, key="board")),
        ("setup a\nsetup b\nwait 1", sentences.SETTING_TWICE(file="a.game", line=2, key="setup")),
        ("setup\nwait 1", sentences.SETTING_WITHOUT_NAME(file="a.game", line=1, key="setup")),
        (
            "setup a\nseed 3\nwait 1",
            sentences.TWO_POSITIONS(file="a.game", first="setup", second="seed"),
        ),
        ("\nred turns e4 round", no_number(2, "red turns e4 round", "round")),
        ("wait nan", no_number(1, "wait nan", "nan")),
        ("wait 1e9", no_number(1, "wait 1e9", "1e9")),
        ("wait 1\n" * 2001, sentences.SCRIPT_TOO_LONG(file="a.game", most=2000)),
    ],
)
def test_a_script_that_cannot_run_is_refused(text: str, expected: Sentence) -> None:
    with raises(BadScript, expected):
        read_script(text, "a.game")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("blue asks", "a.game:1: blue asks: write `blue asks for a hint` or `blue asks to take"),
        ("the camra is unplugged", "a.game:1: the camra is unplugged: there is no such event, "),
        ("power out", "a.game:1: power out: write `power cut`"),
        ("blue movs a1 a2", "a.game:1: 'movs' is not a word of scripts, did you mean 'moves'?"),
        ("shoot", "a.game:1: 'shoot' is not a word of scripts"),
        ("red moves j4", "a.game:1: red moves j4: write `red moves CELL CELL`"),
        (
            "red presses stop",
            "a.game:1: red presses stop: write `red presses fire` or `red presses",
        ),
        ("expect beem a1", "a.game:1: expect beem a1: cannot expect that, did you mean 'beam'?"),
        ("expect", "a.game:1: expect: cannot expect that; known: turn, captured"),
        ("expect phase", "a.game:1: expect phase: write `expect phase TEXT`"),
        (
            "expect clock blue",
            "a.game:1: expect clock blue: write `expect clock WHO about TIME` or",
        ),
    ],
)
def test_an_error_names_file_and_line(text: str, error: str) -> None:
    with pytest.raises(BadScript) as caught:
        read_script(text, "a.game")
    assert str(caught.value).startswith(error)
