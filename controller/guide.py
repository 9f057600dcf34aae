"""What must a person do next? From a session to one sentence and one picture of light.

The same words on the board, the page and the terminal; `reasons` says why play cannot go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from controller import light
from controller.layout import Layout
from controller.light import Animation, Effects
from controller.session_values import Phase, Session
from engine.draw.palette import Paint, paints
from engine.draw.words import headline
from vision.infer import Exact


@dataclass(frozen=True)
class Guide:
    """One sentence, and why if play cannot go on."""

    sentence: str
    reasons: tuple[str, ...] = ()


def guide(session: Session) -> Guide:
    """What the people at the table should know now."""
    game = session.table.game
    movers = " and ".join(game.players[player] for player in session.movers)
    wrong = tuple(each.sentence for each in session.differences)
    match session.phase:
        case Phase.SETTING_UP:
            if wrong:
                return Guide(f"set up the board: {_counted(len(wrong))} to put right", wrong)
            return Guide("set up the board")
        case Phase.TURN:
            if isinstance(session.inference, Exact) and len(session.movers) == 1:
                told = headline(game, session.inference.turns[-1])
                return Guide(f"{told}: press fire")
            return Guide(f"{movers} to move")
        case Phase.WAITING_FOR_OTHER:
            left = [p for p in session.movers if p not in session.pressed]
            return Guide(f"waiting for {' and '.join(game.players[p] for p in left)} to press fire")
        case Phase.CONFIRMING:
            options = tuple(headline(game, turns[-1]) for turns in session.choices)
            return Guide("which move was it?", options)
        case Phase.COMPUTER_THINKING:
            return Guide(f"{movers} is thinking")
        case Phase.COMPUTER_TO_MOVE:
            assert session.known is not None
            return Guide(f"make this move for {movers}: {headline(game, session.known)}")
        case Phase.FIRING:
            return Guide("the laser fires")
        case Phase.CLEARING:
            return Guide("take the captured pieces off the board", wrong)
        case Phase.MISMATCH:
            return Guide(f"{_counted(len(wrong))} to put right", wrong)
        case Phase.PAUSED:
            return Guide("paused", (session.trouble,) if session.trouble else ())
        case Phase.OVER:
            return Guide(str(session.outcome))


def picture(session: Session, layout: Layout, effects: Effects) -> Animation:
    """What the LEDs show while nothing is fired."""
    owners: Sequence[Paint] = paints(session.table.game.players)
    match session.phase:
        case Phase.SETTING_UP | Phase.CLEARING:
            return light.wrong(layout, session.differences, owners, effects)
        case Phase.MISMATCH:
            return light.wrong(layout, session.differences, owners, effects)
        case Phase.COMPUTER_THINKING:
            return light.thinking(layout, owners[session.movers[0]], effects)
        case Phase.COMPUTER_TO_MOVE:
            assert session.known is not None
            game, player = session.table.game, session.movers[0]
            return light.to_be_made(layout, game, session.known, player, owners, effects)
        case Phase.OVER:
            winner = session.outcome.winner if session.outcome else None
            return light.winner(layout, winner, owners, effects)
        case _:
            return light.dark(layout.leds)


def _counted(number: int) -> str:
    return "one thing" if number == 1 else f"{number} things"
