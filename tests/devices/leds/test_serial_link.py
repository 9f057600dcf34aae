"""The serial driver with boards that answer correctly, wrongly, late or not at all."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import serial

from controller.devices import sentences
from controller.devices.clock import ManualClock, SystemClock
from controller.devices.leds import serial_link
from controller.devices.leds.live import LedsUnavailable, LiveLeds, MatrixSettings, PictureLost
from controller.devices.leds.protocol import (
    DARK,
    Ack,
    Blank,
    Config,
    Delta,
    FullFrame,
    Hello,
    NackReason,
    Ping,
    Welcome,
)
from controller.devices.leds.serial_link import SerialLink, probe_port
from controller.ports.devices import Pixels
from controller.ports.events import DeviceLost
from controller.ports.sentences import problem_and_remedy
from engine.sentences import Sentence
from tests.support.devices.led_peers import eventually
from tests.support.devices.scripted_led_board import (
    STATS,
    WELCOME,
    HostRequest,
    ScriptedBoard,
    encode_frame,
)
from tests.support.engine.sentences import mentions, raises

LEDS = 12
SETTINGS = MatrixSettings((8, 4), "BGR", 2500, 60, 900)
TIMEOUT_MS = 10_000.0  # for answers that come, on a busy machine
SHORT_MS = 30.0  # for answers that never come
BLACK = np.zeros((LEDS, 3), np.uint8)
RED = BLACK + np.array([200, 0, 0], np.uint8)


@pytest.fixture
def board() -> Iterator[ScriptedBoard]:
    with closing(ScriptedBoard()) as made:
        yield made


@pytest.fixture
def patient_probe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Probing waits until the board answers, and there is no udev link."""
    monkeypatch.setattr(serial_link, "ANSWER_TIMEOUT_MS", TIMEOUT_MS)
    monkeypatch.setattr(serial_link, "UDEV_LINK", tmp_path / "nothing")


@pytest.fixture
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A longer grace after a damaged frame, for a busy machine."""
    monkeypatch.setattr(serial_link, "DAMAGED_GRACE_S", TIMEOUT_MS / 1000)


def link_to(board: ScriptedBoard) -> SerialLink:
    return SerialLink(board.path, SETTINGS, answer_timeout_ms=TIMEOUT_MS)


def opened(board: ScriptedBoard, timeout_ms: float = TIMEOUT_MS) -> SerialLink:
    """A link after the handshake, with this timeout from then on."""
    link = link_to(board)
    link.open()
    link.set_answer_timeout(timeout_ms)
    return link


def changed(at: int, before: Pixels = RED) -> Pixels:
    picture = before.copy()
    picture[at] = (1, 2, 3)
    return picture


# --- the conversation -----------------------------------------------------------------------------


def test_a_connection_begins_with_a_zero_byte_hello_and_config(board: ScriptedBoard) -> None:
    with closing(link_to(board)) as link:
        details = link.open()
    assert board.raw.startswith(b"\0")
    assert board.received == [
        (1, Hello(1, 1)),
        (2, Config(255, 2500, 60, 900, 5, (8, 4))),
    ]
    assert details.description == sentences.FIRMWARE(version="0.2.0", board="0000000000000001")
    assert (details.leds, details.acknowledges) == (LEDS, True)


def test_a_change_is_sent_as_the_one_run_of_leds_that_changed(board: ScriptedBoard) -> None:
    with closing(opened(board)) as link:
        link.send(RED, None)
        two = changed(3, changed(6))
        link.send(two, RED)
        link.send(two, two)
        everywhere = changed(0, changed(11))
        link.send(everywhere, two)
    sent = [message for _, message in board.received[2:]]
    assert sent == [
        FullFrame(RED.tobytes()),
        Delta(3, two[3:7].tobytes()),
        Delta(0, two[:1].tobytes()),
        FullFrame(everywhere.tobytes()),
    ]


def test_a_board_without_delta_gets_full_frames(board: ScriptedBoard) -> None:
    board.welcome = replace(WELCOME, capabilities=2)
    with closing(opened(board)) as link:
        link.send(RED, None)
        link.send(changed(3), RED)
    assert board.kinds()[2:] == ["FullFrame", "FullFrame"]


def test_seq_counts_up_and_is_never_zero(board: ScriptedBoard) -> None:
    with closing(opened(board)) as link:
        link.send(RED, None)
        for _ in range(300):
            link.keep_alive()
    numbers = [seq for seq, _ in board.received]
    assert numbers[:255] == list(range(1, 256))
    assert numbers[255:258] == [1, 2, 3]


@pytest.mark.usefixtures("calm")
def test_noise_around_the_answers_is_ignored(board: ScriptedBoard) -> None:
    def noisy(received: HostRequest) -> bytes | None:
        if isinstance(received.message, FullFrame):
            noise = b"\xfe\xff\0\0\1\1\1\0garbage\0" + encode_frame(
                received.seq + 1, Ack(received.crc, 0)
            )
            return noise + received.ack() + b"half a fra"
        return None

    board.reply = noisy
    with closing(opened(board)) as link:
        link.send(RED, None)
        link.send(RED, None)
    assert link.counts.retries == 0


def test_statistics_of_the_board_are_available(board: ScriptedBoard) -> None:
    with closing(opened(board)) as link:
        assert link.board_stats() == STATS


# --- answers that are none ------------------------------------------------------------------------


def test_a_message_is_retried_three_times_with_the_same_seq(
    board: ScriptedBoard,
) -> None:
    board.reply = lambda received: b"" if isinstance(received.message, FullFrame) else None
    with closing(opened(board, SHORT_MS)) as link:
        with raises(LedsUnavailable, sentences.BOARD_SILENT(path=board.path)):
            link.send(RED, None)
        assert (link.counts.retries, link.counts.unanswered) == (3, 1)
        eventually(lambda: board.kinds().count("FullFrame") == 4, "all four")
    assert [seq for seq, message in board.received if isinstance(message, FullFrame)] == [3] * 4


@pytest.mark.parametrize("wrong", ["seq", "crc", "type"])
def test_an_answer_that_does_not_name_the_message_confirms_nothing(
    board: ScriptedBoard, wrong: str
) -> None:
    def reply(received: HostRequest) -> bytes | None:
        if not isinstance(received.message, FullFrame):
            return None
        return {
            "seq": encode_frame(received.seq - 1, Ack(received.crc, 0)),
            "crc": encode_frame(received.seq, Ack(received.crc ^ 1, 0)),
            "type": encode_frame(received.seq, WELCOME),
        }[wrong]

    board.reply = reply
    with closing(opened(board, SHORT_MS)) as link, pytest.raises(LedsUnavailable):
        link.send(RED, None)


def test_a_late_answer_counts_and_its_duplicate_is_ignored(board: ScriptedBoard) -> None:
    kept: list[bytes] = []

    def late(received: HostRequest) -> bytes | None:
        if isinstance(received.message, FullFrame) and not kept:
            kept.append(received.ack())
            return b""
        if isinstance(received.message, FullFrame) and len(kept) == 1:
            kept.append(b"")
            return kept[0] + kept[0]
        return None

    board.reply = late
    with closing(opened(board, 1_000)) as link:
        link.send(RED, None)
        link.send(changed(1), None)
    assert [message for _, message in board.received][-1] == FullFrame(changed(1).tobytes())


def test_a_message_that_arrived_damaged_is_sent_again_at_once(board: ScriptedBoard) -> None:
    complained: list[int] = []

    def reply(received: HostRequest) -> bytes | None:
        if isinstance(received.message, FullFrame) and len(complained) < 2:
            complained.append(received.seq)
            return received.nack(NackReason.BAD_CRC)
        return None

    board.reply = reply
    with closing(opened(board, 60_000)) as link:  # so no timeout is involved
        link.send(RED, None)
        assert (link.counts.retries, link.counts.nacks) == (2, 2)


@pytest.mark.usefixtures("calm")
def test_a_nack_for_damage_does_not_cancel_an_ack(board: ScriptedBoard) -> None:
    def reply(received: HostRequest) -> bytes | None:
        if isinstance(received.message, FullFrame):
            return received.nack(NackReason.MALFORMED) * 3 + received.ack()
        return None

    board.reply = reply
    with closing(opened(board)) as link:
        link.send(RED, None)
        assert link.counts.retries == 0


def test_the_answer_timeout_allows_for_a_slow_line(board: ScriptedBoard) -> None:
    def reply(received: HostRequest) -> bytes | None:
        if isinstance(received.message, FullFrame):
            return received.nack(NackReason.MALFORMED)  # about the previous message, at once
        return None

    board.reply = reply
    with closing(SerialLink(board.path, SETTINGS, baud=1200, answer_timeout_ms=TIMEOUT_MS)) as link:
        link.open()
        started_s = time.monotonic()
        with pytest.raises(LedsUnavailable):
            link.send(RED, None)
        bytes_sent = 4 * 3 * LEDS
        assert time.monotonic() - started_s >= 10 * bytes_sent / 1200


# --- a board that restarted, or went dark ---------------------------------------------------------


def test_a_restarted_board_gets_hello_config_and_the_full_frame(
    board: ScriptedBoard,
) -> None:
    with closing(opened(board)) as link:
        link.send(RED, None)
        greeted = [False]

        def reply(received: HostRequest) -> bytes | None:
            greeted[0] = greeted[0] or isinstance(received.message, Hello)
            return None if greeted[0] else received.nack(NackReason.NOT_GREETED)

        board.restarted()
        board.reply = reply
        link.send(changed(3), RED)
        assert link.counts.restarts == 1
    assert board.kinds()[3:] == ["Delta", "Hello", "Config", "FullFrame"]
    assert board.received[-1][1] == FullFrame(changed(3).tobytes())


def test_a_ping_detects_a_restart(board: ScriptedBoard) -> None:
    with closing(opened(board)) as link:
        link.send(RED, None)
        board.restarted()
        board.reply = lambda received: (
            received.nack(NackReason.NOT_GREETED) if isinstance(received.message, Ping) else None
        )
        with pytest.raises(PictureLost):
            link.keep_alive()
        assert link.counts.restarts == 1
    assert board.kinds()[3:] == ["Ping", "Hello", "Config"]


def test_a_dark_board_is_detected_by_a_ping_and_by_a_delta(board: ScriptedBoard) -> None:
    with closing(opened(board)) as link:
        with pytest.raises(PictureLost):
            link.keep_alive()
        board.reply = lambda received: (
            received.nack(NackReason.NO_PICTURE) if isinstance(received.message, Delta) else None
        )
        link.send(changed(3), RED)
    assert board.kinds()[2:] == ["Ping", "Delta", "FullFrame"]


def test_a_board_that_another_host_configured_is_configured_again(
    board: ScriptedBoard,
) -> None:
    refused: list[int] = []

    def reply(received: HostRequest) -> bytes | None:
        if isinstance(received.message, FullFrame) and not refused:
            refused.append(received.seq)
            return received.nack(NackReason.OUT_OF_RANGE)
        return None

    board.reply = reply
    with closing(opened(board)) as link:
        link.send(RED, None)
    assert board.kinds()[2:] == ["FullFrame", "Hello", "Config", "FullFrame"]


def test_retries_of_a_refused_picture_are_limited(board: ScriptedBoard) -> None:
    board.reply = lambda received: (
        received.nack(NackReason.OUT_OF_RANGE) if isinstance(received.message, FullFrame) else None
    )
    with (
        closing(opened(board)) as link,
        raises(LedsUnavailable, sentences.PICTURE_REFUSED(refusal="out of range")),
    ):
        link.send(RED, None)


def test_a_board_that_confirms_but_stays_dark_is_refused(board: ScriptedBoard) -> None:
    board.reply = lambda received: (
        received.ack(DARK) if isinstance(received.message, FullFrame) else None
    )
    with closing(opened(board)) as link, raises(LedsUnavailable, sentences.STAYS_DARK()):
        link.send(RED, None)


# --- the wrong board, the wrong port --------------------------------------------------------------


@pytest.mark.parametrize(("minor", "capabilities"), [(0, 3), (2, 0xFFFF)])
def test_a_board_of_another_minor_version_works(
    board: ScriptedBoard, minor: int, capabilities: int
) -> None:
    board.welcome = replace(WELCOME, minor=minor, capabilities=capabilities)
    with closing(opened(board)) as link:
        link.send(RED, None)
        link.send(changed(3), RED)
        link.keep_alive()
    assert board.kinds() == ["Hello", "Config", "FullFrame", "Delta", "Ping"]


def test_another_major_version_is_refused_with_flashing_instructions(board: ScriptedBoard) -> None:
    board.welcome = replace(WELCOME, major=2, minor=1)
    with closing(link_to(board)) as link, pytest.raises(LedsUnavailable) as refused:
        link.open()
    assert problem_and_remedy(refused.value.sentence) == (
        sentences.OTHER_PROTOCOL(path=board.path, version="2.1", known="1.1"),
        sentences.FLASH_FIRMWARE(),
    )
    assert board.kinds() == ["Hello"]


def test_a_refused_hello_is_reported(board: ScriptedBoard) -> None:
    board.reply = lambda received: received.nack(NackReason.OUT_OF_RANGE)
    with raises(LedsUnavailable, sentences.HELLO_REFUSED(path=board.path, refusal="out of range")):
        link_to(board).open()
    assert isinstance(probe_port(board.path), Sentence)


def test_another_minor_version_is_accepted(board: ScriptedBoard) -> None:
    board.welcome = replace(WELCOME, minor=9)
    with closing(opened(board)) as link:
        link.send(RED, None)


def test_a_board_with_too_few_leds_is_reported(board: ScriptedBoard) -> None:
    board.welcome = replace(WELCOME, max_leds=10)
    with (
        closing(link_to(board)) as link,
        raises(
            LedsUnavailable,
            sentences.TOO_MANY_LEDS(path=board.path, max_leds=10, max_lanes=4, leds=12, lanes=2),
        ),
    ):
        link.open()


def test_settings_that_the_board_refuses_are_named(board: ScriptedBoard) -> None:
    board.reply = lambda received: (
        received.nack(NackReason.OUT_OF_RANGE) if isinstance(received.message, Config) else None
    )
    with (
        closing(link_to(board)) as link,
        raises(LedsUnavailable, sentences.SETTINGS_REFUSED) as caught,
    ):
        link.open()
    slots = problem_and_remedy(caught.value.sentence)[0].slots
    assert (slots["refusal"], slots["watchdog_ms"]) == ("out of range", 900)


def test_a_missing_port_is_reported_with_a_remedy() -> None:
    with raises(LedsUnavailable, sentences.NO_SUCH_DEVICE(path="/dev/ttyNONE9")):
        SerialLink("/dev/ttyNONE9", SETTINGS).open()


def test_a_port_in_use_is_reported(board: ScriptedBoard) -> None:
    with (
        serial.Serial(board.path, exclusive=True),
        raises(LedsUnavailable, sentences.PORT_HELD(path=board.path)),
    ):
        link_to(board).open()


def test_a_file_is_refused_as_a_port(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("hello")
    for path in (file, tmp_path):
        with raises(LedsUnavailable, sentences.NOT_A_PORT(path=str(path))):
            SerialLink(str(path), SETTINGS).open()


def test_a_port_without_permission_names_the_group(
    board: ScriptedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("serial.serialposix.os.open", denied)
    with raises(LedsUnavailable, sentences.PORT_FORBIDDEN(path=board.path)):
        link_to(board).open()


def test_a_port_that_is_unplugged_in_use_is_reported() -> None:
    board = ScriptedBoard()
    with closing(opened(board)) as link:
        board.close()
        with raises(LedsUnavailable, sentences.UNPLUGGED(path=board.path)):
            link.send(RED, None)


def test_a_board_that_reads_no_bytes_is_reported() -> None:
    master, slave = os.openpty()
    link = SerialLink(os.ttyname(slave), MatrixSettings((2000,)), answer_timeout_ms=SHORT_MS)
    try:
        with closing(link), raises(LedsUnavailable, sentences.BOARD_SILENT):
            link.open()
    finally:
        os.close(slave)
        os.close(master)


# --- looking for the board ------------------------------------------------------------------------


@pytest.mark.usefixtures("patient_probe")
def test_a_probe_reports_the_board_or_the_reason(
    board: ScriptedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert probe_port(board.path) == WELCOME
    reason = probe_port("/dev/ttyNONE9")
    assert isinstance(reason, Sentence)
    assert mentions(reason, sentences.NO_SUCH_DEVICE(path="/dev/ttyNONE9"))
    monkeypatch.setattr(serial_link, "ANSWER_TIMEOUT_MS", SHORT_MS)
    board.reply = lambda _: b"ok\r\n"
    silent = probe_port(board.path)
    assert isinstance(silent, Sentence)
    assert mentions(silent, sentences.BOARD_SILENT(path=board.path))
    with serial.Serial(board.path, exclusive=True):
        held = probe_port(board.path)
    assert isinstance(held, Sentence)
    assert mentions(held, sentences.PORT_HELD(path=board.path))


@pytest.mark.usefixtures("patient_probe")
def test_auto_takes_the_one_port_that_answers(
    board: ScriptedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial_link, "serial_ports", lambda: ["/dev/ttyNONE9", board.path])
    with closing(SerialLink("auto", SETTINGS, answer_timeout_ms=TIMEOUT_MS)) as link:
        link.open()
        link.send(RED, None)
        assert link.name == "serial://auto"
    assert board.kinds() == ["Hello", "Hello", "Config", "FullFrame"]


@pytest.mark.usefixtures("patient_probe")
def test_auto_reports_the_reason_without_a_board(
    board: ScriptedBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = SerialLink("auto", SETTINGS)
    monkeypatch.setattr(serial_link, "serial_ports", list)
    with raises(LedsUnavailable, sentences.NO_PORT()):
        link.open()
    monkeypatch.setattr(serial_link, "serial_ports", lambda: ["/dev/ttyNONE8", "/dev/ttyNONE9"])
    with raises(
        LedsUnavailable, sentences.NO_BOARD_ANSWERS(paths=("/dev/ttyNONE8", "/dev/ttyNONE9"))
    ):
        link.open()
    with closing(ScriptedBoard()) as other:
        monkeypatch.setattr(serial_link, "serial_ports", lambda: [board.path, other.path])
        with raises(LedsUnavailable, sentences.SEVERAL_BOARDS):
            link.open()


def test_the_ports_of_this_machine_can_be_listed() -> None:
    assert all(isinstance(path, str) for path in serial_link.serial_ports())


# --- in its thread --------------------------------------------------------------------------------


def test_pings_keep_the_board_lit_and_restore_a_dark_one(board: ScriptedBoard) -> None:
    link = link_to(board)
    with closing(LiveLeds(link, SystemClock())) as leds:
        assert leds.wait(leds.show(RED), 30_000)
        eventually(lambda: board.kinds().count("Ping") >= 2, "two pings")
        board.restarted()
        eventually(lambda: board.kinds().count("FullFrame") == 2, "the picture again")
        assert leds.events() == []
    eventually(lambda: board.received[-1][1] == Blank(), "darkness")


def test_pings_are_sent_three_times_per_watchdog_period_and_at_least_once_a_second() -> None:
    assert SerialLink("/dev/x", SETTINGS).keep_alive_ms == 300
    patient = replace(SETTINGS, watchdog_ms=60_000)
    assert SerialLink("/dev/x", patient).keep_alive_ms == 1_000


def test_a_missing_board_is_reported_as_lost() -> None:
    leds = LiveLeds(SerialLink("/dev/ttyNONE9", SETTINGS), ManualClock(), threaded=False)
    leds.show(RED)
    assert not leds.wait(1, 1_000)
    (lost,) = leds.events()
    assert isinstance(lost, DeviceLost)
    assert mentions(lost.reason, sentences.NO_SUCH_DEVICE(path="/dev/ttyNONE9"))


def test_a_welcome_of_the_same_board_with_another_boot_counter_is_a_restart(
    board: ScriptedBoard,
) -> None:
    with closing(opened(board)) as link:
        link.open()
        assert link.counts.restarts == 0
        board.restarted()
        link.open()
        assert link.counts.restarts == 1
    assert isinstance(board.welcome, Welcome)
