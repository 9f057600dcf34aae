"""An export proves what it holds: whatever is changed in it, one sentence says what."""

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
from hypothesis import settings as trying
from hypothesis import strategies as st

from controller.exports import contents
from controller.exports.archive import pack
from controller.exports.contents import export, linked, manifest, write_manifest, yielded
from controller.exports.verify import BadHead, Verdict, read_head, verify
from controller.journal import Entry, following, recover, write_lines
from controller.played import replay
from tests.controller.cli import Laserboard
from tests.controller.photographed import kept_game

# Machines that do much else at the same time are slow to draw examples.
PATIENTLY = trying(deadline=None, suppress_health_check=[HealthCheck.too_slow])

Files = dict[str, bytes]


@lru_cache(maxsize=1)
def original() -> tuple[Path, bytes, str]:
    """A game with real pictures: its journal, its export, and its head."""
    path = Path(mkdtemp(prefix="laserboard-test-")) / "2026-03-01-1.journal"
    kept_game(path)
    content, head, missing = exported(path)
    assert missing == ()
    return path, content, head


def exported(path: Path) -> tuple[bytes, str, tuple[str, ...]]:
    entries = recover(path.read_bytes()).entries
    out = io.BytesIO()
    done = export(path, entries, replay(entries), out.write)
    assert done.size == len(out.getvalue())
    return out.getvalue(), done.head, done.missing


def files_of(content: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(content)) as zipped:
        return {name: zipped.read(name) for name in zipped.namelist()}


def packed(files: Files) -> bytes:
    out = io.BytesIO()
    pack(sorted(files.items()), out.write)
    return out.getvalue()


def again(files: Files) -> bytes:
    """Packed with a manifest that fits: what somebody would do who knows how it is made."""
    entries = recover(files["game.journal"]).entries
    hashes = {name: sha256(content).hexdigest() for name, content in files.items()}
    return packed(files | {"manifest.json": write_manifest(manifest(entries, hashes))})


def judged(content: bytes, head: str | None = None) -> Verdict:
    return verify(io.BytesIO(content), head)


def findings(content: bytes, head: str | None = None) -> str:
    return "\n".join(judged(content, head).findings)


def picture_names() -> list[str]:
    return sorted(name for name in files_of(original()[1]) if name.endswith(".jpg"))


# -- what is proven ------------------------------------------------------------------------------


def test_an_export_is_proven_against_its_head_and_its_first_16_digits() -> None:
    _, content, head = original()
    for given_head in (head, head[:16], head[:40]):
        verdict = judged(content, given_head)
        assert (verdict.findings, verdict.open) == ((), ())
        assert (verdict.entries, verdict.pictures) == (7, 6)
        assert verdict.played is not None
        assert len(verdict.played.turns) == 3


def test_without_a_head_it_is_said_what_is_not_proven() -> None:
    verdict = judged(original()[1])
    assert verdict.findings == ()
    (sentence,) = verdict.open
    assert "nobody wrote all of it anew" in sentence
    assert "--head" in sentence


def test_the_same_journal_makes_the_same_export_to_the_byte() -> None:
    path, content, _ = original()
    assert exported(path)[0] == content


def test_other_programs_can_open_an_export() -> None:
    with zipfile.ZipFile(io.BytesIO(original()[1])) as zipped:
        assert zipped.testzip() is None
        assert len(zipped.namelist()) == 17


def test_a_head_is_read_as_people_type_it() -> None:
    head = original()[2]
    assert read_head(f" {head[:8].upper()} {head[8:16]} ") == head[:16]
    for wrong in ("", head[:15], head + "0", "g" * 16, "0x" + head[:16]):
        with pytest.raises(BadHead, match="is no head"):
            read_head(wrong)


# -- what is caught ------------------------------------------------------------------------------


@PATIENTLY
@given(st.data())
def test_any_byte_of_an_export_that_is_flipped_is_found(data: st.DataObject) -> None:
    _, content, head = original()
    at = data.draw(st.integers(0, len(content) - 1))
    bit = data.draw(st.integers(0, 7))
    changed = bytearray(content)
    changed[at] ^= 1 << bit
    assert judged(bytes(changed), head).findings
    assert judged(bytes(changed)).findings


@PATIENTLY
@given(st.data())
def test_any_byte_of_any_file_is_found_even_if_checksums_and_manifest_are_made_to_fit(
    data: st.DataObject,
) -> None:
    _, content, head = original()
    files = files_of(content)
    name = data.draw(st.sampled_from(sorted(files)))
    at = data.draw(st.integers(0, len(files[name]) - 1))
    changed = bytearray(files[name])
    changed[at] ^= 1 << data.draw(st.integers(0, 7))
    repacked = packed if name == "manifest.json" else again
    verdict = judged(repacked(files | {name: bytes(changed)}), head)
    # Another edition, say, is not known to be wrong: it is not called proven either.
    assert verdict.findings or (verdict.open and name == "manifest.json")


@PATIENTLY
@given(st.integers(0, 400_000))
def test_an_export_that_is_cut_off_anywhere_is_found(length: int) -> None:
    _, content, head = original()
    assert judged(content[: min(length, len(content) - 1)], head).findings


def test_an_edited_entry_is_found() -> None:
    files = files_of(original()[1])
    journal = files["game.journal"].replace(b'"e7d7"', b'"e7e6"')
    assert journal != files["game.journal"]
    assert "line 3 is not as it was written" in findings(again(files | {"game.journal": journal}))


def test_a_removed_tail_is_found() -> None:
    _, content, head = original()
    files = files_of(content)
    shorter = b"".join(files["game.journal"].splitlines(keepends=True)[:-1])
    told = findings(packed(files | {"game.journal": shorter}))
    assert "tells of 7 entries, and the journal has 6: its tail is missing" in told
    # And where everything else is made to fit, too: against the head.
    entries = recover(shorter).entries
    fitting = yielded(entries, replay(entries))
    names = linked(entries)
    less = {name: each for name, each in files.items() if name in names} | fitting
    assert judged(again(less)).findings == ()
    assert "entries were changed, removed or written anew" in findings(again(less), head)


def test_a_swapped_picture_is_found() -> None:
    files = files_of(original()[1])
    one, other, *_ = picture_names()
    swapped = again(files | {one: files[other], other: files[one]})
    told = judged(swapped).findings
    assert len(told) == 2
    assert all("is another one than the journal links" in each for each in told)
    assert any("the picture before turn" in each for each in told)


def test_a_removed_picture_is_found_and_named() -> None:
    files = files_of(original()[1])
    for name in [name for name in files if name.startswith("evidence/")]:
        less = {each: content for each, content in files.items() if each != name}
        (sentence,) = judged(again(less)).findings
        assert f"is missing ({name})" in sentence
        assert "before turn" in sentence or "after turn" in sentence


def test_an_extra_file_is_found() -> None:
    files = files_of(original()[1])
    stray = b"nothing to see here"
    linked_by_none = f"evidence/{sha256(stray).hexdigest()}.jpg"
    assert "linked by no entry" in findings(again(files | {linked_by_none: stray}))
    assert "'notes.txt' does not belong" in findings(again(files | {"notes.txt": stray}))


def test_a_chain_that_was_rewritten_whole_is_found_against_its_head_alone() -> None:
    path, _, head = original()
    entries: list[Entry] = []
    for entry in recover(path.read_bytes()).entries:
        body = json.loads(json.dumps(dict(entry.body)).replace('"Ada"', '"Eve"'))
        before = entries[-1] if entries else None
        entries.append(following(before, entry.kind, body, entry.at_ms))
    forged = path.with_name("forged.journal")
    forged.write_bytes(write_lines(entries))
    content, _, _ = exported(forged)
    assert judged(content).findings == ()
    assert judged(content).open
    (sentence,) = judged(content, head).findings
    assert "the published one is" in sentence
    assert "written anew" in sentence


def test_entries_that_were_added_after_the_head_was_published_are_counted() -> None:
    path, content, _ = original()
    early = recover(path.read_bytes()).entries[4].hash
    (sentence,) = judged(content, early).findings
    assert "that of entry 5" in sentence
    assert "2 entries were written after it" in sentence


def test_a_record_or_sheet_that_says_something_else_is_found() -> None:
    files = files_of(original()[1])
    for name in ("game.pgn", "game.json", "sheet.html"):
        other = files[name].replace(b"Ada", b"Eve")
        assert other != files[name]
        assert judged(again(files | {name: other})).findings == (
            f"{name} does not say what the journal says",
        )
        without = {each: content for each, content in files.items() if each != name}
        assert judged(again(without)).findings == (f"{name} is missing",)


def test_a_journal_that_tells_what_cannot_have_happened_is_found() -> None:
    path, *_ = original()
    entries = [*recover(path.read_bytes()).entries]
    entries.append(following(entries[-1], "turn", {"moves": {"red": "a1a2"}}, 0.0))
    false = path.with_name("false.journal")
    false.write_bytes(write_lines(entries))
    assert "line 8: " in findings(exported(false)[0])


def test_an_export_of_another_edition_is_not_called_proven(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path, _, head = original()
    monkeypatch.setattr(contents, "EDITION", 99)
    newer = exported(path)[0]
    verdict = judged(newer, head)
    assert verdict.findings == ()
    assert "edition 99" in verdict.open[0]


def test_a_picture_that_is_gone_or_torn_is_said_when_it_is_exported(tmp_path: Path) -> None:
    path = tmp_path / "game.journal"
    first, second, _ = kept_game(path)
    assert first.before is not None
    assert second.after is not None
    (tmp_path / "evidence" / first.before.names()[0]).unlink()
    torn = tmp_path / "evidence" / second.after.names()[0]
    torn.write_bytes(torn.read_bytes()[:-100])
    content, head, missing = exported(path)
    assert len(missing) == 2
    assert "not kept any more" in "".join(missing)
    assert "not as it was written" in "".join(missing)
    told = judged(content, head).findings
    assert [each.partition(" (")[0] for each in told] == [
        "the picture after turn 2 is missing",
        "the picture before turn 1 is missing",
    ]


# -- zips that mean harm -------------------------------------------------------------------------


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
def test_names_that_lead_elsewhere_are_told_and_never_followed(name: str) -> None:
    told = findings(zipped(lambda made: made.writestr(zipfile.ZipInfo(name), b"x")))
    assert "does not belong in an export" in told


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_is_there_twice_is_told() -> None:
    told = findings(zipped(lambda made: made.writestr("game.journal", b"another")))
    assert "game.journal is in it twice" in told


def test_a_bomb_is_not_set_off() -> None:
    def bomb(made: zipfile.ZipFile) -> None:
        made.writestr("sheet.htm", b"\0" * 50_000_000, zipfile.ZIP_DEFLATED)

    assert "'sheet.htm' does not belong" in findings(zipped(bomb))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("game.journal", b"\0" * 50_000_000, zipfile.ZIP_DEFLATED)
    assert "game.journal is compressed" in findings(out.getvalue())


def test_a_file_that_is_far_too_large_is_not_read() -> None:
    files = files_of(original()[1])
    name = next(name for name in files if name.startswith("evidence/") and name.endswith("json"))
    assert "too much to be one" in findings(packed(files | {name: b" " * 5_000_000}))


def test_an_encrypted_export_is_told() -> None:
    content = bytearray(packed({"game.journal": b"x"}))
    struct.pack_into("<H", content, 6, 1)
    struct.pack_into("<H", content, content.index(b"PK\1\2") + 8, 1)
    assert "game.journal is encrypted" in findings(bytes(content))


def test_an_export_that_was_packed_anew_is_told() -> None:
    assert "packed anew" in findings(zipped(lambda _: None))
    _, content, _ = original()
    assert judged(b"#!/bin/sh\n" + content).findings  # hidden before it
    assert judged(content + b"more").findings  # and behind it


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"PK\5\6" + b"\0" * 18, b"Dear Bob,\n", b"\xff" * 99]
)
def test_what_is_no_export_is_told_in_one_sentence(content: bytes) -> None:
    (sentence,) = judged(content).findings
    assert "no zip" in sentence or "game.journal is missing" in sentence


@PATIENTLY
@given(st.binary(max_size=300))
def test_no_bytes_whatever_are_more_than_a_finding(content: bytes) -> None:
    assert judged(content).findings
    assert judged(b"PK\3\4" + content).findings


# -- the command ---------------------------------------------------------------------------------


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, and one kept game with pictures."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.chdir(tmp_path)
    kept_game(tmp_path / "share" / "laserboard" / "games" / "2026-03-01-1.journal")
    return tmp_path


@pytest.mark.usefixtures("at_home")
def test_export_and_verify_on_the_command_line(laserboard: Laserboard) -> None:
    wrote, said = laserboard.prints("games", "export", "last", "--to", "zip").splitlines()
    assert wrote.startswith("wrote 2026-03-01-1.zip: 17 files, 0.")
    head = said.removeprefix("head ")
    whole = laserboard("games", "verify", "2026-03-01-1.zip", "--head", head)
    assert whole.status == 0
    assert "good, complete and untouched since its head was published" in whole.out
    assert f"head {head}" in whole.out
    alone = laserboard("games", "verify", "2026-03-01-1.zip")
    assert alone.status == 3
    assert "not proven: that nobody wrote all of it anew" in alone.out
    other = laserboard("games", "verify", "2026-03-01-1.zip", "--head", "0" * 16)
    assert (other.status, len(other.lines)) == (1, 1)
    assert "wrong: the head is" in other.out


@pytest.mark.usefixtures("at_home")
def test_a_tampered_export_is_told_with_status_1(laserboard: Laserboard) -> None:
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
def test_a_kept_journal_is_held_against_a_head_too(laserboard: Laserboard) -> None:
    lines = laserboard.prints("games", "export", "last", "--to", "jsonl").splitlines()
    head = json.loads(lines[-1])["hash"]
    assert "good" in laserboard.prints("games", "verify", "last", "--head", head[:16])
    ran = laserboard("games", "verify", "last", "--head", json.loads(lines[0])["hash"])
    assert ran.status == 1
    assert "6 entries were written after it" in ran.out


@pytest.mark.usefixtures("at_home")
def test_bad_usage_is_refused(laserboard: Laserboard) -> None:
    assert "is no head" in laserboard.refuses("games", "verify", "last", "--head", "beef")
    assert "name that one" in laserboard.refuses("games", "verify", "--head", "0" * 16)
    laserboard.refuses("games", "verify", "nothing.zip")
    assert "cannot write" in laserboard.refuses("games", "export", "--to", "no/such/place.zip")


def test_a_damaged_journal_is_not_made_an_export(laserboard: Laserboard, at_home: Path) -> None:
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
    assert listed.startswith("2026-03-01-1  6 pictures  0.")
    assert listed.endswith(" of 500 MB, kept for 90 days\n")
    assert laserboard.prints("games", "evidence", "prune") == "nothing to remove\n"
    monkeypatch.setattr("controller.wiring.wall_seconds", lambda: 4e9)
    said = laserboard.prints("games", "evidence", "prune", "--dry-run").splitlines()
    assert said[0] == "2026-03-01-1: older than 90 days"
    assert said[1].startswith("pictures to be removed (")
    folder = at_home / "share" / "laserboard" / "games" / "evidence"
    assert len(list(folder.iterdir())) == 12
    assert "pictures removed (" in laserboard.prints("games", "evidence", "prune")
    assert list(folder.iterdir()) == []
    ran = laserboard("games", "export", "last", "--to", "zip")
    assert ran.status == 1
    assert "missing: the picture after turn 1: " in ran.err
