"""Parses and formats device URLs: `scheme://place?option=value`.

An address is a frozen dataclass with a class variable `scheme`, a field `place`, and a field for
each option, declared by `float_option`, `int_option`, `choice_option` or `text_option`.
"""

from __future__ import annotations

import re
from dataclasses import Field, dataclass, field, fields
from math import nan
from typing import Any, ClassVar, Generic, Protocol, TypeVar
from urllib.parse import quote, unquote

from controller.config import sentences
from engine.errors import LaserboardError, did_you_mean, excerpt
from engine.sentences import Sentence

DECIMAL = re.compile(r"(0|[1-9][0-9]{0,9})(\.[0-9]{1,9})?")


def float_option(default: float | None, low: float, high: float) -> Any:
    return field(default=default, metadata={"range": (float, low, high)})


def int_option(default: int | None, low: int, high: int) -> Any:
    return field(default=default, metadata={"range": (int, low, high)})


def choice_option(*known: str) -> Any:
    return field(default=known[0], metadata={"choice": known})


def text_option(default: str | None) -> Any:
    return field(default=default, metadata={"word": True})


class Address(Protocol):
    scheme: ClassVar[str]

    @property
    def place(self) -> str: ...


AnyAddress = TypeVar("AnyAddress", bound=Address)


@dataclass(frozen=True, slots=True)
class AddressFamily(Generic[AnyAddress]):
    """The address classes of one kind of device."""

    name: str  # first word of error messages
    error_type: type[LaserboardError]
    schemes: dict[str, type[Any]]
    examples: Sentence
    safe_characters: str  # unescaped characters of a place

    def parse(self, url: str, **preset: Any) -> AnyAddress:
        """Parse a URL without checking its place; options of the URL override `preset`."""
        scheme, colon, rest = url.partition("://")
        if not colon:
            raise self.bad_url(url, sentences.WRITE_URL(examples=self.examples))
        if scheme not in self.schemes:
            hint = did_you_mean(scheme, self.schemes)
            raise self.bad_url(url, sentences.UNKNOWN_KIND(hint=hint))
        kind = self.schemes[scheme]
        place, _, query = rest.partition("?")
        given = {key: preset[key] for key in _options(kind) if preset.get(key) is not None}
        given |= self._parse_options(kind, query, url)
        address: AnyAddress = kind(unquote(place), **given) if place else kind(**given)
        return address

    def format(self, address: AnyAddress) -> str:
        """The shortest URL that parses to the same address."""
        options = [
            f"{name}={quote(_option_text(getattr(address, name)))}"
            for name, option in _options(type(address)).items()
            if getattr(address, name) != option.default
        ]
        return self.without_options(address) + (f"?{'&'.join(options)}" if options else "")

    def without_options(self, address: AnyAddress) -> str:
        """The URL without options, as the name of the device in sentences."""
        return f"{address.scheme}://{quote(address.place, safe=self.safe_characters)}"

    def bad_url(self, url: str, complaint: Sentence) -> LaserboardError:
        return self.error_type(
            sentences.BAD_URL(device=self.name, url=excerpt(url), complaint=complaint)
        )

    def _parse_options(self, kind: type[Any], query: str, url: str) -> dict[str, Any]:
        known = _options(kind)
        found: dict[str, Any] = {}
        for part in query.split("&") if query else ():
            key, equals, text = part.partition("=")
            if not equals or not text:
                raise self.bad_url(url, sentences.NOT_AN_OPTION(part=excerpt(part)))
            if key not in known:
                raise self.bad_url(url, _unknown_option(kind, key))
            if key in found:
                raise self.bad_url(url, sentences.OPTION_TWICE(option=key))
            found[key] = self._parse_option(known[key], unquote(text), url)
        return found

    def _parse_option(self, option: Field[Any], text: str, url: str) -> Any:
        match option.metadata:
            case {"range": (kind, low, high)}:
                value = float(text) if DECIMAL.fullmatch(text) else nan  # nan is in no range
                if low <= value <= high and kind(value) == value:
                    return kind(value)
                template = sentences.WHOLE_NUMBER_RANGE if kind is int else sentences.NUMBER_RANGE
                complaint = sentences.OPTION_WANT(
                    option=option.name, value=excerpt(text), want=template(low=low, high=high)
                )
            case {"choice": known} if text not in known:
                complaint = sentences.OPTION_UNKNOWN_VALUE(
                    option=option.name, value=excerpt(text), hint=did_you_mean(text, known)
                )
            case _:
                return text
        raise self.bad_url(url, complaint)


def _unknown_option(kind: type[Any], key: str) -> Sentence:
    known = _options(kind)
    if not known:
        return sentences.SCHEME_HAS_NO_OPTION(name=excerpt(key), scheme=kind.scheme)
    return sentences.UNKNOWN_OPTION(name=excerpt(key), hint=did_you_mean(key, known))


def _options(kind: type[Any]) -> dict[str, Field[Any]]:
    return {each.name: each for each in fields(kind) if each.metadata}


def _option_text(value: str | int | float) -> str:
    return f"{value:.9f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
