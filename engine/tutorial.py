"""The explanation of a game for beginners: texts, and example turns that show the rules.

The texts are in `data/rules/<game>.yml`. The game itself plays the example turns with its
options, so the pictures cannot contradict the rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Generic, NamedTuple

from engine.beam import Beam, BeamEvent, Step
from engine.game import AnyGame, AnyTurn, M, Mark, P, Piece, Position, Turn
from engine.grid import Cell, Heading


class IsolatedPiece(NamedTuple):
    """A position with free space around the piece on `cell`, whose owner is to move."""

    position: Any
    cell: Cell


@dataclass(frozen=True, slots=True)
class Strike:
    """A turn with a beam aimed at a piece."""

    turn: AnyTurn
    cell: Cell
    beam: Beam

    @property
    def piece(self) -> Piece:
        piece: Piece = self.turn.aimed.pieces[self.cell]
        return piece

    @property
    def contact_step(self) -> Step:
        """The step at which the beam reaches the piece, or its last step."""
        steps = (step for step in self.beam.steps if step.cell == self.cell and not step.on_edge)
        return next(steps, self.beam.end)

    @property
    def heading(self) -> Heading:
        """The heading of the beam when it arrives."""
        contact = self.contact_step
        heading = contact.left if contact.entered is None else contact.entered
        assert heading is not None, "a beam has a heading before it ends"
        return heading

    @property
    def effect(self) -> StrikeEffect:
        contact, headings = self.contact_step, self.turn.aimed.grid.headings
        lost = next((loss.hits for loss in self.turn.losses if loss.cell == self.cell), 0)
        deflection = None
        if contact.entered is not None and contact.left is not None:
            deflection = (contact.left - contact.entered) % headings
        return StrikeEffect(contact.event, deflection, lost)


class StrikeEffect(NamedTuple):
    """The effect of a strike, relative to the heading of the beam."""

    event: BeamEvent
    deflection: int | None  # headings clockwise; None if the beam ends
    lost_hit_points: int


@dataclass(frozen=True, slots=True)
class Lesson:
    """An example turn. `cells` are drawn, `failed_steps` are moves that collided."""

    turn: AnyTurn
    cells: Sequence[Cell]
    failed_steps: Sequence[tuple[Cell, Cell]] = ()


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TutorialText:
    """All texts about a game with its options."""

    aim: str
    start: str  # below the picture of the starting position
    chapters: tuple[Chapter, ...]
    pieces: Mapping[str, str]  # by kind
    lessons: Mapping[str, str]
    marks: Mapping[Mark, str]


@dataclass(frozen=True)
class Tutorial(ABC, Generic[P, M]):
    """The example positions and turns of a game."""

    game: AnyGame

    @abstractmethod
    def isolate_piece(self, piece: Piece) -> IsolatedPiece:
        """The piece with free space around it."""

    @abstractmethod
    def strike(self, piece: Piece, heading: Heading) -> Strike | None:
        """A beam that hits the piece with this heading; None if the rules allow no such beam."""

    @abstractmethod
    def lessons(self) -> Mapping[str, Lesson]:
        """Example turns by the names that the texts use."""

    @property
    def text(self) -> TutorialText:
        return read_tutorial_text(self.game)

    # -- for every game --------------------------------------------------------------------

    def pieces(self) -> Iterator[Piece]:
        """One undamaged piece of each kind, the first player's, at orientation 0."""
        start = self.game.start().pieces.values()
        for kind in self.game.letters:
            like = (piece for piece in start if piece.kind == kind and piece.owner == 0)
            yield replace(next(like), orientation=0)

    def strikes(self, piece: Piece) -> list[Strike]:
        """Strikes from all sides, or one of them if all have the same effect. For a piece with
        several hit points, then the strike that removes it."""
        headings = range(self.game.start().grid.headings)
        strikes = [strike for h in headings if (strike := self.strike(piece, h)) is not None]
        if len({strike.effect for strike in strikes}) == 1:
            strikes = strikes[:1]
        final = self._final_strike(strikes[-1])
        return strikes if final is None else [*strikes, final]

    def _final_strike(self, strike: Strike) -> Strike | None:
        """The repeated strike that removes the piece, or None if the first one does."""
        last = None
        while strike.effect.lost_hit_points and (left := strike.turn.after.pieces.get(strike.cell)):
            again = self.strike(left, strike.heading)
            assert again is not None, "a beam can arrive there again"
            last = strike = again
        return last

    def move_range(self, piece: Piece) -> MoveRange:
        """The cells that the piece can reach in one turn, and its possible rotations."""
        position, cell = self.isolate_piece(piece)
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
        return MoveRange(position, cell, frozenset(targets), frozenset(turned))


@dataclass(frozen=True, slots=True)
class MoveRange:
    position: Position
    cell: Cell
    targets: frozenset[Cell]
    rotations: frozenset[int]  # headings clockwise


AnyTutorial = Tutorial[Any, Any]


def strike_by(turn: Turn[P, M], cell: Cell, shooter: int) -> Strike:
    """The strike of the only beam that belongs to `shooter`."""
    (beam,) = (beam for beam in turn.beams if beam.owner == shooter)
    return Strike(turn, cell, beam)


# -- texts ---------------------------------------------------------------------------------------

TextLine = str | Mapping[str, Any]  # a mapping has `say`, and `if` or `unless` with options


def read_tutorial_text(game: AnyGame) -> TutorialText:
    table, options = _load_rules_text(game.name), asdict(game)
    names = {f"player{number}": name.capitalize() for number, name in enumerate(game.players)}

    def expand(line: TextLine) -> str | None:
        if isinstance(line, str):
            return line.format(**options, **names)
        if any(options[name] != value for name, value in line.get("if", {}).items()):
            return None
        if any(options[name] == value for name, value in line.get("unless", {}).items()):
            return None
        return expand(line["say"])

    def lines(of: TextLine | list[TextLine]) -> tuple[str, ...]:
        each = of if isinstance(of, list) else [of]
        return tuple(words for line in each if (words := expand(line)) is not None)

    def by_name(part: str) -> dict[str, str]:
        return {name: " ".join(lines(each)) for name, each in table.get(part, {}).items()}

    return TutorialText(
        aim=" ".join(lines(table["aim"])),
        start=" ".join(lines(table["start"])),
        chapters=tuple(Chapter(title, lines(each)) for title, each in table["chapters"].items()),
        pieces=by_name("pieces"),
        lessons=by_name("lessons"),
        marks={Mark[name.upper()]: words for name, words in by_name("marks").items()},
    )


@cache
def _load_rules_text(game: str) -> Mapping[str, Any]:
    import yaml  # lazy, for a quick start

    path = Path(__file__).parent / "data" / "rules" / f"{game}.yml"
    table: Mapping[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return table
