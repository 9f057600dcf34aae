"""Hypothesis strategies for records of random games."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from engine.game import AnyGame, AnyTurn, Outcome
from engine.games import GAMES, make
from engine.record import RESULTS, Record, make_record
from engine.record.values import reserved_tags
from engine.sentences import plain
from tests.support.engine.random_play import random_turn

TEXT_GAMES = [name for name, game in GAMES.items() if game.record_form == "text"]
values: SearchStrategy[str] = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=30
)
tag_names: SearchStrategy[str] = st.one_of(
    st.sampled_from(("Event", "Site", "Date", "Round", "Blue", "Red", "TimeControl", "Annotator")),
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]{0,12}", fullmatch=True),
)
# Words that resemble syntax, and any other text.
words: SearchStrategy[str] = st.one_of(
    values, st.sampled_from(("{", "[", "%", ";", "1.", "*", '[Event "x"]', "a  b", "\\", "x" * 90))
)


@st.composite
def comments(draw: DrawFn) -> str:
    text = " ".join(draw(st.lists(words, max_size=20))).replace("}", ")").strip(" ")
    assume("[%clk" not in text and "[%corrected" not in text)
    return text


@st.composite
def rules(draw: DrawFn, names: list[str]) -> AnyGame:
    """A game under any options."""
    name = draw(st.sampled_from(names))
    options = {
        each.name: draw(st.sampled_from(each.metadata["choices"] or (each.default, 7)))
        for each in fields(GAMES[name])
    }
    return make(name, options)


def some_turns(game: AnyGame, position: Any, random: Random, most: int) -> list[AnyTurn]:
    turns: list[AnyTurn] = []
    while len(turns) < most and game.outcome(position) is None:
        turns.append(random_turn(game, position, random))
        position = turns[-1].after
    return turns


@st.composite
def records(draw: DrawFn, names: list[str] = list(GAMES)) -> Record:  # noqa: B006 - only read
    """Records of random games from any start, with all optional fields of a record."""
    game = draw(rules(names))
    random = Random(draw(st.integers(0, 10_000)))
    seed = None if game.setups() else draw(st.integers(-(10**20), 10**20))
    setup = draw(st.sampled_from([None, *game.setups()]))
    position = game.start(setup, seed)
    start: Any = setup
    if draw(st.booleans()):  # from the middle of a game
        for turn in some_turns(game, position, random, draw(st.integers(0, 5))):
            position = turn.after
        # Read again, because some positions hold more than their text.
        start = position = game.read_position(game.write_position(position))
    turns = some_turns(game, position, random, draw(st.integers(0, 12)))
    end = None
    corrected: bool = draw(st.booleans())
    if turns and corrected:  # the referee restores an earlier position
        earlier = turns[draw(st.integers(0, len(turns) - 1))].before
        again = game.read_position(game.write_position(earlier))
        more = some_turns(game, again, random, draw(st.integers(0, 3)))
        turns, end = [*turns, *more], None if more else again
    agreements = st.sampled_from([None, *(Outcome(result, plain("agreed")) for result in RESULTS)])
    last = turns[-1].after if turns else position
    over = game.outcome(last if end is None else end)
    reserved = reserved_tags(game)
    tags = draw(
        st.dictionaries(tag_names.filter(lambda name: name.lower() not in reserved), values)
    )
    record = make_record(
        game,
        start,
        turns,
        end=end,
        seed=seed,
        ended=None if over else draw(agreements),
        tags=tags,
        clocks_ms=draw(st.lists(st.none() | st.integers(0, 10**10), max_size=len(turns))),
        comments=draw(st.lists(comments(), max_size=len(turns))),
    )
    return replace(record, comment=draw(comments()))
