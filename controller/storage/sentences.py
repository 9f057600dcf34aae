"""Sentences about entries of a journal and images of turns, for score sheets and the page."""

from __future__ import annotations

from engine.sentences import Catalogue

_catalogue = Catalogue("storage")

PROPOSED = _catalogue("proposed", "{subject}: {sentence}")
PROPOSED_PENALTY = _catalogue(
    "proposed_penalty", "{subject}: {sentence} (the policy says {penalty})"
)
RULED = _catalogue("ruled", "{decision}: the proposal of line {line}")
PENALTY_LOSS = _catalogue("penalty_loss", "{player}, for {cause}: the game is lost")
PENALTY_WARNING = _catalogue("penalty_warning", "{player}, for {cause}: a warning")
PENALTY_TIME = _catalogue("penalty_time", "{player}, for {cause}: {time} more for {other}")
CLOCKS_SET = _catalogue("clocks_set", "set")
CLOCKS_SET_TO = _catalogue("clocks_set_to", "set to {clocks}")
CLOCK_OF = _catalogue("clock_of", "{player} {time}")
RESULT_STANDS = _catalogue("result_stands", "the result stands")
AGREES = _catalogue("agrees", "{player} agrees to the result")
TURN_VOID = _catalogue("turn_void", "{turns} turn counts no more")
TURNS_VOID = _catalogue("turns_void", "{turns} turns count no more")
POSITION_SET = _catalogue("position_set", "the position was put: {cells}")
MOVER_SET = _catalogue("mover_set", "the position was put: who is to move")
RESULT_VOID = _catalogue("result_void", "the result before it counts no more")
POSITION_BECAME = _catalogue("position_became", "{sentence}; {before} became {after}")
TAKEN_BACK = _catalogue("taken_back", "turns taken back: {turns}")
NOTE = _catalogue("note", "“{note}”")
WITH_NOTE = _catalogue("with_note", "{sentence} “{note}”")

# -- images of turns -------------------------------------------------------------------------------

NOT_AN_IMAGE_NAME = _catalogue("not_an_image_name", "{name} is no name of an image")
IMAGE_GONE = _catalogue("image_gone", "{name} is not kept any more in {folder}")
IMAGE_UNREADABLE = _catalogue("image_unreadable", "cannot read {folder}/{name}: {reason}")
IMAGE_CHANGED = _catalogue(
    "image_changed", "{folder}/{name} is not as it was written: its hash is another"
)

# -- edition 2 of the score sheet ------------------------------------------------------------------

PROPOSED_PENALTY_EDITION_2 = _catalogue(
    "proposed_penalty_edition_2", "{subject}: {sentence} (the laws say {penalty})"
)
RULED_EDITION_2 = _catalogue("ruled_edition_2", "{decision}: the matter of line {line}")
