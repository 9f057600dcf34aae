"""Guidance: one sentence that tells the people at the table what to do next, and reasons.

Board, page and terminal show the same guidance. `reasons` says why play cannot continue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.session import puzzle, sentences
from controller.session.state import LOOK_CLOSER_PHASES, READING_PHASES, Phase, Session
from engine.draw.words import describe_actions, headline
from engine.game import AnyGame, Outcome, Player
from engine.move_reasons import reason_sentence
from engine.sentences import Sentence
from vision.infer import Exact
from vision.observation import ProblemKind

BLINDING_PROBLEMS = (ProblemKind.NO_BOARD, ProblemKind.POSE_UNSURE)
# An arm over the board causes these all the time.
TRANSIENT_PROBLEMS = (*BLINDING_PROBLEMS, ProblemKind.CORNER_HIDDEN)


@dataclass(frozen=True)
class Guidance:
    """One sentence, and the reasons why play cannot continue."""

    sentence: Sentence
    reasons: tuple[Sentence, ...] = ()


def guidance_for(session: Session) -> Guidance:
    """The guidance for a session, with the camera's problems where they matter."""
    if session.pause.shutdown_requested_ms is not None:
        return _shutdown_guidance(session)
    guidance = _phase_guidance(session)
    if session.phase not in READING_PHASES:
        return guidance
    problems = session.table.problems
    blinding = [each.sentence for each in problems if each.kind in BLINDING_PROBLEMS]
    if blinding and session.table.settled is None:
        return Guidance(blinding[0], (*blinding[1:], *guidance.reasons))
    lasting = {each.sentence: each for each in problems if each.kind not in TRANSIENT_PROBLEMS}
    if not lasting or session.phase not in LOOK_CLOSER_PHASES:
        return guidance
    foreign = {
        cell for each in lasting.values() if each.kind is ProblemKind.FOREIGN for cell in each.cells
    }
    # A foreign tag is reported once, not as a difference of its cell, too.
    known = {each.sentence for each in session.table.differences if each.cell in foreign}
    rest = (each for each in guidance.reasons if each not in known)
    return replace(guidance, reasons=(*rest, *lasting))


def _phase_guidance(session: Session) -> Guidance:
    game = session.game
    movers = _player_names(session, session.to_move)
    wrong = tuple(each.sentence for each in session.table.differences)
    hidden = _unseen_cells(session)
    wrong_first_move = (
        (sentences.WRONG_FIRST_MOVE(),) if puzzle.first_move_is_wrong(session) else ()
    )
    match session.phase:
        case Phase.SETTING_UP:
            task = _set_up_sentence(len(wrong))
            if session.puzzle.failed_tries:
                task = sentences.RETRY(task=task)
            return Guidance(task, (*wrong, *hidden))
        case Phase.TURN:
            if isinstance(session.table.inference, Exact) and len(session.to_move) == 1:
                # Only the actions: the laser shows their effect.
                turn = describe_actions(game, session.table.inference.turns[-1])
                return Guidance(sentences.PRESS_FIRE(turn=turn))
            return Guidance(wrong_first_move[0] if wrong_first_move else _to_move_sentence(session))
        case Phase.WAITING_FOR_OTHER:
            left = [each for each in session.humans_to_move if each not in session.turn.pressed]
            if left:
                return Guidance(sentences.WAITING_FOR_FIRE(players=_player_names(session, left)))
            if session.still_to_act:
                thinking = _player_names(session, session.still_to_act)
                return Guidance(sentences.ONE_IS_THINKING(players=thinking))
            return Guidance(sentences.HANDS_OFF())
        case Phase.CHOOSING_TURN:
            choices = session.turn.choices
            options = tuple(describe_actions(game, turns[-1]) for turns in choices)
            return Guidance(sentences.WHICH_MOVE(), options)
        case Phase.COMPUTER_THINKING:
            one = len(session.to_move) == 1
            thinking_of = sentences.ONE_IS_THINKING if one else sentences.BOTH_ARE_THINKING
            thinks = thinking_of(players=movers)
            if wrong_first_move:
                return Guidance(sentences.WRONG_FIRST_MOVE_THINKING(thinking=thinks))
            return Guidance(thinks)
        case Phase.COMPUTER_TO_MOVE:
            assert session.computer.turn is not None
            turn = describe_actions(game, session.computer.turn)
            if session.setup.preferences.has_operator:
                return Guidance(sentences.HAND_MAKES_MOVE(turn=turn))
            return Guidance(sentences.MAKE_MOVE_FOR(players=movers, turn=turn), wrong_first_move)
        case Phase.FIRING:
            return Guidance(sentences.LASER_FIRES())
        case Phase.CLEARING if not session.setup.moved_by_hand:
            return Guidance(sentences.NEXT_ROUND())
        case Phase.CLEARING if session.setup.preferences.has_operator:
            return Guidance(sentences.HAND_CLEARS(), hidden)
        case Phase.CLEARING:
            if session.history and session.history[-1].turn.removed:
                return Guidance(sentences.TAKE_CAPTURED(), (*wrong, *hidden, *wrong_first_move))
            return Guidance(sentences.PUT_PIECES(), (*wrong, *hidden))
        case Phase.MISMATCH:
            if len(wrong) == 1:
                return Guidance(sentences.PUT_RIGHT_ONE(), wrong)
            return Guidance(sentences.PUT_RIGHT_SEVERAL(count=len(wrong)), wrong)
        case Phase.PAUSED:
            asked = session.referee.open_proposals
            sentence = sentences.REFEREE_DECIDES() if asked else sentences.PAUSED()
            return Guidance(sentence, (*_trouble(session), *session.obstacles))
        case Phase.OVER:
            assert session.outcome is not None
            ended = puzzle.ending(session) or _outcome_sentence(game, session.outcome)
            return Guidance(ended, (*_solution_lines(session), *_unconfirmed(session)))


def _set_up_sentence(wrong: int) -> Sentence:
    if not wrong:
        return sentences.SET_UP()
    return sentences.SET_UP_ONE() if wrong == 1 else sentences.SET_UP_SEVERAL(count=wrong)


def _shutdown_guidance(session: Session) -> Guidance:
    """A goodbye that says whether the game is kept."""
    kept = session.history and not session.writing.refused
    return Guidance(sentences.GOODBYE_STORED() if kept else sentences.GOODBYE(), _trouble(session))


def _trouble(session: Session) -> tuple[Sentence, ...]:
    return () if session.pause.trouble is None else (session.pause.trouble,)


def _to_move_sentence(session: Session) -> Sentence:
    """Who is to move, with the task of a puzzle and a hint."""
    players = _player_names(session, session.humans_to_move)
    hint: Sentence | None = None
    if session.turn.hinted_turn is not None:
        hint = describe_hint(session)
    elif session.turn.hint is not None:
        hint = puzzle.describe_hint_cell(session)
    if session.puzzle.goal is None:
        if hint is None:
            return sentences.TO_MOVE(players=players)
        return sentences.TO_MOVE_HINT(players=players, hint=hint)
    task = puzzle.remaining_task(session)
    if hint is None:
        return sentences.TO_MOVE_TASK(players=players, task=task)
    return sentences.TO_MOVE_TASK_HINT(players=players, task=task, hint=hint)


def describe_hint(session: Session) -> Sentence | None:
    """The hinted move and why: `blue i5 to j4: it captures the red switch on d5`."""
    hint, game = session.turn.hint, session.game
    if hint is None or hint.turn is None:
        return None
    turn = hint.turn
    reason = reason_sentence(game, turn, hint.reason)
    if reason is None:
        return headline(game, turn)
    return sentences.HINT_WITH_REASON(turn=describe_actions(game, turn), reason=reason)


def _solution_lines(session: Session) -> tuple[Sentence, ...]:
    """The solution of a puzzle that was given up."""
    if session.puzzle.goal is None or puzzle.is_solved(session):
        return ()
    turns = puzzle.solution_turns(session)
    return tuple(headline(session.game, turn) for turn in turns)


def _unconfirmed(session: Session) -> tuple[Sentence, ...]:
    """With a referee: the confirmations that the result still needs."""
    names, open_proposals = session.game.players, session.referee.open_proposals
    missing_confirmations = session.referee.result_blocked_by(session.policies, session.seats)
    asked = (sentences.REFEREE_MUST_RULE(proposal=each.sentence) for each in open_proposals)
    left = (
        sentences.REFEREE_NOT_CONFIRMED()
        if each is None
        else sentences.CONFIRM_RESULT(player=names[each])
        for each in missing_confirmations
        if each is not None or not open_proposals
    )
    return (*asked, *left)


def _unseen_cells(session: Session) -> tuple[Sentence, ...]:
    if not session.table.unseen_cells:
        return ()
    template = sentences.UNSEEN
    if session.phase is Phase.CLEARING and not session.table.differences:
        empty = session.position.pieces.keys().isdisjoint(session.table.unseen_cells)
        template = sentences.UNSEEN_EMPTY if empty else sentences.UNSEEN_RIGHT
    names = tuple(session.position.grid.name(cell) for cell in session.table.unseen_cells)
    return (template(cells=names),)


def _player_names(session: Session, players: Sequence[Player]) -> Sentence | str:
    names = [session.game.players[each] for each in players]
    return names[0] if len(names) == 1 else sentences.join_and(names)


def _outcome_sentence(game: AnyGame, outcome: Outcome) -> Sentence:
    if outcome.winner is None:
        return sentences.DRAW(reason=outcome.reason)
    return sentences.WINS(player=game.players[outcome.winner], reason=outcome.reason)
