"""A serial port for LEDs: opened by pyserial, then read and written through its descriptor.

Every failure is `LedsUnavailable` with a sentence that says what to do.
"""

from __future__ import annotations

import errno
import os
import select
import termios
import time
from pathlib import Path
from typing import TYPE_CHECKING

from controller.devices import sentences
from controller.devices.leds.live import LedsUnavailable
from controller.ports.sentences import REMEDY, REMEDY_AFTER_COLON
from engine.sentences import Sentence

if TYPE_CHECKING:
    import serial

READ_BYTES = 4096


class SerialPort:
    """One serial port, open or closed."""

    def __init__(self, path: str, baud: int) -> None:
        self.path, self.baud = path, baud
        self._port: serial.Serial | None = None
        self._fd = -1
        self._readable = select.poll()

    def open(self) -> None:
        """Open the port exclusively and discard old input."""
        import serial

        try:
            self._port = serial.Serial(self.path, self.baud, timeout=0, exclusive=True)
        except (
            OSError,
            ValueError,
            termios.error,
        ) as error:
            raise LedsUnavailable(_explain_open_failure(self.path, error)) from error
        self._fd = self._port.fileno()
        self._readable = select.poll()
        self._readable.register(self._fd, select.POLLIN)

    def write(self, sent: bytes, timeout_s: float) -> None:
        """Write all bytes; returns when the port has accepted them."""
        try:
            done = os.write(self._fd, sent)
        except BlockingIOError:
            done = 0
        except OSError as error:
            raise self._unavailable(error) from error
        if done < len(sent):
            self._write_rest(sent[done:], timeout_s)

    def _write_rest(self, rest: bytes, timeout_s: float) -> None:
        until_s = time.monotonic() + timeout_s
        while rest:
            if (left_s := until_s - time.monotonic()) <= 0:
                raise LedsUnavailable(
                    REMEDY_AFTER_COLON(
                        problem=sentences.PORT_FULL(path=self.path),
                        remedy=sentences.IS_BOARD_RUNNING(),
                    )
                )
            try:
                select.select((), (self._fd,), (), left_s)
                rest = rest[os.write(self._fd, rest) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise self._unavailable(error) from error

    def read(self, timeout_s: float) -> bytes:
        """The bytes that arrive first; b"" after the timeout."""
        try:
            if not self._readable.poll(timeout_s * 1000):
                return b""
            got = os.read(self._fd, READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise self._unavailable(error) from error
        if not got:
            raise self._unavailable()
        return got

    def close(self) -> None:
        port, self._port, self._fd = self._port, None, -1
        if port is not None:
            port.close()

    def _unavailable(self, trouble: OSError | None = None) -> LedsUnavailable:
        if trouble is None or trouble.errno in (errno.EIO, errno.ENXIO, errno.ENODEV, errno.EBADF):
            unplugged, remedy = sentences.UNPLUGGED(path=self.path), sentences.PLUG_IN_AGAIN()
            return LedsUnavailable(REMEDY_AFTER_COLON(problem=unplugged, remedy=remedy))
        return LedsUnavailable(sentences.FAULT(device=self.path, reason=str(trouble)))


def _explain_open_failure(path: str, trouble: Exception) -> Sentence:
    number = trouble.args[0] if isinstance(trouble, termios.error) else None
    match getattr(trouble, "errno", number):
        case errno.ENOENT | errno.ENXIO | errno.ENODEV | errno.EIO:
            missing = REMEDY_AFTER_COLON(
                problem=sentences.NO_SUCH_DEVICE(path=path), remedy=sentences.PLUG_BOARD_IN()
            )
            return REMEDY(problem=missing, remedy=sentences.LIST_PORTS())
        case errno.EACCES | errno.EPERM:
            return REMEDY_AFTER_COLON(
                problem=sentences.PORT_FORBIDDEN(path=path),
                remedy=sentences.JOIN_PORT_GROUP(group=_group_of(path)),
            )
        case errno.EAGAIN | errno.EBUSY:
            return REMEDY_AFTER_COLON(
                problem=sentences.PORT_HELD(path=path), remedy=sentences.CLOSE_HOLDER(path=path)
            )
        case errno.ENOTTY | errno.EINVAL | errno.EISDIR:
            return _not_a_port(path)
        case _:
            if "Inappropriate ioctl" in str(trouble):  # pyserial wraps this error without its errno
                return _not_a_port(path)
            return sentences.CANNOT_OPEN(device=path, reason=str(trouble))


def _not_a_port(path: str) -> Sentence:
    return REMEDY(problem=sentences.NOT_A_PORT(path=path), remedy=sentences.LIST_PORTS())


def _group_of(path: str) -> str:
    """The group that owns a port: dialout on Debian, uucp elsewhere."""
    try:
        return Path(path).group()
    except (OSError, KeyError):
        return "dialout"
