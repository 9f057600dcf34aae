"""The wheel is complete, and a fresh clone plays on a Debian with Python, make and apt."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.install.debian_root import debian_root, why_not
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

PLAY = ("simulate", "--blue", "computer:1", "--red", "computer:1", "--turns", "2", "--fast")
SUFFIXES = {
    *(".py", ".typed", ".yaml", ".yml", ".json", ".c", ".h", ".scad"),
    *(".html", ".css", ".js", ".svg"),
}
WHOLE_TREES = {"engine", "vision", "controller"}
SINGLE_FOLDERS = {
    *("firmware/core", "firmware/native", "firmware/peer"),
    *("hardware", "hardware/boards", "hardware/bodies"),
}


def run(*command: str, cwd: Path, **environment: str) -> str:
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**inherited, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a clone, so that a file that is not committed is missing."""
    folder = tmp_path_factory.mktemp("wheel")
    run("git", "clone", "-q", str(ROOT), "clone", cwd=folder)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps")
    run(*pip, "--wheel-dir", str(folder), "./clone", cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_has_every_module_and_data_file(wheel: Path) -> None:
    in_wheel = set(zipfile.ZipFile(wheel).namelist())
    tracked = [Path(line) for line in run("git", "ls-files", cwd=ROOT).splitlines()]
    wanted = {
        str(path)
        for path in tracked
        if path.suffix in SUFFIXES
        and (path.parts[0] in WHOLE_TREES or str(path.parent) in SINGLE_FOLDERS)
    }
    for folder, least in {
        "controller": 300,
        "controller/ui/web/static": 40,
        "engine/data": 5,
    }.items():
        assert len([path for path in wanted if path.startswith(f"{folder}/")]) > least, folder
    assert wanted - in_wheel == set()
    assert [path for path in in_wheel if path.startswith("engine/native/_core")]
    tops = {path.partition("/")[0] for path in in_wheel if ".dist-info/" not in path}
    assert tops == {*WHOLE_TREES, "firmware", "hardware"}, "no tests in the wheel"


def test_without_a_compiler_the_python_core_is_used_and_reported(tmp_path: Path) -> None:
    run("git", "clone", "--quiet", "--no-hardlinks", str(ROOT), "clone", cwd=tmp_path)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", ".")
    run(*pip, "./clone", cwd=tmp_path, CC="/bin/false")
    (built,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(built).extractall(tmp_path / "inside")
    command = (sys.executable, "-m", "controller.cli.main", "computer", "--depth", "2")
    printed = run(*command, cwd=tmp_path / "inside")
    assert "depth 2" in printed
    assert printed.count("the slower Python search plays: install again with a C compiler") == 1


def test_a_wheel_installed_into_an_empty_folder_plays(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", "venv", cwd=tmp_path)
    run("venv/bin/python", "-m", "pip", "install", "--quiet", str(wheel), cwd=tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    folders = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    printed = run(str(tmp_path / "venv/bin/laserboard"), *PLAY, cwd=empty, **folders)
    assert "Laser Chess on demo-10x8, LEDs sim://" in printed
    assert "stored in" in printed
    assert list(empty.iterdir()) == []


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_a_fresh_clone_plays_on_a_debian_with_python_make_and_apt() -> None:
    with debian_root(["python3", "make"]) as root:
        printed = root.says("make", "-C", "/src", "demo")
        assert "== setting up .venv" in printed
        assert "Laser Chess on demo-10x8, LEDs sim://" in printed
        assert "stored in" in printed
        assert root.says("make", "-C", "/src", "demo").count("==") == 0, "the second time is quick"
