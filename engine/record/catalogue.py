"""The sentences about game records: what is wrong with a text, a tag, a comment or a result."""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("engine.record")

NO_GAME_IN_TEXT = _catalogue(
    "no_game_in_text", 'there is no game: it begins with tags such as [Event "..."]'
)
MORE_THAN_ONE_GAME = _catalogue("more_than_one_game", "more than one game, where one was asked for")
NO_TEXT_FORM = _catalogue("no_text_form", "{game} has no text form: write it as JSON")
RECORDS_ARE_JSON = _catalogue("records_are_json", "{game} has no text form: its records are JSON")
ARRAY_NOT_CLOSED = _catalogue("array_not_closed", "the array of games is never closed: write a ]")
NO_GAME_OBJECT = _catalogue(
    "no_game_object", "{text} where a game should begin: one object {{...}}"
)
GAME_CUT_OFF = _catalogue("game_cut_off", "the game is cut off: its object has no }}")
NOT_A_RESULT = _catalogue("not_a_result", "{value} is not a result: {results}")
TOO_MANY_TURNS = _catalogue("too_many_turns", "{count} turns are too many; at most {most}")
MORE_TURNS_THAN = _catalogue("more_turns_than", "more than {most} turns in one game")
SETUP_AND_POSITION = _catalogue(
    "setup_and_position", "a game starts from a setup or from a position, not from both"
)
TAG_RESERVED = _catalogue(
    "tag_reserved", "the tag {tag!r} is not free: the record says that by itself"
)
TAG_TWICE = _catalogue("tag_twice", "the tag {tag!r} is there twice")
TAG_TWICE_ON_LINE = _catalogue(
    "tag_twice_on_line", "the tag {tag!r} is there twice; the other one is on line {line}"
)
NOT_A_TAG_NAME = _catalogue(
    "not_a_tag_name", "{value} is not a name for a tag: letters and digits, at most 100"
)
TAG_CONTROL_CHARACTER = _catalogue(
    "tag_control_character",
    "the tag {tag!r} has a control character or half of one in its value {value}: remove it",
)
NOT_A_TAG = _catalogue("not_a_tag", '{text} is not a tag: write [Name "value"]')
TAG_AFTER_MOVE = _catalogue("tag_after_move", "a tag after a move: end that game with its result")
TAG_SPELLING = _catalogue("tag_spelling", "the tag {tag!r} must be written {own!r}")
COMMENT_FAULT = _catalogue("comment_fault", "the comment {text} {fault}; remove that")
COMMENT_CONTROL_CHARACTER = _catalogue(
    "comment_control_character", "has a line end, a control character or half of one"
)
COMMENT_BRACE = _catalogue("comment_brace", "has a '}}', which ends a comment")
COMMENT_COMMAND = _catalogue(
    "comment_command", "has a [%{command}, which belongs to the field {field}: set that"
)
COMMENT_BLANKS = _catalogue("comment_blanks", "has blanks around it")
COMMENT_NOT_CLOSED = _catalogue(
    "comment_not_closed", "the comment that begins here is never closed: write a }}"
)
STRAY_BRACE = _catalogue("stray_brace", "a }} without a {{ before it: remove it")
NOT_ONE_WORD = _catalogue(
    "not_one_word",
    "{value} is not the one move of a turn: a word in ASCII that begins with a letter",
)
AFTER_THE_RESULT = _catalogue(
    "after_the_result",
    "{text} comes after the result {result}: remove it, or begin a new game behind a blank line",
)
COMMAND_WITHOUT_MOVE = _catalogue(
    "command_without_move", "this [%{command}] belongs to no move: write it behind one"
)
COMMAND_TWICE = _catalogue("command_twice", "a second [%{command}] for one move: leave one of them")
COMMAND_WITHOUT_SCORE = _catalogue(
    "command_without_score", "a [%{command}] without a score: write [%eval +0.00] beside it"
)
NOT_A_CLOCK = _catalogue("not_a_clock", "{value} is not a clock: write [%clk 0:09:51]")
NOT_A_SCORE = _catalogue(
    "not_a_score", "{value} is not a score: write [%eval -1.20], or [%eval #3]"
)
NOT_A_VERDICT = _catalogue(
    "not_a_verdict", "{value} is not a verdict: a word or two in small letters"
)
NOT_A_SEED = _catalogue("not_a_seed", "{value} is not a seed: a whole number")
NO_RESULT = _catalogue(
    "no_result", "the game has no end: write its result behind the last move, one of {results}"
)
RESULT_TAG_DIFFERS = _catalogue(
    "result_tag_differs",
    "the tag Result says {value}, but the moves end with {result}: make them agree",
)
OVER_BEFORE_TURN = _catalogue(
    "over_before_turn", "the game was over before it ({outcome}): remove what follows"
)
WRONG_RESULT = _catalogue(
    "wrong_result",
    "the result is {result}, but the game on the board ended {outcome}: write {expected}",
)
UNTERMINATED = _catalogue("unterminated", "unterminated")
WRONG_START = _catalogue(
    "wrong_start", "the first turn does not begin where the record does: pass its `before`"
)
ENDED_OTHERWISE = _catalogue(
    "ended_otherwise", "the game on the board ended {on_board}, it cannot have ended {outcome}"
)
TOO_MANY_EXTRAS = _catalogue(
    "too_many_extras",
    "{turns} turns, but {clocks} clocks and {comments} comments: "
    "there can be one of each to a turn",
)
WRONG_MOVE_COUNT = _catalogue(
    "wrong_move_count", "{count} moves, but {players} must move: {expected} expected"
)
BAD_BETTER_LINE = _catalogue("bad_better_line", "the better line {line}: {problem}")
