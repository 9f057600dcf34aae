"""Authentication for the page: key and PIN, cookies, login sessions and seats.

The program makes both secrets at every start. The key, in the URL that the terminal shows, logs in
as host. The PIN, on the terminal and on the board, logs in as a spectator, who may take a seat. A
login sets a cookie; only its hash is stored. Call `Auth` only from the page's thread.
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
from controller.ui.web import sentences
from controller.ui.web.auth_store import (
    MAX_SESSIONS,
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
MAX_SECRET_LENGTH = 200
# Rate limit of wrong secrets: for each client address, and for all together.
CLIENT_BURST, CLIENT_REFILL_MS = 5, 5_000.0
GLOBAL_BURST, GLOBAL_REFILL_MS = 40, 1_000.0


class RequestRefused(LaserboardError, ValueError):
    """A request is refused; with a rate limit, `wait_ms` is the time until the next try."""

    def __init__(self, sentence: Sentence, wait_ms: float = 0.0) -> None:
        super().__init__(sentence)
        self.wait_ms = wait_ms


def new_key() -> str:
    """A random key for the URL that the terminal shows."""
    return secrets.token_urlsafe(24)


def new_pin() -> str:
    """A random PIN for the terminal and the board."""
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"


class Auth:
    """Checks secrets and keeps the login sessions. Without a PIN, every client may watch."""

    def __init__(
        self, clock: Clock, today: int, path: Path | None, key: str, pin: str | None
    ) -> None:
        self._clock, self._today, self._path = clock, today, path
        self._key, self._pin = SecretHash.of(key), None if pin is None else SecretHash.of(pin)
        self._sessions = {} if path is None else load_sessions(path, today, SESSION_DAYS)
        # SHA-256 of each cookie that scrypt has verified since the start, by session id.
        self._verified_hashes: dict[str, bytes] = {}
        self._client_limits = TokenBuckets(CLIENT_BURST, CLIENT_REFILL_MS)
        self._global_limit = TokenBucket(GLOBAL_BURST, GLOBAL_REFILL_MS, clock.now_ms())
        self._hash_lock = asyncio.Semaphore(1)  # one at a time: scrypt takes 16 MiB

    @property
    def needs_pin(self) -> bool:
        return self._pin is not None

    async def authenticate(self, cookie: str | None, client_host: str) -> User | None:
        """Return the user of a cookie; None: the client must log in."""
        session = await self._session_for_cookie(cookie, client_host)
        if session is not None:
            return _user_of(session)
        return None if self.needs_pin else User()

    async def log_in(
        self, *, key: str | None = None, pin: str | None = None, client_host: str
    ) -> str:
        """Check the key or the PIN, and return the cookie of a new login session."""
        expected, given = (self._key, key) if key is not None else (self._pin, pin)
        if expected is None or given is None:
            raise RequestRefused(sentences.NO_PIN_NEEDED())
        if not await self._check_secret(expected, given, client_host):
            wrong = sentences.WRONG_PIN if key is None else sentences.WRONG_KEY
            raise RequestRefused(wrong())
        secret, session_id = secrets.token_urlsafe(32), secrets.token_hex(8)
        role = Role.HOST if key is not None else Role.SPECTATOR
        secret_hash = await self._run_in_thread(lambda: SecretHash.of(secret))
        self._verified_hashes[session_id] = _fast_hash(secret)
        self._store(LoginSession(session_id, secret_hash, role, None, self._today))
        return f"{session_id}.{secret}"

    def log_out(self, user: User) -> None:
        """Delete the user's login session."""
        self._verified_hashes.pop(user.id, None)
        if self._sessions.pop(user.id, None) is not None:
            self._save()

    def take_seat(self, user: User, seat: Player) -> User:
        """Give the seat to the user; `RequestRefused` if another user has it."""
        if any(each.seat == seat and each.id != user.id for each in self._sessions.values()):
            raise RequestRefused(sentences.SEAT_TAKEN())
        return self._set_seat(user, seat)

    def leave_seat(self, user: User, seat: Player | None) -> User:
        """Free that seat, also if another user has it; without a seat, the user's own."""
        for each in list(self._sessions.values()):
            if seat is not None and each.seat == seat and each.id != user.id:
                self._set_seat(_user_of(each), None)
        return self._set_seat(user, None) if seat in (None, user.seat) else user

    def current_user(self, user: User) -> User | None:
        """The user with their present role and seat; None: they have logged out."""
        if not user.id:
            return user
        session = self._sessions.get(user.id)
        return None if session is None else _user_of(session)

    def taken_seats(self) -> tuple[Player, ...]:
        """The seats that users of the page have taken."""
        return tuple(sorted({e.seat for e in self._sessions.values() if e.seat is not None}))

    # -- secrets -----------------------------------------------------------------------------

    async def _session_for_cookie(
        self, cookie: str | None, client_host: str
    ) -> LoginSession | None:
        session_id, _, secret = (cookie or "").partition(".")
        session = self._sessions.get(session_id)
        if session is None or not 0 < len(secret) <= MAX_SECRET_LENGTH:
            return None
        verified_hash = self._verified_hashes.get(session_id)
        if verified_hash is not None:
            return session if hmac.compare_digest(verified_hash, _fast_hash(secret)) else None
        if not await self._check_secret(session.secret_hash, secret, client_host):
            return None
        self._verified_hashes[session_id] = _fast_hash(secret)
        return session

    async def _check_secret(self, expected: SecretHash, given: str, client_host: str) -> bool:
        """Whether the secret matches. A wrong one counts against the rate limits."""
        if not 0 < len(given) <= MAX_SECRET_LENGTH:
            raise RequestRefused(sentences.NOT_A_SECRET())
        now_ms = self._clock.now_ms()
        client_limit = self._client_limits.bucket_for(client_host, now_ms)
        wait_ms = max(client_limit.wait_ms(now_ms), self._global_limit.wait_ms(now_ms))
        if wait_ms > 0:
            seconds = max(1, round(wait_ms / 1000))
            raise RequestRefused(sentences.TOO_MANY_TRIES(seconds=seconds), wait_ms)
        client_limit.take(now_ms)  # before the check, so that concurrent tries count too
        self._global_limit.take(now_ms)
        matches = await self._run_in_thread(lambda: expected.matches(given))
        if matches:
            client_limit.refund()
            self._global_limit.refund()
        return matches

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        """Run the work in a thread, one call after the other."""
        async with self._hash_lock:
            return await asyncio.to_thread(work)

    # -- login sessions ------------------------------------------------------------------------

    def _set_seat(self, user: User, seat: Player | None) -> User:
        session = self._sessions.get(user.id)
        if session is None:
            raise RequestRefused(sentences.NOT_LOGGED_IN())
        role = session.role
        if role is not Role.HOST:
            role = Role.SPECTATOR if seat is None else Role.PLAYER
        self._store(replace(session, role=role, seat=seat))
        return User(session.id, role, seat)

    def _store(self, session: LoginSession) -> None:
        """Store a session; beyond the limit, delete the oldest ones without a seat."""
        self._sessions[session.id] = session
        without_seat = [each.id for each in self._sessions.values() if each.seat is None]
        for session_id in without_seat[: max(0, len(self._sessions) - MAX_SESSIONS)]:
            del self._sessions[session_id]
            self._verified_hashes.pop(session_id, None)
        self._save()

    def _save(self) -> None:
        """Save the sessions. If that fails, users log in again after a restart."""
        if self._path is None:
            return
        try:
            save_sessions(self._path, self._sessions.values())
        except OSError:
            log.warning("cannot write %s", self._path, exc_info=True)


def _user_of(session: LoginSession) -> User:
    return User(session.id, session.role, session.seat)


def _fast_hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()
