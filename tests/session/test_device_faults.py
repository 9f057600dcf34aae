"""Full disks, lost devices and pauses in any phase: no turn is lost, doubled or unreported."""

from __future__ import annotations

import pytest

from controller.ports.events import WriteFailed, Written
from controller.session import sentences
from controller.session.events import Request
from controller.session.guidance import guidance_for
from controller.session.state import CAMERA, ESSENTIAL_DEVICES, LEDS, Phase
from engine.catalogue import GAME_OVER
from engine.game import Outcome
from engine.sentences import Sentence, plain
from tests.support.play.table_play import BLUE, FULL, RED, Play, play

GONE = plain("it was unplugged")


def lost(device: str) -> Sentence:
    return sentences.DEVICE_LOST(device=device, reason=GONE)


def thinking(clock: str = "none") -> Play:
    return play(clock=clock, red_level=3).moves("j4", "j3").presses(BLUE).see()


def firing() -> Play:
    """Blue's beam runs."""
    game = play(clock="5m")
    game.leds_answer = False
    return game.moves("j4", "j5").presses(BLUE)


def writing() -> Play:
    """A game whose current turn is not yet written."""
    game = play(clock="5m")
    game.disk = None
    return game.moves("j4", "j5").presses(BLUE)


def is_written(game: Play) -> None:
    game.disk = True
    (entry,) = game.session.writing.unwritten
    game.write(entry)


# -- devices -----------------------------------------------------------------------------------


def test_the_loss_of_an_optional_device_is_reported_and_play_continues() -> None:
    game = play().loses("buttons")
    assert game.session.pause.lost_devices == {"buttons": GONE}
    assert game.phase() is Phase.TURN
    game.regains("buttons")
    assert game.session.pause.lost_devices == {}
    assert game.said[-2:] == [lost("buttons"), sentences.DEVICE_WORKS(device="buttons")]


def test_the_return_of_a_device_that_was_not_lost_is_ignored() -> None:
    game = play()
    before = game.session
    assert game.regains("buttons").session == before


@pytest.mark.parametrize("device", ESSENTIAL_DEVICES)
def test_a_lost_essential_device_pauses_until_it_is_back(device: str) -> None:
    game = play(clock="5m").loses(device)
    left = game.left_ms(BLUE)
    assert game.phase() is Phase.PAUSED
    assert guidance_for(game.session).reasons == (lost(device),)
    game.later(3600)
    assert game.left_ms(BLUE) == left
    game.regains(device)
    assert game.phase() is Phase.TURN
    assert game.later(1).left_ms(BLUE) == left - 1000


def test_continuing_without_an_essential_device_is_refused() -> None:
    game = play().loses(CAMERA).asks(Request.CONTINUE, BLUE)
    assert game.said[-1] == sentences.CANNOT_CONTINUE(reasons=lost(CAMERA))
    assert game.phase() is Phase.PAUSED


def test_play_continues_only_when_all_lost_devices_are_back() -> None:
    game = play().loses(CAMERA).loses(LEDS)
    assert guidance_for(game.session).reasons == (lost(CAMERA), lost(LEDS))
    assert game.regains(CAMERA).phase() is Phase.PAUSED
    assert game.regains(LEDS).phase() is Phase.TURN


def test_a_returning_device_does_not_end_a_requested_pause() -> None:
    for game in (
        play().asks(Request.PAUSE, BLUE).loses(CAMERA),
        play().loses(CAMERA).asks(Request.PAUSE, BLUE),
    ):
        assert game.regains(CAMERA).phase() is Phase.PAUSED
        assert game.asks(Request.CONTINUE, RED).phase() is Phase.TURN


def test_a_request_to_continue_is_kept_until_the_device_is_back() -> None:
    game = play().asks(Request.PAUSE, BLUE).loses(CAMERA).asks(Request.CONTINUE, BLUE)
    assert game.regains(CAMERA).phase() is Phase.TURN


def test_a_move_made_without_a_camera_is_seen_afterwards() -> None:
    game = play().loses(CAMERA)
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    game.regains(CAMERA).see().presses(BLUE)
    assert game.kinds() == ["turn"]


def test_a_lost_camera_does_not_interrupt_a_beam() -> None:
    game = firing().loses(CAMERA)
    assert game.phase() is Phase.FIRING
    game.shows()
    assert game.phase() is Phase.PAUSED
    assert game.session.pause.phase is Phase.CLEARING
    game.regains(CAMERA)
    assert game.takes("c5").phase() is Phase.TURN
    assert game.fired() == 1


@pytest.mark.parametrize("back_first", [False, True])
def test_a_beam_that_ran_without_leds_is_shown_again(back_first: bool) -> None:
    game = firing().loses(LEDS)
    assert game.phase() is Phase.FIRING
    if back_first:
        game.regains(LEDS).shows()
    else:
        game.shows()
        assert game.phase() is Phase.PAUSED
        game.regains(LEDS)
    assert game.phase() is Phase.FIRING
    assert game.fired() == 2
    assert game.shows().phase() is Phase.CLEARING
    assert game.kinds() == ["turn"]
    assert len(game.session.history) == 1


def test_a_beam_waits_for_leds_that_are_lost_before_it_runs() -> None:
    game = writing().loses(LEDS)
    assert game.phase() is Phase.FIRING
    is_written(game)
    assert (game.phase(), game.fired()) == (Phase.PAUSED, 0)
    game.regains(LEDS)
    assert game.fired() == 1
    assert game.phase() is Phase.CLEARING


def test_after_the_end_lost_devices_do_not_pause() -> None:
    game = play().asks(Request.RESIGN, BLUE).loses(CAMERA)
    assert game.phase() is Phase.OVER
    assert game.said[-1] == lost(CAMERA)


# -- pauses ------------------------------------------------------------------------------------


def test_a_beam_ends_in_a_pause_and_the_turn_is_played_afterwards() -> None:
    game = firing().asks(Request.PAUSE, BLUE).shows()
    assert game.phase() is Phase.PAUSED
    game.asks(Request.CONTINUE, BLUE)
    assert game.phase() is Phase.CLEARING
    assert (game.fired(), game.kinds(), len(game.session.history)) == (1, ["turn"], 1)
    assert game.takes("c5").session.to_move == (RED,)


def test_a_turn_that_is_written_in_a_pause_is_fired_once() -> None:
    game = writing().asks(Request.PAUSE, BLUE)
    is_written(game)
    assert (game.phase(), game.fired()) == (Phase.PAUSED, 1)
    game.asks(Request.CONTINUE, BLUE)
    assert game.phase() is Phase.CLEARING
    assert game.fired() == 1


def test_continuing_before_the_turn_is_written_writes_it_once() -> None:
    game = writing().asks(Request.PAUSE, BLUE)
    asked = len(game.effects)
    game.asks(Request.CONTINUE, BLUE)
    assert [type(each).__name__ for each in game.effects[asked:]] == ["Announce"]
    is_written(game)
    assert (game.kinds(), game.fired()) == (["turn"], 1)


def test_continuing_while_the_beam_runs_fires_it_once() -> None:
    game = firing().asks(Request.PAUSE, BLUE).asks(Request.CONTINUE, BLUE)
    assert game.phase() is Phase.FIRING
    assert game.shows().phase() is Phase.CLEARING
    assert game.fired() == 1


def test_no_clock_runs_in_a_pause_even_if_a_turn_begins() -> None:
    game = firing().asks(Request.PAUSE, BLUE)
    game.table = game.table.without(game.cell("c5"))
    game.shows().later(3600)
    assert (game.left_ms(RED), game.session.clocks.running) == (300_000, ())
    game.asks(Request.CONTINUE, BLUE).see()
    assert game.session.clocks.running == (RED,)


def test_a_move_that_the_computer_finds_in_a_pause_is_kept_and_not_asked_for_again() -> None:
    game = thinking("5m").asks(Request.PAUSE, BLUE).chooses(RED, "e7e6")
    assert game.phase() is Phase.PAUSED
    game.asks(Request.CONTINUE, BLUE)
    assert game.phase() is Phase.COMPUTER_TO_MOVE
    assert len(game.thought()) == 1
    assert game.moves("e7", "e6").kinds() == ["turn", "turn"]


def test_a_pause_while_the_computer_thinks_does_not_ask_it_twice() -> None:
    game = thinking().asks(Request.PAUSE, BLUE).asks(Request.CONTINUE, BLUE)
    assert game.phase() is Phase.COMPUTER_THINKING
    assert len(game.thought()) == 1
    assert game.chooses(RED, "e7e6").phase() is Phase.COMPUTER_TO_MOVE


def test_a_computer_that_gives_up_in_a_pause_is_asked_again_after_it() -> None:
    game = thinking().asks(Request.PAUSE, BLUE).gives_up(RED)
    assert guidance_for(game.session).reasons == (
        sentences.COMPUTER_HAS_NO_MOVE(reason=plain("it fell asleep")),
    )
    assert len(game.asks(Request.CONTINUE, BLUE).thought()) == 2


def test_a_pause_clears_a_pending_press() -> None:
    game = play()
    game.table = game.table.moved(game.cell("j4"), game.cell("j5"))
    game.see(0.1, covered=range(20)).presses(BLUE).asks(Request.PAUSE, BLUE)
    game.asks(Request.CONTINUE, BLUE).see()
    assert game.written == []
    assert game.presses(BLUE).kinds() == ["turn"]


# -- the disk ----------------------------------------------------------------------------------


def test_a_disk_that_is_still_full_pauses_again() -> None:
    game = play()
    game.disk = False
    game.moves("j4", "j5").presses(BLUE)
    for _ in range(3):
        game.asks(Request.CONTINUE, BLUE)
        assert (game.phase(), game.fired(), game.written) == (Phase.PAUSED, 0, [])
        assert guidance_for(game.session).reasons == (FULL,)
    game.disk = True
    game.asks(Request.CONTINUE, BLUE)
    assert (game.kinds(), game.fired()) == (["turn"], 1)
    assert game.session.pause.trouble is None


def test_a_full_disk_and_a_lost_camera_are_both_reported() -> None:
    game = play().moves("j4", "j5")
    game.disk = False
    game.presses(BLUE).loses(CAMERA)
    assert guidance_for(game.session).reasons == (FULL, lost(CAMERA))
    game.disk = True
    assert game.regains(CAMERA).phase() is Phase.PAUSED
    assert game.asks(Request.CONTINUE, BLUE).kinds() == ["turn"]


def test_a_late_write_removes_the_disk_from_the_reasons_to_pause() -> None:
    game = play()
    game.disk = False
    game.moves("j4", "j5").presses(BLUE)
    is_written(game)
    assert game.phase() is Phase.PAUSED
    assert guidance_for(game.session).reasons == ()
    assert (game.kinds(), game.fired()) == (["turn"], 1)
    assert game.asks(Request.CONTINUE, BLUE).phase() is Phase.CLEARING


def test_writing_a_result_is_retried() -> None:
    game = play()
    game.disk = False
    game.asks(Request.RESIGN, BLUE)
    assert game.phase() is Phase.PAUSED
    before = game.session
    game.asks(Request.RESIGN, RED).asks(Request.TAKE_BACK, RED)
    resigned = Outcome.win(RED, sentences.RESIGNED())
    assert game.said[-1] == GAME_OVER(outcome=resigned.sentence)
    assert game.session == before
    game.disk = True
    game.asks(Request.CONTINUE, BLUE)
    assert game.phase() is Phase.OVER
    assert game.kinds() == ["result"]


def test_writing_a_take_back_is_retried() -> None:
    game = thinking()
    game.disk = False
    game.asks(Request.TAKE_BACK, BLUE)
    assert game.phase() is Phase.PAUSED
    game.disk = True
    game.asks(Request.CONTINUE, BLUE)
    assert game.kinds() == ["turn", "take back"]
    assert game.moves("j3", "j4").phase() is Phase.TURN


def test_an_entry_that_fails_late_still_stops_the_game() -> None:
    game = thinking()
    game.disk = None
    game.asks(Request.TAKE_BACK, BLUE).moves("j3", "j4")
    assert game.phase() is Phase.TURN
    (entry,) = game.session.writing.unwritten
    game.send(WriteFailed(entry.number, FULL, game.at_ms))
    assert game.phase() is Phase.PAUSED
    game.disk = True
    game.asks(Request.CONTINUE, BLUE).see()
    assert game.phase() is Phase.TURN
    game.send(Written(entry.number, game.at_ms))
    assert game.moves("j4", "j3").presses(BLUE).kinds() == ["turn", "take back", "turn"]


def test_a_press_does_not_fire_without_a_recent_frame() -> None:
    """The camera has frozen unnoticed, and meanwhile another move is made."""
    game = play().moves("j4", "j3")
    game.later(1.5)
    game.table = game.table.moved(game.cell("j3"), game.cell("i4"))
    game.presses(BLUE)
    assert game.phase() is Phase.TURN
    assert not game.fired()
    assert game.said[-1] == sentences.STILL_LOOKING()
    game.see()
    rules, (past,) = game.session.game, game.session.history
    assert rules.write_move(past.position, *past.turn.moves[0]) == "j4i4"
