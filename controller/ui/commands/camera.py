"""Opens a camera for a command and prints its events: remarks, losses and recoveries."""

from __future__ import annotations

from controller.config.board_file import load_board_file
from controller.ports.devices import Camera, Frame
from controller.ports.events import DeviceLost, DeviceRemark
from controller.session.sentences import DEVICE_LOST, DEVICE_REMARK
from controller.ui.commands import sentences
from controller.ui.console import BadInput, Console

START_TIMEOUT_MS = 20_000.0


def open_board_camera(board_name: str, url: str | None, console: Console) -> Camera:
    """The camera at `url`, else of the board file, else the first one found.

    It has no thread: it reads only inside `wait`.
    """
    from controller.devices.factory.cameras import find_cameras, open_camera

    settings = load_board_file(board_name).camera
    url = url or settings.url
    if url is None:
        usable = [each for each in find_cameras() if not each.trouble]
        if not usable:
            raise BadInput(sentences.NO_CAMERA_FOUND())
        url = usable[0].url
    size = settings.width, settings.height
    return open_camera(url, console.clock, *size, board_name, threaded=False)


def first_frame(camera: Camera, console: Console) -> Frame:
    """The first image; raises `BadInput` with the reason if none comes."""
    start = console.clock.now_ms()
    while console.clock.now_ms() - start < START_TIMEOUT_MS:
        frame = camera.wait(0, START_TIMEOUT_MS)
        note_events(camera, console, fatal=frame is None)
        if frame is not None:
            return frame
    raise BadInput(sentences.NO_IMAGE_IN(camera=camera.name, seconds=START_TIMEOUT_MS / 1000))


def note_events(camera: Camera, console: Console, fatal: bool = False) -> list[DeviceLost]:
    """Print the camera's events and return the losses; `fatal` raises on the first loss."""
    lost = []
    for event in camera.events():
        match event:
            case DeviceRemark():
                console.note(DEVICE_REMARK(device=event.device, remark=event.sentence))
            case DeviceLost() if fatal:
                raise BadInput(DEVICE_LOST(device=event.device, reason=event.reason))
            case DeviceLost():
                lost.append(event)
                console.note(DEVICE_LOST(device=event.device, reason=event.reason))
            case _:
                console.note(sentences.WORKS_AGAIN(device=event.device))
    return lost
