"""The doors of the page: who comes in, by which secret, and as what.

Two secrets are made anew at every start: the key, in the address that the terminal shows, opens
as referee; the PIN, on the terminal and on the board, opens as spectator who may take a seat.
Whoever is in has a cookie, and is known again by its hash. Only for the thread of the page.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from controller.ports.devices import Clock
from controller.ui import sentences
from controller.ui.web.auth_store import (
    MOST_SESSIONS,
    LoginSession,
    SecretHash,
    load_sessions,
    save_sessions,
)
from controller.ui.web.permissions import Role, User
from controller.ui.web.rate_limit import TokenBucket, TokenBuckets
from engine.errors import LaserboardError
from engine.game import Player
from engine.sentences import Sentence

log = logging.getLogger(__name__)

T = TypeVar("T")

PIN_DIGITS = 6
SESSION_DAYS = 30
LONGEST_SECRET = 200
# Guesses: a few at once from one place, and not many from all places together.
BURST, REFILL_MS = 5, 5_000.0
GLOBAL_BURST, GLOBAL_REFILL_MS = 40, 1_000.0


class RequestRefused(LaserboardError, ValueError):
    """Somebody who is not let in; `wait_ms` is how long they must not try again."""

    def __init__(self, sentence: Sentence, wait_ms: float = 0.0) -> None:
        super().__init__(sentence)
        self.wait_ms = wait_ms


def new_key() -> str:
    """For the address that the terminal shows."""
    return secrets.token_urlsafe(24)


def new_pin() -> str:
    """For the terminal and the board."""
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"


class Auth:
    """All ways in. Without a PIN, whoever can reach this computer may watch."""

    def __init__(
        self, clock: Clock, today: int, path: Path | None, key: str, pin: str | None
    ) -> None:
        self._clock, self._today, self._path = clock, today, path
        self._key, self._pin = SecretHash.of(key), None if pin is None else SecretHash.of(pin)
        self._sessions = {} if path is None else load_sessions(path, today, SESSION_DAYS)
        self._verified_hashes: dict[
            str, bytes
        ] = {}  # of whoever was checked since the start, a fast hash
        self._host_limits = TokenBuckets(BURST, REFILL_MS)
        self._global_limit = TokenBucket(GLOBAL_BURST, GLOBAL_REFILL_MS, clock.now_ms())
        self._hash_lock = asyncio.Semaphore(1)  # each check takes 16 MiB for a moment
        self.is_saved = True  # what the file should hold, it holds

    @property
    def needs_pin(self) -> bool:
        return self._pin is not None

    async def authenticate(self, cookie: str | None, client_host: str) -> User | None:
        """Who has that cookie; None: nobody who may see anything."""
        entered = await self._session_for_cookie(cookie, client_host)
        if entered is not None:
            return User(entered.id, entered.role, entered.seat)
        return None if self.needs_pin else User()

    async def log_in(
        self, *, key: str | None = None, pin: str | None = None, client_host: str
    ) -> str:
        """A cookie for whoever knows a secret; `RequestRefused` for all others."""
        wanted, given = (self._key, key) if key is not None else (self._pin, pin)
        if wanted is None or given is None:
            raise RequestRefused(sentences.NO_PIN_NEEDED())
        if not await self._check_secret(wanted, given, client_host):
            wrong = sentences.WRONG_PIN if key is None else sentences.WRONG_KEY
            raise RequestRefused(wrong())
        secret, name = secrets.token_urlsafe(32), secrets.token_hex(8)
        role = Role.HOST if key is not None else Role.SPECTATOR
        hashed = await self._run_in_thread(lambda: SecretHash.of(secret))
        self._verified_hashes[name] = _fast_hash(secret)
        self._store(LoginSession(name, hashed, role, None, self._today))
        return f"{name}.{secret}"

    def log_out(self, user: User) -> None:
        """Forget somebody."""
        self._verified_hashes.pop(user.id, None)
        if self._sessions.pop(user.id, None) is not None:
            self._save()

    def take_seat(self, user: User, seat: Player) -> User:
        """The visitor on that seat; `RequestRefused` if another has it."""
        if any(each.seat == seat and each.id != user.id for each in self._sessions.values()):
            raise RequestRefused(sentences.SEAT_TAKEN())
        return self._set_seat(user, seat)

    def leave_seat(self, user: User, seat: Player | None) -> User:
        """Whoever sits there does not any more; without a seat, the visitor."""
        for each in list(self._sessions.values()):
            if seat is not None and each.seat == seat and each.id != user.id:
                self._set_seat(User(each.id, each.role, each.seat), None)
        return self._set_seat(user, None) if seat in (None, user.seat) else user

    def current_user(self, user: User) -> User | None:
        """The same visitor as they are by now; None: they are not known any more."""
        if not user.id:
            return user
        each = self._sessions.get(user.id)
        return None if each is None else User(each.id, each.role, each.seat)

    def taken_seats(self) -> tuple[Player, ...]:
        """The seats that somebody on a page has."""
        return tuple(sorted({e.seat for e in self._sessions.values() if e.seat is not None}))

    # -- checks ------------------------------------------------------------------------------

    async def _session_for_cookie(
        self, cookie: str | None, client_host: str
    ) -> LoginSession | None:
        name, _, secret = (cookie or "").partition(".")
        entered = self._sessions.get(name)
        if entered is None or not 0 < len(secret) <= LONGEST_SECRET:
            return None
        known = self._verified_hashes.get(name)
        if known is not None:
            return entered if hmac.compare_digest(known, _fast_hash(secret)) else None
        if not await self._check_secret(entered.secret_hash, secret, client_host):
            return None
        self._verified_hashes[name] = _fast_hash(secret)
        return entered

    async def _check_secret(self, expected: SecretHash, given: str, client_host: str) -> bool:
        """Whether it is the secret. What is wrong costs the right to try again for a while."""
        if not 0 < len(given) <= LONGEST_SECRET:
            raise RequestRefused(sentences.NOT_A_SECRET())
        now_ms = self._clock.now_ms()
        mine = self._host_limits.bucket_for(client_host, now_ms)
        wait_ms = max(mine.wait_ms(now_ms), self._global_limit.wait_ms(now_ms))
        if wait_ms > 0:
            seconds = max(1, round(wait_ms / 1000))
            raise RequestRefused(sentences.TOO_MANY_TRIES(seconds=seconds), wait_ms)
        mine.take(now_ms)  # before it is known whether it fits: tries at the same time count too
        self._global_limit.take(now_ms)
        fits = await self._run_in_thread(lambda: expected.matches(given))
        if fits:
            mine.refund()
            self._global_limit.refund()
        return fits

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        """In a thread, one after the other."""
        async with self._hash_lock:
            return await asyncio.to_thread(work)

    # -- who is in -----------------------------------------------------------------------------

    def _set_seat(self, user: User, seat: Player | None) -> User:
        each = self._sessions.get(user.id)
        if each is None:
            raise RequestRefused(sentences.NOT_LOGGED_IN())
        role = each.role
        if role is not Role.HOST:
            role = Role.SPECTATOR if seat is None else Role.PLAYER
        self._store(replace(each, role=role, seat=seat))
        return User(each.id, role, seat)

    def _store(self, each: LoginSession) -> None:
        self._sessions[each.id] = each
        standing = [name for name, other in self._sessions.items() if other.seat is None]
        for name in standing[: max(0, len(self._sessions) - MOST_SESSIONS)]:
            del self._sessions[name]
            self._verified_hashes.pop(name, None)
        self._save()

    def _save(self) -> None:
        """Who cannot be kept must enter again after a restart, and that is all."""
        if self._path is None:
            return
        try:
            save_sessions(self._path, self._sessions.values())
            self.is_saved = True
        except OSError:
            log.warning("cannot write %s", self._path, exc_info=True)
            self.is_saved = False


def _fast_hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
