"""Random moves and rulings: the session can always be restored from its journal."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from controller.config.board_file import load_board
from controller.session.events import Request, Ruled
from controller.session.journal import format_entries, next_entry, recover
from controller.session.referee.policy import (
    Incident,
    Penalty,
    Policy,
    RefereePolicies,
    policy_field,
)
from controller.session.referee.rulings import (
    AcceptProposal,
    AddNote,
    CorrectPosition,
    DeclareResult,
    DismissProposal,
    OverrideTurn,
    Penalise,
    ResumePlay,
    Ruling,
    SetClocks,
    StopPlay,
)
from controller.session.referee.state import referee_state_of
from controller.session.replay import game_record, replay
from controller.session.resume import resume_session
from controller.session.state import Phase
from controller.session.step import dry_run
from engine.game import Outcome
from engine.record import play as played_again
from engine.record import read_record, write_record
from engine.sentences import plain
from tests.support.play.refereed_play import Refereed
from tests.support.play.table_play import Play
from tests.support.vision.tagged_table import Tabletop as Table

BOARD = load_board("demo-10x8")


class RandomRefereedGame:
    """A refereed game with random actions."""

    def __init__(self, policies: RefereePolicies, rng: Random) -> None:
        self.table, self.rng = Refereed(policies), rng

    @property
    def game(self) -> Play:
        return self.table.game

    def act(self) -> None:
        acts = (self._move, self._move, self._move, self._wrong, self._ruling, self._ruling)
        self.rng.choice((*acts, self._request, self._time, self._power))()

    def _correct_table(self) -> None:
        session = self.game.session
        self.game.table = Table.of(session.game, session.position)
        self.game.see()

    def _move(self) -> None:
        self._correct_table()
        session, game = self.game.session, self.game.session.game
        if session.phase is not Phase.TURN:
            return
        (player,) = session.to_move
        turn = game.resolve(
            session.position, {player: self.rng.choice(game.legal(session.position, player))}
        )
        self.game.table = Table.of(game, turn.aimed)
        self.game.see().presses(player)

    def _wrong(self) -> None:
        self._correct_table()
        cells = sorted(self.game.table.tags)
        free = [each for each in range(self.game.table.grid.size) if each not in cells]
        self.game.table = self.game.table.moved(self.rng.choice(cells), self.rng.choice(free))
        self.game.see()
        if self.rng.random() < 0.7:
            self.game.presses(self.rng.randrange(2))

    def _request(self) -> None:
        requests = (
            Request.CALL_REFEREE,
            Request.CALL_REFEREE,
            Request.OFFER_DRAW,
            Request.ACCEPT,
            Request.CONFIRM,
            Request.PAUSE,
        )
        self.game.asks(self.rng.choice(requests), self.rng.randrange(2))

    def _time(self) -> None:
        self.game.later(self.rng.choice((0.1, 6.0, 100.0)))

    def _power(self) -> None:
        if self.game.session.firing.turns or self.game.session.phase is Phase.OVER:
            return
        written = self.table.kept
        for entry in self.game.written:
            written.append(next_entry(written[-1], entry.kind, entry.body, entry.at_ms))
        self.table.game = Play(resume_session(written, BOARD), self.game.table, at_ms=0.0).later(0)

    def _ruling(self) -> None:
        session, rng = self.game.session, self.rng
        number = rng.choice([each.number for each in session.referee.open_proposals] or [1])
        (player,) = session.to_move or (0,)
        game, position = session.game, session.position
        legal = game.legal(position, player) if game.outcome(position) is None else ()
        squares = bytearray(position.squares)
        rng.shuffle(squares)
        shuffled = game.write_position(replace(position, squares=bytes(squares)))
        rulings: list[Ruling] = [
            AcceptProposal(number),
            AcceptProposal(number),
            DismissProposal(number),
            CorrectPosition(rng.randrange(3)),
            CorrectPosition(
                rng.randrange(2), rng.choice((shuffled, game.write_position(position)))
            ),
            SetClocks((rng.randrange(400_000), rng.randrange(1, 400_000))),
            Penalise(rng.randrange(2), Penalty(rng.choice((0, 60_000)))),
            AddNote("seen"),
            StopPlay(),
            ResumePlay(),
        ]
        if legal:
            rulings.append(OverrideTurn((game.write_move(position, player, rng.choice(legal)),)))
        if rng.random() < 0.1:
            rulings.append(DeclareResult(Outcome(rng.choice(("1-0", "1/2-1/2")), plain("ruled"))))
        ruling = rng.choice(rulings)
        ruled, before = Ruled(ruling, self.game.at_ms), len(self.game.written)
        refusal = dry_run(session, ruled)
        self.game.send(ruled)
        if refusal is not None:
            assert (self.game.session, len(self.game.written)) == (session, before)

    def check(self) -> None:
        session, entries = self.game.session, list(self.table.kept)
        for each in self.game.written:
            entries.append(next_entry(entries[-1], each.kind, each.body, each.at_ms))
        assert recover(format_entries(entries)).damaged_tail is None
        played = replay(entries)
        assert played.fault is None, played.fault
        assert referee_state_of(entries) == session.referee
        if not session.firing.turns:
            assert played.position == session.position
        assert [past.turn for past in session.history] == list(played.turns)
        assert session.phase is not Phase.OVER or played.outcome == session.outcome
        exported = read_record(write_record(game_record(played)))
        assert list(played_again(exported)) == list(played.turns)
        if session.referee.open_proposals:
            assert session.phase in (Phase.PAUSED, Phase.OVER, Phase.FIRING)
        if not session.firing.turns and (played.outcome is None or session.referee.open_proposals):
            again = resume_session(entries, BOARD)
            assert again.position == session.position
            assert [past[::2] for past in again.history] == [past[::2] for past in session.history]
            assert again.referee == session.referee


def drawn_laws(rng: Random) -> RefereePolicies:
    policies: dict[str, Any] = {policy_field(each): rng.choice(tuple(Policy)) for each in Incident}
    return RefereePolicies(**policies)


def run_game(seed: int, acts: int) -> None:
    rng = Random(seed)
    random_game = RandomRefereedGame(drawn_laws(rng), rng)
    for _ in range(acts):
        random_game.act()
        random_game.check()


@pytest.mark.parametrize("seed", range(40))
def test_a_crash_at_any_time_loses_nothing_of_a_refereed_game(seed: int) -> None:
    run_game(seed, 14)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1060))
def test_a_crash_at_any_time_loses_nothing_of_a_long_refereed_game(seed: int) -> None:
    run_game(seed, 40)
