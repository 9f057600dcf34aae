"""The rules of the house that a reviewer would otherwise have to remember (see the README)."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

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
DATA = {  # no Python
    *("hardware", "hardware.boards", "hardware.bodies"),
    *("firmware.core", "firmware.native", "firmware.peer"),
}
LONGEST_MODULE = 450


class Import(NamedTuple):
    """A module that a file imports, wherever in the file."""

    path: Path
    line: int
    module: str

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]

    def __str__(self) -> str:
        return f"{relative(self.path)}:{self.line} imports {self.module}"


def relative(path: Path) -> Path:
    return path.relative_to(ROOT)


def package(path: Path) -> str:
    return relative(path).parts[0]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imports() -> Iterator[Import]:
    """What is imported in all of the program."""
    for path in SOURCES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Import):
                for name in node.names:
                    yield Import(path, node.lineno, name.name)
            elif isinstance(node, ast.ImportFrom):
                yield Import(path, node.lineno, "." * node.level + (node.module or ""))
                for name in node.names:
                    yield Import(path, node.lineno, f"{node.module}.{name.name}")


def test_imports_only_flow_downwards() -> None:
    def wrong(found: Import) -> bool:
        allowed = ALLOWED.get(package(found.path))
        if found.top in ("tests", ""):  # tests are not shipped; nothing is imported relatively
            return True
        if allowed is None or found.top in sys.stdlib_module_names:
            return False
        return found.top != package(found.path) and found.top not in allowed

    assert not [str(found) for found in imports() if wrong(found)]


def test_only_the_wiring_knows_concrete_devices() -> None:
    """Everybody else gets a device from `controller.wiring`."""
    assert not [
        str(found)
        for found in imports()
        if found.module.startswith("controller.devices")
        and WIRING not in relative(found.path).parents
        and "devices" not in relative(found.path).parts
    ]


def test_only_a_device_speaks_mqtt() -> None:
    speakers = {relative(found.path) for found in imports() if found.top == "paho"}
    assert speakers == {Path("controller/devices/mqtt.py")}


def test_time_is_a_value() -> None:
    """No clock outside devices, and nothing in the core reaches out of it."""

    def wrong(found: Import) -> bool:
        if "devices" in relative(found.path).parts:
            return False
        core = package(found.path) in ("engine", "vision")
        return found.top in (CLOCKS | IMPURE if core else CLOCKS)

    assert not [str(found) for found in imports() if wrong(found)]


def test_no_single_game_is_named_outside_the_engine() -> None:
    """A fourth game must not need a change there."""
    words = {name for game in games.GAMES for name in (game, game.replace("-", "_"))}
    titles = {game.title for game in games.GAMES.values()}
    pattern = re.compile("|".join(map(re.escape, words | titles)), re.IGNORECASE)
    assert not [
        f"{relative(path)}:{number}: {line.strip()}"
        for path in SOURCES
        if package(path) != "engine"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]


def test_a_module_says_what_it_is_for() -> None:
    assert not [str(relative(path)) for path in SOURCES if not ast.get_docstring(parsed(path))]


def test_a_module_stays_small() -> None:
    lengths = {relative(path): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert not {str(path): lines for path, lines in lengths.items() if lines > LONGEST_MODULE}


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
