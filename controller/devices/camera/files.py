"""Recorded frames as cameras: a video file, and a folder of images in the order of their names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.config.addresses.camera import (
    BadCamera,
    ImageFolderAddress,
    VideoFileAddress,
    camera_name,
)
from controller.devices.camera.live import SourceEnded
from controller.ports.devices import CameraDetails, Pixels
from controller.storage.image_files import IMAGE_SUFFIXES, BadImageFile, read_grey_image
from engine.errors import excerpt

DEFAULT_FPS = 30.0  # if the file does not say


class VideoFileSource:
    """A `FrameSource` that plays a video file once."""

    def __init__(self, address: VideoFileAddress) -> None:
        self._address, self._path = address, Path(address.place)
        if not self._path.is_file():
            raise BadCamera(f"camera {self.name}: {_explain_missing(self._path, 'file')}")
        self._capture: Any = None
        self._frames_read = 0
        self.interval_ms = 1000 / (address.fps or DEFAULT_FPS)

    @property
    def name(self) -> str:
        return camera_name(self._address)

    def open(self) -> CameraDetails:
        # Only FFmpeg: another backend would read game_%02d.mp4 as a series of images.
        capture = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        if not capture.isOpened():
            raise SourceEnded(f"{excerpt(self._path.name)} is no film that can be played")
        self._capture = capture
        claimed = capture.get(cv2.CAP_PROP_FPS)
        fps = self._address.fps or (claimed if 0.1 <= claimed <= 240 else DEFAULT_FPS)
        self.interval_ms = 1000 / fps
        size = (capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        return CameraDetails(int(size[0]), int(size[1]), fps)

    def read(self) -> Pixels | None:
        good, bgr = self._capture.read()
        if not good or bgr is None:
            name, shown = excerpt(self._path.name), self._frames_read
            if not shown:
                raise SourceEnded(f"{name} has no picture that can be shown")
            raise SourceEnded(f"{name} has ended after {shown} picture{'s' * (shown != 1)}")
        self._frames_read += 1
        return np.asarray(bgr, np.uint8)

    def remarks(self) -> list[str]:
        return []

    def close(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()


class ImageFolderSource:
    """A `FrameSource` for the images in a folder."""

    def __init__(self, address: ImageFolderAddress) -> None:
        self._address = address
        folder = Path(address.place)
        if not folder.is_dir():
            raise BadCamera(f"camera {self.name}: {_explain_missing(folder, 'folder')}")
        try:
            images = [path for path in folder.iterdir() if path.suffix.lower() in IMAGE_SUFFIXES]
        except OSError as bad:
            raise BadCamera(f"camera {self.name}: {bad.strerror}") from None
        if not images:
            raise BadCamera(f"camera {self.name}: no {', '.join(IMAGE_SUFFIXES)} in this folder")
        self._pending = sorted(images, key=lambda path: _natural_sort_key(path.name))
        self._frames_read = 0
        self._next: Pixels | None = None
        self._remarks: list[str] = []
        self.interval_ms = 1000 / address.fps

    @property
    def name(self) -> str:
        return camera_name(self._address)

    def open(self) -> CameraDetails:
        self._next = self._next_readable()
        if self._next is None:
            raise SourceEnded("there is no picture left that can be read")
        height, width = self._next.shape[:2]
        return CameraDetails(width, height, self._address.fps)

    def read(self) -> Pixels | None:
        picture, self._next = self._next, None
        if picture is None:
            picture = self._next_readable()
        if picture is None:
            raise SourceEnded(f"all pictures were shown, {self._frames_read} of them")
        self._frames_read += 1
        return picture

    def remarks(self) -> list[str]:
        remarks, self._remarks = self._remarks, []
        return remarks

    def close(self) -> None:
        """Does nothing."""

    def _next_readable(self) -> Pixels | None:
        while self._pending:
            try:
                return read_grey_image(self._pending.pop(0))
            except BadImageFile as bad:
                self._remarks.append(f"left out: {bad}")
        return None


def _natural_sort_key(name: str) -> list[tuple[int, str]]:
    """Sorts 2.png before 10.png."""
    parts = re.split("([0-9]{1,18})", name)  # odd parts are numbers
    return [(int(part), "") if place % 2 else (-1, part) for place, part in enumerate(parts)]


def _explain_missing(path: Path, kind: str) -> str:
    if not path.exists():
        return f"there is no such {kind}"
    return f"this is a {'folder' if path.is_dir() else 'file'}, not a {kind}"
