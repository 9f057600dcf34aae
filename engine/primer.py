"""A game explained to people who have never played it: words, and turns that show what they say.

The words are in `data/rules/<game>.yml`. The turns are played by the game itself under its own
options, so that a page made of them cannot tell other rules than those that are played.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Generic, NamedTuple

from engine.beam import Beam, Step, What
from engine.game import AnyGame, AnyTurn, M, Mark, P, Piece, Position, Turn
from engine.grid import Cell, Heading


class Alone(NamedTuple):
    """A position in which nothing is in the way of the piece on `cell`, and its owner moves."""

    position: Any
    cell: Cell


@dataclass(frozen=True, slots=True)
class Strike:
    """A turn in which a beam was aimed at a piece."""

    turn: AnyTurn
    cell: Cell
    beam: Beam

    @property
    def piece(self) -> Piece:
        piece: Piece = self.turn.aimed.pieces[self.cell]
        return piece

    @property
    def met(self) -> Step:
        """The step at which the beam came to the piece; its last one, if it never did."""
        came = (step for step in self.beam.steps if step.cell == self.cell and not step.on_edge)
        return next(came, self.beam.end)

    @property
    def heading(self) -> Heading:
        """The way that the beam came."""
        met = self.met
        heading = met.left if met.entered is None else met.entered
        assert heading is not None, "a beam that is aimed travels"
        return heading

    @property
    def effect(self) -> Effect:
        met, headings = self.met, self.turn.aimed.grid.headings
        lost = next((loss.hits for loss in self.turn.losses if loss.cell == self.cell), 0)
        turned = None
        if met.entered is not None and met.left is not None:
            turned = (met.left - met.entered) % headings
        return Effect(met.what, turned, lost)


class Effect(NamedTuple):
    """What came of a strike, seen from the beam."""

    what: What
    turned: int | None  # headings clockwise; None where the beam ended
    lost: int  # hit points


@dataclass(frozen=True, slots=True)
class Lesson:
    """A turn worth seeing; `cells` are those to draw, `tried` the ways that led nowhere."""

    turn: AnyTurn
    cells: Sequence[Cell]
    tried: Sequence[tuple[Cell, Cell]] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """Everything that is said about a game under its options."""

    aim: str
    start: str  # below the picture of the set-up
    chapters: tuple[Chapter, ...]
    pieces: Mapping[str, str]  # by kind
    lessons: Mapping[str, str]
    marks: Mapping[Mark, str]


@dataclass(frozen=True)
class Primer(ABC, Generic[P, M]):
    """What a game can show of itself."""

    game: AnyGame

    @abstractmethod
    def alone(self, piece: Piece) -> Alone:
        """The piece with room around it."""

    @abstractmethod
    def strike(self, piece: Piece, heading: Heading) -> Strike | None:
        """A beam that travels `heading` is shot at the piece; None where none can come so."""

    @abstractmethod
    def lessons(self) -> Mapping[str, Lesson]:
        """Rules that are easier seen than said, each by a name that the words know."""

    @property
    def words(self) -> Words:
        return read_words(self.game)

    # -- for every game --------------------------------------------------------------------

    def pieces(self) -> Iterator[Piece]:
        """One of each kind, the first player's, whole, as it stands when it is not turned."""
        start = self.game.start().pieces.values()
        for kind in self.game.letters:
            like = (piece for piece in start if piece.kind == kind and piece.owner == 0)
            yield replace(next(like), orientation=0)

    def strikes(self, piece: Piece) -> list[Strike]:
        """From every side that makes a difference, then how a piece that bears more ends."""
        headings = range(self.game.start().grid.headings)
        found = [strike for h in headings if (strike := self.strike(piece, h)) is not None]
        if len({strike.effect for strike in found}) == 1:
            found = found[:1]
        worn = self._last_straw(found[-1])
        return found if worn is None else [*found, worn]

    def _last_straw(self, strike: Strike) -> Strike | None:
        """The same piece struck again and again: the strike that removes it, if not the first."""
        last = None
        while strike.effect.lost and (left := strike.turn.after.pieces.get(strike.cell)):
            again = self.strike(left, strike.heading)
            assert again is not None, "where a beam came, another can come"
            last = strike = again
        return last

    def reach(self, piece: Piece) -> Reach:
        """Where its owner may put the piece in one turn, and how it may be turned."""
        position, cell = self.alone(piece)
        stood = position.pieces[cell]
        targets, turned = set[Cell](), set[int]()
        for move in self.game.legal(position, piece.owner):
            if self.game.origin(position, piece.owner, move) != cell:
                continue
            aimed = next(iter(self.game.turns(position, {piece.owner: move}))).aimed
            stands = aimed.pieces.get(cell)
            if stands is None:
                own = {at for at, piece in aimed.pieces.items() if piece.owner == stood.owner}
                targets |= own - position.pieces.keys()
            elif stands.orientation != stood.orientation:
                turned.add((stands.orientation - stood.orientation) % position.grid.headings)
        return Reach(position, cell, frozenset(targets), frozenset(turned))


@dataclass(frozen=True, slots=True)
class Reach:
    position: Position
    cell: Cell
    targets: frozenset[Cell]
    turned: frozenset[int]  # headings clockwise


AnyPrimer = Primer[Any, Any]


def aimed_at(turn: Turn[P, M], cell: Cell, shooter: int) -> Strike:
    """The strike of the only beam that belongs to `shooter`."""
    (beam,) = (beam for beam in turn.beams if beam.owner == shooter)
    return Strike(turn, cell, beam)


# -- words ---------------------------------------------------------------------------------------

Line = str | Mapping[str, Any]  # `say`, with an `if` or an `unless` of options


def read_words(game: AnyGame) -> Words:
    table, options = _table(game.name), asdict(game)
    names = {f"player{number}": name.capitalize() for number, name in enumerate(game.players)}

    def said(line: Line) -> str | None:
        if isinstance(line, str):
            return line.format(**options, **names)
        if any(options[name] != value for name, value in line.get("if", {}).items()):
            return None
        if any(options[name] == value for name, value in line.get("unless", {}).items()):
            return None
        return said(line["say"])

    def lines(of: Line | list[Line]) -> tuple[str, ...]:
        each = of if isinstance(of, list) else [of]
        return tuple(words for line in each if (words := said(line)) is not None)

    def by_name(part: str) -> dict[str, str]:
        return {name: " ".join(lines(each)) for name, each in table.get(part, {}).items()}

    return Words(
        aim=" ".join(lines(table["aim"])),
        start=" ".join(lines(table["start"])),
        chapters=tuple(Chapter(title, lines(each)) for title, each in table["chapters"].items()),
        pieces=by_name("pieces"),
        lessons=by_name("lessons"),
        marks={Mark[name.upper()]: words for name, words in by_name("marks").items()},
    )


@cache
def _table(game: str) -> Mapping[str, Any]:
    import yaml  # only those who explain a game pay for it

    path = Path(__file__).parent / "data" / "rules" / f"{game}.yml"
    table: Mapping[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return table
