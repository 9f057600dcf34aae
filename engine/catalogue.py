"""The sentences that the engine speaks: errors, rules broken, turns in words, paper.

Every text is a whole sentence or a phrase that fills a slot of another one. Slots called `value`,
`text` or `key` hold an excerpt that is quoted already.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.sentences import Catalogue, Sentence, as_sentence, plain

_catalogue = Catalogue("engine")

# -- errors of every kind ------------------------------------------------------------------------

AT_LINE = _catalogue("at_line", "line {line}: {message}")
AT_PLACE = _catalogue("at_place", "{place}: {problem}")
AT_TURN = _catalogue("at_turn", "turn {number}: {problem}")
DID_YOU_MEAN = _catalogue("did_you_mean", ", did you mean {name!r}?")
KNOWN_NAMES = _catalogue("known_names", "; known: {names}")
LIST_AND = _catalogue("list_and", "{first} and {last}")

# -- JSON ------------------------------------------------------------------------------------------

JSON_TOO_LONG = _catalogue(
    "json_too_long", "{length} characters of JSON are too many; at most {most}"
)
TEXT_TOO_LONG = _catalogue("text_too_long", "{length} characters are too many; at most {most}")
NOT_JSON = _catalogue("not_json", "not JSON: {problem}")
NOT_JSON_AT = _catalogue(
    "not_json_at", "not JSON: {problem} (line {line}, column {column}) in {text}"
)
NOT_JSON_NEAR = _catalogue("not_json_near", "not JSON: {problem} at {text}")
NOT_JSON_AFTER = _catalogue(
    "not_json_after", "not JSON: {rest} after the end of the value in {text}"
)
NOT_JSON_REST = _catalogue("not_json_rest", "not JSON: something stands after its end")
HAS_FAULT = _catalogue("has_fault", "{subject} {fault}")
KEY_TWICE = _catalogue("key_twice", "has the key {key} twice in one object")
NO_NUMBER = _catalogue("no_number", "has {value}, which is not a number")
TOO_MANY_DIGITS = _catalogue("too_many_digits", "has a number of {digits} digits")
NUMBER_TOO_LARGE = _catalogue("number_too_large", "has {value}, which is too large for a number")
HALF_CHARACTER = _catalogue("half_character", "has half a character (a lone surrogate) in {value}")
NESTED_TOO_DEEPLY = _catalogue("nested_too_deeply", "is nested too deeply: at most {most} levels")
NOT_AN_OBJECT = _catalogue("not_an_object", "{what} must be an object, not {value}")
NOT_AN_ARRAY = _catalogue("not_an_array", "{what} must be an array, not {value}")
NOT_AN_ARRAY_OF = _catalogue("not_an_array_of", "{what} must be an array of {count}, not {value}")
NOT_A_STRING = _catalogue("not_a_string", "{what} must be a string, not {value}")
NOT_TEXT = _catalogue("not_text", "{what} must be text, not {value}")
NOT_A_WHOLE_NUMBER = _catalogue(
    "not_a_whole_number", "{what} must be a whole number from {least} to {most}, not {value}"
)
NOT_ONE_OF = _catalogue("not_one_of", "{what} must be one of {choices}, not {value}")
UNKNOWN_KEY = _catalogue("unknown_key", "{what} has an unknown key {key}{hint}")
MISSING_KEY = _catalogue("missing_key", "{what} lacks {key!r}")
WRONG_TYPE = _catalogue(
    "wrong_type", "{what} must be an object with a type of {types}, not {value}"
)

# -- games, options and starts ---------------------------------------------------------------------

NO_SUCH_GAME = _catalogue("no_such_game", "there is no game {name}{hint}")
NO_SUCH_OPTION = _catalogue("no_such_option", "{game} has no option {name}{hint}")
NO_SUCH_SETUP = _catalogue("no_such_setup", "{game} has no setup {name}{hint}")
NO_SETUPS = _catalogue("no_setups", "{game} has no setups: it starts from a seed")
NO_SETUP_BUT_SEED = _catalogue(
    "no_setup_but_seed", "{game} has no setup {name}: it starts from a seed"
)
NO_SEED_BUT_SETUP = _catalogue("no_seed_but_setup", "{game} starts from a setup, not from a seed")
SEED_TOO_LONG = _catalogue(
    "seed_too_long", "{game}: the seed has more digits than a record can hold"
)
BAD_OPTION_CHOICE = _catalogue(
    "bad_option_choice", "{game} option {option}: {value} is not one of {choices}"
)
BAD_OPTION_NUMBER = _catalogue(
    "bad_option_number",
    "{game} option {option}: {value} is not a whole number from {least} to {most}",
)
BAD_OPTION_NUMBER_OR_NONE = _catalogue(
    "bad_option_number_or_none",
    "{game} option {option}: {value} is not a whole number from {least} to {most}, or none",
)
STANDARD_LOSES_SHOOTERS = _catalogue(
    "standard_loses_shooters",
    "under independent beams, standard loses nearly all shooters at once: try offset",
)

# -- goals of games, and remarks on setups ---------------------------------------------------------

GOAL_LASER_CHESS = _catalogue(
    "goal_laser_chess", "move or turn one piece, then your laser fires: capture the other king"
)
GOAL_PHOTON = _catalogue(
    "goal_photon", "move or turn one piece, then all shooters fire: capture the other king"
)
GOAL_SPACESHIPS = _catalogue(
    "goal_spaceships", "both ships act at once: fly or fire, and destroy the other"
)
SETUP_MERCURY = _catalogue(
    "setup_mercury",
    "as printed, both lasers burn their owner's deflector on 68 of the 72 first moves",
)
SETUP_MERCURY_HORIZONTAL = _catalogue(
    "setup_mercury_horizontal",
    "mercury with both lasers turned along the rows, as other implementations start it",
)
SETUP_SOPHIE = _catalogue(
    "setup_sophie", "row 3 as in the pictures; the printed notation has switches there"
)
SETUP_STANDARD = _catalogue(
    "setup_standard",
    "under `beams: independent` nearly all shooters fall on the first turn: use offset",
)
SETUP_OFFSET = _catalogue("setup_offset", "the default under `beams: independent`")
SETUP_REMARKS = {
    ("laser-chess", "mercury"): SETUP_MERCURY(),
    ("laser-chess", "mercury-horizontal"): SETUP_MERCURY_HORIZONTAL(),
    ("laser-chess", "sophie"): SETUP_SOPHIE(),
    ("photon", "standard"): SETUP_STANDARD(),
    ("photon", "offset"): SETUP_OFFSET(),
}

# -- positions -------------------------------------------------------------------------------------

NOT_A_SQUARE = _catalogue("not_a_square", "{name} is not a square: this board has a1 to {last}")
NOT_A_TILE = _catalogue("not_a_tile", "{name} is not a tile of this board")
TILE_TWICE = _catalogue("tile_twice", "the tile {tile} is in the grid twice")
TILE_SUM = _catalogue("tile_sum", "{tile} is not a tile: cube coordinates add up to 0")
TILE_TOO_FAR = _catalogue("tile_too_far", "the tile {tile} is too far out: at most {most} from 0")
NO_SUCH_KIND = _catalogue("no_such_kind", "there is no {kind} in this game: {kinds}")
POSITION_TOO_LONG = _catalogue(
    "position_too_long", "{text} is too long for a position ({length} characters)"
)
NOT_SN = _catalogue("not_sn", "{text} is not SN, optionally with a space and 'b' or 'r'")
NOT_A_SIDE = _catalogue("not_a_side", "the side to move is 'b' or 'r', not {value}")
WRONG_ROW_COUNT = _catalogue(
    "wrong_row_count",
    "{text} is not Setup Notation: {rows} rows with '/' between, "
    "such as l++9/5k4/*/*/*/*/4K5/9L; this has {found}",
)
NOT_A_PIECE = _catalogue(
    "not_a_piece",
    "{place}: {value} is not a piece (K S D B L, red in lower case) "
    "with its turns (+), nor a run of empty squares (1-9); an empty row is *",
)
RUN_IN_PARTS = _catalogue("run_in_parts", "{place}: write a run of empty squares as one number")
TURNED_TOO_OFTEN = _catalogue(
    "turned_too_often", "{place}: {text!r} is turned {times} times; at most 3"
)
WRONG_ROW_LENGTH = _catalogue("wrong_row_length", "{place}: {found} squares, not {columns}")
SN_ROW = _catalogue("sn_row", "SN row {row} {text}")
TOO_MANY_PIECES = _catalogue(
    "too_many_pieces", "{player} has {count} pieces of kind {kind}; at most {most}"
)
SQUARE_KEPT_FOR_LASER = _catalogue(
    "square_kept_for_laser", "{player}'s {kind} on {cell}: that square is reserved for a laser"
)
SQUARE_KEPT_FOR_PLAYER = _catalogue(
    "square_kept_for_player", "{player}'s {kind} on {cell}: that square is reserved for {other}"
)
NO_KING = _catalogue("no_king", "there is no king: at least one side must have its king")
LASER_MISPLACED = _catalogue(
    "laser_misplaced", "{player} needs exactly one laser, on {cell}; found {found}"
)
LASER_MISSING = _catalogue(
    "laser_missing", "{player} needs exactly one laser, on {cell}; found none"
)
LASER_POINTS_OFF = _catalogue(
    "laser_points_off",
    "{player}'s laser on {cell} points off the board: "
    "orientation {degrees}, allowed {first} or {second}",
)
HISTORY_TOO_LONG = _catalogue("history_too_long", "history has {count} moves; at most {most}")
TOO_MANY_KINGS = _catalogue("too_many_kings", "player {player} has {count} kings, not one")
WRONG_PIECE_TYPE = _catalogue("wrong_piece_type", "{place}: type must be K, S, M or B, not {value}")

NICKS_ALIKE = _catalogue("nicks_alike", "two players with different nicks are needed, not {value}")
SHIPS_TOGETHER = _catalogue("ships_together", "both ships are on the tile {tile}")
SHIP_NOT_ON_LAND = _catalogue(
    "ship_not_on_land", "{place}.coordinates must be land; {tile} is {terrain}"
)
ONE_SHIP_EACH = _catalogue("one_ship_each", "each side has one ship, and nothing else")
TEXT_UNFIT = _catalogue("text_unfit", "{place} must be {fit}, not {value}")
FIT_TEXT = _catalogue("fit_text", "text")
FIT_LENGTH = _catalogue("fit_length", "at most {most} characters")
FIT_CHARACTERS = _catalogue("fit_characters", "without control characters")
NOT_COORDINATES = _catalogue(
    "not_coordinates",
    "{place} must be three whole numbers that add up to 0, none beyond {most}, not {value}",
)
NOT_ON_GRID = _catalogue("not_on_grid", "{place} must be a tile of the grid, not {value}")

# -- moves -----------------------------------------------------------------------------------------

GAME_OVER = _catalogue("game_over", "the game is over: {outcome}")
WRONG_MOVERS = _catalogue("wrong_movers", "only {players} must move in this turn")
NOT_YOUR_TURN = _catalogue("not_your_turn", "illegal move {move}: it is {player}'s turn")
ILLEGAL_MOVE = _catalogue("illegal_move", "illegal move {move} for {player}: {reason}")
NO_SUCH_MOVE = _catalogue("no_such_move", "there is no such move on any board")
SQUARE_EMPTY = _catalogue("square_empty", "{cell} is empty")
NOT_YOUR_PIECE = _catalogue("not_your_piece", "the {kind} on {cell} is not {player}'s")
LASER_TURNS_OFF = _catalogue(
    "laser_turns_off", "the laser would point off the board; only {move} is possible"
)
LASER_NEVER_MOVES = _catalogue("laser_never_moves", "a laser never moves, it only turns")
ONE_SQUARE = _catalogue("one_square", "a piece moves one square, in any of the 8 directions")
ONE_SQUARE_STRAIGHT = _catalogue(
    "one_square_straight", "a piece moves one square up, down, left or right"
)
LASER_SQUARE_CLOSED = _catalogue(
    "laser_square_closed", "{cell} is a laser's square: no other piece enters it"
)
SQUARE_RESERVED = _catalogue("square_reserved", "{cell} is reserved for {player}")
SQUARE_OCCUPIED = _catalogue("square_occupied", "{cell} is occupied")
SQUARE_OCCUPIED_SWAP = _catalogue(
    "square_occupied_swap", "{cell} is occupied; a swap is written {move}"
)
ONLY_SWITCH_SWAPS = _catalogue("only_switch_swaps", "only a switch swaps")
NOTHING_TO_SWAP = _catalogue("nothing_to_swap", "{cell} is empty: a plain move is written {move}")
SWITCH_SWAPS_ONLY = _catalogue(
    "switch_swaps_only", "a switch swaps only with a deflector or a defender, not with a {kind}"
)
SWAP_ONTO_RESERVED = _catalogue(
    "swap_onto_reserved", "it would put a {other} piece on {cell}, reserved for {player}"
)
ONLY_IDLE_PASSES = _catalogue("only_idle_passes", "only a player without any other action passes")
DOES_NOT_ROTATE = _catalogue("does_not_rotate", "a {kind} does not rotate")
WRONG_CAPTURE = _catalogue(
    "wrong_capture", "{move!r} says it captures {claimed}; the beam captures {captured}"
)
NO_CAPTURE = _catalogue(
    "no_capture", "{move!r} says it captures {claimed}; the beam captures nothing"
)
NOT_LAN = _catalogue(
    "not_lan",
    "{text} is not a move: write j4j3 (move), f4ug3 (switch swaps), "
    "h2+ or h2- (turn), with x and a square for a capture",
)
NOT_A_PHOTON_MOVE = _catalogue(
    "not_a_photon_move",
    "{what} must be an object with type move, rotate or pass, not {value}",
)
NOT_A_ROTATION = _catalogue(
    "not_a_rotation", "{what}: dir must be 1 (clockwise) or -1, not {value}"
)
NOT_AN_ACTION = _catalogue(
    "not_an_action",
    "{value} is not an action: a move or a laser has a heading from 0 to 5, a noop has a reason",
)
GAME_PAUSED = _catalogue("game_paused", "the game is paused: no ship acts until it continues")
NO_SUCH_PLAYER = _catalogue("no_such_player", "there is no player {player}: they are 0 and 1")
ANSWER_NO_OBJECT = _catalogue("answer_no_object", "not a JSON object with a type and a direction")
ANSWER_WRONG_TYPE = _catalogue("answer_wrong_type", "the type must be move or laser, not {value}")
ANSWER_WRONG_DIRECTION = _catalogue(
    "answer_wrong_direction",
    "the direction must be one of the six, such as [1,0,-1], not {value}",
)
MISSING = _catalogue("missing", "missing")
THE_JSON = _catalogue("the_json", "the JSON")
THE_GAME = _catalogue("the_game", "the game")

# -- how games end ---------------------------------------------------------------------------------

OUTCOME = _catalogue("outcome", "{result} {reason}")
KING_CAPTURED = _catalogue("king_captured", "king captured")
BOTH_KINGS_CAPTURED = _catalogue("both_kings_captured", "both kings captured")
NO_SHOOTER_LEFT = _catalogue("no_shooter_left", "no shooter left")
THREEFOLD_REPETITION = _catalogue("threefold_repetition", "threefold repetition")
TURNS_WITHOUT_CAPTURE = _catalogue("turns_without_capture", "{count} turns without a capture")
TURNS_PLAYED = _catalogue("turns_played", "{count} turns played")
SHIP_DESTROYED = _catalogue("ship_destroyed", "ship destroyed")
BOTH_SHIPS_MORE_SCORE = _catalogue("both_ships_more_score", "both ships destroyed, more score")
BOTH_SHIPS_EQUAL_SCORE = _catalogue("both_ships_equal_score", "both ships destroyed, equal score")
MORE_HIT_POINTS = _catalogue("more_hit_points", "more hit points after {count} rounds")
MORE_HIT_POINTS_1 = _catalogue("more_hit_points_1", "more hit points after {count} round")
MORE_SCORE = _catalogue("more_score", "more score after {count} rounds")
MORE_SCORE_1 = _catalogue("more_score_1", "more score after {count} round")
EQUAL_AFTER = _catalogue("equal_after", "equal after {count} rounds")
EQUAL_AFTER_1 = _catalogue("equal_after_1", "equal after {count} round")
_OUTCOME_REASONS = (
    *(KING_CAPTURED, BOTH_KINGS_CAPTURED, NO_SHOOTER_LEFT, THREEFOLD_REPETITION),
    *(SHIP_DESTROYED, BOTH_SHIPS_MORE_SCORE, BOTH_SHIPS_EQUAL_SCORE),
    *(TURNS_WITHOUT_CAPTURE, TURNS_PLAYED, MORE_HIT_POINTS, MORE_HIT_POINTS_1),
    *(MORE_SCORE, MORE_SCORE_1, EQUAL_AFTER, EQUAL_AFTER_1),
)

# -- rounds of games for programs ------------------------------------------------------------------

ROUND = _catalogue("round", "round {round}")
ROUND_OF = _catalogue("round_of", "round {round} of {rounds}")
FLIES_TO = _catalogue("flies_to", "flies to {cell}")
COLLIDES = _catalogue("collides", "collides ({reason}), -{hit_points} hp")
FIRES_TO = _catalogue("fires_to", "fires {start} to {end}")
IS_HIT = _catalogue("is_hit", "is hit, -{hit_points} hp")
DOES_NOTHING = _catalogue("does_nothing", "does nothing: {reason}")
COLLISION_OFF_GRID = _catalogue("collision_off_grid", "off the grid")
COLLISION_VOID = _catalogue("collision_void", "void")
COLLISION_MOUNTAIN = _catalogue("collision_mountain", "mountain")
COLLISION_SHIP = _catalogue("collision_ship", "the other ship")
COLLISION_BOTH = _catalogue("collision_both", "both came to")

# -- the computer player, analysis and puzzles -----------------------------------------------------

NO_SUCH_LEVEL = _catalogue("no_such_level", "levels go from 1 to {most}, there is no {level}")
BAD_SEARCH_DEPTH = _catalogue(
    "bad_search_depth", "a search can be 1 to {most} turns deep, not {depth}"
)
BAD_NODE_LIMIT = _catalogue("bad_node_limit", "a search needs at least 1 node, not {nodes}")
NO_SUCH_CORE = _catalogue("no_such_core", "a core is one of {cores}, not {value}")
ENDLESS_SEARCH = _catalogue(
    "endless_search", "level 8 thinks until it is stopped: give it a depth, nodes or a time"
)
NO_COMPUTER = _catalogue("no_computer", "the computer does not play {game} yet")
CORE_CANNOT = _catalogue("core_cannot", "the compiled core does not know {game} positions like it")
CORE_NOT_BUILT = _catalogue(
    "core_not_built",
    "the compiled core is missing, so the slower Python search plays: "
    "install again with a C compiler (gcc) for stronger play",
)
CORE_NOT_LOADED = _catalogue(
    "core_not_loaded",
    "the compiled core is missing, so the slower Python search plays: "
    "{file} cannot be loaded ({error})",
)
CORE_OF_ANOTHER_RELEASE = _catalogue(
    "core_of_another_release",
    "the compiled core is missing, so the slower Python search plays: "
    "{file} is of another release; install again",
)
BAD_PERFT_DEPTH = _catalogue("bad_perft_depth", "turns are counted 1 to {most} deep, not {depth}")
BAD_PROOF_TURNS = _catalogue(
    "bad_proof_turns", "a win is proven in 1 to {most} turns, not in {turns}"
)
PROOF_STOPPED = _catalogue(
    "proof_stopped", "the proof was stopped: give it more time, or ask for fewer turns"
)
NO_PROOFS = _catalogue("no_proofs", "wins are proven only where players take turns, not in {game}")
NOT_ANALYSABLE = _catalogue(
    "not_analysable",
    "{game} cannot be analysed: both players move simultaneously, so the value "
    "of a move depends on the other player's move",
)
BAD_ANALYSIS_DEPTH = _catalogue(
    "bad_analysis_depth", "an analysis looks at least {least} turns ahead, not {depth}"
)
SCORE_WINS_IN = _catalogue("score_wins_in", "{player} wins in {turns}")
SCORE_HAS_WON = _catalogue("score_has_won", "{player} has won")

REASON_STRIKES_NOW = _catalogue("reason_strikes_now", "it captures {piece} now")
REASON_STRIKES_IN = _catalogue("reason_strikes_in", "it captures {piece} in {turns} turns")
REASON_WINS_NOW = _catalogue("reason_wins_now", "it wins now")
REASON_WINS_IN = _catalogue("reason_wins_in", "it wins in {turns} turns")
REASON_CAPTURES = _catalogue("reason_captures", "it captures {piece}")
REASON_SAVES = _catalogue("reason_saves", "it saves {piece}")
REASON_PREPARES = _catalogue("reason_prepares", "it prepares to capture {piece}")
REASON_HOLDS_OUT_1 = _catalogue("reason_holds_out_1", "it holds out longest, one turn")
REASON_HOLDS_OUT = _catalogue("reason_holds_out", "it holds out longest, {turns} turns")
THE_PIECE = _catalogue("the_piece", "the {player} {kind}")
THE_PIECE_ON = _catalogue("the_piece_on", "the {player} {kind} on {cell}")
BETTER = _catalogue("better", "better {move}")
BETTER_BECAUSE = _catalogue("better_because", "better {move}: {reason}")
NOW_TAKES = _catalogue("now_takes", "{advice}; now {move} takes the {player} {kind} on {cell}")

PUZZLE_TASK = _catalogue("puzzle_task", "{player} to move: {goal}")
PUZZLE_GOAL_NOW = _catalogue("puzzle_goal_now", "capture {other}'s king this turn")
PUZZLE_GOAL = _catalogue("puzzle_goal", "capture {other}'s king in {turns} turns")
PUZZLE_FORMAT = _catalogue("puzzle_format", "its format is {value}, and this one reads {expected}")
NO_SUCH_PUZZLE = _catalogue(
    "no_such_puzzle", "there is no puzzle {number}: they go from 1 to {most}"
)
PUZZLE_SPELLING = _catalogue("puzzle_spelling", "its position is not written as the game writes it")
PUZZLE_OVER = _catalogue("puzzle_over", "its game is over")
PUZZLE_UNPLAYABLE = _catalogue("puzzle_unplayable", "its solution cannot be played: {problem}")
PUZZLE_LENGTH = _catalogue(
    "puzzle_length", "its solution takes {turns} single turns, not {expected}"
)
PUZZLE_ENDS = _catalogue("puzzle_ends", "its solution ends with {outcome}")
PUZZLE_UNDECIDED = _catalogue("puzzle_undecided", "its solution ends with nothing decided")
PUZZLE_TOO_EASY = _catalogue("puzzle_too_easy", "it is won in {turns} turns already")
PUZZLE_NOT_UNIQUE = _catalogue("puzzle_not_unique", "{count} different moves win, not one")
PUZZLE_WRONG_MOVE = _catalogue("puzzle_wrong_move", "{move} is not the move that wins")


def outcome_reason(text: str) -> Sentence:
    """The reason of an outcome from its text: records and old journals have nothing else."""
    for template in _OUTCOME_REASONS:
        slots = template.read(text)
        if slots is not None and all(each.isdecimal() for each in slots.values()):
            reason = template(**{name: int(count[:9]) for name, count in slots.items()})
            if str(reason) == text:
                return reason
    return plain(text)


def list_of(names: Sequence[str | Sentence]) -> Sentence:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = names
    if first:
        return LIST_AND(first=tuple(first), last=last)
    return as_sentence(last)
