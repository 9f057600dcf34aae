"""Random and mutated input is refused with an error of `engine`, or gives a value that round-trips.

A normal run reads 10,000 inputs, `pytest -m slow` another 10,000 and `-m long` another 90,000. The
inputs are the same in every run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import NamedTuple

import pytest

from engine.errors import LaserboardError
from engine.game import AnyGame
from engine.games import GAMES
from engine.record import Record, RecordForm, make_record, read_games, write_games, write_record
from tests.oracle import positions
from tests.support.engine.random_play import random_turns, start

ALPHABET = "KSDBLksdbl+-*/xu0123456789abcdefghij {}[]\",:.;%\\\n\t'_nrtNI\0\x7f"
ALPHABET += "\u00e9\u0663\u2028\ud800\U0001f600"
WORDS = [
    "0", "1", "-1", "2", "9", "10", "100", "1e999", "1.0", "-0", "9" * 80, "null", "true", "false",
    "NaN", "Infinity", '""', '"K"', '"move"', '"rotate"', '"laser"', '"pass"', '"noop"',
    '"\\ud800"',
    "[]", "{}", "[0,0]", "[1,0,-1]", "[9,9]", '{"type":"pass"}', "*", "/", "+++", "++++", "x", "u",
    "1-0", "1/2-1/2", "{", "}", "{[%clk 0:09:51]}", ";", '[Result "*"]', "\n\n", "1.", "1...",
]  # fmt: skip
TOKEN = re.compile(r'-?\d+|"[^"]*"|null|true|false|[A-Za-z]+|\S')


# -- mutation --------------------------------------------------------------------------------


def mutated(text: str, other: str, random: Random) -> str:
    """The text after one to four random edits; `other` is another valid text."""
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        at = random.randrange(len(text) + 1)
        end = min(len(text), at + random.choice([1, 1, 2, 5, 20]))
        match random.randrange(9):
            case 0:
                text = text[:at] + text[end:]
            case 1:
                text = text[:end] + text[at:end] + text[end:]
            case 2:
                text = text[:at] + text[at:end][::-1] + text[end:]
            case 3:
                text = text[:at] + random.choice(ALPHABET) + text[at:]
            case 4:
                text = text[:at] + random.choice(ALPHABET) + text[at + 1 :]
            case 5:
                text = text[:at]
            case 6:
                cut = random.randrange(len(other) + 1)
                text = text[:at] + other[cut:]
            case _:
                tokens = list(TOKEN.finditer(text))
                if tokens:
                    token = random.choice(tokens)
                    text = text[: token.start()] + random.choice(WORDS) + text[token.end() :]
    return text


def an_input(valid: Sequence[str], random: Random) -> str:
    kind = random.random()
    if kind < 0.06:
        return "".join(random.choices(ALPHABET, k=random.randint(0, 40)))
    if kind < 0.12:
        return " ".join(random.choices(WORDS, k=random.randint(1, 12)))
    if kind < 0.14:
        return random.choice(valid) * random.choice([2, 3, 50])
    if kind < 0.18:
        return random.choice(valid)
    return mutated(random.choice(valid), random.choice(valid), random)


# -- readers ---------------------------------------------------------------------------------


class Target(NamedTuple):
    """Valid texts to mutate, and a check: True if a text was accepted, False if refused."""

    valid: Sequence[str]
    accepts: Callable[[str], bool]


def refused(error: LaserboardError) -> bool:
    """Every error is one readable line."""
    message = str(error)
    assert message.strip()
    assert "\n" not in message
    assert len(message) < 1000
    message.encode("utf-8")
    return False


def position_target(game: AnyGame) -> Target:
    random = Random(game.name)
    valid = [
        game.write_position(t.after) for s in range(4) for t in list(random_turns(game, s, 12))[::3]
    ]
    valid += [game.write_position(start(game, seed)) for seed in range(3)]
    if game.name == "laser-chess":
        valid += [" ".join(positions.laser_chess(random)) for _ in range(60)]

    def accepts(text: str) -> bool:
        try:
            position = game.read_position(text)
        except LaserboardError as error:
            return refused(error)
        written = game.write_position(position)
        again = game.read_position(written)
        assert again == position
        assert game.write_position(again) == written
        return True

    return Target(valid, accepts)


def move_target(game: AnyGame) -> Target:
    position = [turn.after for turn in random_turns(game, 3, 8, retries=40)][-1]
    movers = game.to_move(position)
    player = movers[0]
    valid = [game.write_move(position, player, move) for move in game.legal(position, player)]

    def accepts(text: str) -> bool:
        try:
            move = game.read_move(position, player, text)
        except LaserboardError as error:
            return refused(error)
        assert game.read_move(position, player, game.write_move(position, player, move)) == move
        assert len(movers) > 1 or move in game.legal(position, player)
        return True

    return Target(valid, accepts)


def record_target(form: RecordForm) -> Target:
    valid = []
    for game in (kind() for kind in GAMES.values()):
        for seed in range(3):
            turns = list(random_turns(game, seed, 2 + seed))
            record = make_record(
                game,
                None if game.setups() else turns[0].before,
                turns,
                tags={"Event": "fuzz", "Site": 'a "b" \\'},
                clocks_ms=[591_000] * len(turns),
                comments=["a comment"],
            )
            if form == "json" or game.record_form == "text":
                valid.append(write_record(replace(record, comment="before the first turn"), form))
    valid += ["\n".join(valid[:2]), "\n".join(valid[-2:])]

    def accepts(text: str) -> bool:
        taken = False
        for game in read_games(text):
            if isinstance(game, Record):
                taken = True
                for each in ("json", game.rules().record_form):
                    assert list(read_games(write_games((game,), each))) == [game]
            else:
                assert 1 <= game.line <= text.count("\n") + text.count("\r") + 1
                refused(game)
        return taken

    return Target(valid, accepts)


MAKERS: dict[str, Callable[[], Target]] = {
    "record text": partial(record_target, "text"),
    "record json": partial(record_target, "json"),
}
for each_game in (kind() for kind in GAMES.values()):
    MAKERS[f"{each_game.name} position"] = partial(position_target, each_game)
    MAKERS[f"{each_game.name} move"] = partial(move_target, each_game)

# Shares of the 10,000: long texts and replays are slow.
SHARES = {
    "laser-chess position": 2600,
    "laser-chess move": 2600,
    "photon position": 900,
    "photon move": 1500,
    "spaceships position": 400,
    "spaceships move": 1000,
    "record text": 500,
    "record json": 500,
}


@cache
def target(name: str) -> Target:
    return MAKERS[name]()


def test_every_reader_has_a_share_of_the_inputs() -> None:
    assert set(SHARES) == set(MAKERS)
    assert sum(SHARES.values()) == 10_000


CHUNKS = [
    pytest.param(0, id="first"),
    pytest.param(1, marks=pytest.mark.slow),
    *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 11)),
]


@pytest.mark.parametrize("chunk", CHUNKS)
@pytest.mark.parametrize("name", MAKERS)
def test_input_is_refused_by_our_own_error_or_round_trips(name: str, chunk: int) -> None:
    valid, accepts = target(name)
    assert all(accepts(text) for text in valid)
    random, taken = Random(f"{name} {chunk}"), 0
    count = SHARES[name]
    for _ in range(count):
        text = an_input(valid, random)
        try:
            taken += accepts(text)
        except Exception as error:
            error.add_note(f"the input was {text!r}")
            raise
    assert count // 50 < taken < count - count // 10
