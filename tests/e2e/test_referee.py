"""`laserboard referee --simulate` as a process with the real reader: an illegal move, a power cut
before the ruling, the ruling on the console, and the verified export."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.play.tampered_exports import tampered_with
from tests.support.web.browser import TIMEOUT_S, OpenPage, Program, Start, Table

pytestmark = pytest.mark.slow
REFEREE = (
    *("referee", "--simulate", "--event", "Club night", "--round", "3", "--table", "4"),
    *("--clock", "30m", "--leds", "memory://", "--names", "Ada", "Grace"),
)
PICTURED = "[...document.querySelectorAll('.picture img')].every(i => i.naturalWidth > 100)"


def console_of(program: Program) -> str:
    return program.until(r"the referee's console: (\S+)")[1]


def drag_anywhere(table: Table, source: str, target: str) -> None:
    """Drag a piece with the page's rough hands, which ignore the rules."""
    table.page.evaluate("document.getElementById('rough').open = true")
    table.at("#rough-hands").check()
    table.drag(source, target)
    table.at("#rough-hands").uncheck()


def laserboard(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "controller.cli.main", *arguments],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        env={"XDG_DATA_HOME": str(folder), "PATH": "/usr/bin:/bin"},
        check=False,
    )


def test_an_illegal_move_is_ruled_on_after_a_power_cut_and_the_export_is_verified(
    start: Start, open_page: OpenPage, tmp_path: Path
) -> None:
    program = start(*REFEREE)
    address = console_of(program)
    table = open_page(program.address)
    table.says("^blue to move")
    drag_anywhere(table, "j4", "j2")
    table.until("document.querySelector('#board .mark.extra')")
    table.at("#fire").click()
    expect(table.at(".proposal-strip")).to_contain_text("The referee decides")
    console = open_page(address, 1280, 900)
    expect(console.at(".proposal .picture img")).to_have_count(4)
    console.until(PICTURED)
    console.press("a")
    expect(console.at("#ruling .question")).to_contain_text("red gets 2:00")
    program.kill()  # before the referee's ruling

    program = start("simulate", "--resume", "last", "--page", "--leds", "memory://")
    console = open_page(console_of(program), 1280, 900)
    expect(console.at(".proposal")).to_contain_text("Illegal move")
    expect(console.at("#obstacles li")).not_to_have_count(0)
    expect(console.at("#continue")).to_be_disabled()
    console.until(PICTURED)
    console.shot("console-resumed")
    console.press("a")
    console.at("#ruling-yes").click()
    expect(console.at(".entry.is-penalty")).to_contain_text("2m more for red")
    expect(console.at("#seat-upper .clock")).to_have_text("32:00")
    head = console.at("#last-hash").inner_text().replace(" ", "")
    with console.page.expect_download() as loaded:
        console.page.get_by_role("link", name="Complete export (zip)").click()
    export = tmp_path / "game.zip"
    loaded.value.save_as(export)
    program.close()

    verified = laserboard(tmp_path, "games", "verify", str(export), "--head", head)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    for name, tampered in tampered_with(export.read_bytes()).items():
        forged = tmp_path / f"{name}.zip"
        forged.write_bytes(tampered)
        found = laserboard(tmp_path, "games", "verify", str(forged), "--head", head)
        assert found.returncode == 1, f"{name}: {found.stdout}{found.stderr}"
    without_hash = laserboard(tmp_path, "games", "verify", str(tmp_path / "rewritten chain.zip"))
    assert without_hash.returncode == 3, "without a hash it is complete, but not verified"
