"""The camera on the Pi's own connector, through picamera2, which comes with Raspberry Pi OS.

The camera chooses exposure and white balance for a moment; then both are locked, unless the
address names them. The Y plane of YUV420 is the grey image.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from controller.config.addresses.camera import BadCamera, PiCameraAddress, camera_name
from controller.devices import sentences
from controller.devices.camera.live import CameraUnavailable
from controller.ports.devices import CameraDetails, Pixels
from controller.ports.sentences import REMEDY_AFTER_COLON
from engine.sentences import Sentence

SETTLING_FRAMES = 20
TIMEOUT_SECONDS = 3.0  # with a loose ribbon cable a capture never returns


def import_picamera2() -> Any:
    """The class `Picamera2`."""
    try:
        return importlib.import_module("picamera2").Picamera2
    except ImportError as error:
        if error.name and not error.name.startswith("picamera2"):
            raise BadCamera(sentences.PICAMERA2_DOES_NOT_LOAD(reason=str(error))) from error
        missing, install = sentences.NO_PICAMERA2(), sentences.INSTALL_PICAMERA2()
        raise BadCamera(REMEDY_AFTER_COLON(problem=missing, remedy=install)) from error


class PiSource:
    """A `FrameSource` for the Pi's camera."""

    interval_ms = 0.0

    def __init__(
        self, address: PiCameraAddress, load: Callable[[], Any] = import_picamera2
    ) -> None:
        self._address = address
        try:
            self._picamera2 = load()
        except BadCamera as error:
            fault = sentences.CAMERA_FAULT(camera=self.name, reason=error.sentence)
            raise BadCamera(fault) from error
        self._camera: Any = None
        self._size = (address.width, address.height)

    @property
    def name(self) -> str:
        return camera_name(self._address)

    def open(self) -> CameraDetails:
        self.close()
        address = self._address
        number, camera_count = int(address.place), len(self._picamera2.global_camera_info())
        if number >= camera_count:
            match camera_count:
                case 0:
                    seen = sentences.PI_SEES_NONE()
                case 1:
                    seen = sentences.PI_SEES_ONE()
                case _:
                    seen = sentences.PI_SEES(count=camera_count)
            raise CameraUnavailable(
                REMEDY_AFTER_COLON(problem=seen, remedy=sentences.CHECK_PI_CAMERA())
            )
        camera = self._picamera2(number)
        self._camera = camera
        frame_us = int(1_000_000 / address.fps)
        camera.configure(
            camera.create_video_configuration(
                main={"size": (address.width, address.height), "format": "YUV420"},
                controls={"FrameDurationLimits": (frame_us, frame_us)},
            )
        )
        self._size = tuple(camera.camera_configuration()["main"]["size"])
        camera.start()
        remarks = self._lock_exposure()
        exposure_locked = not remarks
        width, height = self._size
        if self._size != (address.width, address.height):
            remarks.append(
                sentences.OTHER_SIZE(
                    width=address.width,
                    height=address.height,
                    given_width=width,
                    given_height=height,
                )
            )
        return CameraDetails(width, height, address.fps, exposure_locked, True, tuple(remarks))

    def read(self) -> Pixels | None:
        planes = self._wait(self._camera.capture_array("main", wait=False))
        width, height = self._size
        if planes is None or planes.ndim != 2 or planes.shape[0] < height:
            return None
        return np.array(planes[:height, :width], np.uint8)  # rows may be padded

    def remarks(self) -> list[Sentence]:
        return []

    def close(self) -> None:
        if self._camera is not None:
            camera, self._camera = self._camera, None
            camera.stop()
            camera.close()

    def _lock_exposure(self) -> list[Sentence]:
        """Lock the chosen or configured exposure, and verify it."""
        for _ in range(SETTLING_FRAMES):
            chosen = self._metadata()
        address = self._address
        exposure_us = int(chosen["ExposureTime"])
        if address.exposure_ms is not None:
            exposure_us = round(address.exposure_ms * 1000)
        gain = float(chosen["AnalogueGain"] if address.gain is None else address.gain)
        controls: dict[str, Any] = {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": exposure_us,
            "AnalogueGain": gain,
        }
        if "ColourGains" in chosen:
            controls["ColourGains"] = tuple(chosen["ColourGains"])
        self._camera.set_controls(controls)
        for _ in range(SETTLING_FRAMES):
            got_us = int(self._metadata()["ExposureTime"])
            # The sensor exposes whole lines, so the values differ a little.
            if abs(got_us - exposure_us) <= max(100, exposure_us // 20):
                return []
        asked_ms, got_ms = exposure_us / 1000, got_us / 1000
        return [sentences.OTHER_EXPOSURE(asked=asked_ms, taken=got_ms)]

    def _metadata(self) -> dict[str, Any]:
        return dict(self._wait(self._camera.capture_metadata(wait=False)))

    def _wait(self, job: Any) -> Any:
        try:
            return self._camera.wait(job, timeout=TIMEOUT_SECONDS)
        except TimeoutError as error:
            raise CameraUnavailable(
                REMEDY_AFTER_COLON(
                    problem=sentences.IMAGES_STOPPED(), remedy=sentences.CHECK_RIBBON()
                )
            ) from error
