"""Debouncing: a contact closed for 5 ms within 30 ms counts as one press. Pure, without a clock.

Takes the edges of contacts, gives presses. The time of a press is its first edge; less than 5 ms is
a spike on the wire. A press is reported exactly 30 ms after its time, so that presses of different
buttons come in order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.ports.buttons import BUTTONS, LONG_PRESS_MS, TABLE_BUTTONS
from controller.ports.events import Pressed

DEBOUNCE_WINDOW_MS = 30.0  # a worn switch bounces for up to 20 ms
MIN_CLOSED_MS = 5.0  # every press is longer, every spike on the wire is shorter

HELD_PRESS = {button.name: button.held for button in TABLE_BUTTONS if button.held is not None}
HOLD_ONLY = frozenset(button.name for button in TABLE_BUTTONS if button.hold_only)


@dataclass(frozen=True, slots=True)
class ContactEdge:
    """A contact closed or opened."""

    button: str
    closed: bool
    at_ms: float


@dataclass(frozen=True, slots=True)
class Contact:
    """The state of one contact."""

    closed: bool = False  # after the last edge
    debounced_closed: bool = False
    changed_ms: float | None = None  # the first edge of an undecided change
    closed_ms: float = 0.0  # total time closed since `changed_ms`
    counted_until_ms: float = 0.0  # `closed_ms` counts up to here
    pressed_ms: float | None = None  # start of a press that may become a long one
    order: int = 0  # order of edges with the same time


@dataclass(frozen=True, slots=True)
class _Press:
    at_ms: float
    order: int
    long: bool


def possible_presses(buttons: Iterable[str]) -> tuple[str, ...]:
    """All presses that these buttons can produce."""
    wired = set(buttons)
    made = (wired - HOLD_ONLY) | {HELD_PRESS[button] for button in wired if button in HELD_PRESS}
    return tuple(button for button in BUTTONS if button in made)


class Debouncer:
    """Debounces any number of contacts. Those named in `closed` are closed at the start."""

    def __init__(self, closed: Iterable[str] = ()) -> None:
        # Closed before the start: neither a press nor a long press.
        self._contacts = {button: Contact(closed=True, debounced_closed=True) for button in closed}
        self._undelivered: list[tuple[_Press, str]] = []
        self._edge_count = 0
        self._last_ms = float("-inf")

    def is_closed(self, button: str) -> bool:
        """Whether the contact is closed after its last edge."""
        return self._contacts.get(button, Contact()).closed

    def add_edge(self, edge: ContactEdge) -> None:
        """Add an edge. The edges of one contact must come in order of time."""
        contact = self._advance(edge.button, edge.at_ms)
        if edge.closed == contact.closed:
            return
        self._edge_count += 1
        contact = replace(contact, closed=edge.closed)
        if contact.changed_ms is None and edge.closed != contact.debounced_closed:
            contact = _begin_change(contact, edge.at_ms, self._edge_count)
        self._contacts[edge.button] = contact

    def take_presses(self, now_ms: float) -> list[Pressed]:
        """Remove and return the presses decided by now, in order of time."""
        for button in self._contacts:
            self._advance(button, now_ms)
        self._undelivered.sort(key=lambda each: (each[0].at_ms, each[0].order))
        pressed = []
        for press, button in self._undelivered:
            name = HELD_PRESS[button] if press.long else button
            # A late edge must not make the reported times go backwards.
            self._last_ms = max(self._last_ms, press.at_ms)
            pressed.append(Pressed(name, self._last_ms))
        self._undelivered = []
        return pressed

    def _advance(self, button: str, now_ms: float) -> Contact:
        contact, presses = advance_contact(self._contacts.get(button, Contact()), now_ms)
        self._contacts[button] = contact
        for press in presses:
            counts = button in HELD_PRESS if press.long else button not in HOLD_ONLY
            if counts:
                self._undelivered.append((press, button))
        return contact


def advance_contact(contact: Contact, now_ms: float) -> tuple[Contact, list[_Press]]:
    """The contact at `now_ms`, if no more edges before that come, and the presses until then."""
    presses: list[_Press] = []
    while contact.changed_ms is not None and contact.changed_ms + DEBOUNCE_WINDOW_MS <= now_ms:
        contact, decided = _decide_window(
            _count_closed_time(contact, contact.changed_ms + DEBOUNCE_WINDOW_MS)
        )
        presses += decided
    contact = _count_closed_time(contact, now_ms)
    held_ms = contact.pressed_ms
    # An opening that is undecided yet began within the last `DEBOUNCE_WINDOW_MS`: the press had
    # become a long one before.
    if (
        contact.debounced_closed
        and held_ms is not None
        and held_ms + LONG_PRESS_MS + DEBOUNCE_WINDOW_MS <= now_ms
    ):
        presses.append(_Press(held_ms + LONG_PRESS_MS, contact.order, long=True))
        contact = replace(contact, pressed_ms=None)
    return contact, presses


def _count_closed_time(contact: Contact, until_ms: float) -> Contact:
    if contact.changed_ms is None or until_ms <= contact.counted_until_ms:
        return contact
    more_ms = until_ms - contact.counted_until_ms if contact.closed else 0.0
    return replace(contact, closed_ms=contact.closed_ms + more_ms, counted_until_ms=until_ms)


def _decide_window(contact: Contact) -> tuple[Contact, list[_Press]]:
    """Decide a change at the end of its window."""
    assert contact.changed_ms is not None
    at_ms, end_ms = contact.changed_ms, contact.changed_ms + DEBOUNCE_WINDOW_MS
    presses: list[_Press] = []
    contact = replace(contact, changed_ms=None)
    if contact.debounced_closed:
        if contact.closed:
            return contact, presses  # it bounced open
        if contact.pressed_ms is not None and contact.pressed_ms + LONG_PRESS_MS < at_ms:
            presses.append(_Press(contact.pressed_ms + LONG_PRESS_MS, contact.order, long=True))
        return replace(contact, debounced_closed=False, pressed_ms=None), presses
    if contact.closed_ms >= MIN_CLOSED_MS:
        presses.append(_Press(at_ms, contact.order, long=False))
        contact = replace(contact, debounced_closed=True, pressed_ms=at_ms)
    if contact.closed != contact.debounced_closed:
        contact = _begin_change(contact, end_ms, contact.order)
    return contact, presses


def _begin_change(contact: Contact, at_ms: float, order: int) -> Contact:
    """Start the window of a change. A held press keeps its order."""
    order = contact.order if contact.debounced_closed else order
    return replace(contact, changed_ms=at_ms, closed_ms=0.0, counted_until_ms=at_ms, order=order)
