"""The page's own files: small plain modules that fit together, and nothing from outside."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import controller.web

STATIC = Path(controller.web.__file__).parent / "static"
MODULES = sorted(STATIC.glob("*.js"))
LONGEST = 300
# Each page with the module that it begins with.
PAGES = {"index.html": "page.js", "console.html": "console.js", "watch.html": "watch.js"}


def page_text(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


def modules_of(name: str) -> set[str]:
    """All that a page loads."""
    reached, waiting = set[str](), [PAGES[name]]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += re.findall(r'from "\./([^"]+)"', text(STATIC / module))
    return reached


pages = pytest.mark.parametrize("page", PAGES)
# Modules that a page loads for a part of what they do.
SOMETIMES = {
    "console.html": ("entering.js", "moves.js", "floating.js"),
    "watch.html": ("entering.js", "moves.js", "floating.js", "seats.js"),
}


def text(path: Path) -> str:
    return path.read_text("utf-8")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_a_module_is_small_and_says_what_it_is_for(path: Path) -> None:
    assert text(path).startswith("// ")
    assert len(text(path).splitlines()) <= LONGEST


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_what_is_imported_is_exported_and_used(path: Path) -> None:
    for names, source in re.findall(r'import \{([^}]+)\} from "\./([^"]+)";', text(path)):
        exported = set(
            re.findall(r"export (?:async )?(?:function|class|const) (\w+)", text(STATIC / source))
        )
        for name in re.findall(r"\w+", names):
            assert name in exported, f"{path.name}: {source} exports no {name}"
            rest = re.sub(r"import [^;]+;", "", text(path))
            assert re.search(rf"\b{name}\b", rest), f"{path.name}: {name} is not used"


@pages
def test_every_element_that_is_asked_for_is_there(page: str) -> None:
    there = set(re.findall(r'\bid="([^"]+)"', page_text(page)))
    for path in (STATIC / module for module in modules_of(page)):
        if path.name in SOMETIMES.get(page, ()):
            continue
        for name in re.findall(r'\bat\("([^"]+)"\)', text(path)):
            made = re.search(rf'id: "{name}"', text(path))
            assert name in there or made, f"{path.name}: there is no #{name}"


@pages
def test_every_icon_that_is_used_is_drawn(page: str) -> None:
    drawn = set(re.findall(r'<symbol id="(i-[^"]+)"', page_text(page)))
    used = set(re.findall(r'href="#(i-[^"]+)"', page_text(page)))
    for path in (STATIC / module for module in modules_of(page)):
        if path.name in SOMETIMES.get(page, ()):
            continue
        used |= {f"i-{name}" for name in re.findall(r'button\([^,]+, "([a-z]+)"', text(path))}
        used |= set(re.findall(r'"#(i-[a-z]+)"', text(path)))
    assert used <= drawn, used - drawn


def test_nothing_is_inline_and_nothing_comes_from_outside() -> None:
    """The policy of the page would block it, silently for whoever does not look."""
    for page in map(page_text, PAGES):
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
        for tag in re.findall(r"<script[^>]*>.*?</script>", page, re.DOTALL):
            assert re.fullmatch(r'<script type="module" src="static/[\w.]+"></script>', tag)
    for path in [*MODULES, *STATIC.glob("*.css"), *STATIC.glob("*.html")]:
        found = re.sub(r"http://www\.w3\.org/\S+", "", text(path))
        assert not re.search(r"https?://|@import|url\(", found), path.name
        if path.suffix == ".js":
            assert not re.search(r'setAttribute\("style"|style: |\beval\(|new Function', found)


def test_every_module_is_reached_and_every_file_is_shipped() -> None:
    assert set().union(*map(modules_of, PAGES)) == {path.name for path in MODULES}
    linked = "".join(map(page_text, PAGES))
    assert all(f"static/{path.name}" in linked for path in STATIC.glob("*.css"))


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_every_module_is_well_formed() -> None:
    compiled = """
      const { readFileSync } = require("fs");
      const { SourceTextModule } = require("vm");
      for (const path of process.argv.slice(1)) {
        try { new SourceTextModule(readFileSync(path, "utf8")); }
        catch (error) { console.log(path, String(error)); }
      }"""
    checked = subprocess.run(
        ["node", "--experimental-vm-modules", "--no-warnings", "-e", compiled, *map(str, MODULES)],
        capture_output=True,
        text=True,
    )
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")
