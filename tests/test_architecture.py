"""The architecture rules hold for the product, and each rule fails on a tree that breaks it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import games
from tests.support import architecture
from tests.support.architecture import SourceTree, parsed_tree
from tests.support.paths import DOCS, ROOT

TREE = parsed_tree(ROOT)
GAMES = {name: game.title for name, game in games.GAMES.items()}
MAX_VAGUE_LINES = 20
MAX_PROTOCOL_LINE = 200

Rule = Callable[[SourceTree], list[str]]
RULES: dict[str, Rule] = {
    "ranks": architecture.rank_offences,
    "no loose modules": architecture.loose_modules,
    "pure session": architecture.session_impurities,
    "devices through the factory": architecture.device_offences,
    "one MQTT driver": architecture.mqtt_offences,
    "clocks in devices": architecture.clock_offences,
    "screens apart, cli on top": architecture.screen_offences,
    "class names once": architecture.repeated_classes,
    "short modules have two users": architecture.short_modules,
    "modules stay small": architecture.long_modules,
    "modules are documented": architecture.undocumented_modules,
    "no game named outside engine": lambda tree: architecture.named_games(tree, GAMES),
    "exceptions are logged": architecture.unlogged_exceptions,
    "errors carry sentences": architecture.errors_without_sentence,
    "sentences are in catalogues": architecture.scattered_catalogues,
    "text on paper is in catalogues": architecture.paper_text_outside_catalogues,
    "consoles print sentences": architecture.console_text_outside_catalogues,
    "cli parses": architecture.parser_offences,
    "arguments become values": architecture.namespace_offences,
    "packages are shipped": architecture.unshipped_packages,
}


def tracked(*patterns: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [Path(name) for name in listed.stdout.splitlines()]
    return [path for path in paths if (ROOT / path).is_file()]


@pytest.mark.parametrize("name", RULES)
def test_the_product_keeps_the_rule(name: str) -> None:
    assert RULES[name](TREE) == []


# Each rule, and a file that breaks it.
BREACHES: list[tuple[str, dict[str, str]]] = [
    ("ranks", {"controller/session/a.py": "from controller.config import b"}),
    ("ranks", {"controller/storage/a.py": "from controller.lighting import b"}),
    ("ranks", {"controller/ports/a.py": "def f():\n    from controller.session import b"}),
    (
        "ranks",
        {"vision/a.py": "from typing import TYPE_CHECKING as T\nif T:\n    import controller.ui"},
    ),
    ("ranks", {"engine/a.py": "import numpy"}),
    ("ranks", {"engine/a.py": "from tests import support"}),
    ("no loose modules", {"controller/a.py": ""}),
    ("no loose modules", {"controller/wiring/a.py": ""}),
    ("pure session", {"controller/session/a.py": "import os"}),
    ("pure session", {"controller/session/a.py": "def f():\n    from time import sleep"}),
    ("pure session", {"controller/session/a.py": "import random"}),
    ("devices through the factory", {"controller/ui/a.py": "from controller.devices import leds"}),
    (
        "devices through the factory",
        {
            "controller/devices/camera/live.py": "",
            "controller/table/a.py": "from controller.devices.camera.live import LiveCamera",
        },
    ),
    ("one MQTT driver", {"controller/tournament/a.py": "import paho.mqtt.client"}),
    ("clocks in devices", {"controller/table/a.py": "import time"}),
    ("clocks in devices", {"engine/a.py": "import threading"}),
    ("screens apart, cli on top", {"controller/ui/web/a.py": "import controller.ui.terminal.b"}),
    (
        "screens apart, cli on top",
        {"controller/ui/terminal/a.py": "from controller.ui.web import b"},
    ),
    ("screens apart, cli on top", {"controller/benchmarks/a.py": "import controller.cli.main"}),
    ("class names once", {"engine/a.py": "class Beam: ...", "vision/b.py": "class Beam: ..."}),
    ("short modules have two users", {"engine/a.py": "A = 1", "engine/b.py": "import engine.a"}),
    ("modules stay small", {"engine/a.py": "A = 1\n" * 500}),
    ("modules are documented", {"engine/a.py": "A = 1"}),
    ("no game named outside engine", {"vision/a.py": "if game == 'photon': ..."}),
    (
        "exceptions are logged",
        {"controller/table/a.py": "try:\n    f()\nexcept Exception as bad:\n    print(bad)"},
    ),
    (
        "exceptions are logged",
        {"vision/a.py": "try:\n    f()\nexcept Exception as bad:\n    raise ValueError from None"},
    ),
    (
        "exceptions are logged",
        {
            "controller/table/a.py": "from contextlib import suppress\n"
            "with suppress(OSError, Exception):\n    f()"
        },
    ),
    (
        "exceptions are logged",
        {
            "controller/table/a.py": "try:\n    f()\nexcept FileNotFoundError as bad:\n"
            "    x = sentences.GONE(reason=str(bad))"
        },
    ),
    (
        "exceptions are logged",
        {
            "controller/devices/a.py": "try:\n    f()\nexcept (Odd, ValueError) as bad:\n"
            "    raise BadA(_error_sentence(bad)) from None"
        },
    ),
    (
        "errors carry sentences",
        {
            "controller/table/a.py": "class BadA(LaserboardError): ...\nclass BadB(BadA): ...\n"
            "def f(x):\n    raise BadB(f'no {x}')"
        },
    ),
    ("sentences are in catalogues", {"controller/table/a.py": "c = Catalogue('table')"}),
    (
        "text on paper is in catalogues",
        {"controller/builder/printables/a.py": "text_line('join ground and data here', 1, 2)"},
    ),
    (
        "text on paper is in catalogues",
        {"controller/storage/export/a.py": "x = f'<p>It waits for {names} and {one}</p>'"},
    ),
    (
        "text on paper is in catalogues",
        {"controller/builder/electrics/a.py": "x = f'{\"end of each line\" if y else z}'"},
    ),
    (
        "consoles print sentences",
        {"controller/ui/commands/a.py": "console.print(f'{count} games are there already')"},
    ),
    (
        "consoles print sentences",
        {"controller/tournament/a.py": "self._console.note('the broker ' + f'{x} is silent')"},
    ),
    (
        "consoles print sentences",
        {"controller/ui/hosting/a.py": "console.ask(x if y else 'go on with this game? ')"},
    ),
    ("cli parses", {"controller/ui/a.py": "from argparse import Namespace"}),
    ("cli parses", {"controller/cli/a.py": "def f():\n    import json"}),
    (
        "cli parses",
        {
            "controller/devices/factory/leds.py": "",
            "controller/cli/a.py": "from controller.devices.factory.leds import open_leds",
        },
    ),
    (
        "cli parses",
        {"controller/cli/a.py": "from controller.config.board_file import load_board_file"},
    ),
    ("cli parses", {"controller/cli/a.py": "from controller.builder.printables import tags"}),
    ("cli parses", {"controller/cli/a.py": "def f():\n    from controller.table import plan"}),
    (
        "arguments become values",
        {"controller/cli/a.py": "def f(args: argparse.Namespace):\n    args.game = 1"},
    ),
    (
        "arguments become values",
        {"controller/cli/a.py": "def f(args: argparse.Namespace):\n    setattr(args, key, 1)"},
    ),
    (
        "arguments become values",
        {"controller/cli/a.py": "def f(args: argparse.Namespace):\n    g(lambda: args.game)"},
    ),
    ("packages are shipped", {"controller/table/new/a.py": ""}),
]


def test_every_rule_has_a_breach() -> None:
    assert {name for name, _ in BREACHES} == set(RULES)


@pytest.mark.parametrize(("name", "files"), BREACHES)
def test_a_breach_of_the_rule_is_found(name: str, files: dict[str, str], tmp_path: Path) -> None:
    packages = ["engine", "vision", "controller", *map(_as_path, architecture.RANKS)]
    files = {f"{package}/__init__.py": '"""P."""' for package in packages} | files
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    assert RULES[name](SourceTree(tmp_path)) != []


def _as_path(package: str) -> str:
    return package.replace(".", "/")


def test_markup_on_paper_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "controller" / "builder" / "printables" / "a.py"
    path.parent.mkdir(parents=True)
    text = """
\"\"\"Draws a line of text on a page.\"\"\"
x = f'<p class="one two three">{a} and {b}</p>'
y = "translate(0 1) scale(2)"
z = f"M{a} 0H{b} a2.5 2.5 0 0 0 5 0"
raise ValueError("no sheet is called that")
"""
    path.write_text(text.strip(), "utf-8")
    assert architecture.paper_text_outside_catalogues(SourceTree(tmp_path)) == []


@pytest.mark.parametrize(
    "text",
    [
        "console.print(GAMES_THERE(count=3))",
        "console.print(f'{name:12} {value} {unit}: {verdict} ({reason})')",
        "console.out.write('one two three four')",
    ],
)
def test_a_console_prints_sentences_and_tables(text: str, tmp_path: Path) -> None:
    (tmp_path / "controller" / "ui").mkdir(parents=True)
    (tmp_path / "controller" / "ui" / "a.py").write_text(text, "utf-8")
    assert architecture.console_text_outside_catalogues(SourceTree(tmp_path)) == []


def test_games_may_repeat_the_names_of_their_values(tmp_path: Path) -> None:
    for game in ("one", "two"):
        (tmp_path / "engine" / game).mkdir(parents=True)
        (tmp_path / "engine" / game / "board.py").write_text("class Board: ...", "utf-8")
    assert architecture.repeated_classes(SourceTree(tmp_path)) == []


def test_the_old_private_vocabulary_is_gone() -> None:
    """In identifiers and in all file names. Kinds of journal entries are strings, and stay."""
    assert architecture.banned_identifiers(ROOT, tracked()) == []


@pytest.mark.parametrize(
    "text", ["told = 1", "def f(hearing): ...", "x.affairs", "class MqttHerald: ...", "f(doors=1)"]
)
def test_a_banned_word_is_found(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(text, "utf-8")
    assert architecture.banned_identifiers(tmp_path, [Path("a.py")]) != []


@pytest.mark.parametrize("name", ["parcels.js", "event-told.journal", "doors/service"])
def test_a_banned_word_in_a_file_name_is_found(name: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("", "utf-8")
    assert architecture.banned_identifiers(tmp_path, [Path(name)]) != []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.js", "const told = 1;"),
        ("a.mjs", "const told = 1;"),
        ("a.js", "f(`${doors} open`);"),
        ("a.css", ".lobby { color: red }"),
        ("a.html", '<div class="a hearing">'),
        ("a.c", "int befall;"),
    ],
)
def test_a_banned_word_is_found_in_other_languages(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert architecture.banned_identifiers(tmp_path, [Path(name)]) != []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.js", 'const kind = "matter"; // told'),
        ("a.js", "f(`told ${kind} told`);"),
        ("a.c", "/* told */"),
    ],
)
def test_strings_and_comments_are_no_identifiers(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert architecture.banned_identifiers(tmp_path, [Path(name)]) == []


def test_helpers_of_tests_are_in_support() -> None:
    assert architecture.imports_of_test_modules(ROOT / "tests") == []


@pytest.mark.parametrize(
    "text",
    [
        "from tests.config.test_leds import led_boards",
        "from tests.config import test_leds",
        "import tests.config.test_leds as leds",
        "from tests.e2e.conftest import Start",
        "from . import conftest",
        "from .test_leds import led_boards",
        "def f():\n    from tests.config.test_leds import led_boards",
    ],
)
def test_an_import_of_a_test_module_is_found(text: str, tmp_path: Path) -> None:
    (tmp_path / "lighting").mkdir()
    (tmp_path / "lighting" / "test_layout.py").write_text(text, "utf-8")
    assert len(architecture.imports_of_test_modules(tmp_path)) == 1


def test_an_import_of_a_helper_is_allowed(tmp_path: Path) -> None:
    text = "from tests.support.lighting.random_led_boards import led_boards"
    (tmp_path / "test_layout.py").write_text(text, "utf-8")
    assert architecture.imports_of_test_modules(tmp_path) == []


def test_errors_are_compared_by_their_sentence() -> None:
    assert architecture.matched_errors(TREE, ROOT / "tests") == []


@pytest.mark.parametrize(
    "text",
    [
        "with pytest.raises(BadMove, match='no piece'): ...",
        "with pytest.raises(errors.BadMove, match=words): ...",
        "with pytest.raises((KeyError, BadMove), match='no piece'): ...",
        "with f() as x, pytest.raises(LedsUnavailable, match='gone'): ...",
        "with pytest.raises(BadMove) as caught: assert str(caught.value) == words",
        "with raises(BadMove, NO_PIECE) as bad: assert 'no piece' in str(bad.value)",
    ],
)
def test_an_error_compared_by_its_letters_is_found(text: str, tmp_path: Path) -> None:
    (tmp_path / "test_move.py").write_text(f"def test_move():\n    {text}", "utf-8")
    assert len(architecture.matched_errors(TREE, tmp_path)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "with pytest.raises(OSError, match='gone'): ...",  # of the system
        "with pytest.raises(BadFrame, match='gone'): ...",  # of the firmware's protocol
        "with pytest.raises(SimulationFailed, match='gone'): ...",  # of the test harness
        "with pytest.raises(BadBroker) as bad: assert 's3cret' not in str(bad.value)",
    ],
)
def test_other_errors_may_be_compared_by_their_letters(text: str, tmp_path: Path) -> None:
    (tmp_path / "test_faults.py").write_text(f"def test_faults():\n    {text}", "utf-8")
    assert architecture.matched_errors(TREE, tmp_path) == []


def too_vague(paths: list[Path]) -> list[str]:
    """The vague lines, if there are more than the limit."""
    found = architecture.vague_lines(paths)
    return found if len(found) >= MAX_VAGUE_LINES else []


PROSE = {".py", ".md", ".js", ".html", ".yml", ".game"}


@pytest.mark.parametrize("folders", [("engine", "vision", "controller", "docs"), ("tests",)])
def test_prose_names_its_subject(folders: tuple[str, ...]) -> None:
    paths = [ROOT / path for path in tracked(*folders) if path.suffix in PROSE]
    assert too_vague(paths) == []


@pytest.mark.parametrize("word", ["whoever", "Somebody", "nobody"])
def test_too_much_vague_prose_is_found(word: str, tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(f"{word} moves.\n" * (MAX_VAGUE_LINES - 1), "utf-8")
    assert too_vague([file]) == []
    file.write_text(f"{word} moves.\n" * MAX_VAGUE_LINES, "utf-8")
    assert len(too_vague([file])) == MAX_VAGUE_LINES


def test_the_page_protocol_fits_a_terminal() -> None:
    assert architecture.lines_too_long(DOCS / "page-protocol.md", MAX_PROTOCOL_LINE) == []


def test_a_line_too_long_for_a_terminal_is_found(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("x" * MAX_PROTOCOL_LINE + "\n" + "x" * (MAX_PROTOCOL_LINE + 1), "utf-8")
    assert architecture.lines_too_long(file, MAX_PROTOCOL_LINE) == ["a.md:2: 201 characters"]
