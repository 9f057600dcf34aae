"""Verification of exports: every change is found and named in a sentence."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from controller.session import sentences as session_sentences
from controller.session.journal import JournalEntry, format_entries, next_entry, recover
from controller.session.replay import replay
from controller.storage import sentences
from controller.storage.export import manifest as contents
from controller.storage.export.archive import write_archive
from controller.storage.export.manifest import (
    build_manifest,
    derived_files,
    format_manifest,
    linked_evidence_files,
    write_export,
)
from controller.storage.export.verify import BadHash, parse_hash
from engine.catalogue import AT_LINE
from engine.sentences import Sentence
from tests.support.cli import Laserboard
from tests.support.engine.sentences import Expected, mentions, raises
from tests.support.play.evidence_games import kept_game
from tests.support.play.tampered_exports import files_of, verified

# Drawing examples is slow on a busy machine.
WITHOUT_DEADLINE = hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

Files = dict[str, bytes]
DESCRIPTIONS = (
    sentences.IMAGE_BEFORE_TURN,
    sentences.IMAGE_AFTER_TURN,
    sentences.READING_BEFORE_TURN,
    sentences.READING_AFTER_TURN,
)


@lru_cache(maxsize=1)
def original() -> tuple[Path, bytes, str]:
    """A game with real images: its journal, its export, and its hash."""
    path = Path(mkdtemp(prefix="laserboard-test-")) / "2026-03-01-1.journal"
    kept_game(path)
    content, last_hash, missing = exported(path)
    assert missing == ()
    return path, content, last_hash


def exported(path: Path) -> tuple[bytes, str, tuple[Sentence, ...]]:
    entries = recover(path.read_bytes()).entries
    out = io.BytesIO()
    done = write_export(path, entries, replay(entries), out)
    assert done.size == len(out.getvalue())
    return out.getvalue(), done.last_hash, done.missing_evidence


def packed(files: Files) -> bytes:
    out = io.BytesIO()
    write_archive(sorted(files.items()), out)
    return out.getvalue()


def resealed(files: Files) -> bytes:
    """Packed with a matching manifest, as a forger who knows the format would do."""
    entries = recover(files["game.journal"]).entries
    hashes = {name: sha256(content).hexdigest() for name, content in files.items()}
    return packed(files | {"manifest.json": format_manifest(build_manifest(entries, hashes))})


def is_found(content: bytes, expected: Expected, last_hash: str | None = None) -> bool:
    return any(mentions(each, expected) for each in verified(content, last_hash).findings)


def image_names() -> list[str]:
    return sorted(name for name in files_of(original()[1]) if name.endswith(".jpg"))


# -- proof ---------------------------------------------------------------------------------------


def test_an_export_is_proven_by_its_hash_or_by_16_digits_of_it() -> None:
    _, content, last_hash = original()
    for digits in (last_hash, last_hash[:16], last_hash[:40]):
        report = verified(content, digits)
        assert (report.findings, report.unproven) == ((), ())
        assert (report.entries, report.images) == (7, 6)
        assert report.played is not None
        assert len(report.played.turns) == 3


def test_without_a_hash_the_report_names_what_is_not_proven() -> None:
    report = verified(original()[1])
    assert report.findings == ()
    (sentence,) = report.unproven
    assert mentions(sentence, sentences.UNPROVEN_JOURNAL)


def test_the_same_journal_gives_the_same_bytes() -> None:
    path, content, _ = original()
    assert exported(path)[0] == content


def test_zipfile_opens_an_export() -> None:
    with zipfile.ZipFile(io.BytesIO(original()[1])) as zipped:
        assert zipped.testzip() is None
        assert len(zipped.namelist()) == 17


def test_a_typed_hash_is_parsed() -> None:
    last_hash = original()[2]
    assert parse_hash(f" {last_hash[:8].upper()} {last_hash[8:16]} ") == last_hash[:16]
    for wrong in ("", last_hash[:15], last_hash + "0", "g" * 16, "0x" + last_hash[:16]):
        with raises(BadHash, sentences.NOT_A_HASH):
            parse_hash(wrong)


# -- changes ------------------------------------------------------------------------------------


@WITHOUT_DEADLINE
@given(st.data())
def test_any_flipped_bit_of_an_export_is_found(data: st.DataObject) -> None:
    _, content, last_hash = original()
    at = data.draw(st.integers(0, len(content) - 1))
    bit = data.draw(st.integers(0, 7))
    changed = bytearray(content)
    changed[at] ^= 1 << bit
    assert verified(bytes(changed), last_hash).findings
    assert verified(bytes(changed)).findings


@WITHOUT_DEADLINE
@given(st.data())
def test_any_flipped_bit_is_found_with_matching_checksums_and_manifest(
    data: st.DataObject,
) -> None:
    _, content, last_hash = original()
    files = files_of(content)
    name = data.draw(st.sampled_from(sorted(files)))
    at = data.draw(st.integers(0, len(files[name]) - 1))
    changed = bytearray(files[name])
    changed[at] ^= 1 << data.draw(st.integers(0, 7))
    repack = packed if name == "manifest.json" else resealed
    report = verified(repack(files | {name: bytes(changed)}), last_hash)
    # An unknown edition is no finding, but it is not proven either.
    assert report.findings or (report.unproven and name == "manifest.json")


@WITHOUT_DEADLINE
@given(st.integers(0, 400_000))
def test_a_truncated_export_is_found(length: int) -> None:
    _, content, last_hash = original()
    assert verified(content[: min(length, len(content) - 1)], last_hash).findings


def test_an_edited_entry_is_found() -> None:
    files = files_of(original()[1])
    journal = files["game.journal"].replace(b'"e7d7"', b'"e7e6"')
    assert journal != files["game.journal"]
    (sentence,) = verified(resealed(files | {"game.journal": journal})).findings[:1]
    assert mentions(sentence, sentences.FILE_FAULT)
    assert mentions(sentence, session_sentences.CHECKSUM_WRONG())


def test_a_removed_tail_is_found() -> None:
    _, content, last_hash = original()
    files = files_of(content)
    shorter = b"".join(files["game.journal"].splitlines(keepends=True)[:-1])
    lists = sentences.MANIFEST_MORE_ENTRIES(manifest="manifest.json", listed=7, found=6)
    assert is_found(packed(files | {"game.journal": shorter}), lists)
    # If all other files match the shorter journal, only the hash shows it.
    entries = recover(shorter).entries
    fitting = derived_files(entries, replay(entries))
    names = linked_evidence_files(entries)
    less = {name: each for name, each in files.items() if name in names} | fitting
    assert verified(resealed(less)).findings == ()
    assert is_found(resealed(less), sentences.OTHER_HASH, last_hash)


def test_a_swapped_image_is_found() -> None:
    files = files_of(original()[1])
    one, other, *_ = image_names()
    swapped = resealed(files | {one: files[other], other: files[one]})
    found = verified(swapped).findings
    assert len(found) == 2
    assert all(mentions(each, sentences.LINKED_CHANGED) for each in found)
    images = (sentences.IMAGE_BEFORE_TURN, sentences.IMAGE_AFTER_TURN)
    assert all(any(mentions(each, image) for image in images) for each in found)


def test_a_removed_image_is_found_and_named() -> None:
    files = files_of(original()[1])
    for name in [name for name in files if name.startswith("evidence/")]:
        less = {each: content for each, content in files.items() if each != name}
        (sentence,) = verified(resealed(less)).findings
        assert mentions(sentence, sentences.LINKED_MISSING)
        assert sentence.slots["file"] == name
        assert any(mentions(sentence, each) for each in DESCRIPTIONS)


def test_an_extra_file_is_found() -> None:
    files = files_of(original()[1])
    stray = b"nothing to see here"
    linked_by_none = f"evidence/{sha256(stray).hexdigest()}.jpg"
    extra = resealed(files | {linked_by_none: stray})
    assert is_found(extra, sentences.NOT_LINKED(file=linked_by_none))
    notes = resealed(files | {"notes.txt": stray})
    assert is_found(notes, sentences.FOREIGN_MEMBER(name="'notes.txt'"))


def test_a_rewritten_chain_is_found_by_the_published_hash() -> None:
    path, _, last_hash = original()
    entries: list[JournalEntry] = []
    for entry in recover(path.read_bytes()).entries:
        body = json.loads(json.dumps(dict(entry.body)).replace('"Ada"', '"Eve"'))
        before = entries[-1] if entries else None
        entries.append(next_entry(before, entry.kind, body, entry.at_ms))
    forged = path.with_name("forged.journal")
    forged.write_bytes(format_entries(entries))
    content, _, _ = exported(forged)
    assert verified(content).findings == ()
    assert verified(content).unproven
    (sentence,) = verified(content, last_hash).findings
    assert mentions(sentence, sentences.OTHER_HASH)


def test_entries_added_after_publication_are_counted() -> None:
    path, content, _ = original()
    early = recover(path.read_bytes()).entries[4].hash
    assert verified(content, early).findings == (sentences.HASH_OF_ENTRY(number=5, count=2),)


def test_a_changed_record_or_sheet_is_found() -> None:
    files = files_of(original()[1])
    for name in ("game.pgn", "game.json", "sheet.html"):
        other = files[name].replace(b"Ada", b"Eve")
        assert other != files[name]
        assert verified(resealed(files | {name: other})).findings == (
            sentences.FILE_DISAGREES(file=name),
        )
        without = {each: content for each, content in files.items() if each != name}
        assert verified(resealed(without)).findings == (sentences.FILE_MISSING(file=name),)


def test_a_journal_with_an_illegal_turn_is_found() -> None:
    path, *_ = original()
    entries = [*recover(path.read_bytes()).entries]
    entries.append(next_entry(entries[-1], "turn", {"moves": {"red": "a1a2"}}, 0.0))
    false = path.with_name("false.journal")
    false.write_bytes(format_entries(entries))
    (sentence,) = verified(exported(false)[0]).findings
    fault = sentence.slots["fault"]
    assert isinstance(fault, Sentence)
    assert (fault.key, fault.slots["line"]) == (AT_LINE.key, 8)


def test_an_unknown_edition_is_not_proven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, _, last_hash = original()
    monkeypatch.setattr(contents, "EDITION", 99)
    newer = exported(path)[0]
    report = verified(newer, last_hash)
    assert report.findings == ()
    assert report.unproven[0].key == sentences.UNPROVEN_EDITION.key
    assert report.unproven[0].slots["found"] == 99


def test_an_export_reports_missing_and_damaged_images(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    first, second, _ = kept_game(path)
    assert first.before is not None
    assert second.after is not None
    (tmp_path / "evidence" / first.before.file_names()[0]).unlink()
    torn = tmp_path / "evidence" / second.after.file_names()[0]
    torn.write_bytes(torn.read_bytes()[:-100])
    content, last_hash, missing = exported(path)
    assert len(missing) == 2
    assert any(mentions(each, sentences.IMAGE_GONE) for each in missing)
    assert any(mentions(each, sentences.IMAGE_CHANGED) for each in missing)
    found = verified(content, last_hash).findings
    assert all(mentions(each, sentences.LINKED_MISSING) for each in found)
    assert [each.slots["what"] for each in found] == [
        sentences.IMAGE_AFTER_TURN(turn=2),
        sentences.IMAGE_BEFORE_TURN(turn=1),
    ]


# -- hostile zips --------------------------------------------------------------------------------


def zipped(add: Callable[[zipfile.ZipFile], None]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, content in files_of(original()[1]).items():
            made.writestr(name, content)
        add(made)
    return out.getvalue()


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "evidence/../x.jpg", "a\\b", "game.journal/", ""]
)
def test_path_traversal_is_reported(name: str) -> None:
    content = zipped(lambda made: made.writestr(zipfile.ZipInfo(name), b"x"))
    assert is_found(content, sentences.FOREIGN_MEMBER)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_duplicate_name_is_reported() -> None:
    content = zipped(lambda made: made.writestr("game.journal", b"another"))
    assert is_found(content, sentences.MEMBER_TWICE(name="game.journal"))


def test_a_zip_bomb_is_not_decompressed() -> None:
    def bomb(made: zipfile.ZipFile) -> None:
        made.writestr("sheet.htm", b"\0" * 50_000_000, zipfile.ZIP_DEFLATED)

    assert is_found(zipped(bomb), sentences.FOREIGN_MEMBER(name="'sheet.htm'"))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("game.journal", b"\0" * 50_000_000, zipfile.ZIP_DEFLATED)
    assert is_found(out.getvalue(), sentences.MEMBER_COMPRESSED(name="game.journal"))


def test_an_oversized_member_is_not_read() -> None:
    files = files_of(original()[1])
    name = next(name for name in files if name.startswith("evidence/") and name.endswith("json"))
    content = packed(files | {name: b" " * 5_000_000})
    assert is_found(content, sentences.MEMBER_TOO_LARGE(name=name, size=5_000_000))


def test_an_encrypted_export_is_reported() -> None:
    content = bytearray(packed({"game.journal": b"x"}))
    struct.pack_into("<H", content, 6, 1)
    struct.pack_into("<H", content, content.index(b"PK\1\2") + 8, 1)
    assert is_found(bytes(content), sentences.MEMBER_ENCRYPTED(name="game.journal"))


def test_a_repacked_export_is_reported() -> None:
    assert is_found(zipped(lambda _: None), sentences.ZIP_REPACKED())
    _, content, _ = original()
    assert verified(b"#!/bin/sh\n" + content).findings  # data before it
    assert verified(content + b"more").findings  # data behind it


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"PK\5\6" + b"\0" * 18, b"Dear Bob,\n", b"\xff" * 99]
)
def test_another_file_is_reported_in_one_sentence(content: bytes) -> None:
    (sentence,) = verified(content).findings
    assert sentence in (
        sentences.NOT_A_ZIP(),
        sentences.JOURNAL_MISSING(file="game.journal"),
    )


@WITHOUT_DEADLINE
@given(st.binary(max_size=300))
def test_any_bytes_give_a_finding(content: bytes) -> None:
    assert verified(content).findings
    assert verified(b"PK\3\4" + content).findings


# -- command line --------------------------------------------------------------------------------


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder, and a data folder with one game with images."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.chdir(tmp_path)
    kept_game(tmp_path / "share" / "laserboard" / "games" / "2026-03-01-1.journal")
    return tmp_path


@pytest.mark.usefixtures("at_home")
def test_export_and_verify_on_the_command_line(laserboard: Laserboard) -> None:
    wrote, said = laserboard.prints("games", "export", "last", "--to", "zip").splitlines()
    assert wrote.startswith("wrote 2026-03-01-1.zip: 17 files, 0.")
    last_hash = said.partition(" ")[2]
    whole = laserboard("games", "verify", "2026-03-01-1.zip", "--hash", last_hash)
    assert whole.status == 0
    assert "good, complete and unchanged since its hash was published" in whole.out
    assert last_hash in whole.out
    alone = laserboard("games", "verify", "2026-03-01-1.zip")
    assert alone.status == 3
    assert "not proven: that the journal was not rewritten as a whole" in alone.out
    other = laserboard("games", "verify", "2026-03-01-1.zip", "--hash", "0" * 16)
    assert (other.status, len(other.lines)) == (1, 1)
    assert "wrong: the hash is" in other.out


@pytest.mark.usefixtures("at_home")
def test_a_tampered_export_is_reported_with_status_1(laserboard: Laserboard) -> None:
    laserboard.prints("games", "export", "last", "--to", "mine.zip")
    content = bytearray(Path("mine.zip").read_bytes())
    content[1000] ^= 1
    Path("mine.zip").write_bytes(content)
    ran = laserboard("games", "verify", "mine.zip")
    assert ran.status == 1
    assert "mine.zip: wrong: evidence/" in ran.out
    Path("mine.zip").write_bytes(b"")
    assert laserboard("games", "verify", "mine.zip").status == 1


@pytest.mark.usefixtures("at_home")
def test_a_journal_is_compared_with_a_hash(laserboard: Laserboard) -> None:
    lines = laserboard.prints("games", "export", "last", "--to", "jsonl").splitlines()
    last_hash = json.loads(lines[-1])["hash"]
    assert "good" in laserboard.prints("games", "verify", "last", "--hash", last_hash[:16])
    ran = laserboard("games", "verify", "last", "--hash", json.loads(lines[0])["hash"])
    assert ran.status == 1
    assert "6 entries were written after it" in ran.out


@pytest.mark.usefixtures("at_home")
def test_bad_usage_is_refused(laserboard: Laserboard) -> None:
    assert "is not a hash" in laserboard.refuses("games", "verify", "last", "--hash", "beef")
    assert "name that one" in laserboard.refuses("games", "verify", "--hash", "0" * 16)
    laserboard.refuses("games", "verify", "nothing.zip")
    assert "cannot write" in laserboard.refuses("games", "export", "--to", "no/such/place.zip")


def test_a_damaged_journal_is_not_exported(laserboard: Laserboard, at_home: Path) -> None:
    path = next(at_home.glob("share/laserboard/games/*.journal"))
    path.write_bytes(path.read_bytes().replace(b'"Ada"', b'"Eve"'))
    ran = laserboard("games", "export", "--to", "zip", str(path))
    assert ran.status in (1, 2)
    assert not Path("2026-03-01-1.zip").exists()


def test_evidence_is_listed_and_pruned(
    laserboard: Laserboard, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = laserboard.prints("games", "evidence", "list")
    assert listed == laserboard.prints("games", "evidence")
    assert listed.startswith("2026-03-01-1  6 images  0.")
    assert listed.endswith(" of 500 MB, stored for 90 days\n")
    assert laserboard.prints("games", "evidence", "prune") == "nothing to remove\n"
    monkeypatch.setattr("controller.ui.commands.evidence.unix_time_s", lambda: 4e9)
    said = laserboard.prints("games", "evidence", "prune", "--dry-run").splitlines()
    assert said[0] == "2026-03-01-1: older than 90 days"
    assert said[1].startswith("images to be removed (")
    folder = at_home / "share" / "laserboard" / "games" / "evidence"
    assert len(list(folder.iterdir())) == 12
    assert "images removed (" in laserboard.prints("games", "evidence", "prune")
    assert list(folder.iterdir()) == []
    ran = laserboard("games", "export", "last", "--to", "zip")
    assert ran.status == 1
    assert "missing: the image after turn 1: " in ran.err
