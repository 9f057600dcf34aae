"""The section `play` is read, and every error names its line and key."""

from __future__ import annotations

import contextlib
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
from controller.session.board_fit import fit_board
from controller.session.clocks import MAX_CLOCK_MS, ClockKind, TimeControl
from controller.session.sentences import NO_BOARD_FITS
from controller.session.setup import Seat
from engine import catalogue, games
from engine.sentences import Sentence
from tests.support.engine.sentences import raises
from vision.board import BoardDoesNotFit

BOARDS = {name: load_board(name) for name in ("demo-10x8", "photon-10x10", "hex-r5")}
DEMO = write_board(BOARDS["demo-10x8"])
FIRST = DEMO.count("\n") + 1  # the line of `play:`


def read(section: str) -> PlaySettings:
    return read_board(f"{DEMO}play:{section}", "mine.yaml").play


def complaint(section: str) -> str:
    with pytest.raises(BadConfig) as caught:
        read(section)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("mine.yaml:")
    return message


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
    ("section", "message"),
    [
        ("\n  gane: photon", "play.gane: unknown key, did you mean 'game'?"),
        ("\n  game: laser-ches", "play.game: there is no game 'laser-ches', did you mean"),
        ("\n  game: photon", "play.game: the board 'mine' (10 x 8 squares) has no room for"),
        ("\n  setup: sofie", "has no setup 'sofie', did you mean 'sophie'?"),
        ("\n  players: human", "play.players: got 'human', want a list of two, such as [human,"),
        ("\n  players: [human]", "play.players: got a list of 1, want a list of two"),
        ("\n  players: [human, robot]", "play.players[1]: 'robot' is not a player: write"),
        ("\n  players: [humn, human]", "play.players[0]: 'humn' is not a player, did you mean"),
        ("\n  players: [human, computer:9]", "write human, or computer:1 to computer:8"),
        ("\n  players: [human, [x]]", "play.players[1]: got a list, want human, or computer:3"),
        ("\n  names: [Ada]", "play.names: got a list of 1, want a list of two names"),
        ("\n  names: [Ada, ]", "play.names: got a list of 1, want a list of two names"),
        ('\n  names: [Ada, "a\\nb"]', "want a name of up to 40 letters on one line"),
        (f"\n  names: [Ada, {'b' * 41}]", "want a name of up to 40 letters"),
        ("\n  clock: 10", "play.clock: clock '10': say of what: 10m or 10s"),
        ("\n  clock: soon", "play.clock: clock 'soon': write one of none; 10m"),
        ("\n  clock: [10m]", "play.clock: got a list, want a time control, such as 10m"),
        ("\n  clock:", "play.clock: got nothing, want a time control"),
        ("\n  fire: buton", "play.fire: got 'buton', want button or auto"),
        ("\n  fire_after_s: 0.5", "got '0.5', want a number from 1 to 60 seconds"),
        ("\n  fire_after_s: 61", "got '61', want a number from 1 to 60 seconds"),
        ("\n  take_back: yes", "play.take_back: got 'yes', want ask or never"),
        ("\n  voice: loud", "got 'loud', want auto or espeak or terminal or none"),
    ],
)
def test_an_error_names_its_line(section: str, message: str) -> None:
    said = complaint(section)
    assert message in said
    assert said.startswith(f"mine.yaml:{FIRST + 1}: ")


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
