"""Recorded pictures as cameras: a film, and a folder of pictures in the order of their names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.camera_address import BadCamera, Film, Folder, described
from controller.devices.camera import Ended
from controller.pictures import SUFFIXES, BadPicture, open_picture
from controller.ports import CameraDetails, Pixels
from engine.errors import excerpt

USUAL_FPS = 30.0  # where a film does not say


class FilmSource:
    """A video file, once through. See `controller.devices.camera.Source`."""

    def __init__(self, address: Film) -> None:
        self._address, self._path = address, Path(address.place)
        if not self._path.is_file():
            raise BadCamera(f"camera {self.name}: {_missing(self._path, 'file')}")
        self._capture: Any = None
        self._shown = 0
        self.interval_ms = 1000 / (address.fps or USUAL_FPS)

    @property
    def name(self) -> str:
        return described(self._address)

    def open(self) -> CameraDetails:
        # FFmpeg alone: OpenCV would take a name like game_%02d.mp4 for a series of pictures.
        capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            raise Ended(f"{excerpt(self._path.name)} is no film that can be played")
        self._capture = capture
        claimed = capture.get(cv2.CAP_PROP_FPS)
        fps = self._address.fps or (claimed if 0.1 <= claimed <= 240 else USUAL_FPS)
        self.interval_ms = 1000 / fps
        size = (capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        return CameraDetails(int(size[0]), int(size[1]), fps)

    def read(self) -> Pixels | None:
        good, bgr = self._capture.read()
        if not good or bgr is None:
            name, shown = excerpt(self._path.name), self._shown
            if not shown:
                raise Ended(f"{name} has no picture that can be shown")
            raise Ended(f"{name} has ended after {shown} picture{'s' * (shown != 1)}")
        self._shown += 1
        return np.asarray(bgr, np.uint8)

    def remarks(self) -> list[str]:
        return []

    def close(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()


class FolderSource:
    """Pictures in a folder. See `controller.devices.camera.Source`."""

    def __init__(self, address: Folder) -> None:
        self._address = address
        folder = Path(address.place)
        if not folder.is_dir():
            raise BadCamera(f"camera {self.name}: {_missing(folder, 'folder')}")
        try:
            found = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES]
        except OSError as bad:
            raise BadCamera(f"camera {self.name}: {bad.strerror}") from None
        if not found:
            raise BadCamera(f"camera {self.name}: no {', '.join(SUFFIXES)} in this folder")
        self._left = sorted(found, key=lambda path: _natural(path.name))
        self._shown = 0
        self._next: Pixels | None = None
        self._remarks: list[str] = []
        self.interval_ms = 1000 / address.fps

    @property
    def name(self) -> str:
        return described(self._address)

    def open(self) -> CameraDetails:
        self._next = self._next_good()
        if self._next is None:
            raise Ended("there is no picture left that can be read")
        height, width = self._next.shape[:2]
        return CameraDetails(width, height, self._address.fps)

    def read(self) -> Pixels | None:
        picture, self._next = self._next, None
        if picture is None:
            picture = self._next_good()
        if picture is None:
            raise Ended(f"all pictures were shown, {self._shown} of them")
        self._shown += 1
        return picture

    def remarks(self) -> list[str]:
        remarks, self._remarks = self._remarks, []
        return remarks

    def close(self) -> None:
        """Nothing is held open."""

    def _next_good(self) -> Pixels | None:
        while self._left:
            try:
                return open_picture(self._left.pop(0))
            except BadPicture as bad:
                self._remarks.append(f"left out: {bad}")
        return None


def _natural(name: str) -> list[tuple[int, str]]:
    """2.png comes before 10.png."""
    parts = re.split("([0-9]{1,18})", name)  # every other part is a number
    return [(int(part), "") if place % 2 else (-1, part) for place, part in enumerate(parts)]


def _missing(path: Path, kind: str) -> str:
    if not path.exists():
        return f"there is no such {kind}"
    return f"this is a {'folder' if path.is_dir() else 'file'}, not a {kind}"
