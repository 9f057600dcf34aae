"""`laserboard camera`: the list of cameras, the measurements, and the errors."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.builder.calibration.image_quality import measure_quality
from controller.cli.main import build_parser
from controller.config.addresses.camera import BadCamera
from controller.devices import sentences
from controller.devices.camera.discovery import find_cameras
from controller.devices.clock import ManualClock
from controller.ports.devices import DetectedCamera
from controller.storage.image_files import read_grey_image, save_png
from controller.ui.console import Console
from engine.sentences import plain
from tests.support.cli import Laserboard
from tests.support.devices.fake_cameras import Picamera2Driver
from tests.support.engine.sentences import mentions
from tests.support.paths import ROOT


def run(*arguments: str) -> tuple[dict[str, str], str]:
    """The printed lines and the notes of a test, on a manual clock."""
    out, err = io.StringIO(), io.StringIO()
    args = build_parser().parse_args(["camera", "test", *arguments])
    assert args.run(args, Console(out, err, False, None, ManualClock())) == 0
    lines = {line[:14].strip(): line[15:] for line in out.getvalue().splitlines()}
    return lines, err.getvalue()


def no_picamera2() -> Any:
    raise BadCamera("not here")


def folder_of(path: Path, *images: Any) -> str:
    path.mkdir()
    for number, image in enumerate(images):
        save_png(path / f"{number}.png", image)
    return f"folder://{path}"


# --- list ---------------------------------------------------------------------------------------


class Machine:
    """Fake folders of devices, and a fake ioctl that answers their capabilities."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.system, self.devices = folder / "sys", folder / "dev"
        self.system.mkdir()
        self.devices.mkdir()
        self.answers: dict[str, bytes | OSError] = {}
        monkeypatch.setattr("fcntl.ioctl", self._ioctl)

    def add(self, number: int, name: str, driver: str, bits: int, own: int | None = None) -> None:
        folder = self.system / f"video{number}"
        folder.mkdir()
        (folder / "name").write_text(f"{name}\n")
        device = self.devices / f"video{number}"
        device.touch()
        whole = bits | (0x80000000 if own is not None else 0)
        self.answers[str(device)] = struct.pack(
            "<16s32s32sIII12x", driver.encode(), b"card", b"bus", 0, whole, own or 0
        )

    def find(self, load: Any = no_picamera2) -> list[DetectedCamera]:
        return find_cameras(self.system, self.devices, load)

    def _ioctl(self, file: Any, request: int, answer: bytearray) -> int:
        assert (request, len(answer)) == (0x80685600, 104)
        prepared = self.answers[file.name]
        if isinstance(prepared, OSError):
            raise prepared
        answer[:] = prepared
        return 0


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_usb_cameras_are_listed_by_number_with_their_names(machine: Machine) -> None:
    machine.add(10, "Second Cam", "uvcvideo", 1)
    machine.add(2, "HD Webcam C525", "uvcvideo", 0x84A00001, own=0x04200001)
    assert machine.find() == [
        DetectedCamera("usb://2", "HD Webcam C525"),
        DetectedCamera("usb://10", "Second Cam"),
    ]


def test_a_device_without_capture_is_not_listed(machine: Machine) -> None:
    machine.add(1, "HD Webcam C525", "uvcvideo", 0x84A00001, own=0x04A00000)  # its metadata
    machine.add(14, "bcm2835-isp", "bcm2835-isp", 1)
    machine.add(20, "unicam", "unicam", 1)
    machine.add(21, "rp1-cfe", "rp1-cfe", 1)
    assert machine.find() == []


def test_a_camera_without_permission_says_what_to_do(machine: Machine) -> None:
    machine.add(0, "Cam", "uvcvideo", 1)
    machine.answers[str(machine.devices / "video0")] = PermissionError(13, "Permission denied")
    (found,) = machine.find()
    assert found.trouble is not None
    assert mentions(found.trouble, sentences.JOIN_VIDEO_GROUP)
    machine.answers[str(machine.devices / "video0")] = OSError(19, "No such device")
    (found,) = machine.find()
    assert found.trouble == sentences.CAMERA_SILENT(reason="No such device")


def test_cameras_of_the_pi_come_first_and_usb_ones_are_not_listed_twice(machine: Machine) -> None:
    machine.add(0, "Cam", "uvcvideo", 1)
    driver = Picamera2Driver(ManualClock(), cameras=2)
    assert [each.url for each in machine.find(lambda: driver)] == ["pi://0", "pi://1", "usb://0"]


def test_a_machine_without_video_devices_has_no_cameras(tmp_path: Path) -> None:
    assert find_cameras(tmp_path / "none", tmp_path, no_picamera2) == []


def test_list_prints_a_line_for_each_camera(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [
        DetectedCamera("pi://0", "imx708"),
        DetectedCamera("usb://0", "Cam", plain("you may not use it")),
    ]
    monkeypatch.setattr("controller.devices.factory.cameras.find_cameras", lambda: found)
    assert laserboard.prints("camera", "list") == (
        "pi://0     imx708\nusb://0    Cam (you may not use it)\n"
    )


def test_without_a_camera_one_line_says_what_to_do(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.devices.factory.cameras.find_cameras", list)
    ran = laserboard("camera", "list")
    assert (ran.status, ran.out, ran.err.count("\n")) == (0, "", 1)
    assert "plug in a USB camera" in ran.err
    assert "sim:// needs none" in laserboard.refuses("camera", "test")


# --- test ---------------------------------------------------------------------------------------


def test_a_test_prints_size_rate_and_locked_settings(tmp_path: Path) -> None:
    saved = tmp_path / "seen.png"
    lines, notes = run("--camera", "sim://?fps=8&width=640&height=360", "--out", str(saved))
    assert notes == ""
    assert lines["camera"] == "sim://"
    assert lines["picture"] == "640 x 360"
    assert lines["rate"] == "8.0 images a second"
    assert (lines["exposure"], lines["white balance"]) == ("locked", "locked")
    assert lines["brightness"].endswith(": good")
    assert lines["sharpness"].endswith("sharp")
    assert lines["saved"] == str(saved)
    assert read_grey_image(saved).shape == (360, 640)


def test_the_first_camera_is_tested_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        DetectedCamera("usb://0", "Cam", plain("busy")),
        DetectedCamera("sim://?width=320&height=240", "x"),
    ]
    monkeypatch.setattr("controller.devices.factory.cameras.find_cameras", lambda: found)
    assert run("--seconds", "0.5")[0]["picture"] == "320 x 240"


def test_the_board_file_names_the_camera(tmp_path: Path) -> None:
    board = (ROOT / "hardware/boards/demo-10x8.yaml").read_text("utf-8")
    file = tmp_path / "mine.yaml"
    file.write_text(board + "camera: {url: 'sim://', width: 320, height: 240}\n", "utf-8")
    assert run("--board", str(file), "--seconds", "0.5")[0]["picture"] == "320 x 240"


def test_a_saturated_image_gets_the_advice_to_expose_lower(tmp_path: Path) -> None:
    image = np.full((240, 320), 90, np.uint8)
    image[:24, :96] = 255  # 3 % of it
    lines, _ = run("--camera", folder_of(tmp_path / "a", image))
    assert lines["brightness"].endswith("3 % of the image is saturated: expose lower")
    assert lines["exposure"] == "nothing to lock"


def test_a_dark_image_gets_the_advice_to_light_it(tmp_path: Path) -> None:
    lines, _ = run("--camera", folder_of(tmp_path / "a", np.full((240, 320), 9, np.uint8)))
    assert lines["brightness"].endswith("too dark: more light, or a longer exposure")
    assert "no strong edges" in lines["sharpness"]


def out_of_focus(sigma_px: float) -> Any:
    """Slightly rotated black and white fields, blurred by `sigma_px`."""
    fields = np.kron(np.indices((16, 24)).sum(axis=0) % 2, np.ones((128, 128), np.uint8))
    light = (fields * 150 + 40).astype(np.float32)
    turned = cv2.warpAffine(light, cv2.getRotationMatrix2D((1500, 1000), 8, 1.0), (2560, 1440))
    blurred = cv2.GaussianBlur(turned, (0, 0), 2 * sigma_px)
    small = cv2.resize(blurred, (1280, 720), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(1).normal(0, 2, small.shape)
    return np.clip(small + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("sigma_px", "verdict"),
    [(0.6, "sharp"), (0.9, "sharp"), (1.6, "a little soft"), (2.6, "blurred"), (3.5, "blurred")],
)
def test_sharpness_follows_the_focus(tmp_path: Path, sigma_px: float, verdict: str) -> None:
    image = out_of_focus(sigma_px)
    measured = measure_quality(image).blur_px
    assert measured == pytest.approx(sigma_px, rel=0.25)
    lines, _ = run("--camera", folder_of(tmp_path / "a", image))
    assert lines["sharpness"].startswith(f"edges blurred by {measured:.1f} px, {verdict}")


def test_a_video_that_ends_is_still_measured(tmp_path: Path) -> None:
    images = [np.full((240, 320), 90, np.uint8)] * 3
    lines, notes = run("--camera", folder_of(tmp_path / "a", *images), "--seconds", "60")
    assert lines["rate"] == "2.0 images a second"
    assert "all images were shown, 3 of them" in notes


def test_one_image_is_enough_for_a_verdict(tmp_path: Path) -> None:
    lines, _ = run("--camera", folder_of(tmp_path / "a", np.full((240, 320), 90, np.uint8)))
    assert lines["rate"] == "too few images to tell"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("usb://77", "usb://77: there is no /dev/video77: plug the camera in"),
        ("usbb://0", "did you mean 'usb'?"),
        ("0", "write a URL such as usb://0"),
        ("file://none.mp4", "camera file://none.mp4: there is no such file"),
        ("folder://none", "camera folder://none: there is no such folder"),
        ("sim://hex-r6", "did you mean 'hex-r5'?"),
    ],
)
def test_a_missing_camera_is_reported_in_one_line(
    laserboard: Laserboard, url: str, message: str
) -> None:
    assert message in laserboard.refuses("camera", "test", "--camera", url)


def test_an_image_that_cannot_be_saved_is_reported_in_one_line(laserboard: Laserboard) -> None:
    message = laserboard.refuses(
        "camera", "test", "--camera", "sim://?width=320&height=240", "--seconds", "0",
        "--out", "/none/a.png",
    )  # fmt: skip
    assert "cannot write /none/a.png" in message


def test_commands_without_an_image_load_neither_numpy_nor_opencv() -> None:
    code = (
        "import sys, json; from controller.cli.main import build_parser; build_parser();"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert {"cv2", "numpy", "yaml"} & set(json.loads(done.stdout)) == set()
