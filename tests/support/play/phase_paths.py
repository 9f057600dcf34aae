"""The allowed transitions between phases, and games in which each of them occurs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from controller.ports.events import Pressed, WriteFailed
from controller.session.events import Request
from controller.session.state import CAMERA, LEDS, Phase, TablePreferences
from tests.support.play.random_events import ACTING
from tests.support.play.table_play import BLUE, FULL, RED, Play, Transition, play, ships
from tests.support.vision.tagged_table import Tabletop as Table

PLAYING = tuple(each for each in Phase if each not in (Phase.PAUSED, Phase.OVER))
CLOCKED = (*ACTING, Phase.COMPUTER_THINKING)
BUT_FIRING = tuple(each for each in PLAYING if each is not Phase.FIRING)
# Writing a take-back may fail as late as in the turn after it.
STILL_WRITING = (*ACTING, Phase.SETTING_UP, Phase.FIRING, Phase.OVER)


def allowed_transitions() -> frozenset[Transition]:
    """The allowed transitions: phase before, type of the event, phase after."""
    setting_up, turn, waiting, choosing_turn, thinking, to_move, firing, clearing, wrong = PLAYING
    paused, over = Phase.PAUSED, Phase.OVER
    own: dict[Phase, dict[str, tuple[Phase, ...]]] = {
        setting_up: {"Observed": (turn, thinking)},
        turn: {
            "Observed": (wrong, firing, choosing_turn),
            "Tick": (firing,),
            "Pressed": (firing, choosing_turn, waiting),
            "MoveChosen": (paused,),
            "ChoiceFailed": (paused,),
        },
        waiting: {
            "Observed": (wrong, firing, choosing_turn),
            "Pressed": (firing, choosing_turn),
            "MoveChosen": (firing, choosing_turn, paused),
            "ChoiceFailed": (paused,),
        },
        choosing_turn: {"Observed": (turn, wrong), "Requested": (turn, firing)},
        thinking: {"MoveChosen": (to_move, firing, paused, over), "ChoiceFailed": (paused,)},
        to_move: {"Observed": (firing, wrong)},
        firing: {
            "Written": (paused,),
            "BeamsShown": (clearing, turn, thinking, over, paused),
        },
        clearing: {"Observed": (turn, thinking)},
        wrong: {
            "Observed": (turn, waiting, to_move, firing),
            "MoveChosen": (paused,),
            "ChoiceFailed": (paused,),
        },
        paused: {"Written": (over,), "BeamsShown": (over,), "MoveChosen": (over,)},
    }
    listed = {
        (before, kind, after)
        for before, kinds in own.items()
        for kind, afters in kinds.items()
        for after in afters
    }
    at_rest = [each for each in PLAYING if each is not waiting]  # a pause clears the presses
    return frozenset(
        listed
        | {(each, kind, paused) for each in PLAYING for kind in ("Requested", "Pressed")}
        | {(paused, kind, each) for each in (*at_rest, over) for kind in ("Requested", "Pressed")}
        | {(paused, "DeviceBack", each) for each in at_rest}
        | {(each, "DeviceLost", paused) for each in BUT_FIRING}
        | {(each, "WriteFailed", paused) for each in STILL_WRITING}
        | {(each, "Requested", over) for each in BUT_FIRING}
        | {(each, "Requested", setting_up) for each in BUT_FIRING if each is not setting_up}
        | {(each, kind, over) for each in CLOCKED for kind in ("Tick", "Observed")}
    )


TRANSITIONS = allowed_transitions()


def after_a_turn(red_level: int | None = None) -> Play:
    """Both players have moved; Blue is to move."""
    game = play(clock="5m", red_level=red_level).moves("j4", "j3").presses(BLUE).see()
    if red_level is None:
        return game.moves("e7", "e6").presses(RED).see()
    return game.chooses(RED, "e7e6").moves("e7", "e6")


def half_hidden(game: Play) -> Play:
    game.table = game.table.moved(game.cell("j3"), game.cell("j4"))
    return game.see(6, covered=[game.cell("j4"), game.cell("i3")])


def fired(leds_answer: bool = False) -> Play:
    game = after_a_turn().moves("j3", "j4")
    game.leds_answer = leds_answer
    return game.presses(BLUE)


def taken_back() -> Play:
    return after_a_turn().asks(Request.TAKE_BACK, BLUE).asks(Request.ACCEPT, RED)


def captured() -> Play:
    game = after_a_turn().moves("j3", "j4").presses(BLUE).see().moves("e6", "e7").presses(RED)
    return game.see().moves("j4", "j5").presses(BLUE).see()


def thinking() -> Play:
    return after_a_turn(3).moves("j3", "j4").presses(BLUE).see()


def ships_after_a_turn(levels: tuple[int | None, int | None] = (None, None)) -> Play:
    game = ships(clock="5m", levels=levels)
    for player in (0, 1):
        if levels[player] is not None:
            game.chooses(player, IDLE)
        else:
            game.presses(player)
    return game.see()


IDLE = '{"type":"laser","direction":[1,-1,0]}'

GAME_IN_PHASE: Mapping[Phase, Callable[[], Play]] = {
    Phase.SETTING_UP: taken_back,
    Phase.TURN: after_a_turn,
    Phase.WAITING_FOR_OTHER: lambda: ships_after_a_turn().presses(0),
    Phase.CHOOSING_TURN: lambda: half_hidden(after_a_turn()).presses(BLUE),
    Phase.COMPUTER_THINKING: thinking,
    Phase.COMPUTER_TO_MOVE: lambda: thinking().chooses(RED, "e6e7"),
    Phase.FIRING: fired,
    Phase.CLEARING: captured,
    Phase.MISMATCH: lambda: after_a_turn().moves("j3", "j7"),
}


def games_through_all_phases() -> Iterator[Play]:
    """From every phase: pauses of each kind, resignation, take-back and a fallen flag."""
    for phase, come in GAME_IN_PHASE.items():
        for into, out in ((ask_pause, ask_continue), (press_pause, press_pause), (lose, regain)):
            game = come()
            assert game.phase() is phase
            into(game)
            out(game)
            yield game
        for away in (resign, take_back, flag_falls, flag_falls_at_a_frame):
            game = come()
            away(game)
            yield game
    yield from late_failures()
    yield from rare_transitions()
    yield from rare_spaceships_transitions()


def ask_pause(game: Play) -> None:
    game.asks(Request.PAUSE, BLUE)


def ask_continue(game: Play) -> None:
    game.asks(Request.CONTINUE, BLUE)


def press_pause(game: Play) -> None:
    game.send(Pressed("pause", game.at_ms))


def lose(game: Play) -> None:
    game.loses(CAMERA)


def regain(game: Play) -> None:
    game.regains(CAMERA)


def resign(game: Play) -> None:
    game.asks(Request.RESIGN, BLUE)


def take_back(game: Play) -> None:
    game.asks(Request.TAKE_BACK, BLUE).asks(Request.ACCEPT, RED)


def flag_falls(game: Play) -> None:
    game.later(1200)


def flag_falls_at_a_frame(game: Play) -> None:
    game.at_ms += 1_200_000
    game.see(0.1)


def fails_late(game: Play) -> Play:
    game.send(WriteFailed(game.session.writing.unwritten[0].number, FULL, game.at_ms))
    return game


def unwritten_take_back(come: Callable[[], Play]) -> Play:
    """A take-back that the disk never confirms."""
    game = come()
    game.disk = None
    take_back(game)
    game.table = Table.of(game.session.game, game.session.position)
    return game


def late_failures() -> Iterator[Play]:
    """Entries whose writing fails late."""
    one, both = (partial(unwritten_take_back, come) for come in (after_a_turn, ships_after_a_turn))
    yield fails_late(one())
    yield fails_late(one().see())
    yield fails_late(one().see().moves("j4", "j7"))
    yield fails_late(one().see().moves("j4", "j3").presses(BLUE))
    hidden = one().see()
    hidden.table = hidden.table.moved(hidden.cell("j4"), hidden.cell("j5"))
    hidden.see(6, covered=[hidden.cell("j5"), hidden.cell("i4")])
    yield fails_late(hidden.presses(BLUE))
    yield fails_late(both().see().presses(0))
    given_up = play()
    given_up.disk = False
    given_up.asks(Request.RESIGN, BLUE)
    given_up.disk = True
    given_up.write(given_up.session.writing.unwritten[0])
    yield given_up


def before_a_draw_claim() -> Play:
    """A position in which the computer may claim a draw by repetition."""
    game = play(red_level=3)
    for _ in range(2):
        for blue, red in ((("j4", "j3"), ("e7", "e6")), (("j3", "j4"), ("e6", "e7"))):
            game.moves(*blue).presses(BLUE).see().chooses(RED, "".join(red)).moves(*red)
    return game.moves("j4", "j3").presses(BLUE).see()


def firing_at_the_king() -> Play:
    """The running beam hits the king."""
    game = play("l++9/*/*/2k7/9B/*/*/4K4L")
    game.leds_answer = False
    return game.moves("j4", "j5").presses(BLUE)


def hidden_ship(game: Play, hand: bool = False) -> Play:
    """The first ship has moved from a6 to b7 or a5; both cells are covered."""
    game.table = game.table.moved(game.cell("a6"), game.cell("b7"))
    unseen = [game.cell("b7"), game.cell("a5")]
    return game.see(0.3, covered=range(20)) if hand else game.see(6, covered=unseen)


def rare_transitions() -> Iterator[Play]:
    """Transitions that random games rarely reach."""
    hand = range(20)
    yield play(preferences=TablePreferences(3000)).moves("j4", "j5").see(2.0).later(0.4)
    waited = after_a_turn().see(0.3, covered=hand).presses(BLUE)
    yield half_hidden(waited)
    waited = after_a_turn()
    waited.table = waited.table.moved(waited.cell("j3"), waited.cell("j4"))
    yield waited.see(0.3, covered=hand).presses(BLUE).see()
    yield half_hidden(after_a_turn()).presses(BLUE).asks(Request.CHOOSE, BLUE)
    yield half_hidden(after_a_turn()).presses(BLUE).asks(Request.DECLINE, BLUE)
    yield half_hidden(after_a_turn()).presses(BLUE).see()
    yield half_hidden(after_a_turn()).presses(BLUE).takes("e1")
    yield before_a_draw_claim().chooses(RED, "e7e6", claim=True)
    yield before_a_draw_claim().asks(Request.PAUSE, BLUE).chooses(RED, "e7e6", claim=True)
    yield firing_at_the_king().shows()
    yield firing_at_the_king().asks(Request.PAUSE, BLUE).shows()
    yield fired().loses(LEDS).shows().regains(LEDS)
    dark = after_a_turn().moves("j3", "j4")
    dark.disk = None
    dark.presses(BLUE).loses(LEDS)
    dark.disk = True
    dark.write(dark.session.writing.unwritten[0])
    yield dark
    for go_on in (ask_continue, press_pause):
        refused = play()
        refused.disk = False
        refused.asks(Request.RESIGN, BLUE)
        refused.disk = True
        go_on(refused)
        yield refused
    yield thinking().chooses(RED, "e6e7").moves("e6", "d7").moves("d7", "e6").moves("e6", "e7")
    yield thinking().chooses(RED, "e6e7").moves("e6", "d7").moves("d7", "e7")
    yield thinking().chooses(RED, "a1a2")
    yield play(red_level=3).moves("j4", "j5").presses(BLUE).see().takes("c5")


def rare_spaceships_transitions() -> Iterator[Play]:
    """The same for Spaceships."""
    alone = (None, 3)
    for answer in (Play.gives_up, partial(Play.chooses, move="nonsense")):
        yield answer(ships(levels=alone), 1)
        yield answer(ships(levels=alone).presses(0), 1)
        yield answer(ships(levels=alone).takes("a6"), 1)
    yield ships_after_a_turn((1, 2))
    yield hidden_ship(ships()).presses(0).presses(1)
    yield hidden_ship(ships(levels=alone)).presses(0).chooses(1, IDLE)
    yield ships(levels=alone).presses(0).chooses(1, IDLE)
    for see_all in (True, False):
        game = hidden_ship(ships(), hand=True).presses(0).presses(1)
        yield game.see() if see_all else game.see(6, covered=[game.cell("b7"), game.cell("a5")])
    lifted = ships().presses(0).takes("k6")
    lifted.table = ships().table
    yield lifted.see()
