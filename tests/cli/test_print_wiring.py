"""`laserboard parts`, `laserboard print wiring` and `print parts` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.config.board_file import shipped_boards
from tests.support.cli import Laserboard


def test_parts_are_listed_with_prices_and_power(laserboard: Laserboard) -> None:
    printed = laserboard.prints("parts", "--board", "full-10x8")
    assert "full-10x8, to buy:" in printed
    assert "power supply, 5 V, 20 A" in printed
    assert "720 LEDs take 40.3 A if all are white" in printed
    assert "F8: 7.5 A fuse, 1 mm² (AWG 16)" in printed


def test_a_paper_board_needs_no_parts(laserboard: Laserboard) -> None:
    printed = laserboard.prints("parts", "--board", "paper-10x8")
    assert printed.startswith("paper-10x8, to buy: nothing\n")
    assert "LEDs" not in printed


@pytest.mark.parametrize("board", shipped_boards())
def test_parts_as_json(laserboard: Laserboard, board: str) -> None:
    report = json.loads(laserboard.prints("parts", "--board", board, "--json"))
    assert report["board"] == board
    assert report["eur"]["buy"] == pytest.approx(
        sum(part["eur"] for part in report["parts"] if part["group"] == ""), abs=0.01
    )
    if report["power"] is not None:
        assert report["power"]["limit_ma"] / 1000 <= report["power"]["supply_a"]
        assert all(feed["fuse_a"] <= feed["wire"]["carries_a"] for feed in report["power"]["feeds"])


def test_print_wiring_writes_one_pdf_or_many_svgs(laserboard: Laserboard, tmp_path: Path) -> None:
    said = laserboard.prints(
        "print", "wiring", "--only", "plan,connections", "--out", str(tmp_path / "w.pdf"),
        "--board", "demo-10x8",
    )  # fmt: skip
    assert said.endswith("w.pdf: 2 pages\n")
    assert (tmp_path / "w.pdf").read_bytes().startswith(b"%PDF")
    laserboard.prints("print", "wiring", "--out", str(tmp_path / "w.svg"), "--board", "hex-r5",
                      "--driver", "spi", "--paper", "letter")  # fmt: skip
    pages = sorted(tmp_path.glob("w-*.svg"))
    assert len(pages) >= 6
    assert 'data-led="90"' in pages[1].read_text("utf-8")


def test_print_parts_writes_a_pdf(laserboard: Laserboard, tmp_path: Path) -> None:
    out = tmp_path / "parts.svg"
    laserboard.prints("print", "parts", "--board", "paper-10x8", "--out", str(out))
    assert "webcam" in out.read_text("utf-8")


def test_a_board_that_cannot_be_wired_is_refused(laserboard: Laserboard) -> None:
    assert "has no LEDs, so there is nothing to wire" in laserboard.refuses(
        "print", "wiring", "--board", "paper-10x8"
    )
    assert "no sheet 'plam', did you mean 'plan'?" in laserboard.refuses(
        "print", "wiring", "--only", "plam"
    )
    assert "invalid choice: 'arduino'" in laserboard.refuses("parts", "--driver", "arduino")
