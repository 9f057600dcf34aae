"""The course of a turn: begin, ask the computer, write it, show its beams, clear the board."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from controller.ports.devices import MoveQuestion
from controller.ports.events import Signal
from controller.session import puzzle, sentences
from controller.session.clocks import ClockKind
from controller.session.effects import (
    Announce,
    CaptureEvidence,
    Effect,
    PlaySignal,
    ShowBeams,
    StopThinking,
    Think,
)
from controller.session.referee.proposals import handle_board_ending, handle_claimable_draw
from controller.session.replay import TURN, turn_body
from controller.session.state import LEDS, ComputerState, Phase, PlayedTurn, Session, TurnInProgress
from controller.session.time_budget import EXPECTED_TURNS, TimeBudget, allocate_time
from controller.session.transitions import (
    StepResult,
    append_entry,
    pause_play,
    running_clocks,
    take_back_turns,
)
from engine.draw.words import headline
from engine.game import AnyTurn, ExpectedPiece, Piece, Player
from engine.grid import Cell
from engine.http_game import HttpGame
from engine.search import Limit
from engine.sentences import Sentence, joined
from vision.hypotheses import Hypotheses, Turns

SEED_LIMIT = 2**31
MAX_THINK_MS = 10_000.0  # for levels without a limit of their own
PUZZLE_THINK_MS = 3_000.0  # enough for the longest defence
SEED_STRIDE = 1_000_003  # keeps the seeds of neighbouring games apart


def begin_turn(session: Session, at_ms: float, *effects: Effect) -> StepResult:
    """Begin the turn of people or of the computer, or end the game."""
    session = replace(
        session,
        turn=TurnInProgress(since_ms=at_ms),
        computer=ComputerState(thinking=session.computer.thinking),
        table=replace(
            session.table, inference=None, settled_since_ms=None, differences=(), hypotheses=None
        ),
    )
    if puzzle.is_failed(session):
        session, again = _retry_puzzle(session, at_ms)
        return session, (*effects, *again)
    ended = session.outcome or session.game.outcome(session.position)
    if ended is not None:
        session, ending = handle_board_ending(session, ended, at_ms)
        return session, (*effects, *ending)
    session, drawn = handle_claimable_draw(session, at_ms)
    effects = (*effects, *drawn)
    if session.phase is Phase.OVER:
        return session, effects
    session = replace(session, clocks_after_turn=session.clocks_after_turn or session.clocks)
    if session.humans_to_move:
        session = replace(
            session,
            phase=Phase.TURN,
            table=replace(session.table, hypotheses=build_hypotheses(session)),
        )
        effects = (*effects, PlaySignal(Signal.YOUR_TURN))
    else:
        session = replace(session, phase=Phase.COMPUTER_THINKING)
    if session.policies is not None:
        effects = (*effects, CaptureEvidence())
    session, questions = ask_computer(replace(session, clocks=running_clocks(session, at_ms)))
    return session, (*effects, *questions)


def build_hypotheses(session: Session) -> Hypotheses:
    """The turns that the table may show. Pieces of the computer stay in place until all fire."""
    game, position = session.game, session.position
    fixed = {
        each: session.computer.moves[each]
        if each in session.computer.moves
        else game.legal(position, each)[0]
        for each in session.to_move
        if session.seats[each].is_automated
    }
    return Hypotheses.for_position(game, position, session.table.last_seen_orientations, fixed)


def ask_computer(session: Session) -> StepResult:
    """Ask the computer for its seats one after the other, and all programs together, so that each
    program has its full time."""
    session, program_questions = _ask_programs(session)
    seats = session.seats
    unasked_players = [
        each
        for each in session.still_to_act
        if seats[each].is_automated and not seats[each].is_program
    ]
    if (
        session.computer.thinking is not None
        or not unasked_players
        or session.computer.turn is not None
    ):
        return session, program_questions
    player = unasked_players[0]
    level = session.seats[player].level
    assert level is not None
    question = build_question(session, level, player)
    within = _think_budget(session, player, level)
    if within is not None and within.soft_ms is not None:
        question = replace(
            question, time_limit_s=within.hard_ms / 1000, soft_limit_s=within.soft_ms / 1000
        )
    think = Think(player, question)
    return replace(session, computer=replace(session.computer, thinking=think)), (
        *program_questions,
        think,
    )


def _ask_programs(session: Session) -> StepResult:
    """Send the position to the programs that were not asked yet."""
    game = session.game
    unasked_programs = [
        each
        for each in session.still_to_act
        if session.seats[each].is_program and each not in session.computer.asked_programs
    ]
    if not unasked_programs or session.computer.turn is not None:
        return session, ()
    assert isinstance(game, HttpGame)
    question = MoveQuestion(game.name, game.request_body(session.position))
    session = replace(
        session,
        computer=replace(
            session.computer, asked_programs=session.computer.asked_programs.union(unasked_programs)
        ),
    )
    return session, tuple(Think(each, replace(question, player=each)) for each in unasked_programs)


def _think_budget(session: Session, player: Player, level: int) -> TimeBudget | None:
    """The computer's thinking time; None for levels that end by themselves."""
    if not Limit(level).endless:
        return None
    clocks, control = session.clocks, session.clocks.control
    longest_ms = MAX_THINK_MS if session.puzzle.goal is None else PUZZLE_THINK_MS
    if control.kind is ClockKind.NONE:
        return allocate_time(inf, longest_ms=longest_ms)
    return allocate_time(
        clocks.left_ms[player],
        control.extra_ms,
        turns=1 if control.kind is ClockKind.PER_MOVE else EXPECTED_TURNS,
        longest_ms=longest_ms,
    )


def build_question(session: Session, level: int, player: Player) -> MoveQuestion:
    """The game so far as a question for a player process."""
    game, past = session.game, _turns_since_correction(session)
    first = past[0].position if past else session.position
    moves = (
        game.write_move(turn.before, player, dict(turn.moves)[player])
        for _, _, turn in past
        for player in game.to_move(turn.before)
    )
    return MoveQuestion(
        game.name,
        game.write_position(first),
        tuple(moves),
        game.options(),
        level,
        seed=(SEED_STRIDE * (session.setup.random_seed + _seed_offset(session, player)) + len(past))
        % SEED_LIMIT,
        player=player if len(session.to_move) > 1 else None,
    )


def _turns_since_correction(session: Session) -> tuple[PlayedTurn, ...]:
    """The turns since a referee last corrected the position."""
    position = session.position
    for number, past in reversed(tuple(enumerate(session.history))):
        if past.turn.after != position:
            return session.history[number + 1 :]
        position = past.position
    return session.history


def _seed_offset(session: Session, player: Player) -> int:
    """Keeps the seeds of two simultaneous computers apart."""
    return SEED_LIMIT // 2 * player if len(session.to_move) > 1 else 0


def play_turns(session: Session, turns: Turns, at_ms: float) -> StepResult:
    """Write the first of these turns; its beams are shown when it is on disk."""
    turn, game = turns[0], session.game
    stop = (
        (StopThinking(),)
        if session.computer.thinking is not None or session.computer.asked_programs
        else ()
    )
    clocks = session.clocks.stop(None, at_ms)
    before = session.clocks_after_turn or session.clocks
    for player, _ in turn.moves:
        clocks = clocks.after_move(player, at_ms)
    session = replace(
        session,
        phase=Phase.FIRING,
        history=(*session.history, PlayedTurn(session.position, before, turn)),
        clocks=clocks,
        clocks_after_turn=clocks,
        offer=None,
        firing=replace(session.firing, turns=turns),
        computer=ComputerState(moves=session.computer.moves),
        turn=replace(session.turn, hint=None),
    )
    session, write = append_entry(session, TURN, turn_body(game, turn, clocks), at_ms)
    evidence_effects = () if session.policies is None else (CaptureEvidence(len(session.history)),)
    return session, (*stop, write, *evidence_effects)


def handle_entry_written(session: Session, number: int, at_ms: float) -> StepResult:
    """An entry is on disk. When all are, the beams may be shown."""
    left = tuple(each for each in session.writing.unwritten if each.number != number)
    if not left and session.writing.refused:
        session = replace(
            session,
            writing=replace(session.writing, refused=False),
            pause=replace(session.pause, trouble=None),
        )
    return fire_beams(replace(session, writing=replace(session.writing, unwritten=left)), at_ms)


def fire_beams(session: Session, at_ms: float) -> StepResult:
    """Show the beams of the turn once it is on disk; pause if the LEDs are lost."""
    firing = session.firing
    must_wait = bool(session.writing.unwritten) or firing.running or not firing.turns
    if session.phase is not Phase.FIRING or must_wait:
        return session, ()
    if LEDS in session.pause.lost_devices:
        return pause_play(session, at_ms)
    turn = session.firing.turns[0]
    session = replace(session, firing=replace(session.firing, running=True, show_again=False))
    return session, (
        Announce(headline(session.game, turn)),
        PlaySignal(Signal.FIRE),
        ShowBeams(turn),
    )


def handle_beams_shown(session: Session, at_ms: float) -> StepResult:
    """The beams were shown: the position after the turn counts now."""
    if session.phase is not Phase.FIRING or not session.firing.running:
        return session, ()
    session = replace(session, firing=replace(session.firing, running=False))
    if session.firing.show_again:
        return fire_beams(session, at_ms)
    turn, *rest = session.firing.turns
    session = replace(
        session,
        position=turn.after,
        outcome=turn.outcome,
        firing=replace(session.firing, turns=()),
        table=replace(session.table, settled=None, inference=None, differences=()),
    )
    if puzzle.is_failed(session):
        return _retry_puzzle(session, at_ms)
    session, warnings = _report_wrong_first_move(session)
    session, effects = _after_beams(session, turn, tuple(rest), at_ms)
    return session, (*warnings, *effects)


def _after_beams(session: Session, turn: AnyTurn, rest: Turns, at_ms: float) -> StepResult:
    """After the beams: begin the next turn, end the game, or let people clear the board."""
    if rest:  # people have made the next turn on the table while the beams ran
        return play_turns(session, rest, at_ms)
    if turn.outcome is not None:
        return handle_board_ending(replace(session, phase=Phase.CLEARING), turn.outcome, at_ms)
    if not session.setup.moved_by_hand:
        return begin_next_round(replace(session, phase=Phase.CLEARING), at_ms)
    instructions = _hand_instructions(session, turn, _players_moved_by_hand(session, turn))
    if not instructions:
        return begin_turn(session, at_ms)
    signal = (PlaySignal(Signal.CAPTURE),) if turn.removed else ()
    return replace(session, phase=Phase.CLEARING), (Announce(joined(instructions)), *signal)


def _report_wrong_first_move(session: Session) -> StepResult:
    """Announce a wrong first move of a puzzle, and count it as a try."""
    if len(session.history) > 1 or not puzzle.first_move_is_wrong(session):
        return session, ()
    return replace(
        session, puzzle=replace(session.puzzle, failed_tries=session.puzzle.failed_tries + 1)
    ), (
        Announce(sentences.WRONG_FIRST_MOVE()),
        PlaySignal(Signal.WRONG),
    )


def _retry_puzzle(session: Session, at_ms: float) -> StepResult:
    """A failed try: take back turns to where the puzzle can still be solved."""
    already_counted = len(session.history) > 1 and puzzle.first_move_is_wrong(session)
    session = replace(
        session,
        puzzle=replace(
            session.puzzle, failed_tries=session.puzzle.failed_tries + (not already_counted)
        ),
    )
    session, write = take_back_turns(session, puzzle.turns_to_take_back(session), at_ms)
    again = Announce(sentences.TRY_AGAIN())
    return session, (write, StopThinking(), again, PlaySignal(Signal.WRONG))


def begin_next_round(session: Session, at_ms: float) -> StepResult:
    """Begin the next turn of a game without hands after `min_round_ms`."""
    ready = session.phase in (Phase.SETTING_UP, Phase.CLEARING) and not session.pause.requested
    early = (
        session.history and at_ms < session.turn.since_ms + session.setup.preferences.min_round_ms
    )
    return (
        (session, ())
        if session.setup.moved_by_hand or early or not ready
        else begin_turn(session, at_ms)
    )


def _players_moved_by_hand(session: Session, turn: AnyTurn) -> tuple[Player, ...]:
    """The players whose moves hands have made on the table when the beams end.

    If players take turns, hands make a computer's move before the beams; if moves are
    simultaneous, after them.
    """
    if len(turn.moves) == 1:
        return (0, 1)
    return tuple(each for each, _ in turn.moves if not session.seats[each].is_automated)


def _hand_instructions(
    session: Session, turn: AnyTurn, moved_by_hand: tuple[Player, ...]
) -> list[Sentence]:
    """Instructions for people after the beams: take off captured pieces, and move the pieces that
    the rules have moved."""
    game, name = session.game, turn.before.grid.name
    left = game.expected_after_moves(turn, session.table.last_seen_orientations, moved_by_hand)
    expected = game.expected_pieces(turn.after)
    struck = {loss.cell for loss in turn.removed}
    taken = [
        sentences.PIECE_FROM(piece=_piece_name(session, loss.piece), cell=name(loss.cell))
        for loss in turn.removed
    ]
    instructions = [sentences.TAKE_PIECES(pieces=sentences.join_and(taken))] if taken else []
    if left is None:  # a table cannot show such a turn
        return instructions or [sentences.PUT_PIECES()]
    for cell, piece in expected.items():
        there = left.get(cell)
        if _stands_right(there, piece):
            continue
        if there is not None and _is_same_piece(there, piece):
            instructions.append(
                sentences.TURN_PIECE(piece=_piece_name(session, piece), cell=name(cell))
            )
            continue
        stands = [
            each
            for each, other in left.items()
            if _is_same_piece(other, piece)
            and each not in struck
            and not (each in expected and _is_same_piece(expected[each], piece))
        ]
        named = _piece_name(session, piece)
        instructions.append(
            sentences.CARRY_PIECE(piece=named, source=name(stands[0]), target=name(cell))
            if stands
            else sentences.PUT_PIECE(piece=named, cell=name(cell))
        )
    return instructions


def cells_to_clear(session: Session) -> set[Cell]:
    """The cells where people must act after the last turn's beams: hit pieces, and the moves of a
    computer that moves at the same time as people."""
    turn, game = session.history[-1].turn, session.game
    aimed, after = turn.aimed.pieces, turn.after.pieces
    beamed: set[Cell] = {loss.cell for loss in turn.removed}
    beamed |= {cell for cell in {*aimed, *after} if aimed.get(cell) != after.get(cell)}
    left = game.expected_after_moves(
        turn, session.table.last_seen_orientations, _players_moved_by_hand(session, turn)
    )
    expected = game.expected_pieces(turn.after)
    if left is None:
        return {*beamed, *expected}
    # A piece that is seen on its target cell has left its old cell, which need not be seen.
    return beamed | {
        cell for cell, piece in expected.items() if not _stands_right(left.get(cell), piece)
    }


def _stands_right(there: ExpectedPiece | None, expected: ExpectedPiece) -> bool:
    """Whether the piece there is the expected one, in an expected orientation."""
    if there is None:
        return False
    return _is_same_piece(there, expected) and there.orientations <= expected.orientations


def _is_same_piece(one: ExpectedPiece, two: ExpectedPiece) -> bool:
    return (one.kind, one.owner) == (two.kind, two.owner)


def _piece_name(session: Session, piece: Piece | ExpectedPiece) -> Sentence:
    return sentences.PIECE(player=session.game.players[piece.owner], kind=piece.kind)
