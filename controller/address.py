"""A device as a URL and as a value: what cameras and LEDs have in common.

A URL is a scheme, `://`, what the scheme calls its place, and options behind `?`. Its value is a
frozen dataclass with a class variable `scheme`, a field `place`, and a field for each option,
made by `number`, `whole`, `choice` or `word`.
"""

from __future__ import annotations

import re
from dataclasses import Field, dataclass, field, fields
from math import nan
from typing import Any, ClassVar, Generic, Protocol, TypeVar
from urllib.parse import quote, unquote

from engine.errors import LaserboardError, did_you_mean, excerpt

PLAIN = re.compile(r"(0|[1-9][0-9]{0,9})(\.[0-9]{1,9})?")


def number(default: float | None, low: float, high: float) -> Any:
    return field(default=default, metadata={"range": (float, low, high)})


def whole(default: int | None, low: int, high: int) -> Any:
    return field(default=default, metadata={"range": (int, low, high)})


def choice(*known: str) -> Any:
    return field(default=known[0], metadata={"choice": known})


def word(default: str | None) -> Any:
    return field(default=default, metadata={"word": True})


class Address(Protocol):
    scheme: ClassVar[str]

    @property
    def place(self) -> str: ...


AnyAddress = TypeVar("AnyAddress", bound=Address)


@dataclass(frozen=True, slots=True)
class Family(Generic[AnyAddress]):
    """All addresses of one sort of device."""

    name: str  # what a complaint begins with
    error: type[LaserboardError]
    schemes: dict[str, type[Any]]
    examples: str
    unquoted: str  # signs that stand in a place as they are

    def read(self, url: str, **preset: Any) -> AnyAddress:
        """An address from its URL, its place unchecked; what is preset the URL may overrule."""
        scheme, colon, rest = url.partition("://")
        if not colon:
            raise self.bad(url, f"write a URL such as {self.examples}")
        if scheme not in self.schemes:
            raise self.bad(url, f"unknown kind{did_you_mean(scheme, self.schemes)}")
        kind = self.schemes[scheme]
        place, _, query = rest.partition("?")
        given = {key: preset[key] for key in _options(kind) if preset.get(key) is not None}
        given |= self._read_options(kind, query, url)
        address: AnyAddress = kind(unquote(place), **given) if place else kind(**given)
        return address

    def write(self, address: AnyAddress) -> str:
        """The shortest URL that reads back as the same address."""
        options = [
            f"{name}={quote(_written(getattr(address, name)))}"
            for name, option in _options(type(address)).items()
            if getattr(address, name) != option.default
        ]
        return self.described(address) + (f"?{'&'.join(options)}" if options else "")

    def described(self, address: AnyAddress) -> str:
        """The URL without its options: what to call the device in a sentence."""
        return f"{address.scheme}://{quote(address.place, safe=self.unquoted)}"

    def bad(self, url: str, complaint: str) -> LaserboardError:
        return self.error(f"{self.name} {excerpt(url)}: {complaint}")

    def _read_options(self, kind: type[Any], query: str, url: str) -> dict[str, Any]:
        known = _options(kind)
        found: dict[str, Any] = {}
        for part in query.split("&") if query else ():
            key, equals, text = part.partition("=")
            if not equals or not text:
                raise self.bad(url, f"{excerpt(part)} is not key=value")
            if key not in known:
                others = did_you_mean(key, known) if known else f"; {kind.scheme}:// has none"
                raise self.bad(url, f"unknown option {excerpt(key)}{others}")
            if key in found:
                raise self.bad(url, f"{key} is given twice")
            found[key] = self._read_value(known[key], unquote(text), url)
        return found

    def _read_value(self, option: Field[Any], text: str, url: str) -> Any:
        match option.metadata:
            case {"range": (kind, low, high)}:
                value = float(text) if PLAIN.fullmatch(text) else nan  # in no range
                if low <= value <= high and kind(value) == value:
                    return kind(value)
                wanted = f", want a {'whole ' if kind is int else ''}number from {low} to {high}"
            case {"choice": known} if text not in known:
                wanted = did_you_mean(text, known)
            case _:
                return text
        raise self.bad(url, f"{option.name}: got {excerpt(text)}{wanted}")


def _options(kind: type[Any]) -> dict[str, Field[Any]]:
    return {each.name: each for each in fields(kind) if each.metadata}


def _written(value: str | int | float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
