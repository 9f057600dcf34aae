"""Those who have entered, so that they are known again after a restart: a file that only its owner
can read, with nothing in it that opens a door. Secrets are kept as scrypt hashes alone."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.game_store import games_folder
from controller.web.rights import Role
from engine import strict_json
from engine.errors import LaserboardError
from engine.game import Player

FORMAT = 1
MODE = 0o600
MOST_KEPT = 200
LARGEST = 1024 * 1024
# 16 MiB and some 50 ms on a small computer: what a guess costs whoever has stolen the file.
COST = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}


class BadSecrets(LaserboardError, ValueError):
    """A file of secrets that cannot be used."""


@dataclass(frozen=True, slots=True)
class Hashed:
    """A secret that can be recognised, and not be known."""

    salt: bytes
    hash: bytes

    @classmethod
    def of(cls, secret: str) -> Hashed:
        salt = secrets.token_bytes(16)
        return cls(salt, _scrypt(secret, salt))

    def fits(self, secret: str) -> bool:
        return hmac.compare_digest(self.hash, _scrypt(secret, self.salt))


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody who has entered, and as what."""

    id: str
    secret: Hashed
    role: Role
    seat: Player | None
    day: int  # when they did


def secrets_path() -> Path:
    """Beside the games of this user."""
    return games_folder().parent / "page" / "entered.json"


def load(path: Path, today: int, days: int) -> dict[str, Entered]:
    """Those who entered within so many days. What others could read is not believed any more."""
    try:
        with path.open("rb") as file:
            if stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
                return {}
            content = file.read(LARGEST + 1)
    except OSError:
        return {}
    try:
        found = _read(content.decode("utf-8"))
    except (BadSecrets, UnicodeDecodeError):
        return {}
    return {each.id: each for each in found if 0 <= today - each.day <= days}


def save(path: Path, entered: Iterable[Entered]) -> None:
    """Written whole or not at all, and from its first byte for the owner alone."""
    newest = sorted(entered, key=lambda each: each.day)[-MOST_KEPT:]
    document = {"format": FORMAT, "entered": [_written(each) for each in newest]}
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    file = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, MODE)
    try:
        with os.fdopen(file, "w", encoding="utf-8") as open_file:
            json.dump(document, open_file)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _written(each: Entered) -> dict[str, Any]:
    return {
        "id": each.id,
        "salt": each.secret.salt.hex(),
        "hash": each.secret.hash.hex(),
        "role": each.role.value,
        "seat": each.seat,
        "day": each.day,
    }


def _read(text: str) -> list[Entered]:
    document = strict_json.read(text, BadSecrets)
    found = strict_json.fields(document, "secrets", BadSecrets, ("format", "entered"))
    if found["format"] != FORMAT:
        raise BadSecrets(f"format {found['format']!r} is not {FORMAT}")
    return [_entered(each) for each in strict_json.items(found["entered"], "entered", BadSecrets)]


def _entered(value: Any) -> Entered:
    names = ("id", "salt", "hash", "role", "seat", "day")
    found = strict_json.fields(value, "entered", BadSecrets, names)
    seat = found["seat"]
    try:
        return Entered(
            str(found["id"]),
            Hashed(bytes.fromhex(found["salt"]), bytes.fromhex(found["hash"])),
            Role(found["role"]),
            None if seat is None else strict_json.whole(seat, "seat", BadSecrets, 0, 1),
            strict_json.whole(found["day"], "day", BadSecrets, 0, 10**7),
        )
    except (ValueError, TypeError) as bad:
        raise BadSecrets(f"entered: {bad}") from None


def _scrypt(secret: str, salt: bytes) -> bytes:
    return hashlib.scrypt(secret.encode(), salt=salt, **COST)
