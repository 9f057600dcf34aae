"""Fixtures of the controller's tests."""

from __future__ import annotations

import pytest

from tests.controller.cli import Laserboard


@pytest.fixture
def laserboard(capsys: pytest.CaptureFixture[str]) -> Laserboard:
    return Laserboard(capsys)
