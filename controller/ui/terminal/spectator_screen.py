"""Shows a match of programs to spectators: on a screen with a few keys, or as one line per turn."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from controller.devices.factory.inputs import open_terminal_keys
from controller.ports.keyboard import Keys
from controller.session.events import Request, Requested
from controller.session.state import Phase
from controller.table.loop import Loop, running_loop
from controller.table.rig import LedOnlyRig
from controller.ui.console import BadInput
from controller.ui.terminal import sentences
from controller.ui.terminal.match_screen import MatchView, match_screen, result_text, round_text
from controller.ui.terminal.screen import ENTER_SCREEN, LEAVE_SCREEN, redraw
from engine.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from controller.storage.record_file import RecordFile
    from controller.table.next_game import NewGame, ScheduledGame
    from controller.table.plan import GamePlan, JournalOpener
    from controller.table.rig import TableSpec
    from controller.ui.console import Console
    from controller.ui.hosting.participants import Participants
    from engine.sentences import Sentence

REDRAW_MS = 60.0
QUIT_KEYS = ("Q", "q", "eof", "ctrl-c")


async def watch_match(
    scheduled_game: ScheduledGame,
    table_spec: TableSpec,
    journal_opener: JournalOpener,
    record: RecordFile | None,
    people: Participants,
    console: Console,
) -> bool:
    """Show one match; True if the spectator wants another."""
    plan = scheduled_game.plan
    rig = LedOnlyRig(table_spec, journal_opener, plan.preferences.min_round_ms)
    devices, entries = rig.open()
    spectator = SpectatorScreen(
        plan, record, console, people.opened_page.notes if people.opened_page else ()
    )
    people.set_wake(rig.pacing.wake)
    try:
        session = plan.start_session(entries, devices)
        async with (
            running_loop(Loop(session, devices, rig.pacing, people.announce, entries)) as loop,
            people.serving(
                loop, scheduled_game, journal_opener.path, _refuse_new_game
            ) as spectator.check_tasks,
        ):
            try:
                return await spectator.run(loop)
            finally:
                spectator.save_record(loop)
    finally:
        devices.close()


def ignore_message(sentence: str | Sentence) -> None:
    """Drop a message: the screen or the printed lines already show its content."""
    assert sentence


def _refuse_new_game(_: NewGame) -> None:
    raise BadInput(sentences.RESTART_IN_TERMINAL())


class SpectatorScreen:
    """The screen of a spectator."""

    def __init__(
        self,
        plan: GamePlan,
        record: RecordFile | None,
        console: Console,
        notes: tuple[Sentence, ...] = (),
    ) -> None:
        self._plan, self._record, self._console, self._notes = plan, record, console, notes
        self.check_tasks: Callable[[], None] = lambda: None  # called at every tick
        self._drawn: list[str] = []
        self._printed_turns = 0

    def save_record(self, loop: Loop) -> None:
        if self._record is not None:
            self._record.update(self._plan.setup, loop.session)

    async def run(self, loop: Loop) -> bool:
        if self._console.size is None:
            return await self._run_as_lines(loop)
        keys = open_terminal_keys(self._console.clock, self._leave_screen, self._enter_screen)
        self._enter_screen()
        try:
            return await self._run_on_screen(loop, keys)
        finally:
            self._leave_screen()
            keys.close()

    # -- without a screen ----------------------------------------------------------------------

    async def _run_as_lines(self, loop: Loop) -> bool:
        """Print turns until the match is over and stored on disk."""
        console, setup = self._console, self._plan.setup
        first, second = map(str, setup.seats)
        headline = sentences.MATCH_OF(game=setup.game.title, first=first, second=second)
        console.print(headline)
        while await loop.next_tick():
            self.check_tasks()
            self.save_record(loop)
            self._print_turns(loop)
            session = loop.session
            if session.phase is Phase.OVER and not session.writing.unwritten:
                console.print(result_text(session))
                return False
            if session.phase is Phase.PAUSED and session.pause.trouble:
                console.print(sentences.MATCH_PAUSED(reason=session.pause.trouble))
                return False
        return False

    def _print_turns(self, loop: Loop) -> None:
        """Print new turns once they are on disk."""
        session = loop.session
        if session.writing.unwritten:
            return
        for past in session.history[self._printed_turns :]:
            self._console.print(round_text(session, past.turn))
            self._console.out.flush()
        self._printed_turns = len(session.history)

    # -- on a screen ---------------------------------------------------------------------------

    async def _run_on_screen(self, loop: Loop, keys: Keys) -> bool:
        due_ms = 0.0
        while await loop.next_tick():
            self.check_tasks()
            self.save_record(loop)
            pressed = keys.pressed()
            for key in pressed:
                if key in QUIT_KEYS:
                    return False
                if key in ("R", "r"):
                    return True
                self._press_key(key, loop)
            now_ms = loop.now_ms()
            if pressed or now_ms >= due_ms:
                due_ms = now_ms + REDRAW_MS
                self._draw(loop, now_ms)
        return False

    def _press_key(self, key: str, loop: Loop) -> None:
        if key == "redraw":
            self._drawn = []
        elif key in ("P", "p", "space"):
            paused = loop.session.phase is Phase.PAUSED
            loop.dispatch(
                Requested(Request.CONTINUE if paused else Request.PAUSE, 0, loop.now_ms())
            )

    def _draw(self, loop: Loop, now_ms: float) -> None:
        lights, beam = loop.devices.lights, None
        if lights.beam_turn is not None:
            steps = lights.beams_elapsed_ms(now_ms) / lights.step_ms(lights.beam_turn)
            beam = lights.beam_turn, 1 + int(steps)
        view = MatchView(loop.session, beam, self._notes)
        lines = match_screen(view, shutil.get_terminal_size(), self._console.colour)
        if lines != self._drawn:
            self._drawn = lines
            self._console.out.write(redraw(lines))
            self._console.out.flush()

    def _leave_screen(self) -> None:
        self._console.out.write(LEAVE_SCREEN)
        self._console.out.flush()
        self._console.hold_log(False)

    def _enter_screen(self) -> None:
        self._console.hold_log(True)
        self._drawn = []
        self._console.out.write(ENTER_SCREEN)
