"""`laserboard see`: reads images of a table and prints, draws or lists the pieces in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.config.board_file import load_board_file
from controller.ports.devices import Pixels
from controller.session.board_fit import FittedBoard, fit_board
from controller.storage.image_files import read_colour_image, read_grey_image, save_png
from controller.ui.commands import sentences
from controller.ui.console import BAD_INPUT, BadInput, Console, printable_name
from controller.ui.terminal import render_observation
from engine import games
from engine.errors import LaserboardError
from engine.sentences import Sentence, joined
from vision.board_lock import detect_tags
from vision.observation import CellState, Observation, Problem
from vision.overlay import draw_overlay
from vision.reader import Reader
from vision.stray_tags import find_stray_tags

EXIT_NOT_FOUND = 1
MAX_WIDTH_PX = 2400  # wider images are reduced: they take longer and are not read better


@dataclass(frozen=True, slots=True)
class ImageOptions:
    """The board, the files to read and the output."""

    board: str
    game: str | None  # None: the first that fits the board
    images: Sequence[str]
    lock: str | None  # an image of the same view in which to find the board
    overlay: str | None  # the first PNG to draw; others get a number
    as_json: bool


@dataclass(frozen=True)
class _ReadImage:
    """The result of reading one image."""

    name: str
    observation: Observation | None  # None: the file cannot be read
    problems: tuple[Sentence, ...]


def read_images(options: ImageOptions, console: Console) -> int:
    """Read all images; returns the exit status."""
    file = load_board_file(options.board)
    game = None if options.game is None else games.make(options.game)
    table = fit_board(file.board, game, file.camera.lens)
    reader = Reader(table.board, table.pieces_by_tag, table.lens)
    if options.lock is not None:
        _lock(reader, options.lock)
    seen = []
    for number, name in enumerate(options.images, start=1):
        try:
            image = _open_image(name)
            result, by = _read(copy(reader), image, name, table)
        except LaserboardError as error:
            seen.append(_ReadImage(name, None, (error.sentence,)))
            console.note(f"laserboard: {error}")
            continue
        seen.append(result)
        if options.overlay is not None:
            _draw(_numbered(options.overlay, number), name, by, result, table)
        if not _board_found(result):
            problem = sentences.IN_FILE(name=printable_name(name), reason=joined(result.problems))
            console.note(f"laserboard: {problem}")
        elif not options.as_json:
            _show(result, table, console)
    if options.as_json:
        results = [_as_json(each, table) for each in seen]
        console.print(
            json.dumps(results, indent=1 if len(results) == 1 else None, ensure_ascii=False)
        )
    if any(each.observation is None for each in seen):
        return BAD_INPUT
    return 0 if all(_board_found(each) for each in seen) else EXIT_NOT_FOUND


def _board_found(seen: _ReadImage) -> bool:
    return seen.observation is not None and seen.observation.locked


def _open_image(name: str) -> Pixels:
    return _reduced(read_grey_image(name))


def _reduced(image: Pixels) -> Pixels:
    """Reduce a large photograph to a half, a third ... of its size."""
    height, width = image.shape[:2]
    parts = -(-width // MAX_WIDTH_PX)
    if parts == 1:
        return image
    even = image[: height // parts * parts, : width // parts * parts]
    size = (width // parts, height // parts)
    return np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)


def _lock(reader: Reader, name: str) -> None:
    image = _open_image(name)
    found = reader.find(image)
    if isinstance(found, Problem):
        raise BadInput(sentences.IN_FILE(name=printable_name(name), reason=found.sentence))
    reader.read(image)  # pieces correct errors of the lens
    reader.forget()


def _read(
    reader: Reader, image: Pixels, name: str, table: FittedBoard
) -> tuple[_ReadImage, Reader]:
    lock = reader.lock
    if lock is not None and (lock.camera.height, lock.camera.width) != image.shape:
        height, width = image.shape
        raise BadInput(
            sentences.OTHER_VIEW(
                name=printable_name(name),
                width=width,
                height=height,
                lock_width=lock.camera.width,
                lock_height=lock.camera.height,
            )
        )
    seen = reader.read(image)
    problems = [problem.sentence for problem in seen.problems]
    if seen.locked and reader.lock is not None:
        stray = find_stray_tags(
            detect_tags(image, ()),
            table.board,
            reader.lock.camera,
            seen,
            reader.tags,
            table.describe_tag,
        )
        problems += [problem.sentence for problem in stray]
    return _ReadImage(name, seen, tuple(dict.fromkeys(problems))), reader


def _as_json(seen: _ReadImage, table: FittedBoard) -> dict[str, Any]:
    result: dict[str, Any] = {"image": seen.name, "locked": _board_found(seen), "cells": {}}
    result |= {"covered": [], "problems": list(map(str, seen.problems)), "position": None}
    if seen.observation is None or not seen.observation.locked:
        return result
    observation, grid = seen.observation, table.board.grid
    pieces = observation.pieces(table.pieces_by_tag)
    for cell, piece in pieces.items():
        sighting = observation.sightings[cell]
        assert sighting.state is CellState.OCCUPIED
        letter = table.game.letters[piece.kind]
        result["cells"][grid.name(cell)] = {
            "tag": sighting.tag,
            "piece": letter.lower() if piece.owner else letter,
            "orientation": round(grid.degrees(piece.orientation)) % 360,
            "confidence": sighting.confidence,
            "crooked_degrees": sighting.residual_degrees,
            "offset_mm": list(sighting.offset_mm),
        }
    result["covered"] = [grid.name(cell) for cell in observation.covered()]
    result["position"] = table.game.write_pieces(grid, pieces)
    return result


def _show(seen: _ReadImage, table: FittedBoard, console: Console) -> None:
    observation = seen.observation
    assert observation is not None
    pieces = observation.pieces(table.pieces_by_tag)
    covered = observation.covered()
    console.print(
        sentences.PIECES_READ(
            name=printable_name(seen.name), pieces=len(pieces), covered=len(covered)
        )
    )
    console.print_picture(
        render_observation(table.game, table.board.grid, pieces, covered, colour=console.colour)
    )
    console.print(table.game.write_pieces(table.board.grid, pieces))
    for problem in seen.problems:
        console.print(f"! {problem}")


def _draw(out: str, name: str, reader: Reader, seen: _ReadImage, table: FittedBoard) -> None:
    assert seen.observation is not None
    image = _reduced(read_colour_image(name))
    save_png(
        out,
        draw_overlay(
            image, table.board, reader.lock, seen.observation, table.game, table.pieces_by_tag,
            tuple(map(str, seen.problems)),
        ),
    )  # fmt: skip


def _numbered(out: str, number: int) -> str:
    path = Path(out)
    return out if number == 1 else str(path.with_name(f"{path.stem}-{number}{path.suffix}"))
