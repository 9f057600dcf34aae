"""`laserboard init`: writes a board file for a new user."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.builder import detection, sentences
from controller.builder.doctor.timeout import CheckTimedOut, run_with_timeout
from controller.config.board_file import BoardFile, load_board_file, read_board, shipped_boards
from controller.config.leds import LedSettings
from controller.config.play import PlaySettings
from controller.config.template import board_file_template
from controller.ports.devices import DetectedCamera, DetectedPort
from controller.session.board_fit import fit_board
from engine.sentences import plain
from tests.support.cli import Laserboard
from tests.support.engine.sentences import raises

CAMERAS = [
    DetectedCamera("usb://1", "broken", plain("does not answer")),
    DetectedCamera("usb://2", "A Cam"),
]
PORTS = [
    DetectedPort("/dev/ttyS0", False, plain("no answer")),
    DetectedPort("/dev/ttyACM3", True, plain("ours")),
]


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder, on a machine without devices."""
    monkeypatch.chdir(tmp_path)
    devices(monkeypatch, [], [])
    return tmp_path


def devices(
    monkeypatch: pytest.MonkeyPatch, cameras: list[DetectedCamera], ports: list[DetectedPort]
) -> None:
    monkeypatch.setattr(detection, "find_cameras", lambda: cameras)
    monkeypatch.setattr(detection, "find_serial_ports", lambda: ports)


def unnamed(file: BoardFile) -> tuple[object, ...]:
    board = file.board
    return (board.grid, board.cell_mm, board.tag_mm, board.cap_mm, board.cap_height_mm), file.leds


# -- the written file -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped_boards())
def test_the_written_file_is_the_shipped_board_with_a_game(
    name: str, laserboard: Laserboard
) -> None:
    laserboard.prints("init", "--board", name)
    written, shipped = load_board_file("laserboard.yaml"), load_board_file(name)
    assert unnamed(written) == unnamed(shipped)
    game = fit_board(shipped.board).game
    setup = game.default_setup if game.setups() else None
    assert written.play == PlaySettings(game.name, setup)
    assert (written.camera, written.buttons, written.speaker) == (
        *(shipped.camera, shipped.buttons, shipped.speaker),
    )


@pytest.mark.parametrize("name", shipped_boards())
def test_every_key_is_explained_in_place(name: str) -> None:
    text = board_file_template(name)
    assert "explains the" not in text
    assert len(re.findall(r"(?m)^(?:# )?camera:", text)) == 1
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if re.match(r"(# )?  (# )?[a-z_]+: \S", line) and not line.startswith("#   height"):
            assert "# " in line[3:] or "# " in lines[number + 1], line
    keys = set(re.findall(r"(?m)^(?:# )?(?:  )?(?:# )?([a-z_]+):", text))
    assert keys >= {"camera", "buttons", "speaker", "play", "names", "spares", "lens", "tones"}
    if "\nleds:" in text:
        assert keys >= {"overrides", "effects", "url", "watchdog_ms"}


@pytest.mark.parametrize("name", shipped_boards())
def test_commented_out_sections_are_valid_when_uncommented(name: str) -> None:
    text = re.sub(r"(?m)^# ((  )?[a-z]+:|   )", r"\1", board_file_template(name))
    text = re.sub(r"(?m)^  # (names):", r"  \1:", text).replace("  lens: lens.yaml", "")
    file = read_board(text, "mine.yaml")
    assert (file.camera.url, file.camera.width, file.buttons.url) == ("usb://0", 1280, "gpio://")
    assert (file.speaker.url, file.speaker.lamp) == ("gpio://", 24)
    assert [seat.name for seat in file.play.seats] == ["Ada", "Grace"]


def leds_of(name: str) -> LedSettings:
    leds = load_board_file(name).leds
    assert leds is not None
    return leds


@pytest.mark.parametrize("name", ["demo-10x8", "full-10x8", "hex-r5", "photon-10x10"])
def test_detected_devices_are_written_into_the_file(
    name: str, laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices(monkeypatch, CAMERAS, PORTS)
    output = laserboard.prints("init", "mine.yaml", "--board", name)
    assert "camera: usb://2 (A Cam)\n" in output
    assert "LEDs: serial:///dev/ttyACM3 (ours)\n" in output
    file = load_board_file("./mine.yaml")
    assert (file.camera.url, leds_of("./mine.yaml").url) == ("usb://2", "serial:///dev/ttyACM3")


def test_leds_named_by_the_shipped_board_are_kept(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    devices(monkeypatch, [], PORTS)
    output = laserboard.prints("init", "--board", "wled-10x8")
    assert "LEDs: ddp://wled.local, as wled-10x8 has them\n" in output
    assert leds_of("laserboard.yaml").url == "ddp://wled.local"


def test_a_board_without_leds_has_no_led_section(laserboard: Laserboard) -> None:
    assert "LEDs" not in laserboard.prints("init", "--board", "paper-10x8")
    assert "This board has no LEDs" in Path("laserboard.yaml").read_text("utf-8")


def test_slow_or_broken_devices_are_reported_in_a_sentence(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late() -> list[DetectedCamera]:
        raise CheckTimedOut("no answer in 10 s")

    def broken() -> list[DetectedPort]:
        raise OSError("no such thing")

    monkeypatch.setattr(detection, "find_cameras", late)
    monkeypatch.setattr(detection, "find_serial_ports", broken)
    output = laserboard.prints("init")
    assert "camera: not found (no answer in 10 s)" in output
    assert "LEDs: not found (no such thing)" in output
    devices(monkeypatch, CAMERAS[:1], PORTS[:1])
    assert "camera: usb://1: does not answer" in laserboard.prints("init", "--force")


def test_the_next_steps_name_the_file(laserboard: Laserboard) -> None:
    lines = laserboard.prints("init", "mine.yaml").splitlines()
    assert lines[0] == "wrote mine.yaml, made from demo-10x8"
    assert lines[-2:] == [
        "  laserboard doctor --board mine.yaml",
        "  laserboard play --board mine.yaml",
    ]


# -- refusals -------------------------------------------------------------------------------------


def test_an_existing_file_is_kept_without_force(laserboard: Laserboard) -> None:
    Path("laserboard.yaml").write_text("mine", "utf-8")
    assert "laserboard.yaml is there already: name another file, or add --force" in (
        laserboard.refuses("init")
    )
    assert Path("laserboard.yaml").read_text("utf-8") == "mine"
    laserboard.prints("init", "--force")
    assert load_board_file("laserboard.yaml").play.game


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--board", "hexx"), "there is no shipped board 'hexx', did you mean 'hex-r5'?"),
        (("--board", "./mine.yaml"), "there is no shipped board './mine.yaml'"),
        (("mine",), "'mine': a board file ends with .yaml, such as ./mine.yaml"),
        (("no/folder.yaml",), "cannot write no/folder.yaml: No such file or directory"),
    ],
)
def test_a_wrong_file_name_says_what_to_write(
    arguments: tuple[str, ...], message: str, laserboard: Laserboard, table: Path
) -> None:
    assert message in laserboard.refuses("init", *arguments)
    assert list(table.iterdir()) == []


def test_the_shipped_boards_are_listed_with_a_sentence_each(laserboard: Laserboard) -> None:
    output = laserboard.prints("init", "--board", "list")
    for name in shipped_boards():
        assert re.search(rf"(?m)^{name} +\S+ ", output)


def test_a_dash_as_file_name_prints_the_file(laserboard: Laserboard, table: Path) -> None:
    printed = laserboard.prints("init", "-", "--board", "hex-r5")
    assert read_board(printed, "x.yaml").play.game
    assert list(table.iterdir()) == []


# -- timeouts -------------------------------------------------------------------------------------


def test_a_check_that_hangs_is_abandoned_after_its_timeout() -> None:
    import threading

    over = threading.Event()
    with raises(CheckTimedOut, sentences.CHECK_TIMED_OUT(seconds=0.01)):
        run_with_timeout(0.01, over.wait)
    over.set()
    assert run_with_timeout(10, lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        run_with_timeout(10, lambda: 1 // 0)
