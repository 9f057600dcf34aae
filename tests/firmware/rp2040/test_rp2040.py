"""The shipped Pico binary in an emulator: its pins and its answers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from controller.devices.leds.live import MatrixSettings
from controller.devices.leds.protocol import (
    DARK,
    SHOWING,
    Ack,
    BoardStats,
    Config,
    Delta,
    FullFrame,
    Hello,
    Nack,
    NackReason,
    Ping,
    StatsRequest,
    Welcome,
    encode,
)
from controller.devices.leds.serial_link import SerialLink
from controller.lighting.output import estimate_current_ma, limit_current
from controller.ports.devices import COLOR_ORDERS, Pixels
from tests.support.firmware.rp2040.pico import LANES, Pico, serial_port

pytestmark = pytest.mark.slow

RGB, GRB = COLOR_ORDERS["RGB"], COLOR_ORDERS["GRB"]
MAX_LEDS = 2304
BOOT_LEDS, BOOT_LIMIT_MA, MA_PER_LED = 80, 500, 55
POWER, WATCHDOG = 1, 3  # reset causes
RESET_NS = 280_000
PATIENT_MS = 30_000.0  # the emulator is slow


def picture(leds: int, seed: int = 1) -> Pixels:
    return np.random.default_rng(seed).integers(0, 256, (leds, 3)).astype(np.uint8)


def config(
    *lanes: int, order: int = RGB, watchdog_ms: int = 60_000, limit_ma: int = 60_000
) -> Config:
    return Config(255, limit_ma, MA_PER_LED, watchdog_ms, order, lanes)


def is_shown(answer: object) -> bool:
    return isinstance(answer, Ack) and answer.state == SHOWING


def greet(pico: Pico, settings: Config | None = None, link: str = "usb") -> Welcome:
    pico.send(b"\0", link)
    welcome = pico.ask(Hello(), link)
    assert isinstance(welcome, Welcome)
    if settings is not None:
        assert isinstance(pico.ask(settings, link), Ack)
    return welcome


def show(pico: Pico, shown: Pixels, link: str = "usb") -> None:
    assert is_shown(pico.ask(FullFrame(shown.tobytes()), link))


def on_pins(pico: Pico, lane: int = 0) -> bytes:
    """The last picture on a lane."""
    pico.run(75)  # the longest lane needs 69 ms
    return pico.lane(lane)[-1].sent


def test_a_computer_finds_a_laserboard(unplugged: Pico) -> None:
    reported = unplugged.start()
    assert reported["names"]["product"] == "Laserboard"
    assert reported["names"]["serial"] == "E6605838834B2D31"
    assert (reported["vendor"], reported["product"]) == (0x2E8A, 0x000A)
    assert unplugged.do("chip")["hz"] == 125_000_000  # all times here depend on it


def test_the_board_says_who_it_is(pico: Pico) -> None:
    welcome = greet(pico)
    assert (welcome.major, welcome.led_count, welcome.lane_count) == (1, BOOT_LEDS, 1)
    assert (welcome.max_leds, welcome.max_lanes) == (MAX_LEDS, LANES)
    assert welcome.board_id.hex() == "e6605838834b2d31"
    assert (welcome.boot_count, welcome.reset_cause) == (1, POWER)


def test_a_board_that_starts_makes_every_led_dark_that_can_be_there(pico: Pico) -> None:
    for lane in range(LANES):
        first = pico.lane(lane)[0]
        assert first.sent == bytes(3 * MAX_LEDS)
        assert first.starts_ns < 20e6


def test_pulses_meet_the_ws2812_datasheet(pico: Pico) -> None:
    greet(pico, config(BOOT_LEDS))
    show(pico, picture(BOOT_LEDS))
    pico.run(5)
    sent = pico.lane(0)[-1]
    assert sent.sent == picture(BOOT_LEDS).tobytes()
    zeros, ones = sent.high_ns[~sent.bits], sent.high_ns[sent.bits]
    assert 375 <= zeros.min() <= zeros.max() <= 400
    assert 750 <= ones.min() <= ones.max() <= 800
    assert 1240 <= sent.period_ns.min() <= sent.period_ns.max() <= 1260


def test_two_pictures_are_never_so_close_that_the_leds_take_them_for_one(pico: Pico) -> None:
    greet(pico, config(BOOT_LEDS))
    for seed in range(8):
        pico.send(bytes(400), link="uart")  # 4 ms of zeros, which keep the board awake
        show(pico, picture(BOOT_LEDS, seed))
        pico.run(seed / 3)  # the next picture comes during the transfer or after it
    pico.run(5)
    sent = pico.lane(0)
    gaps_ns = [following.starts_ns - one.ends_ns for one, following in pairwise(sent)]
    assert len(gaps_ns) >= 8
    assert min(gaps_ns) >= RESET_NS


def test_each_lane_gets_its_leds_in_the_order_of_their_colours(pico: Pico) -> None:
    lanes, shown = (3, 5, 1, 4), picture(13)
    greet(pico)
    for order, number in COLOR_ORDERS.items():
        assert isinstance(pico.ask(config(*lanes, order=number)), Ack)
        show(pico, shown)
        pico.run(5)
        expected = shown[:, ["RGB".index(channel) for channel in order]]
        for lane, part in enumerate(np.split(expected, np.cumsum(lanes)[:-1])):
            assert pico.lane(lane)[-1].sent == part.tobytes(), f"{order}, lane {lane}"


def test_the_largest_board_is_shown_completely(pico: Pico) -> None:
    lanes = (MAX_LEDS - 1000, 500, 300, 200)
    greet(pico, config(*lanes, limit_ma=0xFFFF))
    shown = picture(MAX_LEDS) // 4  # else the limit would dim it
    show(pico, shown)
    pico.run(75)
    for lane, part in enumerate(np.split(shown, np.cumsum(lanes)[:-1])):
        assert pico.lane(lane)[-1].sent == part.tobytes()


def test_leds_beyond_the_end_of_a_shorter_strip_go_dark(pico: Pico) -> None:
    greet(pico, config(12, 4))
    show(pico, picture(16))
    assert is_shown(pico.ask(Ping()))
    assert isinstance(pico.ask(config(5)), Ack)
    show(pico, picture(5))
    pico.run(5)
    assert bytes(3 * 12) in [transfer.sent for transfer in pico.lane(0)[-3:]]
    assert pico.lane(1)[-1].sent == bytes(3 * 4)
    assert pico.lane(0)[-1].sent == picture(5).tobytes()


def test_a_silent_host_makes_the_board_dark_in_time(pico: Pico) -> None:
    greet(pico, config(8, watchdog_ms=200))
    show(pico, picture(8))
    heard_ns = pico.now_ns
    pico.run(190)
    assert pico.lane(0)[-1].sent == picture(8).tobytes()
    pico.run(20)
    last = pico.lane(0)[-1]
    assert last.sent == bytes(3 * 8)
    assert 195e6 < last.starts_ns - heard_ns < 205e6
    answer = pico.ask(Ping())
    assert isinstance(answer, Ack)
    assert answer.state == DARK


def test_pings_keep_the_picture(pico: Pico) -> None:
    greet(pico, config(8, watchdog_ms=200))
    show(pico, picture(8))
    for _ in range(4):
        pico.run(150)
        assert is_shown(pico.ask(Ping()))
    assert pico.lane(0)[-1].sent == picture(8).tobytes()


def test_a_corrupted_frame_is_refused_and_the_next_good_one_shown(pico: Pico) -> None:
    greet(pico, config(8))
    show(pico, picture(8, seed=1))
    damaged = bytearray(encode(77, FullFrame(picture(8, seed=2).tobytes()))[0])
    damaged[6] ^= 0x10
    pico.send(bytes(damaged))
    assert pico.receive() == (0, Nack(NackReason.BAD_CRC))
    assert on_pins(pico) == picture(8, seed=1).tobytes()
    show(pico, picture(8, seed=3))
    assert on_pins(pico) == picture(8, seed=3).tobytes()
    stats = pico.ask(StatsRequest())
    assert isinstance(stats, BoardStats)
    assert (stats.bad_crc, stats.blanked) == (1, 0)


def test_before_it_is_configured_the_board_keeps_to_a_safe_current(pico: Pico) -> None:
    greet(pico)
    white = np.full((BOOT_LEDS, 3), 255, np.uint8)
    show(pico, white)
    pico.run(5)
    sent = np.frombuffer(pico.lane(0)[-1].sent, np.uint8).reshape(-1, 3)
    assert 0.95 * BOOT_LIMIT_MA < estimate_current_ma(sent, MA_PER_LED) <= BOOT_LIMIT_MA
    assert (sent == limit_current(white, BOOT_LIMIT_MA, MA_PER_LED)).all()


def test_the_uart_answers_like_usb_does(pico: Pico) -> None:
    assert pico.do("chip")["baud"] == 1_000_000
    greet(pico, config(40, 40, order=GRB), link="uart")
    show(pico, picture(80), link="uart")
    pico.run(5)
    assert pico.lane(1)[-1].sent == picture(80)[40:, [1, 0, 2]].tobytes()


def test_each_link_gets_the_answers_to_its_own_messages(pico: Pico) -> None:
    greet(pico, config(8), link="usb")
    greet(pico, link="uart")
    show(pico, picture(8, seed=1), link="uart")
    show(pico, picture(8, seed=2), link="usb")
    assert on_pins(pico) == picture(8, seed=2).tobytes()


def test_a_message_that_stops_half_way_holds_the_other_link_up_for_a_moment_only(
    pico: Pico,
) -> None:
    greet(pico, config(8))
    whole, _ = encode(5, FullFrame(picture(8).tobytes()))
    pico.send(whole[:9])
    pico.run(1)
    pico.send(encode(6, Ping())[0], link="uart")
    received = pico.run(400)
    assert [message for _, message in received["usb"]] == [Nack(NackReason.MALFORMED)]
    assert [seq for seq, _ in received["uart"]] == [6]


def test_a_delta_changes_a_part(pico: Pico) -> None:
    greet(pico, config(8))
    show(pico, picture(8, seed=1))
    assert is_shown(pico.ask(Delta(2, picture(3, seed=2).tobytes())))
    expected = picture(8, seed=1)
    expected[2:5] = picture(3, seed=2)
    assert on_pins(pico) == expected.tobytes()


def test_a_firmware_that_hangs_is_restarted_dark_and_reports_the_cause(pico: Pico) -> None:
    greet(pico, config(8))
    show(pico, picture(8))
    pico.run(5)
    hung_ns = pico.now_ns
    pico.do("hang")
    pico.run(1500)
    assert pico.do("chip")["restarts"] == 0
    pico.run(700)
    chip = pico.do("chip")
    assert chip["restarts"] == 1
    assert 1.9e9 < chip["start_ns"] - hung_ns <= 2.1e9
    since = [one.sent for one in pico.lane(0) if one.starts_ns > chip["start_ns"]]
    assert since[0] == bytes(3 * MAX_LEDS)
    assert not any(map(any, since))
    assert pico.ask(Ping()) == Nack(NackReason.NOT_GREETED)
    welcome = greet(pico)
    assert (welcome.boot_count, welcome.reset_cause) == (2, WATCHDOG)


def test_the_lamp_blinks_slowly_while_the_board_runs(pico: Pico) -> None:
    pico.run(5000)
    lit_ns = [ns for on, ns in pico.do("blinks")["blinks"] if on]
    assert len(lit_ns) >= 2
    assert min(np.diff(lit_ns)) >= 1e9


def test_our_driver_shows_its_pictures_through_the_real_firmware(pico: Pico) -> None:
    settings = MatrixSettings((10, 6), "GRB", limit_ma=60_000, watchdog_ms=60_000)
    with serial_port(pico) as path:
        link = SerialLink(path, settings, answer_timeout_ms=PATIENT_MS)
        details = link.open()
        before = None
        for seed in range(3):
            shown = picture(16, seed)
            link.send(shown, before)
            before = shown
        link.keep_alive()
        stats = link.board_stats()
        link.close()
    assert details.leds == 16
    assert (stats.bad_crc, stats.malformed, stats.refused) == (0, 0, 0)
    assert (link.counts.retries, link.counts.unanswered) == (0, 0)
    pico.run(5)
    expected = picture(16, seed=2)[:, [1, 0, 2]]
    assert pico.lane(0)[-1].sent == expected[:10].tobytes()
    assert pico.lane(1)[-1].sent == expected[10:].tobytes()
