"""Tables over several pages: everything is there once, and no heading is left behind."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.building.parts import TITLES, bill
from controller.config import load_board_file, shipped_boards
from controller.sheets.page import A4, LETTER, Page, Paper
from controller.sheets.table import split
from controller.sheets.wiring import parts_pages

ROOM = 100.0


@given(st.lists(st.tuples(st.floats(1, 20), st.booleans()), min_size=1, max_size=60))
def test_rows_are_split_as_they_are_read_and_every_page_has_room_for_its_own(
    rows: list[tuple[float, bool]],
) -> None:
    heights = [height for height, _ in rows]
    headings = {number for number, (_, heads) in enumerate(rows) if heads}
    pages = split(heights, headings, ROOM)
    assert [number for page in pages for number in page] == list(range(len(rows)))
    for page in pages:
        assert sum(heights[number] for number in page) <= ROOM


@given(st.lists(st.floats(1, 20), min_size=2, max_size=60), st.data())
def test_a_heading_is_on_the_page_of_the_rows_below_it(
    heights: list[float], data: st.DataObject
) -> None:
    every = st.sets(st.sampled_from(range(0, len(heights) - 1, 3)))
    headings = data.draw(every)
    pages = split(heights, headings, ROOM)
    for page in pages:
        assert page[-1] not in headings
        if page[-1] != len(heights) - 1:
            assert page[-1] - 1 not in headings, "one row below it is too little"


def test_a_row_is_not_alone_on_the_last_page() -> None:
    assert split([40.0, 40.0, 20.0, 20.0], (), ROOM) == [range(2), range(2, 4)]
    assert split([40.0, 20.0, 40.0, 20.0], {1}, ROOM) == [range(1), range(1, 4)]
    assert split([90.0, 90.0], (), ROOM) == [range(1), range(1, 2)]


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize("name", shipped_boards())
def test_no_list_of_parts_ends_a_page_with_a_heading(name: str, paper: Paper) -> None:
    titles = {title.upper() for title in TITLES.values()}
    seen = []
    for page in parts_pages(bill(load_board_file(name)), paper):
        rows = _rows(page)
        seen += [row for row in rows if row in titles]
        assert rows[-1] not in titles
    assert seen
    assert len(seen) == len(set(seen))


def _rows(page: Page) -> list[str]:
    """What stands in the column of parts, from above."""
    written = [text for text in ElementTree.fromstring(page.svg()) if text.tag.endswith("text")]
    left = next(text.attrib["x"] for text in written if text.text == "part")
    column = [text for text in written if text.attrib["x"] == left]
    return [str(text.text) for text in sorted(column, key=lambda text: float(text.attrib["y"]))]
