"""Sentences about stored games: entries of journals, images of turns, exports and their checks.

Slots called `name`, `value` or `path` hold text that is quoted already where it must be.
"""

from __future__ import annotations

from engine.sentences import Catalogue, Sentence, Template

_catalogue = Catalogue("storage")


def counted(count: int, one: Template, many: Template) -> Sentence:
    """`1 turn` or `3 turns`, from two templates with the slot `count`."""
    return (one if count == 1 else many)(count=count)


def turn_count(count: int) -> Sentence:
    return counted(count, ONE_TURN, TURNS)


ONE_TURN = _catalogue("one_turn", "{count} turn")
TURNS = _catalogue("turns", "{count} turns")
ONE_ENTRY = _catalogue("one_entry", "{count} entry")
ENTRIES = _catalogue("entries", "{count} entries")
ONE_IMAGE = _catalogue("one_image", "{count} image")
IMAGES = _catalogue("images", "{count} images")

# -- entries of a journal --------------------------------------------------------------------------

PROPOSED = _catalogue("proposed", "{subject}: {sentence}")
PROPOSED_PENALTY = _catalogue(
    "proposed_penalty", "{subject}: {sentence} (the policy says {penalty})"
)
RULED = _catalogue("ruled", "{decision}: the proposal of line {line}")
PENALTY_LOSS = _catalogue("penalty_loss", "{player}, for {cause}: the game is lost")
PENALTY_WARNING = _catalogue("penalty_warning", "{player}, for {cause}: a warning")
PENALTY_TIME = _catalogue("penalty_time", "{player}, for {cause}: {time} more for {other}")
CLOCKS_SET = _catalogue("clocks_set", "set")
CLOCKS_SET_TO = _catalogue("clocks_set_to", "set to {clocks}")
CLOCK_OF = _catalogue("clock_of", "{player} {time}")
RESULT_STANDS = _catalogue("result_stands", "the result stands")
AGREES = _catalogue("agrees", "{player} agrees to the result")
TURN_VOID = _catalogue("turn_void", "{turns} turn no longer counts")
TURNS_VOID = _catalogue("turns_void", "{turns} turns no longer count")
POSITION_SET = _catalogue("position_set", "the position was put: {cells}")
MOVER_SET = _catalogue("mover_set", "the position was put: who is to move")
RESULT_VOID = _catalogue("result_void", "the result before it no longer counts")
POSITION_BECAME = _catalogue("position_became", "{sentence}; {before} became {after}")
TAKEN_BACK = _catalogue("taken_back", "turns taken back: {turns}")
NOTE = _catalogue("note", "“{note}”")
WITH_NOTE = _catalogue("with_note", "{sentence} “{note}”")

# -- the score sheet -------------------------------------------------------------------------------

GAME_ON_DAY = _catalogue("game_on_day", "{game}, {started}")
SCORE_SHEET = _catalogue("score_sheet", "Score sheet")
FACT_GAME = _catalogue("fact_game", "Game")
FACT_SETUP = _catalogue("fact_setup", "Setup")
FACT_BEGUN = _catalogue("fact_begun", "Begun")
FACT_TIME = _catalogue("fact_time", "Time")
FACT_PENALTIES = _catalogue("fact_penalties", "Penalties")
FACT_ROUND = _catalogue("fact_round", "Round")
FACT_TABLE = _catalogue("fact_table", "Table")
SOME_POSITION = _catalogue("some_position", "a position")
SEEDED_MAP = _catalogue("seeded_map", "map {seed}")
NO_TIME_CONTROL = _catalogue("no_time_control", "none")
NO_TURN_PLAYED = _catalogue("no_turn_played", "No turn was played.")
RESULT = _catalogue("result", "Result")
TURNS_TAKEN_BACK = _catalogue("turns_taken_back", "{turns}, {count} taken back")
CORRECTED_BEFORE_FIRST_TURN = _catalogue(
    "corrected_before_first_turn", "{mark} the position was corrected before the first turn"
)
CORRECTED_AFTER_TURN = _catalogue(
    "corrected_after_turn", "{mark} the position was corrected after this turn"
)
WAITS_FOR = _catalogue("waits_for", "It waits for {names}")
STANDS = _catalogue("stands", "It stands")
REMARKS = _catalogue("remarks", "Corrections, penalties, notes")
REMARKS_NUMBERING = _catalogue("remarks_numbering", "by line of the journal")
REFEREE = _catalogue("referee", "referee")
HASH_NOTE = _catalogue(
    "hash_note",
    "Hash of the last of {entries} journal entries. The digits in bold identify the game:"
    " {command} proves that it is complete and unchanged.",
)

# -- images of turns -------------------------------------------------------------------------------

NOT_AN_IMAGE_NAME = _catalogue("not_an_image_name", "{name} is not the name of an image")
IMAGE_GONE = _catalogue("image_gone", "{name} is no longer stored in {folder}")
IMAGE_UNREADABLE = _catalogue("image_unreadable", "cannot read {folder}/{name}: {reason}")
IMAGE_CHANGED = _catalogue("image_changed", "{folder}/{name} was changed: its hash differs")

# -- readings of images ----------------------------------------------------------------------------

READING_NOT_ASCII = _catalogue("reading_not_ascii", "the reading of an image must be ASCII")
READING_FORMAT = _catalogue(
    "reading_format", "the reading of an image has another format than {known}"
)
READING_NOT_DRAWN = _catalogue("reading_not_drawn", "the reading cannot be drawn: {problem}")
READING_SUMMARY = _catalogue("reading_summary", "{pieces} pieces read, {covered} cells covered")

# -- removing images -------------------------------------------------------------------------------

CANNOT_REMOVE = _catalogue("cannot_remove", "cannot remove {path}: {reason}")
PRUNED = _catalogue("pruned", "images removed ({megabytes} MB): {reasons}")
TO_BE_PRUNED = _catalogue("to_be_pruned", "images to be removed ({megabytes} MB): {reasons}")
ONE_EXPIRED_GAME = _catalogue("one_expired_game", "{count} game past their time")
EXPIRED_GAMES = _catalogue("expired_games", "{count} games past their time")
ONE_GAME_OVER_QUOTA = _catalogue(
    "one_game_over_quota", "the {count} oldest game, to stay below the quota"
)
GAMES_OVER_QUOTA = _catalogue(
    "games_over_quota", "the {count} oldest games, to stay below the quota"
)
ONE_UNREFERENCED_FILE = _catalogue("one_unreferenced_file", "{count} file of no game")
UNREFERENCED_FILES = _catalogue("unreferenced_files", "{count} files of no game")

# -- image files -----------------------------------------------------------------------------------

IMAGE = _catalogue("image", "image {name}")
IMAGE_FILE_UNREADABLE = _catalogue(
    "image_file_unreadable", "cannot read the image {name}: {reason}"
)
IMAGE_FILE_TOO_LARGE = _catalogue("image_file_too_large", "image {name}: larger than {mib} MiB")
IMAGE_TOO_LARGE = _catalogue(
    "image_too_large",
    "{what}: {width} x {height} are {megapixels} million pixels, at most {most} are read: scale it"
    " down",
)
IMAGE_TOO_SMALL = _catalogue(
    "image_too_small", "{what}: {width} x {height} pixels are too few to see anything"
)
IMAGE_DAMAGED = _catalogue("image_damaged", "{what}: damaged, it cannot be unpacked")
IMAGE_DAMAGED_AT = _catalogue("image_damaged_at", "{what}: damaged, it is no JPEG after byte {at}")
IMAGE_CUT_OFF = _catalogue("image_cut_off", "{what}: cut off, the end of the file is missing")
IMAGE_EMPTY = _catalogue("image_empty", "{what}: the file is empty")
NOT_AN_IMAGE = _catalogue("not_an_image", "{what}: neither JPEG nor PNG")
IMAGE_NOT_PNG = _catalogue("image_not_png", "cannot write {name}: images are saved as .png")
IMAGE_FILE_UNWRITABLE = _catalogue("image_file_unwritable", "cannot write {name}: {reason}")

# -- stored games ----------------------------------------------------------------------------------

CANNOT_READ = _catalogue("cannot_read", "cannot read {path}: {reason}")
NO_SUCH_GAME = _catalogue(
    "no_such_game", "there is no game and no file {name}{hint} (`laserboard games list` shows all)"
)
NO_SUCH_GAME_BECAUSE = _catalogue("no_such_game_because", "there is no game {name} ({reason})")
NO_SUCH_GAME_OF_NONE = _catalogue(
    "no_such_game_of_none", "there is no game and no file {name}; {no_games}"
)
NO_GAMES = _catalogue(
    "no_games",
    "no game is stored yet: play one with `laserboard simulate`, and it stays in {folder}",
)
JOURNAL_TOO_LARGE = _catalogue(
    "journal_too_large", "{path} is larger than {mib} MiB: it is not a journal"
)
CONTAINS_NO_GAME = _catalogue("contains_no_game", "{path} contains no game: {reason}")
GAME_WRONG = _catalogue("game_wrong", "{fault}; what is before it survives ({turns})")
GAME_DAMAGED = _catalogue("game_damaged", "{damage} ({turns})")

# -- zip files of exports --------------------------------------------------------------------------

EXPORT_TOO_LARGE = _catalogue("export_too_large", "more than {files} files or {mib} MiB in one zip")
ZIP_TOO_LARGE = _catalogue("zip_too_large", "is larger than {mib} MiB: it is not an export")
ZIP_TOO_MANY_FILES = _catalogue("zip_too_many_files", "has {files} files: it is not an export")
NOT_A_ZIP = _catalogue("not_a_zip", "is not a zip, or its end is missing")
ZIP_REPACKED = _catalogue(
    "zip_repacked",
    "the zip itself is not as Laserboard writes it: it was packed again, or something is hidden"
    " between its files",
)
FOREIGN_MEMBER = _catalogue("foreign_member", "{name} does not belong in an export")
MEMBER_DAMAGED = _catalogue(
    "member_damaged", "{name} is damaged: its checksum is wrong, or its end is missing"
)
MEMBER_TWICE = _catalogue("member_twice", "{name} is in it twice")
MEMBER_ENCRYPTED = _catalogue("member_encrypted", "{name} is encrypted: an export never is")
MEMBER_COMPRESSED = _catalogue(
    "member_compressed", "{name} is compressed: an export never is, so it was not read"
)
MEMBER_TOO_LARGE = _catalogue(
    "member_too_large", "{name} has {size} bytes: that is too much to be one"
)

# -- exports: evidence -----------------------------------------------------------------------------

IMAGE_BEFORE_TURN = _catalogue("image_before_turn", "the image before turn {turn}")
IMAGE_AFTER_TURN = _catalogue("image_after_turn", "the image after turn {turn}")
READING_BEFORE_TURN = _catalogue("reading_before_turn", "the reading before turn {turn}")
READING_AFTER_TURN = _catalogue("reading_after_turn", "the reading after turn {turn}")
EVIDENCE_MISSING = _catalogue("evidence_missing", "{what}: {reason}")

# -- exports: verification -------------------------------------------------------------------------

NOT_A_HASH = _catalogue(
    "not_a_hash",
    "{value} is not a hash: give its first {digits} digits or more of the 64, 0 to 9 and a to f",
)
HASH_OF_ENTRY_ONE_LATER = _catalogue(
    "hash_of_entry_one_later",
    "the published hash is that of entry {number}: up to there nothing was changed, and {count}"
    " entry was written after it",
)
HASH_OF_ENTRY = _catalogue(
    "hash_of_entry",
    "the published hash is that of entry {number}: up to there nothing was changed, and {count}"
    " entries were written after it",
)
OTHER_HASH = _catalogue(
    "other_hash",
    "the hash is {found} and the published one is {published}: entries were changed, removed or"
    " rewritten since",
)
MORE_FILES_CHANGED = _catalogue("more_files_changed", "and {count} more files were changed")
JOURNAL_MISSING = _catalogue(
    "journal_missing", "{file} is missing: the rest cannot be checked without it"
)
FILE_FAULT = _catalogue("file_fault", "{file}: {fault}")
FILE_HOLDS_NO_GAME = _catalogue("file_holds_no_game", "{file} holds no game: {reason}")
FILE_MISSING = _catalogue("file_missing", "{file} is missing")
FILE_UNKNOWN_TO_GAME = _catalogue(
    "file_unknown_to_game", "{file} does not belong to this game, which has no such form"
)
FILE_DISAGREES = _catalogue("file_disagrees", "{file} does not agree with the journal")
LINKED_MISSING = _catalogue("linked_missing", "{what} is missing ({file})")
LINKED_CHANGED = _catalogue(
    "linked_changed", "{what} is not the one that the journal links ({file})"
)
NOT_LINKED = _catalogue("not_linked", "no entry of the journal links {file}")
MANIFEST_MORE_ENTRIES = _catalogue(
    "manifest_more_entries",
    "{manifest} lists {listed} entries, and the journal has {found}: its tail is missing",
)
MANIFEST_FEWER_ENTRIES = _catalogue(
    "manifest_fewer_entries", "{manifest} lists {listed} entries, and the journal has {found}"
)
MANIFEST_OTHER_HASH = _catalogue(
    "manifest_other_hash", "{manifest} has another hash than the journal"
)
LISTED_MISSING = _catalogue("listed_missing", "{file} is missing, which {manifest} lists")
NOT_LISTED = _catalogue("not_listed", "{manifest} does not list {file}")
LISTED_CHANGED = _catalogue("listed_changed", "{file} is not the file that {manifest} lists")
MANIFEST_CHANGED = _catalogue("manifest_changed", "{manifest} was changed")
MANIFEST_NOT_ASCII = _catalogue("manifest_not_ascii", "is not ASCII")
MANIFEST_FILES = _catalogue("manifest_files", "files must be an object, not {value}")
UNPROVEN_EDITION = _catalogue(
    "unproven_edition",
    "that {sheet} and the records agree with the journal: they have edition {found}, and this"
    " Laserboard writes edition {edition}",
)
UNPROVEN_JOURNAL = _catalogue(
    "unproven_journal",
    "that the journal was not rewritten as a whole: only a hash that was published before can"
    " prove that, with --hash (here it would be {hash})",
)
UNFINISHED = _catalogue("unfinished", "unfinished")
EXPORT_SUMMARY = _catalogue(
    "export_summary", "{entries}, {turns}, {images}, {outcome}; hash {hash}"
)

# -- edition 2 of the score sheet ------------------------------------------------------------------

PROPOSED_PENALTY_EDITION_2 = _catalogue(
    "proposed_penalty_edition_2", "{subject}: {sentence} (the laws say {penalty})"
)
HASH_NOTE_EDITION_2 = _catalogue(
    "hash_note_edition_2",
    "Head of the journal's chain of {entries} entries, as this sheet was made. The digits in bold"
    " are enough to know it by: {command} proves that a game is complete and as it was.",
)
TURN_VOID_EDITION_2 = _catalogue("turn_void_edition_2", "{turns} turn counts no more")
TURNS_VOID_EDITION_2 = _catalogue("turns_void_edition_2", "{turns} turns count no more")
RESULT_VOID_EDITION_2 = _catalogue("result_void_edition_2", "the result before it counts no more")
RULED_EDITION_2 = _catalogue("ruled_edition_2", "{decision}: the matter of line {line}")
