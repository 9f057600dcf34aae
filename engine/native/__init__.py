"""The compiled core of the computer player, where it has been built.

`library()` is it, or None; `missing()` says in a sentence why it is not here. A game offers its
rules to it by `TurnBased.compiled`.
"""

from engine.native.binding import NoCore, library, missing
from engine.native.rules import CompiledRules

__all__ = ["CompiledRules", "NoCore", "library", "missing"]
