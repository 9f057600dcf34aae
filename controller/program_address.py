"""Where a program that plays listens: an http or https URL, given by the operator and kept by him.

Its text is for requests alone. What others may see of it is `shown`, without names and passwords,
and only on the operator's own terminal.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import SplitResult, quote, unquote, urlsplit

from engine.errors import LaserboardError, excerpt

SCHEMES = {"http": 80, "https": 443}
LONGEST = 2000
# What may stand in a path or a query as it is; anything else is escaped.
_PATH, _QUERY = "/:@!$&'()*+,;=~-._%", "/?:@!$&'()*+,;=~-._%"


class BadProgram(LaserboardError, ValueError):
    """A URL that no program can be reached by."""


@dataclass(frozen=True, slots=True)
class ProgramAddress:
    """A URL, taken apart."""

    scheme: str
    host: str = field(repr=False)
    port: int
    target: str = field(repr=False)  # path and query
    authorization: str = field(default="", repr=False)

    @property
    def shown(self) -> str:
        """For the operator's eyes."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == SCHEMES[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{host}{port}{self.target.partition('?')[0]}"


def read_program_url(text: str) -> ProgramAddress:
    """`http://127.0.0.1:8001/play`; `BadProgram` if it is none."""
    if len(text) > LONGEST or any(char.isspace() or not char.isprintable() for char in text):
        raise BadProgram("a program's URL is one printable word, such as http://127.0.0.1:8001")
    try:
        parts = urlsplit(text)
        port, host = parts.port, parts.hostname
    except ValueError:
        raise BadProgram(f"{_safe(text)} is no URL: write http://HOST:PORT/PATH") from None
    if parts.scheme.lower() not in SCHEMES:
        raise BadProgram(
            f"{_safe(text)}: a program is reached by http:// or https://, a person sits at the"
            " `board`, and the computer is `computer` or `computer:3`"
        )
    if not host or port == 0:
        raise BadProgram(f"{_safe(text)} names no host: write http://HOST:PORT/PATH")
    try:
        host = host if ":" in host else host.encode("idna").decode("ascii")
    except UnicodeError:
        raise BadProgram(f"{excerpt(host)} is no name of a host") from None
    scheme = parts.scheme.lower()
    query = f"?{quote(parts.query, _QUERY)}" if parts.query else ""
    target = quote(parts.path or "/", _PATH) + query
    return ProgramAddress(scheme, host, port or SCHEMES[scheme], target, _authorization(parts))


def _authorization(parts: SplitResult) -> str:
    if parts.username is None:
        return ""
    told = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return f"Basic {b64encode(told.encode()).decode('ascii')}"


def _safe(text: str) -> str:
    """What was given, without what comes before an @."""
    before, at, after = text.rpartition("@")
    scheme = before.partition("://")
    return excerpt(f"{scheme[0]}{scheme[1]}{after}" if at else text)
