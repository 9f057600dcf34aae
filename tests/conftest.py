"""For all tests."""

from __future__ import annotations

from hypothesis import settings

# How long one example takes is the machine's affair, not a promise.
settings.register_profile("laserboard", deadline=None)
settings.load_profile("laserboard")
