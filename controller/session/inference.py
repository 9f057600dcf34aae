"""Interprets observations: infers the turn on the table, reports mismatches, fires when ready."""

from __future__ import annotations

from dataclasses import replace
from math import hypot

from controller.ports.events import Signal
from controller.ports.frames import Observed
from controller.session import sentences
from controller.session.effects import Announce, Effect, PlaySignal, Refuse
from controller.session.move_options import legal_targets
from controller.session.referee.policy import Incident, Policy
from controller.session.referee.proposals import (
    log_incident,
    policy_for,
    propose,
    report_mismatch,
)
from controller.session.state import READING_PHASES, Phase, Session
from controller.session.transitions import (
    StepResult,
    clear_presses,
    return_to_phase,
    running_clocks,
)
from controller.session.turns import begin_turn, cells_to_clear, play_turns
from engine.draw.words import describe_actions
from engine.grid import Cell
from engine.sentences import Sentence, joined
from vision.hypotheses import update_seen_orientations
from vision.infer import Ambiguous, Exact, Mismatch, NoChange, check_position, infer
from vision.observation import CellState
from vision.settling import Settled

MAX_OFFSET_CELLS = 0.3  # a piece farther off the middle may be meant for the next cell
# While the camera cannot read the table, lit and dark periods alternate.
LIT_PERIOD_MS, DARK_PERIOD_MS = 3_500.0, 5_500.0
SETUP_LIT_PERIOD_MS = 12_000.0  # people move many pieces, and need the lights
MAX_FRAME_AGE_MS = 1000.0  # the table may have changed since an older frame


def handle_observation(session: Session, event: Observed) -> StepResult:
    """Take in one more frame; when the table has settled, interpret it."""
    detector, report = session.table.settle_detector.update(event.observation, round(event.at_ms))
    problems = event.observation.problems
    session = replace(
        session,
        table=replace(
            session.table, settle_detector=detector, last_frame_ms=event.at_ms, problems=problems
        ),
    )
    if not isinstance(report, Settled):
        return replace(
            session,
            table=replace(session.table, settled=None, inference=None, settled_since_ms=None),
        ), ()
    has_changed = session.table.settled is None or bool(event.observation.changed)
    fitted_board = session.setup.fitted_board
    seen_orientations = update_seen_orientations(
        session.table.last_seen_orientations,
        report.sightings,
        fitted_board.pieces_by_tag,
        fitted_board.board.grid.headings,
    )
    session = replace(
        session,
        table=replace(session.table, settled=report, last_seen_orientations=seen_orientations),
    )
    if not has_changed and session.table.inference is not None:
        return session, ()
    return _interpret_settled(session, report, event.at_ms)


def _interpret_settled(session: Session, report: Settled, at_ms: float) -> StepResult:
    """Interpret a table that has settled, by the phase."""
    fitted_board = session.setup.fitted_board
    match session.phase:
        case Phase.SETTING_UP:
            found = check_position(
                fitted_board.game, session.position, report.evidence, fitted_board.pieces_by_tag
            )
            session = replace(
                session,
                table=replace(
                    session.table, differences=found.differences, unseen_cells=found.unseen
                ),
            )
            if found.differences or found.unseen:
                return session, ()
            return begin_turn(
                session, at_ms, Announce(sentences.BOARD_SET_UP()), PlaySignal(Signal.READY)
            )
        case Phase.CLEARING:
            found = check_position(
                fitted_board.game, session.position, report.evidence, fitted_board.pieces_by_tag
            )
            unseen = tuple(sorted(cells_to_clear(session).intersection(found.unseen)))
            session = replace(
                session,
                table=replace(session.table, differences=found.differences, unseen_cells=unseen),
            )
            if found.differences or unseen:
                return session, ()
            return begin_turn(session, at_ms)
        case (
            Phase.TURN
            | Phase.WAITING_FOR_OTHER
            | Phase.CHOOSING_TURN
            | Phase.MISMATCH
            | Phase.COMPUTER_TO_MOVE
        ):
            return _infer_turn(session, report, at_ms)
        case _:
            return session, ()


def _infer_turn(session: Session, report: Settled, at_ms: float) -> StepResult:
    assert session.table.hypotheses is not None
    inference = infer(
        session.table.hypotheses, report.evidence, session.setup.fitted_board.pieces_by_tag
    )
    since_ms = at_ms if session.table.settled_since_ms is None else session.table.settled_since_ms
    session = replace(
        session, table=replace(session.table, inference=inference, settled_since_ms=since_ms)
    )
    if isinstance(inference, Mismatch):
        return _enter_mismatch(session, inference, at_ms)
    session = replace(session, table=replace(session.table, differences=()))
    if session.computer.turn is not None:
        session = replace(session, phase=Phase.COMPUTER_TO_MOVE)
        return (
            play_turns(session, inference.turns, at_ms)
            if isinstance(inference, Exact)
            else (session, ())
        )
    if session.phase is Phase.CHOOSING_TURN and isinstance(inference, Ambiguous):
        return _ask_which_turn(session, inference, at_ms)
    is_waiting = bool(session.turn.pressed and session.still_to_act)
    session = replace(
        session,
        phase=Phase.WAITING_FOR_OTHER if is_waiting else Phase.TURN,
        turn=replace(session.turn, choices=()),
    )
    return _fire_turn(session, at_ms) if session.turn.fire_requested else (session, ())


def _enter_mismatch(session: Session, found: Mismatch, at_ms: float) -> StepResult:
    before, fire_requested = session.phase, session.turn.fire_requested
    if fire_requested:
        session = clear_presses(session)
    session = replace(
        session,
        phase=Phase.MISMATCH,
        table=replace(session.table, differences=found.differences),
        turn=replace(session.turn, choices=()),
    )
    session = replace(session, clocks=running_clocks(session, at_ms))
    if fire_requested:
        return handle_press_on_mismatch(session, at_ms)
    # A half-made move gets no signal; a wrongly made computer's move does.
    warn = session.computer.turn is not None and before is not Phase.MISMATCH
    return session, ((PlaySignal(Signal.WRONG),) if warn else ())


# -- firing ------------------------------------------------------------------------------------


def fire_when_ready(session: Session, at_ms: float) -> StepResult:
    """Fire once all players have acted and the table has settled."""
    if session.still_to_act:
        return replace(session, phase=Phase.WAITING_FOR_OTHER), ()
    session = replace(session, turn=replace(session.turn, fire_requested=True))
    if _is_stale(session, at_ms):  # wait for the next frame
        session = replace(
            session,
            table=replace(session.table, settled=None, inference=None, settled_since_ms=None),
        )
    if session.table.settled is None:
        hand = session.table.settle_detector.hand_present
        return session, (Announce(sentences.HANDS_OFF() if hand else sentences.STILL_LOOKING()),)
    if session.table.inference is None:
        return _infer_turn(session, session.table.settled, at_ms)
    return _fire_turn(session, at_ms)


def auto_fire(session: Session, at_ms: float) -> StepResult:
    """Fire without a press when one turn has stood for `auto_fire_ms`.

    Not in games with simultaneous moves: there a player may also choose not to move.
    """
    after_ms, since_ms = session.setup.preferences.auto_fire_ms, session.table.settled_since_ms
    if after_ms is None or since_ms is None:
        return session, ()
    ready = isinstance(session.table.inference, Exact) and at_ms - since_ms >= after_ms
    alone = session.phase is Phase.TURN and len(session.to_move) == 1
    if not ready or not alone or _is_stale(session, at_ms) or _off_centre_complaint(session):
        return session, ()
    return _fire_turn(session, at_ms)


def _is_stale(session: Session, at_ms: float) -> bool:
    """Whether the last frame is too old to fire by it."""
    return (
        session.table.last_frame_ms is None
        or at_ms - session.table.last_frame_ms > MAX_FRAME_AGE_MS
    )


def _fire_turn(session: Session, at_ms: float) -> StepResult:
    """Play the inferred turn, or refuse, ask, or report the mismatch."""
    match session.table.inference:
        case Exact() if complaint := _off_centre_complaint(session):
            return _refuse_fire(session, at_ms, complaint)
        case Exact(turns):
            return play_turns(
                replace(session, turn=replace(session.turn, fire_requested=False)), turns, at_ms
            )
        case NoChange() | None:
            return _refuse_fire(session, at_ms, sentences.NO_MOVE())
        case Ambiguous():
            return _ask_which_turn(session, session.table.inference, at_ms)
        case Mismatch():
            return _enter_mismatch(session, session.table.inference, at_ms)


def _refuse_fire(session: Session, at_ms: float, reason: Sentence) -> StepResult:
    session = return_to_phase(session, Phase.TURN)
    return replace(session, clocks=running_clocks(session, at_ms)), (
        Refuse(0, reason),
        PlaySignal(Signal.WRONG),
    )


def _off_centre_complaint(session: Session) -> Sentence | None:
    """Names a piece that stands too far off the middle to tell its cell; None: all are fine."""
    if session.table.settled is None:
        return None
    board = session.setup.fitted_board.board
    most_mm = MAX_OFFSET_CELLS * board.cell_mm
    found = [
        board.grid.name(cell)
        for cell, each in enumerate(session.table.settled.sightings)
        if each.state is CellState.OCCUPIED and hypot(*each.offset_mm) > most_mm
    ]
    return sentences.BETWEEN_CELLS(cell=found[0]) if found else None


def _ask_which_turn(session: Session, found: Ambiguous, at_ms: float) -> StepResult:
    """Several turns fit: ask which one, unless that was asked before."""
    turn_choices = tuple(turns for turns in found.choices if turns)
    if not turn_choices:
        return _refuse_fire(session, at_ms, sentences.NO_MOVE())
    if session.phase is Phase.CHOOSING_TURN and session.turn.choices == turn_choices:
        return session, ()
    session = return_to_phase(session, Phase.CHOOSING_TURN, turn_choices)
    options = tuple(describe_actions(session.game, turns[-1]) for turns in turn_choices)
    session = replace(session, clocks=running_clocks(session, at_ms))
    asked = Announce(sentences.WHICH_TURN(turns=sentences.join_or(options)))
    policy = policy_for(session, Incident.AMBIGUOUS_READ)
    if policy is Policy.PROPOSE:
        return propose(session, Incident.AMBIGUOUS_READ, asked.sentence, at_ms, choices=options)
    if policy is Policy.LOG:
        session, noted = log_incident(session, Incident.AMBIGUOUS_READ, asked.sentence, at_ms, None)
        return session, (*noted, asked, PlaySignal(Signal.WRONG))
    return session, (asked, PlaySignal(Signal.WRONG))


def handle_press_on_mismatch(session: Session, at_ms: float) -> StepResult:
    """A press of fire while no turn leads to what the table shows."""
    reason = describe_mismatch(session)
    effects: tuple[Effect, ...] = (Refuse(0, reason), PlaySignal(Signal.WRONG))
    return report_mismatch(
        session, reason, at_ms, is_illegal_move=illegal_carry(session) is not None, effects=effects
    )


# -- mismatches --------------------------------------------------------------------------------


def describe_mismatch(session: Session) -> Sentence:
    """Describe a mismatch: an illegal move by its rule, anything else cell by cell."""
    game, position, found = session.game, session.position, session.table.differences
    move = illegal_carry(session)
    if move is None:
        return joined(each.sentence for each in found)
    source, target = move
    name = position.grid.name
    reason = game.illegal_step_reason(position, source, target)
    assert reason is not None
    cells = tuple(sorted(name(cell) for cell in legal_targets(session, source)))
    if not cells:
        return sentences.ILLEGAL_STEP(source=name(source), target=name(target), reason=reason)
    return sentences.ILLEGAL_STEP_INSTEAD(
        source=name(source), target=name(target), reason=reason, cells=cells
    )


def illegal_carry(session: Session) -> tuple[Cell, Cell] | None:
    """Source and target of a piece that was carried illegally; None if something else is wrong."""
    found = session.table.differences
    gone = [each for each in found if each.expected is not None and each.seen is None]
    came = [each for each in found if each.expected is None and each.seen is not None]
    if len(found) != 2 or not gone or not came:
        return None
    (source, left), (target, piece) = (
        (gone[0].cell, gone[0].expected),
        (came[0].cell, came[0].seen),
    )
    assert left is not None
    assert piece is not None
    if (left.kind, left.owner) != (piece.kind, piece.owner):
        return None
    reason = session.game.illegal_step_reason(session.position, source, target)
    return (source, target) if reason else None


# -- lights ------------------------------------------------------------------------------------


def update_lights(session: Session, at_ms: float) -> Session:
    """Set `lights_out`: switch the guiding lights off and on while the table cannot be read.

    They may keep the table from settling. Without them, the reader finds out which cells are
    covered. Called with every tick.
    """
    table = session.table
    readable = table.settled is not None and not table.unseen_cells
    if readable or session.phase not in READING_PHASES:
        return _with_lights(session, None, lights_out=False)
    since_ms = at_ms if table.unreadable_since_ms is None else table.unreadable_since_ms
    lit_ms = SETUP_LIT_PERIOD_MS if session.phase is Phase.SETTING_UP else LIT_PERIOD_MS
    elapsed_ms = (at_ms - since_ms) % (lit_ms + DARK_PERIOD_MS)
    return _with_lights(session, since_ms, lights_out=elapsed_ms >= lit_ms)


def _with_lights(session: Session, since_ms: float | None, *, lights_out: bool) -> Session:
    table = session.table
    if (table.unreadable_since_ms, table.lights_out) == (since_ms, lights_out):
        return session
    return replace(
        session, table=replace(table, unreadable_since_ms=since_ms, lights_out=lights_out)
    )
