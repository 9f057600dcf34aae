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

BAUD = 1_000_000
RETRIES = 3
ANSWER_TIMEOUT_MS = 80.0  # plus the transfer times of the bytes and of the LEDs
DAMAGED_GRACE_S = 0.005  # wait for more after a damaged answer or a NACK for a damaged message
US_PER_LED = 30  # 24 bits of 1.25 us; an ACK waits for the transfer of the previous picture
MAX_FRAME_BYTES = 8192  # longer input without a zero is noise
MAX_KEEP_ALIVE_MS = 1_000.0  # notices a pulled cable even if the watchdog is slow
AUTO = "auto"
UDEV_LINK = Path("/dev/laserboard")  # made by the udev rule of install.sh
FLASH_INSTRUCTIONS = (
    "flash the firmware that belongs to this program: hold BOOTSEL while you plug the Pico in, "
    "then copy laserboard-pico.uf2 onto the drive that appears"
)


class _NackReceived(Exception):
    """The board refused a message."""

    def __init__(self, reason: NackReason) -> None:
        super().__init__(reason.name.lower().replace("_", " "))
        self.reason = reason


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
        return MatrixDetails(self.led_count, True, str(self._handshake()))

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        try:
            answer = self._request(self._shortest_message(picture, before))
        except _NackReceived as refusal:
            answer = self._resend_full(picture, refusal.reason)
        if not isinstance(answer, Ack) or answer.state == DARK:
            raise LedsUnavailable("the board took the picture and stays dark")

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
            raise LedsUnavailable(f"the board does not go dark: {refusal}") from None

    def close(self) -> None:
        if self._exchange is not None:
            self._exchange.port.close()

    def board_stats(self) -> BoardStats:
        """The board's own counters (STATS)."""
        try:
            answer = self._request(StatsRequest())
        except _NackReceived as refusal:
            raise LedsUnavailable(f"the board tells no statistics: {refusal}") from None
        if not isinstance(answer, BoardStats):
            raise LedsUnavailable(f"the board answered STATS with {answer}")
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
                f"the board on {path} speaks protocol {welcome.major}.{welcome.minor}, "
                f"this program {MAJOR}.{MINOR}: {FLASH_INSTRUCTIONS}"
            )
        if settings.led_count > welcome.max_leds or len(settings.leds_per_lane) > welcome.max_lanes:
            raise LedsUnavailable(
                f"the board on {path} drives {welcome.max_leds} LEDs on {welcome.max_lanes} "
                f"lanes at most, the board file has {settings.led_count} on "
                f"{len(settings.leds_per_lane)}"
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
                f"the board on {path} refuses the settings of the board file, {refusal}: "
                f"{config.limit_ma} mA, {config.watchdog_ms} ms, LEDs {settings.leds_per_lane}"
            ) from None
        return welcome

    def _resend_full(self, picture: Pixels, reason: NackReason) -> BoardMessage:
        try:
            if reason != NackReason.NO_PICTURE:
                self._handshake()
            return self._request(FullFrame(picture.tobytes()))
        except _NackReceived as refusal:
            raise LedsUnavailable(f"the board refuses the picture: {refusal}") from None

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
            raise LedsUnavailable(f"{self.name} is not open")
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
            raise LedsUnavailable(
                f"the board on {self.port.path} refuses HELLO: {refusal}: {FLASH_INSTRUCTIONS}"
            ) from None
        if not isinstance(answer, Welcome):
            raise LedsUnavailable(
                f"{self.port.path} does not know the message HELLO: {FLASH_INSTRUCTIONS}"
            )
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
            f"{self.port.path} does not answer: there is no board, or none with our firmware; "
            "`laserboard ports` tries them all"
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


def probe_port(path: str, baud: int = BAUD) -> Welcome | str:
    """The answer to a handshake on a port, or a sentence why there is none."""
    exchange = SerialExchange(SerialPort(path, baud), LinkCounts(), ANSWER_TIMEOUT_MS, retries=1)
    try:
        exchange.open()
        return exchange.handshake()
    except LedsUnavailable as reason:
        return str(reason)
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
            f"boards answer on {' and '.join(boards)}: name one, such as serial://{boards[0]}"
        )
    if not answers:
        raise LedsUnavailable("this machine has no serial port: plug the board in")
    raise LedsUnavailable(
        f"no board answers on {', '.join(answers)}; `laserboard ports` says why for each"
    )
