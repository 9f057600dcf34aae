"""The pictures of the build guide: every game's pieces, how one is put together, the mast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from controller.bodies.assembled import Meshes, board_slab, piece, placed, raised, standing_mast
from controller.bodies.mast import SURFACE_MM, Mast
from controller.bodies.raster import FINER, Eye, Image, Painted, picture
from controller.bodies.sizes import FOOT_MM
from controller.bodies.solids import tube
from controller.bodies.wanted import Wanted, wanted
from engine.draw.palette import TILES, mixed, paints
from engine.game import AnyGame
from vision.board import PhysicalBoard

if TYPE_CHECKING:
    from PIL.Image import Image as Labelled

FLOOR, INK, FAINT = "#e9edf3", "#1b2330", "#5b6778"
# How far a piece is turned so that it shows what it does: its front comes to the viewer's side.
SHOWN_DEGREES: Mapping[str, float] = {"deflector": -22, "switch": -22, "king": 205, "block": 205}
FRONT_DEGREES = 214.0
APART, ROWS_APART = 1.55, 4.2  # in cells
MOST_IN_A_ROW = 4
BESIDE_SHADOW = 0.61  # of the width of a picture of one piece
Spot = tuple[float, float]
Leader = tuple[Spot, Spot]  # from a part to its words
Label = tuple[float, float, str, int, str]  # where it is centred, the words, their size, colour


def whole_set(game: AnyGame, board: PhysicalBoard, meshes: Meshes) -> Labelled:
    """One piece of each kind, a row for each player, with its name and how many are needed."""
    needed = wanted(game)
    colours = paints(game.players)
    kinds = list(dict.fromkeys(each.kind for each in needed))
    one_row = len(kinds) * len(game.players) <= MOST_IN_A_ROW
    columns = len(needed) if one_row else len(kinds)
    step = board.cell_mm * APART
    things: list[Painted] = []
    spots: list[tuple[tuple[float, float, float], Wanted]] = []
    for number, each in enumerate(needed):
        place = number if one_row else kinds.index(each.kind)
        x = (place - (columns - 1) / 2) * step
        y = 0.0 if one_row else (0.5 - each.owner) * board.cell_mm * ROWS_APART
        turn = SHOWN_DEGREES.get(each.body, FRONT_DEGREES)
        made = piece(each, each.tags[0], board, colours[each.owner], meshes)
        things += placed(made, x, y, turn)
        spots.append(((x, y - board.cell_mm * 0.8, 0.0), each))
    column = 300 if one_row else 230  # pixels
    width, height = column * columns, int(column * (1.35 if one_row else 2.65))
    far = board.cell_mm * 30
    eye = Eye(
        (0, -far, far * 0.46),
        (0, -board.cell_mm * 0.3, board.cap_height_mm * 0.25),
        focal=1.0 * far / (columns * step),
    )
    labels: list[Label] = []
    for at, each in spots:
        px, py = _pixel(eye, at, width, height)
        count = f"{each.count} for {each.player}"
        labels += [(px, py, each.kind, 23, INK), (px, py + 23, count, 17, FAINT)]
    return _labelled(picture(things, eye, width, height, FLOOR), labels)


def exploded(each: Wanted, game: AnyGame, board: PhysicalBoard, meshes: Meshes) -> Labelled:
    """Body, tray and paper above each other."""
    paint = paints(game.players)[each.owner]
    things = placed(
        piece(each, each.tags[0], board, paint, meshes, lift=16.0),
        0,
        0,
        SHOWN_DEGREES.get(each.body, FRONT_DEGREES),
    )
    width, height = 900, 540
    far = board.cell_mm * 7
    eye = Eye((0, -far, far * 0.5), (board.cell_mm * 0.72, 0, 32), focal=1.9)
    body, *_, tray, paper, _ = things
    labels: list[Label] = []
    leaders: list[Leader] = []
    for part, above, text in (
        (paper, 0.0, "the tag, cut out, glued into the seat"),
        (tray, 0.0, "the tray: the arrow shows the front"),
        (body, FOOT_MM + 0.1, "the body, glued to the tray"),
    ):
        px, py = _right_edge(eye, part, above, width, height)
        labels.append((width * BESIDE_SHADOW, py, text, 18, INK))
        leaders.append(((px, py), (width * BESIDE_SHADOW - 12, py)))
    drawn = picture(things, eye, width, height, FLOOR)
    return _labelled(drawn, labels, leaders, centred=False)


def mast_in_use(
    game: AnyGame, board: PhysicalBoard, mast: Mast, meshes: Meshes, camera: str
) -> Labelled:
    """The mast behind a board that is set up, with what the camera sees."""
    things = board_slab(board, SURFACE_MM, (mixed(TILES[0], "#ffffff", 0.25), TILES[1]))
    colours = paints(game.players)
    position = game.start()
    playing = board.playing(position.grid)
    kinds = {(each.owner, each.kind): each for each in wanted(game)}
    used: dict[Wanted, int] = {}
    for cell, stands in sorted(position.pieces.items()):
        each = kinds[stands.owner, stands.kind]
        tag = each.tags[used.get(each, 0)]
        used[each] = used.get(each, 0) + 1
        turns = stands.orientation - game.tags[tag].orientation
        x, y = playing.centre_mm(cell)
        made = piece(each, tag, board, colours[stands.owner], meshes)
        things += raised(
            placed(
                made,
                x - board.size_mm[0] / 2,
                board.size_mm[1] / 2 - y,
                position.grid.degrees(turns),
            ),
            SURFACE_MM,
        )
    things += standing_mast(mast, board, meshes)
    lens = (0.0, 0.0, SURFACE_MM + mast.height_mm)
    for x, y in board.corner_tags_mm():
        corner = (x - board.size_mm[0] / 2, board.size_mm[1] / 2 - y, SURFACE_MM)
        things.append(Painted(tube(lens, corner, 1.6, sides=6), "#ff5548"))
    width, height = 900, 900
    eye = Eye((900, -1500, 950), (30, 90, mast.height_mm * 0.54), focal=1.62)
    labels: list[Label] = []
    for at, text in (
        (
            (-230, 0, SURFACE_MM + mast.height_mm + 10),
            f"camera {camera}: {mast.height_mm:.0f} mm up",
        ),
        ((140, mast.reach_mm, 420), f"tube {mast.upright_mm:.0f} mm"),
        ((0, mast.reach_mm * 0.5, mast.upright_mm + 90), f"tube {mast.arm_mm:.0f} mm"),
    ):
        px, py = _pixel(eye, at, width, height)
        labels.append((px, py, text, 20, INK))
    return _labelled(picture(things, eye, width, height, FLOOR), labels)


def _pixel(
    eye: Eye, at: tuple[float, float, float], width: int, height: int
) -> tuple[float, float]:
    import numpy as np

    x, y, _ = eye.project(np.array([at], np.float64), width * FINER, height * FINER)[0] / FINER
    return float(x), float(y)


def _right_edge(eye: Eye, part: Painted, above: float, width: int, height: int) -> Spot:
    """The middle of what is farthest right in the picture, of all that is so high at least."""
    import numpy as np

    corners = part.mesh.reshape(-1, 3)
    seen = eye.project(corners[corners[:, 2] > above], width * FINER, height * FINER) / FINER
    x = float(seen[:, 0].max())
    return x, float(np.mean(seen[seen[:, 0] > x - 2, 1]))


def _labelled(
    image: Image, labels: list[Label], leaders: Sequence[Leader] = (), centred: bool = True
) -> Labelled:
    from PIL import Image as Pictures
    from PIL import ImageDraw, ImageFont

    drawn = Pictures.fromarray(image)
    pen = ImageDraw.Draw(drawn)
    for (x, y), end in leaders:
        pen.line(((x + 4, y), end), fill=INK, width=1)
        pen.ellipse((x + 1, y - 3, x + 7, y + 3), fill=INK)
    for x, y, words, size, colour in labels:
        font = ImageFont.load_default(size)
        pen.text((x, y), words, fill=colour, font=font, anchor="ma" if centred else "lm")
    return drawn
