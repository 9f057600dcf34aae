"""Sentences of a session: announcements, guidance, refusals, proposals, errors of journals.

Slots called `value` hold an excerpt that is quoted already. Slots called `player` hold the name of
a side, such as `blue`.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Outcome
from engine.sentences import Catalogue, Sentence, as_sentence, joined, plain

_catalogue = Catalogue("session")

AND = _catalogue("and", "{first} and {second}")
OR = _catalogue("or", "{first} or {second}")
WITH_REASONS = _catalogue("with_reasons", "{sentence}: {reasons}")


def join_and(names: Sequence[str | Sentence]) -> Sentence:
    """`blue and red`"""
    if len(names) > 2:
        return AND(first=join_and(names[:-1]), second=names[-1])
    if len(names) == 2:
        return AND(first=names[0], second=names[1])
    return as_sentence(names[0]) if names else plain("")


def join_or(names: Sequence[str | Sentence]) -> Sentence:
    """`e4 to e5 or e4 to d4`"""
    if len(names) > 1:
        return OR(first=join_or(names[:-1]), second=names[-1])
    return as_sentence(names[0]) if names else plain("")


def with_reasons(sentence: Sentence, reasons: Sequence[Sentence]) -> Sentence:
    """`paused: camera: unplugged; LEDs: no answer`"""
    return WITH_REASONS(sentence=sentence, reasons=joined(reasons)) if reasons else sentence


def outcome_sentence(outcome: Outcome | None) -> Sentence:
    """`1-0 resigned`"""
    if outcome is None:
        return plain("")
    return outcome.sentence


def subject_sentence(word: str) -> str | Sentence:
    """What a proposal or a penalty is about; a referee may write other words."""
    return SUBJECTS[word]() if word in SUBJECTS else word


# -- a turn --------------------------------------------------------------------------------------

BOARD_SET_UP = _catalogue("board_set_up", "the board is set up")
NO_MOVE = _catalogue("no_move", "no move made yet")
HANDS_OFF = _catalogue("hands_off", "hands off the board, please")
STILL_LOOKING = _catalogue("still_looking", "one moment: the camera is still looking")
NOT_YOUR_TURN = _catalogue("not_your_turn", "it is the turn of {players}")
BETWEEN_CELLS = _catalogue(
    "between_cells", "the piece on {cell} stands between two: put it in the middle of one"
)
WHICH_TURN = _catalogue("which_turn", "which was it: {turns}?")
ILLEGAL_STEP = _catalogue("illegal_step", "{source} to {target}: {reason}")
ILLEGAL_STEP_INSTEAD = _catalogue(
    "illegal_step_instead", "{source} to {target}: {reason}; it may go to {cells}"
)
PIECE = _catalogue("piece", "{player}'s {kind}")
PIECE_FROM = _catalogue("piece_from", "{piece} from {cell}")
TAKE_PIECES = _catalogue("take_pieces", "take {pieces}")
TURN_PIECE = _catalogue("turn_piece", "turn {piece} on {cell}")
CARRY_PIECE = _catalogue("carry_piece", "put {piece} from {source} to {target}")
PUT_PIECE = _catalogue("put_piece", "put {piece} on {cell}")
PUT_PIECES = _catalogue("put_pieces", "put the pieces where the turn has left them")

# -- guidance: what people do next ---------------------------------------------------------------

SET_UP = _catalogue("set_up", "set up the board")
SET_UP_ONE = _catalogue("set_up_one", "set up the board: one thing to put right")
SET_UP_SEVERAL = _catalogue("set_up_several", "set up the board: {count} things to put right")
RETRY = _catalogue("retry", "not the move, try again: {task}")
PRESS_FIRE = _catalogue("press_fire", "{turn}: press fire")
TO_MOVE = _catalogue("to_move", "{players} to move")
TO_MOVE_TASK = _catalogue("to_move_task", "{players} to move: {task}")
TO_MOVE_HINT = _catalogue("to_move_hint", "{players} to move (hint: {hint})")
TO_MOVE_TASK_HINT = _catalogue("to_move_task_hint", "{players} to move: {task} (hint: {hint})")
WAITING_FOR_FIRE = _catalogue("waiting_for_fire", "waiting for {players} to press fire")
ONE_IS_THINKING = _catalogue("one_is_thinking", "{players} is thinking")
BOTH_ARE_THINKING = _catalogue("both_are_thinking", "{players} are thinking")
WHICH_MOVE = _catalogue("which_move", "which move was it?")
HAND_MAKES_MOVE = _catalogue("hand_makes_move", "{turn}: a hand makes that move")
MAKE_MOVE_FOR = _catalogue("make_move_for", "make this move for {players}: {turn}")
LASER_FIRES = _catalogue("laser_fires", "the laser fires")
NEXT_ROUND = _catalogue("next_round", "the next round begins")
HAND_CLEARS = _catalogue("hand_clears", "a hand clears the board")
TAKE_CAPTURED = _catalogue("take_captured", "take the captured pieces off the board")
PUT_RIGHT_ONE = _catalogue("put_right_one", "one thing to put right")
PUT_RIGHT_SEVERAL = _catalogue("put_right_several", "{count} things to put right")
REFEREE_DECIDES = _catalogue("referee_decides", "the referee decides")
PAUSED = _catalogue("paused", "paused")
WINS = _catalogue("wins", "{player} wins ({reason})")
DRAW = _catalogue("draw", "a draw ({reason})")
GOODBYE = _catalogue("goodbye", "goodbye: the table switches off")
GOODBYE_STORED = _catalogue(
    "goodbye_stored", "goodbye: the table switches off, and the game is stored"
)
UNSEEN = _catalogue(
    "unseen", "{cells} cannot be seen: is something in the way, or does a lamp shine there?"
)
UNSEEN_EMPTY = _catalogue(
    "unseen_empty",
    "{cells} cannot be seen: is something in the way, or does a lamp shine there?"
    " press fire if nothing stands there",
)
UNSEEN_RIGHT = _catalogue(
    "unseen_right",
    "{cells} cannot be seen: is something in the way, or does a lamp shine there?"
    " press fire if all is right there",
)
CONFIRM_RESULT = _catalogue(
    "confirm_result", "{player}: press fire to confirm, or call the referee"
)
REFEREE_NOT_CONFIRMED = _catalogue(
    "referee_not_confirmed", "the referee has not confirmed the result yet"
)
REFEREE_MUST_RULE = _catalogue("referee_must_rule", "the referee must rule: {proposal}")

# -- the computer and hints ----------------------------------------------------------------------

MAKE_COMPUTER_MOVE = _catalogue("make_computer_move", "make this move for the computer: {turn}")
COMPUTER_FAILED = _catalogue("computer_failed", "the computer player failed: {reason}")
COMPUTER_HAS_NO_MOVE = _catalogue("computer_has_no_move", "the computer has no move: {reason}")
HINT = _catalogue("hint", "hint: {hint}")
HINT_CELL = _catalogue("hint_cell", "hint: {piece}; ask again to see its move")
HINT_WITH_REASON = _catalogue("hint_with_reason", "{turn}: {reason}")
HINT_PIECE = _catalogue("hint_piece", "the {kind} on {cell}")
NO_HINT = _catalogue("no_hint", "there is no hint: {reason}")

# -- requests of players -------------------------------------------------------------------------

PLAYED_BY_COMPUTER = _catalogue("played_by_computer", "{player} is played by the computer")
PLAYED_BY_PROGRAM = _catalogue("played_by_program", "{player} is played by a program")
WAIT_FOR_LASER = _catalogue("wait_for_laser", "wait until the laser has fired")
GAME_IS_PAUSED = _catalogue("game_is_paused", "the game is paused")
NOT_PAUSED = _catalogue("not_paused", "the game is not paused")
HINT_FOR_MOVER = _catalogue("hint_for_mover", "a hint is for the player to move")
ALREADY_THINKING = _catalogue("already_thinking", "the computer is thinking already")
NO_DRAW_TO_CLAIM = _catalogue("no_draw_to_claim", "there is no draw to claim")
OFFERS_DRAW = _catalogue("offers_draw", "{player} offers a draw")
DECLINES_DRAW = _catalogue("declines_draw", "{player} declines the draw")
NO_TAKE_BACK = _catalogue("no_take_back", "turns are not taken back at this table")
NOTHING_TO_TAKE_BACK = _catalogue("nothing_to_take_back", "there is nothing to take back")
ASKS_TAKE_BACK = _catalogue("asks_take_back", "{player} asks to take back a turn")
TURN_TAKEN_BACK = _catalogue(
    "turn_taken_back", "a turn is taken back: put the pieces as they stood"
)
TURNS_TAKEN_BACK = _catalogue(
    "turns_taken_back", "{turns} turns are taken back: put the pieces as they stood"
)
NOTHING_TO_ACCEPT = _catalogue("nothing_to_accept", "there is nothing to accept")
NOTHING_TO_DECLINE = _catalogue("nothing_to_decline", "there is nothing to decline")
DECLINES = _catalogue("declines", "{player} declines")
NONE_OF_THEM = _catalogue("none_of_them", "none of them: make the move so that it can be seen")
OTHER_MUST_ANSWER = _catalogue("other_must_answer", "{player} must answer that")
NOTHING_TO_CHOOSE = _catalogue("nothing_to_choose", "there is nothing to choose")
CHOOSE_BETWEEN = _catalogue("choose_between", "choose {first} to {last}")
NO_RESULT_YET = _catalogue("no_result_yet", "there is no result to confirm yet")
CONFIRMS_RESULT = _catalogue("confirms_result", "{player} confirms the result")
CONFIRMED_ALREADY = _catalogue("confirmed_already", "{player} has confirmed the result already")
RESULT_STANDS = _catalogue("result_stands", "the result stands: {outcome}")

# -- how games end, besides on the board ---------------------------------------------------------

RESIGNED = _catalogue("resigned", "resigned")
AGREED = _catalogue("agreed", "agreed")
OUT_OF_TIME = _catalogue("out_of_time", "time")
PENALTY_FOR = _catalogue("penalty_for", "penalty for {cause}")

# -- pauses and devices --------------------------------------------------------------------------

PLAY_CONTINUES = _catalogue("play_continues", "play continues")
CANNOT_CONTINUE = _catalogue("cannot_continue", "play cannot continue: {reasons}")
DEVICE_LOST = _catalogue("device_lost", "{device}: {reason}")
DEVICE_WORKS = _catalogue("device_works", "{device} works again")
DEVICES_WORK = _catalogue("devices_work", "{device} work again")
DEVICE_REMARK = _catalogue("device_remark", "{device}: {remark}")

# -- puzzles -------------------------------------------------------------------------------------

TRY_AGAIN = _catalogue(
    "try_again", "that was not the move: put the pieces as they stood, and try again"
)
WRONG_FIRST_MOVE = _catalogue(
    "wrong_first_move", "the first move does not win in time: take back, and try another"
)
WRONG_FIRST_MOVE_THINKING = _catalogue(
    "wrong_first_move_thinking",
    "the first move does not win in time: take back, and try another ({thinking})",
)
PUZZLE_UNSOLVED = _catalogue("puzzle_unsolved", "{puzzle} is left unsolved; this is its solution")
PUZZLE_SOLVED = _catalogue("puzzle_solved", "{puzzle} is solved: well done!")
PUZZLE_SOLVED_AT = _catalogue(
    "puzzle_solved_at", "{puzzle} is solved, at the {nth} try: well done!"
)

# -- the referee ---------------------------------------------------------------------------------

THE_REFEREE = _catalogue("the_referee", "the referee")
CONDUCT = _catalogue("conduct", "conduct")
# What a proposal or a penalty is about, by the word in journals.
SUBJECTS = {
    template.text: template
    for template in (
        _catalogue("call", "call"),
        _catalogue("illegal_move", "illegal move"),
        _catalogue("ambiguous_read", "ambiguous read"),
        _catalogue("mismatch", "mismatch"),
        _catalogue("flag_fall", "flag fall"),
        _catalogue("king_hit", "king hit"),
        _catalogue("repetition", "repetition"),
        CONDUCT,
    )
}

NO_REFEREE = _catalogue("no_referee", "there is no referee at this table")
CALL_REFEREE_TO_STOP = _catalogue("call_referee_to_stop", "call the referee, who may stop the game")
REFEREE_CONTINUES = _catalogue("referee_continues", "only the referee can continue the game")
NO_HINTS_WITH_REFEREE = _catalogue(
    "no_hints_with_referee", "there are no hints where there is a referee"
)
REFEREE_ASKED = _catalogue("referee_asked", "the referee is asked: {proposal}")
CALLS_REFEREE = _catalogue("calls_referee", "{player} calls the referee")
CALLED_ALREADY = _catalogue("called_already", "{player} has called the referee already")
TIME_OVER = _catalogue("time_over", "the time of {players} is over")
DRAW_CLAIMABLE = _catalogue("draw_claimable", "a draw can be claimed: {reason}")
PENALISED_LOSS = _catalogue("penalised_loss", "{player} is penalised for {cause}: the game is lost")
PENALISED_WARNING = _catalogue("penalised_warning", "{player} is penalised for {cause}: a warning")
PENALISED_TIME = _catalogue(
    "penalised_time", "{player} is penalised for {cause}: {time} more for {other}"
)
PROPOSAL_ACCEPTED = _catalogue("proposal_accepted", "the referee has accepted: {proposal}")
PROPOSAL_DISMISSED = _catalogue("proposal_dismissed", "the referee has dismissed: {proposal}")
PROPOSAL_SETTLED = _catalogue("proposal_settled", "the referee has settled: {proposal}")
CLOCKS_SET = _catalogue("clocks_set", "the referee has set the clocks")
MAKE_MOVE_VISIBLE = _catalogue("make_move_visible", "make the move so that it can be seen")
BOARD_CORRECTED = _catalogue(
    "board_corrected", "the referee has corrected the board: put the pieces as shown"
)
NO_CLOCK_TO_SET = _catalogue(
    "no_clock_to_set", "this game is played without clocks: there is none to set"
)
NO_TIME_TO_GIVE = _catalogue(
    "no_time_to_give", "this game is played without clocks: there is no time to give"
)
BOARD_SAYS = _catalogue(
    "board_says", "the board says {outcome}: correct the turn or the position first"
)
BOARD_SAYS_INSTEAD = _catalogue(
    "board_says_instead", "the board says {outcome}: correct the turn or the position instead"
)
OUTCOME_UNCHANGED = _catalogue("outcome_unchanged", "the game has already ended: {outcome}")
PAUSED_ALREADY = _catalogue("paused_already", "the game is paused already")
TURNS_FORGOTTEN = _catalogue(
    "turns_forgotten",
    "the restart lost the turns to choose from: play one on the board, or dismiss the proposal",
)
PUT_TIME_FIRST = _catalogue("put_time_first", "put time on that clock first")
NO_ONE_TO_MOVE = _catalogue(
    "no_one_to_move", "no player is to move now: correct the turn or the position instead"
)
WRONG_MOVE_COUNT = _catalogue("wrong_move_count", "{needed} must move, not {count}")
TOO_FEW_TURNS = _catalogue("too_few_turns", "{turns} turns, of {played} that were played")
CORRECTS_NOTHING = _catalogue(
    "corrects_nothing", "that corrects nothing: name turns, or a position"
)
OTHER_BOARD = _catalogue("other_board", "that is the position of another board")
POSITION_UNCHANGED = _catalogue("position_unchanged", "the board has this position already")
RULE_FIRST = _catalogue("rule_first", "first rule on this: {proposal}")
RESULT_STANDS_ALREADY = _catalogue("result_stands_already", "the result stands already: {outcome}")
NO_OPEN_PROPOSAL = _catalogue(
    "no_open_proposal", "there is no open proposal {number}: it has been decided already"
)

# -- move options --------------------------------------------------------------------------------

STAY = _catalogue("stay", "stay")
GO_TO = _catalogue("go_to", "to {cell}")
SWAP_WITH = _catalogue("swap_with", "swap with {cell}")
TURN_RIGHT = _catalogue("turn_right", "turn right")
TURN_LEFT = _catalogue("turn_left", "turn left")
TURN_RIGHT_TIMES = _catalogue("turn_right_times", "turn right {times} times")
TURN_LEFT_TIMES = _catalogue("turn_left_times", "turn left {times} times")
FIRE_TOWARD = _catalogue("fire_toward", "fire toward {cell}")
CELL_EMPTY = _catalogue("cell_empty", "{cell} is empty")
CELL_OF_OTHER = _catalogue("cell_of_other", "{cell} is {player}'s")
CANNOT_GO = _catalogue("cannot_go", "{source} cannot go to {target}")
CANNOT_GO_BECAUSE = _catalogue("cannot_go_because", "{source} cannot go to {target}: {reason}")
NOT_A_MOVE = _catalogue(
    "not_a_move", "{value} is not a move: type {source}{target}, {source}+ or {source}- to turn"
)
NOT_A_MOVE_FIRE = _catalogue(
    "not_a_move_fire",
    "{value} is not a move: type {source}{target}, {source}+ or {source}- to turn,"
    " {source}!{target} to fire that way",
)

# -- errors: time controls, policies, rulings ----------------------------------------------------

CLOCK_WITHOUT_TIME = _catalogue(
    "clock_without_time", "a game without clocks has no time control: {base_ms} ms, {extra_ms} ms"
)
CLOCK_BASE = _catalogue("clock_base", "{time} to start with: a clock shows above 0 s to 24h")
CLOCK_EXTRA = _catalogue("clock_extra", "{kind} with {time} for a move: give it above 0 s to 24h")
CLOCK_NO_EXTRA = _catalogue(
    "clock_no_extra", "{kind} with {time} for a move: there is nothing to add"
)
BAD_CLOCK = _catalogue("bad_clock", "clock {value}: {advice}")
CLOCK_UNIT = _catalogue("clock_unit", "say of what: {example}")
CLOCK_NO_KIND = _catalogue(
    "clock_no_kind", "there is no kind of clock {kind!r}; write one of {forms}"
)
CLOCK_WRITE = _catalogue("clock_write", "write one of {forms}")
CLOCK_UNIT_ORDER = _catalogue(
    "clock_unit_order", "in {text!r}, write hours, minutes, seconds: 1h30m"
)
CLOCK_TOO_LONG = _catalogue("clock_too_long", "a clock shows at most 24h")
CLOCK_TOO_FINE = _catalogue("clock_too_fine", "{text!r} is finer than a thousandth of a second")
CLOCK_CANNOT_SHOW = _catalogue(
    "clock_cannot_show", "a clock cannot be set to {ms} ms: it shows 0 s to 24h"
)
BAD_TIME = _catalogue("bad_time", "{value} is not a time")
NO_CLOCK_OF = _catalogue("no_clock_of", "there is no clock of player {value}: they are 0 and 1")
CONTROL_NOT_TEXT = _catalogue(
    "control_not_text", "clocks: control must be text such as '5m+3s', not {value}"
)
PLAYERS_ONCE = _catalogue(
    "players_once", "clocks: {name} must name players once and in order, not {value}"
)
NOT_MILLISECONDS = _catalogue(
    "not_milliseconds", "{what} must be a number of milliseconds, not {value}"
)
BELOW_ZERO = _catalogue("below_zero", "{what} must not be below zero, not {value}")
PENALTY_RANGE = _catalogue(
    "penalty_range", "a penalty of {time_ms} ms: it is above 0 s, and up to 24h"
)
PENALTY_BOTH = _catalogue("penalty_both", "a penalty is the loss of the game or time, not both")
BAD_PENALTY = _catalogue(
    "bad_penalty", "penalty {value}: write none, loss, or time for the opponent such as 2m"
)
PENALTY_COUNT = _catalogue("penalty_count", "{count} penalties: there are 1 to {most}")
NOT_A_POLICY = _catalogue("not_a_policy", "{value} is not a policy{suggestion}")
POLICY_NOT_TEXT = _catalogue("policy_not_text", "a policy must be text, not {value}")
NO_SUCH_RULING = _catalogue("no_such_ruling", "rule: there is no {value}{suggestion}")
BAD_RULING_FIELD = _catalogue("bad_ruling_field", "{ruling}: {reason}")
RULING_MOVES = _catalogue("ruling_moves", "moves: one or two of them, not {count}")
DECLARE_RESULT = _catalogue("declare_result", "declare: a game ends 1-0, 0-1 or 1/2-1/2")
NO_NOTE = _catalogue("no_note", "annotate: there is no note")
NOT_ONE_LINE = _catalogue(
    "not_one_line", "{what} must be text of 1 to {longest} characters on one line, not {value}"
)

# -- errors: journals ----------------------------------------------------------------------------

NO_ENTRY = _catalogue("no_entry", "it holds no entry: nothing was played")
NO_GAME = _catalogue("no_game", "it holds no game")
FIRST_ENTRY = _catalogue("first_entry", "it begins with {value}, not with the game")
OTHER_FORMAT = _catalogue(
    "other_format",
    "its format is {value}, and this Laserboard reads {known}: use the one that wrote it, or a"
    " newer one",
)
BAD_BEGINNING = _catalogue(
    "bad_beginning", "a game begins with a setup, a seed or a position, not with {value}"
)
PLAYER_COUNT = _catalogue("player_count", "{game} has {needed} players, not {count}")
GOAL_LINE = _catalogue("goal_line", "the line of a goal must be moves, not {value}")
NOT_A_PLAYER = _catalogue("not_a_player", "{value} is not a player: human, computer:3 or program")
TURN_AFTER_RESULT = _catalogue("turn_after_result", "a turn after the result {outcome}")
WRONG_MOVERS = _catalogue("wrong_movers", "{players} must move, not {movers}")
NO_MOVER = _catalogue("no_mover", "no player")
TAKE_BACK_POSITION = _catalogue(
    "take_back_position", "taking back leads to another position than {value}"
)
TAKE_BACK_COUNT = _catalogue("take_back_count", "{turns} turns taken back of {played}")
CORRECTION_BEFORE = _catalogue(
    "correction_before", "a correction of another position than stood there: {value}"
)
CORRECTION_AFTER = _catalogue(
    "correction_after", "the correction leads to another position than {value}"
)
OTHER_RESULT = _catalogue("other_result", "the result is {outcome}, but the game had ended {ended}")
CANNOT_RESUME = _catalogue("cannot_resume", "cannot resume the game: {fault}")
NOT_A_SUBJECT = _catalogue("not_a_subject", "a proposal about {value}: it is one of {subjects}")
RULING_ON_NOTHING = _catalogue(
    "ruling_on_nothing", "a ruling on proposal {number}, which is not open"
)
BAD_HASH = _catalogue("bad_hash", "{name}: {key} must be a SHA-256, not {value}")
BODY_NOT_JSON = _catalogue("body_not_json", "the body of a {kind} is no JSON: {reason}")
FOREIGN_BYTE = _catalogue(
    "foreign_byte", "has a byte that was never written there (column {column})"
)
LINE_NOT_JSON = _catalogue("line_not_json", "is no JSON")
LINE_NO_ENTRY = _catalogue("line_no_entry", "is not an entry ({reason})")
CHECKSUM_WRONG = _catalogue("checksum_wrong", "was changed: its checksum is wrong")
LINE_CUT_OFF = _catalogue("line_cut_off", "is cut off: it has no end")
ENTRY_NUMBER = _catalogue("entry_number", "is entry {number}, where {expected} must be")
ENTRY_LINK = _catalogue("entry_link", "does not follow from the line before it")
NOT_A_KIND = _catalogue(
    "not_a_kind", "{value} is not a kind of entry: a word or two, such as 'turn'"
)
NOT_A_TIME = _catalogue("not_a_time", "{value} is not a time in ms")
BODY_NOT_OBJECT = _catalogue(
    "body_not_object", "the body of an entry must be an object, not {value}"
)
NOT_A_CHECKSUM = _catalogue("not_a_checksum", "{name} must be a checksum, not {value}")
DAMAGED_FIRST = _catalogue("damaged_first", "line {line} {reason}; nothing is before it")
DAMAGED_SECOND = _catalogue("damaged_second", "line {line} {reason}; the entry before it survives")
DAMAGED_LATER = _catalogue(
    "damaged_later", "line {line} {reason}; the {count} entries before it survive"
)
DAMAGED_AND_ONE = _catalogue("damaged_and_one", "{damage}, 1 entry behind it cannot be trusted")
DAMAGED_AND_MORE = _catalogue(
    "damaged_and_more", "{damage}, {count} entries behind it cannot be trusted"
)
NO_BOARD_FITS = _catalogue("no_board_fits", "no game fits on the board {board!r}")
