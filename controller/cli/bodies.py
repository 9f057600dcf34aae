"""`laserboard bodies`: lists and renders the 3D-printed parts of a board, computes its mast."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from controller.cli.command import Subcommands, add_command, add_own_board, add_renamed
from controller.ui.console import Console

if TYPE_CHECKING:
    pass

ACTIONS = ("list", "mast", "render", "pictures", "sizes")
TUBES_MM = (10, 40)
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
    from controller.config.board_names import default_board
    from controller.ui.commands import bodies

    board = args.board or default_board()
    match args.what:
        case "list":
            return bodies.list_pieces(board, console, as_json=args.json)
        case "mast":
            return bodies.print_mast(board, args.camera, args.surface, console, as_json=args.json)
        case "render":
            options = bodies.RenderOptions(board, args.only, args.tube, args.out, args.cache)
            return bodies.render_files(options, console)
        case "pictures":
            return bodies.draw_pictures(args.out, args.cache, console)
    return bodies.print_sizes(board, console)
