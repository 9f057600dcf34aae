"""The console blocks of README and docs print what these documents show.

A block has `$ command` lines, each followed by its output; a line `...` stands for any lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PAGES = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for pattern in ("*.md", "docs/*.md", "hardware/**/*.md", "firmware/*.md", "examples/*.md")
    for path in sorted(ROOT.glob(pattern))
}
README = PAGES["README.md"]
MAX_ANIMATION_BYTES = 2_000_000
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def shown(page: str) -> list[tuple[str, str]]:
    """Every command of a page, with the output shown there."""
    found = []
    for block in BLOCK.findall(PAGES[page]):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


# Whole games, the set-up of a camera, drawings, searches of a second each.
LONG = {
    *("docs/table.md", "docs/scripts.md", "docs/command-line.md", "docs/engine.md"),
    "hardware/README.md",
}


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=pytest.mark.slow if page in LONG else ())
        for page in PAGES
        if shown(page)
    ],
)
def test_a_page_shows_what_the_program_prints(page: str) -> None:
    """Run the commands in order, because later ones use files of earlier ones."""
    for command, output in shown(page):
        expected = ".*".join(map(re.escape, re.split(r"^\.\.\.\n", output, flags=re.MULTILINE)))
        printed = ran(command)
        assert re.fullmatch(expected, printed, re.DOTALL), f"{page}: {command}\n{printed}"


def ran(command: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=ROOT,
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


def test_the_readme_names_every_command() -> None:
    from controller.cli.main import build_parser
    from controller.cli.manual.commands import commands_below

    commands = [each.prog.split()[-1] for each in commands_below(build_parser())]
    unnamed = [name for name in commands if not re.search(rf"[` ]{name}[` ]", README)]
    assert not unnamed, "say in the README what they are for"


@pytest.mark.parametrize("page", PAGES)
def test_every_link_target_of_a_page_exists(page: str) -> None:
    """Links to pictures, pages and headings exist."""
    for target in re.findall(r"\]\(([^)\s]+)\)", PAGES[page]):
        file, _, heading = target.partition("#")
        if re.match("[a-z]+:", target):
            continue
        path = ((ROOT / page).parent / file).resolve() if file else ROOT / page
        assert path.exists(), f"{page} points at {target}"
        if heading:
            assert heading in map(_anchor, re.findall(r"(?m)^#+ (.*)$", path.read_text("utf-8")))


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _tree() -> set[str]:
    """The folders that the tree in CONTRIBUTING.md names."""
    packages = PAGES["CONTRIBUTING.md"].partition("## Packages")[2]
    block = packages.partition("```\n")[2].partition("```")[0]
    return set(re.findall(r"(?m)^\s*([a-z_]+)/", block))


def test_the_moving_picture_of_the_readme_loads_quickly() -> None:
    size = (ROOT / "docs" / "beam.webp").stat().st_size
    assert size < MAX_ANIMATION_BYTES


def test_the_tree_names_only_folders_that_exist() -> None:
    missing = [
        name for name in _tree() if not any(ROOT.glob(name)) and not any(ROOT.glob(f"*/{name}"))
    ]
    assert not missing


def test_the_tree_names_every_package_of_the_controller() -> None:
    packages = {path.parent.name for path in ROOT.glob("controller/*/__init__.py")}
    assert packages | {"engine", "vision", "firmware", "hardware", "tests"} <= _tree()


def test_paths_in_the_code_overview_exist() -> None:
    text = PAGES["docs/code-overview.md"]
    named = set(re.findall(r"`((?:controller|engine|vision|firmware|tests)/[\w./-]*)`", text))
    assert len(named) > 40
    assert not [path for path in named if not (ROOT / path).exists()]
