"""The examples of PROTOCOL.md and the fuzz corpus reach every line of the core."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from tests.support.firmware.compiler import need, run
from tests.support.firmware.native_board import FIRMWARE, converse

CORE = sorted((FIRMWARE / "core").glob("*.c"))
COUNTED = ["-std=c11", "-O0", "--coverage"]


def test_the_examples_and_the_corpus_reach_every_line(tmp_path: Path) -> None:
    gcc, gcov = need("gcc", "gcc"), need("gcov", "gcc")
    run(gcc, *COUNTED, "-c", *CORE, cwd=tmp_path)
    objects = sorted(tmp_path.glob("*.o"))
    native, replay = tmp_path / "native", tmp_path / "replay"
    run(gcc, *COUNTED, "-o", native, *objects, FIRMWARE / "native" / "main.c", cwd=tmp_path)
    fuzz = [FIRMWARE / "fuzz" / name for name in ("fuzz.c", "replay.c")]
    run(gcc, *COUNTED, "-o", replay, *objects, *fuzz, cwd=tmp_path)

    converse(native)
    corpus = sorted((FIRMWARE / "fuzz" / "corpus").iterdir())
    assert f"{len(corpus)} inputs" in run(replay, *corpus)

    lines: dict[tuple[str, int], int] = defaultdict(int)
    for path in CORE:
        counted = tmp_path / f"{path.stem}.gcda"
        assert counted.exists(), f"{path.name} was never run"
        report = json.loads(run(gcov, "--json-format", "--stdout", counted, cwd=tmp_path))
        for file in report["files"]:
            if Path(file["file"]).parent == FIRMWARE / "core":
                for line in file["lines"]:
                    lines[Path(file["file"]).name, line["line_number"]] += line["count"]
    assert {name for name, _ in lines} >= {path.name for path in CORE if path.stem != "crc32"}
    missed = [f"core/{name}:{number}" for (name, number), count in lines.items() if count == 0]
    assert not missed, "never run: " + ", ".join(sorted(missed))
