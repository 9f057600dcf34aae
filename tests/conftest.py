"""Fixtures and settings for all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.support.cli import Laserboard

# How long one example takes depends on the machine: it is not asserted.
settings.register_profile("laserboard", deadline=None)
settings.load_profile("laserboard")


@pytest.fixture
def laserboard(capsys: pytest.CaptureFixture[str]) -> Laserboard:
    """The command line, run in this process."""
    from tests.support.cli import Laserboard  # lazily: engine tests do not load the command line

    return Laserboard(capsys)
