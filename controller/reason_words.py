"""Why a move is good, in the words of the guide: on the table, on the page and in an analysis."""

from __future__ import annotations

from engine.game import AnyGame, AnyTurn
from engine.reasons import Aim, Reason


def why_words(game: AnyGame, turn: AnyTurn, why: Reason | None) -> str:
    """Why that turn is good, in a few words; nothing if nobody knows."""
    if why is None:
        return ""
    piece = "" if why.piece is None else f"the {game.players[why.piece.owner]} {why.piece.kind}"
    there = "" if why.cell is None else f" on {turn.before.grid.name(why.cell)}"
    when = "now" if why.turns == 1 else f"in {why.turns} turns"
    match why.aim:
        case Aim.WINS:
            return f"it strikes {piece} {when}" if piece else f"it wins {when}"
        case Aim.CAPTURES:
            return f"it captures {piece}{there}"
        case Aim.SAVES:
            return f"it saves {piece}{there}"
        case Aim.PREPARES:
            return f"it prepares to capture {piece}{there}"
        case Aim.HOLDS_OUT:
            return f"it holds out longest, {_turns(why.turns)}"


def _turns(number: int) -> str:
    return "one turn" if number == 1 else f"{number} turns"
