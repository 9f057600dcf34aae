"""Running the command line in a test: the real parser, the real streams, no subprocess."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from functools import cache
from unittest.mock import patch

import pytest

import controller.cli.main as command_line
from controller.cli.main import build_parser, main


@cache
def _made(_columns: str | None) -> argparse.ArgumentParser:
    """Once for each width of the terminal: that takes longer than most commands run."""
    return build_parser()


def _parser() -> argparse.ArgumentParser:
    return _made(os.environ.get("COLUMNS"))


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


class Laserboard:
    """`laserboard("show", "--setup", "ace")` runs that command."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> Ran:
        self._capsys.readouterr()
        try:
            with patch.object(command_line, "build_parser", _parser):
                status = main(arguments)
        except SystemExit as stop:  # argparse's own way out
            status = int(stop.code or 0)
        captured = self._capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    def prints(self, *arguments: str) -> str:
        """The output of a command that must succeed and say nothing else."""
        ran = self(*arguments)
        assert (ran.status, ran.err) == (0, ""), ran
        return ran.out

    def refuses(self, *arguments: str) -> str:
        """The one line of a command that must be refused."""
        ran = self(*arguments)
        assert ran.status == 2, ran
        assert ran.out == "", ran
        assert ran.err.count("\n") == 1, ran.err
        assert "Traceback" not in ran.err
        return ran.err
