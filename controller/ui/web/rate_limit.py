"""So much in so long: buckets that refill, for guesses and for everything else that costs.

An empty bucket is never empty for good: whoever waits is heard again.
"""

from __future__ import annotations

from collections import OrderedDict


class TokenBucket:
    """Holds `capacity`, and gets one more every `refill_ms`."""

    def __init__(self, capacity: int, refill_ms: float, now_ms: float) -> None:
        self._capacity, self._refill_ms = float(capacity), refill_ms
        self._tokens, self._at_ms = float(capacity), now_ms

    def take(self, now_ms: float) -> bool:
        """One, if there is one."""
        self._refill(now_ms)
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True

    def wait_ms(self, now_ms: float) -> float:
        """How long until there is one."""
        self._refill(now_ms)
        return max(0.0, 1.0 - self._tokens) * self._refill_ms

    def refund(self) -> None:
        """One that was taken and cost nothing."""
        self._tokens = min(self._capacity, self._tokens + 1.0)

    def _refill(self, now_ms: float) -> None:
        gained = max(0.0, now_ms - self._at_ms) / self._refill_ms
        self._tokens, self._at_ms = min(self._capacity, self._tokens + gained), now_ms


class TokenBuckets:
    """A bucket for each of those who come; of so many at most, the ones not seen for longest go."""

    def __init__(self, capacity: int, refill_ms: float, most_buckets: int = 1000) -> None:
        self._most, self._refill_ms, self._remembered = capacity, refill_ms, most_buckets
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def bucket_for(self, name: str, now_ms: float) -> TokenBucket:
        bucket = self._buckets.pop(name, None) or TokenBucket(self._most, self._refill_ms, now_ms)
        self._buckets[name] = bucket
        if len(self._buckets) > self._remembered:
            self._buckets.popitem(last=False)
        return bucket
