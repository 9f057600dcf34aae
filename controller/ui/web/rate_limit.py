"""Rate limits as token buckets, for logins, commands and analyses.

A call takes one token. An empty bucket refuses, and refills with time; a client is never locked out
for good.
"""

from __future__ import annotations

from collections import OrderedDict


class TokenBucket:
    """Holds up to `capacity` tokens, and gets one every `refill_ms`."""

    def __init__(self, capacity: int, refill_ms: float, now_ms: float) -> None:
        self._capacity, self._refill_ms = float(capacity), refill_ms
        self._tokens, self._at_ms = float(capacity), now_ms

    def take(self, now_ms: float) -> bool:
        """Take a token; False if there is none."""
        self._refill(now_ms)
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True

    def wait_ms(self, now_ms: float) -> float:
        """The time until the next token; 0 if there is one."""
        self._refill(now_ms)
        return max(0.0, 1.0 - self._tokens) * self._refill_ms

    def refund(self) -> None:
        """Put back a token that was taken."""
        self._tokens = min(self._capacity, self._tokens + 1.0)

    def _refill(self, now_ms: float) -> None:
        gained = max(0.0, now_ms - self._at_ms) / self._refill_ms
        self._tokens, self._at_ms = min(self._capacity, self._tokens + gained), now_ms


class TokenBuckets:
    """A bucket for each name; beyond `max_buckets`, the least recently used is dropped."""

    def __init__(self, capacity: int, refill_ms: float, max_buckets: int = 1000) -> None:
        self._capacity, self._refill_ms, self._max_buckets = capacity, refill_ms, max_buckets
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def bucket_for(self, name: str, now_ms: float) -> TokenBucket:
        bucket = self._buckets.pop(name, None)
        if bucket is None:
            bucket = TokenBucket(self._capacity, self._refill_ms, now_ms)
        self._buckets[name] = bucket  # at the end: the most recently used
        if len(self._buckets) > self._max_buckets:
            self._buckets.popitem(last=False)
        return bucket
