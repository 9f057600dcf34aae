"""The file of login sessions, so that users stay logged in after a restart.

Only its owner can read it. It holds scrypt hashes of the cookies, and no secret in plain text.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import os
import secrets
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.storage.games import games_folder
from controller.ui.web import sentences
from controller.ui.web.permissions import Role
from engine import strict_json
from engine.errors import LaserboardError
from engine.game import Player
from engine.sentences import plain

log = logging.getLogger(__name__)

FORMAT = 2
ROLES_OF_FORMAT_1 = {"referee": Role.HOST}  # the name of the host in version 0.1
FILE_MODE = 0o600
MAX_SESSIONS = 200
MAX_FILE_BYTES = 1024 * 1024
# 16 MiB and about 50 ms on a small computer: the cost of a guess for an attacker with the file.
SCRYPT_COST = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}


class BadAuthStore(LaserboardError, ValueError):
    """The file of login sessions cannot be read."""


@dataclass(frozen=True, slots=True)
class SecretHash:
    """A salted scrypt hash of a secret."""

    salt: bytes
    hash: bytes

    @classmethod
    def of(cls, secret: str) -> SecretHash:
        salt = secrets.token_bytes(16)
        return cls(salt, _scrypt(secret, salt))

    def matches(self, secret: str) -> bool:
        return hmac.compare_digest(self.hash, _scrypt(secret, self.salt))


@dataclass(frozen=True, slots=True)
class LoginSession:
    """An authenticated browser, with its role and seat."""

    id: str
    secret_hash: SecretHash
    role: Role
    seat: Player | None
    day: int  # of the login


def auth_store_path() -> Path:
    """The path of the file, next to the folder of games."""
    return games_folder().parent / "page" / "entered.json"


def load_sessions(path: Path, today: int, days: int) -> dict[str, LoginSession]:
    """Load the sessions of the last `days` days. A file that other users can read is ignored."""
    try:
        with path.open("rb") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                log.warning("ignores %s: other users can read it", path)
                return {}
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        return {}
    except OSError:
        log.warning("cannot read %s", path, exc_info=True)
        return {}
    try:
        sessions = _read_sessions(content.decode("utf-8"))
    except (BadAuthStore, UnicodeDecodeError):
        log.warning("ignores the invalid file %s", path, exc_info=True)
        return {}
    return {each.id: each for each in sessions if 0 <= today - each.day <= days}


def save_sessions(path: Path, sessions: Iterable[LoginSession]) -> None:
    """Write the file atomically; it is readable only for its owner from the start."""
    newest = sorted(sessions, key=lambda each: each.day)[-MAX_SESSIONS:]
    document = {"format": FORMAT, "entered": [_session_json(each) for each in newest]}
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    descriptor = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(document, file)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _session_json(session: LoginSession) -> dict[str, Any]:
    return {
        "id": session.id,
        "salt": session.secret_hash.salt.hex(),
        "hash": session.secret_hash.hash.hex(),
        "role": session.role.value,
        "seat": session.seat,
        "day": session.day,
    }


def _read_sessions(text: str) -> list[LoginSession]:
    document = strict_json.read(text, BadAuthStore)
    fields = strict_json.require_object(document, "secrets", BadAuthStore, ("format", "entered"))
    if fields["format"] not in (1, FORMAT):
        raise BadAuthStore(sentences.BAD_STORE_FORMAT(value=repr(fields["format"]), format=FORMAT))
    renamed = ROLES_OF_FORMAT_1 if fields["format"] == 1 else {}
    return [
        _read_session(each, renamed)
        for each in strict_json.require_list(fields["entered"], "entered", BadAuthStore)
    ]


def _read_session(value: Any, renamed_roles: Mapping[str, Role]) -> LoginSession:
    names = ("id", "salt", "hash", "role", "seat", "day")
    fields = strict_json.require_object(value, "entered", BadAuthStore, names)
    role, seat = fields["role"], fields["seat"]
    try:
        return LoginSession(
            str(fields["id"]),
            SecretHash(bytes.fromhex(fields["salt"]), bytes.fromhex(fields["hash"])),
            renamed_roles[role] if role in renamed_roles else Role(role),
            None if seat is None else strict_json.require_int(seat, "seat", BadAuthStore, 0, 1),
            strict_json.require_int(fields["day"], "day", BadAuthStore, 0, 10**7),
        )
    except (ValueError, TypeError) as error:
        reason = error.sentence if isinstance(error, LaserboardError) else plain(str(error))
        raise BadAuthStore(sentences.BAD_STORED_SESSION(reason=reason)) from error


def _scrypt(secret: str, salt: bytes) -> bytes:
    return hashlib.scrypt(secret.encode(), salt=salt, **SCRYPT_COST)
