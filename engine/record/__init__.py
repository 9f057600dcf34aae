"""Game records: what was played, as frozen values, as PGN-like text and as JSON.

Text in, values out: `read_games` and `write_games` for files, `record_of` for a game just played,
`play` to see it again turn by turn.
"""

from engine.record.files import Form, form_of, read, read_games, write, write_games
from engine.record.judged import Judged, Unwritable, read_score, score_words, write_score
from engine.record.play import BadTurn, WrongResult, checked, play, record_of
from engine.record.values import RESULTS, Entry, Record

__all__ = [
    "RESULTS",
    "BadTurn",
    "Entry",
    "Form",
    "Judged",
    "Record",
    "Unwritable",
    "WrongResult",
    "checked",
    "form_of",
    "play",
    "read",
    "read_games",
    "read_score",
    "record_of",
    "score_words",
    "write",
    "write_games",
    "write_score",
]
