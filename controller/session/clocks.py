"""Time controls, and the clocks of a game as a frozen value.

Every call passes its own time (`at_ms`). A time before that of the last call counts as the latter.
A clock that has run out stays at zero until `with_remaining` adds time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from controller.session import sentences
from engine import strict_json
from engine.errors import LaserboardError, excerpt
from engine.game import Player
from engine.sentences import Sentence

MAX_CLOCK_MS = 24 * 3_600_000
UNIT_MS = {"h": 3_600_000, "m": 60_000, "s": 1000}
TENTHS_BELOW_MS = 10_000.0
LOW_MS, LOW_SHARE = 10_000.0, 0.1

CLOCK_FORMS = (
    "none; 10m (ten minutes for the whole game); 5m+3s (Fischer: 3 s more after every move); "
    "5m-bronstein-3s (the time used for a move is added back, at most 3 s); "
    "5m-delay-3s (the clock waits 3 s before it runs); 30s/move"
)


class BadClock(LaserboardError, ValueError):
    """Invalid time control, or a time that no clock can show."""


class ClockKind(StrEnum):
    """How a time control counts."""

    NONE = "none"
    SUDDEN_DEATH = "sudden death"  # one time for the whole game
    FISCHER = "fischer"  # plus an increment after every move
    BRONSTEIN = "bronstein"  # plus the time that the move took, up to a limit
    DELAY = "delay"  # the clock starts after a delay
    PER_MOVE = "per move"  # the same time for every move, not carried over


_WITH_EXTRA = {ClockKind.FISCHER, ClockKind.BRONSTEIN, ClockKind.DELAY}
_KIND_BY_WORD = {
    "+": ClockKind.FISCHER,
    "f": ClockKind.FISCHER,
    "fischer": ClockKind.FISCHER,
    "b": ClockKind.BRONSTEIN,
    "bronstein": ClockKind.BRONSTEIN,
    "d": ClockKind.DELAY,
    "delay": ClockKind.DELAY,
}
_DURATION = r"(?:[0-9]+(?:\.[0-9]+)?[hms])+"
_CONTROL = re.compile(
    rf"(?P<base>{_DURATION})(?:[ -]*(?P<kind>\+|[a-z]+)[ -]*(?P<extra>{_DURATION}))?"
)
_PER_MOVE = re.compile(rf"(?P<base>{_DURATION}) ?(?:/|per|a) ?(?:move|turn)")
_PLAIN = re.compile(r"([0-9]{1,4})(?:\+([0-9]{1,4}))?")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time players have. `extra_ms` is the increment, the Bronstein limit or the delay."""

    kind: ClockKind = ClockKind.NONE
    base_ms: int = 0
    extra_ms: int = 0

    def __post_init__(self) -> None:
        if self.kind is ClockKind.NONE:
            if self.base_ms or self.extra_ms:
                raise BadClock(
                    sentences.CLOCK_WITHOUT_TIME(base_ms=self.base_ms, extra_ms=self.extra_ms)
                )
            return
        if not 1 <= self.base_ms <= MAX_CLOCK_MS:
            raise BadClock(sentences.CLOCK_BASE(time=_duration_text(self.base_ms)))
        least = 1 if self.kind in _WITH_EXTRA else 0
        most = MAX_CLOCK_MS if self.kind in _WITH_EXTRA else 0
        if not least <= self.extra_ms <= most:
            problem = sentences.CLOCK_EXTRA if most else sentences.CLOCK_NO_EXTRA
            raise BadClock(problem(kind=self.kind.value, time=_duration_text(self.extra_ms)))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a time control; `CLOCK_FORMS` lists the forms."""
        plain = " ".join(text.lower().split())
        if plain in ("none", "no", "off"):
            return cls()
        if found := _PER_MOVE.fullmatch(plain):
            return cls(ClockKind.PER_MOVE, _parse_duration_ms(found["base"], text))
        found = _CONTROL.fullmatch(plain)
        if found is None or (found["kind"] and found["kind"] not in _KIND_BY_WORD):
            raise _bad_clock(text, _advice(plain, found))
        base_ms = _parse_duration_ms(found["base"], text)
        extra_ms = _parse_duration_ms(found["extra"], text) if found["kind"] else 0
        if not extra_ms:
            return cls(ClockKind.SUDDEN_DEATH, base_ms)
        return cls(_KIND_BY_WORD[found["kind"]], base_ms, extra_ms)

    def __str__(self) -> str:
        base = _format_duration(self.base_ms)
        match self.kind:
            case ClockKind.NONE:
                return "none"
            case ClockKind.SUDDEN_DEATH:
                return base
            case ClockKind.PER_MOVE:
                return f"{base}/move"
            case ClockKind.FISCHER:
                return f"{base}+{_format_duration(self.extra_ms)}"
            case _:
                return f"{base}-{self.kind}-{_format_duration(self.extra_ms)}"

    @property
    def delay_ms(self) -> int:
        """How long the clock waits at the start of a move."""
        return self.extra_ms if self.kind is ClockKind.DELAY else 0

    @property
    def low_ms(self) -> float:
        """Below this the player is warned."""
        return min(LOW_MS, LOW_SHARE * self.base_ms)


def _bad_clock(text: str, advice: Sentence) -> BadClock:
    return BadClock(sentences.BAD_CLOCK(value=excerpt(text), advice=advice))


def _advice(plain: str, found: re.Match[str] | None) -> Sentence:
    """Says what to write instead."""
    bare = _PLAIN.fullmatch(plain)
    if bare:
        meant = f"{bare[1]}m+{bare[2]}s" if bare[2] else f"{bare[1]}m or {bare[1]}s"
        return sentences.CLOCK_UNIT(example=meant)
    if found is not None:
        return sentences.CLOCK_NO_KIND(kind=found["kind"], forms=CLOCK_FORMS)
    return sentences.CLOCK_WRITE(forms=CLOCK_FORMS)


def _parse_duration_ms(text: str, full_text: str) -> int:
    """Parse `1h30m`: units from large to small, each once."""
    parts = re.findall(r"([0-9]+(?:\.[0-9]+)?)([hms])", text)
    units = [unit for _, unit in parts]
    if units != sorted(set(units), key="hms".index):
        raise _bad_clock(full_text, sentences.CLOCK_UNIT_ORDER(text=text))
    if len(text) > 20:
        raise _bad_clock(full_text, sentences.CLOCK_TOO_LONG())
    total_ms = sum(float(count) * UNIT_MS[unit] for count, unit in parts)
    if abs(total_ms - round(total_ms)) > 1e-6:
        raise _bad_clock(full_text, sentences.CLOCK_TOO_FINE(text=text))
    return round(total_ms)


def _format_duration(length_ms: int) -> str:
    minutes, left_ms = divmod(length_ms, UNIT_MS["m"])
    hours, minutes = divmod(minutes, 60)
    parts = [f"{count}{unit}" for count, unit in ((hours, "h"), (minutes, "m")) if count]
    if left_ms or not parts:
        seconds, thousandths = divmod(left_ms, 1000)
        fine = f".{thousandths:03}".rstrip("0") if thousandths else ""
        parts.append(f"{seconds}{fine}s")
    return "".join(parts)


def _duration_text(length_ms: int) -> str:
    return _format_duration(length_ms) if length_ms >= 0 else f"{length_ms} ms"


def format_clock(left_ms: float | None) -> str:
    """`1:02:03`, `4:59`, `0:07.3`: rounded up, so that zero means that the time has run out."""
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
    """The clocks of both players as of `at_ms`. Those in `running` have run since."""

    control: TimeControl = TimeControl()
    left_ms: tuple[float, float] = (0.0, 0.0)
    spent_ms: tuple[float, float] = (0.0, 0.0)  # on the current move of each player
    running: tuple[Player, ...] = ()
    fallen: tuple[Player, ...] = ()  # whose time ran out first; both on a tie
    at_ms: float | None = None  # None before the first call

    @classmethod
    def for_control(cls, control: TimeControl) -> Self:
        """Full clocks, none of them running."""
        return cls(control, (float(control.base_ms), float(control.base_ms)))

    # -- readings ----------------------------------------------------------------------------

    def remaining_ms(self, player: Player, at_ms: float) -> float | None:
        """The remaining time of a player; None without a clock."""
        return None if self.control.kind is ClockKind.NONE else self.at(at_ms).left_ms[player]

    def players_low_on_time(self, at_ms: float) -> tuple[Player, ...]:
        """Players whose clock runs with less than `low_ms` left."""
        if self.control.kind is ClockKind.NONE:
            return ()
        now = self.at(at_ms)
        return tuple(p for p in now.running if now.left_ms[p] < self.control.low_ms)

    def next_flag_ms(self) -> float | None:
        """When the first running clock runs out; None if none will, or one has already."""
        if self.fallen or not self.running or self.control.kind is ClockKind.NONE:
            return None
        return min(self._flag_ms(player) for player in self.running)

    # -- changes -----------------------------------------------------------------------------

    def start(self, players: Player | Iterable[Player], at_ms: float) -> Self:
        """Run these clocks, and stop all others."""
        wanted = {players} if isinstance(players, int) else set(players)
        for player in wanted:
            _check_player(player)
        return replace(self.at(at_ms), running=tuple(sorted(wanted)))

    def stop(self, player: Player | None, at_ms: float) -> Self:
        """Stop one clock, or all (None). The time spent on the current move is kept."""
        if player is not None:
            _check_player(player)
        rest = () if player is None else tuple(p for p in self.running if p != player)
        return replace(self.at(at_ms), running=rest)

    def after_move(self, player: Player, at_ms: float) -> Self:
        """Stop the player's clock and add what the time control gives for a move.

        A clock that has run out gets nothing.
        """
        now = self.stop(player, at_ms)
        left_ms, spent_ms = now.left_ms[player], now.spent_ms[player]
        if left_ms > 0:
            match self.control.kind:
                case ClockKind.FISCHER:
                    left_ms += self.control.extra_ms
                case ClockKind.BRONSTEIN:
                    left_ms += min(spent_ms, self.control.extra_ms)
                case ClockKind.PER_MOVE:
                    left_ms = float(self.control.base_ms)
        return now._set(player, left_ms, 0.0)

    def with_remaining(self, player: Player, left_ms: float, at_ms: float | None = None) -> Self:
        """Set a clock, for a referee's ruling. A clock that had run out can then run again.

        Time up to `at_ms` is counted first; without it, up to the last call.
        """
        _check_player(player)
        if self.control.kind is ClockKind.NONE:
            raise BadClock(sentences.NO_CLOCK_TO_SET())
        if not 0 <= left_ms <= MAX_CLOCK_MS:
            raise BadClock(sentences.CLOCK_CANNOT_SHOW(ms=float(left_ms)))
        now = self if at_ms is None else self.at(at_ms)
        now = now._set(player, float(left_ms), now.spent_ms[player])
        over = tuple(p for p in (0, 1) if now.left_ms[p] <= 0)
        still = tuple(p for p in now.fallen if p in over)
        return replace(now, fallen=still or over)

    def restored_from(self, earlier: Clocks) -> Self:
        """The times of `earlier`, with no clock running."""
        return replace(
            self,
            left_ms=earlier.left_ms,
            spent_ms=(0.0, 0.0),
            fallen=earlier.fallen,
            running=(),
        )

    def stopped_for_resume(self) -> Self:
        """No clock runs, and the next call may use another time base (after a restart)."""
        return replace(self, running=(), at_ms=None)

    def at(self, at_ms: float) -> Self:
        """The same clocks with the time up to `at_ms` counted."""
        if not math.isfinite(at_ms):
            raise BadClock(sentences.BAD_TIME(value=str(at_ms)))
        if self.at_ms is None or not self.running:
            return replace(self, at_ms=at_ms if self.at_ms is None else max(self.at_ms, at_ms))
        if at_ms <= self.at_ms:
            return self
        left_ms, spent_ms = list(self.left_ms), list(self.spent_ms)
        flags: dict[Player, float] = {}
        for player in self.running:
            spent_ms[player] += at_ms - self.at_ms
            if self.control.kind is ClockKind.NONE:
                continue
            used_ms = at_ms - self.at_ms - self._delay_left_ms(player)
            flag_ms = self._flag_ms(player)
            # Both, since rounding may make one of them slightly too small; a caller that wakes at
            # `next_flag_ms` must find a flag.
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
        remaining, spent = list(self.left_ms), list(self.spent_ms)
        remaining[player], spent[player] = left_ms, spent_ms
        return replace(self, left_ms=(remaining[0], remaining[1]), spent_ms=(spent[0], spent[1]))

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
        """The reverse of `as_json`."""
        names = ("control", "left_ms", "spent_ms", "running", "fallen", "at_ms")
        found: Mapping[str, Any] = strict_json.require_object(value, "clocks", BadClock, names)
        control, at_ms = found["control"], found["at_ms"]
        if not isinstance(control, str):
            raise BadClock(sentences.CONTROL_NOT_TEXT(value=excerpt(control)))
        remaining, spent = (
            [
                _read_duration_ms(each, f"clocks: {name}")
                for each in strict_json.require_list(found[name], f"clocks: {name}", BadClock, 2)
            ]
            for name in ("left_ms", "spent_ms")
        )
        return cls(
            TimeControl.parse(control),
            (remaining[0], remaining[1]),
            (spent[0], spent[1]),
            _read_players(found["running"], "running"),
            _read_players(found["fallen"], "fallen"),
            None if at_ms is None else _read_moment_ms(at_ms, "clocks: at_ms"),
        )


def _check_player(player: Player) -> None:
    if player not in (0, 1):
        raise BadClock(sentences.NO_CLOCK_OF(value=repr(player)))


def _read_players(value: Any, name: str) -> tuple[Player, ...]:
    items = strict_json.require_list(value, f"clocks: {name}", BadClock)
    found = tuple(strict_json.require_int(p, f"clocks: {name}", BadClock, 0, 1) for p in items)
    if list(found) != sorted(set(found)):
        raise BadClock(sentences.PLAYERS_ONCE(name=name, value=excerpt(value)))
    return found


def _read_moment_ms(value: Any, what: str) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise BadClock(sentences.NOT_MILLISECONDS(what=what, value=excerpt(value)))
    return float(value)


def _read_duration_ms(value: Any, what: str) -> float:
    moment = _read_moment_ms(value, what)
    if moment < 0:
        raise BadClock(sentences.BELOW_ZERO(what=what, value=excerpt(value)))
    return moment
