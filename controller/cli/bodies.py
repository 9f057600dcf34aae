"""`laserboard bodies`: lists and renders the 3D-printed parts of a board, computes its mast."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.cli.command import Subcommands, add_command, add_own_board, add_renamed
from controller.ui.console import BadInput, Console, printable_name

if TYPE_CHECKING:
    from controller.builder.bodies.parts import PrintedPart

ACTIONS = ("list", "mast", "render", "pictures", "sizes")
TUBES_MM = (10, 40)
CACHE_FOLDER = ".cache"  # in the output folder: rendered parts for the next run
SURFACES_MM = (0, 500)


def add(commands: Subcommands) -> None:
    bodies = add_command(
        commands,
        "bodies",
        _bodies,
        "list and render the 3D-printed parts of a board: pieces, camera mast, light grid",
        "  laserboard bodies list --board hex-r5\n"
        "  laserboard bodies mast --board full-10x8 --camera v3-wide\n"
        "  laserboard bodies render --board ./mine.yaml --out stl",
        "list prints the pieces of each game with quantities and tags. mast prints the height of "
        "the camera and the lengths of its two tubes. render writes all STL files; it needs "
        "OpenSCAD. pictures draws the pictures of the build guide. sizes prints a board's "
        "variables for OpenSCAD. All sizes come from the board file.",
    )
    bodies.add_argument("what", metavar="|".join(ACTIONS), choices=ACTIONS, help="see above")
    add_own_board(bodies)
    bodies.add_argument("--json", action="store_true", help="list, mast: print JSON")
    bodies.add_argument(
        "--out",
        metavar="FOLDER",
        help="render, pictures: folder for the files (default stl, pictures)",
    )
    add_renamed(
        bodies,
        "--cache",
        "--kept",
        metavar="FOLDER",
        help="render, pictures: cache of rendered parts (default OUT/.cache)",
    )
    bodies.add_argument(
        "--only",
        metavar="GROUP",
        choices=("pieces", "mast", "grid"),
        help="render: pieces, mast or grid (default: all)",
    )
    bodies.add_argument(
        "--tube",
        metavar="MM",
        type=_millimetres_argument(*TUBES_MM),
        help="render: the outer diameter of the mast's tubes (default 20)",
    )
    bodies.add_argument(
        "--camera", metavar="NAME", help="mast: v2, v3, v3-wide or webcam (default: all)"
    )
    bodies.add_argument(
        "--surface",
        metavar="MM",
        type=_millimetres_argument(*SURFACES_MM),
        help="mast: height of the squares above the foot of the mast (default 40)",
    )


def _millimetres_argument(least: float, most: float) -> Any:
    def millimetres(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number from {least} to {most}")
        return value

    return millimetres


def _bodies(args: argparse.Namespace, console: Console) -> int:
    from controller.config.board_file import default_board

    args.board = args.board or default_board()
    run = {
        "list": _list,
        "mast": _mast,
        "render": _render,
        "pictures": _pictures,
        "sizes": _sizes,
    }[args.what]
    return run(args, console)


def _list(args: argparse.Namespace, console: Console) -> int:
    from controller.builder.bodies.piece_list import games_for_board, list_piece_sets
    from controller.config.board_file import load_board

    board = load_board(args.board)
    needed = {game.name: (game.title, list_piece_sets(game)) for game in games_for_board(board)}
    if args.json:
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
        raise BadInput(f"the board {board.name!r} has no room for any game")
    for title, pieces in needed.values():
        console.print(f"{title} on {board.name}: {sum(each.count for each in pieces)} pieces")
        for each in pieces:
            piece = f"{each.count:2} {each.player:7} {each.kind:10} {each.name:16}"
            console.print(f"  {piece} tags {_numbers(each.tags)}")
    return 0


def _numbers(tags: tuple[int, ...]) -> str:
    """`5-11` for a range of at least three, else `30, 31`."""
    if len(tags) > 2 and tags[-1] - tags[0] == len(tags) - 1:
        return f"{tags[0]}-{tags[-1]}"
    return ", ".join(map(str, tags))


def _mast(args: argparse.Namespace, console: Console) -> int:
    from controller.builder.bodies.mast import (
        BOARD_SURFACE_MM,
        CAMERAS,
        compute_mast,
        find_camera_optics,
    )
    from controller.config.board_file import load_board

    board = load_board(args.board)
    names = list(CAMERAS) if args.camera is None else [args.camera]
    surface = BOARD_SURFACE_MM if args.surface is None else args.surface
    masts = {
        name: compute_mast(board, find_camera_optics(name), surface_mm=surface) for name in names
    }
    if args.json:
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
    console.print(f"{board.name}: the camera over the middle of the board, looking straight down")
    for name, each in masts.items():
        console.print(
            f"  {name:8} lens {each.lens_height_mm:.0f} mm above the squares; upright tube"
            f" {each.upright_mm:.0f} mm, arm {each.arm_mm:.0f} mm"
        )
    console.print(f"the squares are {surface:g} mm above the mast's foot (--surface)")
    return 0


def _render(args: argparse.Namespace, console: Console) -> int:
    from controller.builder.bodies.dimensions import TUBE_MM
    from controller.builder.bodies.mesh import read_stl
    from controller.builder.bodies.openscad import render_parts
    from controller.builder.bodies.parts import printed_parts
    from controller.builder.bodies.print_estimate import PrintEstimate, estimate_print
    from controller.config.board_file import load_board_file

    made = printed_parts(load_board_file(args.board), TUBE_MM if args.tube is None else args.tube)
    made = [part for part in made if args.only in (None, part.group)]
    if not made:
        raise BadInput(f"{args.board}: there is nothing to render with --only {args.only}")
    out = Path(args.out or "stl")
    totals: dict[str, PrintEstimate] = {}
    fresh = 0
    for part, stl, rendered in render_parts(made, _cache_folder(args, out)):
        _copy_if_changed(stl, out, part)
        each = estimate_print(read_stl(stl))
        fresh += rendered
        totals[part.group] = totals.get(part.group, PrintEstimate(0, 0)).plus(each, part.count)
        cost = f"{each.grams:4.0f} g {each.minutes:4.0f} min"
        console.print(f"{part.count:3} x {part.path:32} {cost}  {part.note or ''}")
    console.print(f"{len(made)} files in {printable_name(str(out))}, {fresh} of them new")
    console.print("; ".join(f"{group}: {total}" for group, total in totals.items()))
    return 0


def _pictures(args: argparse.Namespace, console: Console) -> int:
    from controller.builder.bodies.guide_images import (
        guide_images,
        read_digest,
        save_image,
        unique_parts,
    )
    from controller.builder.bodies.mesh import read_stl
    from controller.builder.bodies.openscad import render_parts

    out = _folder(Path(args.out or "pictures"))
    due = [each for each in guide_images() if read_digest(out / each.name) != each.digest()]
    solids = {
        (part.path, part.variables): read_stl(stl)
        for part, stl, _ in render_parts(unique_parts(due), _cache_folder(args, out))
    }
    for each in due:
        image = each.draw({part.path: solids[part.path, part.variables] for part in each.parts})
        save_image(image, out / each.name, each.digest())
        console.print(f"drew {printable_name(str(out / each.name))}")
    if not due:
        console.print(f"all pictures in {printable_name(str(out))} are up to date")
    return 0


def _sizes(args: argparse.Namespace, console: Console) -> int:
    from controller.builder.bodies.dimensions import scad_variables_file
    from controller.config.board_file import load_board_file

    console.out.write(scad_variables_file(load_board_file(args.board)))
    return 0


def _cache_folder(args: argparse.Namespace, out: Path) -> Path:
    return _folder(out / CACHE_FOLDER if args.cache is None else Path(args.cache))


def _copy_if_changed(stl: Path, out: Path, part: PrintedPart) -> None:
    """Copy a rendered part to the output folder unless the same file is there."""
    path = out / part.path
    _folder(path.parent)
    if not path.exists() or path.read_bytes() != stl.read_bytes():
        shutil.copyfile(stl, path)


def _folder(path: Path) -> Path:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as bad:
        raise BadInput(
            f"cannot write into {printable_name(str(path))}: {bad.strerror or bad}"
        ) from None
    return path
