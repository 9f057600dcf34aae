"""Positions, beams and turns as text for a terminal: pure text comes back, nothing is printed.

A square is five columns wide and two rows high, a hexagon four by two, so every board of ours
fits 80 x 25. A piece is its letter (a capital for the first player) and a sign for the way it
faces. Without colour the text holds no escape codes at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby

from engine.beam import Beam, Step, What
from engine.draw import palette
from engine.draw.palette import Paint, mixed, paints, rgb, tones
from engine.draw.pieces import facing
from engine.game import AnyGame, AnyTurn, Mark, Piece, Position
from engine.grid import Cell, Grid, Heading, opposite

# The way a piece faces, by its orientation. Any other kind shows an arrow.
FACES: Mapping[str, str] = {
    "laser": "▲▶▼◀",
    "shooter": "▲▶▼◀",
    "deflector": "◥◢◣◤",  # the body of the prism: its long side is the mirror
    "mirror": "◣◤◥◢",
    "defender": "▀▐▄▌",  # the shield
    "switch": "╲╱╲╱",
    "king": "♚♚♚♚",
    "block": "■■■■",
}
COUNTED = frozenset({"block"})  # kinds that show their hit points beside the sign
LISTED = frozenset({"ship"})  # kinds whose hit points stand below the board
ARROWS = "↑↗→↘↓↙←↖"
CAPTURED, DAMAGED, STOPPED, MET = "✸✶×✕"
EMPTY: Mapping[Mark | None, str] = {
    None: "·",
    Mark.FIRST_ONLY: "•",
    Mark.SECOND_ONLY: "◦",
    Mark.FIRST_LASER: "+",
    Mark.SECOND_LASER: "+",
    Mark.LAND: "·",
    Mark.VOID: "⋆",
    Mark.MOUNTAIN: "▲",
}
Place = tuple[int, int]  # row, column


def picture(
    game: AnyGame,
    position: Position,
    beams: Sequence[Beam] = (),
    *,
    colour: bool,
    highlight: Collection[Cell] = (),
) -> str:
    """The board as lines of text, all of the same width; `highlight` are cells to point out."""
    sheet = _Sheet(position.grid, paints(game.players))
    sheet.ground(game.marks(position), highlight if colour else ())
    sheet.coordinates()
    sheet.beams(beams)
    for cell, piece in facing(position.pieces, beams).items():
        sheet.piece(cell, piece, _letter(game, piece))
    for beam in beams:
        sheet.ending(beam, on_piece=beam.end.cell in position.pieces)
    if not colour:
        for cell in highlight:
            sheet.brackets(cell)
    sheet.legend(_legend(game, position))
    return sheet.text(colour=colour)


def seen_picture(
    game: AnyGame,
    grid: Grid,
    pieces: Mapping[Cell, Piece],
    covered: Collection[Cell],
    *,
    colour: bool,
) -> str:
    """What a camera read, be it a position or not; a question mark is on what it cannot see."""
    sheet = _Sheet(grid, paints(game.players))
    sheet.ground({}, covered if colour else ())
    sheet.coordinates()
    for cell in covered:
        sheet.put(sheet.middle(cell), "?", palette.PAPER)
    for cell, piece in pieces.items():
        sheet.piece(cell, piece, _letter(game, piece))
    return sheet.text(colour=colour)


def beam_frames(game: AnyGame, turn: AnyTurn, *, colour: bool) -> Iterator[str]:
    """A turn as a film: its beams grow by a cell a picture, what they hit flashes, then the
    position after. How fast is up to whoever shows it."""
    longest = max((len(beam.steps) for beam in turn.beams), default=0)
    for length in range(1, longest + 1):
        grown = [replace(beam, steps=beam.steps[:length]) for beam in turn.beams]
        yield picture(game, turn.aimed, grown, colour=colour)
    hit = [loss.cell for loss in turn.losses]
    if hit:
        yield picture(game, turn.aimed, turn.beams, colour=colour, highlight=hit)
        yield picture(game, turn.aimed, turn.beams, colour=colour)
    yield picture(game, turn.after, colour=colour)


def _letter(game: AnyGame, piece: Piece) -> str:
    letter = game.letters.get(piece.kind, piece.kind[:1] or "?")
    return letter.lower() if piece.owner else letter.upper()


def _face(grid: Grid, piece: Piece) -> str:
    signs = FACES.get(piece.kind, "")
    if piece.orientation < len(signs) == grid.headings:
        return signs[piece.orientation]
    return _arrow(grid, piece.orientation)


def _arrow(grid: Grid, heading: Heading) -> str:
    return ARROWS[round(grid.degrees(heading) / 45) % 8]


def _legend(game: AnyGame, position: Position) -> list[str]:
    """Who is who, and the hit points that have no room on the board."""
    return [
        f"{name}: {'small letters' if owner else 'CAPITALS'}"
        + "".join(
            f", {_letter(game, piece)} {piece.hit_points:>3} hp"
            for _, piece in sorted(position.pieces.items())
            if piece.owner == owner and piece.kind in LISTED
        )
        for owner, name in enumerate(game.players)
    ]


# -- the sheet ---------------------------------------------------------------------------------

_HIGHLIGHT, _HIT, _DIM = "#6e5b16", "#7a2d0c", "#5b6882"
_GROUNDS: Mapping[Mark | None, str] = {
    Mark.LAND: palette.LAND,
    Mark.VOID: palette.VOID,
    Mark.MOUNTAIN: "#5b5963",
}
_OWNERS: Mapping[Mark | None, int] = {
    Mark.FIRST_ONLY: 0,
    Mark.FIRST_LASER: 0,
    Mark.SECOND_ONLY: 1,
    Mark.SECOND_LASER: 1,
}
# By the sides of the character that are joined, in degrees.
_BOX = {
    frozenset(arms): sign
    for sign, arms in {
        "│": (0, 180), "─": (90, 270), "└": (0, 90), "┌": (90, 180), "┐": (180, 270),
        "┘": (0, 270), "├": (0, 90, 180), "┬": (90, 180, 270), "┤": (0, 180, 270),
        "┴": (0, 90, 270), "┼": (0, 90, 180, 270), "╵": (0,), "╶": (90,), "╷": (180,),
        "╴": (270,),
    }.items()
}  # fmt: skip
_SLANTS = {frozenset({30}): "╱", frozenset({90}): "─", frozenset({150}): "╲",
           frozenset({30, 150}): "╳"}  # fmt: skip
_HEAVY = str.maketrans("│─└┌┐┘├┬┤┴┼╵╶╷╴", "┃━┗┏┓┛┣┳┫┻╋╹╺╻╸")


@dataclass(slots=True)
class _Glyph:
    sign: str
    ink: str
    ground: str | None = None  # None: that of its cell
    bold: bool = False


@dataclass(slots=True)
class _Sheet:
    """Characters by row and column; the middle of every cell is one of them."""

    grid: Grid
    sides: Sequence[Paint]
    glyphs: dict[Place, _Glyph] = field(default_factory=dict)
    grounds: dict[Place, str] = field(default_factory=dict)

    # -- where things are ----------------------------------------------------------------------

    @property
    def pitch(self) -> int:
        """Columns from one cell to the next: even for hexagons, so that slants meet."""
        return 5 if self.grid.headings == 4 else 4

    def middle(self, cell: Cell) -> Place:
        x, y = self.grid.centre(cell)
        if self.grid.headings == 4:
            return 2 * int(y), self.pitch * int(x) + 2
        return 2 * round(y / 0.8660254), round(self.pitch * x)  # rows lie sqrt(3)/2 apart

    def columns(self, cell: Cell) -> range:
        _, column = self.middle(cell)
        return range(column - 2, column - 2 + self.pitch)

    def towards(self, cell: Cell, heading: Heading, steps: int) -> Place:
        """The place `steps` characters away; a slant takes a row and a column a step."""
        row, column = self.middle(cell)
        degrees = round(self.grid.degrees(heading)) % 360
        down = 0 if degrees in (90, 270) else 1 if 90 < degrees < 270 else -1
        right = 0 if degrees in (0, 180) else 1 if degrees < 180 else -1
        return row + steps * down, column + steps * right

    def reach(self, heading: Heading) -> int:
        """How many characters it is to the next middle that way."""
        return self.pitch if round(self.grid.degrees(heading)) % 180 == 90 else 2

    # -- the board -----------------------------------------------------------------------------

    def put(self, at: Place, sign: str, ink: str = palette.INK, ground: str | None = None, *,
            bold: bool = False) -> None:  # fmt: skip
        self.glyphs[at] = _Glyph(sign, ink, ground, bold)

    def ground(self, marks: Mapping[Cell, Mark], highlight: Collection[Cell]) -> None:
        for cell in range(self.grid.size):
            mark = marks.get(cell)
            row, column = self.middle(cell)
            for at in self.columns(cell):
                colour = _HIGHLIGHT if cell in highlight else self._ground(cell, mark)
                self.grounds[row, at] = colour
            self.put((row, column), EMPTY[mark], self._ink(mark))

    def _ground(self, cell: Cell, mark: Mark | None) -> str:
        """The colour of a cell, neighbours a little different."""
        row, column = self.middle(cell)
        if self.grid.headings != 4:
            ground = _GROUNDS.get(mark, palette.TILES[0])
            shade = (column - 3 * row) // 4 % 3  # no two hexagons that touch have the same
            return ground if mark is Mark.VOID else mixed(ground, palette.SILVER, 0.035 * shade)
        tile = palette.TILES[(row // 2 + column // self.pitch) % 2]
        owner = _OWNERS.get(mark)
        if owner is not None:
            return mixed(tile, self.sides[owner].body, 0.2)
        return _GROUNDS.get(mark, tile)

    def _ink(self, mark: Mark | None) -> str:
        owner = _OWNERS.get(mark)
        if owner is not None:
            return self.sides[owner].body
        return palette.PAPER if mark is Mark.MOUNTAIN else _DIM

    def coordinates(self) -> None:
        """Numbers to the left of the rows; letters below, where columns or diagonals end."""
        left, down = (3, 2) if self.grid.headings == 4 else (4, 2)
        for cell in range(self.grid.size):
            name = self.grid.name(cell)
            if not name[0].isalpha():  # a board too big for names
                continue
            row, column = self.middle(cell)
            if self.grid.ahead(cell, left) is None:
                for i, digit in enumerate(reversed(name[1:])):
                    self.put((row, column - 4 - i), digit)
            if self.grid.ahead(cell, down) is None:
                self.put(self.towards(cell, down, 2), name[0])

    def brackets(self, cell: Cell) -> None:
        row, _ = self.middle(cell)
        columns = self.columns(cell)
        self.put((row, columns[0]), "[")
        self.put((row, columns[-1]), "]")

    def piece(self, cell: Cell, piece: Piece, letter: str) -> None:
        """A token three characters wide: letter, the way it faces, and what can be counted."""
        row, column = self.middle(cell)
        count = str(piece.hit_points) if piece.kind in COUNTED and piece.hit_points < 10 else " "
        colours = tones(self.sides[piece.owner], piece.owner)
        ink = palette.PAPER if colours.cut else colours.body
        for at, sign in enumerate((letter, _face(self.grid, piece)), column - 1):
            self.put((row, at), sign, ink, colours.base, bold=True)
        beside = self.glyphs.get((row, column + 1))
        if beside and count == " ":  # a beam: it shows on the token
            beside.ground = colours.base
        else:
            self.put((row, column + 1), count, ink, colours.base, bold=True)

    def legend(self, sentences: Sequence[str]) -> None:
        row = max(row for row, _ in self.glyphs) + 1
        column = min(column for _, column in self.glyphs)
        for owner, sentence in enumerate(sentences):
            for at, sign in enumerate(sentence, column):
                self.put((row, at), sign, self.sides[owner].bright)
            column += len(sentence) + 3

    # -- beams ---------------------------------------------------------------------------------

    def beams(self, beams: Sequence[Beam]) -> None:
        arms: dict[Place, set[int]] = {}
        owners: dict[Place, set[int]] = {}
        for beam in beams:
            for step in beam.steps:
                for at, degrees in self._lit(step):
                    arms.setdefault(at, set()).add(degrees)
                    owners.setdefault(at, set()).add(beam.owner)
        for at, joined in arms.items():
            several = len(owners[at]) > 1
            ink = palette.SILVER if several else self.sides[min(owners[at])].beam
            self.put(at, self._line(joined), ink, bold=True)

    def _lit(self, step: Step) -> Iterator[tuple[Place, int]]:
        """The characters a step lights, and the sides of them that it joins."""
        if step.on_edge or step.what in (What.ABSORB, What.DAMAGE):
            return
        for heading in (_back(self.grid, step), step.left):
            if heading is None:
                continue
            degrees = round(self.grid.degrees(heading)) % 360
            for steps in range(self.reach(heading) // 2 + 1):
                at = self.towards(step.cell, heading, steps)
                yield at, degrees
                if steps:
                    yield at, (degrees + 180) % 360

    def _line(self, arms: Collection[int]) -> str:
        if self.grid.headings == 4:
            return _BOX[frozenset(arms)]
        return _SLANTS.get(frozenset(arm % 180 for arm in arms), "✳")

    def ending(self, beam: Beam, *, on_piece: bool) -> None:
        """What became of it, over everything else."""
        end = beam.end
        back = _back(self.grid, end)
        if end.what is What.CAPTURE:
            row, column = self.middle(end.cell)
            self.put((row, column), CAPTURED, palette.FIRE[1], bold=True)
            for beside in (column - 1, column, column + 1):
                if glyph := self.glyphs.get((row, beside)):
                    glyph.ground = _HIT
        elif end.what is What.ANNIHILATE and end.on_edge and end.left is not None:
            self.put(self._edge(end.cell, end.left), MET, palette.SILVER, bold=True)
        elif end.what is What.ANNIHILATE and not on_piece:
            self.put(self.middle(end.cell), MET, palette.SILVER, bold=True)
        elif end.what is What.LEAVE and end.left is not None:
            at = self.towards(end.cell, end.left, (self.reach(end.left) + 1) // 2)
            self.put(at, _arrow(self.grid, end.left), self.sides[beam.owner].beam, bold=True)
        elif end.what in _FACE_MARKS and back is not None:
            sign, ink = _FACE_MARKS[end.what]
            at = self.towards(end.cell, back, self.reach(back) // 2)
            self.put(at, sign, ink or self.sides[beam.owner].beam, bold=True)

    def _edge(self, cell: Cell, heading: Heading) -> Place:
        """Half-way to the next cell: the same place seen from there."""
        ahead = self.grid.ahead(cell, heading)
        row, column = self.middle(cell)
        to_row, to_column = self.middle(cell if ahead is None else ahead)
        return (row + to_row) // 2, (column + to_column) // 2

    # -- as text -------------------------------------------------------------------------------

    def text(self, *, colour: bool) -> str:
        # One more row and column around the cells, for beams that leave: no picture of a film
        # is wider than another. Half of the row above belongs to the first row of cells.
        around = {(row + d, column + d) for row, column in self.grounds for d in (-1, 1)}
        places = {*self.glyphs, *around}
        rows = range(min(row for row, _ in places), max(row for row, _ in places) + 1)
        columns = range(min(c for _, c in places), max(c for _, c in places) + 1)
        character = self._coloured if colour else self._plain
        return "\n".join(_joined([character((row, c)) for c in columns]) for row in rows)

    def _plain(self, at: Place) -> tuple[str, str]:
        glyph = self.glyphs.get(at)
        return "", glyph.sign if glyph else " "

    def _coloured(self, at: Place) -> tuple[str, str]:
        """The escape code for a character, and the character."""
        row, column = at
        here = self.grounds.get(at)
        above, below = self.grounds.get((row - 1, column)), self.grounds.get((row + 1, column))
        glyph = self.glyphs.get(at)
        if glyph:
            between = mixed(above, below, 0.5) if above and below else below or above
            ground = glyph.ground or here or between
            return _code(glyph.ink, ground, bold=glyph.bold), glyph.sign.translate(_HEAVY)
        if here:
            return _code(None, here), " "
        # Between two rows of cells the lower half belongs to the cell below.
        if below:
            return _code(below, above), "▄"
        return (_code(above, None), "▀") if above else (_code(None, None), " ")


# What a beam leaves on the face that it ended on; without an ink of its own, in the beam's.
_FACE_MARKS: Mapping[What, tuple[str, str | None]] = {
    What.ABSORB: (STOPPED, None),
    What.DAMAGE: (DAMAGED, palette.FIRE[1]),
    What.ANNIHILATE: (MET, palette.SILVER),
}


def _back(grid: Grid, step: Step) -> Heading | None:
    """The side of the cell that the beam came in by."""
    return None if step.entered is None else opposite(grid, step.entered)


# -- colours -----------------------------------------------------------------------------------


def _joined(characters: Sequence[tuple[str, str]]) -> str:
    """One escape code for every run of the same colours; plain again at the end of the line."""
    runs = groupby(characters, key=lambda character: character[0])
    line = "".join(code + "".join(sign for _, sign in run) for code, run in runs)
    return line + "\x1b[0m" if "\x1b" in line else line


@cache
def _code(ink: str | None, ground: str | None, *, bold: bool = False) -> str:
    parts = ["0", *(["1"] if bold else [])]
    for kind, colour in ((38, ink), (48, ground)):
        if colour:
            red, green, blue = rgb(colour)
            parts.append(f"{kind};2;{red};{green};{blue}")
    return f"\x1b[{';'.join(parts)}m"
