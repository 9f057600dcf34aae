"""Whatever players do and a referee rules, the journal alone tells where the game stands."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from controller.affairs import affairs_of
from controller.config import load_board
from controller.flow.rulings import why_not
from controller.journal import following, recover, write_lines
from controller.laws import Happening, Laws, Penalty, Policy, field_of
from controller.played import record, replay
from controller.resume import resumed
from controller.rulings import (
    Accept,
    Annotate,
    Correct,
    Declare,
    Dismiss,
    GoOn,
    Override,
    Penalise,
    Ruling,
    SetClocks,
    Stop,
)
from controller.session_values import Phase, Ruled, Wish
from engine.game import Outcome
from engine.record import play as played_again
from engine.record import read, write
from tests.controller.playing import Play
from tests.controller.refereed import Refereed
from tests.vision.unkind import Tabletop as Table

BOARD = load_board("demo-10x8")


class Story:
    """Chance decides what happens next."""

    def __init__(self, laws: Laws, rng: Random) -> None:
        self.table, self.rng = Refereed(laws), rng

    @property
    def game(self) -> Play:
        return self.table.game

    def act(self) -> None:
        acts = (self._move, self._move, self._move, self._wrong, self._ruling, self._ruling)
        self.rng.choice((*acts, self._wish, self._time, self._power))()

    def _as_it_should_be(self) -> None:
        session = self.game.session
        self.game.table = Table.of(session.table.game, session.position)
        self.game.see()

    def _move(self) -> None:
        self._as_it_should_be()
        session, game = self.game.session, self.game.session.table.game
        if session.phase is not Phase.TURN:
            return
        (player,) = session.movers
        turn = game.resolve(
            session.position, {player: self.rng.choice(game.legal(session.position, player))}
        )
        self.game.table = Table.of(game, turn.aimed)
        self.game.see().presses(player)

    def _wrong(self) -> None:
        self._as_it_should_be()
        cells = sorted(self.game.table.tags)
        free = [each for each in range(self.game.table.grid.size) if each not in cells]
        self.game.table = self.game.table.moved(self.rng.choice(cells), self.rng.choice(free))
        self.game.see()
        if self.rng.random() < 0.7:
            self.game.presses(self.rng.randrange(2))

    def _wish(self) -> None:
        wishes = (Wish.CALL, Wish.CALL, Wish.OFFER_DRAW, Wish.ACCEPT, Wish.CONFIRM, Wish.PAUSE)
        self.game.asks(self.rng.choice(wishes), self.rng.randrange(2))

    def _time(self) -> None:
        self.game.later(self.rng.choice((0.1, 6.0, 100.0)))

    def _power(self) -> None:
        if self.game.session.pending or self.game.session.phase is Phase.OVER:
            return
        written = self.table.kept
        for entry in self.game.written:
            written.append(following(written[-1], entry.kind, entry.body, entry.at_ms))
        self.table.game = Play(resumed(written, BOARD), self.game.table, at_ms=0.0).later(0)

    def _ruling(self) -> None:
        session, rng = self.game.session, self.rng
        number = rng.choice([each.number for each in session.affairs.open] or [1])
        (player,) = session.movers or (0,)
        game, position = session.table.game, session.position
        legal = game.legal(position, player) if game.outcome(position) is None else ()
        squares = bytearray(position.squares)
        rng.shuffle(squares)
        shuffled = game.write_position(replace(position, squares=bytes(squares)))
        rulings: list[Ruling] = [
            Accept(number),
            Accept(number),
            Dismiss(number),
            Correct(rng.randrange(3)),
            Correct(rng.randrange(2), rng.choice((shuffled, game.write_position(position)))),
            SetClocks((rng.randrange(400_000), rng.randrange(1, 400_000))),
            Penalise(rng.randrange(2), Penalty(rng.choice((0, 60_000)))),
            Annotate("seen"),
            Stop(),
            GoOn(),
        ]
        if legal:
            rulings.append(Override((game.write_move(position, player, rng.choice(legal)),)))
        if rng.random() < 0.1:
            rulings.append(Declare(Outcome(rng.choice(("1-0", "1/2-1/2")), "ruled")))
        ruling = rng.choice(rulings)
        refusal, before = why_not(session, ruling), len(self.game.written)
        self.game.happens(Ruled(ruling, self.game.at_ms))
        if refusal:
            assert (self.game.session, len(self.game.written)) == (session, before)

    def check(self) -> None:
        session, entries = self.game.session, list(self.table.kept)
        for each in self.game.written:
            entries.append(following(entries[-1], each.kind, each.body, each.at_ms))
        assert recover(write_lines(entries)).torn is None
        played = replay(entries)
        assert played.fault is None, played.fault
        assert affairs_of(entries) == session.affairs
        if not session.pending:
            assert played.position == session.position
        assert [past.turn for past in session.history] == list(played.turns)
        assert session.phase is not Phase.OVER or played.ended == session.outcome
        exported = read(write(record(played)))
        assert list(played_again(exported)) == list(played.turns)
        if session.affairs.open:
            assert session.phase in (Phase.PAUSED, Phase.OVER, Phase.FIRING)
        if not session.pending and (played.ended is None or session.affairs.open):
            again = resumed(entries, BOARD)
            assert again.position == session.position
            assert [past[::2] for past in again.history] == [past[::2] for past in session.history]
            assert again.affairs == session.affairs


def drawn_laws(rng: Random) -> Laws:
    policies: dict[str, Any] = {field_of(each): rng.choice(tuple(Policy)) for each in Happening}
    return Laws(**policies)


def told(seed: int, acts: int) -> None:
    rng = Random(seed)
    story = Story(drawn_laws(rng), rng)
    for _ in range(acts):
        story.act()
        story.check()


@pytest.mark.parametrize("seed", range(40))
def test_a_crash_at_any_time_loses_nothing_of_a_referees_game(seed: int) -> None:
    told(seed, 14)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1060))
def test_nor_of_a_long_one(seed: int) -> None:
    told(seed, 40)
