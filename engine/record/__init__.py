"""Game records as frozen values, as PGN-like text and as JSON.

`read_games` and `write_games` convert file contents, `make_record` records a game just played,
and `play` replays a record turn by turn.
"""

from engine.record.annotations import (
    RecordAnnotation,
    Unwritable,
    read_score,
    score_sentence,
    write_score,
)
from engine.record.files import (
    RecordForm,
    detect_form,
    read_games,
    read_record,
    write_games,
    write_record,
)
from engine.record.play import BadTurn, WrongResult, check_record, make_record, play
from engine.record.values import RESULTS, Record, RecordedTurn

__all__ = [
    "RESULTS",
    "BadTurn",
    "Record",
    "RecordAnnotation",
    "RecordForm",
    "RecordedTurn",
    "Unwritable",
    "WrongResult",
    "check_record",
    "detect_form",
    "make_record",
    "play",
    "read_games",
    "read_record",
    "read_score",
    "score_sentence",
    "write_games",
    "write_record",
    "write_score",
]
