"""Tables over several pages have every row once, and no page ends with a heading."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.builder.electrics.bill_of_materials import GROUP_TITLES, make_bill
from controller.builder.printables.table import split_rows
from controller.builder.printables.wiring import parts_pages
from controller.config.board_file import load_board_file, shipped_boards
from engine.draw.page import A4, LETTER, Page, Paper

ROOM = 100.0


@given(st.lists(st.tuples(st.floats(1, 20), st.booleans()), min_size=1, max_size=60))
def test_rows_stay_in_order_and_fit_on_their_pages(
    rows: list[tuple[float, bool]],
) -> None:
    heights = [height for height, _ in rows]
    headings = {number for number, (_, heads) in enumerate(rows) if heads}
    pages = split_rows(heights, headings, ROOM)
    assert [number for page in pages for number in page] == list(range(len(rows)))
    for page in pages:
        assert sum(heights[number] for number in page) <= ROOM


@given(st.lists(st.floats(1, 20), min_size=2, max_size=60), st.data())
def test_a_heading_is_on_the_same_page_as_its_rows(
    heights: list[float], data: st.DataObject
) -> None:
    every = st.sets(st.sampled_from(range(0, len(heights) - 1, 3)))
    headings = data.draw(every)
    pages = split_rows(heights, headings, ROOM)
    for page in pages:
        assert page[-1] not in headings
        if page[-1] != len(heights) - 1:
            assert page[-1] - 1 not in headings, "one row below it is too little"


def test_no_row_is_alone_on_the_last_page() -> None:
    assert split_rows([40.0, 40.0, 20.0, 20.0], (), ROOM) == [range(2), range(2, 4)]
    assert split_rows([40.0, 20.0, 40.0, 20.0], {1}, ROOM) == [range(1), range(1, 4)]
    assert split_rows([90.0, 90.0], (), ROOM) == [range(1), range(1, 2)]


@pytest.mark.parametrize("paper", [A4, LETTER], ids=lambda paper: paper.name)
@pytest.mark.parametrize("name", shipped_boards())
def test_no_list_of_parts_ends_a_page_with_a_heading(name: str, paper: Paper) -> None:
    titles = {str(title).upper() for title in GROUP_TITLES.values()}
    seen = []
    for page in parts_pages(make_bill(load_board_file(name)), paper):
        rows = _rows(page)
        seen += [row for row in rows if row in titles]
        assert rows[-1] not in titles
    assert seen
    assert len(seen) == len(set(seen))


def _rows(page: Page) -> list[str]:
    """The texts of the column `part`, from the top."""
    written = [text for text in ElementTree.fromstring(page.to_svg()) if text.tag.endswith("text")]
    left = next(text.attrib["x"] for text in written if text.text == "part")
    column = [text for text in written if text.attrib["x"] == left]
    return [str(text.text) for text in sorted(column, key=lambda text: float(text.attrib["y"]))]
