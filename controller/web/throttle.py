"""So much in so long: buckets that refill, for guesses and for everything else that costs.

An empty bucket is never empty for good: whoever waits is heard again.
"""

from __future__ import annotations

from collections import OrderedDict


class Bucket:
    """Holds `most`, and gets one more every `refill_ms`."""

    def __init__(self, most: int, refill_ms: float, now_ms: float) -> None:
        self._most, self._refill_ms = float(most), refill_ms
        self._left, self._at_ms = float(most), now_ms

    def take(self, now_ms: float) -> bool:
        """One, if there is one."""
        self._refill(now_ms)
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True

    def wait_ms(self, now_ms: float) -> float:
        """How long until there is one."""
        self._refill(now_ms)
        return max(0.0, 1.0 - self._left) * self._refill_ms

    def give_back(self) -> None:
        """One that was taken and cost nothing."""
        self._left = min(self._most, self._left + 1.0)

    def _refill(self, now_ms: float) -> None:
        gained = max(0.0, now_ms - self._at_ms) / self._refill_ms
        self._left, self._at_ms = min(self._most, self._left + gained), now_ms


class Buckets:
    """A bucket for each of those who come; of so many at most, the ones not seen for longest go."""

    def __init__(self, most: int, refill_ms: float, remembered: int = 1000) -> None:
        self._most, self._refill_ms, self._remembered = most, refill_ms, remembered
        self._each: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, name: str, now_ms: float) -> Bucket:
        bucket = self._each.pop(name, None) or Bucket(self._most, self._refill_ms, now_ms)
        self._each[name] = bucket
        if len(self._each) > self._remembered:
            self._each.popitem(last=False)
        return bucket
