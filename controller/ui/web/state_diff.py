"""State diffs: writes each part of the state as JSON once when it changes, for all clients.

Every change has a number. A client that has seen number N gets the parts that changed after N, each
in its newest version; it never gets intermediate versions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.session.move_options import orientations_before_turn
from controller.session.state import PlayedTurn, Session
from controller.ui.actors import MOVING_PHASES
from controller.ui.web import game_json
from controller.ui.web.game_view import GameView
from controller.ui.web.journal_json import JournalView
from controller.ui.web.referee_json import referee_part
from engine.strict_json import write

MESSAGE_REUSE_MS = 50.0  # a message contains the time, so it is shared only this long


@dataclass(frozen=True)
class _Part:
    """One part of the state, with the inputs that it was rendered from."""

    objects: tuple[Any, ...]  # inputs compared by identity
    values: tuple[Any, ...]  # inputs compared by equality
    text: str
    number: int  # of its last change


class StateDiff:
    """The parts of the newest state. Call it only from the page's thread."""

    def __init__(self) -> None:
        self.number = 0  # of the newest change
        self._game_view: GameView | None = None
        self._parts: dict[str, _Part] = {}
        self._history_texts: list[tuple[PlayedTurn, str]] = []
        self._messages: dict[int, tuple[float, str]] = {}  # by the number that the client has seen
        self.journal = JournalView()

    def update(self, game_view: GameView) -> bool:
        """Take the newest state; return whether a part has changed."""
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
        board_inputs = (
            session.phase,
            session.position,
            session.table.inference,
            history,
            session.firing.turns,
        )
        self._update_part("board", board_inputs, (), lambda: game_json.board_part(session))
        self._update_part(
            "clocks", (session.clocks,), (), lambda: game_json.clocks_part(session.clocks)
        )
        self._update_part("history", (history,), (), lambda: _Json(self._render_history(session)))
        newest_turn = history[-1] if history else None
        self._update_part(
            "turn", (fired, newest_turn), (), lambda: game_json.turn_part(game, fired, session)
        )
        objects, values = self._legal_moves_inputs(session)
        self._update_part(
            "legal_moves", objects, values, lambda: game_json.legal_moves_part(session)
        )
        self._update_part(
            "messages",
            (game_view.messages,),
            (),
            lambda: game_json.messages_part(game_view.messages),
        )
        self._update_part(
            "objects", (game_view.objects,), (), lambda: game_json.objects_part(game_view)
        )
        last = self._game_view
        if (
            last is None
            or last.session is not session
            or last.hands_busy is not game_view.hands_busy
        ):
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
        """The newest state; None before the first."""
        return self._game_view

    def _update_referee(self, game_view: GameView) -> None:
        """Update the parts `referee` and `journal`; both are null without a referee."""
        session, journal = game_view.session, self.journal
        if session.policies is None:
            self._update_part("referee", (None,), (), lambda: None)
            self._update_part("journal", (None,), (), lambda: None)
            return
        journal.update(game_view.game.journal_path, game_view.entries)
        inputs = (session, game_view.last_hash)
        self._update_part(
            "referee", inputs, (), lambda: referee_part(session, journal.evidence_images)
        )
        self._update_part("journal", (game_view.game,), (game_view.last_hash,), journal.to_json)

    def message(self, seen: int, now_ms: float) -> str | None:
        """The message for a client that has seen this number; None: nothing has changed since."""
        if seen >= self.number:
            return None
        cached = self._messages.get(seen)
        if cached is None or now_ms - cached[0] > MESSAGE_REUSE_MS:
            cached = now_ms, self._render_message(seen, now_ms)
            self._messages[seen] = cached
        return cached[1]

    def _render_message(self, seen: int, now_ms: float) -> str:
        parts = ",".join(
            f'"{name}":{part.text}' for name, part in self._parts.items() if part.number > seen
        )
        head = f'"type":"state","number":{self.number},"now_ms":{round(now_ms)}'
        return f'{{{head},"parts":{{{parts}}}}}'

    def _update_part(
        self,
        name: str,
        objects: tuple[Any, ...],
        values: tuple[Any, ...],
        render: Callable[[], Any],
    ) -> None:
        """Render a part if its inputs have changed; it counts as changed if its text differs."""
        before = self._parts.get(name)
        if before is not None and before.values == values and _identical(before.objects, objects):
            return
        rendered = render()
        text = rendered if isinstance(rendered, _Json) else write(rendered)
        number = self.number
        if before is not None and before.text == text:
            number = before.number
        self._parts[name] = _Part(objects, values, str(text), number)

    def _legal_moves_inputs(self, session: Session) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        game, position = session.game, session.position
        orientations = orientations_before_turn(
            game, position, session.table.last_seen_orientations
        )
        return (position,), (
            session.phase in MOVING_PHASES,
            session.humans_to_move,
            tuple(orientations.items()),
        )

    def _render_history(self, session: Session) -> str:
        """Render the history; turns that were rendered before are reused."""
        game, reused = session.game, 0
        for (rendered, _), played in zip(self._history_texts, session.history, strict=False):
            if rendered is not played:
                break
            reused += 1
        self._history_texts[reused:] = [
            (played, write(game_json.history_entry_json(game, played)))
            for played in session.history[reused:]
        ]
        return f"[{','.join(text for _, text in self._history_texts)}]"


class _Json(str):
    """Text that is JSON already."""

    __slots__ = ()


def _identical(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
