"""Spoken turns: `turn_speech` and `outcome_speech` for every game."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from engine import games
from engine.catalogue import outcome_reason
from engine.draw import catalogue
from engine.draw.spoken import outcome_speech, turn_speech
from engine.game import AnyGame, AnyTurn, Outcome
from engine.sentences import Sentence, joined, plain
from tests.support.engine.random_play import random_turns

ALL_TURNS = [
    (kind(), turn)
    for kind in games.GAMES.values()
    for seed in range(8)
    for turn in random_turns(kind(), seed, 60, retries=2)
]


def test_every_turn_of_every_game_has_only_speakable_characters() -> None:
    for game, turn in ALL_TURNS:
        text = str(turn_speech(game, turn))
        assert re.fullmatch(r"[a-z0-9 ,.:']+", text), text
        for player, _ in turn.moves:
            assert game.players[player] in text
        for loss in turn.losses:
            assert re.search(rf"\b{turn.aimed.grid.name(loss.cell)}\b", text), text


def test_speech_names_the_outcome_exactly_when_the_game_is_over() -> None:
    ended = [(game, turn) for game, turn in ALL_TURNS if turn.outcome is not None]
    assert len({game.name for game, _ in ended}) == len(games.GAMES)
    for game, turn in ALL_TURNS:
        sentence = turn_speech(game, turn)
        assert (sentence.key == catalogue.TURN_ENDS_GAME.key) == (turn.outcome is not None)
        if turn.outcome is None:
            continue
        outcome = sentence.slots["outcome"]
        assert isinstance(outcome, Sentence)
        if turn.outcome.winner is None:
            assert outcome.key == catalogue.DRAWN_BY.key
        else:
            assert outcome.key == catalogue.WINS_BY.key
            assert outcome.slots["player"] == game.players[turn.outcome.winner]


def acts(player: str, action: Sentence) -> Sentence:
    return catalogue.PLAYER_ACTS(player=player, action=action)


@pytest.mark.parametrize(
    ("move", "speech"),
    [
        ("j4j3", [acts("blue", catalogue.GOES(start="j4", end="j3"))]),
        ("c4-", [acts("blue", catalogue.TURNS_COUNTERCLOCKWISE(cell="c4"))]),
        (
            "j4+",
            [
                acts("blue", catalogue.TURNS_CLOCKWISE(cell="j4")),
                catalogue.LOSES_OWN(cells=plain("j4")),
            ],
        ),
    ],
)
def test_a_first_turn_is_spoken(move: str, speech: list[Sentence]) -> None:
    game = games.make("laser-chess")
    position = game.start("ace")
    turn = game.resolve(position, {0: game.read_move(position, 0, move)})
    assert turn_speech(game, turn) == joined(speech, ", ")


def test_speech_is_the_english_text_of_its_sentences() -> None:
    game = games.make("laser-chess")
    position = game.start("ace")
    turn = game.resolve(position, {0: game.read_move(position, 0, "j4+")})
    assert str(turn_speech(game, turn)) == "blue turns j4 clockwise, loses its own j4"


def first_turn(fits: Callable[[AnyGame, AnyTurn], bool]) -> tuple[AnyGame, AnyTurn]:
    return next((game, turn) for game, turn in ALL_TURNS if fits(game, turn))


def one_mover(turn: AnyTurn) -> bool:
    return len(turn.moves) == 1


def last_part(sentence: Sentence) -> Sentence:
    while isinstance(rest := sentence.slots.get("rest"), Sentence):
        sentence = rest
    return sentence


@pytest.mark.parametrize(
    ("own", "template"), [(False, catalogue.TAKES), (True, catalogue.LOSES_OWN)]
)
def test_speech_distinguishes_captures_of_own_and_other_pieces(
    own: bool, template: Callable[..., Sentence]
) -> None:
    game, turn = first_turn(
        lambda _, turn: (
            one_mover(turn)
            and turn.outcome is None
            and len(turn.losses) == 1
            and turn.losses[0].removed
            and (turn.losses[0].piece.owner == turn.moves[0][0]) == own
        )
    )
    cell = turn.aimed.grid.name(turn.losses[0].cell)
    assert last_part(turn_speech(game, turn)) == template(cells=plain(cell))


def test_speech_names_lost_and_remaining_hit_points() -> None:
    game, turn = first_turn(lambda _, turn: any(not loss.removed for loss in turn.losses))
    (loss,) = (loss for loss in turn.losses if not loss.removed)
    cell, left = turn.aimed.grid.name(loss.cell), turn.after.pieces[loss.cell].hit_points
    text = str(turn_speech(game, turn))
    assert re.search(rf"{cell} loses {loss.hits} hit points?, {left} left", text)


@pytest.mark.parametrize(
    ("by", "template"),
    [(1, catalogue.TURNS_CLOCKWISE), (-1, catalogue.TURNS_COUNTERCLOCKWISE)],
)
def test_speech_names_the_sense_of_a_rotation(by: int, template: Callable[..., Sentence]) -> None:
    def turned(game: AnyGame, turn: AnyTurn) -> bool:
        (player, move), *rest = turn.moves
        cell = game.origin(turn.before, player, move)
        if rest or cell is None or turn.losses or cell not in turn.aimed.pieces:
            return False
        was, now = turn.before.pieces[cell], turn.aimed.pieces[cell]
        return bool(now.kind == was.kind) and (now.orientation - was.orientation) % 4 == by % 4

    game, turn = first_turn(turned)
    player, move = turn.moves[0]
    cell = game.origin(turn.before, player, move)
    assert cell is not None
    action = template(cell=turn.aimed.grid.name(cell))
    assert turn_speech(game, turn) == acts(game.players[player], action)


def test_a_hit_king_ends_the_game_in_one_sentence_that_names_it_once() -> None:
    game, turn = first_turn(
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
    cell = turn.aimed.grid.name(loss.cell)
    speech = turn_speech(game, turn)
    reason = catalogue.PIECE_IS_HIT(player=loser, kind=loss.piece.kind, cell=cell)
    assert speech.slots["outcome"] == catalogue.WINS_BY(reason=reason, player=winner)
    assert len(re.findall(rf"\b{cell}\b", str(speech))) == 1


def test_speech_names_the_targets_of_simultaneous_shots() -> None:
    game, turn = first_turn(
        lambda _, turn: (
            not one_mover(turn)
            and not turn.losses
            and [len(beam.path) > 1 for beam in turn.beams] == [True, True]
        )
    )
    cells = {beam.owner: turn.aimed.grid.name(beam.path[1]) for beam in turn.beams}
    assert turn_speech(game, turn) == joined(
        (
            acts(name, catalogue.FIRES_TOWARD(cells=plain(cells[player])))
            for player, name in enumerate(game.players)
        ),
        ", ",
    )


def test_an_outcome_off_the_board_is_spoken() -> None:
    game = games.make()
    won = outcome_speech(game, Outcome.win(0, plain("time over")))
    assert won == catalogue.WINS_BY(reason=plain("time over"), player=game.players[0])
    assert outcome_speech(game, Outcome.draw(plain("agreed"))) == catalogue.DRAWN_BY(
        reason=plain("agreed")
    )
    assert str(won) == f"time over: {game.players[0]} wins"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("king captured", "engine.king_captured"),
        ("threefold repetition", "engine.threefold_repetition"),
        ("100 turns without a capture", "engine.turns_without_capture"),
        ("more hit points after 1 round", "engine.more_hit_points_1"),
        ("equal after 150 rounds", "engine.equal_after"),
        ("x turns played", "text.plain"),
        ("resignation", "text.plain"),
    ],
)
def test_the_reason_of_an_outcome_has_a_sentence_with_the_stored_text(text: str, key: str) -> None:
    sentence = outcome_reason(text)
    assert sentence.key == key
    assert str(sentence) == text
    assert Outcome.draw(sentence).sentence.slots["reason"] == sentence


def test_every_outcome_of_a_game_has_a_sentence_of_its_own() -> None:
    outcomes = [turn.outcome for _, turn in ALL_TURNS if turn.outcome is not None]
    assert outcomes
    for outcome in outcomes:
        assert outcome.reason.key.startswith("engine."), outcome
        assert str(outcome.sentence) == str(outcome)
