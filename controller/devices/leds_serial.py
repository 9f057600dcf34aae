"""`serial://`: a board with our firmware, spoken to as firmware/PROTOCOL.md says.

Every message is repeated until it is answered, three times at most; a picture is confirmed only
by an ACK that names it by seq and CRC. A board that restarted or went dark gets everything again.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from controller.devices.leds import LinkCounts, MatrixSettings, PictureGone, Unavailable
from controller.devices.leds_port import Port
from controller.devices.wire import (
    BEAM_WORKS,
    DARK,
    DELTA_WORKS,
    MAJOR,
    MINOR,
    Ack,
    AskStats,
    BadFrame,
    Beam,
    Blank,
    BoardMessage,
    BoardStats,
    Config,
    Delta,
    Done,
    Full,
    Hello,
    HostMessage,
    Nack,
    Ping,
    Reason,
    Welcome,
    decode_board,
    encode,
)
from controller.ports import ORDERS, MatrixDetails, Pixels

BAUD = 1_000_000
RETRIES = 3
PATIENCE_MS = 80.0  # for an answer, besides the time that the bytes and the LEDs take
GRACE_S = 0.005  # after a damaged answer, or one that says that the message was
US_PER_LED = 30  # 24 bits of 1.25 us: an ACK may wait for the picture before
LONGEST_FRAME = 8192  # of a board: what is longer is noise
NOTICE_MS = 1_000.0  # by then a pulled cable is noticed, however long the board waits
AUTO = "auto"
NAMED = Path("/dev/laserboard")  # by the udev rule that install.sh puts in place
FLASHING = (
    "flash the firmware that belongs to this program: hold BOOTSEL while you plug the Pico in, "
    "then copy laserboard-pico.uf2 onto the drive that appears"
)


class _Refused(Exception):
    """The board understood a message and will not have it."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.name.lower().replace("_", " "))
        self.reason = reason


@dataclass(slots=True)
class SerialLink:
    """A board on one port, or with `auto` on whichever port answers."""

    place: str
    settings: MatrixSettings
    baud: int = BAUD
    name: str = ""
    patience_ms: float = PATIENCE_MS
    counts: LinkCounts = field(default_factory=LinkCounts)
    _talk: Conversation | None = None
    _known: tuple[bytes, int] | None = None  # board and boot counter, as last greeted
    _welcome: Welcome | None = None

    def __post_init__(self) -> None:
        self.name = self.name or f"serial://{self.place}"

    @property
    def leds(self) -> int:
        return self.settings.leds

    @property
    def keep_alive_ms(self) -> float:
        return min(self.settings.watchdog_ms / 3, NOTICE_MS)

    @property
    def _answer_ms(self) -> float:
        return self.patience_ms + max(self.settings.lanes) * US_PER_LED / 1000

    def be_patient(self, patience_ms: float) -> None:
        """For so long, from the next message on."""
        self.patience_ms = patience_ms
        if self._talk is not None:
            self._talk.patience_ms = self._answer_ms

    def open(self) -> MatrixDetails:
        self.close()
        path = _the_port_that_answers(self.baud) if self.place == AUTO else self.place
        self._talk = Conversation(
            Port(path, self.baud),
            self.counts,
            self._answer_ms,
            self._talk.seq if self._talk else 0,
        )
        self._talk.open()
        return MatrixDetails(self.leds, True, str(self._greet()))

    def send(self, picture: Pixels, before: Pixels | None) -> None:
        try:
            answer = self._ask(self._smallest(picture, before))
        except _Refused as refusal:
            answer = self._send_anew(picture, refusal.reason)
        if not isinstance(answer, Ack) or answer.state == DARK:
            raise Unavailable("the board took the picture and stays dark")

    def keep_alive(self) -> None:
        try:
            answer = self._ask(Ping())
        except _Refused:
            self._greet()
            raise PictureGone from None
        if isinstance(answer, Ack) and answer.state == DARK:
            raise PictureGone

    def blank(self) -> None:
        try:
            self._ask(Blank())
        except _Refused as refusal:
            raise Unavailable(f"the board does not go dark: {refusal}") from None

    def close(self) -> None:
        if self._talk is not None:
            self._talk.port.close()

    def beam(self, leds: list[int], rgb: tuple[int, int, int], ms_per_step: int) -> bool:
        """Have the board light one LED after another by itself, and wait until that is done.

        False: it ran, but the board's word for it got lost.
        """
        if self._welcome is None or not self._welcome.capabilities & BEAM_WORKS:
            raise Unavailable("this firmware has no beam of its own")
        try:
            self._ask(Beam(rgb, ms_per_step, tuple(leds)))
        except _Refused as refusal:
            raise Unavailable(f"the board refuses the beam: {refusal}") from None
        talk = self._open_talk()
        seq, until_s = talk.seq, time.monotonic() + len(leds) * ms_per_step / 1000
        until_s += self.patience_ms / 1000
        while (left_s := until_s - time.monotonic()) > 0:
            if talk.hears_done(seq, min(left_s, self.keep_alive_ms / 1000)):
                return True
            self.keep_alive()
        return False

    def board_stats(self) -> BoardStats:
        """What the board itself has counted."""
        try:
            answer = self._ask(AskStats())
        except _Refused as refusal:
            raise Unavailable(f"the board tells no statistics: {refusal}") from None
        if not isinstance(answer, BoardStats):
            raise Unavailable(f"the board answered STATS with {answer}")
        return answer

    def _greet(self) -> Welcome:
        """HELLO and CONFIG."""
        welcome = self._open_talk().greet()
        settings, path = self.settings, self._open_talk().port.path
        known, self._known = self._known, (welcome.board_id, welcome.boots)
        if known is not None and known != self._known:
            self.counts.restarts += 1
        if welcome.major != MAJOR:
            raise Unavailable(
                f"the board on {path} speaks protocol {welcome.major}.{welcome.minor}, "
                f"this program {MAJOR}.{MINOR}: {FLASHING}"
            )
        if settings.leds > welcome.most_leds or len(settings.lanes) > welcome.most_lanes:
            raise Unavailable(
                f"the board on {path} drives {welcome.most_leds} LEDs on {welcome.most_lanes} "
                f"lanes at most, the board file has {settings.leds} on {len(settings.lanes)}"
            )
        self._welcome = welcome
        wanted = Config(
            255,  # brightness is done before
            min(settings.limit_ma, 0xFFFF),
            settings.ma_per_led,
            settings.watchdog_ms,
            ORDERS[settings.color_order],
            settings.lanes,
        )
        try:
            self._ask(wanted)
        except _Refused as refusal:
            raise Unavailable(
                f"the board on {path} refuses the settings of the board file, {refusal}: "
                f"{wanted.limit_ma} mA, {wanted.watchdog_ms} ms, LEDs {settings.lanes}"
            ) from None
        return welcome

    def _send_anew(self, picture: Pixels, reason: Reason) -> BoardMessage:
        try:
            if reason != Reason.NO_PICTURE:
                self._greet()
            return self._ask(Full(picture.tobytes()))
        except _Refused as refusal:
            raise Unavailable(f"the board refuses the picture: {refusal}") from None

    def _smallest(self, picture: Pixels, before: Pixels | None) -> HostMessage:
        """The shorter of a whole picture and the one run of LEDs that changed."""
        if before is not None and self._welcome and self._welcome.capabilities & DELTA_WORKS:
            changed = (picture.ravel() != before.ravel()).nonzero()[0]
            first, last = (int(changed[0]) // 3, int(changed[-1]) // 3) if len(changed) else (0, 0)
            if 3 * (last + 1 - first) + 2 < 3 * len(picture):
                return Delta(first, picture[first : last + 1].tobytes())
        return Full(picture.tobytes())

    def _ask(self, message: HostMessage) -> BoardMessage:
        return self._open_talk().ask(message)

    def _open_talk(self) -> Conversation:
        if self._talk is None:
            raise Unavailable(f"{self.name} is not open")
        return self._talk


@dataclass(slots=True)
class Conversation:
    """Messages and their answers, one at a time, over one port."""

    port: Port
    counts: LinkCounts
    patience_ms: float
    seq: int = 0
    retries: int = RETRIES
    _got: bytearray = field(default_factory=bytearray)  # the beginning of a frame
    _frames: deque[bytes] = field(default_factory=deque)
    _done: set[int] = field(default_factory=set)

    def open(self) -> None:
        self.port.open()
        self.port.write(b"\0", self.patience_ms / 1000)

    def greet(self) -> Welcome:
        try:
            answer = self.ask(Hello())
        except _Refused as refusal:
            raise Unavailable(
                f"the board on {self.port.path} refuses HELLO: {refusal}: {FLASHING}"
            ) from None
        if not isinstance(answer, Welcome):
            raise Unavailable(f"{self.port.path} does not know how to greet: {FLASHING}")
        return answer

    def ask(self, message: HostMessage) -> BoardMessage:
        """Send a message until it is answered."""
        self.seq = seq = self.seq % 255 + 1
        self._done.discard(seq)
        frame, crc = encode(seq, message)
        line_s = 10 * len(frame) / self.port.baud
        for attempt in range(1 + self.retries):
            patience_s = self.patience_ms / 1000 + line_s
            if attempt:
                self.counts.retries += 1
                frame = b"\0" + frame if attempt == 1 else frame  # ends what lost its own end
            self.port.write(frame, patience_s)
            arrived_s = time.monotonic() + line_s
            answer = self._answer(message, seq, crc, arrived_s, patience_s * (1 + attempt))
            if answer is not None:
                return answer
        self.counts.unanswered += 1
        raise Unavailable(
            f"{self.port.path} does not answer: there is no board, or none with our firmware; "
            "`laserboard ports` tries them all"
        )

    def hears_done(self, seq: int, patience_s: float) -> bool:
        """Whether a beam has arrived, or does so in that time."""
        until_s = time.monotonic() + patience_s
        while seq not in self._done and (left_s := until_s - time.monotonic()) > 0:
            self._hear(left_s)
        return seq in self._done

    def _answer(
        self, message: HostMessage, seq: int, crc: int, arrived_s: float, patience_s: float
    ) -> BoardMessage | None:
        until_s = time.monotonic() + patience_s
        while (left_s := until_s - time.monotonic()) > 0:
            heard = self._hear(left_s)
            match heard:
                case (int(number), Ack() as ack) if (number, ack.crc) == (seq, crc):
                    return ack
                case (int(number), Welcome() | BoardStats() as answer) if number == seq:
                    if isinstance(message, Hello | AskStats):
                        return answer
                case (int(number), Nack(reason)) if number == seq and not reason.damaged:
                    self.counts.refused += 1
                    raise _Refused(reason)
                case "damaged" | (_, Nack(Reason(damaged=True))):
                    # Most likely ours; whatever else is on its way may still prove it wrong.
                    self.counts.refused += heard != "damaged"
                    until_s = min(until_s, max(time.monotonic(), arrived_s) + GRACE_S)
        return None

    def _hear(self, patience_s: float) -> tuple[int, BoardMessage] | Literal["damaged"] | None:
        """Seq and message of the next frame that came; None if there is no whole one yet."""
        if not self._frames:
            self._got += self.port.read(patience_s)
            *frames, rest = bytes(self._got).split(b"\0")
            self._frames.extend(frame for frame in frames if frame)
            self._got = bytearray(rest[-LONGEST_FRAME:])
        if not self._frames:
            return None
        try:
            seq, told = decode_board(self._frames.popleft())
        except BadFrame:
            return "damaged"
        if isinstance(told, Done):
            self._done.add(seq)
        return seq, told


def probe(path: str, baud: int = BAUD) -> Welcome | str:
    """What answers our handshake on a port, or a sentence why nothing does."""
    talk = Conversation(Port(path, baud), LinkCounts(), PATIENCE_MS, retries=1)
    try:
        talk.open()
        return talk.greet()
    except Unavailable as reason:
        return str(reason)
    finally:
        talk.port.close()


def serial_ports() -> list[str]:
    """The serial ports of this machine, those most likely to be a board first."""
    from serial.tools.list_ports import comports

    raspberry_pi = 0x2E8A
    found = sorted(comports(), key=lambda port: (port.vid != raspberry_pi, port.device))
    return [port.device for port in found]


def _the_port_that_answers(baud: int) -> str:
    if NAMED.exists():  # others need not be disturbed
        return str(NAMED)
    said = {path: probe(path, baud) for path in serial_ports()}
    boards = [path for path, answer in said.items() if isinstance(answer, Welcome)]
    if len(boards) == 1:
        return boards[0]
    if boards:
        raise Unavailable(
            f"boards answer on {' and '.join(boards)}: name one, such as serial://{boards[0]}"
        )
    if not said:
        raise Unavailable("this machine has no serial port: plug the board in")
    raise Unavailable(
        f"no board answers on {', '.join(said)}; `laserboard ports` says why for each"
    )
