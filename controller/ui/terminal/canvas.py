"""A canvas of styled characters for drawing a board, rendered to text.

The canvas knows no rules of games; `controller.ui.terminal` draws on it. The centre of every cell
is one character; `CellSize` sets the distance between centres.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import groupby
from typing import Any

from controller.ui.terminal.glyphs import (
    ANNIHILATED,
    ARROWS,
    BOX_SIGNS,
    CAPTURED,
    DAMAGED,
    EMPTY_CELL_SIGNS,
    FACING_SIGNS,
    FREE_TARGET,
    HEAVY_LINES,
    HEXAGON_BEAM_SIGNS,
    KINDS_WITH_HIT_POINTS,
    ROLE_BRACKETS,
    ROLE_COLOURS,
    STOPPED,
    CellRole,
)
from engine.beam import Beam, BeamEvent, Step
from engine.draw import palette
from engine.draw.palette import Paint, SideShape, mix_colours, parse_rgb, piece_tones
from engine.game import Mark, Piece
from engine.grid import Cell, Grid, Heading, opposite

CharacterPosition = tuple[int, int]  # row, column
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


@dataclass(frozen=True, slots=True)
class CellSize:
    """Columns and rows of a square. A hexagon always has four columns."""

    columns: int = 5
    rows: int = 2


MAX_CELL_SIZE = CellSize()


@dataclass(slots=True)
class StyledCharacter:
    sign: str
    ink: str
    background: str | None = None  # None: that of its cell
    bold: bool = False


@dataclass(slots=True)
class TextCanvas:
    """Characters and background colours by row and column."""

    grid: Grid
    paints: Sequence[Paint]
    cell_size: CellSize = MAX_CELL_SIZE
    glyphs: dict[CharacterPosition, StyledCharacter] = field(default_factory=dict)
    backgrounds: dict[CharacterPosition, str] = field(default_factory=dict)
    _centres: tuple[CharacterPosition, ...] = field(init=False)

    def __post_init__(self) -> None:
        grid: Any = self.grid  # all grids are hashable, but the protocol does not declare it
        self._centres = _cell_centres(grid, self.pitch, self.cell_size.rows)

    # -- coordinates ---------------------------------------------------------------------------

    @property
    def pitch(self) -> int:
        """Columns from one cell to the next; even for hexagons, so that diagonals meet."""
        return self.cell_size.columns if self.grid.headings == 4 else 4

    def centre(self, cell: Cell) -> CharacterPosition:
        return self._centres[cell]

    def columns(self, cell: Cell) -> range:
        _, column = self.centre(cell)
        left = column - self.pitch // 2
        return range(left, left + self.pitch)

    def towards(self, cell: Cell, heading: Heading, steps: int) -> CharacterPosition:
        """The character `steps` away; a diagonal step takes a row and a column."""
        row, column = self.centre(cell)
        degrees = round(self.grid.degrees(heading)) % 360
        down = 0 if degrees in (90, 270) else 1 if 90 < degrees < 270 else -1
        right = 0 if degrees in (0, 180) else 1 if degrees < 180 else -1
        return row + steps * down, column + steps * right

    def steps_to_next(self, heading: Heading) -> int:
        """The number of characters to the next cell's centre."""
        return self.pitch if round(self.grid.degrees(heading)) % 180 == 90 else self.cell_size.rows

    # -- the board -----------------------------------------------------------------------------

    def put(
        self,
        at: CharacterPosition,
        sign: str,
        ink: str = palette.INK,
        ground: str | None = None,
        *,
        bold: bool = False,
    ) -> None:
        self.glyphs[at] = StyledCharacter(sign, ink, ground, bold)

    def paint_backgrounds(self, marks: Mapping[Cell, Mark], highlight: Collection[Cell]) -> None:
        for cell in range(self.grid.size):
            mark = marks.get(cell)
            row, column = self.centre(cell)
            colour = _HIGHLIGHT if cell in highlight else self._background(cell, mark)
            for at in self.columns(cell):
                self.backgrounds[row, at] = colour
            self.put((row, column), EMPTY_CELL_SIGNS[mark], self._ink(mark))

    def _background(self, cell: Cell, mark: Mark | None) -> str:
        """The colour of a cell; neighbours differ slightly."""
        row, column = self.centre(cell)
        if self.grid.headings != 4:
            ground = _GROUNDS.get(mark, palette.TILES[0])
            # Adjacent hexagons never have the same shade.
            shade = (column - 3 * (2 * row // self.cell_size.rows)) // 4 % 3
            return (
                ground if mark is Mark.VOID else mix_colours(ground, palette.SILVER, 0.035 * shade)
            )
        tile = palette.TILES[(row // self.cell_size.rows + column // self.pitch) % 2]
        owner = _OWNERS.get(mark)
        if owner is not None:
            return mix_colours(tile, self.paints[owner].body, 0.2)
        return _GROUNDS.get(mark, tile)

    def _ink(self, mark: Mark | None) -> str:
        owner = _OWNERS.get(mark)
        if owner is not None:
            return self.paints[owner].body
        return palette.PAPER if mark is Mark.MOUNTAIN else _DIM

    def draw_coordinates(self) -> None:
        """Draw row numbers on the left, and letters below the columns or diagonals."""
        left, down = (3, 2) if self.grid.headings == 4 else (4, 2)
        for cell in range(self.grid.size):
            name = self.grid.name(cell)
            if not name[0].isalpha():  # a board too big for names
                continue
            row, column = self.centre(cell)
            if self.grid.ahead(cell, left) is None:
                for i, digit in enumerate(reversed(name[1:])):
                    self.put((row, self.columns(cell)[0] - 2 - i), digit)
            if self.grid.ahead(cell, down) is None:
                slant = 0 if self.grid.headings == 4 else self.pitch // 2
                self.put((row + self.cell_size.rows, column + slant), name[0])

    def draw_brackets(
        self, cell: Cell, signs: str = ROLE_BRACKETS[CellRole.CURSOR], ink: str = palette.INK
    ) -> None:
        row, _ = self.centre(cell)
        columns = self.columns(cell)
        left, right = signs[0], signs[1]
        if self.pitch > 3:  # otherwise it would cover the letter of the piece
            self.put((row, columns[0]), left, ink, bold=True)
        self.put((row, columns[-1]), right, ink, bold=True)

    def mark_cells(
        self,
        cell_roles: Mapping[CellRole, Collection[Cell]],
        taken: Container[Cell],
        *,
        colour: bool,
    ) -> None:
        """Mark cells by background colour; without colour, by brackets."""
        for role in reversed(CellRole):
            for cell in cell_roles.get(role, ()):
                if colour:
                    self._tint(cell, role, free=cell not in taken)
                else:
                    self.draw_brackets(cell, ROLE_BRACKETS[role])

    def _tint(self, cell: Cell, role: CellRole, *, free: bool) -> None:
        row, column = self.centre(cell)
        for at in self.columns(cell):
            self.backgrounds[row, at] = ROLE_COLOURS[role]
        if role is CellRole.TARGET and free:
            self.put((row, column), FREE_TARGET, palette.PAPER, bold=True)
        if role is CellRole.CURSOR or self.pitch == 3:
            self.draw_brackets(cell, ROLE_BRACKETS[role], palette.PAPER)

    def draw_piece(self, cell: Cell, piece: Piece, letter: str) -> None:
        """Draw three characters: the letter, the direction, and the hit points if any."""
        row, column = self.centre(cell)
        count = (
            str(piece.hit_points)
            if piece.kind in KINDS_WITH_HIT_POINTS and piece.hit_points < 10
            else " "
        )
        colours = piece_tones(self.paints[piece.owner])
        ink = palette.PAPER if colours.shape is SideShape.CUT else colours.body
        for at, sign in enumerate((letter, _face(self.grid, piece)), column - 1):
            self.put((row, at), sign, ink, colours.base, bold=True)
        beside = self.glyphs.get((row, column + 1))
        if beside and count == " ":  # a beam stays visible on the piece
            beside.background = colours.base
        else:
            self.put((row, column + 1), count, ink, colours.base, bold=True)

    def draw_legend(self, sentences: Sequence[str]) -> None:
        row = max(row for row, _ in self.glyphs) + 1
        column = min(column for _, column in self.glyphs)
        for owner, sentence in enumerate(sentences):
            for at, sign in enumerate(sentence, column):
                self.put((row, at), sign, self.paints[owner].bright)
            column += len(sentence) + 3

    # -- beams ---------------------------------------------------------------------------------

    def draw_beams(self, beams: Sequence[Beam]) -> None:
        arms: dict[CharacterPosition, set[int]] = {}
        owners: dict[CharacterPosition, set[int]] = {}
        for beam in beams:
            for step in beam.steps:
                for at, degrees in self._lit(step):
                    arms.setdefault(at, set()).add(degrees)
                    owners.setdefault(at, set()).add(beam.owner)
        for at, joined in arms.items():
            several = len(owners[at]) > 1
            ink = palette.SILVER if several else self.paints[min(owners[at])].beam
            self.put(at, self._line(joined), ink, bold=True)

    def _lit(self, step: Step) -> Iterator[tuple[CharacterPosition, int]]:
        """The characters that a step lights, with the sides that the beam connects, in degrees."""
        if step.on_edge or step.event in (BeamEvent.ABSORB, BeamEvent.DAMAGE):
            return
        for heading in (_back(self.grid, step), step.left):
            if heading is None:
                continue
            degrees = round(self.grid.degrees(heading)) % 360
            for steps in range(self.steps_to_next(heading) // 2 + 1):
                at = self.towards(step.cell, heading, steps)
                yield at, degrees
                if steps:
                    yield at, (degrees + 180) % 360

    def _line(self, arms: Collection[int]) -> str:
        if self.grid.headings == 4:
            return BOX_SIGNS[frozenset(arms)]
        return HEXAGON_BEAM_SIGNS.get(frozenset(arm % 180 for arm in arms), "✳")

    def draw_beam_end(self, beam: Beam, *, on_piece: bool) -> None:
        """Draw the end of a beam over everything else."""
        end = beam.end
        back = _back(self.grid, end)
        if end.event is BeamEvent.CAPTURE:
            row, column = self.centre(end.cell)
            self.put((row, column), CAPTURED, palette.FIRE[1], bold=True)
            for beside in (column - 1, column, column + 1):
                if glyph := self.glyphs.get((row, beside)):
                    glyph.background = _HIT
        elif end.event is BeamEvent.ANNIHILATE and end.on_edge and end.left is not None:
            self.put(self._edge(end.cell, end.left), ANNIHILATED, palette.SILVER, bold=True)
        elif end.event is BeamEvent.ANNIHILATE and not on_piece:
            self.put(self.centre(end.cell), ANNIHILATED, palette.SILVER, bold=True)
        elif end.event is BeamEvent.LEAVE and end.left is not None:
            at = self.towards(end.cell, end.left, (self.steps_to_next(end.left) + 1) // 2)
            self.put(at, _arrow(self.grid, end.left), self.paints[beam.owner].beam, bold=True)
        elif end.event in _BEAM_END_SIGNS and back is not None:
            sign, ink = _BEAM_END_SIGNS[end.event]
            at = self.towards(end.cell, back, self.steps_to_next(back) // 2)
            self.put(at, sign, ink or self.paints[beam.owner].beam, bold=True)

    def _edge(self, cell: Cell, heading: Heading) -> CharacterPosition:
        """The point half-way to the next cell; the same from both cells."""
        ahead = self.grid.ahead(cell, heading)
        row, column = self.centre(cell)
        to_row, to_column = self.centre(cell if ahead is None else ahead)
        return (row + to_row) // 2, (column + to_column) // 2

    # -- text ----------------------------------------------------------------------------------

    def to_text(self, *, colour: bool) -> str:
        # One more row and column around the cells, for beams that leave the board: all frames of
        # an animation have the same size. The first row of cells also colours half the row above.
        around = {(row + d, column + d) for row, column in self.backgrounds for d in (-1, 1)}
        places = {*self.glyphs, *around}
        rows = range(min(row for row, _ in places), max(row for row, _ in places) + 1)
        columns = range(min(c for _, c in places), max(c for _, c in places) + 1)
        character = self._coloured if colour else self._plain
        return "\n".join(_join_runs([character((row, c)) for c in columns]) for row in rows)

    def _plain(self, at: CharacterPosition) -> tuple[str, str]:
        glyph = self.glyphs.get(at)
        return "", glyph.sign if glyph else " "

    def _coloured(self, at: CharacterPosition) -> tuple[str, str]:
        """The escape code for a character, and the character."""
        row, column = at
        here = self.backgrounds.get(at)
        above, below = (
            self.backgrounds.get((row - 1, column)),
            self.backgrounds.get((row + 1, column)),
        )
        glyph = self.glyphs.get(at)
        if glyph:
            ground = glyph.background or here
            if ground is None and self.cell_size.rows > 1:
                ground = mix_colours(above, below, 0.5) if above and below else below or above
            return colour_code(glyph.ink, ground, bold=glyph.bold), glyph.sign.translate(
                HEAVY_LINES
            )
        if here or self.cell_size.rows == 1:
            return colour_code(None, here), " "
        # Between two rows of cells the lower half has the colour of the cell below.
        if below:
            return colour_code(below, above), "▄"
        return (colour_code(above, None), "▀") if above else (colour_code(None, None), " ")


# The character at the end of a beam and its colour; None: the beam's colour.
_BEAM_END_SIGNS: Mapping[BeamEvent, tuple[str, str | None]] = {
    BeamEvent.ABSORB: (STOPPED, None),
    BeamEvent.DAMAGE: (DAMAGED, palette.FIRE[1]),
    BeamEvent.ANNIHILATE: (ANNIHILATED, palette.SILVER),
}


@lru_cache(maxsize=32)
def _cell_centres(grid: Grid, pitch: int, down: int) -> tuple[CharacterPosition, ...]:
    """The character at the centre of every cell."""
    centres = [grid.centre(cell) for cell in range(grid.size)]
    if grid.headings == 4:
        return tuple((down * int(y), pitch * int(x) + 2) for x, y in centres)
    # Rows of hexagons are sqrt(3)/2 apart.
    return tuple((down * round(y / 0.8660254), round(pitch * x)) for x, y in centres)


def _back(grid: Grid, step: Step) -> Heading | None:
    """The side of the cell through which the beam entered."""
    return None if step.entered is None else opposite(grid, step.entered)


def _face(grid: Grid, piece: Piece) -> str:
    signs = FACING_SIGNS.get(piece.kind, "")
    if piece.orientation < len(signs) == grid.headings:
        return signs[piece.orientation]
    return _arrow(grid, piece.orientation)


def _arrow(grid: Grid, heading: Heading) -> str:
    return ARROWS[round(grid.degrees(heading) / 45) % 8]


# -- colours -----------------------------------------------------------------------------------


def _join_runs(characters: Sequence[tuple[str, str]]) -> str:
    """Join characters with one escape code per run of equal style, and a reset at the end."""
    runs = groupby(characters, key=lambda character: character[0])
    line = "".join(code + "".join(sign for _, sign in run) for code, run in runs)
    return line + "\x1b[0m" if "\x1b" in line else line


@cache
def colour_code(ink: str | None, background: str | None, *, bold: bool = False) -> str:
    parts = ["0", *(["1"] if bold else [])]
    for kind, colour in ((38, ink), (48, background)):
        if colour:
            red, green, blue = parse_rgb(colour)
            parts.append(f"{kind};2;{red};{green};{blue}")
    return f"\x1b[{';'.join(parts)}m"
