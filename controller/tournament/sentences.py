"""Sentences of a tournament: its views, changes and remarks, and why messages are rejected.

Slots called `value` hold an excerpt that is quoted already.
"""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("tournament")

# -- views ---------------------------------------------------------------------------------------

CONNECTING = _catalogue("connecting", "connecting to the broker")
DUPLICATE_PUBLISHERS = _catalogue(
    "duplicate_publishers", "two programs say that they are this table: end one of them"
)
BOARDS = _catalogue("boards", "boards")
NO_BOARDS = _catalogue("no_boards", "no board has sent a message yet")
ROUND = _catalogue("round", "round {number}")
STANDINGS = _catalogue("standings", "standings")
TIE_BREAKS = _catalogue(
    "tie_breaks",
    "equal points: Sonneborn-Berger, then wins; players equal in both share a rank",
)
DISPUTED = _catalogue(
    "disputed", "two games of this round have different results: the referee must decide"
)
NOT_PAIRED = _catalogue("not_paired", "this game is not among the pairings")
DOES_NOT_COUNT_YET = _catalogue("does_not_count_yet", "does not count yet: waits for {names}")

# -- changes -------------------------------------------------------------------------------------

CONNECTED = _catalogue("connected", "connected")
CONNECTED_TO = _catalogue("connected_to", "connected to {broker}")
BOARD_AWAITED = _catalogue("board_awaited", "waiting for table {table}")
BOARD_LIVE = _catalogue("board_live", "table {table} is live")
BOARD_LIVE_AGAIN = _catalogue("board_live_again", "table {table} is live again")
BOARD_STALE = _catalogue("board_stale", "table {table} is stale: no message for some seconds")
BOARD_LOST = _catalogue("board_lost", "table {table} is lost")
BOARD_LEFT = _catalogue("board_left", "table {table} has left")
GAME_AT = _catalogue("game_at", "round {round}, table {table}: {first} - {second}")
RESULT = _catalogue("result", "{game}: {result}")
RESULT_BECAUSE = _catalogue("result_because", "{game}: {result} ({reason})")
RESULT_WAITS = _catalogue("result_waits", "{result}, which waits for {names}")
RESULT_WITHDRAWN = _catalogue("result_withdrawn", "{game}: the result was withdrawn")

# -- the commands --------------------------------------------------------------------------------

TOURNAMENT_ADDRESS = _catalogue("tournament_address", "the tournament: {url}")
BROKER_SILENT = _catalogue("broker_silent", "the broker does not answer")
ONE_RESULT_SENT = _catalogue("one_result_sent", "{count} result of {event} sent")
RESULTS_SENT = _catalogue("results_sent", "{count} results of {event} sent")
OPEN_RESULT = _catalogue("open_result", "round {round}, table {table}: {reason}")
RESULT_TAKEN_BACK = _catalogue(
    "result_taken_back", "its result was withdrawn, and the game is not over"
)
RESULT_AWAITS = _catalogue("result_awaits", "{result} waits for {names} before it counts")

# -- remarks of a publisher, and of the file with results ----------------------------------------

MESSAGE_NOT_PUBLISHED = _catalogue(
    "message_not_published", "one message is not published: {error}: {reason}"
)
RESULT_NOT_PUBLISHED = _catalogue(
    "result_not_published", "the result cannot be published: {reason}"
)
RESULTS_NOT_TAKEN = _catalogue("results_not_taken", "{broker} has not acknowledged {count} of them")
STORED_IN_MEMORY = _catalogue("stored_in_memory", "results are stored in memory only: {reason}")
QUEUE_SET_ASIDE = _catalogue(
    "queue_set_aside", "{reason}; it is stored as {name}, and a new queue was begun"
)
QUEUE_TOO_LARGE = _catalogue("queue_too_large", "{name} is larger than any queue")
NO_RESULTS_STORED = _catalogue(
    "no_results_stored", "no game of {event!r} that has ended is stored in {folder}"
)

# -- rejected messages ---------------------------------------------------------------------------

REJECTED = _catalogue("rejected", "table {table}, {kind}: {reason}")
FOREIGN_TOPIC = _catalogue("foreign_topic", "the topic {topic!r} does not belong to this event")
OTHER_ROUND = _catalogue("other_round", "it names another round or table than its topic")
OTHER_TABLE = _catalogue("other_table", "it names another table than its topic")
TOO_MANY_RESULTS = _catalogue("too_many_results", "there are more results than an event can have")
TOO_MANY_TABLES = _catalogue("too_many_tables", "there are more tables than an event can have")
TOO_MANY_BYTES = _catalogue("too_many_bytes", "{bytes} bytes are too many for a {kind}")
NOT_TEXT = _catalogue("not_text", "a {kind} is not text")
NOT_AN_OBJECT = _catalogue("not_an_object", "a {kind} must be an object, not {value}")
BAD_PRESENCE = _catalogue("bad_presence", "presence is {value}, not here, left or lost")
BAD_OPTIONS = _catalogue("bad_options", "options must be a small object, not {value}")
BAD_CLOCKS = _catalogue("bad_clocks", "clocks must be an object, not {value}")
BAD_AWAITING = _catalogue("bad_awaiting", "waits must be names")
FIELD_TOO_LONG = _catalogue("field_too_long", "{field} has {length} characters: at most {most}")
FIELD_MISSING = _catalogue("field_missing", "{field} is missing")
NOT_TWO_NAMES = _catalogue("not_two_names", "{field} must be two names")
NOT_A_HASH = _catalogue("not_a_hash", "{field} must be a hash, not {value}")

# -- input: broker, events and players -----------------------------------------------------------

NO_BROKER_NAMED = _catalogue(
    "no_broker_named",
    "no broker is named: give --broker mqtt://USER@HOST, or `event: broker:` in the board file"
    " (see docs/tournament.md)",
)
BAD_EVENT = _catalogue(
    "bad_event", "{value} is not the name of an event: a line of 1 to {most} characters"
)
BAD_PLAYER = _catalogue("bad_player", "{place}: {value} is not a name of up to {most} characters")
PLAYER_TWICE = _catalogue("player_twice", "{place}: {value} is there already, on line {line}")
TOO_MANY_PLAYERS = _catalogue(
    "too_many_players", "{place}: more than {most} players: that would take {rounds} rounds"
)
TOO_FEW_PLAYERS = _catalogue(
    "too_few_players", "{file}: has {count} players; write one name on every line"
)
