"""Parsing of scripts, and errors with file and line."""

from __future__ import annotations

import pytest

from controller.config.addresses.camera import SimulatedCameraAddress
from controller.devices.factory.cameras import simulated_table
from controller.devices.simulated.faults import TableFaults
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
    ("text", "error"),
    [
        ("", "a.game: nothing happens in it"),
        ("board x", "a.game: nothing happens in it"),
        ("blue asks", "a.game:1: blue asks: write `blue asks for a hint` or `blue asks to take"),
        ("the camra is unplugged", "a.game:1: the camra is unplugged: there is no such event, "),
        ("power out", "a.game:1: power out: write `power cut`"),
        ("blue computer:1\nwait 1\nblue human", "a.game:3: blue must come before the first action"),
        ("blue human\nblue human\nwait 1", "a.game:2: blue is given twice"),
        ("blue movs a1 a2", "a.game:1: 'movs' is not a word of scripts, did you mean 'moves'?"),
        ("shoot", "a.game:1: 'shoot' is not a word of scripts"),
        ("wait 1\nboard x", "a.game:2: board must come before the first action"),
        ("setup a\nsetup b\nwait 1", "a.game:2: setup is given twice"),
        ("setup\nwait 1", "a.game:1: setup: a name is missing"),
        ("setup a\nseed 3\nwait 1", "a.game: setup and seed both name a position: give one"),
        ("red moves j4", "a.game:1: red moves j4: write `red moves CELL CELL`"),
        (
            "red presses stop",
            "a.game:1: red presses stop: write `red presses fire` or `red presses",
        ),
        ("\nred turns e4 round", "a.game:2: red turns e4 round: 'round' is not a number"),
        ("wait nan", "a.game:1: wait nan: 'nan' is not a number"),
        ("wait 1e9", "a.game:1: wait 1e9: '1e9' is not a number"),
        ("expect beem a1", "a.game:1: expect beem a1: cannot expect that, did you mean 'beam'?"),
        ("expect", "a.game:1: expect: cannot expect that; known: turn, captured"),
        ("expect phase", "a.game:1: expect phase: write `expect phase TEXT`"),
        (
            "expect clock blue",
            "a.game:1: expect clock blue: write `expect clock WHO about TIME` or",
        ),
        ("wait 1\n" * 2001, "a.game: longer than 2000 lines"),
    ],
)
def test_an_error_names_file_and_line(text: str, error: str) -> None:
    with pytest.raises(BadScript) as caught:
        read_script(text, "a.game")
    assert str(caught.value).startswith(error)
