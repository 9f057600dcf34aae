"""The keyboard's state machine, on all boards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.session import sentences
from controller.session.events import Request
from controller.session.hand_actions import Carry, Rotate
from controller.session.move_options import hand_actions_for_move, move_options
from controller.session.state import Phase, Session, TableReading, TurnInProgress
from controller.simulation.requests import MakeMove
from controller.ui.actors import acting_player
from controller.ui.intents import Intent, MakeRequest, NewGame, PressFire, PutBack, Quit, Reply
from controller.ui.sentences import (
    CANNOT_BE_SHOWN,
    CANNOT_FIRE_AT,
    CANNOT_TURN_SO,
    MOVE_BY_HAND,
    MUST_DO_SOMETHING,
)
from controller.ui.terminal import sentences as ui_sentences
from controller.ui.terminal.keyboard import ARROWS, Keyboard, step_cursor
from engine import catalogue
from engine.grid import HexGrid, SquareGrid
from engine.sentences import Sentence
from engine.spaceships.state import Action
from tests.support.engine.random_play import examples
from tests.support.engine.sentences import mentions
from tests.support.play.keyboard_sessions import BOARDS, KEYS, KeyboardUser, session
from vision.infer import Mismatch

GAMES = sorted(BOARDS)
BLUE, RED = 0, 1


def keyboard_user(name: str = "laser-chess") -> KeyboardUser:
    return KeyboardUser(session(name))


# -- arrows ------------------------------------------------------------------------------------


def test_arrows_move_by_a_square_and_stop_at_the_edge() -> None:
    play = keyboard_user().at("b8")
    reported = [play.keys(key) or play.name(play.keyboard.cursor) for key in ("left", "left", "up")]
    assert reported == ["a8", "a8", "a8"]
    play.keys("down", "right")
    assert play.name(play.keyboard.cursor) == "b7"


@pytest.mark.parametrize("grid", [SquareGrid(10, 8), HexGrid.hexagon(5)])
@pytest.mark.parametrize(("there", "back"), [("up", "down"), ("left", "right")])
def test_arrows_reach_every_cell_and_undo_each_other(
    grid: SquareGrid | HexGrid, there: str, back: str
) -> None:
    inner = [c for c in range(grid.size) if all(grid.ahead(c, h) for h in range(grid.headings))]
    for cell in inner:
        assert step_cursor(grid, step_cursor(grid, cell, there), back) == cell
    reached, new = {0}, {0}
    while new:
        new = {step_cursor(grid, cell, arrow) for cell in new for arrow in ARROWS} - reached
        reached |= new
    assert reached == set(range(grid.size))


def test_up_moves_straight_up_by_two_rows_of_hexagons() -> None:
    grid = HexGrid.hexagon(5)
    middle = grid.cell("f6")
    twice = step_cursor(grid, step_cursor(grid, middle, "up"), "up")
    assert grid.centre(twice)[0] == grid.centre(middle)[0]


def test_the_cursor_starts_on_a_piece_of_the_player_to_move() -> None:
    for name in GAMES:
        now = session(name, 3)
        cursor = Keyboard().for_session(now).cursor
        assert cursor is not None
        assert now.position.pieces[cursor].owner == acting_player(now)


# -- picking up and putting down ---------------------------------------------------------------


def test_enter_picks_a_piece_up_and_puts_it_down() -> None:
    play = keyboard_user().at("j4")
    assert play.keys("enter") == []
    assert play.name(play.keyboard.picked_cell) == "j4"
    wanted = play.keys("down", "enter")
    assert play.written(wanted) == ["j4j3"]
    assert play.keyboard.picked_cell is None


def test_a_switch_put_on_a_piece_swaps_with_it() -> None:
    play = keyboard_user().at("f4")
    play.keys("enter")
    assert play.written(play.at("g3").keys("enter")) == ["f4ug3"]


@pytest.mark.parametrize(
    ("square", "sentence"),
    [
        ("e5", sentences.CELL_OF_OTHER(cell="e5", player="red")),
        (
            "e6",
            ui_sentences.CHOOSE_PIECE_OF(cell="e6", players=ui_sentences.PIECES_OF(player="blue")),
        ),
    ],
)
def test_only_own_pieces_are_picked_up(square: str, sentence: Sentence) -> None:
    play = keyboard_user().at(square)
    assert play.keys("enter") == [Reply(sentence)]
    assert play.keyboard.picked_cell is None


def test_an_illegal_target_shows_the_rule_and_keeps_the_selection() -> None:
    play = keyboard_user().at("j4")
    play.keys("enter")
    sentence = sentences.CANNOT_GO_BECAUSE(source="j4", target="j2", reason=catalogue.ONE_SQUARE())
    assert play.at("j2").keys("enter") == [Reply(sentence)]
    assert play.name(play.keyboard.picked_cell) == "j4"


def test_another_own_piece_is_picked_up_instead() -> None:
    play = keyboard_user().at("j4")
    play.keys("enter")
    play.at("c1").keys("enter")
    assert play.name(play.keyboard.picked_cell) == "c1"


@pytest.mark.parametrize("key", ["esc", "backspace", "enter"])
def test_the_selection_is_cancelled(key: str) -> None:
    play = keyboard_user().at("j4")
    play.keys("enter")
    assert play.keys(key) == []
    assert play.keyboard.picked_cell is None


@pytest.mark.parametrize(
    ("key", "move"), [(",", "j4-"), ("[", "j4-"), (".", "j4+xj4"), ("]", "j4+xj4")]
)
@pytest.mark.parametrize("picked_up", [True, False])
def test_a_piece_is_turned_picked_up_or_not(key: str, move: str, picked_up: bool) -> None:
    play = keyboard_user().at("j4")
    assert play.written(play.keys(*(["enter"] if picked_up else []), key)) == [move]


def test_a_piece_that_cannot_turn_gives_a_message() -> None:
    play = keyboard_user("photon").at("e10")
    assert play.keys(".") == [Reply(ui_sentences.CANNOT_TURN_RIGHT(cell="e10"))]


def test_a_new_position_clears_the_selection() -> None:
    play = keyboard_user().at("j4")
    play.keys("enter")
    play.session = session(turns=2)
    assert play.keyboard.for_session(play.session).picked_cell is None


def test_a_ship_that_can_move_or_fire_shows_a_menu() -> None:
    play = keyboard_user("spaceships").at("a6")
    play.keys("enter", "right")
    assert play.keys("enter") == []
    assert [option.label for option in play.keyboard.menu] == [
        sentences.GO_TO(cell="b6"),
        sentences.FIRE_TOWARD(cell="b6"),
    ]
    assert play.keys("3") == [Reply(sentences.CHOOSE_BETWEEN(first=1, last=2))]
    laser = Action.laser(1)  # to the right
    assert play.keys("2") == [MakeMove(0, laser)]
    assert play.types("a6!d6") == [MakeMove(0, laser)]


def test_players_who_move_simultaneously_share_one_keyboard() -> None:
    play = keyboard_user("spaceships")
    (first,) = play.types("a6b7")
    (second,) = play.types("k6j6")
    assert isinstance(first, MakeMove)
    assert isinstance(second, MakeMove)
    assert (first.player, second.player) == (0, 1)
    assert play.keys("space") == [PressFire(0)]
    play.session = replace(
        play.session,
        phase=Phase.WAITING_FOR_OTHER,
        turn=replace(play.session.turn, pressed=frozenset({0})),
    )
    assert play.keys("space") == [PressFire(1)]
    assert play.at("a6").keys("enter") == [
        Reply(sentences.CELL_OF_OTHER(cell="a6", player="first"))
    ]


# -- replacing a move --------------------------------------------------------------------------


def test_a_moved_piece_is_picked_up_from_its_new_square() -> None:
    play = keyboard_user()
    (make,) = play.types("j4j3")
    play.makes_on_table(make).at("j3").keys("enter")
    assert play.name(play.keyboard.picked_cell) == "j4"
    assert play.written(play.at("i4").keys("enter")) == ["j4i4xj5"]


def test_escape_puts_back_an_unfired_move() -> None:
    play = keyboard_user()
    (make,) = play.types("j4j3")
    assert play.makes_on_table(make).keys("esc", "esc") == [PutBack(BLUE)]


def test_the_first_move_is_put_back_before_the_second_is_made() -> None:
    play = keyboard_user()
    game, position = play.session.game, play.session.position
    moves = [game.read_move(position, BLUE, text) for text in ("j4j3", "j4+")]
    j4, j3 = play.cell("j4"), play.cell("j3")
    done = hand_actions_for_move(game, position, {}, BLUE, moves[1], instead_of=moves[0])
    assert done == (Carry(j3, j4), Rotate(j4, 90.0))
    assert hand_actions_for_move(game, position, {j4: 0}, BLUE, None, instead_of=moves[1]) == (
        Rotate(j4, -90.0),
    )


# -- fire --------------------------------------------------------------------------------------


def test_space_selects_before_a_move_and_fires_after_it() -> None:
    play = keyboard_user().at("j4")
    assert play.keys("space") == []
    assert play.name(play.keyboard.picked_cell) == "j4"
    assert play.written(play.keys("down", "space")) == ["j4j3"]
    assert play.keys("space") == [PressFire(BLUE)]


@pytest.mark.parametrize("phase", [Phase.CLEARING, Phase.PAUSED, Phase.SETTING_UP])
def test_fire_in_another_phase_shows_the_guidance(phase: Phase) -> None:
    play = KeyboardUser(session(phase=phase))
    (said,) = play.keys("F")
    assert isinstance(said, Reply)
    assert said.sentence


@pytest.mark.parametrize("key", ["space", "enter", "F"])
def test_no_key_makes_the_computers_move_a_second_time(key: str) -> None:
    now = session(computer=3, turns=1)
    game = now.game
    turn = game.resolve(now.position, {RED: game.legal(now.position, RED)[0]})
    preferences = replace(now.setup.preferences, has_operator=True)
    play = KeyboardUser(
        replace(
            now,
            phase=Phase.COMPUTER_TO_MOVE,
            computer=replace(now.computer, turn=turn),
            setup=replace(now.setup, preferences=preferences),
        )
    )
    (said,) = play.keys(key)
    assert isinstance(said, Reply)
    assert said.sentence.key == sentences.HAND_MAKES_MOVE.key


# -- typing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "typed", "move"),
    [
        ("laser-chess", "j4j3", "j4j3"),
        ("laser-chess", "j4 to J3", "j4j3"),
        ("laser-chess", "/j4 j3", "j4j3"),
        ("laser-chess", "j4i4xj5", "j4i4xj5"),
        ("laser-chess", "f4ug3", "f4ug3"),
        ("laser-chess", "f4g3", "f4ug3"),
        ("laser-chess", "h2-", "h2-"),
    ],
)
def test_moves_are_typed(name: str, typed: str, move: str) -> None:
    play = keyboard_user(name)
    assert play.written(play.types(typed)) == [move]


@pytest.mark.parametrize("name", GAMES)
def test_every_move_that_hands_can_make_can_be_typed_by_its_squares(name: str) -> None:
    now = session(name, 4)
    game, position = now.game, now.position
    cell_name = position.grid.name
    for cell, piece in position.pieces.items():
        if piece.owner not in now.humans_to_move:
            continue
        for option in move_options(game, position, piece.owner, cell, {}):
            if option.target is not None:
                text = f"{cell_name(cell)}{cell_name(option.target)}"
            elif option.rotation_steps:
                text = cell_name(cell) + ("+" if option.rotation_steps > 0 else "-") * abs(
                    option.rotation_steps
                )
            else:
                continue
            play = KeyboardUser(now)
            assert play.types(text) == [MakeMove(piece.owner, option.move)], text


@pytest.mark.parametrize("name", GAMES)
def test_every_option_matches_its_hand_actions(name: str) -> None:
    """After the hand actions the piece is on the option's target."""
    now = session(name, 4)
    game, position = now.game, now.position
    for cell, piece in position.pieces.items():
        if piece.owner not in now.humans_to_move:
            continue
        for option in move_options(game, position, piece.owner, cell, {}):
            moves = {p: game.legal(position, p)[0] for p in now.to_move}
            turn = game.resolve(position, {**moves, piece.owner: option.move})
            shown = game.expected_after_moves(turn, {}, (piece.owner,))
            assert shown is not None
            there = shown[cell if option.target is None else option.target]
            assert (there.kind, there.owner) == (piece.kind, piece.owner)


def test_typed_text_can_be_edited_and_dropped() -> None:
    play = keyboard_user()
    assert play.keys("j", "4", "x", "backspace", "j") == []
    assert play.keyboard.typed_text == "j4j"
    play.keys("esc")
    assert play.keyboard.typed_text == ""
    assert play.keys("j", "backspace") == []
    assert play.keyboard.typed_text == ""
    play.keys("j", "left")
    assert play.keyboard.typed_text == ""


@pytest.mark.parametrize(
    ("name", "typed", "sentence"),
    [
        (
            "laser-chess",
            "j4j2",
            catalogue.ILLEGAL_MOVE(move="'j4j2'", player="blue", reason=catalogue.ONE_SQUARE()),
        ),
        (
            "laser-chess",
            "e5e6",
            catalogue.NOT_YOUR_PIECE(kind="switch", cell="e5", player="blue"),
        ),
        ("laser-chess", "x9", catalogue.NOT_LAN(text="'x9'")),
        (
            "photon",
            "e10e8",
            sentences.CANNOT_GO_BECAUSE(
                source="e10", target="e8", reason=catalogue.ONE_SQUARE_STRAIGHT()
            ),
        ),
        ("photon", "e1e2", sentences.CELL_EMPTY(cell="e1")),
        ("photon", "e10+", CANNOT_TURN_SO(cell="e10")),
        (
            "photon",
            "zebra",
            sentences.NOT_A_MOVE(value="'zebra'", source="e10", target="f10"),
        ),
        (
            "spaceships",
            "a6d6!",
            sentences.NOT_A_MOVE_FIRE(value="'a6d6!'", source="a6", target="b7"),
        ),
        ("spaceships", "k6a6", sentences.CANNOT_GO(source="k6", target="a6")),
        ("spaceships", "a6!k11", CANNOT_FIRE_AT(cell="a6", target="k11")),
    ],
)
def test_an_illegal_typed_move_gives_the_reason(name: str, typed: str, sentence: Sentence) -> None:
    play = keyboard_user(name)
    (said,) = play.types(typed)
    assert isinstance(said, Reply)
    assert mentions(said.sentence, sentence)
    assert play.keyboard.typed_text == ""


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (Action.noop("asleep"), MUST_DO_SOMETHING()),
        (Action.move(4), CANNOT_BE_SHOWN()),  # off the board
    ],
)
def test_a_move_that_hands_cannot_make_is_refused(action: Action, sentence: Sentence) -> None:
    play = keyboard_user("spaceships")
    game, position = play.session.game, play.session.position
    text = game.write_move(position, 0, action)
    assert game.read_move(position, 0, text) == action
    assert play.types(text) == [Reply(sentence)]


@pytest.mark.parametrize("name", GAMES)
def test_the_games_own_notation_can_always_be_typed(name: str) -> None:
    now = session(name, 2)
    game, player = now.game, now.to_move[0]
    for move in game.legal(now.position, player):
        play = KeyboardUser(now)
        (wanted,) = play.types("/" + game.write_move(now.position, player, move))
        assert wanted in (
            MakeMove(player, move),
            Reply(CANNOT_BE_SHOWN()),
        )


# -- commands ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "intent"),
    [
        ("f", PressFire(BLUE)),
        ("h", MakeRequest(Request.HINT, BLUE)),
        ("t", MakeRequest(Request.TAKE_BACK, BLUE)),
        ("o", MakeRequest(Request.OFFER_DRAW, BLUE)),
        ("c", MakeRequest(Request.CLAIM_DRAW, BLUE)),
        ("p", MakeRequest(Request.PAUSE, BLUE)),
        ("y", Reply(ui_sentences.NOTHING_ASKED())),
    ],
)
def test_capitals_act_at_once_and_small_letters_with_enter(command: str, intent: Intent) -> None:
    assert keyboard_user().keys(command.upper()) == [intent]
    play = keyboard_user()
    assert play.keys(command) == []
    assert play.keys("enter") == [intent]


def test_a_square_that_starts_like_a_command_is_a_square() -> None:
    play = keyboard_user()
    assert play.written(play.types("f4g4")) == ["f4g4"]
    assert play.written(play.types("h2h3")) == ["h2h3"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("hint", Request.HINT),
        ("take  back", Request.TAKE_BACK),
        ("/pause", Request.PAUSE),
        ("draw", Request.OFFER_DRAW),
    ],
)
def test_commands_can_be_typed_as_words(word: str, expected: Request) -> None:
    assert keyboard_user().types(word) == [MakeRequest(expected, BLUE)]


def test_a_resignation_needs_a_confirmation() -> None:
    play = keyboard_user()
    assert play.keys("R") == []
    assert play.keys("n") == [Reply(ui_sentences.NO_RESIGNATION())]
    assert play.keys("R", "y") == [MakeRequest(Request.RESIGN, BLUE)]


def test_a_new_game_needs_a_confirmation_while_one_is_in_progress() -> None:
    assert keyboard_user().keys("A") == [NewGame()]
    assert KeyboardUser(session(turns=2, phase=Phase.OVER)).keys("A") == [NewGame()]
    play = KeyboardUser(session(turns=1))
    assert play.keys("A") == []
    assert play.keys("n") == []
    assert play.keys("A", "y") == [NewGame()]
    assert play.types("new game") == []
    assert play.keys("Y") == [NewGame()]


def test_an_offer_is_answered_for_the_other_player() -> None:
    play = KeyboardUser(replace(session(), offer=(Request.OFFER_DRAW, BLUE)))
    assert play.keys("y", "N") == [
        MakeRequest(Request.ACCEPT, RED),
        MakeRequest(Request.DECLINE, RED),
    ]


def test_a_take_back_is_requested_for_the_player_of_the_last_turn() -> None:
    one, two = KeyboardUser(session(turns=1)), KeyboardUser(session(turns=2))
    assert one.keys("T") == [MakeRequest(Request.TAKE_BACK, BLUE)]
    assert two.keys("T") == [MakeRequest(Request.TAKE_BACK, RED)]
    computer = KeyboardUser(session(turns=2, computer=3))
    assert computer.keys("T") == [MakeRequest(Request.TAKE_BACK, BLUE)]


def test_a_pause_is_ended_by_the_same_key() -> None:
    assert KeyboardUser(session(phase=Phase.PAUSED)).keys("P") == [
        MakeRequest(Request.CONTINUE, BLUE)
    ]


def test_numbers_choose_between_several_possible_moves() -> None:
    now = replace(session(), phase=Phase.CHOOSING_TURN, turn=TurnInProgress(choices=((), ())))
    assert KeyboardUser(now).keys("2") == [MakeRequest(Request.CHOOSE, BLUE, 1)]
    assert KeyboardUser(now).types("/2") == [MakeRequest(Request.CHOOSE, BLUE, 1)]


@pytest.mark.parametrize("key", ["Q", "eof", "ctrl-c"])
def test_quitting_says_that_the_game_is_stored(key: str) -> None:
    kept, leaving = keyboard_user().keys(key)
    assert kept == Reply(ui_sentences.GAME_STORED())
    assert leaving == Quit()
    assert keyboard_user().keys("j", "4", "eof")[-1] == Quit()


def test_any_key_closes_the_help() -> None:
    play = keyboard_user()
    play.keys("?")
    assert play.keyboard.showing_help
    assert play.keys("F") == []
    assert not play.keyboard.showing_help


def test_against_the_computer_keys_act_for_the_person() -> None:
    play = KeyboardUser(session(computer=3, turns=1, phase=Phase.COMPUTER_THINKING))
    assert play.keys("T") == [MakeRequest(Request.TAKE_BACK, BLUE)]
    assert play.keys("enter") == [Reply(sentences.ONE_IS_THINKING(players="red"))]


# -- at a real board ---------------------------------------------------------------------------


def test_at_a_real_board_keys_fire_and_make_requests_but_do_not_move() -> None:
    play = KeyboardUser(session(), Keyboard(simulated_hands=False))
    by_hand = Reply(MOVE_BY_HAND())
    assert play.at("j4").keys("enter") == [by_hand]
    assert play.types("j4j3") == [by_hand]
    assert play.keys(".") == []
    assert play.keys("space", "H") == [PressFire(BLUE), MakeRequest(Request.HINT, BLUE)]


# -- random keys -------------------------------------------------------------------------------


def situations() -> list[Session]:
    made = [
        session(name, turns, phase=phase)
        for name in GAMES
        for turns in (0, 3)
        for phase in (Phase.TURN, Phase.MISMATCH)
    ]
    made += [session(name, 1, computer=3) for name in GAMES]
    made += [session(phase=each) for each in (Phase.PAUSED, Phase.CLEARING, Phase.FIRING)]
    made.append(replace(session(), table=TableReading(inference=Mismatch((), ()))))
    made.append(replace(session(), offer=(Request.TAKE_BACK, RED)))
    return made


SITUATIONS = situations()


@examples(150)
@given(st.sampled_from(SITUATIONS), st.lists(st.sampled_from(KEYS), max_size=40))
def test_random_keys_never_fail_or_make_an_illegal_move(now: Session, keys: list[str]) -> None:
    play = KeyboardUser(now)
    game, position = now.game, now.position
    for intent in play.keys(*keys):
        match intent:
            case MakeMove(player, move):
                assert player in now.humans_to_move
                assert move in game.legal(position, player)
                moves = {p: game.legal(position, p)[0] for p in now.to_move}
                turn = game.resolve(position, {**moves, player: move})
                assert game.expected_after_moves(turn, {}, (player,)) is not None
            case Reply(sentence):
                assert sentence
            case PressFire(player) | MakeRequest(_, player) | PutBack(player):
                assert player in (BLUE, RED)
            case Quit():
                assert "Q" in keys or "q" in keys
