"""The files of the page: small plain modules that fit together, and nothing from another site."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import controller.tournament
import controller.ui.web
from controller.ui.web.live_socket import PROTOCOL

STATIC = Path(controller.ui.web.__file__).parent / "static"
MODULES = sorted(STATIC.rglob("*.js"))
TOURNAMENT = sorted(Path(controller.tournament.__file__).parent.glob("static/*.js"))
SENTENCES = STATIC / "shared" / "sentences.js"
MAX_LINES = 300
# Each page with its first module.
PAGES = {
    "play/index.html": "play/main.js",
    "console/index.html": "console/main.js",
    "watch/index.html": "watch/main.js",
}
# Modules of which a page uses a part: the elements of the other part are not in the page.
PARTLY_USED = {
    "console/index.html": ("shared/login.js", "play/move_list.js", "play/popover.js"),
    "watch/index.html": (
        "shared/login.js",
        "play/move_list.js",
        "play/popover.js",
        "play/seats.js",
    ),
}
IMPORT = re.compile(r'import \{([^}]+)\} from "(\.[^"]+)";')
EXPORT = re.compile(r"export (?:async )?(?:function|class|const) (\w+)")

pages = pytest.mark.parametrize("page", PAGES)
modules = pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(STATIC)))


def text(path: Path) -> str:
    return path.read_text("utf-8")


def page_text(name: str) -> str:
    return text(STATIC / name)


def imported_file(module: Path, source: str) -> Path:
    return (module.parent / source).resolve()


def modules_of(page: str) -> set[Path]:
    """All modules that a page loads."""
    reached, waiting = set[Path](), [STATIC / PAGES[page]]
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting += [imported_file(module, source) for _, source in IMPORT.findall(text(module))]
    return reached


def used_modules_of(page: str) -> list[Path]:
    partly = PARTLY_USED.get(page, ())
    return [path for path in modules_of(page) if str(path.relative_to(STATIC)) not in partly]


@modules
def test_a_module_is_small_and_documented(path: Path) -> None:
    assert text(path).startswith("// ")
    assert len(text(path).splitlines()) <= MAX_LINES


@modules
def test_every_imported_name_is_exported_and_used(path: Path) -> None:
    for names, source in IMPORT.findall(text(path)):
        exported = set(EXPORT.findall(text(imported_file(path, source))))
        for name in re.findall(r"\w+", names):
            assert name in exported, f"{path.name}: {source} exports no {name}"
            rest = re.sub(r"import [^;]+;", "", text(path))
            assert re.search(rf"\b{name}\b", rest), f"{path.name}: {name} is not used"


@pages
def test_every_element_that_a_module_looks_up_is_in_the_page(page: str) -> None:
    there = set(re.findall(r'\bid="([^"]+)"', page_text(page)))
    looked_up = 0
    for path in used_modules_of(page):
        for name in re.findall(r'\bbyId\("([^"]+)"\)', text(path)):
            looked_up += 1
            made = re.search(rf'id: "{name}"', text(path))
            assert name in there or made, f"{path.name}: there is no #{name}"
    assert looked_up


@pages
def test_every_image_has_a_name_before_its_first_update(page: str) -> None:
    """A screen reader finds no name in an empty element."""
    for name in re.findall(r'role="img" aria-labelledby="([^"]+)"', page_text(page)):
        assert re.search(rf'id="{name}"[^>]*>[^<]+<', page_text(page)), f"#{name} is empty"


@pages
def test_every_icon_that_is_used_is_drawn(page: str) -> None:
    drawn = set(re.findall(r'<symbol id="(i-[^"]+)"', page_text(page)))
    used = set(re.findall(r'href="#(i-[^"]+)"', page_text(page)))
    for path in used_modules_of(page):
        used |= {f"i-{name}" for name in re.findall(r'button\([^,]+, "([a-z]+)"', text(path))}
        used |= set(re.findall(r'"#(i-[a-z]+)"', text(path)))
    assert used <= drawn, used - drawn


def test_nothing_is_inline_and_nothing_comes_from_another_site() -> None:
    """The content security policy of the page would block it without an error on the page."""
    for page in map(page_text, PAGES):
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
        for tag in re.findall(r"<script[^>]*>.*?</script>", page, re.DOTALL):
            assert re.fullmatch(r'<script type="module" src="static/[\w./]+"></script>', tag)
    for path in [*MODULES, *STATIC.rglob("*.css"), *STATIC.rglob("*.html")]:
        content = re.sub(r"http://www\.w3\.org/\S+", "", text(path))
        assert not re.search(r"https?://|@import|url\(", content), path.name
        if path.suffix == ".js":
            assert not re.search(r'setAttribute\("style"|style: |\beval\(|new Function', content)


def test_every_file_is_used_by_a_page() -> None:
    assert set().union(*map(modules_of, PAGES)) == set(MODULES)
    linked = "".join(map(page_text, PAGES))
    for path in STATIC.rglob("*.css"):
        assert f"static/{path.relative_to(STATIC)}" in linked


# -- sentences -------------------------------------------------------------------------------------

SENTENCE = re.compile(r'^  (\w+): "(.*)",$', re.MULTILINE)
WRITTEN = re.compile(r'\bwriteSentence\("(\w+)"')
TEMPLATE = re.compile(r"`[^`]*`")
VALUE = re.compile(r"\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")


def slots_of_call(rest: str) -> set[str] | None:
    """The names in the object literal after a sentence's name; None if it is no plain literal."""
    if rest.startswith(")"):
        return set()
    if not rest.startswith(", { "):
        return None
    parts, depth = [""], 0
    for char in rest[2:]:
        depth += (char in "({[") - (char in ")}]")
        if depth == 0:
            break
        if char == "," and depth == 1:
            parts.append("")
        else:
            parts[-1] += char
    names = [part.strip("{ ").partition(":")[0] for part in parts]
    return None if any(name.startswith("...") for name in names) else set(names)


def test_every_sentence_of_the_pages_is_written_with_its_slots() -> None:
    sentences = dict(SENTENCE.findall(text(SENTENCES)))
    written = set[str]()
    for path in [*MODULES, *TOURNAMENT]:
        for call in WRITTEN.finditer(text(path)):
            name, slots = call[1], slots_of_call(text(path)[call.end() :])
            assert name in sentences, f"{path.name}: {name}"
            written.add(name)
            if slots is not None:
                assert slots == set(re.findall(r"\{(\w+)\}", sentences[name])), (
                    f"{path.name}: {name}"
                )
    assert written == sentences.keys()


def test_sentences_with_values_are_in_the_module_of_sentences() -> None:
    """A translation finds all of them there."""
    for path in {*MODULES, *TOURNAMENT} - {SENTENCES}:
        for line in text(path).splitlines():
            if line.lstrip().startswith(("//", "*", "/*")) or "class" in line:
                continue
            for found in TEMPLATE.findall(line):
                words = VALUE.sub("@", found)
                is_selector = words.startswith(("`.", "`#"))
                is_sentence = re.search(r"[A-Za-z]{2,}:? (?:[A-Za-z]|@)|@ [A-Za-z]{2,}", words)
                assert is_selector or not is_sentence, f"{path.name}: {found}"


def test_page_and_server_have_the_same_protocol_version() -> None:
    """A page of another protocol reloads itself: with two numbers it would never stop."""
    stated = re.findall(
        r"^const PROTOCOL = (\d+);", page_text("shared/connection.js"), re.MULTILINE
    )
    assert stated == [str(PROTOCOL)]


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
