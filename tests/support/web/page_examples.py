"""The examples in docs/page-protocol.md: one message for each game, made by the program itself.

`python -m tests.support.web.page_examples` writes them anew.
"""

from __future__ import annotations

import json
import re
from typing import Any

from controller.config.board_file import load_board_file
from controller.lighting.animation.beams import turn_step_ms
from controller.lighting.layout import LedLayout, led_layout
from controller.session import sentences
from controller.session.setup import GameSetup
from controller.session.state import Session
from controller.table.rig import led_settings_or_default
from controller.ui.web.game_view import FiredTurn, GameSummary, GameView, Message
from controller.ui.web.state_diff import StateDiff
from engine import games
from tests.support.paths import DOCS
from tests.support.play.keyboard_sessions import BOARDS, session
from vision.scene import place_pieces

DOCUMENT = DOCS / "page-protocol.md"
BLOCK = re.compile(r"(<!-- example: ([a-z-]+) -->\n```json\n)(.*?)(```)", re.DOTALL)
NOW_MS = 61_000.0
LINE_LENGTH = 200
SHORT_LINE = 40


def sitting(now: Session, simulated: bool = True) -> GameSummary:
    game = now.game
    file = load_board_file(BOARDS[game.name])
    lies: LedLayout | None = led_layout(type(file)(file.board, leds=led_settings_or_default(file)))
    assert lies is not None
    start = GameSetup(game, now.seats, time_control="5m+3s", simulated=simulated)
    acts = ("the camera is unplugged", "a lamp shines on CELL")
    return GameSummary(
        1,
        "2026-03-01-2",
        start,
        file.board.name,
        lies.for_grid(now.position.grid),
        acts if simulated else (),
    )


def moment(name: str, turns: int = 2) -> GameView:
    """A game after some turns, with the beams of the last one just fired."""
    now = session(name, turns, computer=None)
    turn = now.history[-1].turn
    things = place_pieces(now.setup.board.board, now.position.pieces, now.game.tags)
    return GameView(
        sitting(now),
        now,
        (Message(1, sentences.BOARD_SET_UP(), 1000.0),),
        FiredTurn(turns, turn, 58_000.0, turn_step_ms(turn)),
        objects=tuple(enumerate(things, start=1)),
    )


def example(name: str) -> dict[str, Any]:
    """All parts, as a page gets them when it opens."""
    state_diffs = StateDiff()
    assert state_diffs.update(moment(name))
    text = state_diffs.message(0, NOW_MS)
    assert text is not None
    found: dict[str, Any] = json.loads(text)
    return found


def written(name: str) -> str:
    """The example as text, with no line longer than `LINE_LENGTH`."""
    return _format(example(name), "", "", "") + "\n"


def _format(value: Any, before: str, indent: str, after: str) -> str:
    """`value` as JSON between two texts: on one line where it fits, else one line for each item."""
    line = f"{indent}{before}{json.dumps(value, ensure_ascii=False)}{after}"
    if len(line) <= LINE_LENGTH or not isinstance(value, (dict, list)):
        return line
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    if isinstance(value, dict):
        items = [(f"{json.dumps(key)}: ", each) for key, each in value.items()]
    else:
        items = [("", each) for each in value]
    commas = [*[","] * (len(items) - 1), ""]
    lines = [
        _format(each, key, indent + "  ", comma)
        for (key, each), comma in zip(items, commas, strict=True)
    ]
    return "\n".join(
        [f"{indent}{before}{opening}", *_packed(lines, indent + "  "), f"{indent}{closing}{after}"]
    )


def _packed(lines: list[str], indent: str) -> list[str]:
    """Short neighbours, such as the cells of a grid, share a line."""
    packed: list[str] = []
    packed_short = False
    for line in lines:
        short = len(line) <= SHORT_LINE and "\n" not in line and '": ' not in line
        if short and packed and len(packed[-1]) + len(line) < LINE_LENGTH and packed_short:
            packed[-1] += " " + line.removeprefix(indent)
        else:
            packed.append(line)
        packed_short = short
    return packed


def shown() -> dict[str, str]:
    """The examples of the document, by game."""
    return {name: text for _, name, text, _ in BLOCK.findall(DOCUMENT.read_text("utf-8"))}


def main() -> None:
    text = DOCUMENT.read_text("utf-8")
    DOCUMENT.write_text(
        BLOCK.sub(lambda found: found[1] + written(found[2]) + found[4], text), "utf-8"
    )
    assert set(shown()) == set(games.GAMES)


if __name__ == "__main__":
    main()
