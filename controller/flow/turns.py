"""A turn from its beginning to the last piece put right: made, written, fired, cleared."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from controller import goals
from controller.clocks import Kind
from controller.flow.matters import claimable, ended_on_board
from controller.flow.steps import Step, entry, hold, taken_back, ticking
from controller.played import TURN, turn_body
from controller.ports import Question, Signal
from controller.session_values import (
    LEDS,
    Effect,
    Fire,
    Past,
    Phase,
    Photograph,
    Say,
    Session,
    StopThinking,
    Tell,
    Think,
)
from controller.thinking_time import TURNS, Budget, budget
from engine.arena import Arena
from engine.draw.words import headline
from engine.game import AnyTurn, Piece, Player, Standing
from engine.grid import Cell
from engine.search import Limit
from vision.hypotheses import Hypotheses, Turns

SEEDS = 2**31
LONGEST_THOUGHT_MS = 10_000.0  # of a computer that would think until it is stopped
PUZZLE_THOUGHT_MS = 3_000.0  # enough for the longest defence, and short enough to wait for
SPREAD = 1_000_003  # apart, so that neighbouring games do not share their seeds


def begin_turn(session: Session, at_ms: float, *effects: Effect) -> Step:
    """Whoever is to move: people, the computer, or nobody any more."""
    session = replace(
        session,
        pressed=frozenset(),
        fire_wanted=False,
        choices=(),
        chosen={},
        awaited=frozenset(),
        begun_ms=at_ms,
        known=None,
        hint=None,
        clue=None,
        warned=frozenset(),
        inference=None,
        rested_ms=None,
        differences=(),
        hypotheses=None,
    )
    if goals.missed(session):
        session, again = _try_again(session, at_ms)
        return session, (*effects, *again)
    ended = session.outcome or session.table.game.outcome(session.position)
    if ended is not None:
        session, over_ = ended_on_board(session, ended, at_ms)
        return session, (*effects, *over_)
    session, drawn = claimable(session, at_ms)
    effects = (*effects, *drawn)
    if session.phase is Phase.OVER:
        return session, effects
    session = replace(session, turn_clocks=session.turn_clocks or session.clocks)
    if session.people:
        session = replace(session, phase=Phase.TURN, hypotheses=open_hypotheses(session))
        effects = (*effects, Tell(Signal.YOUR_TURN))
    else:
        session = replace(session, phase=Phase.COMPUTER_THINKING)
    if session.laws is not None:
        effects = (*effects, Photograph())
    session, asked = ask_computer(replace(session, clocks=ticking(session, at_ms)))
    return session, (*effects, *asked)


def open_hypotheses(session: Session) -> Hypotheses:
    """What people may leave on the table. The computer's piece stays where it is till all fire."""
    game, position = session.table.game, session.position
    given = {
        each: session.chosen[each] if each in session.chosen else game.legal(position, each)[0]
        for each in session.movers
        if session.seats[each].computer
    }
    return Hypotheses.of(game, position, session.facing, given)


def ask_computer(session: Session) -> Step:
    """Have it think for the next seat that it has not chosen for, one at a time; and ask all
    programs at once, so that each has the whole time."""
    session, posted = _ask_programs(session)
    seats = session.seats
    waits = [each for each in session.thinkers if seats[each].computer and not seats[each].program]
    if session.question is not None or not waits or session.known is not None:
        return session, posted
    player = waits[0]
    level = session.seats[player].level
    assert level is not None
    asked = question(session, level, player)
    within = _thought(session, player, level)
    if within is not None and within.soft_ms is not None:
        asked = replace(asked, seconds=within.hard_ms / 1000, soft_s=within.soft_ms / 1000)
    think = Think(player, asked)
    return replace(session, question=think), (*posted, think)


def _ask_programs(session: Session) -> Step:
    """Send the position to those who were not asked yet."""
    game = session.table.game
    waits = [
        each
        for each in session.thinkers
        if session.seats[each].program and each not in session.awaited
    ]
    if not waits or session.known is not None:
        return session, ()
    assert isinstance(game, Arena), "programs play what they can be asked"
    asked = Question(game.name, game.request(session.position))
    session = replace(session, awaited=session.awaited.union(waits))
    return session, tuple(Think(each, replace(asked, player=each)) for each in waits)


def _thought(session: Session, player: Player, level: int) -> Budget | None:
    """How long the computer may think; None: it comes to an end by itself."""
    if not Limit(level).endless:
        return None
    clocks, control = session.clocks, session.clocks.control
    longest_ms = LONGEST_THOUGHT_MS if session.goal is None else PUZZLE_THOUGHT_MS
    if control.kind is Kind.NONE:
        return budget(inf, longest_ms=longest_ms)
    return budget(
        clocks.left_ms[player],
        control.extra_ms,
        turns=1 if control.kind is Kind.PER_MOVE else TURNS,
        longest_ms=longest_ms,
    )


def question(session: Session, level: int, player: Player) -> Question:
    """The game so far, as another process can understand it."""
    game, past = session.table.game, _unbroken(session)
    first = past[0].position if past else session.position
    moves = (
        game.write_move(turn.before, player, dict(turn.moves)[player])
        for _, _, turn in past
        for player in game.to_move(turn.before)
    )
    return Question(
        game.name,
        game.write_position(first),
        tuple(moves),
        game.options(),
        level,
        seed=(SPREAD * (session.chance + _apart(session, player)) + len(past)) % SEEDS,
        player=player if len(session.movers) > 1 else None,
    )


def _unbroken(session: Session) -> tuple[Past, ...]:
    """The turns that led to this position, from where a referee last put the pieces otherwise."""
    position = session.position
    for number, past in reversed(tuple(enumerate(session.history))):
        if past.turn.after != position:
            return session.history[number + 1 :]
        position = past.position
    return session.history


def _apart(session: Session, player: Player) -> int:
    """Two who act at once must not draw the same numbers."""
    return SEEDS // 2 * player if len(session.movers) > 1 else 0


def play(session: Session, turns: Turns, at_ms: float) -> Step:
    """Those turns were made: write down the first."""
    turn, game = turns[0], session.table.game
    stop = (StopThinking(),) if session.question is not None or session.awaited else ()
    clocks = session.clocks.stop(None, at_ms)
    before = session.turn_clocks or session.clocks
    for player, _ in turn.moves:
        clocks = clocks.moved(player, at_ms)
    session = replace(
        session,
        phase=Phase.FIRING,
        pending=turns,
        history=(*session.history, Past(session.position, before, turn)),
        clocks=clocks,
        turn_clocks=clocks,
        question=None,
        awaited=frozenset(),
        known=None,
        hint=None,
        clue=None,
        offer=None,
    )
    session, write = entry(session, TURN, turn_body(game, turn, clocks), at_ms)
    kept = () if session.laws is None else (Photograph(len(session.history)),)
    return session, (*stop, write, *kept)


def written(session: Session, number: int, at_ms: float) -> Step:
    """An entry is safe. With all of them safe, the beams may run."""
    left = tuple(each for each in session.unwritten if each.number != number)
    if not left and session.refused:
        session = replace(session, refused=False, trouble="")
    return fire_beams(replace(session, unwritten=left), at_ms)


def fire_beams(session: Session, at_ms: float) -> Step:
    """Let the beams run, unless they do, or cannot."""
    waits = session.unwritten or session.beam_runs or not session.pending
    if session.phase is not Phase.FIRING or waits:
        return session, ()
    if LEDS in session.lost:
        return hold(session, at_ms)
    turn = session.pending[0]
    session = replace(session, beam_runs=True, beam_missed=False)
    return session, (Say(headline(session.table.game, turn)), Tell(Signal.FIRE), Fire(turn))


def shown(session: Session, at_ms: float) -> Step:
    """The beams have run: what they struck is off the board now."""
    if session.phase is not Phase.FIRING or not session.beam_runs:
        return session, ()
    session = replace(session, beam_runs=False)
    if session.beam_missed:
        return fire_beams(session, at_ms)
    turn, *rest = session.pending
    session = replace(
        session,
        position=turn.after,
        pending=(),
        settled=None,
        inference=None,
        differences=(),
        outcome=turn.outcome,
    )
    if goals.missed(session):
        return _try_again(session, at_ms)
    session, told = _gone_astray(session)
    session, effects = _after_beams(session, turn, tuple(rest), at_ms)
    return session, (*told, *effects)


def _after_beams(session: Session, turn: AnyTurn, rest: Turns, at_ms: float) -> Step:
    """What follows a turn that has changed the board."""
    if rest:  # people were quicker than the light: their own turn stands on the table already
        return play(session, rest, at_ms)
    if turn.outcome is not None:
        return ended_on_board(replace(session, phase=Phase.CLEARING), turn.outcome, at_ms)
    if not session.hands:
        return by_itself(replace(session, phase=Phase.CLEARING), at_ms)
    orders = _orders(session, turn, _hands(session, turn))
    if not orders:
        return begin_turn(session, at_ms)
    signal = (Tell(Signal.CAPTURE),) if turn.removed else ()
    return replace(session, phase=Phase.CLEARING), (Say("; ".join(orders)), *signal)


def _gone_astray(session: Session) -> Step:
    """A puzzle's first move that does not win is told at once, and is a try."""
    if len(session.history) > 1 or not goals.astray(session):
        return session, ()
    return replace(session, missed=session.missed + 1), (Say(goals.ASTRAY), Tell(Signal.WRONG))


def _try_again(session: Session, at_ms: float) -> Step:
    """The puzzle is not solved: back to where it can still be."""
    told = len(session.history) > 1 and goals.astray(session)  # and counted
    session = replace(session, missed=session.missed + (not told))
    session, write = taken_back(session, goals.turns_back(session), at_ms)
    return session, (write, StopThinking(), Say(goals.TRY_AGAIN), Tell(Signal.WRONG))


def by_itself(session: Session, at_ms: float) -> Step:
    """The next turn of a game in which nobody moves anything, when the last has had its time."""
    ready = session.phase in (Phase.SETTING_UP, Phase.CLEARING) and not session.pause_wanted
    early = session.history and at_ms < session.begun_ms + session.habits.pace_ms
    return (session, ()) if session.hands or early or not ready else begin_turn(session, at_ms)


def _hands(session: Session, turn: AnyTurn) -> tuple[Player, ...]:
    """Whose half of the turn hands have made: a lone computer's is made for it, before it fires."""
    if len(turn.moves) == 1:
        return (0, 1)
    return tuple(each for each, _ in turn.moves if not session.seats[each].computer)


def _orders(session: Session, turn: AnyTurn, hands: tuple[Player, ...]) -> list[str]:
    """What hands must do after the beams: take captured pieces off, and put right what the rules
    have moved by themselves."""
    game, name = session.table.game, turn.before.grid.name
    left = game.carried_out(turn, session.facing, hands)
    wanted = game.standing(turn.after)
    struck = {loss.cell for loss in turn.removed}
    taken = [f"{_called(session, loss.piece)} from {name(loss.cell)}" for loss in turn.removed]
    orders = [f"take {' and '.join(taken)}"] if taken else []
    if left is None:  # no table shows such a turn: whatever stands there is asked for
        return orders or ["put the pieces where the turn has left them"]
    for cell, piece in wanted.items():
        there = left.get(cell)
        if _right(there, piece):
            continue
        if there is not None and _same(there, piece):
            orders.append(f"turn {_called(session, piece)} on {name(cell)}")
            continue
        stands = [
            each
            for each, other in left.items()
            if _same(other, piece)
            and each not in struck
            and not (each in wanted and _same(wanted[each], piece))
        ]
        way = f"from {name(stands[0])} to {name(cell)}" if stands else f"on {name(cell)}"
        orders.append(f"put {_called(session, piece)} {way}")
    return orders


def to_clear(session: Session) -> set[Cell]:
    """The cells where hands must do something after the last turn's beams: what was struck, and
    what a computer has moved that acts together with people."""
    turn, game = session.history[-1].turn, session.table.game
    aimed, after = turn.aimed.pieces, turn.after.pieces
    beamed: set[Cell] = {loss.cell for loss in turn.removed}
    beamed |= {cell for cell in {*aimed, *after} if aimed.get(cell) != after.get(cell)}
    left = game.carried_out(turn, session.facing, _hands(session, turn))
    wanted = game.standing(turn.after)
    if left is None:
        return {*beamed, *wanted}
    # Seen where it belongs, a piece stands nowhere else.
    return beamed | {cell for cell, piece in wanted.items() if not _right(left.get(cell), piece)}


def _right(there: Standing | None, wanted: Standing) -> bool:
    """Whether nothing need be done about it."""
    if there is None:
        return False
    return _same(there, wanted) and there.orientations <= wanted.orientations


def _same(one: Standing, two: Standing) -> bool:
    return (one.kind, one.owner) == (two.kind, two.owner)


def _called(session: Session, piece: Piece | Standing) -> str:
    return f"{session.table.game.players[piece.owner]}'s {piece.kind}"
