"""A refereed game, driven and checked by the sentences of docs/referee-policy.md."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from controller.config.board_file import load_board
from controller.ports.events import Pressed
from controller.session.clocks import Clocks, TimeControl, format_clock
from controller.session.events import Request, Ruled
from controller.session.journal import JournalEntry, next_entry
from controller.session.referee.policy import (
    ConfirmedBy,
    Incident,
    Penalty,
    Policy,
    RefereePolicies,
    policy_field,
)
from controller.session.referee.rulings import (
    AcceptProposal,
    AddNote,
    ConfirmResult,
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
from controller.session.referee.state import RefereeState, result_blocked_by_names
from controller.session.resume import resume_session
from controller.session.sentences import AGREED
from controller.session.setup import GAME, GameSetup, Seat, TournamentEntry, setup_body
from controller.session.state import Phase
from controller.session.step import dry_run
from engine import games
from engine.game import Outcome
from engine.sentences import Sentence
from tests.support.play.table_play import DUEL, Play, play
from tests.support.vision.tagged_table import Tabletop as Table

KING = "l++9/4k5/9B/*/*/*/*/4K4L"
CLOCK = "5m"
SIDES = {"blue": 0, "red": 1}
Act = Callable[..., None]


def policies_of(text: str) -> RefereePolicies:
    """Parse `illegal move: accept; penalties: 2m, loss`."""
    policies = RefereePolicies()
    for part in filter(None, (each.strip() for each in text.split(";"))):
        name, _, value = part.partition(": ")
        if name == "penalties":
            policies = replace(policies, penalties=tuple(map(Penalty.parse, value.split(", "))))
        elif name == "result confirmed":
            policies = replace(policies, result_confirmed=ConfirmedBy(value))
        else:
            changed: dict[str, Any] = {policy_field(Incident(name)): Policy(value)}
            policies = replace(policies, **changed)
    return policies


@dataclass
class Refereed:
    """One refereed game: `does` runs an action sentence, `finds` checks an expectation."""

    policies: RefereePolicies
    position: str = DUEL
    tournament_entry: TournamentEntry | None = None
    refused: list[Sentence] = field(default_factory=list)
    kept: list[JournalEntry] = field(default_factory=list)  # before the last resume
    game: Play = field(init=False)

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.game = play(self.position, CLOCK)
        clocks = Clocks.for_control(TimeControl.parse(CLOCK)).start(0, self.game.at_ms)
        self.game.session = replace(
            self.game.session,
            clocks=clocks,
            clocks_after_turn=clocks,
            setup=replace(self.game.session.setup, policies=self.policies),
            writing=replace(self.game.session.writing, entry_count=1),
        )
        start = GameSetup(
            games.make(),
            (Seat("Ada"), Seat("Bob")),
            position=games.make().read_position(self.position),
            time_control=CLOCK,
            policies=self.policies,
            tournament_entry=self.tournament_entry,
        )
        self.kept = [next_entry(None, GAME, setup_body(start), 0.0)]

    # -- actions -------------------------------------------------------------------------------

    def does(self, sentence: str) -> None:
        for pattern, act in ACTS.items():
            if found := re.fullmatch(pattern, sentence):
                act(self, *found.groups())
                return
        raise AssertionError(f"no action for: {sentence}")

    def king(self) -> None:
        self.position = KING
        self._begin()

    def unseen(self, source: str, target: str) -> None:
        game = self.game
        game.table = game.table.moved(game.cell(source), game.cell(target))
        game.see(6, covered=[game.cell(target), game.cell("i4")])

    def rules(self, ruling: Ruling) -> None:
        before, ruled = self.game.session, Ruled(ruling, self.game.at_ms)
        refusal = dry_run(before, ruled)
        if refusal is not None:
            self.refused.append(refusal)
        self.game.send(ruled)
        assert refusal is None or self.game.session == before, "a refused ruling changes nothing"

    def proposal(self) -> int:
        return self.game.session.referee.open_proposals[0].number

    def restore_piece(self, cell: str) -> None:
        """Rule that the first piece of this cell is put back."""
        game, session = self.game.session.game, self.game.session
        first = game.read_position(self.position)
        at = first.grid.cell(cell)
        squares = bytearray(session.position.squares)
        squares[at] = first.squares[at]
        put = replace(session.position, squares=bytes(squares))
        self.rules(CorrectPosition(0, game.write_position(put)))

    def repeat_position(self, times: str) -> None:
        """Repeat the position by moving to and fro."""
        again = {"twice": 1, "three times": 2}[times]
        for blue, red in ((("j4", "j3"), ("e7", "e8")), (("j3", "j4"), ("e8", "e7"))) * again:
            self.game.moves(*blue).presses(0).moves(*red).presses(1)
        self.game.see()

    def restore_first_position(self) -> None:
        first = self.game.session.game.read_position(self.position)
        self.rules(CorrectPosition(0, self.game.session.game.write_position(first)))

    def as_shown(self) -> None:
        session = self.game.session
        self.game.table = Table.of(session.game, session.position)
        self.game.see()

    def entries(self) -> list[JournalEntry]:
        """The whole journal."""
        found = list(self.kept)
        for write in self.game.written:
            found.append(next_entry(found[-1], write.kind, write.body, write.at_ms))
        return found

    def resume_from_journal(self) -> None:
        self.kept = self.entries()
        session = resume_session(self.kept, load_board("demo-10x8"))
        self.game = Play(session, self.game.table, at_ms=1_000_000.0).later(0)

    def before_the_flag(self, by_ms: float) -> None:
        """Press fire this long before Blue's flag falls; the table was seen just before."""
        flag_ms = self.game.session.clocks.next_flag_ms()
        assert flag_ms is not None
        assert flag_ms - by_ms - self.game.at_ms < 900, "the last frame is recent"
        self.game.at_ms = flag_ms - by_ms
        self.game.presses(0)

    # -- expectations --------------------------------------------------------------------------

    def finds(self, sentence: str) -> None:
        for pattern, look in EXPECTATIONS.items():
            if found := re.fullmatch(pattern, sentence):
                seen, wanted = look(self, *found.groups())
                assert seen == wanted, f"{sentence}: {seen} is not {wanted}"
                return
        raise AssertionError(f"no check for: {sentence}")

    @property
    def referee_state(self) -> RefereeState:
        return self.game.session.referee

    def waits(self) -> list[str]:
        session = self.game.session
        names = result_blocked_by_names(
            session.referee, session.policies, session.seats, session.game
        )
        return [str(each) for each in names]

    def written_kinds(self) -> str:
        return ", ".join(self.game.kinds()) or "nothing"

    def shows(self, player: str) -> str:
        left = self.game.session.clocks.remaining_ms(SIDES[player], self.game.at_ms)
        return format_clock(left if left is None else 1000 * round(left / 1000))

    def stands_on(self, cell: str) -> tuple[str, str]:
        session = self.game.session
        piece = session.position.pieces[session.position.grid.cell(cell)]
        return session.game.players[piece.owner], piece.kind


def _ms(minutes: str, seconds: str) -> int:
    return 60_000 * int(minutes) + 1000 * int(seconds)


def _confirmed(table: Refereed, who: str) -> tuple[set[int], set[int]]:
    wanted = {"both": {0, 1}, "no player": set[int]()}.get(who, {SIDES.get(who, -1)})
    return set(table.referee_state.confirmed_by), wanted


def _slow_beam(table: Refereed) -> None:
    table.game.leds_answer = False


def _beam_ends(table: Refereed) -> None:
    table.game.leds_answer = True
    table.game.shows().see()


ACTS: dict[str, Act] = {
    r"a king in the beam": Refereed.king,
    r"(blue|red) moves (\w\d) (\w\d)": lambda t, _, a, b: t.game.moves(a, b),
    r"(blue|red) moves (\w\d) (\w\d) unseen": lambda t, _, a, b: t.unseen(a, b),
    r"hands move (\w\d) (\w\d)": lambda t, a, b: t.game.moves(a, b),
    r"(blue|red) presses fire": lambda t, who: t.game.presses(SIDES[who]),
    r"blue presses fire at the flag": lambda t: t.before_the_flag(0.0),
    r"blue presses fire just before the flag": lambda t: t.before_the_flag(1.0),
    r"(blue|red) chooses the first": lambda t, who: t.game.asks(Request.CHOOSE, SIDES[who]),
    r"(blue|red) calls the referee": lambda t, who: t.game.asks(Request.CALL_REFEREE, SIDES[who]),
    r"(blue|red) asks for a pause": lambda t, who: t.game.asks(Request.PAUSE, SIDES[who]),
    r"(blue|red) resigns": lambda t, who: t.game.asks(Request.RESIGN, SIDES[who]),
    r"(\w\d) is bumped": lambda t, cell: t.game.turns(cell, 1),
    r"(\w\d) is put back": lambda t, cell: t.game.turns(cell, -1),
    r"(\w\d) is taken off": lambda t, cell: t.game.takes(cell),
    r"(\d+) s pass": lambda t, seconds: t.game.later(float(seconds)),
    r"the beam is slow": _slow_beam,
    r"the beam ends": _beam_ends,
    r"the position occurs (twice|three times)": Refereed.repeat_position,
    r"the pieces are set as shown": Refereed.as_shown,
    r"power fails": Refereed.resume_from_journal,
    r"the referee accepts": lambda t: t.rules(AcceptProposal(t.proposal())),
    r"the referee dismisses": lambda t: t.rules(DismissProposal(t.proposal())),
    r"the referee plays (\S+)": lambda t, move: t.rules(OverrideTurn((move,))),
    r"the referee takes (\d) turn back": lambda t, turns: t.rules(CorrectPosition(int(turns))),
    r"the referee restores the first position": Refereed.restore_first_position,
    r"the referee puts red's deflector back on (\w\d)": lambda t, cell: t.restore_piece(cell),
    r"the referee sets the clocks to (\d):(\d\d) and (\d):(\d\d)": lambda t, a, b, c, d: t.rules(
        SetClocks((_ms(a, b), _ms(c, d)))
    ),
    r"the referee penalises (blue|red): (\w+)": lambda t, who, penalty: t.rules(
        Penalise(SIDES[who], Penalty.parse(penalty))
    ),
    r"the referee declares (\S+)": lambda t, result: t.rules(
        DeclareResult(Outcome(result, AGREED()))
    ),
    r"the referee confirms": lambda t: t.rules(ConfirmResult()),
    r"the (pause|referee) button is pressed": lambda t, button: t.game.send(
        Pressed(button, t.game.at_ms)
    ),
    r"the referee notes: (.+)": lambda t, note: t.rules(AddNote(note)),
    r"the referee stops the game": lambda t: t.rules(StopPlay()),
    r"the referee resumes the game": lambda t: t.rules(ResumePlay()),
}
EXPECTATIONS: dict[str, Callable[..., tuple[object, object]]] = {
    r"play is paused": lambda t: (t.game.phase(), Phase.PAUSED),
    r"play continues": lambda t: (t.game.phase() in (Phase.PAUSED, Phase.OVER), False),
    r"no proposal is open": lambda t: (t.referee_state.open_proposals, ()),
    r"no clock runs": lambda t: (t.game.session.clocks.running, ()),
    r"open proposals: (.+)": lambda t, what: (
        ", ".join(each.subject for each in t.referee_state.open_proposals),
        what,
    ),
    r"(blue|red) has (\d:\d\d)": lambda t, who, time: (t.shows(who), time),
    r"(blue|red) has moved (\S+)": lambda t, _, move: (
        list(t.game.written[-2].body["moves"].values()),
        [move],
    ),
    r"(blue|red) is to move": lambda t, who: (t.game.session.to_move, (SIDES[who],)),
    r"the game is over: (.+)": lambda t, outcome: (str(t.game.session.outcome), outcome),
    r"journal: (.+)": lambda t, kinds: (t.written_kinds(), kinds),
    r"journal ends with: (.+)": lambda t, kinds: (t.written_kinds()[-len(kinds) :], kinds),
    r"written by: (.+)": lambda t, whom: (
        ", ".join(each.body["by"] for each in t.game.written),
        whom,
    ),
    r"the result waits for: (.+)": lambda t, names: (", ".join(t.waits()), names),
    r"the result is confirmed": lambda t: (t.waits(), []),
    r"refused: (.+)": lambda t, words: (words in str(t.refused[-1]), True),
    r"(blue|red)'s (\w+) stands on (\w\d)": lambda t, who, kind, cell: (
        t.stands_on(cell),
        (who, kind),
    ),
    r"(both|no player|blue|red) ha(?:ve|s) confirmed": _confirmed,
}
