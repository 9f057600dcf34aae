"""A refereed game with a real page, without a simulated table.

The test supplies events and observations, which leaves the processor to the browser. Images are
rendered only as evidence.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.config.board_file import load_board_file
from controller.lighting.layout import led_layout
from controller.ports.devices import Frame
from controller.ports.events import Pressed
from controller.ports.frames import CapturedFrame
from controller.session.effects import CaptureEvidence
from controller.session.events import Requested, Ruled
from controller.session.evidence import EvidenceCaptured, EvidenceImage
from controller.session.journal import JournalEntry, format_entry, next_entry
from controller.session.referee.policy import RefereePolicies
from controller.session.setup import GameSetup, Seat, TournamentEntry
from controller.session.step import dry_run
from controller.storage.evidence_files import evidence_folder
from controller.storage.evidence_image import encode_evidence
from controller.table.rig import led_settings_or_default
from controller.ui.intents import MakeRequest, PressFire
from controller.ui.web import commands
from controller.ui.web.bridge import ruling_from_command
from controller.ui.web.game_view import FiredTurn, GameSummary, GameView, Message
from controller.ui.web.page_server import PageServer, PageSettings, PendingCommand
from engine import games
from engine.errors import LaserboardError
from engine.sentences import Sentence, plain
from tests.support.play.refereed_play import CLOCK, Refereed
from tests.support.vision.rendered_tables import RenderedTable, setting
from vision.reader import Reader
from vision.scene import render

BOARD = "demo-10x8"
KEY, PIN, DAY = "the-key-of-this-test-0123456789", "271828", 740_000
START = games.make().write_arrangement(games.make().start())
LOOK_S = 0.03


class RefereedGame:
    """A game, its journal and its page. A thread executes the commands of the page."""

    def __init__(
        self, folder: Path, policies: RefereePolicies | None = None, delay_ms: float = 0.0
    ) -> None:
        self.table = Refereed(policies or RefereePolicies(), START)
        self.journal = folder / "laserboard" / "games" / "2026-03-01-1.journal"
        self.journal.parent.mkdir(parents=True, exist_ok=True)
        start = GameSetup(
            games.make(),
            (Seat("Ada"), Seat("Grace")),
            position=games.make().start(),
            time_control=CLOCK,
            policies=policies or RefereePolicies(),
            tournament_entry=TournamentEntry("Club night", 3, 4),
        )
        file = load_board_file(BOARD)
        lies = led_layout(type(file)(file.board, leds=led_settings_or_default(file)))
        assert lies is not None
        grid = self.session.position.grid
        self._game_summary = GameSummary(
            1, self.journal.stem, start, BOARD, lies.for_grid(grid), (), self.journal
        )
        self._last: JournalEntry | None = None
        self._entries: list[JournalEntry] = []
        self._append(self.table.kept[0])
        self._done = self._fired = self._looked = 0
        self._before: EvidenceImage | None = None
        self._lock = threading.RLock()
        self._over = threading.Event()
        self.page = PageServer(PageSettings(KEY, 0, PIN, DAY, None, delay_ms), self)
        self._photograph(None)
        self._publish()
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def session(self) -> Any:
        return self.table.game.session

    @property
    def head(self) -> str:
        assert self._last is not None
        return self._last.hash

    def now_ms(self) -> float:
        """The page uses the time of the game, so a slow test uses no thinking time."""
        return self.table.game.at_ms

    def wait_ms(self, duration_ms: float) -> None:
        """Unused: no code waits with this clock."""

    def address(self, path: str = "") -> str:
        return f"http://127.0.0.1:{self.page.port}/{path}#key={KEY}"

    def does(self, *sentences: str) -> None:
        """Execute sentences in the format of docs/referee-policy.md."""
        with self._lock:
            for sentence in sentences:
                self.table.does(sentence)
                self._follow()

    def close(self) -> None:
        self._over.set()
        self.page.close()

    # -- effects ----------------------------------------------------------------------

    def _follow(self) -> None:
        game = self.table.game
        while True:
            fresh, self._done = game.written[self._done :], len(game.written)
            for each in fresh:
                self._append(next_entry(self._last, each.kind, each.body, each.at_ms))
            wanted = [e for e in game.effects[self._looked :] if isinstance(e, CaptureEvidence)]
            self._looked = len(game.effects)
            for each_wanted in wanted:
                self._photograph(each_wanted)
            if not fresh and not wanted:
                break
        self._publish()

    def _append(self, entry: JournalEntry) -> None:
        with self.journal.open("ab") as file:
            file.write(format_entry(entry))
        self._last = entry
        self._entries.append(entry)

    def _photograph(self, wanted: CaptureEvidence | None) -> None:
        if wanted is None or wanted.turn is None:
            self._before = self._image()
            return
        now = self.table.game.at_ms
        taken = EvidenceCaptured(wanted.turn, self._before, self._image(), now, wanted.proposal)
        self.table.game.send(taken)

    def _image(self) -> EvidenceImage | None:
        """The current image of a camera over the table."""
        game, top = self.session.game, self.session.setup.fitted_board
        shown = self.table.game.table
        pieces = {
            cell: replace(
                top.pieces_by_tag[tag], orientation=(top.pieces_by_tag[tag].orientation + turn) % 4
            )
            for cell, (tag, turn, *_) in shown.tags.items()
        }
        scene: RenderedTable = setting(pieces, game, top.board)
        bgr = render(scene.scene, scene.view, scene.conditions, np.random.default_rng(1))
        grey = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        reader = Reader(top.board, set(game.tags))
        seen = reader.read(grey)
        made = encode_evidence(CapturedFrame(Frame(grey, 0.0, 1, bgr), reader.lock, seen), top)
        if made is None:
            return None
        folder = evidence_folder(self.journal)
        folder.mkdir(exist_ok=True)
        for name, content in zip(made.image.file_names(), (made.jpeg, made.reading), strict=True):
            (folder / name).write_bytes(content)
        return made.image

    def _publish(self) -> None:
        session = self.session
        said = tuple(
            Message(number, each, 0.0) for number, each in enumerate(self.table.game.said, start=1)
        )
        fired = None
        if session.history:
            number = len(session.history)
            fired = FiredTurn(number, session.history[-1].turn, self.now_ms() - 60_000, 50.0)
        self.page.publish(
            GameView(self._game_summary, session, said[-30:], fired, entries=tuple(self._entries))
        )

    # -- commands of the page ----------------------------------------------------------------

    def _serve(self) -> None:
        while not self._over.is_set():
            for wanted in self.page.take_commands(8):
                with self._lock:
                    self.page.answer(wanted, self._execute(wanted))
            self.page.mark_tick()
            time.sleep(LOOK_S)

    def _execute(self, wanted: PendingCommand) -> Sentence | None:
        command, game = wanted.command, self.table.game
        try:
            match command:
                case commands.RulingCommand() | commands.SetPositionCommand():
                    ruling = ruling_from_command(self.session, command)
                    ruled = Ruled(ruling, game.at_ms)
                    refusal = dry_run(self.session, ruled)
                    if refusal is not None or command.dry_run:
                        return refusal
                    game.send(ruled)
                case MakeRequest(requested, player, choice):
                    game.send(Requested(requested, player or 0, game.at_ms, choice))
                case PressFire(player):
                    game.send(Pressed(f"fire {player or 0}", game.at_ms))
                case _:
                    return plain("that is not for this desk")
        except LaserboardError as error:
            return error.sentence
        self._follow()
        return None


@contextmanager
def refereed_game(
    folder: Path, policies: RefereePolicies | None = None, delay_ms: float = 0.0
) -> Iterator[RefereedGame]:
    found = RefereedGame(folder, policies, delay_ms)
    try:
        yield found
    finally:
        found.close()
