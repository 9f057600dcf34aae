"""`auto://`: finds the camera, also one that is plugged in late or into another port."""

from __future__ import annotations

import numpy as np

from controller.config.addresses.camera import AutoCameraAddress, BadCamera, parse_camera_url
from controller.config.sentences import ANY_CAMERA
from controller.devices import sentences
from controller.devices.camera.auto import AutoSource
from controller.devices.camera.live import CameraUnavailable, LiveCamera
from controller.devices.clock import ManualClock
from controller.ports.devices import CameraDetails, DetectedCamera, Pixels
from controller.ports.events import DeviceBack, DeviceEvent, DeviceLost
from controller.ports.sentences import problem_and_remedy
from engine.sentences import Sentence, plain
from tests.support.engine.sentences import raises

WAIT_MS = 10_000.0


class Machine:
    """The plugged-in cameras by URL, each with its problem."""

    def __init__(self) -> None:
        self.cameras: dict[str, str] = {}
        self.opened: list[str] = []
        self.camera = LiveCamera(
            AutoSource("auto://", self.find, lambda url: Plugged(self, url)),
            ManualClock(),
            threaded=False,
        )
        self._seen = 0

    def find(self) -> list[DetectedCamera]:
        return [
            DetectedCamera(url, "a camera", plain(trouble) if trouble else None)
            for url, trouble in self.cameras.items()
        ]

    def look(self) -> list[DeviceEvent]:
        """Wait for a frame; returns the events meanwhile."""
        frame = self.camera.wait(self._seen, WAIT_MS)
        self._seen = self._seen if frame is None else frame.number
        return self.camera.events()


class Plugged:
    """A camera that works while it is plugged in."""

    interval_ms = 100.0

    def __init__(self, machine: Machine, url: str) -> None:
        self._machine, self.name = machine, url

    def open(self) -> CameraDetails:
        self._machine.opened.append(self.name)
        return CameraDetails(4, 4, 10.0)

    def read(self) -> Pixels | None:
        if self.name not in self._machine.cameras:
            raise CameraUnavailable(sentences.WAS_IT_UNPLUGGED())
        return np.zeros((4, 4), np.uint8)

    def remarks(self) -> list[Sentence]:
        return []

    def close(self) -> None:
        """Does nothing."""


def test_a_camera_may_be_plugged_in_later_and_return_at_another_port() -> None:
    machine = Machine()
    (lost,) = machine.look()
    assert isinstance(lost, DeviceLost)
    assert not lost.is_permanent
    assert problem_and_remedy(lost.reason) == (sentences.NO_CAMERA(), sentences.PLUG_ONE_IN())
    machine.cameras = {"usb://0": ""}
    assert [type(each) for each in machine.look()] == [DeviceBack]
    machine.cameras = {"usb://2": ""}
    assert [type(each) for each in machine.look()] == [DeviceLost]
    assert [type(each) for each in machine.look()] == [DeviceBack]
    assert machine.opened == ["usb://0", "usb://2"]


def test_an_unusable_camera_is_skipped_and_named_if_there_is_no_other() -> None:
    machine = Machine()
    machine.cameras = {"usb://0": "you may not use it"}
    (lost,) = machine.look()
    assert isinstance(lost, DeviceLost)
    assert lost.reason == sentences.FAULT(device="usb://0", reason=plain("you may not use it"))
    machine.cameras["usb://1"] = ""
    machine.look()
    assert machine.opened == ["usb://1"]


def test_an_auto_url_has_a_size_but_no_path() -> None:
    assert parse_camera_url("auto://?width=640", None, 480) == AutoCameraAddress("", 640, 480)
    with raises(BadCamera, ANY_CAMERA()):
        parse_camera_url("auto://0")
