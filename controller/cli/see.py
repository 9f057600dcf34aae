"""`laserboard see` reads pictures of a table; `laserboard scene` renders them."""

from __future__ import annotations

import argparse
import json
import re
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.cli.args.position import add_position, any_number, game_from, position_from
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.ui.console import BAD_INPUT, BadInput, Console, printable_name, write_file
from engine import games
from engine.errors import LaserboardError, excerpt
from engine.game import AnyGame

if TYPE_CHECKING:  # slow imports
    from controller.ports.devices import Pixels
    from controller.session.board_fit import FittedBoard
    from vision.observation import Observation
    from vision.reader import Reader
    from vision.scene import BuiltScenario, TagTruth

EXIT_NOT_FOUND = 1
MOST_WIDTH_PX = 2400  # wider pictures are reduced: they take longer and are not read better
SIDES, LONGEST_SIDE = (64, 4096), 4  # range of a scene's sides in pixels; largest aspect ratio


def add(commands: Subcommands) -> None:
    see = add_command(
        commands,
        "see",
        _see,
        "read pictures of a board: the pieces, their cells and orientations",
        "  laserboard see board.jpg\n"
        "  laserboard see --lock empty.jpg --json move1.jpg move2.jpg\n"
        "  laserboard see --board large.yaml --overlay seen.png board.jpg",
        "The exit status is 1 if the board was not found in a picture, and 2 if a file cannot be "
        "read.",
    )
    see.add_argument("images", metavar="IMAGE", nargs="+", help="JPEG or PNG, taken from above")
    see.add_argument(
        "--lock", metavar="IMAGE", help="find the board in this picture of the same view"
    )
    add_own_board(see)
    see.add_argument(
        "--game",
        metavar="NAME",
        help=f"{', '.join(games.GAMES)} (default: the first that fits the board)",
    )
    see.add_argument(
        "--json", action="store_true", help="print a JSON list with an object for each picture"
    )
    see.add_argument(
        "--overlay",
        metavar="OUT.png",
        help="draw the result over the picture; OUT-2.png and so on for further pictures",
    )

    scene = add_command(
        commands,
        "scene",
        _scene,
        "render a picture of a table as a camera would take it, also in bad light",
        "  laserboard scene --out table.png\n"
        "  laserboard scene --scenario mixed_hi --shot 7 --out hard.png --truth hard.json\n"
        "  laserboard scene --scenario list",
        "Without a position, all pieces stand on random cells. The default game is the first that "
        "fits the board.",
    )
    add_position(scene)
    scene.set_defaults(game=None)
    add_own_board(scene)
    scene.add_argument(
        "--scenario",
        metavar="NAME",
        default="plain",
        help="kind of light and camera (default plain); `list` lists them",
    )
    scene.add_argument(
        "--shot",
        metavar="N",
        type=any_number,
        default=1,
        help="seed of the picture, from 0 up (default 1)",
    )
    scene.add_argument(
        "--size", metavar="WxH", default="1280x720", help="size in pixels (default 1280x720)"
    )
    scene.add_argument("--out", metavar="FILE.png", help="write the picture")
    scene.add_argument(
        "--lock-out", metavar="FILE.png", help="write the same view in good light and without hands"
    )
    scene.add_argument("--truth", metavar="FILE.json", help="write the ground truth (- prints it)")


def fitted_board_from(args: argparse.Namespace) -> FittedBoard:
    from controller.config.board_file import default_board, load_board_file
    from controller.session.board_fit import fit_board

    file = load_board_file(args.board or default_board())
    game = None if args.game is None else games.make(args.game)
    return fit_board(file.board, game, file.camera.lens)


# -- see ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _ReadImage:
    """The result of reading one picture."""

    image: str
    observation: Observation | None  # None: the file cannot be read
    problems: tuple[str, ...]


def _see(args: argparse.Namespace, console: Console) -> int:
    from vision.reader import Reader

    table = fitted_board_from(args)
    reader = Reader(table.board, table.pieces_by_tag, table.lens)
    if args.lock is not None:
        _lock(reader, args.lock)
    seen = []
    for number, image in enumerate(args.images, start=1):
        try:
            picture = _open_image(image)
            result, by = _read(copy(reader), picture, image, table)
        except LaserboardError as bad:
            seen.append(_ReadImage(image, None, (str(bad),)))
            console.note(f"laserboard: {bad}")
            continue
        seen.append(result)
        if args.overlay is not None:
            _draw(_numbered(args.overlay, number), image, by, result, table)
        if not _board_found(result):
            console.note(f"laserboard: {printable_name(image)}: {'; '.join(result.problems)}")
        elif not args.json:
            _show(result, table, console)
    if args.json:
        results = [_as_json(each, table) for each in seen]
        console.print(
            json.dumps(results, indent=1 if len(results) == 1 else None, ensure_ascii=False)
        )
    if any(each.observation is None for each in seen):
        return BAD_INPUT
    return 0 if all(_board_found(each) for each in seen) else EXIT_NOT_FOUND


def _board_found(seen: _ReadImage) -> bool:
    return seen.observation is not None and seen.observation.locked


def _open_image(image: str) -> Pixels:
    from controller.storage.image_files import read_grey_image

    return _reduced(read_grey_image(image))


def _reduced(picture: Pixels) -> Pixels:
    """Reduce a large photograph to a half, a third ... of its size."""
    import cv2
    import numpy as np

    height, width = picture.shape[:2]
    parts = -(-width // MOST_WIDTH_PX)
    if parts == 1:
        return picture
    even = picture[: height // parts * parts, : width // parts * parts]
    size = (width // parts, height // parts)
    return np.asarray(cv2.resize(even, size, interpolation=cv2.INTER_AREA), np.uint8)


def _lock(reader: Reader, image: str) -> None:
    from vision.observation import Problem

    picture = _open_image(image)
    found = reader.find(picture)
    if isinstance(found, Problem):
        raise BadInput(f"{printable_name(image)}: {found.sentence}")
    reader.read(picture)  # pieces correct errors of the lens
    reader.forget()


def _read(
    reader: Reader, picture: Pixels, image: str, table: FittedBoard
) -> tuple[_ReadImage, Reader]:
    from vision.board_lock import detect_tags
    from vision.stray_tags import find_stray_tags

    lock = reader.lock
    if lock is not None and (lock.view.height, lock.view.width) != picture.shape:
        height, width = picture.shape
        raise BadInput(
            f"{printable_name(image)} has {width} x {height} pixels, the picture to lock by"
            f" {lock.view.width} x {lock.view.height}: they must show the same view"
        )
    seen = reader.read(picture)
    problems = [str(problem.sentence) for problem in seen.problems]
    if seen.locked and reader.lock is not None:
        stray = find_stray_tags(
            detect_tags(picture, ()),
            table.board,
            reader.lock.view,
            seen,
            reader.tags,
            table.describe_tag,
        )
        problems += [str(problem.sentence) for problem in stray]
    return _ReadImage(image, seen, tuple(dict.fromkeys(problems))), reader


def _as_json(seen: _ReadImage, table: FittedBoard) -> dict[str, Any]:
    from vision.observation import CellState

    result: dict[str, Any] = {"image": seen.image, "locked": _board_found(seen), "cells": {}}
    result |= {"covered": [], "problems": list(seen.problems), "position": None}
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
    from controller.ui.terminal import render_observation

    observation = seen.observation
    assert observation is not None
    pieces = observation.pieces(table.pieces_by_tag)
    covered = observation.covered()
    console.print(
        f"{printable_name(seen.image)}: {len(pieces)} pieces read, {len(covered)} cells covered (?)"
    )
    console.print_picture(
        render_observation(table.game, table.board.grid, pieces, covered, colour=console.colour)
    )
    console.print(table.game.write_pieces(table.board.grid, pieces))
    for problem in seen.problems:
        console.print(f"! {problem}")


def _draw(out: str, image: str, reader: Reader, seen: _ReadImage, table: FittedBoard) -> None:
    from controller.storage.image_files import read_colour_image, save_png
    from vision.overlay import draw_overlay

    assert seen.observation is not None
    picture = _reduced(read_colour_image(image))
    save_png(
        out,
        draw_overlay(
            picture, table.board, reader.lock, seen.observation, table.game, table.pieces_by_tag,
            seen.problems,
        ),
    )  # fmt: skip


def _numbered(out: str, number: int) -> str:
    path = Path(out)
    return out if number == 1 else str(path.with_name(f"{path.stem}-{number}{path.suffix}"))


# -- scene -------------------------------------------------------------------------------------


def _scene(args: argparse.Namespace, console: Console) -> int:
    from controller.config.board_file import default_board, load_board
    from controller.session.board_fit import fit_board
    from controller.storage.image_files import save_png
    from engine.errors import did_you_mean
    from vision.scene import SCENARIOS, build_scenario

    if args.scenario == "list":
        for name in SCENARIOS:
            console.print(name)
        return 0
    if args.scenario not in SCENARIOS:
        hint = did_you_mean(args.scenario, SCENARIOS)
        raise BadInput(f"there is no scenario {excerpt(args.scenario)}{hint}")
    if args.out is None and args.truth is None and args.lock_out is None:
        raise BadInput("name a file: --out FILE.png for the picture, --truth FILE.json")
    if args.shot < 0:
        raise BadInput(f"--shot {args.shot}: from 0 up")
    board, size, pieces = load_board(args.board or default_board()), _size(args.size), None
    args.game = args.game or fit_board(board).game.name
    game = game_from(args)
    if args.position is not None or args.setup is not None or args.seed is not None:
        game, position = position_from(args, console)
        board, pieces = board.with_grid(position.grid), position.pieces
    else:
        board = fit_board(board, game).board
    built = build_scenario(args.scenario, board, args.shot, size, pieces, game)
    if args.out is not None:
        save_png(args.out, built.frame)
    if args.lock_out is not None:
        save_png(args.lock_out, built.lock_frame)
    if args.truth is not None:
        write_file(args.truth, json.dumps(_truth(built, game), indent=1) + "\n", console)
    return 0


def _truth(built: BuiltScenario, game: AnyGame) -> dict[str, Any]:
    grid = built.scene.board.grid

    def orientation(each: TagTruth) -> int:
        return (game.tags[each.tag].orientation + each.orientation) % grid.headings

    return {
        "tags": [
            {
                "tag": each.tag,
                "cell": None if each.cell is None else grid.name(each.cell),
                "orientation": round(grid.degrees(orientation(each))) % 360,
                "angle_degrees": round(each.angle_degrees % 360, 1),
                "x_mm": round(each.x_mm, 1),
                "y_mm": round(each.y_mm, 1),
                "visible": each.visible,
                "visible_fraction": round(each.visible_fraction, 3),
            }
            for each in built.truth.tags
        ],
        "covered": sorted(grid.name(cell) for cell in built.truth.covered),
        "game": game.name,
    }


def _size(text: str) -> tuple[int, int]:
    if not re.fullmatch("[0-9]{1,6}x[0-9]{1,6}", text):
        raise BadInput(f"--size {excerpt(text)}: write it as 1280x720")
    width, height = map(int, text.split("x"))
    short, long = sorted((width, height))
    if short < SIDES[0] or long > SIDES[1]:
        raise BadInput(f"--size {text}: each side from {SIDES[0]} to {SIDES[1]}")
    if long > LONGEST_SIDE * short:
        raise BadInput(f"--size {text}: no side more than {LONGEST_SIDE} times the other")
    return width, height
