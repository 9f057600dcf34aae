"""LED URLs are parsed and formatted."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    ("url", "complaint"),
    [
        ("/dev/ttyACM0", "'/dev/ttyACM0': write a URL such as serial://auto"),
        ("serail:///dev/x", "unknown kind, did you mean 'serial'?"),
        ("wled://x", "unknown kind; known: serial, adalight, ddp, gpio, terminal, memory, none"),
        ("serial://ttyACM0", "comes auto or a path, such as serial:///dev/ttyACM0"),
        ("serial:///dev/ttyACM0?baut=9600", "unknown option 'baut', did you mean 'baud'?"),
        ("serial:///dev/ttyACM0?baud=fast", "baud: got 'fast', want a whole number from 1200 to"),
        ("serial:///dev/ttyACM0?baud=300", "baud: got '300', want a whole number from 1200"),
        ("serial:///dev/ttyACM0?baud", "'baud' is not key=value"),
        ("serial:///dev/ttyACM0?baud=9600&baud=9600", "baud is given twice"),
        ("serial:///dev/%00", "comes auto or a path"),
        ("adalight://", "comes a path, such as adalight:///dev/ttyUSB0"),
        ("adalight:///dev/x?order=RBB", "order: got 'RBB', did you mean"),
        ("ddp://", "comes a host, such as ddp://wled.local"),
        ("ddp://a b", "comes a host"),
        ("ddp://host:99999", "comes a host"),
        ("ddp://host?push=1", "unknown option 'push'; ddp:// has none"),
        ("gpio://pwm", "comes spi: other pins cannot keep the pace"),
        ("gpio://spi?kind=ws2812", "kind: got 'ws2812'; known: apa102, sk9822"),
        ("gpio://spi?bus=0.5", "bus: got '0.5', want a whole number from 0 to 6"),
        ("sim://?drop=2", "drop: got '2', want a number from 0 to 1"),
        ("sim://?drop=-1", "drop: got '-1', want a number from 0 to 1"),
        ("memory://here", "after memory:// comes nothing"),
    ],
)
def test_a_bad_url_says_what_to_write(url: str, complaint: str) -> None:
    with pytest.raises(BadLeds, match=re.escape(complaint)) as caught:
        parse_led_url(url)
    assert str(caught.value).startswith("LEDs '")
