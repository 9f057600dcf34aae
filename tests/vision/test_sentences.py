"""The sentences of vision read well in English, also where sentences fill their slots."""

from __future__ import annotations

import pytest

from engine.sentences import Sentence, joined, templates
from vision import sentences

LEFT = sentences.TURN_LEFT(share=sentences.QUARTER())
KING_TAG = sentences.PIECE_TAG(tag=13, player="blue", piece="king")
CORNERS = (sentences.CORNER_AT(tag=27, cell="j8"), sentences.CORNER_AT(tag=28, cell="j1"))


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        (
            sentences.TURN_PIECE(cell="g5", piece="deflector", player="blue", turn=LEFT),
            "g5: the deflector of blue should be turned a quarter to the left",
        ),
        (
            sentences.MISSING_PIECE(cell="e2", piece="king", player="blue"),
            "e2: a king of blue should stand here, but nothing does",
        ),
        (
            sentences.BETWEEN_CELLS(tag=KING_TAG, cell="e1", other="e2"),
            "tag 13 (blue king) stands between e1 and e2: put it in the middle of one",
        ),
        (
            sentences.FOREIGN_TAG(cell="e3", tag=sentences.UNUSED_TAG(tag=40, game="Photon")),
            "e3: tag 40 (no piece of Photon): take it off",
        ),
        (
            sentences.DUPLICATE_TAG(tag=13, cells=joined(["a6", "e1"], " and ")),
            "tag 13 is seen twice, on a6 and e1: one of them is the wrong piece",
        ),
        (
            sentences.TOO_FEW_CORNERS(tags=("26", "29"), hidden=CORNERS),
            "the corner tags 26, 29 alone do not say where the squares are: free 27 (at j8), "
            "28 (at j1), or put the whole board into the image",
        ),
        (
            sentences.WRONG_BOARD(tags=("26", "27"), board="demo"),
            "corner tags 26, 27 are seen, but not where those of the board 'demo' would be: is it "
            "the right board file?",
        ),
        (
            sentences.TILT_MORE(steep=0, needed=3, degrees=15.0),
            "tilt the sheet more: 0 of 3 views are steeper than 15 degrees",
        ),
    ],
)
def test_a_sentence_has_its_english_text(sentence: Sentence, text: str) -> None:
    assert str(sentence) == text


@pytest.mark.parametrize("key", [key for key in templates() if key.startswith("vision.")])
def test_every_sentence_can_be_rendered(key: str) -> None:
    template = templates()[key]
    text = str(template(**{name: f"<{name}>" for name in template.names}))
    assert all(f"<{name}>" in text for name in template.names)
    assert "{" not in text
