"""Fixtures and settings for all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.support.cli import Laserboard

# How long one example takes depends on the machine: it is not asserted.
# `make test-slow` repeats the property tests with `--hypothesis-profile thorough`: 100 examples.
settings.register_profile("quick", deadline=None, max_examples=15)
settings.register_profile("thorough", deadline=None)
settings.load_profile("quick")


@pytest.fixture
def laserboard(capsys: pytest.CaptureFixture[str]) -> Laserboard:
    """The command line, run in this process."""
    from tests.support.cli import Laserboard  # lazily: engine tests do not load the command line

    return Laserboard(capsys)
