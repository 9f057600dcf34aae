"""A refereed game on a real page without a room around it: hands and frames come from the test, so
that a browser has the computer for itself. Pictures are rendered and read only to be kept."""

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

from controller.agreement import Occasion, Seat, Start
from controller.config import load_board_file
from controller.evidence import Photographed, Picture
from controller.evidence_picture import developed
from controller.evidence_store import evidence_folder
from controller.flow.rulings import why_not
from controller.journal import Entry, following, write_line
from controller.laws import Laws
from controller.layout import layout
from controller.ports import Frame, Pressed
from controller.room import led_settings
from controller.session_values import Asked, Photograph, Ruled
from controller.sight import Glimpse
from controller.web import commands
from controller.web.arranging import meant
from controller.web.moment import Fired, Moment, Said, Sitting
from controller.web.server import Page, PageSettings, Wanted
from engine import games
from engine.errors import LaserboardError
from tests.controller.refereed import CLOCK, Refereed
from tests.vision.tables import Setting, setting
from vision.reader import Reader
from vision.scene import render

BOARD = "demo-10x8"
KEY, PIN, DAY = "the-key-of-this-test-0123456789", "271828", 740_000
START = games.make().write_arrangement(games.make().start())
LOOK_S = 0.03


class Desk:
    """A game, its journal and its page; what pages want is done by a thread."""

    def __init__(self, folder: Path, laws: Laws | None = None, delay_ms: float = 0.0) -> None:
        self.table = Refereed(laws or Laws(), START)
        self.journal = folder / "laserboard" / "games" / "2026-03-01-1.journal"
        self.journal.parent.mkdir(parents=True, exist_ok=True)
        start = Start(
            games.make(),
            (Seat("Ada"), Seat("Grace")),
            position=games.make().start(),
            time_control=CLOCK,
            laws=laws or Laws(),
            occasion=Occasion("Club night", 3, 4),
        )
        file = load_board_file(BOARD)
        lies = layout(type(file)(file.board, leds=led_settings(file)))
        assert lies is not None
        grid = self.session.position.grid
        self._sitting = Sitting(
            1, self.journal.stem, start, BOARD, lies.playing(grid), (), self.journal
        )
        self._last: Entry | None = None
        self._append(self.table.kept[0])
        self._done = self._fired = self._looked = 0
        self._before: Picture | None = None
        self._lock = threading.RLock()
        self._over = threading.Event()
        self.page = Page(PageSettings(KEY, 0, PIN, DAY, None, delay_ms), self)
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
        """The page's clock: as late as the game is, so that nobody loses time by a slow test."""
        return self.table.game.at_ms

    def wait_ms(self, duration_ms: float) -> None:
        """Nobody waits by this clock."""

    def address(self, path: str = "") -> str:
        return f"http://127.0.0.1:{self.page.port}/{path}#key={KEY}"

    def does(self, *sentences: str) -> None:
        """As in docs/laws.md."""
        with self._lock:
            for sentence in sentences:
                self.table.does(sentence)
                self._follow()

    def close(self) -> None:
        self._over.set()
        self.page.close()

    # -- what comes of it ----------------------------------------------------------------------

    def _follow(self) -> None:
        game = self.table.game
        while True:
            fresh, self._done = game.written[self._done :], len(game.written)
            for each in fresh:
                self._append(following(self._last, each.kind, each.body, each.at_ms))
            wanted = [e for e in game.effects[self._looked :] if isinstance(e, Photograph)]
            self._looked = len(game.effects)
            for each_wanted in wanted:
                self._photograph(each_wanted)
            if not fresh and not wanted:
                break
        self._publish()

    def _append(self, entry: Entry) -> None:
        with self.journal.open("ab") as file:
            file.write(write_line(entry))
        self._last = entry

    def _photograph(self, wanted: Photograph | None) -> None:
        if wanted is None or wanted.turn is None:
            self._before = self._picture()
            return
        now = self.table.game.at_ms
        taken = Photographed(wanted.turn, self._before, self._picture(), now, wanted.matter)
        self.table.game.happens(taken)

    def _picture(self) -> Picture | None:
        """What a camera would see of the table now."""
        game, top = self.session.table.game, self.session.table
        shown = self.table.game.table
        pieces = {
            cell: replace(top.meanings[tag], orientation=(top.meanings[tag].orientation + turn) % 4)
            for cell, (tag, turn, *_) in shown.tags.items()
        }
        scene: Setting = setting(pieces, game, top.board)
        bgr = render(scene.scene, scene.view, scene.conditions, np.random.default_rng(1))
        grey = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        reader = Reader(top.board, set(game.tags))
        seen = reader.read(grey)
        made = developed(Glimpse(Frame(grey, 0.0, 1, bgr), reader.lock, seen), top)
        if made is None:
            return None
        folder = evidence_folder(self.journal)
        folder.mkdir(exist_ok=True)
        for name, content in zip(made.picture.names(), (made.jpeg, made.seen), strict=True):
            (folder / name).write_bytes(content)
        return made.picture

    def _publish(self) -> None:
        session = self.session
        said = tuple(
            Said(number, each, 0.0) for number, each in enumerate(self.table.game.said, start=1)
        )
        fired = None
        if session.history:
            number = len(session.history)
            fired = Fired(number, session.history[-1].turn, self.now_ms() - 60_000, 50.0)
        self.page.publish(Moment(self._sitting, session, said[-30:], fired, head=self.head))

    # -- what pages want -----------------------------------------------------------------------

    def _serve(self) -> None:
        while not self._over.is_set():
            for wanted in self.page.wanted(8):
                with self._lock:
                    self.page.answer(wanted, self._carried_out(wanted))
            self.page.beaten()
            time.sleep(LOOK_S)

    def _carried_out(self, wanted: Wanted) -> str:
        command, game = wanted.command, self.table.game
        try:
            match command:
                case commands.Rule() | commands.Arrange():
                    ruling = meant(self.session, command)
                    refusal = why_not(self.session, ruling)
                    if refusal or command.tried:
                        return refusal
                    game.happens(Ruled(ruling, game.at_ms))
                case commands.Want(wish, player, choice):
                    game.happens(Asked(wish, player or 0, game.at_ms, choice))
                case commands.Fire(player):
                    game.happens(Pressed(f"fire {player or 0}", game.at_ms))
                case _:
                    return "that is not for this desk"
        except LaserboardError as bad:
            return str(bad)
        self._follow()
        return ""


@contextmanager
def desk(folder: Path, laws: Laws | None = None, delay_ms: float = 0.0) -> Iterator[Desk]:
    found = Desk(folder, laws, delay_ms)
    try:
        yield found
    finally:
        found.close()
