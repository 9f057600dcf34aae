"""The examples in docs/page.md: one message for each game, made by the program itself.

`python -m tests.web.examples` writes them anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from controller.agreement import Start
from controller.config import load_board_file
from controller.layout import Layout, layout
from controller.light.beams import pace_ms
from controller.room import led_settings
from controller.session_values import Session
from controller.web.moment import Fired, Moment, Said, Sitting
from controller.web.parcels import Parcels
from engine import games
from tests.controller.sat_down import BOARDS, session
from vision.scene import placed

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "page.md"
BLOCK = re.compile(r"(<!-- example: ([a-z-]+) -->\n```json\n)(.*?)(```)", re.DOTALL)
NOW_MS = 61_000.0


def sitting(now: Session, simulated: bool = True) -> Sitting:
    game = now.table.game
    file = load_board_file(BOARDS[game.name])
    lies: Layout | None = layout(type(file)(file.board, leds=led_settings(file)))
    assert lies is not None
    start = Start(game, now.seats, time_control="5m+3s", simulated=simulated)
    acts = ("the camera is unplugged", "a lamp shines on CELL")
    return Sitting(
        1,
        "2026-03-01-2",
        start,
        file.board.name,
        lies.playing(now.position.grid),
        acts if simulated else (),
    )


def moment(name: str, turns: int = 2) -> Moment:
    """A game after some turns, with the beams of the last one just fired."""
    now = session(name, turns, computer=None)
    turn = now.history[-1].turn
    things = placed(now.table.board, now.position.pieces, now.table.game.tags)
    return Moment(
        sitting(now),
        now,
        (Said(1, "the board is set up", 1000.0),),
        Fired(turns, turn, 58_000.0, pace_ms(turn)),
        things=tuple(enumerate(things, start=1)),
    )


def example(name: str) -> dict[str, Any]:
    """All parts, as a page gets them when it opens."""
    parcels = Parcels()
    assert parcels.take(moment(name))
    text = parcels.message(0, NOW_MS)
    assert text is not None
    found: dict[str, Any] = json.loads(text)
    return found


def written(name: str) -> str:
    """A line for each part, so that it can be read."""
    message = example(name)
    parts = message.pop("parts")
    lines = [f"{json.dumps(each)}: {_compact(part)}" for each, part in parts.items()]
    head = _compact(message)[:-1]
    return head + ', "parts": {\n  ' + ",\n  ".join(lines) + "\n}}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


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
