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
from controller.devices import sentences
from controller.devices.camera.live import SourceEnded
from controller.ports.devices import CameraDetails, Pixels
from controller.storage.image_files import IMAGE_SUFFIXES, BadImageFile, read_grey_image
from engine.errors import excerpt
from engine.sentences import Sentence, plain

DEFAULT_FPS = 30.0  # if the file does not say


class VideoFileSource:
    """A `FrameSource` that plays a video file once."""

    def __init__(self, address: VideoFileAddress) -> None:
        self._address, self._path = address, Path(address.place)
        if not self._path.is_file():
            is_folder = self._path.is_dir()
            reason = sentences.IS_A_FOLDER() if is_folder else sentences.NO_SUCH_FILE()
            raise _bad_camera(self.name, reason)
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
            raise SourceEnded(sentences.NOT_A_VIDEO(file=excerpt(self._path.name)))
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
                raise SourceEnded(sentences.VIDEO_HAS_NO_IMAGE(file=name))
            if shown == 1:
                raise SourceEnded(sentences.VIDEO_ENDED_AFTER_ONE(file=name))
            raise SourceEnded(sentences.VIDEO_ENDED(file=name, count=shown))
        self._frames_read += 1
        return np.asarray(bgr, np.uint8)

    def remarks(self) -> list[Sentence]:
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
            exists = folder.exists()
            reason = sentences.IS_A_FILE() if exists else sentences.NO_SUCH_FOLDER()
            raise _bad_camera(self.name, reason)
        try:
            images = [path for path in folder.iterdir() if path.suffix.lower() in IMAGE_SUFFIXES]
        except OSError as error:
            raise _bad_camera(self.name, plain(error.strerror or str(error))) from error
        if not images:
            raise _bad_camera(self.name, sentences.NO_IMAGES(suffixes=tuple(IMAGE_SUFFIXES)))
        self._pending = sorted(images, key=lambda path: _natural_sort_key(path.name))
        self._frames_read = 0
        self._next: Pixels | None = None
        self._remarks: list[Sentence] = []
        self.interval_ms = 1000 / address.fps

    @property
    def name(self) -> str:
        return camera_name(self._address)

    def open(self) -> CameraDetails:
        self._next = self._next_readable()
        if self._next is None:
            raise SourceEnded(sentences.NO_IMAGE_LEFT())
        height, width = self._next.shape[:2]
        return CameraDetails(width, height, self._address.fps)

    def read(self) -> Pixels | None:
        image, self._next = self._next, None
        if image is None:
            image = self._next_readable()
        if image is None:
            raise SourceEnded(sentences.IMAGES_ENDED(count=self._frames_read))
        self._frames_read += 1
        return image

    def remarks(self) -> list[Sentence]:
        remarks, self._remarks = self._remarks, []
        return remarks

    def close(self) -> None:
        """Does nothing."""

    def _next_readable(self) -> Pixels | None:
        while self._pending:
            try:
                return read_grey_image(self._pending.pop(0))
            except BadImageFile as error:
                self._remarks.append(sentences.IMAGE_LEFT_OUT(reason=error.sentence))
        return None


def _natural_sort_key(name: str) -> list[tuple[int, str]]:
    """Sorts 2.png before 10.png."""
    parts = re.split("([0-9]{1,18})", name)  # odd parts are numbers
    return [(int(part), "") if place % 2 else (-1, part) for place, part in enumerate(parts)]


def _bad_camera(name: str, reason: Sentence) -> BadCamera:
    return BadCamera(sentences.CAMERA_FAULT(camera=name, reason=reason))
