"""Spaceships sessions: both players act at once, press fire separately, and set ships as ruled."""

from __future__ import annotations

import pytest

from controller.devices.clock import ManualClock
from controller.devices.players.process_player import InProcessPlayer
from controller.ports.events import PlayerAnswered, WriteFailed
from controller.session import sentences
from controller.session.events import Request
from controller.session.guidance import guidance_for
from controller.session.state import Phase, TablePreferences
from engine.game import Outcome
from engine.sentences import Sentence, joined, plain
from tests.support.play.table_play import FULL, Play, matches, ships

FIRST, SECOND = 0, 1


def carried(player: str, source: str, target: str) -> Sentence:
    piece = sentences.PIECE(player=player, kind="ship")
    return sentences.CARRY_PIECE(piece=piece, source=source, target=target)


def said_move(game: Play, source: str, target: str) -> str:
    """The announcement of a move of the computer's ship."""
    rules, position = game.session.game, game.session.position
    cell, aim = game.cell(source), game.cell(target)
    player = position.pieces[cell].owner
    (move,) = (
        each
        for each in rules.legal(position, player)
        if each.kind == "move" and position.grid.ahead(cell, each.heading) == aim
    )
    return rules.write_move(position, player, move)


def stands(game: Play) -> set[str]:
    """The cells of the ships in the position."""
    return {game.table.grid.name(cell) for cell in game.session.position.pieces}


# -- two people --------------------------------------------------------------------------------


def test_a_turn_is_played_when_both_have_pressed() -> None:
    game = ships().moves("a6", "b7").presses(FIRST)
    assert game.phase() is Phase.WAITING_FOR_OTHER
    assert guidance_for(game.session).sentence == sentences.WAITING_FOR_FIRE(players="second")
    assert game.written == []
    game.moves("k6", "k7").presses(SECOND).see()
    assert game.kinds() == ["turn"]
    assert stands(game) == {"b7", "k7"}
    assert game.phase() is Phase.TURN


def test_after_one_press_the_guidance_names_the_other_player() -> None:
    game = ships().presses(FIRST).presses(FIRST)
    assert game.said[-1] == sentences.WAITING_FOR_FIRE(players="second")
    assert game.phase() is Phase.WAITING_FOR_OTHER


def test_a_ship_that_collided_must_be_put_back() -> None:
    game = ships().moves("a6", "b6").presses(FIRST).presses(SECOND)
    assert game.phase() is Phase.CLEARING
    assert game.said[-1] == carried("first", "b6", "a6")
    game.see()
    assert guidance_for(game.session).sentence == sentences.PUT_PIECES()
    assert [each.slots["cell"] for each in guidance_for(game.session).reasons] == ["a6", "b6"]
    game.moves("b6", "a6")
    assert game.phase() is Phase.TURN
    assert stands(game) == {"a6", "k6"}


def test_a_pause_clears_the_presses() -> None:
    game = ships().presses(FIRST).asks(Request.PAUSE, SECOND).asks(Request.CONTINUE, SECOND).see()
    assert game.phase() is Phase.TURN
    assert game.presses(SECOND).phase() is Phase.WAITING_FOR_OTHER
    assert game.presses(FIRST).kinds() == ["turn"]


def test_lifting_a_ship_keeps_the_presses() -> None:
    game = ships().presses(FIRST)
    game.takes("k6")
    assert game.phase() is Phase.MISMATCH
    game.table = ships().table
    assert game.moves("k6", "k7").phase() is Phase.WAITING_FOR_OTHER
    assert game.presses(SECOND).kinds() == ["turn"]


def test_spaceships_has_no_auto_fire() -> None:
    game = ships(preferences=TablePreferences(auto_fire_ms=1000)).moves("a6", "b7").see(20)
    assert game.written == []


def test_take_back_removes_the_turn_of_both_players() -> None:
    game = ships().moves("a6", "b7").presses(FIRST).presses(SECOND).see()
    game.asks(Request.TAKE_BACK, SECOND).asks(Request.ACCEPT, FIRST)
    assert game.written[-1].body == {"turns": 1}
    assert game.moves("b7", "a6").phase() is Phase.TURN


# -- clocks ------------------------------------------------------------------------------------


def test_the_clock_of_a_waiting_player_stands_still() -> None:
    game = ships(clock="5m").presses(FIRST)
    first, second = game.left_ms(FIRST), game.left_ms(SECOND)
    game.later(60)
    assert (game.left_ms(FIRST), game.left_ms(SECOND)) == (first, second - 60_000)


def test_two_flags_that_fall_at_the_same_moment_are_a_draw() -> None:
    both = Outcome.draw(sentences.OUT_OF_TIME())
    assert ships(clock="1m").later(61).session.outcome == both


def test_the_first_flag_loses() -> None:
    game = ships(clock="1m").later(10).presses(FIRST).later(61)
    assert game.session.outcome == Outcome.win(0, sentences.OUT_OF_TIME())


# -- the computer ------------------------------------------------------------------------------


def test_the_computer_thinks_while_a_person_acts() -> None:
    game = ships(levels=(None, 3))
    assert game.phase() is Phase.TURN
    assert [think.player for think in game.thought()] == [SECOND]
    assert guidance_for(game.session).sentence == sentences.TO_MOVE(players="first")


@pytest.mark.parametrize("person_first", [True, False])
def test_the_computers_ship_is_moved_by_hand_after_both_have_chosen(
    person_first: bool,
) -> None:
    game = ships(levels=(None, 3))
    move = said_move(game, "k6", "k7")
    if person_first:
        game.moves("a6", "b7").presses(FIRST)
        assert game.phase() is Phase.WAITING_FOR_OTHER
        assert guidance_for(game.session).sentence == sentences.ONE_IS_THINKING(players="second")
        game.chooses(SECOND, move)
    else:
        game.chooses(SECOND, move)
        assert game.phase() is Phase.TURN
        game.moves("a6", "b7").presses(FIRST)
    assert game.kinds() == ["turn"]
    assert game.phase() is Phase.CLEARING
    assert game.said[-1] == carried("second", "k6", "k7")
    game.moves("k6", "k7")
    assert game.phase() is Phase.TURN
    assert stands(game) == {"b7", "k7"}
    assert [think.question.moves for think in game.thought()][1:] == [
        tuple(game.written[0].body["moves"].values())
    ]


def test_a_covered_ship_of_the_computer_counts_as_not_moved() -> None:
    game = ships(levels=(None, 3))
    game.chooses(SECOND, said_move(game, "k6", "k7"))
    game.moves("a6", "b7").presses(FIRST).see()
    assert game.phase() is Phase.CLEARING
    game.see(6.0, covered={game.cell("k6"), game.cell("k7")})
    assert (game.phase(), game.session.table.unseen_cells) == (Phase.CLEARING, (game.cell("k7"),))
    assert guidance_for(game.session).reasons[0].key == sentences.UNSEEN_RIGHT.key
    game.moves("k6", "k7")
    assert game.phase() is Phase.TURN


def test_moving_the_computers_ship_too_early_is_a_mismatch() -> None:
    game = ships(levels=(None, 3)).moves("k6", "k7")
    assert game.phase() is Phase.MISMATCH
    assert game.moves("k7", "k6").phase() is Phase.TURN


def test_the_computers_move_waits_while_a_hand_covers_the_board() -> None:
    game = ships(levels=(None, 3)).moves("a6", "b7").presses(FIRST).see(0.3, covered=range(20))
    game.chooses(SECOND, said_move(game, "k6", "k7"))
    assert game.said[-1] == sentences.HANDS_OFF()
    assert game.written == []
    assert game.see().kinds() == ["turn"]


def test_the_computers_move_is_kept_in_a_pause_and_not_fired() -> None:
    game = ships(levels=(None, 3)).moves("a6", "b7").presses(FIRST).asks(Request.PAUSE, FIRST)
    game.chooses(SECOND, said_move(game, "k6", "k7")).see()
    assert (game.phase(), game.written) == (Phase.PAUSED, [])
    game.asks(Request.CONTINUE, FIRST).see()
    assert len(game.thought()) == 1
    assert game.presses(FIRST).kinds() == ["turn"]


def test_each_of_two_computers_is_asked_for_its_own_ship() -> None:
    game = ships(levels=(3, 3))
    for player in (FIRST, SECOND):
        (asked,) = game.thought()[player:]
        assert (asked.player, asked.question.player) == (player, player)
        computer = InProcessPlayer(ManualClock())
        computer.think(asked.question)
        (found,) = computer.events()
        assert isinstance(found, PlayerAnswered)
        game.chooses(player, found.move)
    seeds = {think.question.seed for think in game.thought()}
    assert len(seeds) == 2
    assert game.kinds() == ["turn"]


def test_a_computer_without_a_move_pauses_the_game_with_the_reason() -> None:
    game = ships(levels=(None, 3)).gives_up(SECOND, "it broke")
    assert game.phase() is Phase.PAUSED
    assert guidance_for(game.session).reasons == (
        sentences.COMPUTER_HAS_NO_MOVE(reason=plain("it broke")),
    )


def test_a_computer_that_failed_while_the_disk_was_full_is_asked_again() -> None:
    game = ships(levels=(None, 3)).presses(FIRST)
    game.chooses(SECOND, said_move(game, "k6", "k7")).moves("k6", "k7")
    game.disk = None
    game.asks(Request.TAKE_BACK, FIRST).moves("k7", "k6")
    game.send(WriteFailed(game.session.writing.unwritten[0].number, FULL, game.at_ms))
    game.gives_up(SECOND)
    game.disk, asked = True, len(game.thought())
    game.asks(Request.CONTINUE, FIRST)
    assert game.phase() is Phase.TURN
    assert len(game.thought()) == asked + 1
    assert game.kinds() == ["turn", "take back"]


def test_two_computers_are_asked_one_after_the_other() -> None:
    game = ships(clock="5m", levels=(2, 3))
    assert game.phase() is Phase.COMPUTER_THINKING
    assert matches(
        guidance_for(game.session).sentence,
        sentences.BOTH_ARE_THINKING,
        players="first and second",
    )
    assert [think.player for think in game.thought()] == [FIRST]
    game.chooses(FIRST, said_move(game, "a6", "b7"))
    assert game.phase() is Phase.COMPUTER_THINKING
    assert game.session.clocks.running == (SECOND,)
    assert [think.question.level for think in game.thought()] == [2, 3]
    game.chooses(SECOND, said_move(game, "k6", "k7"))
    assert game.kinds() == ["turn"]
    assert game.said[-1] == joined([carried("first", "a6", "b7"), carried("second", "k6", "k7")])


def test_a_hint_for_one_player_is_announced_without_a_turn() -> None:
    game = ships().asks(Request.HINT, SECOND)
    move = said_move(game, "k6", "k7")
    game.chooses(SECOND, move, hint=True)
    assert game.said[-1] == sentences.HINT(hint=move)
    assert game.session.turn.hint is None


def test_hints_are_refused_while_the_computer_thinks() -> None:
    game = ships(levels=(None, 3)).asks(Request.HINT, FIRST)
    assert game.said[-1] == sentences.ALREADY_THINKING()
    assert len(game.thought()) == 1
