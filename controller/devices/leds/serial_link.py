"""`serial://`: the driver for our firmware (firmware/PROTOCOL.md).

Sends a message again until it is answered, at most three times. Only an ACK with the seq and CRC of
a picture confirms it. A board that restarted gets HELLO, CONFIG and the whole picture again.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from controller.devices import sentences
from controller.devices.leds.live import LedsUnavailable, LinkCounts, MatrixSettings, PictureLost
from controller.devices.leds.protocol import (
    CAN_DELTA,
    DARK,
    MAJOR,
    MINOR,
    Ack,
    BadFrame,
    Blank,
    BoardMessage,
    BoardStats,
    Config,
    Delta,
    FullFrame,
    Hello,
    HostMessage,
    Nack,
    NackReason,
    Ping,
    StatsRequest,
    Welcome,
    decode_board,
    encode,
)
from controller.devices.leds.serial_port import SerialPort
from controller.ports.devices import COLOR_ORDERS, MatrixDetails, Pixels
from controller.ports.sentences import REMEDY, REMEDY_AFTER_COLON
from controller.session.sentences import join_and
from engine.sentences import Sentence

BAUD = 1_000_000
RETRIES = 3
ANSWER_TIMEOUT_MS = 80.0  # plus the transfer times of the bytes and of the LEDs
DAMAGED_GRACE_S = 0.005  # wait for more after a damaged answer or a NACK for a damaged message
US_PER_LED = 30  # 24 bits of 1.25 us; an ACK waits for the transfer of the previous picture
MAX_FRAME_BYTES = 8192  # longer input without a zero is noise
MAX_KEEP_ALIVE_MS = 1_000.0  # notices a pulled cable even if the watchdog is slow
AUTO = "auto"
UDEV_LINK = Path("/dev/laserboard")  # made by the udev rule of install.sh


class _NackReceived(Exception):
    """The board refused a message."""

    def __init__(self, reason: NackReason) -> None:
        super().__init__(reason.name)
        self.reason = reason
        self.name = reason.name.lower().replace("_", " ")


@dataclass(slots=True)
class SerialLink:
    """A board on one port, or with `auto` on the only port that answers."""

    port_path: str
    settings: MatrixSettings
    baud: int = BAUD
    name: str = ""
    answer_timeout_ms: float = ANSWER_TIMEOUT_MS
    counts: LinkCounts = field(default_factory=LinkCounts)
    _exchange: SerialExchange | None = None
    _last_board: tuple[bytes, int] | None = None  # board id and boot counter of the last handshake
    _welcome: Welcome | None = None

    def __post_init__(self) -> None:
        self.name = self.name or f"serial://{self.port_path}"

    @property
    def led_count(self) -> int:
        return self.settings.led_count

    @property
    def keep_alive_ms(self) -> float:
        return min(self.settings.watchdog_ms / 3, MAX_KEEP_ALIVE_MS)

    @property
    def _exchange_timeout_ms(self) -> float:
        return self.answer_timeout_ms + max(self.settings.leds_per_lane) * US_PER_LED / 1000

    def set_answer_timeout(self, answer_timeout_ms: float) -> None:
        """Applies from the next message on."""
        self.answer_timeout_ms = answer_timeout_ms
        if self._exchange is not None:
            self._exchange.answer_timeout_ms = self._exchange_timeout_ms

    def open(self) -> MatrixDetails:
        self.close()
        path = _find_answering_port(self.baud) if self.port_path == AUTO else self.port_path
        self._exchange = SerialExchange(
            SerialPort(path, self.baud),
            self.counts,
            self._exchange_timeout_ms,
            self._exchange.seq if self._exchange else 0,
        )
        self._exchange.open()
        return MatrixDetails(self.led_count, True, firmware_sentence(self._handshake()))

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        try:
            answer = self._request(self._shortest_message(picture, before))
        except _NackReceived as refusal:
            answer = self._resend_full(picture, refusal.reason)
        if not isinstance(answer, Ack) or answer.state == DARK:
            raise LedsUnavailable(sentences.STAYS_DARK())

    def keep_alive(self) -> None:
        try:
            answer = self._request(Ping())
        except _NackReceived:
            self._handshake()
            raise PictureLost from None
        if isinstance(answer, Ack) and answer.state == DARK:
            raise PictureLost

    def blank(self) -> None:
        try:
            self._request(Blank())
        except _NackReceived as refusal:
            raise LedsUnavailable(sentences.NOT_GOING_DARK(refusal=refusal.name)) from None

    def close(self) -> None:
        if self._exchange is not None:
            self._exchange.port.close()

    def board_stats(self) -> BoardStats:
        """The board's own counters (STATS)."""
        try:
            answer = self._request(StatsRequest())
        except _NackReceived as refusal:
            raise LedsUnavailable(sentences.NO_BOARD_STATS(refusal=refusal.name)) from None
        if not isinstance(answer, BoardStats):
            raise LedsUnavailable(sentences.NOT_BOARD_STATS(answer=str(answer)))
        return answer

    def _handshake(self) -> Welcome:
        """Send HELLO and CONFIG."""
        welcome = self._require_exchange().handshake()
        settings, path = self.settings, self._require_exchange().port.path
        known, self._last_board = self._last_board, (welcome.board_id, welcome.boot_count)
        if known is not None and known != self._last_board:
            self.counts.restarts += 1
        if welcome.major != MAJOR:
            raise LedsUnavailable(
                _flash_firmware(
                    sentences.OTHER_PROTOCOL(
                        path=path,
                        version=f"{welcome.major}.{welcome.minor}",
                        known=f"{MAJOR}.{MINOR}",
                    )
                )
            )
        if settings.led_count > welcome.max_leds or len(settings.leds_per_lane) > welcome.max_lanes:
            raise LedsUnavailable(
                sentences.TOO_MANY_LEDS(
                    path=path,
                    max_leds=welcome.max_leds,
                    max_lanes=welcome.max_lanes,
                    leds=settings.led_count,
                    lanes=len(settings.leds_per_lane),
                )
            )
        self._welcome = welcome
        config = Config(
            255,  # `OutputStage` has applied the brightness
            min(settings.limit_ma, 0xFFFF),
            settings.ma_per_led,
            settings.watchdog_ms,
            COLOR_ORDERS[settings.color_order],
            settings.leds_per_lane,
        )
        try:
            self._request(config)
        except _NackReceived as refusal:
            raise LedsUnavailable(
                sentences.SETTINGS_REFUSED(
                    path=path,
                    refusal=refusal.name,
                    limit_ma=config.limit_ma,
                    watchdog_ms=config.watchdog_ms,
                    leds=str(settings.leds_per_lane),
                )
            ) from None
        return welcome

    def _resend_full(self, picture: Pixels, reason: NackReason) -> BoardMessage:
        try:
            if reason != NackReason.NO_PICTURE:
                self._handshake()
            return self._request(FullFrame(picture.tobytes()))
        except _NackReceived as refusal:
            raise LedsUnavailable(sentences.PICTURE_REFUSED(refusal=refusal.name)) from None

    def _shortest_message(self, picture: Pixels, before: Pixels | None) -> HostMessage:
        """FRAME, or a DELTA over all changed LEDs if that is shorter."""
        if before is not None and self._welcome and self._welcome.capabilities & CAN_DELTA:
            changed = (picture.ravel() != before.ravel()).nonzero()[0]
            first, last = (int(changed[0]) // 3, int(changed[-1]) // 3) if len(changed) else (0, 0)
            if 3 * (last + 1 - first) + 2 < 3 * len(picture):
                return Delta(first, picture[first : last + 1].tobytes())
        return FullFrame(picture.tobytes())

    def _request(self, message: HostMessage) -> BoardMessage:
        return self._require_exchange().request(message)

    def _require_exchange(self) -> SerialExchange:
        if self._exchange is None:
            raise LedsUnavailable(sentences.DEVICE_NOT_OPEN(device=self.name))
        return self._exchange


@dataclass(slots=True)
class SerialExchange:
    """Sends one message at a time over one port and waits for its answer."""

    port: SerialPort
    counts: LinkCounts
    answer_timeout_ms: float
    seq: int = 0
    retries: int = RETRIES
    _partial_frame: bytearray = field(default_factory=bytearray)
    _frames: deque[bytes] = field(default_factory=deque)

    def open(self) -> None:
        self.port.open()
        self.port.write(b"\0", self.answer_timeout_ms / 1000)

    def handshake(self) -> Welcome:
        try:
            answer = self.request(Hello())
        except _NackReceived as refusal:
            refused = sentences.HELLO_REFUSED(path=self.port.path, refusal=refusal.name)
            raise LedsUnavailable(_flash_firmware(refused)) from None
        if not isinstance(answer, Welcome):
            raise LedsUnavailable(_flash_firmware(sentences.HELLO_UNKNOWN(path=self.port.path)))
        return answer

    def request(self, message: HostMessage) -> BoardMessage:
        """Send a message, again if needed, and return its answer."""
        self.seq = seq = self.seq % 255 + 1
        frame, crc = encode(seq, message)
        line_s = 10 * len(frame) / self.port.baud
        for attempt in range(1 + self.retries):
            timeout_s = self.answer_timeout_ms / 1000 + line_s
            if attempt:
                self.counts.retries += 1
                frame = b"\0" + frame if attempt == 1 else frame  # ends a frame whose zero got lost
            self.port.write(frame, timeout_s)
            arrived_s = time.monotonic() + line_s
            answer = self._wait_for_reply(message, seq, crc, arrived_s, timeout_s * (1 + attempt))
            if answer is not None:
                return answer
        self.counts.unanswered += 1
        raise LedsUnavailable(
            REMEDY(
                problem=sentences.BOARD_SILENT(path=self.port.path), remedy=sentences.TRY_PORTS()
            )
        )

    def _wait_for_reply(
        self, message: HostMessage, seq: int, crc: int, arrived_s: float, timeout_s: float
    ) -> BoardMessage | None:
        until_s = time.monotonic() + timeout_s
        while (left_s := until_s - time.monotonic()) > 0:
            received = self._receive(left_s)
            match received:
                case (int(number), Ack() as ack) if (number, ack.crc) == (seq, crc):
                    return ack
                case (int(number), Welcome() | BoardStats() as answer) if number == seq:
                    if isinstance(message, Hello | StatsRequest):
                        return answer
                case (int(number), Nack(reason)) if number == seq and not reason.damaged:
                    self.counts.nacks += 1
                    raise _NackReceived(reason)
                case "damaged" | (_, Nack(NackReason(damaged=True))):
                    # Probably about our message, but the real answer may still follow.
                    self.counts.nacks += received != "damaged"
                    until_s = min(until_s, max(time.monotonic(), arrived_s) + DAMAGED_GRACE_S)
        return None

    def _receive(self, timeout_s: float) -> tuple[int, BoardMessage] | Literal["damaged"] | None:
        """Seq and message of the next frame; None if no complete one has arrived."""
        if not self._frames:
            self._partial_frame += self.port.read(timeout_s)
            *frames, rest = bytes(self._partial_frame).split(b"\0")
            self._frames.extend(frame for frame in frames if frame)
            self._partial_frame = bytearray(rest[-MAX_FRAME_BYTES:])
        if not self._frames:
            return None
        try:
            return decode_board(self._frames.popleft())
        except BadFrame:
            return "damaged"


def probe_port(path: str, baud: int = BAUD) -> Welcome | Sentence:
    """The answer to a handshake on a port, or a sentence why there is none."""
    exchange = SerialExchange(SerialPort(path, baud), LinkCounts(), ANSWER_TIMEOUT_MS, retries=1)
    try:
        exchange.open()
        return exchange.handshake()
    except LedsUnavailable as reason:
        return reason.sentence
    finally:
        exchange.port.close()


def serial_ports() -> list[str]:
    """The serial ports of this machine, Raspberry Pi devices first."""
    from serial.tools.list_ports import comports

    raspberry_pi = 0x2E8A
    ports = sorted(comports(), key=lambda port: (port.vid != raspberry_pi, port.device))
    return [port.device for port in ports]


def _find_answering_port(baud: int) -> str:
    if UDEV_LINK.exists():  # do not probe the other ports
        return str(UDEV_LINK)
    answers = {path: probe_port(path, baud) for path in serial_ports()}
    boards = [path for path, answer in answers.items() if isinstance(answer, Welcome)]
    if len(boards) == 1:
        return boards[0]
    if boards:
        raise LedsUnavailable(
            REMEDY_AFTER_COLON(
                problem=sentences.SEVERAL_BOARDS(paths=join_and(boards)),
                remedy=sentences.NAME_ONE(url=f"serial://{boards[0]}"),
            )
        )
    if not answers:
        raise LedsUnavailable(
            REMEDY_AFTER_COLON(problem=sentences.NO_PORT(), remedy=sentences.PLUG_BOARD_IN())
        )
    raise LedsUnavailable(
        REMEDY(
            problem=sentences.NO_BOARD_ANSWERS(paths=tuple(answers)),
            remedy=sentences.EXPLAIN_PORTS(),
        )
    )


def firmware_sentence(welcome: Welcome) -> Sentence:
    """The board's own description."""
    version = ".".join(map(str, welcome.firmware))
    return sentences.FIRMWARE(version=version, board=welcome.board_id.hex())


def without_port_list(reason: Sentence) -> Sentence:
    """The reason without its reference to `laserboard ports`, for the list of that command."""
    problem, remedy = reason.slots.get("problem"), reason.slots.get("remedy")
    is_reference = remedy in (sentences.TRY_PORTS(), sentences.LIST_PORTS())
    return problem if is_reference and isinstance(problem, Sentence) else reason


def _flash_firmware(problem: Sentence) -> Sentence:
    return REMEDY_AFTER_COLON(problem=problem, remedy=sentences.FLASH_FIRMWARE())
