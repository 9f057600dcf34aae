"""The sections `buttons` and `speaker` of a board file, and the URLs of both."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config import sentences
from controller.config.buttons import (
    DEFAULT_PINS,
    BadButtons,
    BadSpeaker,
    ButtonAddress,
    ButtonSettings,
    SpeakerSettings,
    format_button_url,
    parse_button_url,
    parse_speaker_url,
    read_buttons,
    read_speaker,
    write_buttons,
    write_speaker,
)
from controller.config.yaml_tree import BadConfig, parse_yaml
from controller.ports.buttons import BUTTONS
from engine.sentences import Sentence
from tests.support.config.sentences import at_key, got, known, near, unknown_key, whole
from tests.support.engine.sentences import Expected, raises

PINS = st.integers(2, 27)
at = partial(at_key, "mine.yaml")
BUTTON_URLS = st.sampled_from([None, "gpio://", "keyboard://", "none://", "script://pause@5"])
SPEAKER_URLS = st.sampled_from([None, "gpio://", "terminal://", "none://"])


def read(text: str) -> tuple[ButtonSettings, SpeakerSettings]:
    keys = parse_yaml(text, "mine.yaml").section("buttons", "speaker")
    buttons = read_buttons(keys.get("buttons"))
    return buttons, read_speaker(keys.get("speaker"), buttons)


@st.composite
def settings(draw: st.DrawFn) -> tuple[ButtonSettings, SpeakerSettings]:
    names = draw(st.lists(st.sampled_from(BUTTONS), min_size=1, unique=True))
    pins = draw(st.lists(PINS, min_size=len(names) + 2, max_size=len(names) + 2, unique=True))
    *of_buttons, lamp, buzzer = pins
    return (
        ButtonSettings(draw(BUTTON_URLS), dict(zip(names, of_buttons, strict=True))),
        SpeakerSettings(
            draw(SPEAKER_URLS),
            draw(st.sampled_from([None, lamp])),
            draw(st.sampled_from([None, buzzer])),
            draw(st.booleans()),
        ),
    )


@given(settings())
def test_settings_read_back_as_they_were_written(
    written: tuple[ButtonSettings, SpeakerSettings],
) -> None:
    buttons, speaker = written
    assert read("\n".join(["{}", *write_buttons(buttons), *write_speaker(speaker)][1:])) == written


def test_default_settings_are_not_written() -> None:
    assert write_buttons(ButtonSettings()) == []
    assert write_speaker(SpeakerSettings()) == []
    assert read("{}") == (ButtonSettings(), SpeakerSettings())


def test_pins_of_a_board_replace_the_defaults() -> None:
    buttons, speaker = read("buttons: {pins: {fire 0: 5, pause: 6}}\nspeaker: {lamp: none}")
    assert dict(buttons.pins) == {"fire 0": 5, "pause": 6}
    assert (speaker.lamp, speaker.buzzer) == (None, 18)


def test_default_pins_do_not_collide() -> None:
    speaker = SpeakerSettings()
    pins = [*DEFAULT_PINS.values(), speaker.lamp, speaker.buzzer]
    assert tuple(DEFAULT_PINS) == BUTTONS
    assert len(set(pins)) == len(pins)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("buttons: {pin: 3}", at(1, "buttons.pin", unknown_key(near("pins")))),
        (
            "buttons:\n  pins:\n    fire0: 3",
            at(3, "buttons.pins.fire0", unknown_key(near("fire 0"))),
        ),
        (
            "buttons:\n  pins:\n    fire 0: 5\n    pause: 5",
            at(4, "buttons.pins.pause", sentences.PIN_TAKEN(pin=5, button="fire 0")),
        ),
        (
            "buttons: {pins: {pause: 28}}",
            at(1, "buttons.pins.pause", got("'28'", whole(2, 27))),
        ),
        (
            "buttons: {pins: {}}",
            at(1, "buttons.pins", sentences.NO_BUTTON()),
        ),
        (
            "buttons: {url: gpoi://}",
            at(
                1,
                "buttons.url",
                sentences.BAD_URL(
                    device="buttons",
                    url="'gpoi://'",
                    complaint=sentences.UNKNOWN_KIND(hint=near("gpio")),
                ),
            ),
        ),
        ("speaker: {lamp: 22}", at(1, "speaker.lamp", sentences.PIN_TAKEN(pin=22, button="pause"))),
        (
            "speaker: {lamp: 5, buzzer: 5}",
            at(1, "speaker.buzzer", sentences.PIN_TAKEN(pin=5, button="lamp")),
        ),
        (
            "speaker: {url: loud://}",
            at(
                1,
                "speaker.url",
                sentences.BAD_URL(
                    device="speaker",
                    url="'loud://'",
                    complaint=sentences.UNKNOWN_KIND(hint=known("gpio", "terminal", "none")),
                ),
            ),
        ),
        (
            "speaker: {tones: maybe}",
            at(1, "speaker.tones", got("'maybe'", sentences.TRUE_OR_FALSE())),
        ),
    ],
)
def test_an_error_names_its_line(text: str, expected: Sentence) -> None:
    with raises(BadConfig, expected):
        read(text)


def test_a_button_on_the_default_pin_of_the_lamp_replaces_the_lamp() -> None:
    _, speaker = read("buttons: {pins: {pause: 24}}\nspeaker: {url: 'gpio://'}")
    assert speaker.lamp is None
    _, speaker = read("buttons: {pins: {pause: 24}}")
    assert speaker.lamp is None, "also without a section of its own"


MOMENTS = st.integers(0, 86_400_000 * 4).map(lambda each: each / 4)
PRESSES = st.lists(st.tuples(MOMENTS, st.sampled_from(BUTTONS)), max_size=8)


@given(PRESSES.map(lambda presses: sorted(presses, key=lambda each: each[0])))
def test_a_script_round_trips(presses: list[tuple[float, str]]) -> None:
    address = ButtonAddress("script", tuple(presses))
    assert parse_button_url(format_button_url(address)) == address


def test_a_script_may_omit_blanks() -> None:
    expected = ButtonAddress("script", ((100.0, "fire 0"), (250.5, "pause")))
    assert parse_button_url("script://fire_0@100,pause@250.5") == expected
    assert parse_button_url("script://fire%200@100, pause@250.5") == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("keyboard", sentences.WRITE_URL(examples=sentences.BUTTON_URLS())),
        ("keybord://", sentences.UNKNOWN_KIND(hint=near("keyboard"))),
        ("gpio://17", sentences.NOTHING_AFTER_SCHEME(scheme="gpio")),
        (
            "script://fire@10",
            sentences.NOT_A_PRESS(part="'fire@10'", hint=near("fire 1")),
        ),
        (
            "script://pause",
            sentences.NOT_A_PRESS(
                part="'pause'", hint=known("fire 0", "fire 1", "pause", "referee", "power")
            ),
        ),
        ("script://pause@soon", sentences.NOT_MILLISECONDS(part="'soon'", most_ms=86400000)),
        ("script://pause@-1", sentences.NOT_MILLISECONDS(part="'-1'", most_ms=86400000)),
        (
            "script://pause@20,fire 0@10",
            sentences.PRESS_TOO_EARLY(part="'fire 0@10'", last_ms=20, most_ms=86400000),
        ),
        (
            "script://pause@86400001",
            sentences.PRESS_TOO_EARLY(part="'pause@86400001'", last_ms=0, most_ms=86400000),
        ),
    ],
)
def test_a_wrong_button_url_says_what_to_write(url: str, expected: Sentence) -> None:
    with raises(BadButtons, expected) as refused:
        parse_button_url(url)
    assert "\n" not in str(refused.value)


@given(st.text() | st.text().map(lambda text: f"script://{text}"))
def test_any_text_is_an_address_or_refused_with_a_laserboard_error(text: str) -> None:
    try:
        address = parse_button_url(text)
    except BadButtons:
        return
    assert parse_button_url(format_button_url(address)) == address


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("loud", sentences.WRITE_URL(examples=sentences.SPEAKER_URLS())),
        ("beep://", sentences.UNKNOWN_KIND),
        ("terminal://x", sentences.NOTHING_AFTER_SCHEME(scheme="terminal")),
    ],
)
def test_an_unknown_speaker_is_refused(url: str, expected: Expected) -> None:
    with raises(BadSpeaker, expected):
        parse_speaker_url(url)
