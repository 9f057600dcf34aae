"""Lists and renders the 3D-printed parts of a board, and computes its mast."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from controller.builder.bodies.dimensions import TUBE_MM, scad_variables_file
from controller.builder.bodies.guide_images import (
    guide_images,
    read_digest,
    save_image,
    unique_parts,
)
from controller.builder.bodies.mast import (
    BOARD_SURFACE_MM,
    CAMERAS,
    compute_mast,
    find_camera_optics,
)
from controller.builder.bodies.mesh import read_stl
from controller.builder.bodies.openscad import copy_if_changed, render_parts
from controller.builder.bodies.parts import printed_parts
from controller.builder.bodies.piece_list import games_for_board, list_piece_sets
from controller.builder.bodies.print_estimate import PrintEstimate, estimate_print
from controller.config.board_file import load_board, load_board_file
from controller.storage.sentences import counted
from controller.ui.commands import sentences
from controller.ui.console import BadInput, Console, file_error, printable_name

CACHE_FOLDER = ".cache"  # in the output folder: rendered parts for the next run


def list_pieces(board_name: str, console: Console, *, as_json: bool) -> int:
    """Print the pieces of each game of a board, with quantities and tags."""
    board = load_board(board_name)
    needed = {game.name: (game.title, list_piece_sets(game)) for game in games_for_board(board)}
    if as_json:
        rows = {
            name: [
                {"kind": e.kind, "player": e.player, "form": e.form, "body": e.name, "tags": e.tags}
                for e in pieces
            ]
            for name, (_, pieces) in needed.items()
        }
        console.print(json.dumps({"board": board.name, "games": rows}, indent=2))
        return 0
    if not needed:
        raise BadInput(sentences.BOARD_FITS_NO_GAME(board=board.name))
    for title, pieces in needed.values():
        count = sum(each.count for each in pieces)
        console.print(sentences.PIECES_OF_GAME(game=title, board=board.name, count=count))
        for each in pieces:
            piece = f"{each.count:2} {each.player:7} {each.kind:10} {each.name:16}"
            console.print(f"  {piece} {sentences.TAGS(tags=_numbers(each.tags))}")
    return 0


def _numbers(tags: tuple[int, ...]) -> str:
    """`5-11` for a range of at least three, else `30, 31`."""
    if len(tags) > 2 and tags[-1] - tags[0] == len(tags) - 1:
        return f"{tags[0]}-{tags[-1]}"
    return ", ".join(map(str, tags))


def print_mast(
    board_name: str,
    camera: str | None,
    surface_mm: float | None,
    console: Console,
    *,
    as_json: bool,
) -> int:
    """Print the height of the camera (None: of all) and the lengths of its tubes."""
    board = load_board(board_name)
    names = list(CAMERAS) if camera is None else [camera]
    surface = BOARD_SURFACE_MM if surface_mm is None else surface_mm
    masts = {
        name: compute_mast(board, find_camera_optics(name), surface_mm=surface) for name in names
    }
    if as_json:
        rows = {
            name: {
                "height_mm": round(each.lens_height_mm, 1),
                "reach_mm": round(each.reach_mm, 1),
                "upright_mm": each.upright_mm,
                "arm_mm": each.arm_mm,
            }
            for name, each in masts.items()
        }
        console.print(json.dumps({"board": board.name, "cameras": rows}, indent=2))
        return 0
    console.print(sentences.MAST_CAMERA(board=board.name))
    for name, each in masts.items():
        lengths = sentences.MAST_LENGTHS(
            lens_mm=round(each.lens_height_mm),
            upright_mm=round(each.upright_mm),
            arm_mm=round(each.arm_mm),
        )
        console.print(f"  {name:8} {lengths}")
    console.print(sentences.MAST_SURFACE(surface_mm=float(surface)))
    return 0


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """Options of `laserboard bodies render`: board, parts, folders for files and renderings."""

    board: str
    only: str | None = None  # a group of parts; None: all
    tube_mm: float | None = None
    out: str | None = None
    cache: str | None = None


def render_files(options: RenderOptions, console: Console) -> int:
    """Write all STL files, and print weight and time of each."""
    made = printed_parts(
        load_board_file(options.board), TUBE_MM if options.tube_mm is None else options.tube_mm
    )
    made = [part for part in made if options.only in (None, part.group)]
    if options.only is not None and not made:
        raise BadInput(sentences.NOTHING_TO_RENDER(board=options.board, group=options.only))
    out = Path(options.out or "stl")
    totals: dict[str, PrintEstimate] = {}
    fresh = 0
    for part, stl, rendered in render_parts(made, _cache_folder(options.cache, out)):
        path = out / part.path
        _folder(path.parent)
        copy_if_changed(stl, path)
        each = estimate_print(read_stl(stl))
        fresh += rendered
        totals[part.group] = totals.get(part.group, PrintEstimate(0, 0)).plus(each, part.count)
        cost = f"{each.grams:4.0f} g {each.minutes:4.0f} min"
        console.print(f"{part.count:3} x {part.path:32} {cost}  {part.note or ''}")
    files = counted(len(made), sentences.ONE_FILE, sentences.FILES)
    console.print(
        sentences.PARTS_RENDERED(files=files, folder=printable_name(str(out)), fresh=fresh)
    )
    console.print("; ".join(f"{group}: {total}" for group, total in totals.items()))
    return 0


def draw_pictures(out_name: str | None, cache: str | None, console: Console) -> int:
    """Draw the pictures of the build guide that are not up to date."""
    out = _folder(Path(out_name or "pictures"))
    due = [each for each in guide_images() if read_digest(out / each.name) != each.digest()]
    solids = {
        (part.path, part.variables): read_stl(stl)
        for part, stl, _ in render_parts(unique_parts(due), _cache_folder(cache, out))
    }
    for each in due:
        image = each.draw({part.path: solids[part.path, part.variables] for part in each.parts})
        save_image(image, out / each.name, each.digest())
        console.print(sentences.PICTURE_DRAWN(name=printable_name(str(out / each.name))))
    if not due:
        console.print(sentences.PICTURES_UP_TO_DATE(folder=printable_name(str(out))))
    return 0


def print_sizes(board_name: str, console: Console) -> int:
    """Print the variables of a board for OpenSCAD."""
    console.out.write(scad_variables_file(load_board_file(board_name)))
    return 0


def _cache_folder(cache: str | None, out: Path) -> Path:
    return _folder(out / CACHE_FOLDER if cache is None else Path(cache))


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error(sentences.CANNOT_WRITE_INTO, str(path), error) from error
    return path
