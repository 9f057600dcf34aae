"""What the table means: which turn stands on it, what is amiss, and whether it can be fired."""

from __future__ import annotations

from dataclasses import replace
from math import hypot

from controller.flow.matters import illegal_move, note, policy, propose
from controller.flow.steps import Step, ticking, unpressed
from controller.flow.turns import begin_turn, play, to_clear
from controller.laws import Happening, Policy
from controller.legal_targets import targets
from controller.ports import Signal
from controller.session_values import Effect, Observed, Phase, Say, Session, Tell
from engine.draw.words import actions
from engine.grid import Cell
from vision.hypotheses import last_seen
from vision.infer import Ambiguous, Exact, Mismatch, NoChange, check, infer
from vision.observation import State
from vision.steady import Settled

NO_MOVE = "no move made yet"
HANDS_OFF = "hands off the board, please"
LOOKING = "one moment: the camera is still looking"
BETWEEN = 0.3  # of a cell: a piece so far off the middle may be meant for the next one
NEWEST_MS = 1000.0  # a table that was not seen for longer may be another by now


def observed(session: Session, event: Observed) -> Step:
    """One more frame."""
    steady, report = session.steady.watch(event.observation, round(event.at_ms))
    problems = event.observation.problems
    session = replace(session, steady=steady, seen_ms=event.at_ms, problems=problems)
    if not isinstance(report, Settled):
        return replace(session, settled=None, inference=None, rested_ms=None), ()
    fresh = session.settled is None or bool(event.observation.changed)
    table = session.table
    facing = last_seen(session.facing, report.sightings, table.meanings, table.board.grid.headings)
    session = replace(session, settled=report, facing=facing)
    if not fresh and session.inference is not None:
        return session, ()
    return _judged(session, report, event.at_ms)


def _judged(session: Session, report: Settled, at_ms: float) -> Step:
    """The table has come to rest: what does that mean now?"""
    table = session.table
    match session.phase:
        case Phase.SETTING_UP:
            found = check(table.game, session.position, report.evidence, table.meanings)
            session = replace(session, differences=found.differences, unseen=found.unseen)
            if found.differences or found.unseen:
                return session, ()
            return begin_turn(session, at_ms, Say("the board is set up"), Tell(Signal.READY))
        case Phase.CLEARING:
            found = check(table.game, session.position, report.evidence, table.meanings)
            unseen = tuple(sorted(to_clear(session).intersection(found.unseen)))
            session = replace(session, differences=found.differences, unseen=unseen)
            if found.differences or unseen:
                return session, ()
            return begin_turn(session, at_ms)
        case (
            Phase.TURN
            | Phase.WAITING_FOR_OTHER
            | Phase.CONFIRMING
            | Phase.MISMATCH
            | Phase.COMPUTER_TO_MOVE
        ):
            return _inferred(session, report, at_ms)
        case _:
            return session, ()


def _inferred(session: Session, report: Settled, at_ms: float) -> Step:
    assert session.hypotheses is not None
    inference = infer(session.hypotheses, report.evidence, session.table.meanings)
    rested_ms = at_ms if session.rested_ms is None else session.rested_ms
    session = replace(session, inference=inference, rested_ms=rested_ms)
    if isinstance(inference, Mismatch):
        return _mismatched(session, inference, at_ms)
    session = replace(session, differences=())
    if session.known is not None:
        session = replace(session, phase=Phase.COMPUTER_TO_MOVE)
        return (
            play(session, inference.turns, at_ms) if isinstance(inference, Exact) else (session, ())
        )
    if session.phase is Phase.CONFIRMING and isinstance(inference, Ambiguous):
        return _which(session, inference, at_ms)
    waits = session.pressed and session.thinkers
    session = replace(session, phase=Phase.WAITING_FOR_OTHER if waits else Phase.TURN, choices=())
    return _fire(session, at_ms) if session.fire_wanted else (session, ())


def _mismatched(session: Session, found: Mismatch, at_ms: float) -> Step:
    before, wanted = session.phase, session.fire_wanted
    if wanted:
        session = unpressed(session)
    session = replace(session, phase=Phase.MISMATCH, differences=found.differences, choices=())
    session = replace(session, clocks=ticking(session, at_ms))
    if wanted:
        return pressed_amiss(session, at_ms)
    # Whoever is in the middle of a move is shown what is amiss, but not scolded for it.
    scolded = session.known is not None and before is not Phase.MISMATCH
    return session, ((Tell(Signal.WRONG),) if scolded else ())


# -- firing ------------------------------------------------------------------------------------


def fire_when_ready(session: Session, at_ms: float) -> Step:
    """Fire once everybody is done and the table has settled."""
    if session.thinkers:
        return replace(session, phase=Phase.WAITING_FOR_OTHER), ()
    session = replace(session, fire_wanted=True)
    if _is_stale(session, at_ms):  # hands may have been there since: the next picture tells
        session = replace(session, settled=None, inference=None, rested_ms=None)
    if session.settled is None:
        return session, (Say(HANDS_OFF if session.steady.hand else LOOKING),)
    if session.inference is None:
        return _inferred(session, session.settled, at_ms)
    return _fire(session, at_ms)


def fire_by_itself(session: Session, at_ms: float) -> Step:
    """Fire for whoever has left one turn on the table for so long as the habit is.

    Not where both act at once: there a piece left alone is a move, too.
    """
    after_ms, rested_ms = session.habits.auto_fire_ms, session.rested_ms
    if after_ms is None or rested_ms is None:
        return session, ()
    ready = isinstance(session.inference, Exact) and at_ms - rested_ms >= after_ms
    lone = session.phase is Phase.TURN and len(session.movers) == 1
    if not ready or not lone or _is_stale(session, at_ms) or _between(session):
        return session, ()
    return _fire(session, at_ms)


def _is_stale(session: Session, at_ms: float) -> bool:
    """Whether the camera has not seen the table for too long to fire at what it saw."""
    return session.seen_ms is None or at_ms - session.seen_ms > NEWEST_MS


def _fire(session: Session, at_ms: float) -> Step:
    """Everybody is done, and the table has settled."""
    match session.inference:
        case Exact() if between := _between(session):
            return _again(session, at_ms, between)
        case Exact(turns):
            return play(replace(session, fire_wanted=False), turns, at_ms)
        case NoChange() | None:
            return _again(session, at_ms)
        case Ambiguous():
            return _which(session, session.inference, at_ms)
        case Mismatch():
            return _mismatched(session, session.inference, at_ms)


def _again(session: Session, at_ms: float, sentence: str = NO_MOVE) -> Step:
    session = replace(unpressed(session), phase=Phase.TURN, choices=())
    return replace(session, clocks=ticking(session, at_ms)), (Say(sentence), Tell(Signal.WRONG))


def _between(session: Session) -> str:
    """Which pieces stand so far off the middle that nobody can say where they belong."""
    if session.settled is None:
        return ""
    board, most = session.table.board, BETWEEN * session.table.board.cell_mm
    found = [
        board.grid.name(cell)
        for cell, each in enumerate(session.settled.sightings)
        if each.state is State.OCCUPIED and hypot(*each.offset_mm) > most
    ]
    if not found:
        return ""
    return f"the piece on {found[0]} stands between two: put it in the middle of one"


def _which(session: Session, found: Ambiguous, at_ms: float) -> Step:
    """Several turns fit: ask, unless that was asked before."""
    real = tuple(turns for turns in found.choices if turns)
    if not real:
        return _again(session, at_ms)
    if session.phase is Phase.CONFIRMING and session.choices == real:
        return session, ()
    session = replace(unpressed(session), phase=Phase.CONFIRMING, choices=real)
    names = " or ".join(actions(session.table.game, turns[-1]) for turns in real)
    session = replace(session, clocks=ticking(session, at_ms))
    asked = Say(f"which was it: {names}?")
    judged = policy(session, Happening.AMBIGUOUS_READ)
    if judged is Policy.PROPOSE:
        words = tuple(actions(session.table.game, turns[-1]) for turns in real)
        return propose(session, Happening.AMBIGUOUS_READ, asked.sentence, at_ms, choices=words)
    if judged is Policy.LOG:
        session, noted = note(session, Happening.AMBIGUOUS_READ, asked.sentence, at_ms, None)
        return session, (*noted, asked, Tell(Signal.WRONG))
    return session, (asked, Tell(Signal.WRONG))


def pressed_amiss(session: Session, at_ms: float) -> Step:
    """Somebody has pressed, and the table shows what no turn leads to."""
    told = amiss(session)
    sentence = "; ".join(each.sentence for each in told)
    effects: tuple[Effect, ...] = (*told, Tell(Signal.WRONG))
    clearly = carried(session) is not None
    return illegal_move(session, sentence, at_ms, clearly=clearly, effects=effects)


# -- what is amiss -----------------------------------------------------------------------------


def amiss(session: Session) -> tuple[Say, ...]:
    """What is wrong on the table: an illegal move by its rule, anything else cell by cell."""
    game, position, found = session.table.game, session.position, session.differences
    move = carried(session)
    if move is None:
        return tuple(Say(each.sentence) for each in found)
    source, target = move
    name = position.grid.name
    free = sorted(name(cell) for cell in targets(session, source))
    instead = f"; it may go to {', '.join(free)}" if free else ""
    reason = game.why_not_carried(position, source, target)
    return (Say(f"{name(source)} to {name(target)}: {reason}{instead}"),)


def carried(session: Session) -> tuple[Cell, Cell] | None:
    """From where to where a piece was carried that may not go there; None: it is something else
    that is wrong."""
    found = session.differences
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
    reason = session.table.game.why_not_carried(session.position, source, target)
    return (source, target) if reason else None
