"""The newest moment as text to send: every part is written once when it changes, and shared.

Whoever has seen the state of some number is sent the parts that are newer than that, be it the
last change or all of them: nobody needs what was in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.session.move_options import facing_before_turn
from controller.session.state import PlayedTurn, Session
from controller.ui.actors import MOVING_PHASES
from controller.ui.web import game_json
from controller.ui.web.game_view import GameView
from controller.ui.web.journal_json import JournalView
from controller.ui.web.referee_json import referee_part
from engine.strict_json import write

MESSAGE_REUSE_MS = 50.0  # a message with the time in it may be shared for so long


@dataclass(frozen=True)
class _Part:
    """One part: what it was made of, its text, and the number of its last change."""

    objects: tuple[Any, ...]  # these very ones
    values: tuple[Any, ...]  # or equal ones
    text: str
    number: int


class StateDiff:
    """All parts of one game; only for the thread of the page."""

    def __init__(self) -> None:
        self.number = 0  # of the newest change
        self._game_view: GameView | None = None
        self._parts: dict[str, _Part] = {}
        self._history_texts: list[tuple[PlayedTurn, str]] = []
        self._messages: dict[int, tuple[float, str]] = {}  # by what its reader has seen
        self.journal = JournalView()

    def update(self, game_view: GameView) -> bool:
        """Make this the newest; whether anything is to be sent."""
        before, session = self.number, game_view.session
        self.number += 1
        history = session.history
        fired, game = game_view.fired_turn, session.game
        self._update_part(
            "game", (game_view.game,), (), lambda: game_json.game_part(game_view.game, session)
        )
        self._update_part(
            "terrain", (session.position,), (), lambda: game_json.terrain_part(session)
        )
        seen = (
            session.phase,
            session.position,
            session.table.inference,
            history,
            session.firing.turns,
        )
        self._update_part("board", seen, (), lambda: game_json.board_part(session))
        self._update_part(
            "clocks", (session.clocks,), (), lambda: game_json.clocks_part(session.clocks)
        )
        self._update_part("history", (history,), (), lambda: _Raw(self._render_history(session)))
        last = history[-1] if history else None
        self._update_part(
            "turn", (fired, last), (), lambda: game_json.turn_part(game, fired, session)
        )
        ours, values = self._legal_moves_key(session)
        self._update_part("legal_moves", ours, values, lambda: game_json.legal_moves_part(session))
        self._update_part(
            "messages",
            (game_view.messages,),
            (),
            lambda: game_json.messages_part(game_view.messages),
        )
        self._update_part(
            "objects", (game_view.objects,), (), lambda: game_json.objects_part(game_view)
        )
        same = self._game_view is not None and self._game_view.session is session
        if not same or game_view.hands_busy is not (self._game_view and self._game_view.hands_busy):
            self._update_part("table", (game_view,), (), lambda: game_json.table_part(game_view))
        self._update_referee(game_view)
        self._game_view = game_view
        if all(part.number <= before for part in self._parts.values()):
            self.number = before
            return False
        self._messages.clear()
        return True

    @property
    def game_view(self) -> GameView | None:
        """The newest that was taken."""
        return self._game_view

    def _update_referee(self, game_view: GameView) -> None:
        """What concerns the referee, if there is one: what is open, and what was written."""
        session, journal = game_view.session, self.journal
        if session.policies is None:
            self._update_part("referee", (None,), (), lambda: None)
            self._update_part("journal", (None,), (), lambda: None)
            return
        journal.update(game_view.game.journal_path, game_view.entries)
        made_of = (session, game_view.last_hash)
        self._update_part(
            "referee", made_of, (), lambda: referee_part(session, journal.evidence_images)
        )
        self._update_part("journal", (game_view.game,), (game_view.last_hash,), journal.to_json)

    def message(self, seen: int, now_ms: float) -> str | None:
        """What brings a reader of that number up to date; None: there is nothing new."""
        if seen >= self.number:
            return None
        made = self._messages.get(seen)
        if made is None or now_ms - made[0] > MESSAGE_REUSE_MS:
            made = now_ms, self._render_message(seen, now_ms)
            self._messages[seen] = made
        return made[1]

    def _render_message(self, seen: int, now_ms: float) -> str:
        parts = ",".join(
            f'"{name}":{part.text}' for name, part in self._parts.items() if part.number > seen
        )
        head = f'"type":"state","number":{self.number},"now_ms":{round(now_ms)}'
        return f'{{{head},"parts":{{{parts}}}}}'

    def _update_part(
        self, name: str, objects: tuple[Any, ...], values: tuple[Any, ...], make: Callable[[], Any]
    ) -> None:
        """Write a part, unless it was made of the same before; what reads the same is no news."""
        before = self._parts.get(name)
        if before is not None and before.values == values and _identical(before.objects, objects):
            return
        made = make()
        text = made if isinstance(made, _Raw) else write(made)
        number = self.number
        if before is not None and before.text == text:
            number = before.number
        self._parts[name] = _Part(objects, values, str(text), number)

    def _legal_moves_key(self, session: Session) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        game, position = session.game, session.position
        facing = facing_before_turn(game, position, session.table.last_facing)
        return (position,), (
            session.phase in MOVING_PHASES,
            session.humans_to_move,
            tuple(facing.items()),
        )

    def _render_history(self, session: Session) -> str:
        """Turns that were written before are not written again."""
        game, kept = session.game, 0
        for (past, _), now in zip(self._history_texts, session.history, strict=False):
            if past is not now:
                break
            kept += 1
        self._history_texts[kept:] = [
            (past, write(game_json.history_entry_json(game, past)))
            for past in session.history[kept:]
        ]
        return f"[{','.join(text for _, text in self._history_texts)}]"


class _Raw(str):
    """JSON that is written already."""

    __slots__ = ()


def _identical(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
