"""The camera on the Pi's own connector, through picamera2, which comes with Raspberry Pi OS.

The camera chooses exposure and white balance for a moment; then both are locked, unless the
address names them. The Y plane of YUV420 is the grey picture.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from controller.config.addresses.camera import BadCamera, PiCameraAddress, camera_name
from controller.devices.camera.live import CameraUnavailable
from controller.ports.devices import CameraDetails, Pixels

SETTLING_FRAMES = 20
TIMEOUT_SECONDS = 3.0  # with a loose ribbon cable a capture never returns
NOT_INSTALLED = (
    "picamera2 is not installed: run `sudo apt install python3-picamera2` and make the virtual"
    " environment with --system-site-packages"
)


def import_picamera2() -> Any:
    """The class `Picamera2`."""
    try:
        return importlib.import_module("picamera2").Picamera2
    except ImportError as bad:
        if bad.name and not bad.name.startswith("picamera2"):
            raise BadCamera(f"picamera2 does not load: {bad}") from None
        raise BadCamera(NOT_INSTALLED) from None


class PiSource:
    """A `FrameSource` for the Pi's camera."""

    interval_ms = 0.0

    def __init__(
        self, address: PiCameraAddress, load: Callable[[], Any] = import_picamera2
    ) -> None:
        self._address = address
        try:
            self._picamera2 = load()
        except BadCamera as bad:
            raise BadCamera(f"camera {self.name}: {bad}") from None
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
            raise CameraUnavailable(
                f"the Pi sees {camera_count or 'no'} camera{'s' * (camera_count != 1)}: "
                "switch it off, check the ribbon cable; "
                "`rpicam-hello --list-cameras` shows what it sees"
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
        width, height = self._size
        if self._size != (address.width, address.height):
            remarks.append(
                f"asked for {address.width} x {address.height}, the camera gives {width} x {height}"
            )
        locked = not any("exposure" in remark for remark in remarks)
        return CameraDetails(width, height, address.fps, locked, True, tuple(remarks))

    def read(self) -> Pixels | None:
        planes = self._wait(self._camera.capture_array("main", wait=False))
        width, height = self._size
        if planes is None or planes.ndim != 2 or planes.shape[0] < height:
            return None
        return np.array(planes[:height, :width], np.uint8)  # rows may be padded

    def remarks(self) -> list[str]:
        return []

    def close(self) -> None:
        if self._camera is not None:
            camera, self._camera = self._camera, None
            camera.stop()
            camera.close()

    def _lock_exposure(self) -> list[str]:
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
        return [f"asked for an exposure of {asked_ms:g} ms, the camera took {got_ms:g} ms"]

    def _metadata(self) -> dict[str, Any]:
        return dict(self._wait(self._camera.capture_metadata(wait=False)))

    def _wait(self, job: Any) -> Any:
        try:
            return self._camera.wait(job, timeout=TIMEOUT_SECONDS)
        except TimeoutError:
            raise CameraUnavailable(
                "it has stopped sending pictures: check the ribbon cable"
            ) from None
