"""When is a switch pressed? Edges of bouncing contacts in, presses out; pure, no clock.

A contact that closes opens a window of 30 ms: closed for 5 ms of it in all, it is a press, whose
moment is that first edge; less is a spike on the wire. What happens is told exactly 30 ms after
its moment, so presses of different buttons come in the order in which fingers came down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from controller.ports import Pressed

WINDOW_MS = 30.0  # a worn switch bounces for up to 20 ms
CLOSED_MS = 5.0  # shorter than any finger, longer than any spike
LONG_MS = 3_000.0

FIRE = ("fire 0", "fire 1")
PAUSE, REFEREE, POWER = "pause", "referee", "power"
BUTTONS = (*FIRE, PAUSE, REFEREE, POWER)
# Pause held goes on to switch off safely; a button of its own for that does so only when held.
HELD: Mapping[str, str] = {PAUSE: POWER, POWER: POWER}
ONLY_HELD = frozenset({POWER})


@dataclass(frozen=True, slots=True)
class Edge:
    """A contact closed (down) or opened."""

    button: str
    down: bool
    at_ms: float


@dataclass(frozen=True, slots=True)
class Contact:
    """What is known of one contact."""

    closed: bool = False  # as the last edge left it
    down: bool = False  # as far as the rule has decided
    turned_ms: float | None = None  # the first edge of a change that is not decided yet
    closed_ms: float = 0.0  # how long it was closed since then
    seen_ms: float = 0.0  # up to when that is counted
    pressed_ms: float | None = None  # the press that may still become a long one
    order: int = 0  # among edges of the same moment: which came first


@dataclass(frozen=True, slots=True)
class _Moment:
    at_ms: float
    order: int
    long: bool


def pressed_by(buttons: Iterable[str]) -> tuple[str, ...]:
    """Every press that these buttons can make."""
    wired = set(buttons)
    made = (wired - ONLY_HELD) | {HELD[button] for button in wired if button in HELD}
    return tuple(button for button in BUTTONS if button in made)


class Presses:
    """The rule at work on any number of contacts, all open at first unless named."""

    def __init__(self, closed: Iterable[str] = ()) -> None:
        # Down since before the start: no press, and never a long one.
        self._contacts = {button: Contact(closed=True, down=True) for button in closed}
        self._untold: list[tuple[_Moment, str]] = []
        self._edges = 0
        self._last_ms = float("-inf")

    def closed(self, button: str) -> bool:
        """Whether the contact is closed, by its last edge."""
        return self._contacts.get(button, Contact()).closed

    def edge(self, edge: Edge) -> None:
        """A contact changed. Each contact's edges come in the order of their time."""
        contact = self._advance(edge.button, edge.at_ms)
        if edge.down == contact.closed:
            return
        self._edges += 1
        contact = replace(contact, closed=edge.down)
        if contact.turned_ms is None and edge.down != contact.down:
            contact = _turn(contact, edge.at_ms, self._edges)
        self._contacts[edge.button] = contact

    def told(self, now_ms: float) -> list[Pressed]:
        """What is decided by now and was not told yet, in order."""
        for button in self._contacts:
            self._advance(button, now_ms)
        self._untold.sort(key=lambda each: (each[0].at_ms, each[0].order))
        pressed = []
        for moment, button in self._untold:
            name = HELD[button] if moment.long else button
            # An edge that was brought too late must not turn time back for whoever listens.
            self._last_ms = max(self._last_ms, moment.at_ms)
            pressed.append(Pressed(name, self._last_ms))
        self._untold = []
        return pressed

    def _advance(self, button: str, now_ms: float) -> Contact:
        contact, moments = advance(self._contacts.get(button, Contact()), now_ms)
        self._contacts[button] = contact
        for moment in moments:
            if button in HELD if moment.long else button not in ONLY_HELD:
                self._untold.append((moment, button))
        return contact


def advance(contact: Contact, now_ms: float) -> tuple[Contact, list[_Moment]]:
    """The contact once no more edges before `now_ms` can come, and what was decided on the way."""
    moments: list[_Moment] = []
    while contact.turned_ms is not None and contact.turned_ms + WINDOW_MS <= now_ms:
        contact, moment = _decide(_counted(contact, contact.turned_ms + WINDOW_MS))
        moments += moment
    contact = _counted(contact, now_ms)
    held_ms = contact.pressed_ms
    # An opening that is not decided yet came later than the moment at which the press was long.
    if contact.down and held_ms is not None and held_ms + LONG_MS + WINDOW_MS <= now_ms:
        moments.append(_Moment(held_ms + LONG_MS, contact.order, long=True))
        contact = replace(contact, pressed_ms=None)
    return contact, moments


def _counted(contact: Contact, until_ms: float) -> Contact:
    if contact.turned_ms is None or until_ms <= contact.seen_ms:
        return contact
    more_ms = until_ms - contact.seen_ms if contact.closed else 0.0
    return replace(contact, closed_ms=contact.closed_ms + more_ms, seen_ms=until_ms)


def _decide(contact: Contact) -> tuple[Contact, list[_Moment]]:
    """The end of a window."""
    assert contact.turned_ms is not None
    at_ms, end_ms = contact.turned_ms, contact.turned_ms + WINDOW_MS
    moments: list[_Moment] = []
    contact = replace(contact, turned_ms=None)
    if contact.down:
        if contact.closed:
            return contact, moments  # it opened only for an instant
        if contact.pressed_ms is not None and contact.pressed_ms + LONG_MS < at_ms:
            moments.append(_Moment(contact.pressed_ms + LONG_MS, contact.order, long=True))
        return replace(contact, down=False, pressed_ms=None), moments
    if contact.closed_ms >= CLOSED_MS:
        moments.append(_Moment(at_ms, contact.order, long=False))
        contact = replace(contact, down=True, pressed_ms=at_ms)
    if contact.closed != contact.down:
        contact = _turn(contact, end_ms, contact.order)
    return contact, moments


def _turn(contact: Contact, at_ms: float, order: int) -> Contact:
    """A change begins. The order of a press stays with it while it is held."""
    order = contact.order if contact.down else order
    return replace(contact, turned_ms=at_ms, closed_ms=0.0, seen_ms=at_ms, order=order)
