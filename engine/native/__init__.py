"""The compiled core of the computer player, if it is built.

`load_library()` returns the core or None, and `missing_reason()` says why it is missing. Games
provide their rules for it in `TurnBased.native_rules`.
"""

from engine.native.binding import NativeCoreMissing, load_library, missing_reason
from engine.native.rules import NativeRules

__all__ = ["NativeCoreMissing", "NativeRules", "load_library", "missing_reason"]
