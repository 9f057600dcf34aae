"""Default signals for child processes, independent of how the tests were started."""

from __future__ import annotations

import signal


def default_signals() -> None:
    """For `preexec_fn`: background jobs ignore SIGINT, `nohup` SIGHUP, and children inherit it."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
