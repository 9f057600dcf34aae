"""A keyboard as a way to play: key by key from a value to the next, and what is wanted. Pure.

Arrows and Enter point at pieces and squares. Small letters type a move, CAPITALS act at once, so
that `f4f5` never fires. What a key means depends on nothing that the screen does not show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from controller.guide import guide
from controller.session_values import Phase, Session, Wish
from controller.terminal.intents import (
    Again,
    Fire,
    Intent,
    Make,
    PutBack,
    PutRight,
    Quit,
    Say,
    Want,
)
from controller.terminal.typed import LETTERS, LONGEST, Order, Typed, Unclear, order, read_typed
from controller.terminal.ways import Way, no_way, origin_of, ways
from engine.game import Player
from engine.grid import Cell, Grid

ARROWS: Mapping[str, float] = {"up": 0.0, "right": 90.0, "down": 180.0, "left": 270.0}
TURNS: Mapping[str, int] = {
    **dict.fromkeys((",", "[", "<", "-"), -1),
    **dict.fromkeys((".", "]", ">", "+"), 1),
}
ENDS = ("eof", "ctrl-c")
MOVING = (Phase.TURN, Phase.WAITING_FOR_OTHER, Phase.MISMATCH)
BY_HAND = "make the move on the board, then fire"
KEPT = "the game is kept, and can be gone on with"

Pressed = tuple["Keyboard", tuple[Intent, ...]]


@dataclass(frozen=True, slots=True)
class Keyboard:
    """Where the cursor is, what is picked up, what is typed, what is asked."""

    hands: bool = True  # simulated ones make the moves; else people do, on a board
    cursor: Cell | None = None
    chosen: Cell | None = None  # the piece that is picked up
    typed: str = ""
    menu: tuple[Way, ...] = ()  # moves that lead to the same square
    resigning: bool = False  # "really?"
    parting: bool = False  # from a game that is not over, for another one: "really?"
    helping: bool = False
    made: frozenset[Player] = frozenset()  # whose moves were made from here in this turn
    position: Any = None  # that all this is about

    def press(self, key: str, session: Session) -> Pressed:
        """The next keyboard, and what is wanted. Keys are named as in `controller.ports_keys`."""
        now = self.at(session)
        if key in ENDS:
            return now, (Say(KEPT), Quit())
        if now.helping:
            return replace(now, helping=False), ()
        if now.typed:
            return now._typing(key, session)
        if now.resigning:
            return now._really(key, session)
        if now.parting:
            return replace(now, parting=False), (Again(),) if key in ("y", "Y") else ()
        if now.menu and key.isdecimal():
            return now._picked(int(key), session)
        return replace(now, menu=())._pressed(key, session)

    def at(self, session: Session) -> Keyboard:
        """As it is in that session: what was picked up for an earlier position is not any more."""
        cell = _start(session) if self.cursor is None else self.cursor
        cell = min(cell, session.position.grid.size - 1)
        if self.position is session.position:
            return replace(self, cursor=cell)
        kept = replace(self, cursor=cell, position=session.position, made=frozenset())
        return replace(kept, chosen=None, menu=(), resigning=False, parting=False)

    # -- keys ----------------------------------------------------------------------------------

    def _pressed(self, key: str, session: Session) -> Pressed:
        if key in ARROWS:
            return replace(self, cursor=step(session.position.grid, self._cell, key)), ()
        if key == "enter":
            return self._enter(session)
        if key == "space":
            return self._space(session)
        if key in ("esc", "backspace"):
            return self._escape(session)
        if key == "?":
            return replace(self, helping=True), ()
        if key in TURNS and self.hands:
            return self._turn(TURNS[key], session)
        if key.isdecimal() and session.phase is Phase.CONFIRMING:
            return self, (Want(Wish.CHOOSE, actor(session), int(key) - 1),)
        if key in ("y", "n") and session.offer is not None:
            return self._ordered(LETTERS[key], session)
        if len(key) == 1 and key.isupper() and key.lower() in LETTERS:
            return self._ordered(LETTERS[key.lower()], session)
        if len(key) == 1 and (key.isalpha() or key in "/{"):
            return replace(self, typed=key, chosen=None), ()
        return self, ()

    @property
    def _cell(self) -> Cell:
        assert self.cursor is not None, "`at` has put it somewhere"
        return self.cursor

    def _escape(self, session: Session) -> Pressed:
        """One step back: what is picked up, then what was moved."""
        if self.chosen is not None:
            return replace(self, chosen=None), ()
        player = actor(session)
        if self.hands and player in self.made and session.phase in MOVING:
            return replace(self, made=self.made - {player}), (PutBack(player),)
        return self, ()

    def _really(self, key: str, session: Session) -> Pressed:
        answered = replace(self, resigning=False)
        if key in ("y", "Y"):
            return answered, (Want(Wish.RESIGN, actor(session)),)
        return answered, (Say("nobody has resigned"),)

    # -- with the cursor -----------------------------------------------------------------------

    def _space(self, session: Session) -> Pressed:
        """Fire if there is something to fire; else like Enter."""
        waits = self.hands and session.phase in MOVING and actor(session) not in self.made
        if self.chosen is not None or waits:
            return self._enter(session)
        return self._ordered(Order.FIRE, session)

    def _enter(self, session: Session) -> Pressed:
        refused = self._refused(session)
        if refused:
            return self, (Say(refused),)
        if self.chosen is None:
            return self._choose(session)
        if self._cell == self.chosen:
            return replace(self, chosen=None), ()
        found = tuple(w for w in ways_of(session, self.chosen) if w.reaches(self._cell))
        if len(found) > 1:
            return replace(self, menu=found), ()
        if found:
            return self._make(found[0])
        chosen_by = session.position.pieces[self.chosen].owner
        there = session.position.pieces.get(self._cell)
        if there is not None and there.owner == chosen_by:
            return self._choose(session)
        game, position = session.table.game, session.position
        return self, (Say(no_way(game, position, chosen_by, self.chosen, self._cell)),)

    def _refused(self, session: Session) -> str:
        """Why no move can be made from here now; nothing if one can."""
        if not self.hands:
            return BY_HAND
        return "" if session.phase in MOVING else guide(session).sentence

    def _choose(self, session: Session) -> Pressed:
        origin = origin_of(session, self._cell)
        why_not = _why_not_own(session, origin, self._cell)
        if why_not:
            return replace(self, chosen=None), (Say(why_not),)
        if not ways_of(session, origin):
            return self, (Say(f"nothing can be done with {_name(session, self._cell)} now"),)
        return replace(self, chosen=origin), ()

    def _turn(self, steps: int, session: Session) -> Pressed:
        """Turn the piece that is picked up, or else the one under the cursor."""
        refused = self._refused(session)
        cell = origin_of(session, self._cell) if self.chosen is None else self.chosen
        told = refused or _why_not_own(session, cell, self._cell)
        if told:
            return self, (Say(told),)
        for way in ways_of(session, cell):
            if way.target is None and way.steps == steps:
                return self._make(way)
        side = "right" if steps > 0 else "left"
        return self, (Say(f"{_name(session, cell)} cannot be turned {side}"),)

    def _picked(self, number: int, session: Session) -> Pressed:
        if not 1 <= number <= len(self.menu):
            return self, (Say(f"choose 1 to {len(self.menu)}"),)
        refused = self._refused(session)
        return (self, (Say(refused),)) if refused else self._make(self.menu[number - 1])

    def _make(self, way: Way) -> Pressed:
        made = self.made | {way.player}
        put_down = replace(self, chosen=None, menu=(), made=made)
        if way.target is not None:
            put_down = replace(put_down, cursor=way.target)
        return put_down, (Make(way.player, way.move),)

    # -- with words ----------------------------------------------------------------------------

    def _typing(self, key: str, session: Session) -> Pressed:
        if key == "enter":
            return replace(self, typed="")._sent(self.typed.strip(), session)
        if key == "esc":
            return replace(self, typed=""), ()
        if key == "backspace":
            return replace(self, typed=self.typed[:-1]), ()
        if key in ARROWS:
            return replace(self, typed="")._pressed(key, session)
        sign = " " if key == "space" else key
        if len(sign) == 1 and sign.isprintable() and len(self.typed) < LONGEST:
            return replace(self, typed=self.typed + sign), ()
        return self, ()

    def _sent(self, text: str, session: Session) -> Pressed:
        ordered = order(text)
        if ordered is not None:
            return self._ordered(ordered, session)
        number = text.removeprefix("/")
        if number.isdecimal() and session.phase is Phase.CONFIRMING:
            return self, (Want(Wish.CHOOSE, actor(session), int(number) - 1),)
        refused = self._refused(session)
        if refused:
            return self, (Say(refused),)
        match read_typed(session, for_whom(session), text):
            case Typed(player, move):
                return replace(self, made=self.made | {player}), (Make(player, move),)
            case Unclear(choices):
                return replace(self, chosen=choices[0].origin, menu=choices), ()
            case str(sentence):
                return self, (Say(sentence),)

    def _ordered(self, ordered: Order, session: Session) -> Pressed:
        player = actor(session)
        match ordered:
            case Order.FIRE:
                return self, (_fire(session),)
            case Order.HELP:
                return replace(self, helping=True), ()
            case Order.QUIT:
                return self, (Say(KEPT), Quit())
            case Order.RESIGN if session.phase is not Phase.OVER:
                return replace(self, resigning=True, chosen=None), ()
            case Order.AGAIN if session.phase is Phase.OVER or not session.history:
                return self, (Again(),)
            case Order.AGAIN:
                return replace(self, parting=True, chosen=None), ()
            case Order.PAUSE:
                paused = session.phase is Phase.PAUSED
                return self, (Want(Wish.CONTINUE if paused else Wish.PAUSE, player),)
            case Order.PUT_RIGHT if self.hands:
                return replace(self, chosen=None, made=frozenset()), (PutRight(),)
            case Order.PUT_RIGHT:
                return self, (Say("put the pieces right on the board, as the lights show"),)
            case Order.YES | Order.NO:
                return self, (_answer(session, yes=ordered is Order.YES),)
            case Order.HINT:
                return self, (Want(Wish.HINT, player),)
            case Order.TAKE_BACK:
                return self, (Want(Wish.TAKE_BACK, last_mover(session)),)
            case Order.DRAW:
                return self, (Want(Wish.OFFER_DRAW, player),)
            case Order.CLAIM:
                return self, (Want(Wish.CLAIM_DRAW, player),)
            case Order.RESIGN:
                return self, (Say(guide(session).sentence),)


# -- who and where -----------------------------------------------------------------------------


def actor(session: Session) -> Player:
    """Whom the keys are for: who is to act and has not, be it one of several."""
    people = [p for p, seat in enumerate(session.seats) if not seat.computer]
    waiting = [p for p in session.movers if p in people and p not in session.pressed]
    return next(iter([*waiting, *(p for p in session.movers if p in people), *people]), 0)


def last_mover(session: Session) -> Player:
    """Who would take the last turn back: the person who made it, else whoever is to act."""
    made = session.history[-1].turn.moves if session.history else ()
    people = (player for player, _ in reversed(made) if not session.seats[player].computer)
    return next(people, actor(session))


def ways_of(session: Session, cell: Cell) -> tuple[Way, ...]:
    """All that may be done with the piece on that cell of the position."""
    owner = session.position.pieces[cell].owner
    return ways(session.table.game, session.position, owner, cell, session.facing)


def step(grid: Grid, cell: Cell, arrow: str) -> Cell:
    """The next cell that way. Between rows of hexagons it goes to and fro, so that up and down
    lead back."""
    headings = [h for h in range(grid.headings) if _off(grid.degrees(h), ARROWS[arrow]) < 45]
    if len(headings) > 1:
        row = round(grid.centre(cell)[1] / 0.8660254)
        rightwards = sorted(headings, key=lambda h: _off(grid.degrees(h), 90))
        headings = rightwards if row % 2 == 0 else rightwards[::-1]
    ahead = (grid.ahead(cell, heading) for heading in headings)
    return next((each for each in ahead if each is not None), cell)


def _start(session: Session) -> Cell:
    """Where the cursor begins: on a piece of whoever acts, as near to the middle as may be."""
    grid, pieces = session.position.grid, session.position.pieces
    player = actor(session)
    own = [cell for cell, piece in pieces.items() if piece.owner == player]
    points = [grid.centre(cell) for cell in range(grid.size)]
    middle_x, middle_y = (sum(each) / grid.size for each in zip(*points, strict=True))
    return min(
        own or range(grid.size),
        key=lambda cell: (points[cell][0] - middle_x) ** 2 + (points[cell][1] - middle_y) ** 2,
    )


def _off(one: float, other: float) -> float:
    """The angle between two directions."""
    between = abs(one - other) % 360
    return min(between, 360 - between)


def _name(session: Session, cell: Cell) -> str:
    name: str = session.position.grid.name(cell)
    return name


def for_whom(session: Session) -> tuple[Player, ...]:
    """Whose moves can be made now, who has not pressed first."""
    return tuple(p for p in session.people if p not in session.pressed) or session.people


def _why_not_own(session: Session, origin: Cell, shown: Cell) -> str:
    """Why the piece from `origin`, shown elsewhere maybe, is not one to move now."""
    game, piece = session.table.game, session.position.pieces.get(origin)
    whose = " or ".join(f"{game.players[player]}'s" for player in for_whom(session))
    if not whose:
        return guide(session).sentence
    if piece is None:
        return f"{_name(session, shown)} is empty: choose a piece of {whose}"
    if piece.owner not in for_whom(session):
        return f"{_name(session, shown)} is {game.players[piece.owner]}'s"
    return ""


def _fire(session: Session) -> Intent:
    if session.phase not in MOVING:
        return Say(guide(session).sentence)
    return Fire(actor(session))


def _answer(session: Session, *, yes: bool) -> Intent:
    if session.offer is None:
        return Say("nobody has asked anything")
    return Want(Wish.ACCEPT if yes else Wish.DECLINE, 1 - session.offer[1])
