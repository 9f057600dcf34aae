"""Scripts: what is written is what is done, and every mistake has a file and a line."""

from __future__ import annotations

import pytest

from controller.script import Act, BadScript, read_script

GOOD = """\
# a remark
board demo-10x8
setup ace      # and another

blue moves j4 j3
blue presses fire
expect turn j4j3
"""


def test_a_script_reads_as_it_is_written() -> None:
    script = read_script(GOOD, "a.game")
    assert script.settings == {"board": "demo-10x8", "setup": "ace"}
    assert script.acts == (
        Act(5, "blue", "moves", ("j4", "j3")),
        Act(6, "blue", "presses", ("fire",)),
        Act(7, "", "expect", ("turn", "j4j3")),
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a.game: nothing happens in it"),
        ("board x", "a.game: nothing happens in it"),
        ("blue movs a1 a2", "a.game:1: 'movs' is no word of a script, did you mean 'moves'?"),
        ("fire", "a.game:1: 'fire' is no word of a script"),
        ("wait 1\nboard x", "a.game:2: board must come before the first act"),
        ("setup a\nsetup b\nwait 1", "a.game:2: setup is given twice"),
        ("setup\nwait 1", "a.game:1: setup: a name is missing"),
        ("setup a\nseed 3\nwait 1", "a.game: setup and seed both name a position: give one"),
        ("red moves j4", "a.game:1: red moves j4: write `red moves CELL CELL`"),
        ("red presses stop", "a.game:1: red presses stop: write `red presses fire`"),
        ("\nred turns e4 left", "a.game:2: red turns e4 left: 'left' is no number"),
        ("wait nan", "a.game:1: wait nan: 'nan' is no number"),
        ("wait 1e9", "a.game:1: wait 1e9: '1e9' is no number"),
        ("expect beem a1", "a.game:1: expect beem a1: cannot expect that, did you mean 'beam'?"),
        ("expect lit", "a.game:1: expect lit: expect what?"),
        ("wait 1\n" * 2001, "a.game: longer than 2000 lines"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, complaint: str) -> None:
    with pytest.raises(BadScript) as caught:
        read_script(text, "a.game")
    assert str(caught.value).startswith(complaint)
