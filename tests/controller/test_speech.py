"""Spoken turns: the words for every game, and voices that never keep a game waiting."""

from __future__ import annotations

import io
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.devices.clock import ManualClock, SystemClock
from controller.devices.speech import (
    LONGEST_SENTENCE,
    EspeakVoice,
    RecordingVoice,
    TerminalVoice,
    for_the_ear,
)
from controller.ports import DeviceRemark, Voice
from controller.spoken import outcome_words, turn_words
from engine import games
from engine.game import AnyGame, AnyTurn, Outcome
from tests.play import random_turns

LONG_MS = 60_000
CLOCK = SystemClock()

# -- words -------------------------------------------------------------------------------------


ALL_TURNS = [
    (kind(), turn)
    for kind in games.GAMES.values()
    for seed in range(8)
    for turn in random_turns(kind(), seed, 60, patience=2)
]


def test_every_turn_of_every_game_has_words_without_signs_that_cannot_be_said() -> None:
    for game, turn in ALL_TURNS:
        words = turn_words(game, turn)
        assert re.fullmatch(r"[a-z0-9 ,.:']+", words), words
        assert for_the_ear(words) == words
        for player, _ in turn.moves:
            assert game.players[player] in words
        for loss in turn.losses:
            assert re.search(rf"\b{turn.aimed.grid.name(loss.cell)}\b", words), words


def test_a_game_is_over_in_words_exactly_when_it_is_over() -> None:
    ended = [(game, turn) for game, turn in ALL_TURNS if turn.outcome is not None]
    assert len({game.name for game, _ in ended}) == len(games.GAMES)
    for game, turn in ALL_TURNS:
        words = turn_words(game, turn)
        if turn.outcome is None:
            assert "wins" not in words
            assert "draw" not in words
        elif turn.outcome.winner is None:
            assert words.endswith(": a draw")
        else:
            assert words.endswith(f": {game.players[turn.outcome.winner]} wins")


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("j4j3", "blue j4 to j3"),
        ("c4-", "blue turns c4 counterclockwise"),
        ("j4+", "blue turns j4 clockwise, loses its own j4"),
    ],
)
def test_a_first_turn_as_one_would_tell_it(move: str, words: str) -> None:
    game = games.make("laser-chess")
    position = game.start("ace")
    turn = game.resolve(position, {0: game.read_move(position, 0, move)})
    assert turn_words(game, turn) == words


def found(wanted: Callable[[AnyGame, AnyTurn], bool]) -> tuple[AnyGame, AnyTurn]:
    return next((game, turn) for game, turn in ALL_TURNS if wanted(game, turn))


def one_mover(turn: AnyTurn) -> bool:
    return len(turn.moves) == 1


def test_a_capture_is_told_as_taking_it() -> None:
    game, turn = found(
        lambda _, turn: (
            one_mover(turn)
            and turn.outcome is None
            and len(turn.losses) == 1
            and turn.losses[0].removed
            and turn.losses[0].piece.owner != turn.moves[0][0]
        )
    )
    cell = turn.aimed.grid.name(turn.losses[0].cell)
    assert turn_words(game, turn).endswith(f", takes {cell}")


def test_a_capture_of_ones_own_is_told_as_what_it_is() -> None:
    game, turn = found(
        lambda _, turn: (
            one_mover(turn)
            and turn.outcome is None
            and len(turn.losses) == 1
            and turn.losses[0].removed
            and turn.losses[0].piece.owner == turn.moves[0][0]
        )
    )
    cell = turn.aimed.grid.name(turn.losses[0].cell)
    assert turn_words(game, turn).endswith(f", loses its own {cell}")


def test_a_lost_hit_point_is_told_with_what_is_left() -> None:
    game, turn = found(lambda _, turn: any(not loss.removed for loss in turn.losses))
    (loss,) = (loss for loss in turn.losses if not loss.removed)
    cell, left = turn.aimed.grid.name(loss.cell), turn.after.pieces[loss.cell].hit_points
    assert re.search(rf"{cell} loses {loss.hits} hit points?, {left} left", turn_words(game, turn))


@pytest.mark.parametrize(("by", "sense"), [(1, "clockwise"), (-1, "counterclockwise")])
def test_a_piece_that_turns_is_told_with_the_sense_of_its_turn(by: int, sense: str) -> None:
    def turned(game: AnyGame, turn: AnyTurn) -> bool:
        (player, move), *rest = turn.moves
        cell = game.origin(turn.before, player, move)
        if rest or cell is None or turn.losses or cell not in turn.aimed.pieces:
            return False
        was, now = turn.before.pieces[cell], turn.aimed.pieces[cell]
        return bool(now.kind == was.kind) and (now.orientation - was.orientation) % 4 == by % 4

    game, turn = found(turned)
    player, move = turn.moves[0]
    cell = game.origin(turn.before, player, move)
    assert cell is not None
    name = turn.aimed.grid.name(cell)
    assert turn_words(game, turn) == f"{game.players[player]} turns {name} {sense}"


def test_a_king_that_is_hit_ends_the_game_in_one_sentence_that_names_it_once() -> None:
    game, turn = found(
        lambda _, turn: (
            turn.outcome is not None
            and turn.outcome.winner is not None
            and one_mover(turn)
            and len(turn.losses) == 1
        )
    )
    (loss,) = turn.losses
    assert turn.outcome is not None
    assert turn.outcome.winner is not None
    loser, winner = game.players[1 - turn.outcome.winner], game.players[turn.outcome.winner]
    where = turn.aimed.grid.name(loss.cell)
    end = f". {loser}'s {loss.piece.kind} on {where} is hit: {winner} wins"
    words = turn_words(game, turn)
    assert words.endswith(end)
    assert len(re.findall(rf"\b{where}\b", words)) == 1


def test_a_shot_where_both_act_at_once_is_told_with_its_way() -> None:
    game, turn = found(
        lambda _, turn: (
            not one_mover(turn)
            and not turn.losses
            and [len(beam.path) > 1 for beam in turn.beams] == [True, True]
        )
    )
    ways = {beam.owner: turn.aimed.grid.name(beam.path[1]) for beam in turn.beams}
    assert turn_words(game, turn) == ", ".join(
        f"{name} fires toward {ways[player]}" for player, name in enumerate(game.players)
    )


def test_an_end_away_from_the_board_has_words_too() -> None:
    game = games.make()
    assert outcome_words(game, Outcome.win(0, "time over")) == f"time over: {game.players[0]} wins"
    assert outcome_words(game, Outcome.draw("agreed")) == "agreed: a draw"


# -- voices ------------------------------------------------------------------------------------


class Booth:
    """A folder with a fake espeak-ng that writes down what it was to say, one file each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "espeak-ng"
        self.gate = folder / "gate"
        self.voices: list[EspeakVoice] = []

    def install(self, ending: str = "") -> None:
        said = self.folder / "said"
        self.program.write_text(
            f'#!/bin/sh\ntext=$(cat)\necho "$$ $* | $text" >> {said}\n{ending}\n'
        )
        self.program.chmod(0o755)

    def hold(self) -> str:
        """An ending that waits until `let_go`."""
        os.mkfifo(self.gate)
        return f"read word < {self.gate}"

    def let_go(self) -> None:
        with self.gate.open("w") as gate:
            gate.write("go\n")

    def lines(self) -> list[str]:
        said = self.folder / "said"
        return said.read_text("utf-8").splitlines() if said.exists() else []

    def said(self) -> list[str]:
        return [line.partition(" | ")[2] for line in self.lines()]

    def voice(self, **more: Any) -> EspeakVoice:
        self.voices.append(EspeakVoice(CLOCK, program=str(self.program), **more))
        return self.voices[-1]


@pytest.fixture
def booth(tmp_path: Path) -> Iterator[Booth]:
    made = Booth(tmp_path)
    yield made
    for voice in made.voices:
        voice.close()
    assert not [each for each in threading.enumerate() if each.name == EspeakVoice.name]


def await_that(condition: Callable[[], Any]) -> Any:
    end_ms = CLOCK.now_ms() + LONG_MS
    while CLOCK.now_ms() < end_ms:
        if result := condition():
            return result
        CLOCK.wait_ms(5)
    raise AssertionError("nothing came of it")


def test_a_sentence_reaches_espeak_as_text_and_never_as_an_option(booth: Booth) -> None:
    booth.install()
    voice = booth.voice(language="de", words_per_minute=120)
    voice.say("--version; `e4` to ♔ e5,\n takes [[g3]]")
    await_that(booth.lines)
    assert booth.said() == ["--version; `e4` to ♔ e5, takes g3"]
    assert "-v de -s 120" in booth.lines()[0]
    assert "version" not in booth.lines()[0].partition(" | ")[0]
    assert voice.events() == []


def test_the_newest_replaces_what_is_not_begun_and_nothing_is_cut_short(booth: Booth) -> None:
    booth.install(booth.hold())
    voice = booth.voice()
    voice.say("first")
    await_that(booth.lines)
    for number in range(1000):
        voice.say(f"number {number}")
    booth.let_go()
    await_that(lambda: len(booth.lines()) == 2)
    booth.let_go()
    assert booth.said() == ["first", "number 999"]


def test_closing_ends_what_is_being_said_and_leaves_no_process(booth: Booth) -> None:
    booth.install("exec sleep 600")
    voice = booth.voice()
    voice.say("a long story")
    (line,) = await_that(booth.lines)
    voice.say("another")
    voice.close()
    voice.close()
    voice.say("after the end")
    with pytest.raises(ProcessLookupError):
        os.kill(int(line.split()[0]), 0)
    assert booth.said() == ["a long story"]
    assert voice.events() == []


def test_a_missing_espeak_is_one_remark_that_says_what_to_install(booth: Booth) -> None:
    voice = booth.voice()
    voice.say("first")
    (remark,) = await_that(voice.events)
    assert isinstance(remark, DeviceRemark)
    assert "sudo apt install espeak-ng" in remark.sentence
    voice.say("second")
    await_that(lambda: voice._next is None)
    booth.install()
    voice.say("third")
    await_that(booth.lines)
    assert booth.said() == ["third"], "it is found once it is there"
    assert voice.events() == []


@pytest.mark.parametrize(
    ("ending", "reason"),
    [
        ("echo 'ALSA lib pcm.c' >&2; echo 'error: No such file or directory' >&2", "No such file"),
        ("echo 'no such voice' >&2; exit 2", "no such voice"),
        ("exit 3", "it ended with 3"),
    ],
)
def test_trouble_is_told_once_and_the_next_sentence_tried(
    booth: Booth, ending: str, reason: str
) -> None:
    booth.install(ending)
    voice = booth.voice()
    voice.say("first")
    (remark,) = await_that(voice.events)
    assert isinstance(remark, DeviceRemark)
    assert reason in remark.sentence
    voice.say("second")
    await_that(lambda: len(booth.lines()) == 2)
    voice.close()
    assert voice.events() == []


def test_a_program_that_cannot_be_started_is_a_remark(booth: Booth) -> None:
    booth.program.write_text("#!/no/such/shell\n")
    booth.program.chmod(0o755)
    voice = booth.voice()
    voice.say("first")
    (remark,) = await_that(voice.events)
    assert "turns are not spoken" in remark.sentence


def test_a_program_that_does_not_end_is_ended_and_the_next_sentence_said(booth: Booth) -> None:
    booth.install('test "$text" = last || exec sleep 600')
    voice = booth.voice(patience_s=0.2)
    voice.say("first")
    (remark,) = await_that(voice.events)
    assert "did not come to an end" in remark.sentence
    voice._patience_s = LONG_MS / 1000  # the next one does, however slow this machine is
    voice.say("last")
    await_that(lambda: booth.said()[-1:] == ["last"])


@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="espeak-ng is not installed")
def test_the_real_espeak_takes_a_sentence() -> None:
    """With a loudspeaker it is heard, without one that is all it complains about."""
    voice = EspeakVoice(CLOCK)
    voice.say("a4 to a5, takes g3")
    await_that(lambda: voice._next is None and voice._speaking is None)
    for remark in voice.events():
        assert isinstance(remark, DeviceRemark)
        assert "loudspeaker" in remark.sentence
    voice.close()


def test_a_terminal_shows_what_would_be_said() -> None:
    voice = TerminalVoice(screen := io.StringIO())
    voice.say("blue e4 to e5\n")
    voice.say("")
    voice.close()
    voice.say("too late")
    assert screen.getvalue() == '"blue e4 to e5"\n'


def test_the_recording_one_remembers_what_it_was_to_say_and_when() -> None:
    voice = RecordingVoice(clock := ManualClock())
    voice.say("one")
    clock.wait_ms(5)
    voice.say("two")
    voice.close()
    voice.say("three")
    assert voice.said == [(0, "one"), (5, "two")]


@pytest.mark.parametrize("kind", ["espeak", "terminal", "recording"])
def test_every_voice_takes_any_text_at_once(kind: str, booth: Booth) -> None:
    kinds: dict[str, Callable[[], Voice]] = {
        "espeak": booth.voice,
        "terminal": lambda: TerminalVoice(io.StringIO()),
        "recording": lambda: RecordingVoice(ManualClock()),
    }
    booth.install()
    voice = kinds[kind]()
    for sentence in ("", " ", "\0\x1b[31m", "x" * 100_000, "[[fi:]]", "\ud800", "e4"):
        voice.say(sentence)
    voice.close()
    assert voice.events() == []


def test_what_is_said_is_one_line_of_a_bearable_length() -> None:
    assert for_the_ear(" a\tb\x1b[2J\r\nc ") == "a b 2J c"
    assert len(for_the_ear("x" * 100_000)) == LONGEST_SENTENCE
    assert for_the_ear("\ud800e4") == "e4"
