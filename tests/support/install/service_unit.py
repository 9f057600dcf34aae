"""The installer, and the settings of the service file."""

from __future__ import annotations

import configparser

from tests.support.paths import ROOT

INSTALLER = ROOT / "install.sh"
UNIT = ROOT / "install" / "laserboard.service"
PROGRAM, BOARD_FILE, PORT = "/opt/laserboard/bin/laserboard", "/etc/laserboard/board.yaml", "8137"


def service() -> configparser.SectionProxy:
    """Its section `Service`."""
    found = configparser.ConfigParser(strict=False, interpolation=None)
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read(UNIT)
    return found["Service"]
