"""Running the command line in a test: the real parser, the real streams, no subprocess."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from controller.cli.main import main


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
