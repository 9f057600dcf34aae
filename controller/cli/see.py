"""`laserboard see` reads images of a table; `laserboard scene` renders them."""

from __future__ import annotations

import argparse
import re

from controller.cli.args.position import add_position, any_number, position_options
from controller.cli.command import Subcommands, add_command, add_own_board
from controller.config.board_names import default_board
from controller.ui.console import BadInput, Console
from engine import games
from engine.errors import excerpt

SIDES, MAX_ASPECT_RATIO = (64, 4096), 4  # range of a scene's sides in pixels; largest aspect ratio


def add(commands: Subcommands) -> None:
    see = add_command(
        commands,
        "see",
        _see,
        "read images of a board: the pieces, their cells and orientations",
        "  laserboard see board.jpg\n"
        "  laserboard see --lock empty.jpg --json move1.jpg move2.jpg\n"
        "  laserboard see --board large.yaml --overlay seen.png board.jpg",
        "The exit status is 1 if the board was not found in an image, and 2 if a file cannot be "
        "read.",
    )
    see.add_argument("images", metavar="IMAGE", nargs="+", help="JPEG or PNG, taken from above")
    see.add_argument(
        "--lock", metavar="IMAGE", help="find the board in this image of the same view"
    )
    add_own_board(see)
    see.add_argument(
        "--game",
        metavar="NAME",
        help=f"{', '.join(games.GAMES)} (default: the first that fits the board)",
    )
    see.add_argument(
        "--json", action="store_true", help="print a JSON list with an object for each image"
    )
    see.add_argument(
        "--overlay",
        metavar="OUT.png",
        help="draw the result over the image; OUT-2.png and so on for further images",
    )

    scene = add_command(
        commands,
        "scene",
        _scene,
        "render an image of a table as a camera would take it, also in bad light",
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
        help="seed of the image, from 0 up (default 1)",
    )
    scene.add_argument(
        "--size", metavar="WxH", default="1280x720", help="size in pixels (default 1280x720)"
    )
    scene.add_argument("--out", metavar="FILE.png", help="write the image")
    scene.add_argument(
        "--lock-out", metavar="FILE.png", help="write the same view in good light and without hands"
    )
    scene.add_argument("--truth", metavar="FILE.json", help="write the ground truth (- prints it)")


def _see(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.image_reading import ImageOptions, read_images

    board = args.board or default_board()
    options = ImageOptions(board, args.game, args.images, args.lock, args.overlay, args.json)
    return read_images(options, console)


def _size(text: str) -> tuple[int, int]:
    if not re.fullmatch("[0-9]{1,6}x[0-9]{1,6}", text):
        raise BadInput(f"--size {excerpt(text)}: write it as 1280x720")
    width, height = map(int, text.split("x"))
    short, long = sorted((width, height))
    if short < SIDES[0] or long > SIDES[1]:
        raise BadInput(f"--size {text}: each side from {SIDES[0]} to {SIDES[1]}")
    if long > MAX_ASPECT_RATIO * short:
        raise BadInput(f"--size {text}: no side more than {MAX_ASPECT_RATIO} times the other")
    return width, height


def _scene(args: argparse.Namespace, console: Console) -> int:
    from controller.ui.commands.scene import SceneOptions, list_scenarios, render_scene

    if args.scenario == "list":
        return list_scenarios(console)
    if args.out is None and args.truth is None and args.lock_out is None:
        raise BadInput("name a file: --out FILE.png for the image, --truth FILE.json")
    if args.shot < 0:
        raise BadInput(f"--shot {args.shot}: from 0 up")
    options = SceneOptions(
        *(args.scenario, args.shot, args.board or default_board(), position_options(args)),
        *(_size(args.size), args.out, args.lock_out, args.truth),
    )
    return render_scene(options, console)
