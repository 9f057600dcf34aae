"""What a referee means by a ruling from the page, where it is told by pieces on a board."""

from __future__ import annotations

from controller.rulings import Correct, Ruling
from controller.session_values import Session
from controller.web.commands import Arrange, BadCommand, Rule
from engine.game import Piece
from engine.grid import Cell


def meant(session: Session, command: Rule | Arrange) -> Ruling:
    """The ruling; `LaserboardError` for an arrangement that no game can have."""
    if isinstance(command, Rule):
        return command.ruling
    history, turns = session.history, command.turns
    if turns > len(history):
        return Correct(turns, None, command.note)  # refused as any other that goes too far back
    game = session.table.game
    led = history[-turns].position if turns else session.position
    put = game.arranged(led, _pieces(session, command), command.mover)
    return Correct(turns, game.write_position(put), command.note)


def _pieces(session: Session, command: Arrange) -> dict[Cell, Piece]:
    grid = session.position.grid
    headings = {round(grid.degrees(each)) % 360: each for each in range(grid.headings)}
    found: dict[Cell, Piece] = {}
    for name, kind, owner, degrees, points in command.pieces:
        heading = headings.get(round(degrees) % 360)
        if heading is None:
            raise BadCommand(f"{name}: a piece cannot face {degrees} degrees on this board")
        most = session.table.game.unhurt(kind)
        if points > most:
            raise BadCommand(f"{name}: a {kind} has up to {most} hit points, not {points}")
        found[grid.cell(name)] = Piece(kind, owner, heading, points)
    return found
