"""Draws the pictures of the build guide: each game's pieces, one piece exploded, the mast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from controller.builder import paper_sentences as sentences
from controller.builder.bodies.assembly import (
    MeshesByPath,
    board_meshes,
    mast_meshes,
    piece_meshes,
    place_meshes,
)
from controller.builder.bodies.dimensions import FOOT_MM
from controller.builder.bodies.mast import BOARD_SURFACE_MM, Mast
from controller.builder.bodies.piece_list import PieceSet, list_piece_sets
from controller.builder.bodies.rasterizer import (
    ColouredMesh,
    Image,
    RenderCamera,
    render_image,
)
from controller.builder.bodies.solids import tube
from engine.draw.palette import TILES, mix_colours, player_paints
from engine.game import AnyGame
from vision.board import PhysicalBoard

if TYPE_CHECKING:
    from PIL.Image import Image as Labelled

FLOOR, INK, FAINT = "#e9edf3", "#1b2330", "#5b6778"
# Turns the mirror or the front of a piece towards the viewer.
DISPLAY_DEGREES: Mapping[str, float] = {"deflector": -22, "switch": -22, "king": 205, "block": 205}
FRONT_DEGREES = 214.0
COLUMN_PITCH_CELLS, ROW_PITCH_CELLS = 1.55, 4.2
MAX_PIECES_PER_ROW = 4
LABEL_X_SHARE = 0.61  # where labels begin, as a share of the picture's width
PixelPosition = tuple[float, float]
LeaderLine = tuple[PixelPosition, PixelPosition]  # from a part to its label
Label = tuple[float, float, str, int, str]  # x, y, text, font size, colour


def draw_piece_set(game: AnyGame, board: PhysicalBoard, meshes: MeshesByPath) -> Labelled:
    """One piece of each kind and player, with its name and quantity."""
    needed = list_piece_sets(game)
    colours = player_paints(game.players)
    kinds = list(dict.fromkeys(each.kind for each in needed))
    one_row = len(kinds) * len(game.players) <= MAX_PIECES_PER_ROW
    columns = len(needed) if one_row else len(kinds)
    step = board.cell_mm * COLUMN_PITCH_CELLS
    scene: list[ColouredMesh] = []
    label_positions: list[tuple[tuple[float, float, float], PieceSet]] = []
    for number, each in enumerate(needed):
        column_index = number if one_row else kinds.index(each.kind)
        x = (column_index - (columns - 1) / 2) * step
        y = 0.0 if one_row else (0.5 - each.owner) * board.cell_mm * ROW_PITCH_CELLS
        degrees = DISPLAY_DEGREES.get(each.body, FRONT_DEGREES)
        piece = piece_meshes(each, each.tags[0], board, colours[each.owner], meshes)
        scene += place_meshes(piece, x, y, degrees)
        label_positions.append(((x, y - board.cell_mm * 0.8, 0.0), each))
    column_px = 300 if one_row else 230
    width, height = column_px * columns, int(column_px * (1.35 if one_row else 2.65))
    distance = board.cell_mm * 30
    camera = RenderCamera(
        (0, -distance, distance * 0.46),
        (0, -board.cell_mm * 0.3, board.cap_height_mm * 0.25),
        focal=1.0 * distance / (columns * step),
    )
    labels: list[Label] = []
    for at, each in label_positions:
        px, py = _pixel(camera, at, width, height)
        count = str(sentences.PIECES_FOR(count=each.count, player=each.player))
        labels += [(px, py, each.kind, 23, INK), (px, py + 23, count, 17, FAINT)]
    return _add_labels(render_image(scene, camera, width, height, FLOOR), labels)


def draw_exploded_piece(
    each: PieceSet, game: AnyGame, board: PhysicalBoard, meshes: MeshesByPath
) -> Labelled:
    """Body, tray and paper above each other, with labels."""
    paint = player_paints(game.players)[each.owner]
    scene = place_meshes(
        piece_meshes(each, each.tags[0], board, paint, meshes, lift=16.0),
        0,
        0,
        DISPLAY_DEGREES.get(each.body, FRONT_DEGREES),
    )
    width, height = 900, 540
    distance = board.cell_mm * 7
    camera = RenderCamera((0, -distance, distance * 0.5), (board.cell_mm * 0.72, 0, 32), focal=1.9)
    body, *_, tray, paper, _ = scene
    labels: list[Label] = []
    leaders: list[LeaderLine] = []
    for part, above, text in (
        (paper, 0.0, sentences.TAG_IN_SEAT()),
        (tray, 0.0, sentences.TRAY_WITH_ARROW()),
        (body, FOOT_MM + 0.1, sentences.BODY_ON_TRAY()),
    ):
        px, py = _right_edge(camera, part, above, width, height)
        labels.append((width * LABEL_X_SHARE, py, str(text), 18, INK))
        leaders.append(((px, py), (width * LABEL_X_SHARE - 12, py)))
    image = render_image(scene, camera, width, height, FLOOR)
    return _add_labels(image, labels, leaders, centred=False)


def draw_mast(
    game: AnyGame, board: PhysicalBoard, mast: Mast, meshes: MeshesByPath, camera_name: str
) -> Labelled:
    """The mast behind a board in its starting position, with the camera's field of view."""
    scene = board_meshes(
        board, BOARD_SURFACE_MM, (mix_colours(TILES[0], "#ffffff", 0.25), TILES[1])
    )
    colours = player_paints(game.players)
    position = game.start()
    playing = board.with_grid(position.grid)
    kinds = {(each.owner, each.kind): each for each in list_piece_sets(game)}
    used: dict[PieceSet, int] = {}
    for cell, piece in sorted(position.pieces.items()):
        each = kinds[piece.owner, piece.kind]
        tag = each.tags[used.get(each, 0)]
        used[each] = used.get(each, 0) + 1
        turns = piece.orientation - game.tags[tag].orientation
        x, y = playing.centre_mm(cell)
        scene += place_meshes(
            piece_meshes(each, tag, board, colours[piece.owner], meshes),
            x - board.size_mm[0] / 2,
            board.size_mm[1] / 2 - y,
            position.grid.degrees(turns),
            BOARD_SURFACE_MM,
        )
    scene += mast_meshes(mast, board, meshes)
    lens = (0.0, 0.0, BOARD_SURFACE_MM + mast.lens_height_mm)
    for x, y in board.corner_tags_mm():
        corner = (x - board.size_mm[0] / 2, board.size_mm[1] / 2 - y, BOARD_SURFACE_MM)
        scene.append(ColouredMesh(tube(lens, corner, 1.6, sides=6), "#ff5548"))
    width, height = 900, 900
    camera = RenderCamera((900, -1500, 950), (30, 90, mast.lens_height_mm * 0.54), focal=1.62)
    labels: list[Label] = []
    for at, text in (
        (
            (-230, 0, BOARD_SURFACE_MM + mast.lens_height_mm + 10),
            sentences.CAMERA_HEIGHT(camera=camera_name, height_mm=f"{mast.lens_height_mm:.0f}"),
        ),
        ((140, mast.reach_mm, 420), sentences.TUBE_LENGTH(length_mm=f"{mast.upright_mm:.0f}")),
        (
            (0, mast.reach_mm * 0.5, mast.upright_mm + 90),
            sentences.TUBE_LENGTH(length_mm=f"{mast.arm_mm:.0f}"),
        ),
    ):
        px, py = _pixel(camera, at, width, height)
        labels.append((px, py, str(text), 20, INK))
    return _add_labels(render_image(scene, camera, width, height, FLOOR), labels)


def _pixel(
    camera: RenderCamera, at: tuple[float, float, float], width: int, height: int
) -> PixelPosition:
    x, y, _ = camera.project(np.array([at], np.float64), width, height)[0]
    return float(x), float(y)


def _right_edge(
    camera: RenderCamera, part: ColouredMesh, above: float, width: int, height: int
) -> PixelPosition:
    """The rightmost point of a part in the picture, of all its corners higher than `above`."""
    corners = part.mesh.reshape(-1, 3)
    pixels = camera.project(corners[corners[:, 2] > above], width, height)
    x = float(pixels[:, 0].max())
    return x, float(np.mean(pixels[pixels[:, 0] > x - 2, 1]))


def _add_labels(
    image: Image, labels: list[Label], leaders: Sequence[LeaderLine] = (), centred: bool = True
) -> Labelled:
    from PIL import Image as Pictures
    from PIL import ImageDraw, ImageFont

    picture = Pictures.fromarray(image)
    pen = ImageDraw.Draw(picture)
    for (x, y), end in leaders:
        pen.line(((x + 4, y), end), fill=INK, width=1)
        pen.ellipse((x + 1, y - 3, x + 7, y + 3), fill=INK)
    for x, y, text, size, colour in labels:
        font = ImageFont.load_default(size)
        pen.text((x, y), text, fill=colour, font=font, anchor="ma" if centred else "lm")
    return picture
