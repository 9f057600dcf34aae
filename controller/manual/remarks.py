"""The remarks of a board file: what is said of every key, by the key's path."""

from __future__ import annotations

import re

from controller.starting_file import MODEL, starting_file

# A section or key, in use or not: how far it is indented, a dash before it, its name, its value.
LINE = re.compile(
    r"(?P<off># )?(?P<indent> *)(?P<dash>- )?(?P<key>[a-z][a-z_ ]*):(?P<rest>(?: .*)?)"
)
VALUE = re.compile(r" ?(?P<value>(?:\[[^\]]*\]|\{[^}]*\}|[^#])*?) *(?:# (?P<remark>.*))?")
MORE = re.compile(r"(?:# )? {20,}# ?(?P<remark>.*)")


def remarks(text: str | None = None) -> dict[str, tuple[str, str]]:
    """For every key that a board file explains, an example and what is said of it."""
    found: dict[str, tuple[str, str]] = {}
    parents: list[tuple[int, str]] = []
    last = ""
    for line in (text or starting_file(MODEL)).splitlines():
        if more := MORE.fullmatch(line):
            example, said = found[last]
            found[last] = example, f"{said} {more['remark']}".strip()
            continue
        key = LINE.fullmatch(_in_use(line))
        if key is None:
            continue
        depth = len(key["indent"]) + 2 * bool(key["dash"])
        parents = [parent for parent in parents if parent[0] < depth]
        last = ".".join([*(name for _, name in parents), key["key"]])
        value = VALUE.fullmatch(key["rest"])
        assert value is not None, line
        found[last] = value["value"], value["remark"] or ""
        parents.append((depth, key["key"]))
    return found


def _in_use(line: str) -> str:
    """The line as it would be if its key were used."""
    if re.match(r"# [a-z]+:$|#  +[a-z]", line):
        line = line[2:]
    return re.sub(r"^( +)# (?=[a-z_]+: )", r"\1", line)
