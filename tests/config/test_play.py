"""The section `play` is read, and every error names its line and key."""

from __future__ import annotations

import contextlib
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.config import sentences
from controller.config.board_file import BoardFile, load_board, read_board, write_board
from controller.config.board_names import default_board, own_board_path
from controller.config.play import (
    FIRE_MODES,
    MAX_NAME_LENGTH,
    TAKE_BACK_CHOICES,
    VOICE_CHOICES,
    BadSeat,
    PlaySettings,
    parse_seat,
)
from controller.config.yaml_tree import BadConfig
from controller.session import sentences as session_sentences
from controller.session.board_fit import fit_board
from controller.session.clocks import MAX_CLOCK_MS, ClockKind, TimeControl
from controller.session.sentences import NO_BOARD_FITS
from controller.session.setup import Seat
from engine import catalogue, games
from engine.sentences import Sentence
from tests.support.config.sentences import (
    at_key,
    got,
    got_list,
    near,
    number_of,
    one_of,
    unknown_key,
)
from tests.support.engine.sentences import Expected, raises
from vision import sentences as vision_sentences
from vision.board import BoardDoesNotFit

BOARDS = {name: load_board(name) for name in ("demo-10x8", "photon-10x10", "hex-r5")}
DEMO = write_board(BOARDS["demo-10x8"])
FIRST = DEMO.count("\n") + 1  # the line of `play:`
at = partial(at_key, "mine.yaml", FIRST + 1)


def read(section: str) -> PlaySettings:
    return read_board(f"{DEMO}play:{section}", "mine.yaml").play


def test_every_key_of_play_is_read() -> None:
    assert read(
        """
  game: laser-chess
  setup: sophie
  players: [human, computer:4]
  names: [Ada, "Deep Mirror"]
  clock: 5m+3s
  fire: auto
  fire_after_s: 2.5
  take_back: never
  voice: none
"""
    ) == PlaySettings(
        "laser-chess",
        "sophie",
        (Seat("Ada"), Seat("Deep Mirror", 4)),
        TimeControl(ClockKind.FISCHER, 300_000, 3_000),
        "auto",
        2.5,
        "never",
        "none",
    )


def test_by_default_two_people_play_by_button_without_a_clock() -> None:
    assert read_board(DEMO, "mine.yaml").play == PlaySettings()
    assert read(" {}") == PlaySettings()
    usual = PlaySettings()
    assert (usual.fire, usual.fire_after_s, usual.take_back, usual.voice) == (
        *("button", 3, "ask", "auto"),
    )
    assert usual.seats == (Seat(""), Seat(""))
    assert usual.clock.kind is ClockKind.NONE


def test_names_without_players_are_people() -> None:
    assert read(" {names: [Ada, '']}").seats == (Seat("Ada"), Seat(""))
    assert read(" {names: [007, no]}").seats == (Seat("007"), Seat("no"))
    assert read(" {players: [computer, human]}").seats == (Seat("", 3), Seat(""))


def test_the_clock_no_means_no_clock() -> None:
    assert read(" {clock: off}").clock == TimeControl()


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("\n  gane: photon", at("play.gane", unknown_key(near("game")))),
        (
            "\n  game: laser-ches",
            at("play.game", catalogue.NO_SUCH_GAME(name="'laser-ches'", hint=near("laser-chess"))),
        ),
        (
            "\n  game: photon",
            at(
                "play.game",
                vision_sentences.NO_ROOM(
                    board="mine",
                    size=vision_sentences.SQUARES(columns=10, rows=8),
                    wanted=vision_sentences.SQUARES(columns=10, rows=10),
                ),
            ),
        ),
        (
            "\n  setup: sofie",
            at(
                "play.setup",
                catalogue.NO_SUCH_SETUP(game="laser-chess", name="'sofie'", hint=near("sophie")),
            ),
        ),
        ("\n  players: human", at("play.players", got("'human'", sentences.TWO_SEATS()))),
        ("\n  players: [human]", at("play.players", got_list(1, sentences.TWO_SEATS()))),
        (
            "\n  players: [human, robot]",
            at("play.players[1]", sentences.NOT_A_SEAT(value="'robot'", strongest=8)),
        ),
        (
            "\n  players: [humn, human]",
            at("play.players[0]", sentences.NOT_A_SEAT_NEAR(value="'humn'", hint=near("human"))),
        ),
        (
            "\n  players: [human, computer:9]",
            at("play.players[1]", sentences.NOT_A_SEAT(value="'computer:9'", strongest=8)),
        ),
        (
            "\n  players: [human, [x]]",
            at("play.players[1]", got(sentences.A_LIST(), sentences.SEAT())),
        ),
        ("\n  names: [Ada]", at("play.names", got_list(1, sentences.TWO_NAMES()))),
        ("\n  names: [Ada, ]", at("play.names", got_list(1, sentences.TWO_NAMES()))),
        (
            '\n  names: [Ada, "a\\nb"]',
            at("play.names[1]", got("'a\\nb'", sentences.PLAYER_NAME_LINE(most=40))),
        ),
        (
            f"\n  names: [Ada, {'b' * 41}]",
            at("play.names[1]", got(repr("b" * 41), sentences.PLAYER_NAME_LINE(most=40))),
        ),
        (
            "\n  clock: 10",
            at(
                "play.clock",
                session_sentences.BAD_CLOCK(
                    value="'10'", advice=session_sentences.CLOCK_UNIT(example="10m or 10s")
                ),
            ),
        ),
        ("\n  clock: soon", session_sentences.CLOCK_WRITE),
        ("\n  clock: [10m]", at("play.clock", got(sentences.A_LIST(), sentences.TIME_CONTROL()))),
        ("\n  clock:", at("play.clock", got(sentences.NOTHING(), sentences.TIME_CONTROL()))),
        ("\n  fire: buton", at("play.fire", got("'buton'", one_of("button", "auto")))),
        (
            "\n  fire_after_s: 0.5",
            at("play.fire_after_s", got("'0.5'", number_of(sentences.SECONDS(), 1, 60))),
        ),
        (
            "\n  fire_after_s: 61",
            at("play.fire_after_s", got("'61'", number_of(sentences.SECONDS(), 1, 60))),
        ),
        ("\n  take_back: yes", at("play.take_back", got("'yes'", one_of("ask", "never")))),
        (
            "\n  voice: loud",
            at("play.voice", got("'loud'", one_of("auto", "espeak", "terminal", "none"))),
        ),
    ],
)
def test_an_error_names_its_line(section: str, expected: Expected) -> None:
    with raises(BadConfig, expected) as caught:
        read(section)
    assert "\n" not in str(caught.value)


def test_a_setup_for_a_game_without_setups_is_refused() -> None:
    text = write_board(BOARDS["hex-r5"])
    with raises(BadConfig, sentences.GAME_WITHOUT_SETUPS(game="spaceships")):
        read_board(f"{text}play: {{setup: ace}}", "hex.yaml")


def test_a_setup_on_a_board_that_fits_no_game_is_refused() -> None:
    small = DEMO.replace("columns: 10", "columns: 5")
    with raises(BadConfig, NO_BOARD_FITS(board="small")):
        read_board(f"{small}play: {{setup: ace}}", "small.yaml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(
            (text, sentences.NOT_A_SEAT(value=repr(text), strongest=8))
            for text in ("", "computer:", "computer:0", "computer:10")
        ),
        ("Human", catalogue.DID_YOU_MEAN(name="human")),
        ("human ", catalogue.DID_YOU_MEAN(name="human")),
    ],
)
def test_an_unknown_seat_is_refused(text: str, expected: Sentence) -> None:
    with raises(BadSeat, expected):
        parse_seat(text)


lengths = st.integers(1, MAX_CLOCK_MS)
clocks = (
    st.just(TimeControl())
    | st.builds(TimeControl, st.sampled_from([ClockKind.SUDDEN_DEATH, ClockKind.PER_MOVE]), lengths)
    | st.builds(
        TimeControl,
        st.sampled_from([ClockKind.FISCHER, ClockKind.BRONSTEIN, ClockKind.DELAY]),
        lengths,
        lengths,
    )
)
names = st.text(max_size=MAX_NAME_LENGTH).filter(str.isprintable)
seats = st.builds(Seat, names, st.none() | st.integers(1, 8))


@st.composite
def written_files(draw: st.DrawFn) -> BoardFile:
    board = draw(st.sampled_from(list(BOARDS.values())))
    fitting = []
    for name in games.GAMES:
        with contextlib.suppress(BoardDoesNotFit):
            fitting.append(fit_board(board, games.make(name)).game.name)
    game = draw(st.none() | st.sampled_from(fitting))
    setups = list((games.make(game) if game else fit_board(board).game).setups())
    play = PlaySettings(
        game,
        draw(st.sampled_from([None, *setups])),
        (draw(seats), draw(seats)),
        draw(clocks),
        draw(st.sampled_from(FIRE_MODES)),
        draw(st.floats(1, 60)),
        draw(st.sampled_from(TAKE_BACK_CHOICES)),
        draw(st.sampled_from(VOICE_CHOICES)),
    )
    return BoardFile(board, play=play)


@given(written_files())
def test_the_section_is_written_and_read_back_the_same(file: BoardFile) -> None:
    text = write_board(file.board, play=file.play)
    assert read_board(text, f"{file.board.name}.yaml") == file


def test_the_board_file_in_the_folder_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LASERBOARD_BOARD", raising=False)
    assert default_board() == "demo-10x8"
    (tmp_path / "laserboard.yaml").mkdir()  # a folder is not a board file
    assert default_board() == "demo-10x8"
    (tmp_path / "laserboard.yaml").rmdir()
    (tmp_path / "laserboard.yaml").write_text(DEMO)
    assert default_board() == "laserboard.yaml"
    assert load_board(default_board()).grid == BOARDS["demo-10x8"].grid


def test_the_environment_overrides_the_board_file_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "laserboard.yaml").write_text(DEMO)
    monkeypatch.setenv("LASERBOARD_BOARD", "/etc/laserboard/board.yaml")
    assert default_board() == own_board_path() == "/etc/laserboard/board.yaml"
    monkeypatch.setenv("LASERBOARD_BOARD", "")
    assert default_board() == own_board_path() == "laserboard.yaml"
    (tmp_path / "laserboard.yaml").unlink()
    assert own_board_path() is None
