"""The rules of the house that a reviewer would otherwise have to remember (see the README)."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import games

ROOT = Path(__file__).parent.parent
PACKAGES = ("engine", "vision", "controller")
SOURCES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]

# Who may import what besides itself and the standard library.
ALLOWED = {
    "engine": {"yaml"},
    "vision": {"engine", "numpy", "cv2"},
}
WIRING = Path("controller/wiring")
# Modules of the standard library that reach out of the pure core.
IMPURE = {"os", "time", "datetime", "socket", "subprocess", "threading", "asyncio", "secrets"}
CLOCKS = {"time", "datetime"}
DATA = {"hardware.boards", "firmware.core", "firmware.native", "firmware.peer"}  # no Python
LONGEST_MODULE = 450


def relative(path: Path) -> Path:
    return path.relative_to(ROOT)


def package(path: Path) -> str:
    return relative(path).parts[0]


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, wherever in the file, with the line."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{relative(path)}:{node.lineno}: a relative import"
            assert node.module is not None
            yield node.lineno, node.module
            for name in node.names:
                yield node.lineno, f"{node.module}.{name.name}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(relative(path)))
def test_imports_only_flow_downwards(path: Path) -> None:
    allowed = ALLOWED.get(package(path))
    for line, module in imports(path):
        top = module.partition(".")[0]
        if top == "tests":
            pytest.fail(f"{relative(path)}:{line}: imports from tests")
        if allowed is None or top in sys.stdlib_module_names or top == package(path):
            continue
        assert top in allowed, f"{relative(path)}:{line}: {package(path)} must not import {top}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(relative(path)))
def test_only_the_wiring_knows_concrete_devices(path: Path) -> None:
    if WIRING in relative(path).parents or "devices" in relative(path).parts:
        return
    for line, module in imports(path):
        assert not module.startswith("controller.devices"), (
            f"{relative(path)}:{line}: get the device from controller.wiring"
        )


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(relative(path)))
def test_only_a_device_speaks_mqtt(path: Path) -> None:
    if relative(path) == Path("controller/devices/mqtt.py"):
        return
    for line, module in imports(path):
        assert not module.startswith("paho"), f"{relative(path)}:{line}: see devices/mqtt.py"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(relative(path)))
def test_time_is_a_value(path: Path) -> None:
    if "devices" in relative(path).parts:
        return
    for line, module in imports(path):
        top = module.partition(".")[0]
        assert top not in CLOCKS, f"{relative(path)}:{line}: no clock outside devices"
        if package(path) in ("engine", "vision"):
            assert top not in IMPURE, f"{relative(path)}:{line}: {top} reaches out of the core"


@pytest.mark.parametrize(
    "path",
    [path for path in SOURCES if package(path) != "engine"],
    ids=lambda path: str(relative(path)),
)
def test_no_single_game_is_named_outside_the_engine(path: Path) -> None:
    """A fourth game must not need a change here."""
    words = {name for game in games.GAMES for name in (game, game.replace("-", "_"))}
    titles = {game.title for game in games.GAMES.values()}
    pattern = re.compile("|".join(map(re.escape, words | titles)), re.IGNORECASE)
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        found = pattern.search(line)
        assert found is None, f"{relative(path)}:{number}: names {found and found[0]!r}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(relative(path)))
def test_a_module_says_what_it_is_for_and_stays_small(path: Path) -> None:
    text = path.read_text("utf-8")
    assert ast.get_docstring(ast.parse(text)), f"{relative(path)} has no docstring"
    assert len(text.splitlines()) <= LONGEST_MODULE, f"{relative(path)}: split it"


def test_every_package_is_shipped() -> None:
    """`pyproject.toml` lists packages by name: a forgotten one is missing from the wheel."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    listed = set(project["tool"]["setuptools"]["packages"])
    found = {
        ".".join(relative(path.parent).parts) for path in SOURCES if path.name == "__init__.py"
    }
    assert listed == found | DATA
    for folder in {path.parent for path in SOURCES}:
        assert (folder / "__init__.py").exists(), f"{relative(folder)} is not a package"
