"""LED URLs are parsed and formatted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config import sentences
from controller.config.addresses.leds import (
    AdalightLedAddress,
    BadLeds,
    DdpLedAddress,
    LedAddress,
    MemoryLedAddress,
    NoLedAddress,
    SerialLedAddress,
    SimulatedLedAddress,
    SpiLedAddress,
    TerminalLedAddress,
    format_led_url,
    led_name,
    parse_led_url,
)
from engine.sentences import Sentence
from tests.support.config.sentences import known, near, number, option, whole
from tests.support.engine.sentences import raises

GOOD: list[tuple[str, LedAddress]] = [
    ("serial://", SerialLedAddress("auto")),
    ("serial://auto", SerialLedAddress("auto")),
    ("serial:///dev/ttyACM0", SerialLedAddress("/dev/ttyACM0", 1_000_000)),
    ("serial:///dev/ttyACM0?baud=500000", SerialLedAddress("/dev/ttyACM0", 500_000)),
    ("adalight:///dev/ttyUSB0", AdalightLedAddress("/dev/ttyUSB0", 115_200, "RGB")),
    (
        "adalight:///dev/ttyUSB0?baud=921600&order=GRB",
        AdalightLedAddress("/dev/ttyUSB0", 921_600, "GRB"),
    ),
    ("ddp://wled.local", DdpLedAddress("wled.local")),
    ("ddp://192.168.1.40:4049", DdpLedAddress("192.168.1.40:4049")),
    ("ddp://[fe80::1]:4049", DdpLedAddress("[fe80::1]:4049")),
    ("gpio://spi", SpiLedAddress("spi", 0, 0, 8_000_000, "apa102")),
    (
        "gpio://spi?bus=1&device=2&rate=4000000&kind=sk9822",
        SpiLedAddress("spi", 1, 2, 4_000_000, "sk9822"),
    ),
    ("terminal://", TerminalLedAddress()),
    ("memory://", MemoryLedAddress()),
    ("none://", NoLedAddress()),
    ("sim://", SimulatedLedAddress()),
    (
        "sim://?drop=0.01&flip=0.02&insert=0.03&delay=0.04&lag_ms=20&unplug_every_s=30&seed=1",
        SimulatedLedAddress("", 0.01, 0.02, 0.03, 0.04, 20.0, 30.0, 1),
    ),
]


@pytest.mark.parametrize(("url", "address"), GOOD)
def test_an_led_url_round_trips(url: str, address: LedAddress) -> None:
    assert parse_led_url(url) == address
    assert parse_led_url(format_led_url(address)) == address
    assert len(format_led_url(address)) <= max(len(url), len("serial://auto"))


@pytest.mark.parametrize(
    ("place", "host", "port"),
    [
        ("wled.local", "wled.local", 4048),
        ("192.168.1.40:5000", "192.168.1.40", 5000),
        ("[::1]", "::1", 4048),
        ("[fe80::1%eth0]:9", None, None),
        ("[fe80::1]:9", "fe80::1", 9),
    ],
)
def test_a_host_may_have_a_port(place: str, host: str | None, port: int | None) -> None:
    if host is None:
        with pytest.raises(BadLeds):
            parse_led_url(f"ddp://{place}")
        return
    address = parse_led_url(f"ddp://{place}")
    assert isinstance(address, DdpLedAddress)
    assert (address.host, address.port) == (host, port)


def test_a_name_is_the_url_without_options() -> None:
    assert led_name(SimulatedLedAddress(drop=0.5)) == "sim://"
    assert led_name(SerialLedAddress("/dev/serial/by-id/usb-Pico_1")) == (
        "serial:///dev/serial/by-id/usb-Pico_1"
    )


@given(st.text(min_size=1).filter(lambda text: "\0" not in text))
def test_any_path_round_trips(text: str) -> None:
    address = SerialLedAddress(f"/{text}")
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    assert parse_led_url(format_led_url(address)) == address


@given(
    *[st.integers(0, 1000).map(lambda share: share / 1000)] * 4,
    st.integers(0, 10_000),
    st.integers(0, 2**31 - 1),
)
def test_any_cable_faults_round_trip(
    drop: float, flip: float, insert: float, delay: float, lag: int, seed: int
) -> None:
    address = SimulatedLedAddress("", drop, flip, insert, delay, float(lag), 0.0, seed)
    assert parse_led_url(format_led_url(address)) == address


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/dev/ttyACM0", sentences.WRITE_URL(examples=sentences.LED_URLS())),
        ("serail:///dev/x", sentences.UNKNOWN_KIND(hint=near("serial"))),
        (
            "wled://x",
            sentences.UNKNOWN_KIND(
                hint=known("serial", "adalight", "ddp", "gpio", "terminal", "memory", "none", "sim")
            ),
        ),
        ("serial://ttyACM0", sentences.AFTER_SCHEME(scheme="serial", want=sentences.SERIAL_PORT())),
        (
            "serial:///dev/ttyACM0?baut=9600",
            sentences.UNKNOWN_OPTION(name="'baut'", hint=near("baud")),
        ),
        (
            "serial:///dev/ttyACM0?baud=fast",
            option("baud", "fast", whole(1200, 12000000)),
        ),
        (
            "serial:///dev/ttyACM0?baud=300",
            option("baud", "300", whole(1200, 12000000)),
        ),
        ("serial:///dev/ttyACM0?baud", sentences.NOT_AN_OPTION(part="'baud'")),
        ("serial:///dev/ttyACM0?baud=9600&baud=9600", sentences.OPTION_TWICE(option="baud")),
        (
            "serial:///dev/%00",
            sentences.AFTER_SCHEME(scheme="serial", want=sentences.SERIAL_PORT()),
        ),
        ("adalight://", sentences.AFTER_SCHEME(scheme="adalight", want=sentences.ADALIGHT_PORT())),
        (
            "adalight:///dev/x?order=RBB",
            sentences.OPTION_UNKNOWN_VALUE(option="order", value="'RBB'", hint=near("RGB")),
        ),
        ("ddp://", sentences.AFTER_SCHEME(scheme="ddp", want=sentences.DDP_HOST())),
        ("ddp://a b", sentences.AFTER_SCHEME(scheme="ddp", want=sentences.DDP_HOST())),
        ("ddp://host:99999", sentences.AFTER_SCHEME(scheme="ddp", want=sentences.DDP_HOST())),
        ("ddp://host?push=1", sentences.SCHEME_HAS_NO_OPTION(name="'push'", scheme="ddp")),
        ("gpio://pwm", sentences.AFTER_SCHEME(scheme="gpio", want=sentences.SPI_PINS())),
        (
            "gpio://spi?kind=ws2812",
            sentences.OPTION_UNKNOWN_VALUE(
                option="kind", value="'ws2812'", hint=known("apa102", "sk9822")
            ),
        ),
        (
            "gpio://spi?bus=0.5",
            option("bus", "0.5", whole(0, 6)),
        ),
        (
            "sim://?drop=2",
            option("drop", "2", number(0, 1)),
        ),
        (
            "sim://?drop=-1",
            option("drop", "-1", number(0, 1)),
        ),
        ("memory://here", sentences.AFTER_SCHEME(scheme="memory", want=sentences.ONLY_OPTIONS())),
    ],
)
def test_a_bad_url_says_what_to_write(url: str, expected: Sentence) -> None:
    where = sentences.BAD_URL(device="LEDs", url=repr(url), complaint=expected)
    with raises(BadLeds, where):
        parse_led_url(url)
