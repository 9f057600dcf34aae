"""All the tags that games on a board need, each on its cap, on as few sheets as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.bodies.outlines import cap_outline
from controller.bodies.sizes import AROUND_CAP_MM
from controller.sheets.caps import Cap, cap
from controller.sheets.marks import ruler
from controller.sheets.page import GREY, Page, Paper, page, words
from engine.draw import pieces as glyphs
from engine.draw.palette import Form, Paint, paints, tones
from engine.errors import LaserboardError
from engine.game import AnyGame, Piece
from vision import tags
from vision.board import PhysicalBoard
from vision.scene.bodies import Outline

HEAD_MM = 12.0
FOOT_MM = 12.0
GAP_MM = 2.0
WIDEST_GAP_MM = 6.0
TAB_MM = 3.0
LOWEST_BODY_MM = 8.0  # a lower piece has no body that could show what it is


class TooLarge(LaserboardError, ValueError):
    """Something that does not fit on the paper."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A cap on a sheet; x and y are the middle of its tag."""

    cap: Cap
    x: float
    y: float


def tag_pages(
    board: PhysicalBoard, games: Sequence[AnyGame], paper: Paper, spares: int = 0
) -> list[Page]:
    """The sheets, with a title, a ruler, and how to cut them."""
    sheets = arranged(caps(board, games, spares), paper)
    titles = " and ".join(game.title for game in games)
    left, right = paper.margin_mm, paper.width_mm - paper.margin_mm
    front = "The tab is the front" if _tab_mm(board) else "The arrow is the front"
    drawn = []
    for number, sheet in enumerate(sheets, start=1):
        parts = [
            words(f"Tags for {titles}", left, left + 4.5, 5, bold=True),
            words(f"{board.name}, page {number} of {len(sheets)}", right, left + 4.5, 3.2,
                  anchor="end"),
            words(f"Print at 100 % on white, matte paper. Cut along the coloured lines. {front}: "
                  "it points where the piece points.", left, left + 9, 2.8, fill=GREY),
            *(cap(each.cap, each.x, each.y) for each in sheet),
            ruler(left, paper.height_mm - left - 7),
        ]  # fmt: skip
        drawn.append(page(paper, parts))
    return drawn


def caps(board: PhysicalBoard, games: Sequence[AnyGame], spares: int = 0) -> list[Cap]:
    """The caps in the order in which they are printed: a side, the other, corners, spares."""
    wanted = sorted(
        {number for game in games for number in _needed(game)},
        key=lambda number: (list(Form).index(_paint(number, games).form), number),
    )
    stand_ins = dict(board.spares)
    found = [_piece_cap(number, number, board, games) for number in wanted]
    found += _corner_caps(board)
    for number in tags.SPARES[:spares]:
        stands_for = stand_ins.get(number)
        if stands_for is not None and _meanings(stands_for, games):
            found.append(_piece_cap(number, stands_for, board, games))
        else:
            found.append(Cap(number, f"Spare {number}", board.tag_mm, board.cap_mm))
    return found


def arranged(wanted: Sequence[Cap], paper: Paper) -> list[list[Placed]]:
    """Rows from the top, as many in each and on each sheet as there is room for."""
    room_x = paper.width_mm - 2 * paper.margin_mm
    room_y = paper.height_mm - 2 * paper.margin_mm - HEAD_MM - FOOT_MM
    tallest = max(each.height_mm for each in wanted)
    widest = max(each.width_mm for each in wanted)
    columns = int((room_x + GAP_MM) // (widest + GAP_MM))
    rows = int((room_y + GAP_MM) // (tallest + GAP_MM))
    if columns < 1 or rows < 1:
        raise TooLarge(f"a cap of {widest:g} mm does not fit on {paper.name}: take larger paper")
    gap_x = _gap(room_x, columns, widest)
    gap_y = _gap(room_y, rows, tallest)
    left = (paper.width_mm - columns * widest - (columns - 1) * gap_x) / 2
    top = paper.margin_mm + HEAD_MM
    sheets = []
    for start in range(0, len(wanted), columns * rows):
        sheet = []
        for index, each in enumerate(wanted[start : start + columns * rows]):
            row, column = divmod(index, columns)
            x = left + column * (widest + gap_x) + widest / 2
            bottom = top + row * (tallest + gap_y) + tallest
            sheet.append(Placed(each, x, bottom - each.width_mm / 2))
        sheets.append(sheet)
    return sheets


def _gap(room: float, count: int, size: float) -> float:
    return min(WIDEST_GAP_MM, (room - count * size) / max(1, count - 1))


def _needed(game: AnyGame) -> Iterator[int]:
    """The first tags of each kind, as many as any start of the game has pieces of it."""
    most: Counter[tuple[str, int]] = Counter()
    for setup in game.setups() or (None,):
        position = game.start(setup)
        most |= Counter((piece.kind, piece.owner) for piece in position.pieces.values())
    for number, piece in sorted(game.tags.items()):
        if most[piece.kind, piece.owner] > 0:
            most[piece.kind, piece.owner] -= 1
            yield number


def _meanings(number: int, games: Sequence[AnyGame]) -> list[tuple[AnyGame, Piece]]:
    return [(game, game.tags[number]) for game in games if number in game.tags]


def _side(game: AnyGame, piece: Piece) -> str:
    return game.players[piece.owner]


def _paint(number: int, games: Sequence[AnyGame]) -> Paint:
    """The colours and the shape of the side that the tag belongs to."""
    game, piece = _meanings(number, games)[0]
    return paints(game.players)[piece.owner]


def _piece_cap(number: int, stands_for: int, board: PhysicalBoard, games: Sequence[AnyGame]) -> Cap:
    meant = _meanings(stands_for, games)
    game, piece = meant[0]
    paint = _paint(stands_for, games)
    glyph = glyphs.draw(
        piece,
        game.letters[piece.kind],
        tones(paint),
        degrees=board.grid.degrees(piece.orientation),
        headings=board.grid.headings,
    )
    name = f"{_name(meant)} {number}"
    if number != stands_for:
        name += f" for {stands_for}"
    tab = _tab_mm(board)
    seat: Outline = ()
    if board.grid.headings == 6 and not tab:  # a square cap does not fit on a hexagon's body
        seat = cap_outline(board, paint.form, AROUND_CAP_MM)
    return Cap(number, name, board.tag_mm, board.cap_mm, tab, paint, glyph, seat)


def _name(meant: Sequence[tuple[AnyGame, Piece]]) -> str:
    """`Red deflector`, or what it is in each of several games: `Red deflector, mirror`."""
    kinds: dict[str, list[str]] = {}
    for game, piece in meant:
        known = kinds.setdefault(_side(game, piece), [])
        if piece.kind not in known:
            known.append(piece.kind)
    return "; ".join(f"{side} {', '.join(of)}" for side, of in kinds.items()).capitalize()


def _tab_mm(board: PhysicalBoard) -> float:
    """Flat pieces show what they are on a tab that fits between them."""
    if board.cap_height_mm >= LOWEST_BODY_MM:
        return 0.0
    return max(0.0, min(TAB_MM, (board.cell_mm - board.cap_mm) / 2))


def _corner_caps(board: PhysicalBoard) -> list[Cap]:
    width = board.corner_mm * board.cap_mm / board.tag_mm
    return [
        Cap(number, f"Corner {number}: at {beside}", board.corner_mm, width)
        for number, beside in zip(tags.CORNERS, board.corner_cells(), strict=True)
    ]
