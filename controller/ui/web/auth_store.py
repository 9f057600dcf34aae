"""Those who have entered, so that they are known again after a restart: a file that only its owner
can read, with nothing in it that opens a door. Secrets are kept as scrypt hashes alone."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.storage.games import games_folder
from controller.ui import sentences
from controller.ui.web.permissions import Role
from engine import strict_json
from engine.errors import LaserboardError
from engine.game import Player
from engine.sentences import plain

FORMAT = 2
ROLES_OF_FORMAT_1 = {"referee": Role.HOST}  # version 0.1 called the host so
FILE_MODE = 0o600
MOST_SESSIONS = 200
LARGEST_FILE_BYTES = 1024 * 1024
# 16 MiB and some 50 ms on a small computer: what a guess costs whoever has stolen the file.
SCRYPT_COST = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}


class BadAuthStore(LaserboardError, ValueError):
    """A file of secrets that cannot be used."""


@dataclass(frozen=True, slots=True)
class SecretHash:
    """A secret that can be recognised, and not be known."""

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
    """Somebody who has entered, and as what."""

    id: str
    secret_hash: SecretHash
    role: Role
    seat: Player | None
    day: int  # when they did


def auth_store_path() -> Path:
    """Beside the games of this user."""
    return games_folder().parent / "page" / "entered.json"


def load_sessions(path: Path, today: int, days: int) -> dict[str, LoginSession]:
    """Those who entered within so many days. What others could read is not believed any more."""
    try:
        with path.open("rb") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                return {}
            content = file.read(LARGEST_FILE_BYTES + 1)
    except OSError:
        return {}
    try:
        found = _read_sessions(content.decode("utf-8"))
    except (BadAuthStore, UnicodeDecodeError):
        return {}
    return {each.id: each for each in found if 0 <= today - each.day <= days}


def save_sessions(path: Path, sessions: Iterable[LoginSession]) -> None:
    """Written whole or not at all, and from its first byte for the owner alone."""
    newest = sorted(sessions, key=lambda each: each.day)[-MOST_SESSIONS:]
    document = {"format": FORMAT, "entered": [_session_json(each) for each in newest]}
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    file = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE_MODE)
    try:
        with os.fdopen(file, "w", encoding="utf-8") as open_file:
            json.dump(document, open_file)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _session_json(each: LoginSession) -> dict[str, Any]:
    return {
        "id": each.id,
        "salt": each.secret_hash.salt.hex(),
        "hash": each.secret_hash.hash.hex(),
        "role": each.role.value,
        "seat": each.seat,
        "day": each.day,
    }


def _read_sessions(text: str) -> list[LoginSession]:
    document = strict_json.read(text, BadAuthStore)
    found = strict_json.require_object(document, "secrets", BadAuthStore, ("format", "entered"))
    if found["format"] not in (1, FORMAT):
        raise BadAuthStore(sentences.BAD_STORE_FORMAT(value=repr(found["format"]), format=FORMAT))
    renamed = ROLES_OF_FORMAT_1 if found["format"] == 1 else {}
    return [
        _read_session(each, renamed)
        for each in strict_json.require_list(found["entered"], "entered", BadAuthStore)
    ]


def _read_session(value: Any, renamed_roles: Mapping[str, Role]) -> LoginSession:
    names = ("id", "salt", "hash", "role", "seat", "day")
    found = strict_json.require_object(value, "entered", BadAuthStore, names)
    role, seat = found["role"], found["seat"]
    try:
        return LoginSession(
            str(found["id"]),
            SecretHash(bytes.fromhex(found["salt"]), bytes.fromhex(found["hash"])),
            renamed_roles[role] if role in renamed_roles else Role(role),
            None if seat is None else strict_json.require_int(seat, "seat", BadAuthStore, 0, 1),
            strict_json.require_int(found["day"], "day", BadAuthStore, 0, 10**7),
        )
    except (ValueError, TypeError) as bad:
        reason = bad.sentence if isinstance(bad, LaserboardError) else plain(str(bad))
        raise BadAuthStore(sentences.BAD_STORED_SESSION(reason=reason)) from None


def _scrypt(secret: str, salt: bytes) -> bytes:
    return hashlib.scrypt(secret.encode(), salt=salt, **SCRYPT_COST)
