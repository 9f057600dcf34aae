"""`laserboard parts`, `laserboard print wiring` and `print parts`, as people type them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.config.board_file import shipped_boards
from tests.support.cli import Laserboard


def test_parts_are_listed_with_prices_and_power(laserboard: Laserboard) -> None:
    reported = laserboard.prints("parts", "--board", "full-10x8")
    assert "full-10x8, to buy:" in reported
    assert "power supply, 5 V, 20 A" in reported
    assert "720 LEDs take 40.3 A if all are white" in reported
    assert "F8: 7.5 A fuse, 1 mm² (AWG 16)" in reported


def test_paper_needs_nothing_bought(laserboard: Laserboard) -> None:
    reported = laserboard.prints("parts", "--board", "paper-10x8")
    assert reported.startswith("paper-10x8, to buy: nothing\n")
    assert "LEDs" not in reported


@pytest.mark.parametrize("board", shipped_boards())
def test_parts_are_reported_to_programs(laserboard: Laserboard, board: str) -> None:
    reported = json.loads(laserboard.prints("parts", "--board", board, "--json"))
    assert reported["board"] == board
    assert reported["eur"]["buy"] == pytest.approx(
        sum(part["eur"] for part in reported["parts"] if part["group"] == ""), abs=0.01
    )
    if reported["power"] is not None:
        assert reported["power"]["limit_ma"] / 1000 <= reported["power"]["supply_a"]
        assert all(
            feed["fuse_a"] <= feed["wire"]["carries_a"] for feed in reported["power"]["feeds"]
        )


def test_wiring_is_printed_as_one_pdf_or_many_svgs(laserboard: Laserboard, tmp_path: Path) -> None:
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


def test_parts_are_printed(laserboard: Laserboard, tmp_path: Path) -> None:
    out = tmp_path / "parts.svg"
    laserboard.prints("print", "parts", "--board", "paper-10x8", "--out", str(out))
    assert "webcam" in out.read_text("utf-8")


def test_what_cannot_be_wired_is_said(laserboard: Laserboard) -> None:
    assert "has no LEDs, so there is nothing to wire" in laserboard.refuses(
        "print", "wiring", "--board", "paper-10x8"
    )
    assert "no sheet 'plam', did you mean 'plan'?" in laserboard.refuses(
        "print", "wiring", "--only", "plam"
    )
    assert "invalid choice: 'arduino'" in laserboard.refuses("parts", "--driver", "arduino")
