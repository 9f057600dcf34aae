"""`laserboard calibrate`: the walk itself, live in a terminal, else told in a few lines."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import Protocol

import cv2
import numpy as np

from controller.calibrating import FINE, Look, Onlooker, Verdict, Walk
from controller.calibrating.screen import SMALLEST, screen, summary
from controller.cli.camera import camera_from, first_frame
from controller.cli.console import BadInput, Console, shown
from controller.cli.demo import CLEAR, CLEAR_BELOW, HIDE_CURSOR, HOME, SHOW_CURSOR
from controller.config import load_board_file, usual_board
from controller.pictures import save_picture
from controller.ports import Camera, Clock, DeviceLost, DeviceRemark, Frame, Pixels
from controller.tabletop import Tabletop, fitted
from controller.wiring import open_play_keys
from engine import games
from vision.overlay import overlay

LOOK_MS = 180.0  # between two pictures that are judged, at least
KEYS_MS = 200.0  # a key is noticed within that, even if no picture comes
LINE_MS = 1000.0  # between two lines, where nothing can be drawn
QUIT, BACK, GO_ON = ("q", "Q"), ("b", "B"), ("enter", "space")
NOT_GOOD = 1


class _Stage(Protocol):
    """Where the walk is shown."""

    def show(self, walk: Walk, look: Look, frame: Frame) -> None: ...

    def trouble(self, sentence: str) -> None:
        """What keeps the camera from seeing; empty: it sees again."""

    def remark(self, sentence: str) -> None: ...

    def typed(self) -> list[str]: ...

    def close(self) -> None: ...


def walk_through(args: argparse.Namespace, console: Console) -> int:
    """0: every step was good in the last picture, 1: one was not."""
    if args.picture is not None and not args.picture.lower().endswith(".png"):
        raise BadInput(f"--picture {shown(args.picture)}: pictures are saved as .png")
    file = load_board_file(args.board or usual_board())
    game = None if args.game is None else games.make(args.game)
    table = fitted(file.board, game, file.camera.lens)
    with closing(camera_from(args, console)) as camera:
        frame = first_frame(camera, console)
        going = _Going(camera, table, console.clock, args.seconds)
        look = going.look(frame)
        walk = Walk().see(look)
        if not args.once:
            with closing(_stage(console)) as stage:
                walk, look, frame = going.on(walk, look, frame, stage)
    if args.picture is not None:
        save_picture(args.picture, _drawn(walk, look, frame))
    for line in summary(walk, colour=console.colour):
        console.print(line)
    return 0 if walk.good else NOT_GOOD


class _Going:
    """A walk with a camera, from one picture to the next."""

    def __init__(
        self, camera: Camera, table: Tabletop, clock: Clock, seconds: float | None
    ) -> None:
        self._camera, self._onlooker, self._clock = camera, Onlooker(table), clock
        self._end_ms = None if seconds is None else clock.now_ms() + 1000 * seconds
        self._ended = False  # somebody quit, or nothing more will come from the camera

    def look(self, frame: Frame) -> Look:
        details = self._camera.details()
        locked = details.exposure_locked if details else None
        return self._onlooker.look(frame.grey, frame.at_ms, locked)

    def on(self, walk: Walk, look: Look, frame: Frame, stage: _Stage) -> tuple[Walk, Look, Frame]:
        """Until the last step is done, the time is up or somebody has had enough."""
        stage.show(walk, look, frame)
        number = frame.number
        while True:
            before, walk = walk, self._typed(walk, stage.typed())
            if walk.over or self._ended or self._late():
                return walk, look, frame
            newer = self._camera.wait(number, KEYS_MS)
            if newer is None:
                walk = self._happened(walk, stage)
            else:
                number = newer.number
                if newer.at_ms - look.at_ms >= LOOK_MS:
                    look, frame = self.look(newer), newer
                    walk = walk.see(look)
            if walk is not before:
                stage.show(walk, look, frame)

    def _late(self) -> bool:
        return self._end_ms is not None and self._clock.now_ms() >= self._end_ms

    def _typed(self, walk: Walk, keys: list[str]) -> Walk:
        for key in keys:
            if key in QUIT:
                self._ended = True
            elif key in BACK:
                walk = walk.back()
            elif key in GO_ON:
                walk = walk.skipped()
        return walk

    def _happened(self, walk: Walk, stage: _Stage) -> Walk:
        for event in self._camera.events():
            match event:
                case DeviceRemark():
                    stage.remark(f"{event.device}: {event.sentence}")
                case DeviceLost():
                    stage.trouble(f"{event.device}: {event.reason}")
                    self._ended = self._ended or event.for_good
                    walk = walk.interrupted()
                case _:
                    stage.trouble("")
        return walk


def _stage(console: Console) -> _Stage:
    if console.size is None:
        return _Lines(console)
    if console.size[0] < SMALLEST[0] or console.size[1] < SMALLEST[1]:
        needed, got = (f"{columns} x {rows}" for columns, rows in (SMALLEST, console.size))
        console.note(f"for a live picture, the terminal must be {needed}; it is {got}")
        return _Lines(console)
    return _Screen(console, console.size)


class _Screen:
    """A terminal: drawn over and over in the same place."""

    def __init__(self, console: Console, size: tuple[int, int]) -> None:
        self._console, self._size = console, size
        self._trouble = ""
        self._remarks: list[str] = []  # told at the end: there is no room for them
        self._keys = open_play_keys(console.clock, self._leave, self._come)
        self._come()

    def show(self, walk: Walk, look: Look, frame: Frame) -> None:
        lines = screen(
            walk, look, _picture(frame), self._size, self._trouble, colour=self._console.colour
        )
        text = "".join(f"{line}\x1b[K\n" for line in lines)
        self._console.out.write(HOME + text + CLEAR_BELOW)
        self._console.out.flush()

    def trouble(self, sentence: str) -> None:
        self._trouble = sentence

    def remark(self, sentence: str) -> None:
        self._remarks.append(sentence)

    def typed(self) -> list[str]:
        return self._keys.pressed()

    def _come(self) -> None:
        self._console.out.write(HIDE_CURSOR + CLEAR)

    def _leave(self) -> None:
        self._console.out.write(SHOW_CURSOR)
        self._console.out.flush()

    def close(self) -> None:
        self._keys.close()
        self._console.out.write(HOME + CLEAR_BELOW + SHOW_CURSOR)
        self._console.out.flush()
        for remark in [*self._remarks, *filter(None, [self._trouble])]:
            self._console.note(remark)


class _Lines:
    """Anything else: a line when there is something new, but not one after the other."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._said: Verdict | None = None
        self._said_ms = 0.0

    def show(self, walk: Walk, look: Look, frame: Frame) -> None:
        told = walk.verdict
        if told is None or walk.over:
            return
        said = self._said
        if said is not None and said.step is told.step:
            fine = min(said.points, told.points) >= FINE
            if fine or said.sentence == told.sentence or look.at_ms - self._said_ms < LINE_MS:
                return
        self._said, self._said_ms = told, look.at_ms
        self._console.note(f"{told.step:9} {told.points:3}  {told.sentence}")

    def trouble(self, sentence: str) -> None:
        self._console.note(sentence or "the camera works again")

    def remark(self, sentence: str) -> None:
        self._console.note(sentence)

    def typed(self) -> list[str]:
        return []

    def close(self) -> None:
        """There is nothing to tidy up."""


def _picture(frame: Frame) -> Pixels:
    """The frame in colour, or in as much of it as there is."""
    if frame.bgr is not None:
        return frame.bgr
    return np.asarray(cv2.cvtColor(frame.grey, cv2.COLOR_GRAY2BGR), np.uint8)


def _drawn(walk: Walk, look: Look, frame: Frame) -> Pixels:
    table = look.table
    told = [f"{each.step} {each.points}: {each.sentence}" for each in walk.verdicts]
    picture = _picture(frame)
    return overlay(picture, table.board, look.lock, look.seen, table.game, table.meanings, told)
