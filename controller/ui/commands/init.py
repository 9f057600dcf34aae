"""Writes a board file with the URLs of detected devices."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

from controller.builder.detection import DetectedDevice, detect_camera, detect_leds
from controller.config.board_file import SHIPPED_BOARDS_FOLDER, read_board, shipped_boards
from controller.config.template import board_file_template
from controller.ui.commands import sentences
from controller.ui.console import BadInput, Console, printable_name, write_file
from engine.errors import did_you_mean, excerpt
from engine.sentences import Sentence

STDOUT = "-"
LIST_WIDTH = 80


def write_board_file(
    name: str, board: str, console: Console, *, search_devices: bool, overwrite: bool
) -> int:
    """Write a file made from a shipped board, and print what was found and what comes next."""
    _check_names(name, board, overwrite)
    if not search_devices:
        camera = leds = DetectedDevice(None, str(sentences.FOUND_AT_START()))
    else:
        camera, leds = detect_camera(), detect_leds()
    text = board_file_template(board, camera.url, leds.url)
    file = read_board(text, name)
    write_file(name, text, console)
    if name == STDOUT:
        return 0
    console.print(sentences.BOARD_WRITTEN(name=printable_name(name), board=board))
    console.print(sentences.CAMERA_OF_BOARD(remark=camera.remark))
    if file.leds is not None:
        named = file.leds.url
        remark: str | Sentence = leds.remark
        if named not in (None, leds.url):
            remark = sentences.AS_BOARD_HAS_THEM(url=str(named), board=board)
        console.print(sentences.LEDS_OF_BOARD(remark=remark))
    console.print(sentences.EDIT_BOARD())
    for command in ("doctor", "play"):
        console.print(f"  laserboard {command} --board {printable_name(name)}")
    return 0


def _check_names(file: str, board: str, force: bool) -> None:
    if board not in shipped_boards():
        hint = did_you_mean(board, shipped_boards())
        raise BadInput(sentences.UNKNOWN_BOARD(value=excerpt(board), hint=hint))
    if file == STDOUT:
        return
    if not file.endswith((".yaml", ".yml")):
        raise BadInput(sentences.NOT_A_BOARD_FILE(value=excerpt(file)))
    if not force and Path(file).exists():
        raise BadInput(sentences.BOARD_FILE_EXISTS(name=printable_name(file)))


def list_shipped_boards(console: Console) -> int:
    """Print the name of each board and the first sentence of its file."""
    for name in shipped_boards():
        remarks = (SHIPPED_BOARDS_FOLDER / f"{name}.yaml").read_text("utf-8").partition("\n\n")[0]
        sentence = remarks.replace("\n#", "").removeprefix("# ").partition(". ")[0].rstrip(".")
        console.print(fill(f"{name:14} {sentence}", LIST_WIDTH, subsequent_indent=" " * 15))
    return 0
