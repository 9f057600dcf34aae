"""The newest moment as text to send: every part is written once when it changes, and shared.

Whoever has seen the state of some number is sent the parts that are newer than that, be it the
last change or all of them: nobody needs what was in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.session_values import Past, Session
from controller.terminal.keyboard import MOVING
from controller.terminal.ways import seen_facing
from controller.web import snapshot
from controller.web.ledger import Ledger
from controller.web.moment import Moment
from controller.web.referee_json import referee_part
from engine.strict_json import write

FRESH_MS = 50.0  # a message with the time in it may be shared for so long


@dataclass(frozen=True)
class _Part:
    """One part: what it was made of, its text, and the number of its last change."""

    objects: tuple[Any, ...]  # these very ones
    values: tuple[Any, ...]  # or equal ones
    text: str
    number: int


class Parcels:
    """All parts of one game; only for the thread of the page."""

    def __init__(self) -> None:
        self.number = 0  # of the newest change
        self._moment: Moment | None = None
        self._parts: dict[str, _Part] = {}
        self._past: list[tuple[Past, str]] = []
        self._messages: dict[int, tuple[float, str]] = {}  # by what its reader has seen
        self.ledger = Ledger()

    def take(self, moment: Moment) -> bool:
        """Make this the newest; whether anything is to be sent."""
        before, session = self.number, moment.session
        self.number += 1
        history = session.history
        fired, game = moment.fired, session.table.game
        self._part(
            "game", (moment.sitting,), (), lambda: snapshot.game_part(moment.sitting, session)
        )
        self._part("ground", (session.position,), (), lambda: snapshot.ground_part(session))
        seen = (session.phase, session.position, session.inference, history, session.pending)
        self._part("board", seen, (), lambda: snapshot.board_part(session))
        self._part("clocks", (session.clocks,), (), lambda: snapshot.clocks_part(session.clocks))
        self._part("history", (history,), (), lambda: _Raw(self._history(session)))
        last = history[-1] if history else None
        self._part("turn", (fired, last), (), lambda: snapshot.turn_part(game, fired, session))
        ours, values = self._ways_key(session)
        self._part("ways", ours, values, lambda: snapshot.ways_part(session))
        self._part("said", (moment.said,), (), lambda: snapshot.said_part(moment.said))
        self._part("things", (moment.things,), (), lambda: snapshot.things_part(moment))
        same = self._moment is not None and self._moment.session is session
        if not same or moment.busy is not (self._moment and self._moment.busy):
            self._part("table", (moment,), (), lambda: snapshot.table_part(moment))
        self._referee(moment)
        self._moment = moment
        if all(part.number <= before for part in self._parts.values()):
            self.number = before
            return False
        self._messages.clear()
        return True

    @property
    def moment(self) -> Moment | None:
        """The newest that was taken."""
        return self._moment

    def _referee(self, moment: Moment) -> None:
        """What concerns the referee, if there is one: what is open, and what was written."""
        session, ledger = moment.session, self.ledger
        if session.laws is None:
            self._part("referee", (None,), (), lambda: None)
            self._part("ledger", (None,), (), lambda: None)
            return
        ledger.read_on(moment.sitting.journal, moment.head)
        made_of = (session, moment.head)
        self._part("referee", made_of, (), lambda: referee_part(session, ledger.pictures))
        self._part("ledger", (moment.sitting,), (moment.head,), ledger.part)

    def message(self, seen: int, now_ms: float) -> str | None:
        """What brings a reader of that number up to date; None: there is nothing new."""
        if seen >= self.number:
            return None
        made = self._messages.get(seen)
        if made is None or now_ms - made[0] > FRESH_MS:
            made = now_ms, self._written(seen, now_ms)
            self._messages[seen] = made
        return made[1]

    def _written(self, seen: int, now_ms: float) -> str:
        parts = ",".join(
            f'"{name}":{part.text}' for name, part in self._parts.items() if part.number > seen
        )
        return (
            f'{{"type":"show","number":{self.number},"now_ms":{round(now_ms)},"parts":{{{parts}}}}}'
        )

    def _part(
        self, name: str, objects: tuple[Any, ...], values: tuple[Any, ...], make: Callable[[], Any]
    ) -> None:
        """Write a part, unless it was made of the same before; what reads the same is no news."""
        before = self._parts.get(name)
        if before is not None and before.values == values and _same(before.objects, objects):
            return
        made = make()
        text = made if isinstance(made, _Raw) else write(made)
        number = self.number
        if before is not None and before.text == text:
            number = before.number
        self._parts[name] = _Part(objects, values, str(text), number)

    def _ways_key(self, session: Session) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        game, position = session.table.game, session.position
        facing = seen_facing(game, position, session.facing)
        return (position,), (session.phase in MOVING, session.people, tuple(facing.items()))

    def _history(self, session: Session) -> str:
        """Turns that were written before are not written again."""
        game, kept = session.table.game, 0
        for (past, _), now in zip(self._past, session.history, strict=False):
            if past is not now:
                break
            kept += 1
        self._past[kept:] = [
            (past, write(snapshot.past_json(game, past))) for past in session.history[kept:]
        ]
        return f"[{','.join(text for _, text in self._past)}]"


class _Raw(str):
    """JSON that is written already."""

    __slots__ = ()


def _same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
