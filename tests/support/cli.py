"""Runs the command line in the process of the test, with the real parser and captured streams."""

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
def _cached_parser(_columns: str | None) -> argparse.ArgumentParser:
    """One parser for each terminal width, because building it is slower than most commands."""
    return build_parser()


def _parser() -> argparse.ArgumentParser:
    return _cached_parser(os.environ.get("COLUMNS"))


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
        except SystemExit as stop:  # raised by argparse
            status = int(stop.code or 0)
        captured = self._capsys.readouterr()
        return Ran(status, captured.out, captured.err)

    def prints(self, *arguments: str) -> str:
        """The output of a command that must succeed and print nothing to stderr."""
        ran = self(*arguments)
        assert (ran.status, ran.err) == (0, ""), ran
        return ran.out

    def refuses(self, *arguments: str) -> str:
        """The single stderr line of a command that must be refused."""
        ran = self(*arguments)
        assert ran.status == 2, ran
        assert ran.out == "", ran
        assert ran.err.count("\n") == 1, ran.err
        assert "Traceback" not in ran.err
        return ran.err
