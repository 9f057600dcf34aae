"""Each kind of LED link: its bytes, and its message when the device cannot be reached."""

from __future__ import annotations

import io
import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from controller.devices import sentences
from controller.devices.clock import ManualClock
from controller.devices.leds.adalight import AdalightLink, encode_adalight
from controller.devices.leds.ddp import DdpLink, encode_packet
from controller.devices.leds.live import LedsUnavailable, LiveLeds, MatrixSettings
from controller.devices.leds.local import TerminalLink
from controller.devices.leds.spi import SpiLink, encode_apa102
from controller.ports.devices import Pixels
from tests.support.devices.led_peers import (
    LEDS,
    SETTINGS,
    AdalightPeer,
    AdalightReceiver,
    DdpReceiver,
    Peer,
    SpiPeer,
    eventually,
    picture,
)
from tests.support.engine.sentences import raises


def rgb(*colours: str) -> Pixels:
    """`rgb("ff0000", "00ff00")`: a picture of two LEDs."""
    return np.frombuffer(bytes.fromhex("".join(colours)), np.uint8).reshape(-1, 3)


def shown(peer: Peer, expected: Pixels) -> None:
    assert peer.leds.wait(peer.leds.show(expected), 30_000)


# --- Adalight -------------------------------------------------------------------------------------


def test_an_adalight_frame_has_header_led_count_checksum_and_colours() -> None:
    assert encode_adalight(rgb("010203", "fffefd")) == bytes.fromhex(
        "416461 00 01 54 010203 fffefd"
    )
    assert encode_adalight(np.zeros((720, 3), np.uint8))[:6] == bytes.fromhex("416461 02 cf 98")


@pytest.mark.parametrize(
    ("order", "sent"), [("RGB", "010203"), ("GRB", "020103"), ("BRG", "030102"), ("BGR", "030201")]
)
def test_adalight_sends_the_colours_in_the_configured_order(
    order: str, sent: str, tmp_path: Path
) -> None:
    with closing(AdalightPeer(tmp_path, order)) as peer:
        shown(peer, rgb(*["010203"] * LEDS))
        peer.displays(rgb(*[sent] * LEDS))


def test_adalight_sends_no_faster_than_the_baud_rate() -> None:
    receiver, clock = AdalightReceiver(), ManualClock()
    link = AdalightLink(SETTINGS, receiver.name, clock, 115_200)
    with closing(receiver), closing(link):
        link.open()
        link.send(picture(1), None)
        assert sum(clock.waits) == pytest.approx(1000 * 10 * (6 + 3 * LEDS) / 115_200)


def test_adalight_repeats_the_picture_every_second() -> None:
    receiver, clock = AdalightReceiver(), ManualClock()
    with closing(receiver):
        link = AdalightLink(SETTINGS, receiver.name, clock)
        leds = LiveLeds(link, clock, threaded=False)
        assert leds.wait(leds.show(picture(1)), 1_000)
        eventually(lambda: receiver.displayed is not None)
        receiver.displayed = None
        assert not leds.wait(2, 1_100)
        eventually(lambda: receiver.displayed is not None, "the repetition")
        assert np.array_equal(receiver.displayed, picture(1))  # type: ignore[arg-type]
        leds.close()
        assert receiver.complaints == []


def test_input_from_an_adalight_device_is_ignored() -> None:
    receiver = AdalightReceiver()
    link = AdalightLink(SETTINGS, receiver.name, ManualClock())
    with closing(receiver), closing(link):
        link.open()
        os.write(receiver.master, b"Ada\n" * 1000)
        link.send(picture(1), None)
        eventually(lambda: receiver.displayed is not None)


def test_a_missing_adalight_port_is_reported_with_a_remedy() -> None:
    with raises(LedsUnavailable, sentences.NO_SUCH_DEVICE(path="/dev/ttyNONE9")):
        AdalightLink(SETTINGS, "/dev/ttyNONE9", ManualClock()).open()


# --- DDP ------------------------------------------------------------------------------------------


def test_a_ddp_packet_has_the_documented_bytes() -> None:
    assert encode_packet(rgb("010203", "040506"), 0, 1, True) == bytes.fromhex(
        "41 01 0b 01 00000000 0006 010203 040506"
    )
    assert encode_packet(rgb("010203"), 480, 15, False) == bytes.fromhex(
        "40 0f 0b 01 000005a0 0003 010203"
    )


@pytest.mark.parametrize(
    ("leds", "lengths"), [(480, [1440]), (481, [1440, 3]), (720, [1440, 720]), (960, [1440] * 2)]
)
def test_ddp_sends_480_leds_in_a_packet_and_pushes_the_last(leds: int, lengths: list[int]) -> None:
    receiver = DdpReceiver(0)
    link = DdpLink(MatrixSettings((leds,)), "127.0.0.1", receiver.port)
    with closing(receiver), closing(link):
        link.open()
        for seed in range(20):
            link.send(picture(seed, leds), None)
        eventually(lambda: len(receiver.packets) == 20 * len(lengths))
        assert [len(each) - 10 for each in receiver.packets[: len(lengths)]] == lengths
        assert [each[0] & 1 for each in receiver.packets[: len(lengths)]] == [
            *[0] * (len(lengths) - 1),
            1,
        ]
        assert receiver.complaints == []
        assert np.array_equal(receiver.displayed, picture(19, leds))  # type: ignore[arg-type]


def test_the_test_receivers_refuse_invalid_input() -> None:
    good = encode_packet(rgb("010203"), 0, 1, True)
    for wrong in (
        b"\x81" + good[1:],
        b"\x43" + good[1:],
        good[:1] + b"\x10" + good[2:],
        good[:2] + b"\x01" + good[3:],
        good[:3] + b"\x02" + good[4:],
        good[:7] + b"\x03" + good[8:],
        good[:9] + b"\x06" + good[10:],
        good + b"\0",
    ):
        receiver = DdpReceiver(0)
        with closing(receiver):
            receiver.take(wrong)
            assert len(receiver.complaints) >= 1, wrong.hex(" ")
    ada = AdalightReceiver()
    with closing(ada):
        os.write(ada.slave, b"Ada\0\1\x55" + bytes(6))
        eventually(lambda: ada.complaints != [], "a complaint")


def test_an_unknown_host_is_a_loss_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(host: object, *_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, f"{host}: Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    link = DdpLink(SETTINGS, "no-such-host.invalid")
    with raises(LedsUnavailable, sentences.UNKNOWN_HOST(host="no-such-host.invalid")):
        link.open()


def test_a_host_that_refuses_packets_is_reported() -> None:
    receiver = DdpReceiver(0)
    receiver.close()
    link = DdpLink(SETTINGS, "127.0.0.1", receiver.port)
    with closing(link):
        link.open()
        with raises(LedsUnavailable, sentences.DDP_REFUSED(port=receiver.port, host="127.0.0.1")):
            link.send(picture(1), None)


def test_a_ddp_link_is_named_by_its_url() -> None:
    assert DdpLink(SETTINGS, "wled.local").name == "ddp://wled.local"
    assert DdpLink(SETTINGS, "::1", 9).name == "ddp://[::1]:9"


# --- SPI ------------------------------------------------------------------------------------------

THREE = MatrixSettings((3,))
START = "00000000"
RED_GREEN_BLUE = "ff0000ff ff00ff00 ffff0000"  # full brightness, blue, green, red


@pytest.fixture
def three() -> Iterator[SpiPeer]:
    with closing(SpiPeer(settings=THREE)) as peer:
        yield peer


def test_apa102_gets_the_exact_bits_of_start_colours_and_end(three: SpiPeer) -> None:
    shown(three, rgb("ff0000", "00ff00", "0000ff"))
    assert three.strip.sent() == [bytes.fromhex(START + RED_GREEN_BLUE + "00")]


def test_sk9822_gets_32_zero_bits_more() -> None:
    with closing(SpiPeer("sk9822", THREE)) as peer:
        shown(peer, rgb("ff0000", "00ff00", "0000ff"))
        assert peer.strip.sent() == [bytes.fromhex(START + RED_GREEN_BLUE + "00000000" + "00")]
        details = peer.leds.details()
        assert details is not None
        assert details.description.slots["kind"] == "SK9822"


def test_closing_sends_a_dark_picture(three: SpiPeer) -> None:
    shown(three, rgb("ff0000", "00ff00", "0000ff"))
    three.leds.close()
    assert three.strip.sent()[-1] == bytes.fromhex(START + "ff000000" * 3 + "00")


@pytest.mark.parametrize(("leds", "end_bytes"), [(1, 1), (16, 1), (17, 2), (80, 5), (720, 45)])
def test_the_end_frame_has_half_a_clock_cycle_per_led(leds: int, end_bytes: int) -> None:
    assert len(encode_apa102(np.zeros((leds, 3), np.uint8))) == 4 + 4 * leds + end_bytes
    assert 2 * 8 * end_bytes >= leds


class HardwareSpi:
    """The Pi's hardware SPI: it has a rate and accepts 4096 bytes at once."""

    def __init__(self) -> None:
        self.rate = 500_000
        self.closed = False
        self.transfers: list[list[int]] = []

    def transfer(self, sent: list[int]) -> list[int]:
        assert len(sent) <= 4096
        self.transfers.append(sent)
        return sent

    def close(self) -> None:
        self.closed = True


class HardwareFactory:
    """A pin factory whose SPI bus opens or fails."""

    def __init__(self, trouble: Exception | None = None) -> None:
        self.bus, self.trouble = HardwareSpi(), trouble
        self.asked: dict[str, int] = {}

    def spi(self, **expected: int) -> HardwareSpi:
        self.asked = expected
        if self.trouble is not None:
            raise self.trouble
        return self.bus


def test_spi_hardware_gets_the_rate_and_chunks_of_limited_size() -> None:
    factory = HardwareFactory()
    link = SpiLink(MatrixSettings((2000,)), 1, 2, 4_000_000, factory=factory)
    details = link.open()
    assert factory.asked == {"port": 1, "device": 2}
    assert factory.bus.rate == 4_000_000
    assert details.description == sentences.SPI_LEDS(kind="APA102", mhz=4.0)
    link.send(picture(1, 2000), None)
    assert [len(part) for part in factory.bus.transfers] == [4096, 4 + 8000 + 125 - 4096]
    assert b"".join(map(bytes, factory.bus.transfers)) == encode_apa102(picture(1, 2000))
    link.close()
    assert factory.bus.closed


def test_disabled_spi_is_reported_with_a_remedy() -> None:
    link = SpiLink(THREE, factory=HardwareFactory(FileNotFoundError(2, "No such file")))
    with raises(
        LedsUnavailable, sentences.SPI_CANNOT_OPEN(bus=0, device=0, reason="[Errno 2] No such file")
    ):
        link.open()


# --- the terminal ---------------------------------------------------------------------------------


def test_a_closed_terminal_is_a_loss() -> None:
    stream = io.StringIO()
    link = TerminalLink(LEDS, stream, lambda pixels: f"{pixels.shape}\n")
    link.send(picture(1), None)
    assert stream.getvalue() == "(24, 3)\n"
    stream.close()
    with raises(LedsUnavailable, sentences.TERMINAL_GONE):
        link.send(picture(1), None)
