"""Sentences for people, as values: a key and named slots. Screens, voice and paper render them.

Each package that speaks to people has a catalogue module, such as `controller/session/sentences.py`
or `engine/catalogue.py`, which defines whole sentences with named slots:

    _catalogue = Catalogue("session")
    WINS = _catalogue("wins", "{player} wins")

    WINS(player="blue")         # Sentence("session.wins", {"player": "blue"})
    str(WINS(player="blue"))    # "blue wins"

Some packages have several catalogue modules. `engine/` and `controller/ui/` have one in each folder
that speaks, with the folder in the prefix of its keys. `controller/builder/` has too many sentences
for one module, and so one for each theme, with the same prefix: `sentences.py` (the doctor),
`calibration_sentences.py` and `paper_sentences.py`.

Code passes `Sentence` values on and never takes their text apart. Tests compare values, such as
`WINS(player="blue")`, not letters. A translation is another text for the same key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from string import Formatter
from types import MappingProxyType
from typing import Any, TypeAlias

Slot: TypeAlias = "str | int | float | Sentence | tuple[str | Sentence, ...]"

_templates: dict[str, Template] = {}


class Sentence:
    """One sentence for people: which one, and what fills its slots. Immutable and hashable."""

    __slots__ = ("key", "slots")

    key: str
    slots: Mapping[str, Slot]

    def __init__(self, key: str, slots: Mapping[str, Slot] | None = None) -> None:
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "slots", MappingProxyType(dict(slots or {})))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Sentence is immutable: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Sentence, (self.key, dict(self.slots))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return self.key == other.key and dict(self.slots) == dict(other.slots)

    def __hash__(self) -> int:
        return hash((self.key, tuple(sorted(self.slots.items(), key=lambda slot: slot[0]))))

    def __repr__(self) -> str:
        filled = "".join(f", {name}={value!r}" for name, value in self.slots.items())
        return f"Sentence({self.key!r}{filled})"

    def __str__(self) -> str:
        return render(self)


class Template:
    """One sentence of a catalogue. Calling it with its slots makes a `Sentence`."""

    __slots__ = ("key", "names", "text")

    def __init__(self, key: str, text: str) -> None:
        self.key, self.text = key, text
        self.names = frozenset(name for _, name, _, _ in Formatter().parse(text) if name)

    def __call__(self, **slots: Slot) -> Sentence:
        if slots.keys() != self.names:
            raise TypeError(f"{self.key} has the slots {sorted(self.names)}, got {sorted(slots)}")
        return Sentence(self.key, slots)

    def read(self, text: str) -> Mapping[str, str] | None:
        """The slots that make this text, None if none do. For files that have the text alone."""
        pattern = "".join(
            re.escape(literal) + (f"(?P<{name}>.+)" if name else "")
            for literal, name, _, _ in Formatter().parse(self.text)
        )
        found = re.fullmatch(pattern, text)
        return None if found is None else found.groupdict()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Template) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Template({self.key!r}, {self.text!r})"


class Catalogue:
    """Registers the sentences of one package under `package.name`."""

    def __init__(self, package: str) -> None:
        self.package = package

    def __call__(self, name: str, text: str) -> Template:
        template = Template(f"{self.package}.{name}", text)
        if template.key in _templates:
            raise ValueError(f"two sentences have the key {template.key}")
        _templates[template.key] = template
        return template


_PLAIN = Catalogue("text")("plain", "{text}")
_PART = Catalogue("text")("joined", "{first}{separator}{rest}")


def plain(text: str) -> Sentence:
    """Text that no catalogue has, such as the words of another program."""
    return _PLAIN(text=text)


def as_sentence(text: str | Sentence) -> Sentence:
    return text if isinstance(text, Sentence) else plain(text)


def joined(parts: Iterable[str | Sentence], separator: str = "; ") -> Sentence:
    """Several sentences as one."""
    whole = [as_sentence(part) for part in parts]
    if not whole:
        return plain("")
    result = whole[-1]
    for part in reversed(whole[:-1]):
        result = _PART(first=part, separator=separator, rest=result)
    return result


def pluralise(number: int, one: str, many: str) -> str:
    """A count and its noun, for English text of a terminal: `1 turn`, `3 turns`."""
    return f"{number} {one if number == 1 else many}"


def templates() -> Mapping[str, Template]:
    """All sentences of the catalogues that have been imported, by key."""
    return MappingProxyType(_templates)


def render(sentence: Sentence, texts: Mapping[str, str] | None = None) -> str:
    """The text of a sentence: in English, or in the language of `texts` (text by key).

    A key without a text, as in a journal of a later version, renders its slots.
    """
    template = _templates.get(sentence.key)
    text = (texts or {}).get(sentence.key) or (template.text if template is not None else None)
    slots = {name: _slot_text(value, texts) for name, value in sentence.slots.items()}
    if text is None:
        return ", ".join((sentence.key, *slots.values()))
    return text.format(**slots)


def _slot_text(value: Slot, texts: Mapping[str, str] | None) -> str:
    if isinstance(value, Sentence):
        return render(value, texts)
    if isinstance(value, tuple):
        return ", ".join(_slot_text(each, texts) for each in value)
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)


def sentence_json(sentence: Sentence) -> dict[str, Any]:
    """Key, slots and the English text, for journals and for the page.

    A sentence in a slot has no text of its own: the text around it contains that.
    """
    return {**_keyed_json(sentence), "text": str(sentence)}


def _keyed_json(sentence: Sentence) -> dict[str, Any]:
    slots = {name: _slot_json(value) for name, value in sentence.slots.items()}
    return {"key": sentence.key, "slots": slots}


def _slot_json(value: Slot) -> Any:
    if isinstance(value, Sentence):
        return _keyed_json(value)
    if isinstance(value, tuple):
        return [_slot_json(each) for each in value]
    return value


def read_sentence(value: Any) -> Sentence:
    """The reverse of `sentence_json`; text alone, as version 0.1 wrote it, is a plain sentence."""
    if isinstance(value, str):
        return plain(value)
    slots = {str(name): _read_slot(slot) for name, slot in value["slots"].items()}
    return Sentence(str(value["key"]), slots)


def _read_slot(value: Any) -> Slot:
    if isinstance(value, dict):
        return read_sentence(value)
    if isinstance(value, list):
        return tuple(read_sentence(each) if isinstance(each, dict) else str(each) for each in value)
    if isinstance(value, (str, int, float)):
        return value
    raise ValueError(f"not a slot of a sentence: {value!r}")
