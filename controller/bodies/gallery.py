"""The guide's pictures as files, each drawn only when what it shows has changed.

A picture carries a digest of all that it was made of, so that a file knows whether it is old.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.bodies.mesh import Triangles
from controller.bodies.parts import Group, Part, mast_parts, piece_parts
from controller.config import load_board, shipped_boards
from engine import games
from engine.game import AnyGame
from vision.board import DoesNotFit, PhysicalBoard

if TYPE_CHECKING:
    from PIL.Image import Image

MADE_OF = "made-of"
COLOURS = 256
SOURCES = Path(__file__).parent
SHAPES = SOURCES.parents[1] / "hardware" / "bodies"
DRAWERS = ("assembled", "gallery", "mesh", "outlines", "pictures", "raster", "solids")
Rendered = dict[str, Triangles]
MAST_CAMERA = "v2"


@dataclass(frozen=True)
class Plate:
    """A picture: its file, the parts that it shows, and how it is drawn from them."""

    name: str
    parts: tuple[Part, ...]
    draw: Callable[[Rendered], Image]

    def digest(self) -> str:
        """Of everything that decides how it looks."""
        total = hashlib.sha256(repr([(part.path, part.values) for part in self.parts]).encode())
        drawers = [SOURCES / f"{name}.py" for name in DRAWERS]
        for source in (*sorted(SHAPES.glob("*.scad")), *drawers):
            total.update(source.read_bytes())
        return total.hexdigest()[:16]


def plates() -> Iterator[Plate]:
    from controller.bodies import pictures
    from controller.bodies.mast import camera_named, mast
    from controller.bodies.wanted import wanted

    for name in games.GAMES:
        game = games.make(name)
        board = board_for(game)

        def whole(m: Rendered, game: AnyGame = game, board: PhysicalBoard = board) -> Image:
            return pictures.whole_set(game, board, m)

        yield Plate(f"pieces-{name}.png", tuple(piece_parts(board)), whole)
    game = games.make()
    board = board_for(game)
    pieces = tuple(piece_parts(board))
    mirrored = next(each for each in wanted(game) if each.body in pictures.SHOWN_DEGREES)
    yield Plate(
        "putting-together.png", pieces, lambda m: pictures.exploded(mirrored, game, board, m)
    )
    tubes = mast(board, camera_named(MAST_CAMERA))
    yield Plate(
        "mast.png",
        (*pieces, *mast_parts()),
        lambda m: pictures.mast_in_use(game, board, tubes, m, MAST_CAMERA),
    )


def board_for(game: AnyGame) -> PhysicalBoard:
    """The first shipped board with bodies that has room for the game."""
    for name in shipped_boards():
        board = load_board(name)
        try:
            board.playing(game.start().grid)
        except DoesNotFit:
            continue
        if board.cap_height_mm:
            return board
    raise DoesNotFit(f"no shipped board has room for {game.title}")


def digest_of(path: Path) -> str | None:
    """What a picture says that it was made of."""
    from PIL import Image as Pictures

    if not path.exists():
        return None
    with Pictures.open(path) as kept:
        return kept.info.get(MADE_OF)


def save(image: Image, path: Path, digest: str) -> None:
    from PIL.PngImagePlugin import PngInfo

    about = PngInfo()
    about.add_text(MADE_OF, digest)
    image.quantize(COLOURS).save(path, pnginfo=about, optimize=True)


def needed_parts(due: Sequence[Plate]) -> list[Part]:
    """Each part once, pieces of different boards apart."""
    unique = {(part.path, part.values): part for plate in due for part in plate.parts}
    return sorted(unique.values(), key=lambda part: (part.group is not Group.PIECES, part.path))
