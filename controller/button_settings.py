"""The sections `buttons` and `speaker` of a board file, and their URLs, as frozen values and back.

Pins are BCM numbers, the ones after "GPIO". Nothing is opened here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from controller.press import BUTTONS
from engine.errors import LaserboardError, did_you_mean, excerpt

if TYPE_CHECKING:  # slow to load, and most commands read no board file
    from controller.yaml_tree import Place

PINS = (2, 27)  # 0 and 1 belong to the memory of a board that is plugged on top
# A halted Pi starts when pin 3 is pulled to ground, so the power button also switches it on.
DEFAULT_PINS = MappingProxyType(
    {"fire 0": 17, "fire 1": 27, "pause": 22, "referee": 23, "power": 3}
)
LAMP_PIN, BUZZER_PIN = 24, 18
KEYS: Mapping[str, str] = {
    "a": "fire 0",
    "l": "fire 1",
    "p": "pause",
    "r": "referee",
    "o": "power",
}
KEYS_SHOWN = ", ".join(f"{key} = {button}" for key, button in KEYS.items())
BUTTON_KEYS, SPEAKER_KEYS = ("url", "pins"), ("url", "lamp", "buzzer", "tones")
LONGEST_SCRIPT_MS = 86_400_000
BUTTON_KINDS = ("gpio", "keyboard", "script", "none")
SPEAKER_KINDS = ("gpio", "terminal", "none")
BUTTON_EXAMPLES = 'gpio://, keyboard://, "script://fire 0@1500,pause@3000" or none://'
SPEAKER_EXAMPLES = "gpio://, terminal:// or none://"


class BadButtons(LaserboardError, ValueError):
    """Buttons that do not exist, or cannot be used here."""


class BadSpeaker(LaserboardError, ValueError):
    """A lamp or buzzer that does not exist, or cannot be used here."""


@dataclass(frozen=True, slots=True)
class ButtonAddress:
    """What the URL of buttons says."""

    kind: str  # one of BUTTON_KINDS
    script: tuple[tuple[float, str], ...] = ()  # ms from the start, and what is pressed then


@dataclass(frozen=True)
class ButtonSettings:
    """What a board file says about its buttons; a URL of None is left to the program."""

    url: str | None = None
    pins: Mapping[str, int] = field(default_factory=lambda: DEFAULT_PINS)


@dataclass(frozen=True, slots=True)
class SpeakerSettings:
    """What a board file says about its lamp and buzzer; a pin of None is not there."""

    url: str | None = None
    lamp: int | None = LAMP_PIN
    buzzer: int | None = BUZZER_PIN
    tones: bool = True  # a passive buzzer; one that can only hum its own tone has none


def read_buttons(place: Place | None) -> ButtonSettings:
    """The section `buttons` of a board file."""
    if place is None:
        return ButtonSettings()
    keys = place.section(*BUTTON_KEYS)
    url, pins = keys.get("url"), keys.get("pins")
    text = None
    if url is not None:
        text = url.text('buttons, such as "gpio://"')
        try:
            read_button_url(text)
        except BadButtons as bad:
            raise url.error(str(bad)) from None
    return ButtonSettings(text, DEFAULT_PINS if pins is None else _pins(pins))


def read_speaker(place: Place | None, buttons: ButtonSettings | None = None) -> SpeakerSettings:
    """The section `speaker` of a board file, whose pins are not those of the buttons."""
    taken = {} if buttons is None else {pin: name for name, pin in buttons.pins.items()}
    if place is None:
        lamp, buzzer = (_pin_or_none(None, pin, "", taken) for pin in (LAMP_PIN, BUZZER_PIN))
        return SpeakerSettings(None, lamp, buzzer)
    keys = place.section(*SPEAKER_KEYS)
    url, tones = keys.get("url"), keys.get("tones")
    text = None
    if url is not None:
        text = url.text('a speaker, such as "gpio://"')
        try:
            read_speaker_url(text)
        except BadSpeaker as bad:
            raise url.error(str(bad)) from None
    lamp = _pin_or_none(keys.get("lamp"), LAMP_PIN, "lamp", taken)
    buzzer = _pin_or_none(keys.get("buzzer"), BUZZER_PIN, "buzzer", taken)
    return SpeakerSettings(text, lamp, buzzer, tones is None or tones.yes_or_no())


def write_buttons(settings: ButtonSettings) -> list[str]:
    """The lines of a board file that read back as these settings; none for the usual ones."""
    lines = _written_url(settings.url)
    if dict(settings.pins) != dict(DEFAULT_PINS):
        pins = ", ".join(f"{button}: {pin}" for button, pin in settings.pins.items())
        lines.append(f"  pins: {{{pins}}}")
    return ["buttons:", *lines] if lines else []


def write_speaker(settings: SpeakerSettings) -> list[str]:
    """The lines of a board file that read back as these settings; none for the usual ones."""
    lines, usual = _written_url(settings.url), SpeakerSettings()
    for key in ("lamp", "buzzer"):
        pin = getattr(settings, key)
        if pin != getattr(usual, key):
            lines.append(f"  {key}: {'none' if pin is None else pin}")
    if not settings.tones:
        lines.append("  tones: false")
    return ["speaker:", *lines] if lines else []


def read_button_url(url: str) -> ButtonAddress:
    """`script://fire 0@1500,pause@3000` -> `ButtonAddress("script", ((1500.0, "fire 0"), ...))`."""
    kind, rest = _split(url, "buttons", BUTTON_KINDS, BUTTON_EXAMPLES, BadButtons)
    if kind != "script":
        return ButtonAddress(kind)
    return ButtonAddress(kind, tuple(_script(unquote(rest), url)))


def write_button_url(address: ButtonAddress) -> str:
    """A URL that reads back as the same buttons."""
    presses = (f"{button}@{at_ms:f}".rstrip("0").rstrip(".") for at_ms, button in address.script)
    return f"{address.kind}://{quote(','.join(presses), safe=' ,@.')}"


def read_speaker_url(url: str) -> str:
    """The kind of speaker that a URL names."""
    kind, _ = _split(url, "speaker", SPEAKER_KINDS, SPEAKER_EXAMPLES, BadSpeaker)
    return kind


def _split(
    url: str, what: str, kinds: Iterable[str], examples: str, error: type[LaserboardError]
) -> tuple[str, str]:
    kind, colon, rest = url.partition("://")
    if not colon:
        raise error(f"{what} {excerpt(url)}: write a URL such as {examples}")
    if kind not in kinds:
        raise error(f"{what} {excerpt(url)}: unknown kind{did_you_mean(kind, kinds)}")
    if rest and kind != "script":
        raise error(f"{what} {excerpt(url)}: nothing comes after {kind}://")
    return kind, rest


def _script(text: str, url: str) -> Iterable[tuple[float, str]]:
    last_ms = 0.0
    for part in text.split(",") if text else ():
        button, _, moment = part.strip().rpartition("@")
        name = button.strip().replace("_", " ")
        if name not in BUTTONS:
            raise BadButtons(
                f"buttons {excerpt(url)}: {excerpt(part)}: want BUTTON@MILLISECONDS"
                f"{did_you_mean(name, BUTTONS)}"
            )
        if not re.fullmatch(r"[0-9]{1,8}(\.[0-9]{1,6})?", moment):
            raise BadButtons(
                f"buttons {excerpt(url)}: {excerpt(moment)} is not a time in milliseconds, 0 to"
                f" {LONGEST_SCRIPT_MS}"
            )
        at_ms = float(moment)
        if not last_ms <= at_ms <= LONGEST_SCRIPT_MS:
            raise BadButtons(
                f"buttons {excerpt(url)}: {excerpt(part)} comes after {last_ms:g} ms: write"
                f" presses in the order of their time, 0 to {LONGEST_SCRIPT_MS}"
            )
        last_ms = at_ms
        yield at_ms, name


def _pins(place: Place) -> Mapping[str, int]:
    pins: dict[str, int] = {}
    for key, value in place.section(*BUTTONS).entries.items():
        pin = value.whole(*PINS)
        for other, taken in pins.items():
            if taken == pin:
                raise value.error(f"pin {pin} is {other!r} already")
        pins[key] = pin
    if not pins:
        raise place.error("no button at all: leave out `pins` for the usual ones")
    return MappingProxyType(pins)


def _pin_or_none(place: Place | None, usual: int, what: str, taken: dict[int, str]) -> int | None:
    if place is None:
        # Somebody who gave the usual pin to a button has no lamp on it.
        pin: int | None = None if usual in taken else usual
    elif place.is_text() and place.node.value == "none":
        pin = None
    else:
        pin = place.whole(*PINS)
        if pin in taken:
            raise place.error(f"pin {pin} is {taken[pin]!r} already")
    if pin is not None:
        taken[pin] = what
    return pin


def _written_url(url: str | None) -> list[str]:
    return [] if url is None else [f"  url: {json.dumps(url, ensure_ascii=False)}"]
