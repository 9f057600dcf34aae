"""The URL of an MQTT broker: `mqtt://club@192.168.1.5:1883`, or `mqtts://` for TLS.

The URL has no password, because URLs end up in files, chats and shell histories. The password comes
from the environment or from a file with mode 0600.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from controller.config import sentences
from engine.errors import LaserboardError, did_you_mean, excerpt

SCHEMES = {"mqtt": 1883, "mqtts": 8883}
MAX_URL_LENGTH, MAX_PASSWORD_BYTES = 500, 1000
PASSWORD_VARIABLE = "LASERBOARD_BROKER_PASSWORD"  # name of the variable


class BadBroker(LaserboardError, ValueError):
    """An invalid broker URL, or an unreadable password or CA file."""


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """A parsed broker URL."""

    host: str
    port: int
    tls: bool = False
    user: str = ""

    def __str__(self) -> str:
        scheme = "mqtts" if self.tls else "mqtt"
        user = f"{quote(self.user, safe='')}@" if self.user else ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == SCHEMES[scheme] else f":{self.port}"
        return f"{scheme}://{user}{host}{port}"

    @property
    def is_local(self) -> bool:
        """Whether the broker runs on this computer."""
        if self.host == "localhost":
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False


@dataclass(frozen=True, slots=True)
class Broker:
    """A broker with its credentials."""

    address: BrokerAddress
    password: str = field(default="", repr=False)
    ca_file: Path | None = None  # None: the CAs of this computer


def parse_broker_url(text: str) -> BrokerAddress:
    """Parse a broker URL. The text of `BadBroker` never shows a password."""
    if len(text) > MAX_URL_LENGTH or any(char.isspace() or not char.isprintable() for char in text):
        raise BadBroker(sentences.BROKER_NOT_A_WORD())
    shown = _without_password(text)
    scheme, colon, _ = text.partition("://")
    if not colon:
        raise BadBroker(sentences.BROKER_FORM(url=shown))
    if scheme.lower() not in SCHEMES:
        raise BadBroker(
            sentences.BROKER_UNKNOWN_KIND(url=shown, hint=did_you_mean(scheme, SCHEMES))
        )
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname
    except ValueError:
        raise BadBroker(sentences.BROKER_FORM(url=shown)) from None
    if parts.password is not None:
        raise BadBroker(sentences.BROKER_PASSWORD_IN_URL(url=shown, variable=PASSWORD_VARIABLE))
    if not host or port == 0:
        raise BadBroker(sentences.BROKER_WITHOUT_HOST(url=shown))
    if parts.path.strip("/") or parts.query or parts.fragment:
        raise BadBroker(sentences.BROKER_PATH(url=shown))
    try:
        host = host if ":" in host else host.encode("idna").decode("ascii")
    except UnicodeError:
        raise BadBroker(sentences.NO_HOST_NAME(name=excerpt(host))) from None
    scheme = scheme.lower()
    user = unquote(parts.username or "")
    return BrokerAddress(host, port or SCHEMES[scheme], scheme == "mqtts", user)


def read_password(path: Path) -> str:
    """Read the password from a file that only its owner can read."""
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if mode & 0o077:
                raise BadBroker(sentences.PASSWORD_FILE_OPEN(path=str(path), mode=f"{mode:04o}"))
            content = file.read(MAX_PASSWORD_BYTES + 1)
        password = content.decode("utf-8").partition("\n")[0].rstrip("\r")
    except OSError as error:
        raise BadBroker(
            sentences.PASSWORD_FILE_UNREADABLE(path=str(path), reason=error.strerror or str(error))
        ) from error
    except UnicodeDecodeError:
        raise BadBroker(sentences.PASSWORD_FILE_NOT_TEXT(path=str(path))) from None
    if not password or len(content) > MAX_PASSWORD_BYTES:
        raise BadBroker(sentences.PASSWORD_FILE_CONTENT(path=str(path)))
    return password


def load_broker(
    address: BrokerAddress,
    password_file: Path | None,
    ca_file: Path | None,
    environment: Mapping[str, str],
) -> Broker:
    """The broker with its password from the environment, or else from the file."""
    password = environment.get(PASSWORD_VARIABLE, "")
    if not password and password_file is not None:
        password = read_password(password_file)
    if password and not address.user:
        raise BadBroker(sentences.BROKER_WITHOUT_USER(url=str(address)))
    if ca_file is not None:
        if not address.tls:
            raise BadBroker(sentences.BROKER_WITHOUT_TLS(url=str(address)))
        if not ca_file.is_file():
            raise BadBroker(sentences.NO_CA_FILE(path=str(ca_file)))
    return Broker(address, password, ca_file)


def _without_password(text: str) -> str:
    """The URL without a password, for error messages."""
    before, at, after = text.rpartition("@")
    if not at:
        return excerpt(text)
    scheme, colon, user = before.rpartition("://")
    return excerpt(f"{scheme}{colon}{user.partition(':')[0]}@{after}")
