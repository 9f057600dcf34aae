"""`--verbose` and `--log FILE`: where the log goes, and the sentence for people after a defect."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from controller.cli import log_setup
from controller.cli.log_setup import StderrHandler, SystemdJournalFormatter
from controller.cli.main import EXIT_DEFECT
from tests.support.cli import Laserboard
from tests.support.paths import ROOT

SHOW = ("show", "--setup", "ace")


@pytest.fixture
def defect(monkeypatch: pytest.MonkeyPatch) -> None:
    """`laserboard show` has a defect."""

    def broken(*_: object, **__: object) -> str:
        raise KeyError("no such thing")

    monkeypatch.setattr("controller.ui.commands.positions.render_board", broken)


@pytest.mark.usefixtures("defect")
def test_a_defect_ends_with_one_sentence_after_its_traceback(laserboard: Laserboard) -> None:
    ran = laserboard(*SHOW)
    assert ran.status == EXIT_DEFECT
    assert "Traceback" in ran.err
    *_, last = ran.err.splitlines()
    assert last.startswith("laserboard: a defect of the program: KeyError: 'no such thing'")
    assert "above" in last


@pytest.mark.usefixtures("defect")
@pytest.mark.parametrize("before", [True, False])
def test_the_log_file_gets_the_traceback_and_people_one_sentence(
    laserboard: Laserboard, tmp_path: Path, before: bool
) -> None:
    file = tmp_path / "a.log"
    option = ("--log", str(file))
    ran = laserboard(*option, *SHOW) if before else laserboard(*SHOW, *option)
    assert ran.status == EXIT_DEFECT
    assert ran.err.count("\n") == 1
    assert str(file) in ran.err
    text = file.read_text("utf-8")
    assert "Traceback" in text
    assert "KeyError: 'no such thing'" in text


@pytest.mark.parametrize("before", [True, False])
def test_verbose_prints_the_log_before_or_after_the_command(
    laserboard: Laserboard, before: bool
) -> None:
    wrong = ("show", "--setup", "ludo")
    ran = laserboard("--verbose", *wrong) if before else laserboard(*wrong, "--verbose")
    assert ran.status == 2
    assert "DEBUG controller.cli.main: refused" in ran.err
    assert "Traceback" in ran.err


def test_a_refusal_without_options_is_one_line(laserboard: Laserboard) -> None:
    assert "ludo" in laserboard.refuses("show", "--setup", "ludo")


def test_a_log_that_cannot_be_written_is_refused(laserboard: Laserboard, tmp_path: Path) -> None:
    refused = laserboard.refuses("--log", str(tmp_path / "no" / "a.log"), *SHOW)
    assert "--log: cannot write" in refused


def test_the_file_gets_debug_records_and_appends(laserboard: Laserboard, tmp_path: Path) -> None:
    file = tmp_path / "a.log"
    for _ in range(2):
        laserboard("show", "--setup", "ludo", "--log", str(file))
    assert file.read_text("utf-8").count("DEBUG MainThread controller.cli.main: refused") == 2


def test_the_log_begins_with_the_version_and_the_command_without_its_arguments(
    laserboard: Laserboard, tmp_path: Path
) -> None:
    file = tmp_path / "a.log"
    laserboard("show", "--setup", "ludo", "--log", str(file))
    first = file.read_text("utf-8").splitlines()[0]
    assert f"laserboard {version('laserboard')}, Python 3." in first
    assert first.endswith(": show")
    assert "ludo" not in first


def test_every_line_for_the_systemd_journal_has_its_level() -> None:
    formatter = SystemdJournalFormatter("%(name)s: %(message)s")
    try:
        raise ValueError("bad")
    except ValueError:
        record = logging.LogRecord("a", logging.ERROR, "", 0, "defect", (), sys.exc_info())
    lines = formatter.format(record).splitlines()
    assert lines[0] == "<3>a: defect"
    assert len(lines) > 3
    assert all(line.startswith("<3>") for line in lines)
    levels = {"DEBUG": 7, "INFO": 6, "WARNING": 4, "CRITICAL": 2}
    for name, number in levels.items():
        record = logging.LogRecord("a", getattr(logging, name), "", 0, "x", (), None)
        assert formatter.format(record) == f"<{number}>a: x"


def test_standard_error_that_is_the_journal_gets_prefixes() -> None:
    """As under laserboard.service: systemd names the stream in JOURNAL_STREAM."""
    code = (
        "import os, logging; status = os.fstat(2);"
        "os.environ['JOURNAL_STREAM'] = f'{status.st_dev}:{status.st_ino}';"
        "from controller.cli.log_setup import set_up_logging; set_up_logging(False, None);"
        "logging.getLogger('controller.x').info('started');"
        "logging.getLogger('controller.x').debug('not shown')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "JOURNAL_STREAM": ""},
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.stderr == "<6>controller.x: started\n"


def test_a_screen_holds_the_log_back_until_it_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", out := io.StringIO())
    handler = StderrHandler()
    record = logging.LogRecord("a", logging.ERROR, "", 0, "lost", (), None)
    handler.hold(True)
    handler.handle(record)
    assert out.getvalue() == ""
    handler.hold(False)
    assert out.getvalue() == "lost\n"
    handler.handle(record)
    assert out.getvalue() == "lost\nlost\n"


def test_the_handlers_are_gone_after_the_command(laserboard: Laserboard) -> None:
    before = list(logging.getLogger().handlers)
    laserboard.prints(*SHOW)
    assert logging.getLogger().handlers == before
    assert log_setup._installed == []
