"""Records as the contents of files: many games in, many games out, whatever form they have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from engine.errors import BadRecord
from engine.record.json_form import read_json, write_json
from engine.record.text import write_text
from engine.record.text_reader import read_text
from engine.record.values import Record

Form = Literal["text", "json"]

_GAME = r'\{\s*"\w+"\s*:'
_STARTS_WITH_GAME = re.compile(rf"\s*(?:\[\s*)?{_GAME}")
_HAS_GAME = re.compile(rf"^[ \t]*{_GAME}", re.MULTILINE)
# No line of JSON begins with a tag, not even inside a string.
_HAS_TAG = re.compile(r'^[ \t]*\[[ \t]*[A-Za-z]\w*[ \t]+"', re.MULTILINE)
# A brace begins JSON, unless it is a comment before the first move; so does a bracket, unless it
# is a broken tag.
_LIKE_JSON = re.compile(r"\s*(?:\{(?![^{}\"]*\}\s*1\.)|\[(?!\s*[A-Za-z]))")


def read_games(text: str) -> Iterator[Record | BadRecord]:
    """All games of a file, in order, a broken one as its error with its line.

    Whatever the text is, nothing is raised; a text without any game yields nothing.
    """
    text = _plain(text)
    return read_json(text) if _is_json(text) else read_text(text)


def form_of(text: str) -> Form:
    """Which form the games of a file are in."""
    return "json" if _is_json(_plain(text)) else "text"


def _plain(text: str) -> str:
    """Without a byte order mark, every line ended by a line feed."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _is_json(text: str) -> bool:
    """What most likely was meant, even if the file begins with something broken."""
    if _STARTS_WITH_GAME.match(text):
        return True
    return not _HAS_TAG.search(text) and bool(_LIKE_JSON.match(text) or _HAS_GAME.search(text))


def read(text: str) -> Record:
    """The one game of a text; `BadRecord` if it is broken, or not one."""
    found = read_games(text)
    game, more = next(found, None), next(found, None)
    if game is None:
        raise BadRecord('there is no game: it begins with tags such as [Event "..."]', 1)
    for each in (game, more):
        if isinstance(each, BadRecord):
            raise each
    if more is not None:
        raise BadRecord("more than one game, where one was asked for", 1)
    assert isinstance(game, Record), "errors have been raised"
    return game


def write(record: Record, form: Form | None = None) -> str:
    """A record in its game's own form, or in the one given."""
    return write_games((record,), form)


def write_games(records: Iterable[Record], form: Form | None = None) -> str:
    """Records for one file: texts with a blank line between them, or one line of JSON each.

    Without a `form`, text if all their games have one.
    """
    games = tuple(records)
    if form is None:
        form = "text" if all(game.rules().record_form == "text" for game in games) else "json"
    if form == "json":
        return "".join(map(write_json, games))
    return "\n".join(map(write_text, games))
