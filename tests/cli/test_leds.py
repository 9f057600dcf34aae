"""`laserboard leds walk`, `test`, `show` and `stats`, and `laserboard ports`."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.config.board_file import SHIPPED_BOARDS_FOLDER, load_board_file
from controller.devices.bench.pty_board import PtyBoard
from controller.devices.leds import serial_link
from controller.devices.leds.protocol import Welcome
from controller.lighting.layout import led_layout
from controller.ports.devices import DetectedPort
from controller.ui.commands.sentences import LEDS_DRAWN_HERE
from engine.sentences import Sentence
from tests.support.cli import Laserboard
from tests.support.devices.long_timeout_links import LONG_MS, use_long_timeouts

SHORT_MS = 30.0  # for a line without an answer


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Iterator[PtyBoard]:
    use_long_timeouts(monkeypatch)
    with PtyBoard() as running:
        yield running


@dataclass(frozen=True)
class Line:
    """A serial line without a board at its other end."""

    path: str


@pytest.fixture
def silent_line() -> Iterator[Line]:
    master, slave = os.openpty()
    tty.setraw(slave)
    yield Line(os.ttyname(slave))
    os.close(master)
    os.close(slave)


def drawn(laserboard: Laserboard, *arguments: str) -> str:
    """The output of a command that draws the LEDs in the terminal."""
    return laserboard.prints("leds", *arguments, "--leds", "terminal://")


# -- in the terminal ---------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["walk", "test", "show", "stats"])
def test_without_leds_a_note_says_that_pictures_are_drawn_here(
    laserboard: Laserboard, what: str
) -> None:
    ran = laserboard("leds", what, "--seconds", "0", "--pace", "0")
    assert ran.status == 0
    assert ran.err == f"{LEDS_DRAWN_HERE()}\n"


def test_with_leds_that_note_is_not_printed(laserboard: Laserboard, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text((SHIPPED_BOARDS_FOLDER / "demo-10x8.yaml").read_text() + "  url: memory://\n")
    for named in (("--leds", "memory://"), ("--board", str(file))):
        assert str(LEDS_DRAWN_HERE()) not in laserboard("leds", "walk", "--pace", "0", *named).err


def test_the_help_has_a_real_example_first_and_every_default(
    laserboard: Laserboard,
) -> None:
    help_text = laserboard.prints("leds", "--help")
    examples = help_text.partition("example:\n")[2].splitlines()
    assert examples[0].strip() == "laserboard leds walk --leds serial://auto"
    plain = " ".join(help_text.split())
    for option, default in (("--pace MS", "250)"), ("--seconds S", "3;"), ("--digits N", "42)")):
        assert f"(default {default}" in plain.rpartition(f" {option} ")[2][:120], option


@pytest.mark.parametrize(("option", "default"), [("--squares CxR", "7x5"), ("--seconds S", "180")])
def test_the_help_of_calibrate_has_its_defaults(
    laserboard: Laserboard, option: str, default: str
) -> None:
    plain = " ".join(laserboard.prints("calibrate", "--help").split())
    assert f"(default {default}" in plain.rpartition(f" {option} ")[2].partition(" --")[0]


# -- walk --------------------------------------------------------------------------------------


def test_leds_walk_names_every_led_once_with_its_cell(laserboard: Laserboard) -> None:
    lines = drawn(laserboard, "walk", "--board", "hex-r5").splitlines()
    lies = led_layout(load_board_file("hex-r5"))
    assert lies is not None
    walked = [line.split() for line in lines[:-1]]
    assert [int(words[1].rstrip(",")) for words in walked] == list(range(91))
    for led, words in enumerate(walked):
        cell = lies.cell_of(led)
        assert cell is not None
        assert words[-1] == lies.board.grid.name(cell)
    assert lines[-1] == str(lies.describe())


def test_leds_walk_names_the_lane_of_each_led(laserboard: Laserboard) -> None:
    lines = drawn(laserboard, "walk", "--board", "full-10x8").splitlines()
    lanes = [line.split("lane ")[1][0] for line in lines[:-1]]
    assert lanes == ["0"] * 360 + ["1"] * 360


# -- test --------------------------------------------------------------------------------------


def test_the_colours_stay_within_the_limit(laserboard: Laserboard) -> None:
    ran = laserboard("leds", "test", "--leds", "memory://")
    assert ran.status == 0
    drawn = {line[:15].strip(): int(line.split(" mA")[0].split()[-1]) for line in ran.lines[:-1]}
    assert drawn.keys() == {"red", "green", "blue", "white", "half as bright"}
    assert max(drawn.values()) <= 3000
    assert "(at the limit)" in ran.lines[3]
    assert "limit 3000 mA" in ran.lines[-1]


# -- show --------------------------------------------------------------------------------------


def lit_cells(picture: str) -> set[str]:
    """The lit cells of a picture without colours."""
    rows = [line.split() for line in picture.splitlines()]
    return {
        f"{'abcdefghij'[column]}{row[0]}"
        for row in rows[:-1]
        for column, sign in enumerate(row[1:])
        if sign != "."
    }


def test_a_beam_lights_the_cells_of_its_path(laserboard: Laserboard) -> None:
    shown = drawn(laserboard, "show", "--setup", "ace", "--beam", "red")
    path = laserboard.prints("beam", "--setup", "ace", "--side", "red").split()
    cells = {word for word in path if len(word) == 2 and word[1].isdigit()}
    assert lit_cells(shown) == cells


@pytest.mark.parametrize("picture", ["idle", "thinking", "winner", "clock-low", "number"])
@pytest.mark.parametrize("board_name", ["demo-10x8", "full-10x8", "hex-r5"])
def test_every_picture_has_a_lit_cell(
    laserboard: Laserboard, picture: str, board_name: str
) -> None:
    shown = drawn(laserboard, "show", "--picture", picture, "--board", board_name)
    assert set(shown) & set("RYGCBMWrygcbmw")


def test_legal_moves_are_lit_around_the_piece(laserboard: Laserboard) -> None:
    shown = drawn(laserboard, "show", "--picture", "legal", "--square", "j4")
    targets = {
        move[2:4]
        for move in laserboard.prints("legal", "--square", "j4").split()
        if len(move) >= 4 and move[2:4] not in ("l", "r")
    }
    cells = {cell for cell in targets if cell[0].isalpha() and cell[1:].isdigit()}
    assert lit_cells(shown) == cells | {"j4"}


# -- real firmware -----------------------------------------------------------------------------


def test_statistics_come_from_driver_and_firmware(laserboard: Laserboard, board: PtyBoard) -> None:
    url = f"serial://{board.path}"
    ran = laserboard("leds", "stats", "--leds", url, "--seconds", "0.3")
    assert ran.status == 0, ran
    assert "Laserboard firmware 0.2.0" in ran.err
    rows = {line[:12].strip(): line[12:].strip() for line in ran.lines}
    assert int(rows["pictures"]) == int(rows["confirmed"]) + int(rows["overtaken"])
    assert int(rows["confirmed"]) > 1
    assert rows["given up"] == "0"
    assert "0 bad crc" in ran.lines[-1]


def test_a_port_without_an_answer_is_reported(
    laserboard: Laserboard, silent_line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.ui.commands.led_test.START_TIMEOUT_MS", 6 * LONG_MS)
    line = laserboard("leds", "test", "--leds", f"serial://{silent_line.path}").err
    assert "does not answer" in line
    assert "`laserboard ports`" in line


def test_ports_marks_the_port_of_the_led_board(
    laserboard: Laserboard, board: PtyBoard, silent_line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = serial_link.probe_port

    def probe(path: str) -> Welcome | Sentence:
        timeout_ms = SHORT_MS if path == silent_line.path else LONG_MS
        monkeypatch.setattr(serial_link, "ANSWER_TIMEOUT_MS", timeout_ms)
        return real(path)

    monkeypatch.setattr(serial_link, "serial_ports", lambda: [silent_line.path, board.path])
    monkeypatch.setattr(serial_link, "probe_port", probe)
    ran = laserboard("ports")
    assert ran.status == 0
    assert ran.lines[0].startswith(f"  serial://{silent_line.path}  ")
    assert ran.lines[1].startswith(f"* serial://{board.path}  Laserboard firmware")
    assert ran.err == ""


def test_without_ports_a_note_says_what_to_do(
    laserboard: Laserboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> list[DetectedPort]:
        return []

    monkeypatch.setattr("controller.ui.commands.led_test.find_serial_ports", none)
    ran = laserboard("ports")
    assert (ran.status, ran.out) == (0, "")
    assert "plug the board in" in ran.err


# -- refusals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("walk", "--board", "paper-10x8"), "'paper-10x8' has no LEDs"),
        (("walk", "--leds", "seriel://auto"), "did you mean 'serial'"),
        (("walk", "--leds", "gpio://spi"), "not a Raspberry Pi"),
        (("test", "--leds", "serial:///dev/nowhere"), "there is no /dev/nowhere"),
        (("walk", "--pace", "-5"), "is not a time in ms"),
        (("walk", "--pace", "9" * 30), "is not a time in ms"),
        (("show", "--picture", "legal"), "name the piece's cell with --square"),
        (("show", "--picture", "number", "--digits", "x"), "cannot be shown"),
        (("show", "--beam", "green"), "there is no side 'green'"),
        (("show", "--board", "hex-r5"), "has no laser with a fixed direction here"),
    ],
)
def test_invalid_arguments_are_refused_in_one_line(
    laserboard: Laserboard, arguments: tuple[str, ...], complaint: str
) -> None:
    assert complaint in laserboard.refuses("leds", *arguments)


def test_a_board_file_with_a_wrong_led_count_is_refused(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    file = tmp_path / "mine.yaml"
    whole = Path("hardware/boards/demo-10x8.yaml").read_text("utf-8")
    file.write_text(whole.replace("count: 80", "count: 79"))
    line = laserboard.refuses("leds", "walk", "--board", str(file))
    assert f"{file}:" in line
    assert "leds.strips[0]" in line


def test_the_bench_prints_its_table(laserboard: Laserboard) -> None:
    lines = laserboard.prints("bench", "light", "--seconds", "0.1").splitlines()
    assert [line.split()[1] for line in lines[3:6]] == ["80", "320", "720"]
    assert "720 LEDs at" in lines[-2]
