"""The guide's pictures in `hardware/pictures/`: the parts that each shows, and its digest.

A PNG stores a digest of its geometry; `laserboard bodies pictures` draws only outdated files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.builder import paper_sentences as sentences
from controller.builder.bodies.mesh import Triangles
from controller.builder.bodies.openscad import SCAD_FOLDER, scad_code
from controller.builder.bodies.parts import PartGroup, PrintedPart, mast_parts, piece_parts
from controller.config.board_file import load_board, shipped_boards
from engine import games
from engine.game import AnyGame
from vision.board import BoardDoesNotFit, PhysicalBoard

if TYPE_CHECKING:
    from PIL.Image import Image

DIGEST_KEY = "made-of"
DRAWING_REVISION = 1  # increase it when a change of the drawing code changes the pictures
PALETTE_SIZE = 256
RenderedParts = dict[str, Triangles]
MAST_CAMERA = "v2"


@dataclass(frozen=True)
class GuideImage:
    """One picture: its file name, the parts that it shows, and the function that draws it."""

    name: str
    parts: tuple[PrintedPart, ...]
    draw: Callable[[RenderedParts], Image]

    def digest(self) -> str:
        """Hash of the parts' variables and of the OpenSCAD code without comments."""
        geometry = [(part.path, part.variables) for part in self.parts]
        total = hashlib.sha256(repr((DRAWING_REVISION, geometry)).encode())
        for source in sorted(SCAD_FOLDER.glob("*.scad")):
            total.update(scad_code(source.read_text("utf-8")).encode())
        return total.hexdigest()[:16]


def guide_images() -> Iterator[GuideImage]:
    from controller.builder.bodies import guide_pictures
    from controller.builder.bodies.mast import compute_mast, find_camera_optics
    from controller.builder.bodies.piece_list import list_piece_sets

    for name in games.GAMES:
        game = games.make(name)
        board = shipped_board_for(game)

        def draw(m: RenderedParts, game: AnyGame = game, board: PhysicalBoard = board) -> Image:
            return guide_pictures.draw_piece_set(game, board, m)

        yield GuideImage(f"pieces-{name}.png", tuple(piece_parts(board)), draw)
    game = games.make()
    board = shipped_board_for(game)
    pieces = tuple(piece_parts(board))
    mirrored = next(
        each for each in list_piece_sets(game) if each.body in guide_pictures.DISPLAY_DEGREES
    )
    yield GuideImage(
        "putting-together.png",
        pieces,
        lambda m: guide_pictures.draw_exploded_piece(mirrored, game, board, m),
    )
    tubes = compute_mast(board, find_camera_optics(MAST_CAMERA))
    yield GuideImage(
        "mast.png",
        (*pieces, *mast_parts()),
        lambda m: guide_pictures.draw_mast(game, board, tubes, m, MAST_CAMERA),
    )


def shipped_board_for(game: AnyGame) -> PhysicalBoard:
    """The first shipped board with bodies that has room for the game."""
    for name in shipped_boards():
        board = load_board(name)
        try:
            board.with_grid(game.start().grid)
        except BoardDoesNotFit:
            continue
        if board.cap_height_mm:
            return board
    raise BoardDoesNotFit(sentences.NO_BOARD_FOR_GAME(game=game.title))


def read_digest(path: Path) -> str | None:
    """The digest stored in a PNG file; None if the file is missing."""
    from PIL import Image as Pictures

    if not path.exists():
        return None
    with Pictures.open(path) as stored:
        return stored.info.get(DIGEST_KEY)


def save_image(image: Image, path: Path, digest: str) -> None:
    from PIL.PngImagePlugin import PngInfo

    metadata = PngInfo()
    metadata.add_text(DIGEST_KEY, digest)
    image.quantize(PALETTE_SIZE).save(path, pnginfo=metadata, optimize=True)


def unique_parts(due: Sequence[GuideImage]) -> list[PrintedPart]:
    """The parts of several pictures, each once; a piece of another board is another part."""
    unique = {(part.path, part.variables): part for plate in due for part in plate.parts}
    return sorted(unique.values(), key=lambda part: (part.group is not PartGroup.PIECES, part.path))
