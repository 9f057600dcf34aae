"""The http or https URL of a program that plays.

The URL may contain credentials: only requests use it. Errors show it without them.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import SplitResult, quote, unquote, urlsplit

from controller.config import sentences
from engine.errors import LaserboardError, excerpt

SCHEMES = {"http": 80, "https": 443}
MAX_URL_LENGTH = 2000
# Characters that stay unescaped in a path or query.
_PATH, _QUERY = "/:@!$&'()*+,;=~-._%", "/?:@!$&'()*+,;=~-._%"


class BadProgram(LaserboardError, ValueError):
    """An invalid URL of a program."""


@dataclass(frozen=True, slots=True)
class ProgramAddress:
    """A parsed URL of a program."""

    scheme: str
    host: str = field(repr=False)
    port: int
    target: str = field(repr=False)  # path and query
    authorization: str = field(default="", repr=False)


def parse_program_url(text: str) -> ProgramAddress:
    """Parse a URL such as `http://127.0.0.1:8001/play`."""
    if len(text) > MAX_URL_LENGTH or any(char.isspace() or not char.isprintable() for char in text):
        raise BadProgram(sentences.PROGRAM_NOT_A_WORD())
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname
    except ValueError:
        raise BadProgram(sentences.PROGRAM_NOT_A_URL(url=_without_credentials(text))) from None
    if parts.scheme.lower() not in SCHEMES:
        raise BadProgram(sentences.PROGRAM_SCHEME(url=_without_credentials(text)))
    if not host or port == 0:
        raise BadProgram(sentences.PROGRAM_WITHOUT_HOST(url=_without_credentials(text)))
    try:
        host = host if ":" in host else host.encode("idna").decode("ascii")
    except UnicodeError:
        raise BadProgram(sentences.NO_HOST_NAME(name=excerpt(host))) from None
    scheme = parts.scheme.lower()
    query = f"?{quote(parts.query, _QUERY)}" if parts.query else ""
    target = quote(parts.path or "/", _PATH) + query
    return ProgramAddress(scheme, host, port or SCHEMES[scheme], target, _authorization(parts))


def _authorization(parts: SplitResult) -> str:
    if parts.username is None:
        return ""
    credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return f"Basic {b64encode(credentials.encode()).decode('ascii')}"


def _without_credentials(text: str) -> str:
    """The URL without the part before `@`."""
    before, at, after = text.rpartition("@")
    scheme = before.partition("://")
    return excerpt(f"{scheme[0]}{scheme[1]}{after}" if at else text)
