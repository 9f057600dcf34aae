"""Building the firmware's C core on first use."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from controller.devices import sentences
from controller.devices.leds.native_firmware import FirmwareUnavailable, build_native_firmware
from controller.ports.sentences import REMEDY_AFTER_COLON
from tests.support.engine.sentences import raises


def test_the_firmware_is_compiled_once_and_cached(tmp_path: Path) -> None:
    program = build_native_firmware(cache=tmp_path)
    made = program.stat().st_mtime_ns
    assert os.access(program, os.X_OK)
    assert build_native_firmware(cache=tmp_path) == program
    assert program.stat().st_mtime_ns == made
    assert list(tmp_path.iterdir()) == [program], "nothing else is left"


def sources(folder: Path, text: str) -> Path:
    (folder / "core").mkdir(parents=True)
    (folder / "native").mkdir()
    (folder / "core" / "core.c").write_text("int core(void) { return 0; }\n")
    (folder / "native" / "main.c").write_text(text)
    return folder


def test_other_sources_or_another_compiler_give_another_cache_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = sources(tmp_path / "one", "int main(void) { return 1; }\n")
    two = sources(tmp_path / "two", "int main(void) { return 2; }\n")
    made = {build_native_firmware(each, tmp_path / "kept") for each in (one, two)}
    monkeypatch.setenv("CC", "cc -g")
    made.add(build_native_firmware(one, tmp_path / "kept"))
    assert len(made) == 3


def test_concurrent_builds_give_one_program(tmp_path: Path) -> None:
    where = sources(tmp_path / "one", "int main(void) { return 1; }\n")
    programs: list[Path] = []
    threads = [
        threading.Thread(
            target=lambda: programs.append(build_native_firmware(where, tmp_path / "kept"))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(programs) == 4
    assert list((tmp_path / "kept").iterdir()) == [programs[0]]


def test_a_missing_compiler_is_reported_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with raises(
        FirmwareUnavailable,
        REMEDY_AFTER_COLON(problem=sentences.NO_COMPILER(), remedy=sentences.INSTALL_GCC()),
    ):
        build_native_firmware(cache=tmp_path)
    monkeypatch.setenv("CC", "mycc -O3")
    with raises(FirmwareUnavailable, sentences.NAMED_COMPILER_MISSING(name="mycc")):
        build_native_firmware(cache=tmp_path)


def test_a_failed_build_is_reported_and_not_cached(tmp_path: Path) -> None:
    where = sources(tmp_path / "one", "int main(void) { return nonsense; }\n")
    with raises(FirmwareUnavailable, sentences.COMPILE_FAILED) as caught:
        build_native_firmware(where, tmp_path / "kept")
    assert "nonsense" in str(caught.value.sentence.slots["errors"])
    assert list((tmp_path / "kept").iterdir()) == []


def test_missing_sources_and_a_locked_cache_are_reported_with_a_remedy(tmp_path: Path) -> None:
    with raises(FirmwareUnavailable, sentences.NO_SOURCES(name="firmware", folder=str(tmp_path))):
        build_native_firmware(tmp_path)
    where = sources(tmp_path / "one", "int main(void) { return 1; }\n")
    (tmp_path / "file").write_text("")
    with raises(FirmwareUnavailable, sentences.SET_CACHE_HOME()):
        build_native_firmware(where, tmp_path / "file")


def test_the_cache_is_in_the_cache_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = sources(tmp_path / "one", "int main(void) { return 1; }\n")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "mine"))
    assert build_native_firmware(where).parent == tmp_path / "mine" / "laserboard"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert build_native_firmware(where).parent == tmp_path / "home" / ".cache" / "laserboard"
