"""Time controls, and the clocks of a game as a frozen value: `Clocks` in, `Clocks` out.

Every call brings its own moment (`at_ms`). Time only goes forward: a moment before the last one
counts as the last one. A clock that has run out stays at zero, whatever is asked of it, until
somebody puts time on it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from engine import strict_json
from engine.errors import LaserboardError, excerpt
from engine.game import Player

LONGEST_MS = 24 * 3_600_000
UNITS_MS = {"h": 3_600_000, "m": 60_000, "s": 1000}
TENTHS_BELOW_MS = 10_000.0
LOW_MS, LOW_SHARE = 10_000.0, 0.1

FORMS = (
    "none; 10m (ten minutes for the whole game); 5m+3s (Fischer: 3 s more after every move); "
    "5m-bronstein-3s (what a move took comes back, at most 3 s); 5m-delay-3s (the clock waits 3 s "
    "before it runs); 30s/move"
)


class BadClock(LaserboardError, ValueError):
    """Text or JSON that is no time control, or a time that no clock can show."""


class Kind(StrEnum):
    """What becomes of a player's time."""

    NONE = "none"
    SUDDEN_DEATH = "sudden death"  # so much for the whole game
    FISCHER = "fischer"  # and more after every move
    BRONSTEIN = "bronstein"  # and back what a move took, up to a limit
    DELAY = "delay"  # and the clock runs only after a while
    PER_MOVE = "per move"  # so much for every move, kept by nobody


_WITH_EXTRA = {Kind.FISCHER, Kind.BRONSTEIN, Kind.DELAY}
_WAYS = {
    "+": Kind.FISCHER,
    "f": Kind.FISCHER,
    "fischer": Kind.FISCHER,
    "b": Kind.BRONSTEIN,
    "bronstein": Kind.BRONSTEIN,
    "d": Kind.DELAY,
    "delay": Kind.DELAY,
}
_DURATION = r"(?:[0-9]+(?:\.[0-9]+)?[hms])+"
_CONTROL = re.compile(
    rf"(?P<base>{_DURATION})(?:[ -]*(?P<way>\+|[a-z]+)[ -]*(?P<extra>{_DURATION}))?"
)
_PER_MOVE = re.compile(rf"(?P<base>{_DURATION}) ?(?:/|per|a) ?(?:move|turn)")
_PLAIN = re.compile(r"([0-9]{1,4})(?:\+([0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time players have. `extra_ms` is the increment, what comes back, or the delay."""

    kind: Kind = Kind.NONE
    base_ms: int = 0
    extra_ms: int = 0

    def __post_init__(self) -> None:
        if self.kind is Kind.NONE:
            if self.base_ms or self.extra_ms:
                raise BadClock(f"no clock has no time: {self.base_ms} ms, {self.extra_ms} ms")
            return
        if not 1 <= self.base_ms <= LONGEST_MS:
            raise BadClock(f"{_called(self.base_ms)} to start with: a clock shows above 0 s to 24h")
        least = 1 if self.kind in _WITH_EXTRA else 0
        most = LONGEST_MS if self.kind in _WITH_EXTRA else 0
        if not least <= self.extra_ms <= most:
            raise BadClock(
                f"{self.kind} with {_called(self.extra_ms)} for a move: "
                + ("give it above 0 s to 24h" if most else "there is nothing to add")
            )

    @classmethod
    def read(cls, text: str) -> Self:
        """A time control from its text: see `FORMS`."""
        plain = " ".join(text.lower().split())
        if plain in ("none", "no", "off"):
            return cls()
        if found := _PER_MOVE.fullmatch(plain):
            return cls(Kind.PER_MOVE, _milliseconds(found["base"], text))
        found = _CONTROL.fullmatch(plain)
        if found is None or (found["way"] and found["way"] not in _WAYS):
            raise BadClock(f"clock {excerpt(text)}: {_advice(plain, found)}")
        base_ms = _milliseconds(found["base"], text)
        extra_ms = _milliseconds(found["extra"], text) if found["way"] else 0
        if not extra_ms:
            return cls(Kind.SUDDEN_DEATH, base_ms)
        return cls(_WAYS[found["way"]], base_ms, extra_ms)

    def __str__(self) -> str:
        base = _duration(self.base_ms)
        match self.kind:
            case Kind.NONE:
                return "none"
            case Kind.SUDDEN_DEATH:
                return base
            case Kind.PER_MOVE:
                return f"{base}/move"
            case Kind.FISCHER:
                return f"{base}+{_duration(self.extra_ms)}"
            case _:
                return f"{base}-{self.kind}-{_duration(self.extra_ms)}"

    @property
    def delay_ms(self) -> int:
        """How long a player may think over a move before the clock runs."""
        return self.extra_ms if self.kind is Kind.DELAY else 0

    @property
    def low_ms(self) -> float:
        """With less than that on the clock a player should hurry."""
        return min(LOW_MS, LOW_SHARE * self.base_ms)


def _advice(plain: str, found: re.Match[str] | None) -> str:
    """What to write instead."""
    bare = _PLAIN.fullmatch(plain)
    if bare:
        meant = f"{bare[1]}m+{bare[2]}s" if bare[2] else f"{bare[1]}m or {bare[1]}s"
        return f"say of what: {meant}"
    if found is not None:
        return f"there is no way to count called {found['way']!r}; write one of {FORMS}"
    return f"write one of {FORMS}"


def _milliseconds(text: str, whole: str) -> int:
    """`1h30m` and the like; units from large to small, each once."""
    parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)([hms])", text)
    units = [unit for _, unit in parts]
    if units != sorted(set(units), key="hms".index):
        raise BadClock(f"clock {excerpt(whole)}: in {text!r}, write hours, minutes, seconds: 1h30m")
    if len(text) > 20:
        raise BadClock(f"clock {excerpt(whole)}: a clock shows at most 24h")
    total_ms = sum(float(count) * UNITS_MS[unit] for count, unit in parts)
    if abs(total_ms - round(total_ms)) > 1e-6:
        raise BadClock(f"clock {excerpt(whole)}: {text!r} is finer than a thousandth of a second")
    return round(total_ms)


def _duration(length_ms: int) -> str:
    minutes, left_ms = divmod(length_ms, UNITS_MS["m"])
    hours, minutes = divmod(minutes, 60)
    parts = [f"{count}{unit}" for count, unit in ((hours, "h"), (minutes, "m")) if count]
    if left_ms or not parts:
        seconds, thousandths = divmod(left_ms, 1000)
        fine = f".{thousandths:03}".rstrip("0") if thousandths else ""
        parts.append(f"{seconds}{fine}s")
    return "".join(parts)


def _called(length_ms: int) -> str:
    return _duration(length_ms) if length_ms >= 0 else f"{length_ms} ms"


def clock_face(left_ms: float | None) -> str:
    """`1:02:03`, `4:59`, `0:07.3`: rounded up, so that zero means that time is over."""
    if left_ms is None:
        return "no clock"
    if 0 < left_ms < TENTHS_BELOW_MS - 100:
        tenths = math.ceil(left_ms / 100)
        return f"0:{tenths // 10:02}.{tenths % 10}"
    minutes, seconds = divmod(math.ceil(left_ms / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clocks of both players: what they had at `at_ms`, and who is running since."""

    control: TimeControl = TimeControl()
    left_ms: tuple[float, float] = (0.0, 0.0)
    spent_ms: tuple[float, float] = (0.0, 0.0)  # on the move that each is thinking over
    running: tuple[Player, ...] = ()
    fallen: tuple[Player, ...] = ()  # whose time was over first; both, if at the same moment
    at_ms: float | None = None  # None: no moment is known yet

    @classmethod
    def of(cls, control: TimeControl) -> Self:
        """As a game begins; nothing runs."""
        return cls(control, (float(control.base_ms), float(control.base_ms)))

    # -- what they show ----------------------------------------------------------------------

    def remaining_ms(self, player: Player, at_ms: float) -> float | None:
        """What that player has left; None without a clock."""
        return None if self.control.kind is Kind.NONE else self.at(at_ms).left_ms[player]

    def flagged(self, at_ms: float) -> Player | None:
        """The player whose time is over; the first one. `at(...).fallen` names both of a tie."""
        fallen = self.at(at_ms).fallen
        return fallen[0] if fallen else None

    def low(self, at_ms: float) -> tuple[Player, ...]:
        """Whose clock runs, with little left on it."""
        if self.control.kind is Kind.NONE:
            return ()
        now = self.at(at_ms)
        return tuple(p for p in now.running if now.left_ms[p] < self.control.low_ms)

    def next_flag_ms(self) -> float | None:
        """When the first clock will have run out; None: never as they run, or one already has."""
        if self.fallen or not self.running or self.control.kind is Kind.NONE:
            return None
        return min(self._flag_ms(player) for player in self.running)

    # -- what happens to them ----------------------------------------------------------------

    def start(self, players: Player | Iterable[Player], at_ms: float) -> Self:
        """From now on these run, and no others."""
        wanted = {players} if isinstance(players, int) else set(players)
        for player in wanted:
            _check_player(player)
        return replace(self.at(at_ms), running=tuple(sorted(wanted)))

    def stop(self, player: Player | None, at_ms: float) -> Self:
        """One clock stands still, or all; the move that it was for is not over by that."""
        if player is not None:
            _check_player(player)
        rest = () if player is None else tuple(p for p in self.running if p != player)
        return replace(self.at(at_ms), running=rest)

    def moved(self, player: Player, at_ms: float) -> Self:
        """The player's move is made: the clock stops, and gets what the control gives.

        Nothing is given to a clock that has run out. It may have been stopped before.
        """
        now = self.stop(player, at_ms)
        left_ms, spent_ms = now.left_ms[player], now.spent_ms[player]
        if left_ms > 0:
            match self.control.kind:
                case Kind.FISCHER:
                    left_ms += self.control.extra_ms
                case Kind.BRONSTEIN:
                    left_ms += min(spent_ms, self.control.extra_ms)
                case Kind.PER_MOVE:
                    left_ms = float(self.control.base_ms)
        return now._set(player, left_ms, 0.0)

    def with_remaining(self, player: Player, left_ms: float, at_ms: float | None = None) -> Self:
        """As a referee sets it; a clock that had run out and is given time runs again.

        The time until `at_ms` is counted first; without it, until the last known moment.
        """
        _check_player(player)
        if self.control.kind is Kind.NONE:
            raise BadClock("this game is played without clocks: there is none to set")
        if not 0 <= left_ms <= LONGEST_MS:
            raise BadClock(f"a clock cannot be set to {left_ms:g} ms: it shows 0 s to 24h")
        now = self if at_ms is None else self.at(at_ms)
        now = now._set(player, float(left_ms), now.spent_ms[player])
        over = tuple(p for p in (0, 1) if now.left_ms[p] <= 0)
        still = tuple(p for p in now.fallen if p in over)
        return replace(now, fallen=still or over)

    def taken_back(self, earlier: Clocks) -> Self:
        """The times as they were then, with nothing running."""
        return replace(
            self,
            left_ms=earlier.left_ms,
            spent_ms=(0.0, 0.0),
            fallen=earlier.fallen,
            running=(),
        )

    def halted(self) -> Self:
        """As after a power cut: nothing runs, and moments of another clock may come."""
        return replace(self, running=(), at_ms=None)

    def at(self, at_ms: float) -> Self:
        """The same clocks, a while later."""
        if not math.isfinite(at_ms):
            raise BadClock(f"{at_ms} is no moment")
        if self.at_ms is None or not self.running:
            return replace(self, at_ms=at_ms if self.at_ms is None else max(self.at_ms, at_ms))
        if at_ms <= self.at_ms:
            return self
        left_ms, spent_ms = list(self.left_ms), list(self.spent_ms)
        flags: dict[Player, float] = {}
        for player in self.running:
            spent_ms[player] += at_ms - self.at_ms
            if self.control.kind is Kind.NONE:
                continue
            used_ms = at_ms - self.at_ms - self._delay_left_ms(player)
            flag_ms = self._flag_ms(player)
            # Both, since rounding may let one of them be a hair off; who wakes at `next_flag_ms`
            # must find a flag.
            if at_ms >= flag_ms or used_ms >= left_ms[player]:
                if left_ms[player] > 0:
                    flags[player] = flag_ms
                left_ms[player] = 0.0
            else:
                left_ms[player] -= max(0.0, used_ms)
        fallen = self.fallen
        if flags and not fallen:
            fallen = tuple(p for p in sorted(flags) if flags[p] == min(flags.values()))
        return replace(
            self,
            left_ms=(left_ms[0], left_ms[1]),
            spent_ms=(spent_ms[0], spent_ms[1]),
            fallen=fallen,
            at_ms=at_ms,
        )

    def _delay_left_ms(self, player: Player) -> float:
        return max(0.0, self.control.delay_ms - self.spent_ms[player])

    def _flag_ms(self, player: Player) -> float:
        return (self.at_ms or 0.0) + (self._delay_left_ms(player) + self.left_ms[player])

    def _set(self, player: Player, left_ms: float, spent_ms: float) -> Self:
        lefts, spents = list(self.left_ms), list(self.spent_ms)
        lefts[player], spents[player] = left_ms, spent_ms
        return replace(self, left_ms=(lefts[0], lefts[1]), spent_ms=(spents[0], spents[1]))

    # -- JSON --------------------------------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        return {
            "control": str(self.control),
            "left_ms": list(self.left_ms),
            "spent_ms": list(self.spent_ms),
            "running": list(self.running),
            "fallen": list(self.fallen),
            "at_ms": self.at_ms,
        }

    @classmethod
    def from_json(cls, value: Any) -> Self:
        """Clocks as `as_json` wrote them."""
        names = ("control", "left_ms", "spent_ms", "running", "fallen", "at_ms")
        found: Mapping[str, Any] = strict_json.fields(value, "clocks", BadClock, names)
        control, at_ms = found["control"], found["at_ms"]
        if not isinstance(control, str):
            raise BadClock(f"clocks: control must be text such as '5m+3s', not {excerpt(control)}")
        lefts, spents = (
            [
                _time(each, f"clocks: {name}")
                for each in strict_json.items(found[name], f"clocks: {name}", BadClock, 2)
            ]
            for name in ("left_ms", "spent_ms")
        )
        return cls(
            TimeControl.read(control),
            (lefts[0], lefts[1]),
            (spents[0], spents[1]),
            _players(found["running"], "running"),
            _players(found["fallen"], "fallen"),
            None if at_ms is None else _moment(at_ms, "clocks: at_ms"),
        )


def _check_player(player: Player) -> None:
    if player not in (0, 1):
        raise BadClock(f"there is no clock of player {player!r}: they are 0 and 1")


def _players(value: Any, name: str) -> tuple[Player, ...]:
    items = strict_json.items(value, f"clocks: {name}", BadClock)
    found = tuple(strict_json.whole(p, f"clocks: {name}", BadClock, 0, 1) for p in items)
    if list(found) != sorted(set(found)):
        raise BadClock(f"clocks: {name} must name players once and in order, not {excerpt(value)}")
    return found


def _moment(value: Any, what: str) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise BadClock(f"{what} must be a number of milliseconds, not {excerpt(value)}")
    return float(value)


def _time(value: Any, what: str) -> float:
    moment = _moment(value, what)
    if moment < 0:
        raise BadClock(f"{what} must not be below zero, not {excerpt(value)}")
    return moment
