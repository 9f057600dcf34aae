"""The architecture rules, as functions from a source tree to a list of offences.

`tests/test_architecture.py` runs every rule over the product, and over small trees that break it.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

PRODUCT = ("engine", "vision", "controller")

# A package imports only packages of a lower rank, and itself.
RANKS = {
    "engine": -2,
    "vision": -1,
    "controller.ports": 0,
    "controller.session": 1,
    "controller.config": 2,
    "controller.lighting": 3,
    "controller.storage": 3,
    "controller.computer": 3,
    "controller.devices": 4,
    "controller.table": 5,
    "controller.builder": 5,
    "controller.simulation": 6,
    "controller.ui": 7,
    "controller.tournament": 8,
    "controller.benchmarks": 9,
    "controller.cli": 10,
}
# What `engine` and `vision` may import besides each other and the standard library.
THIRD_PARTY = {"engine": {"yaml"}, "vision": {"numpy", "cv2"}}
FACTORY = "controller.devices.factory"
MQTT_DRIVER = "controller.devices.mqtt"
CLOCKS = {"time", "datetime"}
# Modules of the standard library that reach out of the pure core.
IMPURE = CLOCKS | {"os", "socket", "subprocess", "threading", "asyncio", "secrets"}
IMPURE_IN_SESSION = {"os", "time", "datetime", "asyncio", "threading", "pathlib"}
GAME_CLASSES = {"Position", "Move", "Board"}  # each game has its own
MAX_MODULE_LINES = 450
SHORT_MODULE = 40
BANNED_WORDS = {
    *("herald", "affair", "matter", "furniture", "door", "told", "hearing", "befall", "glimpse"),
    *("parcel", "lobby", "darkroom", "ailment", "primer"),
}
VAGUE_WORDS = re.compile(r"\b(whoever|somebody|nobody)\b", re.IGNORECASE)
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True)
class Import:
    """A module that a file imports, at the top, lazily or for type checking."""

    path: Path
    line: int
    importer: str
    module: str

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]

    def __str__(self) -> str:
        return f"{self.path}:{self.line} imports {self.module}"


@cache
def parse(text: str) -> ast.Module:
    """The syntax tree of a module. Several tests read every module, and parsing takes seconds."""
    return ast.parse(text)


class SourceTree:
    """The Python files of the product below a folder, parsed once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.paths = [
            path.relative_to(root)
            for package in PRODUCT
            for path in sorted((root / package).rglob("*.py"))
        ]
        self.texts = {path: (root / path).read_text("utf-8") for path in self.paths}

    @cached_property
    def modules(self) -> dict[Path, ast.Module]:
        return {path: parse(text) for path, text in self.texts.items()}

    @cached_property
    def names(self) -> set[str]:
        return {dotted(path) for path in self.paths}

    @cached_property
    def imports(self) -> list[Import]:
        return [found for path in self.paths for found in self._imports_of(path)]

    def _imports_of(self, path: Path) -> Iterator[Import]:
        for node in ast.walk(self.modules[path]):
            if isinstance(node, ast.Import):
                for name in node.names:
                    yield Import(path, node.lineno, dotted(path), name.name)
            elif isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                submodules = [f"{module}.{name.name}" for name in node.names]
                found = [each for each in submodules if each in self.names]
                for each in found or [module]:
                    yield Import(path, node.lineno, dotted(path), each)


@cache
def parsed_tree(root: Path) -> SourceTree:
    """One tree for all tests of a process: parsing it takes seconds."""
    return SourceTree(root)


def dotted(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(module: str) -> str:
    """The ranked package that a module belongs to; empty for a module outside all of them."""
    parts = module.split(".")
    name = parts[0] if parts[0] != "controller" else ".".join(parts[:2])
    return name if name in RANKS else ""


def rank_offences(tree: SourceTree) -> list[str]:
    """Imports that do not point to a lower rank, and imports of tests or relative ones."""
    found = []
    for each in tree.imports:
        if each.top in ("tests", ""):
            found.append(str(each))
        elif each.top in PRODUCT:
            importer, imported = package_of(each.importer), package_of(each.module)
            if each.importer == "controller" or not imported:
                found.append(str(each))
            elif importer != imported and RANKS[importer] <= RANKS[imported]:
                found.append(f"{each} (rank {RANKS[importer]} imports rank {RANKS[imported]})")
        elif each.top not in sys.stdlib_module_names:
            allowed = THIRD_PARTY.get(each.importer.partition(".")[0])
            if allowed is not None and each.top not in allowed:
                found.append(str(each))
    return found


def loose_modules(tree: SourceTree) -> list[str]:
    """Modules in `controller/` that are in none of its packages, and unknown packages."""
    return [
        str(path)
        for path in tree.paths
        if path.parts[0] == "controller" and len(path.parts) > 1
        if path.name != "__init__.py" or len(path.parts) > 2
        if not package_of(dotted(path))
    ]


def session_impurities(tree: SourceTree) -> list[str]:
    """Imports by `session` that reach out of the pure state machine."""
    return [
        str(each)
        for each in tree.imports
        if package_of(each.importer) == "controller.session"
        if each.top in IMPURE_IN_SESSION
        or (each.top == "random" and not _only_the_type(tree, each))
    ]


def _only_the_type(tree: SourceTree, found: Import) -> bool:
    """Whether `random` is imported for `Random` alone: a seeded generator is passed in."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.lineno == found.line
        and {name.name for name in node.names} == {"Random"}
        for node in ast.walk(tree.modules[found.path])
    )


def device_offences(tree: SourceTree) -> list[str]:
    """Imports of concrete devices from outside: only the factory may be imported."""
    return [
        str(each)
        for each in tree.imports
        if each.module.startswith("controller.devices")
        and package_of(each.importer) != "controller.devices"
        and not (each.module == FACTORY or each.module.startswith(f"{FACTORY}."))
    ]


def mqtt_offences(tree: SourceTree) -> list[str]:
    return [
        str(each) for each in tree.imports if each.top == "paho" and each.importer != MQTT_DRIVER
    ]


def clock_offences(tree: SourceTree) -> list[str]:
    """Clocks outside devices, and anything in engine or vision that reaches out of the process."""
    found = []
    for each in tree.imports:
        core = each.importer.partition(".")[0] in ("engine", "vision")
        banned = IMPURE if core else CLOCKS
        if package_of(each.importer) != "controller.devices" and each.top in banned:
            found.append(str(each))
    return found


def screen_offences(tree: SourceTree) -> list[str]:
    """The terminal and the page do not know each other, and no package imports `cli`."""
    found = []
    sides = ("controller.ui.terminal", "controller.ui.web")
    for each in tree.imports:
        for one, other in (sides, sides[::-1]):
            if _within(each.importer, one) and _within(each.module, other):
                found.append(str(each))
        if _within(each.module, "controller.cli") and not _within(each.importer, "controller.cli"):
            found.append(str(each))
    return found


def _within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def repeated_classes(tree: SourceTree) -> list[str]:
    """Public class names that are defined more than once."""
    places = defaultdict(list)
    for path, module in tree.modules.items():
        for node in module.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path)
    return [
        f"{name}: {', '.join(map(str, paths))}"
        for name, paths in sorted(places.items())
        if len(paths) > 1
        and not (name in GAME_CLASSES and all(path.parts[0] == "engine" for path in paths))
    ]


def short_modules(tree: SourceTree) -> list[str]:
    """Modules under 40 lines that fewer than two modules use."""
    users: Counter[str] = Counter()
    for importer, imported in {(each.importer, each.module) for each in tree.imports}:
        users[imported] += importer != imported
    return [
        f"{path}: {len(tree.texts[path].splitlines())} lines, {users[dotted(path)]} users"
        for path in tree.paths
        if path.name not in ("__init__.py", "__main__.py")
        and not _within(dotted(path), "controller.cli")
        and len(tree.texts[path].splitlines()) < SHORT_MODULE
        and users[dotted(path)] < 2
    ]


def long_modules(tree: SourceTree) -> list[str]:
    lengths = {path: len(text.splitlines()) for path, text in tree.texts.items()}
    return [f"{path}: {lines}" for path, lines in lengths.items() if lines > MAX_MODULE_LINES]


EVERY_EXCEPTION = {"Exception", "BaseException"}
# Collects exceptions in ctypes callbacks and raises them again when Python code runs next.
RAISED_LATER = {Path("engine/native/rules.py")}
# The text of their causes may contain a password, so that they raise `from None`.
SECRET_CAUSES = {
    Path("controller/config/addresses/broker.py"),
    Path("controller/config/addresses/program.py"),
    Path("controller/devices/players/http_player.py"),
}


def unlogged_exceptions(tree: SourceTree) -> list[str]:
    """Handlers that lose the traceback: they neither raise again with the cause nor log.

    These are handlers of `Exception`, and handlers of `OSError` and `ValueError` that make a
    sentence; and `suppress(Exception)`.
    """
    return [
        f"{path}:{node.lineno}"
        for path, module in tree.modules.items()
        for node in ast.walk(module)
        if (
            isinstance(node, ast.ExceptHandler)
            and path not in RAISED_LATER
            and (
                _catches_everything(node)
                or (path not in SECRET_CAUSES and _makes_sentence_of_system_error(node))
            )
            and not any(_raises_or_logs(each) for each in ast.walk(node))
        )
        or (isinstance(node, ast.Call) and _suppresses_everything(node))
    ]


def _catches_everything(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or not EVERY_EXCEPTION.isdisjoint(_caught_names(handler))


def _suppresses_everything(call: ast.Call) -> bool:
    return _name_of(call.func) == "suppress" and not EVERY_EXCEPTION.isdisjoint(
        map(_name_of, call.args)
    )


def _makes_sentence_of_system_error(handler: ast.ExceptHandler) -> bool:
    caught = [getattr(builtins, name, None) for name in _caught_names(handler)]
    return any(
        isinstance(each, type) and issubclass(each, (OSError, ValueError)) for each in caught
    ) and any("sentence" in _name_of(node) for node in ast.walk(handler))


def _caught_names(handler: ast.ExceptHandler) -> list[str]:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return [_name_of(each) for each in caught]


def _name_of(node: ast.AST | None) -> str:
    """`b` of `b` and of `a.b`; "" of anything else."""
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _raises_or_logs(node: ast.AST) -> bool:
    if isinstance(node, ast.Raise):
        return not (isinstance(node.cause, ast.Constant) and node.cause.value is None)
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "log"
    )


# Errors with text: arguments of commands, the test harness, and answers to other programs.
TEXT_ERROR_PACKAGES = {"controller.cli", "controller.benchmarks", "controller.simulation"}
TEXT_ERROR_MODULES = {
    "controller.computer.protocol",
    "controller.computer.server",
    "controller.devices.leds.protocol",
    "controller.devices.systemd",
}
CATALOGUES = {"catalogue.py", "sentences.py", "calibration_sentences.py", "paper_sentences.py"}


def errors_without_sentence(tree: SourceTree) -> list[str]:
    """Errors of ours that are made with text instead of a `Sentence` of a catalogue."""
    errors = _error_classes(tree)
    return [
        f"{path}:{node.lineno}: {_called(node)}"
        for path, module in tree.modules.items()
        if not _has_text_errors(dotted(path))
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
        and _called(node) in errors
        and node.args
        and isinstance(node.args[0], ast.JoinedStr | ast.Constant | ast.BinOp)
    ]


@cache
def _error_classes(tree: SourceTree, *roots: str) -> dict[str, set[str]]:
    """`LaserboardError` and all classes that derive from it or a root: modules by class."""
    bases, places = {}, defaultdict(set)
    for path, module in tree.modules.items():
        for node in ast.walk(module):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
                places[node.name].add(dotted(path))
    found = {"LaserboardError", *roots}
    while more := {name for name, parents in bases.items() if parents & found} - found:
        found |= more
    return {name: places[name] for name in found}


def _called(node: ast.Call) -> str:
    return ast.unparse(node.func).rpartition(".")[2]


def matched_errors(tree: SourceTree, root: Path) -> list[str]:
    """Tests that compare the text of an error that carries a `Sentence`: with `match=`, or `str`.

    They compare the sentence, with `raises` of `tests/support/engine/sentences.py`.
    """
    errors = {
        name
        for name, modules in _error_classes(tree, "DeviceError").items()
        if not any(_has_text_errors(module) for module in modules)
    }
    found = []
    for path in sorted(root.rglob("*.py")):
        module = parse(path.read_text("utf-8"))
        for function in ast.walk(module):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = _matched(function, errors) | _text_comparisons(function, errors)
                found += [f"{path.relative_to(root)}:{line}" for line in sorted(lines)]
    return found


def _matched(function: ast.AST, errors: set[str]) -> set[int]:
    """Lines with `pytest.raises(..., match=...)` of one of these errors."""
    return {
        node.lineno
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and _is_raises(node, errors)
        and any(keyword.arg == "match" for keyword in node.keywords)
    }


def _text_comparisons(function: ast.AST, errors: set[str]) -> set[int]:
    """Lines with `str(caught.value) == "..."` or `"..." in str(caught.value)`.

    `not in` is allowed: a test may demand that a password or a line break is nowhere in the text.
    """
    caught = {
        f"str({ast.unparse(item.optional_vars)}.value)"
        for node in ast.walk(function)
        if isinstance(node, ast.With | ast.AsyncWith)
        for item in node.items
        if item.optional_vars is not None
        and isinstance(item.context_expr, ast.Call)
        and _is_raises(item.context_expr, errors)
    }
    return {
        node.lineno
        for node in ast.walk(function)
        if isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.Eq | ast.In)
        and caught & {ast.unparse(side) for side in (node.left, *node.comparators)}
    }


def _is_raises(node: ast.Call, errors: set[str]) -> bool:
    return _called(node) == "raises" and bool(node.args) and bool(errors & _names(node.args[0]))


def _names(node: ast.expr) -> set[str]:
    """The last name of a class, or of each class of a tuple."""
    classes = node.elts if isinstance(node, ast.Tuple) else [node]
    return {ast.unparse(each).rpartition(".")[2] for each in classes}


def _has_text_errors(module: str) -> bool:
    return package_of(module) in TEXT_ERROR_PACKAGES or module in TEXT_ERROR_MODULES


def scattered_catalogues(tree: SourceTree) -> list[str]:
    """Catalogues of sentences outside the catalogue modules."""
    return [
        f"{path}:{node.lineno}"
        for path, module in tree.modules.items()
        if path.name not in CATALOGUES
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and _called(node) == "Catalogue"
    ]


def undocumented_modules(tree: SourceTree) -> list[str]:
    return [str(path) for path, module in tree.modules.items() if not ast.get_docstring(module)]


def named_games(tree: SourceTree, games: dict[str, str]) -> list[str]:
    """Lines outside `engine` that name a game: a fourth game must not need a change there."""
    words = {form for name in games for form in (name, name.replace("-", "_"))}
    pattern = re.compile("|".join(map(re.escape, words | set(games.values()))), re.IGNORECASE)
    return [
        f"{path}:{number}: {line.strip()}"
        for path, text in tree.texts.items()
        if path.parts[0] != "engine"
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]


def imports_of_test_modules(root: Path) -> list[str]:
    """Imports from a `test_*` module or a conftest: helpers belong in `tests/support/`."""
    found = []
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(parse(path.read_text("utf-8"))):
            match node:
                case ast.Import(names=names):
                    modules = [name.name for name in names]
                case ast.ImportFrom(module=module, names=names):
                    modules = [f"{module or ''}.{name.name}" for name in names]
                case _:
                    continue
            found += [
                f"{path.relative_to(root)}:{node.lineno} imports {each}"
                for each in modules
                if any(part == "conftest" or part.startswith("test_") for part in each.split("."))
            ]
    return found


def words_of(identifier: str) -> set[str]:
    """The words of an identifier, in lower case and without a plural s."""
    words = {word.lower() for word in WORD.findall(identifier)}
    return words | {word.removesuffix("s") for word in words}


# Files whose identifiers are read; of other files only the name.
CODE = {".py", ".js", ".mjs", ".css", ".html", ".c", ".h", ".scad"}


def banned_identifiers(root: Path, paths: list[Path]) -> list[str]:
    """Identifiers and file names that contain a word of the old private vocabulary."""
    found = []
    for path in paths:
        for part in path.with_suffix("").parts:
            if words_of(part) & BANNED_WORDS:
                found.append(f"{path}: file name")
        if path.suffix not in CODE:
            continue
        text = (root / path).read_text("utf-8")
        names = identifiers(parse(text)) if path.suffix == ".py" else tokens(path, text)
        for line, name in names:
            if words_of(name) & BANNED_WORDS:
                found.append(f"{path}:{line}: {name}")
    return found


# Comments and strings of JavaScript and C, and what a template literal has outside `${...}`.
_NOT_CODE = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`[^`$]*|\}[^`${]*`", re.DOTALL
)
_HTML_NAMES = re.compile(r"\b(?:id|class|for|name)=\"([^\"]*)\"")


def tokens(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Identifiers of JavaScript, C and CSS; ids and classes of HTML."""
    if path.suffix == ".html":
        for found in _HTML_NAMES.finditer(text):
            yield text.count("\n", 0, found.start()) + 1, found[1]
        return
    code = _NOT_CODE.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(code.splitlines(), start=1):
        for name in re.findall(r"[A-Za-z_][\w-]*", line):
            yield number, name


def identifiers(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of every identifier: definitions, arguments, attributes, imports."""
    for node in ast.walk(module):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield line, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield line, name
            case ast.ClassDef(name=name):
                yield line, name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield line, name
            case ast.keyword(arg=str(name)):
                yield line, name
            case ast.alias(name=name, asname=alias):
                yield line, name
                if alias:
                    yield line, alias
            case _:
                continue


def unshipped_packages(tree: SourceTree) -> list[str]:
    """Folders with modules but without `__init__.py`, which would be missing from the wheel."""
    folders = {path.parent for path in tree.paths}
    return sorted(str(folder) for folder in folders if folder / "__init__.py" not in tree.paths)


def lines_too_long(path: Path, most: int) -> list[str]:
    """Lines of a document that are too long for a terminal, with their lengths."""
    lines = path.read_text("utf-8").splitlines()
    return [
        f"{path.name}:{number}: {len(line)} characters"
        for number, line in enumerate(lines, start=1)
        if len(line) > most
    ]


def vague_lines(paths: list[Path]) -> list[str]:
    """Lines of code and documents that hide their subject behind a pronoun."""
    return [
        f"{path}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if VAGUE_WORDS.search(line)
    ]


PARSER = "controller.cli"
# With these a command would do its work itself, instead of calling a function with values.
WORK = (
    *("asyncio", "json", "tempfile", "controller.devices", "controller.lighting"),
    *("controller.ui.terminal", "controller.ui.web"),
    # Boards, sheets, stored games and plans are loaded or made from the values of the arguments.
    *("controller.config.board_file", "controller.session.board_fit", "controller.builder"),
    *("controller.storage", "controller.table"),
)
CLOCK_FACTORY = "controller.devices.factory.clocks"


def parser_offences(tree: SourceTree) -> list[str]:
    """`argparse` outside `cli`, and imports in `cli` of modules that load, print, draw or drive."""
    found = []
    for each in tree.imports:
        parses = _in_parser(each.importer)
        if each.top == "argparse" and not _within(each.importer, PARSER):
            found.append(str(each))
        if parses and each.module != CLOCK_FACTORY:
            found += [str(each) for work in WORK if _within(each.module, work)]
    return found


def namespace_offences(tree: SourceTree) -> list[str]:
    """Functions in `cli` that change the parsed arguments, or capture them in a closure."""
    return [
        f"{path}:{line}"
        for path, module in tree.modules.items()
        if _in_parser(dotted(path))
        for function in ast.walk(module)
        if isinstance(function, ast.FunctionDef) and function.name != "__call__"  # an `Action`
        for argument in function.args.args
        if argument.annotation and ast.unparse(argument.annotation) == "argparse.Namespace"
        for line in _changes(function, argument.arg)
    ]


def _in_parser(module: str) -> bool:
    """Whether it is in `cli`, apart from the development tools of `cli.manual`."""
    return _within(module, PARSER) and not _within(module, f"{PARSER}.manual")


def _changes(function: ast.FunctionDef, name: str) -> Iterator[int]:
    """The lines that set an attribute of `name`, or keep it for later."""
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id=found), ctx=ast.Store()) if found == name:
                yield node.lineno
            case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=found), *_]):
                if found == name:
                    yield node.lineno
            case ast.Lambda() | ast.FunctionDef() if node is not function:
                if any(isinstance(e, ast.Name) and e.id == name for e in ast.walk(node)):
                    yield node.lineno


PAPER_PACKAGES = (
    "controller.builder.printables",
    "controller.builder.electrics",
    "controller.storage.export",
)
MIN_WORDS = 4  # shorter text is a name, a key, a row of a table, or a value of SVG and CSS
_TAG = re.compile(r"<[^>]*>")
_LETTERS = re.compile(r"[A-Za-z]{2,}(-[a-z]+)?|[aAI]")


def paper_text_outside_catalogues(tree: SourceTree) -> list[str]:
    """Text of four or more words in the modules that print, apart from docstrings and raised text.

    Markup does not count, nor do tokens with other characters than letters, such as `5mm`.
    """
    return [
        f"{path}:{line}: {text}"
        for path, module in tree.modules.items()
        if any(_within(dotted(path), package) for package in PAPER_PACKAGES)
        for line, text in _literals(module)
        if _word_count(text) >= MIN_WORDS
    ]


def _literals(module: ast.Module) -> Iterator[tuple[int, str]]:
    """The string literals of a module; the gaps of an f-string are `{}`."""
    skipped: set[int] = set()
    for node in ast.walk(module):  # an outer node comes before the nodes in it
        match node:
            case ast.Raise() | ast.Assert():  # defects of the program: no sentences
                skipped.update(map(id, ast.walk(node)))
            case ast.Expr(value=ast.Constant() as docstring):
                skipped.add(id(docstring))
            case ast.JoinedStr(values=values):
                if id(node) not in skipped:
                    yield node.lineno, "".join(map(_text_of, values))
                skipped.update(map(id, values))
            case ast.Constant(value=str(text)) if id(node) not in skipped:
                yield node.lineno, text


def _text_of(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "{}"


def _word_count(text: str) -> int:
    words = (word.strip(".,:;!?()'\"") for word in _TAG.sub(" ", text).split())
    return sum(_LETTERS.fullmatch(word) is not None for word in words)


CONSOLE_PACKAGES = ("controller.ui", "controller.tournament")
CONSOLE_METHODS = {"print", "note", "ask"}  # of `controller.ui.console.Console`
TEXT_WORD = re.compile(r"[A-Za-z']{2,}")


def console_text_outside_catalogues(tree: SourceTree) -> list[str]:
    """Sentences as text that a console prints, instead of a `Sentence` of a catalogue."""
    return [
        f"{path}:{node.lineno}: {ast.unparse(argument)}"
        for path, module in tree.modules.items()
        if any(_within(dotted(path), package) for package in CONSOLE_PACKAGES)
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and _is_console_call(node)
        for argument in node.args
        if len(TEXT_WORD.findall(_literal_text(argument))) >= MIN_WORDS
    ]


def _is_console_call(node: ast.Call) -> bool:
    return (
        isinstance(node.func, ast.Attribute)
        and node.func.attr in CONSOLE_METHODS
        and ast.unparse(node.func.value).endswith("console")
    )


def _literal_text(node: ast.expr) -> str:
    """The literal text of a constant or an f-string, also in `+` and `x if y else z`."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return " ".join(str(each.value) for each in values if isinstance(each, ast.Constant))
        case ast.BinOp(left=one, right=other) | ast.IfExp(body=one, orelse=other):
            return f"{_literal_text(one)} {_literal_text(other)}"
        case _:
            return ""
