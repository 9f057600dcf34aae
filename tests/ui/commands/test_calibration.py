"""`laserboard calibrate` from its command line to its exit status."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from controller.builder.calibration_sentences import EXPOSURE_CHANGES, LIGHT_DARK
from controller.cli.main import build_parser
from controller.devices.camera.live import CameraUnavailable, LiveCamera
from controller.devices.clock import ManualClock
from controller.devices.sentences import IMAGES_ENDED, UNPLUGGED
from controller.ports.devices import CameraDetails, Pixels
from controller.storage.image_files import read_grey_image, save_png
from controller.ui.commands import calibration
from controller.ui.commands.sentences import CAMERA_WORKS_AGAIN, LIVE_NEEDS_TERMINAL
from controller.ui.console import Console
from controller.ui.terminal.calibration_screen import MIN_TERMINAL_SIZE
from controller.ui.terminal.sentences import MUST_BE_BETTER, READY_TO_PLAY
from engine.sentences import Sentence
from tests.support.builder.calibration_scenes import image, staged
from tests.support.cli import Laserboard

SIM = "sim://?fps=2"
LOST = UNPLUGGED(path="/dev/video0")
STEPS = ["position", "focus", "light", "reading"]


class Ran:
    """One run with a simulated clock, with or without a terminal."""

    def __init__(self, *arguments: str, size: tuple[int, int] | None = None) -> None:
        out, err, self.clock = io.StringIO(), io.StringIO(), ManualClock()
        args = build_parser().parse_args(["calibrate", *arguments])
        self.status = args.run(args, Console(out, err, size is not None, size, self.clock))
        self.out, self.notes = out.getvalue(), err.getvalue()

    def reported(self) -> list[str]:
        return [line.split()[0] for line in self.notes.splitlines()]


def folder_of(path: Path, *images: Pixels) -> str:
    path.mkdir()
    for number, each in enumerate(images):
        save_png(path / f"{number}.png", each)
    return f"folder://{path}"


class FlakyCamera:
    """A camera that shows one image, and is unplugged at the given readings."""

    name, interval_ms = "flaky://", 500.0

    def __init__(self, pixels: Pixels, lost: Iterable[int]) -> None:
        self._pixels, self._lost, self._reading = pixels, set(lost), 0

    def open(self) -> CameraDetails:
        return CameraDetails(1280, 720, 2.0, False)

    def read(self) -> Pixels | None:
        self._reading += 1
        if self._reading in self._lost:
            raise CameraUnavailable(LOST)
        return self._pixels.copy()

    def remarks(self) -> list[Sentence]:
        return []

    def close(self) -> None:
        """Nothing is held open."""


@pytest.fixture
def flaky(monkeypatch: pytest.MonkeyPatch) -> None:
    def camera(_board: str, _url: str | None, console: Console) -> LiveCamera:
        return LiveCamera(FlakyCamera(image(), lost={3}), console.clock, threaded=False)

    monkeypatch.setattr(calibration, "open_board_camera", camera)


NAMES = {"\n": "enter", "\r": "enter", " ": "space"}


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Typed keys, one entry per call of `pressed`."""
    keys: list[str] = []

    class Typed:
        def pressed(self) -> list[str]:
            typed = keys.pop(0) if keys else ""
            return [NAMES.get(key, key) for key in typed]

        def close(self) -> None:
            keys.append("closed")

    monkeypatch.setattr(calibration, "open_terminal_keys", lambda *_: Typed())
    return keys


def test_the_simulated_table_passes_every_step() -> None:
    ran = Ran("--camera", SIM)
    assert ran.status == 0
    assert ran.reported() == STEPS
    lines = ran.out.splitlines()
    assert [line.split()[0] for line in lines] == [*STEPS, "total", "lens"]
    assert lines[4].endswith(f"100  {READY_TO_PLAY()}")
    assert "\x1b" not in ran.out + ran.notes
    assert 8_000 <= ran.clock.now_ms() < 12_000


def test_one_image_can_be_scored_and_saved(laserboard: Laserboard, tmp_path: Path) -> None:
    kept = tmp_path / "seen.png"
    out = laserboard.prints("calibrate", "--camera", "sim://", "--once", "--picture", str(kept))
    assert str(READY_TO_PLAY()) in out
    assert read_grey_image(kept).shape[0] > 720, "the sentences are below the picture"


def test_a_bad_image_ends_with_status_1(tmp_path: Path) -> None:
    url = folder_of(tmp_path / "a", staged("very_dim").frame)
    ran = Ran("--camera", url, "--once")
    assert ran.status == 1
    assert str(MUST_BE_BETTER(steps="light")) in ran.out
    assert str(LIGHT_DARK()) in ran.out


def test_the_steps_end_after_the_given_time(tmp_path: Path) -> None:
    url = folder_of(tmp_path / "a", *[image(fill=0.4)] * 12)
    ran = Ran("--camera", url, "--seconds", "5")
    assert ran.status == 1
    assert ran.reported() == ["position"], "the same sentence once"
    assert 5_000 <= ran.clock.now_ms() < 6_500


def test_a_folder_of_images_is_scored_by_its_last_image(tmp_path: Path) -> None:
    ran = Ran("--camera", folder_of(tmp_path / "a", image(), staged("hand").frame))
    assert ran.status == 1
    assert str(IMAGES_ENDED(count=2)) in ran.notes
    assert str(MUST_BE_BETTER(steps="reading")) in ran.out


@pytest.mark.usefixtures("flaky")
def test_the_steps_continue_when_a_lost_camera_is_back() -> None:
    ran = Ran()
    assert ran.status == 0
    lost, back = ran.notes.index(str(LOST)), ran.notes.index(str(CAMERA_WORKS_AGAIN()))
    assert ran.notes.index("position") < lost < back < ran.notes.index("focus")
    assert ran.clock.now_ms() >= 10_500, "the two seconds of the first step begin anew"
    assert str(EXPOSURE_CHANGES()) in ran.notes, "this camera does not lock it"


@pytest.mark.usefixtures("flaky")
def test_the_screen_shows_a_lost_camera_until_it_is_back(typing: list[str]) -> None:
    ran = Ran(size=(80, 24))
    frames = ran.out.split("\x1b[H")
    lost = [number for number, frame in enumerate(frames) if str(LOST) in frame]
    assert lost
    assert str(LOST) not in frames[-2]
    assert typing == ["closed"]


def test_a_terminal_gets_a_live_image_and_its_cursor_back(typing: list[str]) -> None:
    typing += ["", "\n", "", "b", "", "q"]
    ran = Ran("--camera", SIM, size=(90, 30))
    assert ran.status == 0, "all was good when it ended"
    assert ran.notes == ""
    steps = re.findall(r"step \d of 4: (\w+)", ran.out)
    kept = [step for number, step in enumerate(steps) if steps[number - 1 : number] != [step]]
    assert kept == ["position", "focus", "position"]
    assert "▀" in ran.out
    assert (
        ran.out.index("\x1b[?25l")
        < ran.out.index("\x1b[?25h")
        < ran.out.index(str(READY_TO_PLAY()))
    )
    assert typing == ["closed"]


def test_enter_skips_a_step_that_is_not_good(typing: list[str], tmp_path: Path) -> None:
    typing += ["  \r\n"]
    ran = Ran("--camera", folder_of(tmp_path / "a", *[image(fill=0.4)] * 9), size=(90, 30))
    assert ran.status == 1
    assert str(MUST_BE_BETTER(steps="position")) in ran.out
    assert ran.clock.now_ms() < 1_000


def test_a_terminal_too_small_for_an_image_gets_lines() -> None:
    ran = Ran("--camera", SIM, "--seconds", "1", size=(40, 10))
    columns, rows = MIN_TERMINAL_SIZE
    small = LIVE_NEEDS_TERMINAL(columns=columns, rows=rows, own_columns=40, own_rows=10)
    assert ran.notes.startswith(f"{small}\n")
    assert "\x1b[H" not in ran.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--picture", "a.jpg"), "images are saved as .png"),
        (("--out", "x.yaml"), "--out goes with `calibrate lens` and `sheet`"),
        (("lens", "--once", "--out", "-"), "--once goes with `calibrate` alone, not with lens"),
        (("sheet", "--picture", "a.png", "--out", "x.png"), "--picture goes with `calibrate`"),
        (("--board", "nowhere"), "nowhere"),
        (("--camera", "sim://", "--game", "chess"), "chess"),
        (("--seconds", "soon"), "'soon' is not a time in seconds"),
    ],
)
def test_an_error_is_one_line(
    laserboard: Laserboard, arguments: tuple[str, ...], message: str
) -> None:
    assert message in laserboard.refuses("calibrate", *arguments)
