"""Records as file contents: reads and writes many games, as text or as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from engine.errors import BadRecord
from engine.record import catalogue
from engine.record.json_form import read_json, write_json
from engine.record.text import write_text
from engine.record.text_reader import read_text
from engine.record.values import Record

RecordForm = Literal["text", "json"]

_GAME = r'\{\s*"\w+"\s*:'
_STARTS_WITH_GAME = re.compile(rf"\s*(?:\[\s*)?{_GAME}")
_HAS_GAME = re.compile(rf"^[ \t]*{_GAME}", re.MULTILINE)
# No line of JSON begins with a tag: strings cannot hold a line end.
_HAS_TAG = re.compile(r'^[ \t]*\[[ \t]*[A-Za-z]\w*[ \t]+"', re.MULTILINE)
# A brace begins JSON unless it is a comment before the first move. A bracket begins JSON unless
# it is a broken tag.
_LIKE_JSON = re.compile(r"\s*(?:\{(?![^{}\"]*\}\s*1\.)|\[(?!\s*[A-Za-z]))")


def read_games(text: str) -> Iterator[Record | BadRecord]:
    """All games of a file in order. A broken game is yielded as its error. Never raises."""
    text = _normalise_newlines(text)
    return read_json(text) if _is_json(text) else read_text(text)


def detect_form(text: str) -> RecordForm:
    """The form of the games in a file."""
    return "json" if _is_json(_normalise_newlines(text)) else "text"


def _normalise_newlines(text: str) -> str:
    """The text without a byte order mark, with line feeds only."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _is_json(text: str) -> bool:
    """Whether the text is more likely JSON, even if it begins with something broken."""
    if _STARTS_WITH_GAME.match(text):
        return True
    return not _HAS_TAG.search(text) and bool(_LIKE_JSON.match(text) or _HAS_GAME.search(text))


def read_record(text: str) -> Record:
    """The single game of a text. Raises `BadRecord` if it is broken or not the only one."""
    records = read_games(text)
    game, more = next(records, None), next(records, None)
    if game is None:
        raise BadRecord(catalogue.NO_GAME_IN_TEXT(), 1)
    for each in (game, more):
        if isinstance(each, BadRecord):
            raise each
    if more is not None:
        raise BadRecord(catalogue.MORE_THAN_ONE_GAME(), 1)
    assert isinstance(game, Record), "errors are raised above"
    return game


def write_record(record: Record, form: RecordForm | None = None) -> str:
    """A record in `form`, by default the form of its game."""
    return write_games((record,), form)


def write_games(records: Iterable[Record], form: RecordForm | None = None) -> str:
    """Records for one file: texts separated by blank lines, or one line of JSON each.

    The default form is text if all games have a text form.
    """
    games = tuple(records)
    if form is None:
        form = "text" if all(game.rules().record_form == "text" for game in games) else "json"
    if form == "json":
        return "".join(map(write_json, games))
    return "\n".join(map(write_text, games))
