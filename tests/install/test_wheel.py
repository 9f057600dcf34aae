"""What is shipped: a wheel with everything in it, and a clone that needs nothing but Python, make
and apt."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.support.install.debian_root import debian_root, why_not
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

PLAY = ("simulate", "--blue", "computer:1", "--red", "computer:1", "--turns", "2", "--fast")


def run(*command: str, cwd: Path, **environment: str) -> str:
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(
        command,
        cwd=cwd,
        env={**usual, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert ran.returncode == 0, f"{command}: {ran.returncode}\n{ran.stdout}"
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made from a clone: a file that was forgotten in a commit is missing here, too."""
    place = tmp_path_factory.mktemp("wheel")
    run("git", "clone", "-q", str(ROOT), "clone", cwd=place)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps")
    run(*pip, "--wheel-dir", str(place), "./clone", cwd=place)
    (made,) = place.glob("*.whl")
    return made


def test_the_wheel_has_every_module_and_every_file_that_is_read(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    shipped = run("git", "ls-files", cwd=ROOT).split("\n")
    folders = tuple(f"{each.replace('.', '/')}/" for each in packages["packages"])
    data = (".py", ".yaml", ".yml", ".json", ".c", ".h", ".html", ".css", ".js", ".svg", ".typed")
    wanted = {each for each in shipped if each.startswith(folders) and each.endswith(data)}
    within = {each for each in wanted if each.rpartition("/")[0] + "/" in folders}
    pages = {each for each in wanted if "/static/" in each}
    assert len(pages) > 20
    assert (within | pages) - inside == set()
    assert [each for each in inside if each.startswith("engine/native/_core")]
    assert {each for each in wanted if each.startswith("engine/data/")} - inside == set()


def test_without_a_compiler_python_plays_and_says_so(tmp_path: Path) -> None:
    run("git", "clone", "--quiet", "--no-hardlinks", str(ROOT), "clone", cwd=tmp_path)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", ".")
    run(*pip, "./clone", cwd=tmp_path, CC="/bin/false")
    (made,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(made).extractall(tmp_path / "inside")
    asked = (sys.executable, "-m", "controller.cli.main", "computer", "--depth", "2")
    reported = run(*asked, cwd=tmp_path / "inside")
    assert "depth 2" in reported
    assert reported.count("the pure Python one plays: install again with a C compiler") == 1


def test_a_wheel_installed_into_an_empty_folder_plays(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", "venv", cwd=tmp_path)
    run("venv/bin/python", "-m", "pip", "install", "--quiet", str(wheel), cwd=tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    places = {"XDG_DATA_HOME": str(tmp_path / "data"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    reported = run(str(tmp_path / "venv/bin/laserboard"), *PLAY, cwd=empty, **places)
    assert "Laser Chess on demo-10x8, LEDs sim://" in reported
    assert "kept in" in reported
    assert list(empty.iterdir()) == []


@pytest.mark.skipif(bool(why_not()), reason=why_not())
def test_a_fresh_clone_on_a_debian_with_python_make_and_apt_plays() -> None:
    with debian_root(["python3", "make"]) as root:
        reported = root.says("make", "-C", "/src", "demo")
        assert "== setting up .venv" in reported
        assert "Laser Chess on demo-10x8, LEDs sim://" in reported
        assert "kept in" in reported
        assert root.says("make", "-C", "/src", "demo").count("==") == 0, "the second time is quick"
