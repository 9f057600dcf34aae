"""The preferences of a table: from the option `--fire`, else from the board file."""

from __future__ import annotations

from controller.config.board_file import BoardFile
from controller.config.play import FIRE_AFTER_S_RANGE
from controller.session.replay import ReplayedGame
from controller.session.state import TablePreferences, TakeBackRule
from controller.table.plan import GamePlan
from controller.ui.console import BadInput, Console
from controller.ui.hosting import sentences
from engine import native
from engine.game import AnyGame
from engine.turn_based import TurnBased


def preferences_from(fire: str | None, file: BoardFile, refereed: bool = False) -> TablePreferences:
    """Fire mode from the command line, else from the board file; no take-backs with a referee."""
    take_back = TakeBackRule.NEVER if refereed else TakeBackRule(file.play.take_back)
    return TablePreferences(_auto_fire_ms(fire, file), take_back)


def resumed_plan(
    played: ReplayedGame, file: BoardFile, fire: str | None, random_seed: int
) -> GamePlan:
    """The plan of a game that continues."""
    preferences = preferences_from(fire, file, played.setup.policies is not None)
    return GamePlan(played.setup, file, preferences, random_seed)


def _auto_fire_ms(given: str | None, file: BoardFile) -> float | None:
    if given is None:
        return 1000 * file.play.fire_after_s if file.play.fire == "auto" else None
    if given == "button":
        return None
    how, _, seconds = given.partition(":")
    least, most = FIRE_AFTER_S_RANGE
    try:
        wait_s = float(seconds or file.play.fire_after_s)
    except ValueError:
        wait_s = -1.0
    if how != "auto" or not least <= wait_s <= most:
        raise BadInput(sentences.UNKNOWN_FIRE(given=given))
    return 1000 * wait_s


def warn_slow_engine(game: AnyGame, console: Console) -> None:
    """Note that the computer plays slowly because the compiled core is missing."""
    if isinstance(game, TurnBased) and native.missing_reason():
        console.note(f"laserboard: {native.missing_reason()}")
