"""The doors of the page: who comes in, by which secret, and as what.

Two secrets are made anew at every start: the key, in the address that the terminal shows, opens
as referee; the PIN, on the terminal and on the board, opens as spectator who may take a seat.
Whoever is in has a cookie, and is known again by its hash. Only for the thread of the page.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from controller.ports import Clock
from controller.web.rights import Role, Visitor
from controller.web.secrets_file import MOST_KEPT, Entered, Hashed, load, save
from controller.web.throttle import Bucket, Buckets
from engine.errors import LaserboardError
from engine.game import Player

T = TypeVar("T")

PIN_DIGITS = 6
KEPT_DAYS = 30
LONGEST_SECRET = 200
# Guesses: a few at once from one place, and not many from all places together.
BURST, REFILL_MS = 5, 5_000.0
BURST_OF_ALL, REFILL_OF_ALL_MS = 40, 1_000.0


class Refused(LaserboardError, ValueError):
    """Somebody who is not let in; `wait_ms` is how long they must not try again."""

    def __init__(self, sentence: str, wait_ms: float = 0.0) -> None:
        super().__init__(sentence)
        self.wait_ms = wait_ms


def new_key() -> str:
    """For the address that the terminal shows."""
    return secrets.token_urlsafe(24)


def new_pin() -> str:
    """For the terminal and the board."""
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"


class Doors:
    """All ways in. Without a PIN, whoever can reach this computer may watch."""

    def __init__(
        self, clock: Clock, today: int, path: Path | None, key: str, pin: str | None
    ) -> None:
        self._clock, self._today, self._path = clock, today, path
        self._key, self._pin = Hashed.of(key), None if pin is None else Hashed.of(pin)
        self._entered = {} if path is None else load(path, today, KEPT_DAYS)
        self._known: dict[str, bytes] = {}  # of whoever was checked since the start, a fast hash
        self._places = Buckets(BURST, REFILL_MS)
        self._all = Bucket(BURST_OF_ALL, REFILL_OF_ALL_MS, clock.now_ms())
        self._checking = asyncio.Semaphore(1)  # each check takes 16 MiB for a moment
        self.kept = True  # what the file should hold, it holds

    @property
    def needs_pin(self) -> bool:
        return self._pin is not None

    async def visitor(self, cookie: str | None, place: str) -> Visitor | None:
        """Who has that cookie; None: nobody who may see anything."""
        entered = await self._owner(cookie, place)
        if entered is not None:
            return Visitor(entered.id, entered.role, entered.seat)
        return None if self.needs_pin else Visitor()

    async def enter(self, *, key: str | None = None, pin: str | None = None, place: str) -> str:
        """A cookie for whoever knows a secret; `Refused` for all others."""
        wanted, given = (self._key, key) if key is not None else (self._pin, pin)
        if wanted is None or given is None:
            raise Refused("no PIN is needed here: anybody at this computer may watch")
        if not await self._fits(wanted, given, place):
            what = "PIN" if key is None else "key"
            raise Refused(f"that is not the {what}: the terminal shows it")
        secret, name = secrets.token_urlsafe(32), secrets.token_hex(8)
        role = Role.REFEREE if key is not None else Role.SPECTATOR
        hashed = await self._slowly(lambda: Hashed.of(secret))
        self._known[name] = _fast(secret)
        self._keep(Entered(name, hashed, role, None, self._today))
        return f"{name}.{secret}"

    def leave(self, visitor: Visitor) -> None:
        """Forget somebody."""
        self._known.pop(visitor.id, None)
        if self._entered.pop(visitor.id, None) is not None:
            self._save()

    def sit(self, visitor: Visitor, seat: Player) -> Visitor:
        """The visitor on that seat; `Refused` if another has it."""
        if any(each.seat == seat and each.id != visitor.id for each in self._entered.values()):
            raise Refused("somebody sits there: ask them or the referee to stand up")
        return self._seated(visitor, seat)

    def stand(self, visitor: Visitor, seat: Player | None) -> Visitor:
        """Whoever sits there does not any more; without a seat, the visitor."""
        for each in list(self._entered.values()):
            if seat is not None and each.seat == seat and each.id != visitor.id:
                self._seated(Visitor(each.id, each.role, each.seat), None)
        return self._seated(visitor, None) if seat in (None, visitor.seat) else visitor

    def now(self, visitor: Visitor) -> Visitor | None:
        """The same visitor as they are by now; None: they are not known any more."""
        if not visitor.id:
            return visitor
        each = self._entered.get(visitor.id)
        return None if each is None else Visitor(each.id, each.role, each.seat)

    def taken(self) -> tuple[Player, ...]:
        """The seats that somebody on a page has."""
        return tuple(sorted({e.seat for e in self._entered.values() if e.seat is not None}))

    # -- checks ------------------------------------------------------------------------------

    async def _owner(self, cookie: str | None, place: str) -> Entered | None:
        name, _, secret = (cookie or "").partition(".")
        entered = self._entered.get(name)
        if entered is None or not 0 < len(secret) <= LONGEST_SECRET:
            return None
        known = self._known.get(name)
        if known is not None:
            return entered if hmac.compare_digest(known, _fast(secret)) else None
        if not await self._fits(entered.secret, secret, place):
            return None
        self._known[name] = _fast(secret)
        return entered

    async def _fits(self, wanted: Hashed, given: str, place: str) -> bool:
        """Whether it is the secret. What is wrong costs the right to try again for a while."""
        if not 0 < len(given) <= LONGEST_SECRET:
            raise Refused("that is no secret of ours")
        now_ms = self._clock.now_ms()
        mine = self._places.of(place, now_ms)
        wait_ms = max(mine.wait_ms(now_ms), self._all.wait_ms(now_ms))
        if wait_ms > 0:
            raise Refused(f"too many tries: wait {max(1, round(wait_ms / 1000))} s", wait_ms)
        mine.take(now_ms)  # before it is known whether it fits: tries at the same time count too
        self._all.take(now_ms)
        fits = await self._slowly(lambda: wanted.fits(given))
        if fits:
            mine.give_back()
            self._all.give_back()
        return fits

    async def _slowly(self, work: Callable[[], T]) -> T:
        """In a thread, one after the other."""
        async with self._checking:
            return await asyncio.to_thread(work)

    # -- who is in -----------------------------------------------------------------------------

    def _seated(self, visitor: Visitor, seat: Player | None) -> Visitor:
        each = self._entered.get(visitor.id)
        if each is None:
            raise Refused("you are not known here: enter with the PIN first")
        role = each.role
        if role is not Role.REFEREE:
            role = Role.SPECTATOR if seat is None else Role.PLAYER
        self._keep(replace(each, role=role, seat=seat))
        return Visitor(each.id, role, seat)

    def _keep(self, each: Entered) -> None:
        self._entered[each.id] = each
        standing = [name for name, other in self._entered.items() if other.seat is None]
        for name in standing[: max(0, len(self._entered) - MOST_KEPT)]:
            del self._entered[name]
            self._known.pop(name, None)
        self._save()

    def _save(self) -> None:
        """Who cannot be kept must enter again after a restart, and that is all."""
        if self._path is None:
            return
        try:
            save(self._path, self._entered.values())
            self.kept = True
        except OSError:
            self.kept = False


def _fast(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
