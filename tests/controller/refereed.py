"""A table with a referee, for tests: what a row of docs/laws.md says is done, and looked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from controller.affairs import Affairs, waiting_for
from controller.agreement import GAME, Occasion, Seat, Start, game_body
from controller.clocks import Clocks, TimeControl, clock_face
from controller.config import load_board
from controller.flow.rulings import why_not
from controller.journal import Entry, following
from controller.laws import Confirmed, Happening, Laws, Penalty, Policy, field_of
from controller.ports import Pressed
from controller.resume import resumed
from controller.rulings import (
    Accept,
    Annotate,
    Confirm,
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
from engine import games
from engine.game import Outcome
from tests.controller.playing import DUEL, Play, play
from tests.vision.unkind import Tabletop as Table

KING = "l++9/4k5/9B/*/*/*/*/4K4L"
CLOCK = "5m"
SIDES = {"blue": 0, "red": 1}
Act = Callable[..., None]


def laws_of(text: str) -> Laws:
    """`illegal move: accept; penalties: 2m, loss`."""
    laws = Laws()
    for part in filter(None, (each.strip() for each in text.split(";"))):
        name, _, value = part.partition(": ")
        if name == "penalties":
            laws = replace(laws, penalties=tuple(map(Penalty.read, value.split(", "))))
        elif name == "result confirmed":
            laws = replace(laws, result_confirmed=Confirmed(value))
        else:
            policies: dict[str, Any] = {field_of(Happening(name)): Policy(value)}
            laws = replace(laws, **policies)
    return laws


@dataclass
class Refereed:
    """One game, with its referee."""

    laws: Laws
    position: str = DUEL
    occasion: Occasion | None = None
    refused: list[str] = field(default_factory=list)
    kept: list[Entry] = field(default_factory=list)  # of earlier lives
    game: Play = field(init=False)

    def __post_init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.game = play(self.position, CLOCK)
        clocks = Clocks.of(TimeControl.read(CLOCK)).start(0, self.game.at_ms)
        self.game.session = replace(
            self.game.session, laws=self.laws, entries=1, clocks=clocks, turn_clocks=clocks
        )
        start = Start(
            games.make(),
            (Seat("Ada"), Seat("Bob")),
            position=games.make().read_position(self.position),
            time_control=CLOCK,
            laws=self.laws,
            occasion=self.occasion,
        )
        self.kept = [following(None, GAME, game_body(start), 0.0)]

    # -- what happens --------------------------------------------------------------------------

    def does(self, sentence: str) -> None:
        for pattern, act in ACTS.items():
            if found := re.fullmatch(pattern, sentence):
                act(self, *found.groups())
                return
        raise AssertionError(f"nobody knows how to do: {sentence}")

    def king(self) -> None:
        self.position = KING
        self._begin()

    def unseen(self, source: str, target: str) -> None:
        game = self.game
        game.table = game.table.moved(game.cell(source), game.cell(target))
        game.see(6, covered=[game.cell(target), game.cell("i4")])

    def rules(self, ruling: Ruling) -> None:
        refusal = why_not(self.game.session, ruling)
        if refusal:
            self.refused.append(refusal)
        before = self.game.session
        self.game.happens(Ruled(ruling, self.game.at_ms))
        assert not refusal or self.game.session == before, "what is refused changes nothing"

    def matter(self) -> int:
        return self.game.session.affairs.open[0].number

    def puts_back(self, cell: str) -> None:
        """The piece that stood there at first."""
        game, session = self.game.session.table.game, self.game.session
        first = game.read_position(self.position)
        at = first.grid.cell(cell)
        squares = bytearray(session.position.squares)
        squares[at] = first.squares[at]
        put = replace(session.position, squares=bytes(squares))
        self.rules(Correct(0, game.write_position(put)))

    def comes(self, times: str) -> None:
        """As it stands now, and again by moves to and fro."""
        again = {"twice": 1, "three times": 2}[times]
        for blue, red in ((("j4", "j3"), ("e7", "e8")), (("j3", "j4"), ("e8", "e7"))) * again:
            self.game.moves(*blue).presses(0).moves(*red).presses(1)
        self.game.see()

    def puts_first(self) -> None:
        first = self.game.session.table.game.read_position(self.position)
        self.rules(Correct(0, self.game.session.table.game.write_position(first)))

    def as_shown(self) -> None:
        session = self.game.session
        self.game.table = Table.of(session.table.game, session.position)
        self.game.see()

    def entries(self) -> list[Entry]:
        """The whole journal."""
        found = list(self.kept)
        for write in self.game.written:
            found.append(following(found[-1], write.kind, write.body, write.at_ms))
        return found

    def power_goes(self) -> None:
        self.kept = self.entries()
        session = resumed(self.kept, load_board("demo-10x8"))
        self.game = Play(session, self.game.table, at_ms=1_000_000.0).later(0)

    def before_the_flag(self, by_ms: float) -> None:
        """At that time before Blue's flag falls, with the table seen a moment ago."""
        flag_ms = self.game.session.clocks.next_flag_ms()
        assert flag_ms is not None
        assert flag_ms - by_ms - self.game.at_ms < 900, "the camera has seen the move just now"
        self.game.at_ms = flag_ms - by_ms
        self.game.presses(0)

    # -- what comes of it ----------------------------------------------------------------------

    def finds(self, sentence: str) -> None:
        for pattern, look in EXPECTATIONS.items():
            if found := re.fullmatch(pattern, sentence):
                seen, wanted = look(self, *found.groups())
                assert seen == wanted, f"{sentence}: {seen} is not {wanted}"
                return
        raise AssertionError(f"nobody knows how to look for: {sentence}")

    @property
    def affairs(self) -> Affairs:
        return self.game.session.affairs

    def waits(self) -> list[str]:
        session = self.game.session
        return waiting_for(session.affairs, session.laws, session.seats, session.table.game)

    def told(self) -> str:
        return ", ".join(self.game.kinds()) or "nothing"

    def shows(self, player: str) -> str:
        left = self.game.session.clocks.remaining_ms(SIDES[player], self.game.at_ms)
        return clock_face(left if left is None else 1000 * round(left / 1000))

    def stands_on(self, cell: str) -> tuple[str, str]:
        session = self.game.session
        piece = session.position.pieces[session.position.grid.cell(cell)]
        return session.table.game.players[piece.owner], piece.kind


def _ms(minutes: str, seconds: str) -> int:
    return 60_000 * int(minutes) + 1000 * int(seconds)


def _confirmed(table: Refereed, who: str) -> tuple[set[int], set[int]]:
    wanted = {"both": {0, 1}, "nobody": set[int]()}.get(who, {SIDES.get(who, -1)})
    return set(table.affairs.confirmed), wanted


def _slow_beam(table: Refereed) -> None:
    table.game.lamps = False


def _beam_ends(table: Refereed) -> None:
    table.game.lamps = True
    table.game.shows().see()


ACTS: dict[str, Act] = {
    r"a king in the beam": Refereed.king,
    r"(blue|red) moves (\w\d) (\w\d)": lambda t, _, a, b: t.game.moves(a, b),
    r"(blue|red) moves (\w\d) (\w\d) unseen": lambda t, _, a, b: t.unseen(a, b),
    r"hands move (\w\d) (\w\d)": lambda t, a, b: t.game.moves(a, b),
    r"(blue|red) presses fire": lambda t, who: t.game.presses(SIDES[who]),
    r"blue presses fire at the flag": lambda t: t.before_the_flag(0.0),
    r"blue presses fire a hair before the flag": lambda t: t.before_the_flag(1.0),
    r"(blue|red) says it was the first": lambda t, who: t.game.asks(Wish.CHOOSE, SIDES[who]),
    r"(blue|red) calls the referee": lambda t, who: t.game.asks(Wish.CALL, SIDES[who]),
    r"(blue|red) asks for a pause": lambda t, who: t.game.asks(Wish.PAUSE, SIDES[who]),
    r"(blue|red) resigns": lambda t, who: t.game.asks(Wish.RESIGN, SIDES[who]),
    r"(\w\d) is bumped": lambda t, cell: t.game.turns(cell, 1),
    r"(\w\d) is put back": lambda t, cell: t.game.turns(cell, -1),
    r"(\w\d) is taken off": lambda t, cell: t.game.takes(cell),
    r"(\d+) s pass": lambda t, seconds: t.game.later(float(seconds)),
    r"the beam is slow": _slow_beam,
    r"the beam ends": _beam_ends,
    r"the position comes (twice|three times)": Refereed.comes,
    r"the board is put as shown": Refereed.as_shown,
    r"the power goes": Refereed.power_goes,
    r"the referee accepts": lambda t: t.rules(Accept(t.matter())),
    r"the referee dismisses": lambda t: t.rules(Dismiss(t.matter())),
    r"the referee plays (\S+)": lambda t, move: t.rules(Override((move,))),
    r"the referee takes (\d) turn back": lambda t, turns: t.rules(Correct(int(turns))),
    r"the referee puts the board as at first": Refereed.puts_first,
    r"the referee puts red's deflector back on (\w\d)": lambda t, cell: t.puts_back(cell),
    r"the referee sets the clocks to (\d):(\d\d) and (\d):(\d\d)": lambda t, a, b, c, d: t.rules(
        SetClocks((_ms(a, b), _ms(c, d)))
    ),
    r"the referee penalises (blue|red): (\w+)": lambda t, who, penalty: t.rules(
        Penalise(SIDES[who], Penalty.read(penalty))
    ),
    r"the referee declares (\S+)": lambda t, result: t.rules(Declare(Outcome(result, "agreed"))),
    r"the referee confirms": lambda t: t.rules(Confirm()),
    r"the (pause|referee) button is pressed": lambda t, button: t.game.happens(
        Pressed(button, t.game.at_ms)
    ),
    r"the referee notes: (.+)": lambda t, note: t.rules(Annotate(note)),
    r"the referee stops the game": lambda t: t.rules(Stop()),
    r"the referee goes on": lambda t: t.rules(GoOn()),
}
EXPECTATIONS: dict[str, Callable[..., tuple[object, object]]] = {
    r"play stands": lambda t: (t.game.phase(), Phase.PAUSED),
    r"play goes on": lambda t: (t.game.phase() in (Phase.PAUSED, Phase.OVER), False),
    r"nobody is asked": lambda t: (t.affairs.open, ()),
    r"no clock runs": lambda t: (t.game.session.clocks.running, ()),
    r"the referee is asked about: (.+)": lambda t, what: (
        ", ".join(each.about for each in t.affairs.open) or "nothing",
        what,
    ),
    r"(blue|red) has (\d:\d\d)": lambda t, who, time: (t.shows(who), time),
    r"(blue|red) has moved (\S+)": lambda t, _, move: (
        list(t.game.written[-2].body["moves"].values()),
        [move],
    ),
    r"(blue|red) is to move": lambda t, who: (t.game.session.movers, (SIDES[who],)),
    r"the game is over: (.+)": lambda t, outcome: (str(t.game.session.outcome), outcome),
    r"the record tells: (.+)": lambda t, kinds: (t.told(), kinds),
    r"the record ends with: (.+)": lambda t, kinds: (t.told()[-len(kinds) :], kinds),
    r"written by: (.+)": lambda t, whom: (
        ", ".join(each.body["by"] for each in t.game.written),
        whom,
    ),
    r"the result waits for: (.+)": lambda t, whom: (", ".join(t.waits()) or "nobody", whom),
    r"refused: (.+)": lambda t, words: (words in t.refused[-1], True),
    r"(blue|red)'s (\w+) stands on (\w\d)": lambda t, who, kind, cell: (
        t.stands_on(cell),
        (who, kind),
    ),
    r"(both|nobody|blue|red) ha(?:ve|s) confirmed": _confirmed,
}
