"""Sentences of the screens in the terminal: status line, help, matches and calibration."""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("ui.terminal")

# -- the board -----------------------------------------------------------------------------------

TOO_SMALL = _catalogue("too_small", "too small: {columns} x {rows} needed")
TITLE_PUZZLE = _catalogue("title_puzzle", "{game} · {puzzle}")
ONE_TURN_PLAYED = _catalogue("one_turn_played", "1 turn played")
TURNS_PLAYED = _catalogue("turns_played", "{count} turns played")
LEGEND = _catalogue("legend", "{player}: {letters}")
CAPITALS = _catalogue("capitals", "CAPITALS")
SMALL_LETTERS = _catalogue("small_letters", "small letters")
PIECE_POINTS = _catalogue("piece_points", "{letter} {points:>3} hp")
AND_MORE = _catalogue("and_more", "and {count} more")

# -- the status line -----------------------------------------------------------------------------

CONFIRM_RESIGNATION = _catalogue(
    "confirm_resignation", "{player} resigns: really?  Y yes · any other key no"
)
CONFIRM_NEW_GAME = _catalogue(
    "confirm_new_game",
    "another game, while this one is stored: really?  Y yes · any other key no",
)
MENU = _catalogue("menu", "{options} · Esc")
MENU_OPTION = _catalogue("menu_option", "{number} {option}")
CHOOSE = _catalogue("choose", "choose with 1 to {most}")
OFFERS_DRAW = _catalogue("offers_draw", "{player} offers a draw:  Y yes · N no")
ASKS_TAKE_BACK = _catalogue(
    "asks_take_back", "{player} would like to take back a turn:  Y yes · N no"
)
PIECES_ARE_PUT = _catalogue(
    "pieces_are_put", "one moment: the pieces are put in place, and the camera looks at them"
)
HAND_MOVES = _catalogue(
    "hand_moves", "one moment: a hand makes the move, and the camera looks at it"
)
FIRE_OR_PUT_BACK = _catalogue("fire_or_put_back", "Space fires · Esc puts it back")
HAS_CHOSEN = _catalogue(
    "has_chosen", "{player} has chosen: Space fires for {player} · Esc puts it back"
)
TYPED_MOVE = _catalogue("typed_move", "Enter sends it · Esc drops it")
TYPED_COMMAND = _catalogue(
    "typed_command", "Enter sends {command}, or continue typing · Esc drops it"
)
ENTER_PICKS_UP = _catalogue("enter_picks_up", "Enter picks it up")
ENTER_MOVES = _catalogue("enter_moves", "Enter makes the move {cell} {options}")
PICKED_UP = _catalogue("picked_up", "{kind} {cell} is picked up: go to a marked square, then Enter")
EMPTY = _catalogue("empty", "empty")
ONLY_FOR = _catalogue("only_for", "only for {player}")

# -- keys, in a line -----------------------------------------------------------------------------

ARROWS = _catalogue("arrows", "arrows")
ARROWS_ENTER = _catalogue("arrows_enter", "arrows Enter")
CHOICES = _catalogue("choices", "1 to {most}")
NEXT_PUZZLE = _catalogue("next_puzzle", "next puzzle")
ANOTHER_GAME = _catalogue("another_game", "another game")
PLAY_AGAIN = _catalogue("play_again", "play again")
HELP = _catalogue("help", "help")
LEAVE = _catalogue("leave", "leave")
CONTINUE = _catalogue("continue", "continue")
PAUSE = _catalogue("pause", "pause")
RESET = _catalogue("reset", "reset")
CHOOSE_KEY = _catalogue("choose_key", "choose")
LET_GO = _catalogue("let_go", "let go")
PUT_DOWN = _catalogue("put_down", "put down")
MOVE = _catalogue("move", "move")
TURN = _catalogue("turn", "turn")
FIRE = _catalogue("fire", "fire")
HINT = _catalogue("hint", "hint")
TAKE_BACK = _catalogue("take_back", "take back")

# -- the help page -------------------------------------------------------------------------------

GOAL = _catalogue("goal", "{game}: {goal}")
TYPING_HEAD = _catalogue("typing_head", "Small letters type, CAPITALS act at once")
KEYS_HEAD = _catalogue("keys_head", "Keys")
HELP_ARROWS = _catalogue("help_arrows", "go from square to square")
HELP_ENTER = _catalogue("help_enter", "pick a piece up; put it down where it may go")
HELP_TURN = _catalogue("help_turn", "turn it left, right (also [ ])")
HELP_ESC = _catalogue("help_esc", "let go; put back what is not fired yet")
HELP_RIGHT = _catalogue("help_right", "everything right: the pieces as they should stand")
HELP_TYPE = _catalogue("help_type", "or type a move, then Enter; {cell}+ {cell}- turn right, left")
HELP_FIRE_TOWARD = _catalogue("help_fire_toward", "fire that way")
HELP_HINT = _catalogue("help_hint", "hint: what the computer would do")
HELP_TAKE_BACK = _catalogue("help_take_back", "take back a turn")
HELP_DRAW = _catalogue("help_draw", "offer a draw; claim one")
HELP_ANSWER = _catalogue("help_answer", "yes, no to what the other asks")
HELP_PAUSE = _catalogue("help_pause", "pause, continue")
HELP_VIEW = _catalogue("help_view", "see the LEDs, what the camera sees, the board again")
HELP_RESIGN = _catalogue("help_resign", "resign (asks first)")
HELP_NEW_GAME = _catalogue("help_new_game", "another game like this one (asks first)")
HELP_LEAVE = _catalogue("help_leave", "leave: the game is stored")
LETTER_OF_KIND = _catalogue("letter_of_kind", "{letter} {kind}")
PIECES = _catalogue("pieces", "pieces: {pieces}")
ANY_KEY = _catalogue("any_key", "any key goes back")

# -- the end of a game ---------------------------------------------------------------------------

NOTHING_STORED = _catalogue("nothing_stored", "nothing was played, so nothing is stored")
NOT_STORED = _catalogue("not_stored", "the game is not stored: {reason}")
STORED_TO_RESUME = _catalogue(
    "stored_to_resume", "stored in {path}\n`{program} resume` continues it"
)
STORED_TO_SHOW = _catalogue(
    "stored_to_show", "stored in {path}\n`{program} games show {game}` shows it"
)

# -- an analysis ---------------------------------------------------------------------------------

ANALYSED_GAME = _catalogue("analysed_game", "game {number}: {players}, {game}")

# -- matches of programs -------------------------------------------------------------------------

RESTART_IN_TERMINAL = _catalogue(
    "restart_in_terminal", "a match begins again in the terminal: press R there"
)
MATCH_OF = _catalogue("match_of", "{game}: {first} against {second}")
MATCH_PAUSED = _catalogue("match_paused", "paused: {reason}")
ROUND_EVENTS = _catalogue("round_events", "{round}: {events}")
PLAYER_EVENT = _catalogue("player_event", "{player} {event}")
MATCH_WON = _catalogue("match_won", "{player} wins: {reason}")
MATCH_DRAWN = _catalogue("match_drawn", "a draw: {reason}")
WAITING_FOR = _catalogue("waiting_for", "waiting for {players}")
PROGRAM = _catalogue("program", "program")
COMPUTER = _catalogue("computer", "computer {level}")
PERSON = _catalogue("person", "person")
SCORE = _catalogue("score", "score {points}")
HIT_POINTS = _catalogue("hit_points", "{points} hp")

# -- calibration ---------------------------------------------------------------------------------

CALIBRATION_STEP = _catalogue("calibration_step", "step {number} of {count}: {step}")
CALIBRATION_HOLD = _catalogue(
    "calibration_hold", "step {number} of {count}: {step} - good, keep it so"
)
CALIBRATION_KEYS = _catalogue("calibration_keys", "Enter: continue anyway   b: back   q: quit")
MUST_BE_BETTER = _catalogue("must_be_better", "{steps} must be better")
READY_TO_PLAY = _catalogue("ready_to_play", "ready to play")

# -- moves that are typed or pointed at ----------------------------------------------------------

CANNOT_TURN_RIGHT = _catalogue("cannot_turn_right", "{cell} cannot be turned right")
CANNOT_TURN_LEFT = _catalogue("cannot_turn_left", "{cell} cannot be turned left")
NOTHING_TO_DO = _catalogue("nothing_to_do", "nothing can be done with {cell} now")
CHOOSE_PIECE_OF = _catalogue("choose_piece_of", "{cell} is empty: choose a piece of {players}")
PIECES_OF = _catalogue("pieces_of", "{player}'s")

# -- the keyboard --------------------------------------------------------------------------------

GAME_STORED = _catalogue("game_stored", "the game is stored: you can resume it later")
NO_RESIGNATION = _catalogue("no_resignation", "you have not resigned")
PUT_PIECES_RIGHT = _catalogue(
    "put_pieces_right", "put the pieces right on the board, as the lights show"
)
NOTHING_ASKED = _catalogue("nothing_asked", "there is no question to answer")
