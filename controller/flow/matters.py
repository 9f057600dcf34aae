"""What a referee is asked about: how each happening is judged by the laws of this table.

Without laws there is no referee, and players settle everything among themselves.
"""

from __future__ import annotations

from dataclasses import replace

from controller.affairs import CALL, INCIDENT, MATTER, NO_PENALTY, PENALTY, Matter
from controller.clocks import Kind
from controller.flow.steps import Step, entry, over
from controller.laws import Happening, Penalty, Policy
from controller.ports import Signal
from controller.session_values import Effect, Say, Session, Tell
from engine.game import Outcome, Player

MISMATCH_MS = 5_000.0  # what stands wrong for so long, with no hand near, is no move half made


def policy(session: Session, happening: Happening) -> Policy | None:
    return None if session.laws is None else session.laws.policy(happening)


def propose(
    session: Session,
    about: str,
    sentence: str,
    at_ms: float,
    *,
    player: Player | None = None,
    penalty: Penalty = NO_PENALTY,
    outcome: Outcome | None = None,
    choices: tuple[str, ...] = (),
) -> Step:
    """Something that waits for a ruling; play does, too."""
    matter = Matter(session.entries + 1, about, sentence, player, penalty, outcome, choices)
    session, write = entry(session, MATTER, matter.body(), at_ms)
    return session, (write, Say(f"the referee is asked: {sentence}"), Tell(Signal.TROUBLE))


def note(
    session: Session, happening: Happening, sentence: str, at_ms: float, player: Player | None
) -> Step:
    """Something that is written down, and nothing else."""
    body = {"about": happening.value, "sentence": sentence}
    told = body if player is None else {**body, "player": player}
    session, write = entry(session, INCIDENT, told, at_ms)
    return session, (write,)


def called(session: Session, player: Player, at_ms: float) -> Step:
    """A player wants the referee."""
    if session.laws is None:
        return session, (Say("there is no referee at this table"),)
    name = session.table.game.players[player]
    if any(each.about == CALL and each.player == player for each in session.affairs.open):
        return session, (Say(f"{name} has called the referee already"),)
    return propose(session, CALL, f"{name} calls the referee", at_ms, player=player)


def illegal_move(
    session: Session, sentence: str, at_ms: float, *, clearly: bool, effects: tuple[Effect, ...]
) -> Step:
    """A press, with a table that no turn leads to. Unless it is `clearly` a move, something may
    just have been bumped: that costs nothing."""
    happening = Happening.ILLEGAL_MOVE if clearly else Happening.MISMATCH
    judged = policy(session, happening)
    if judged is None or session.told_ms == session.rested_ms:  # pressing again makes it no worse
        return session, effects
    session = replace(session, told_ms=session.rested_ms)
    player = session.movers[0] if len(session.movers) == 1 else None
    if judged is Policy.LOG:
        session, noted = note(session, happening, sentence, at_ms, player)
        return session, (*effects, *noted)
    penalty = NO_PENALTY
    if clearly and player is not None:
        assert session.laws is not None
        penalty = session.laws.penalty(session.affairs.illegal[player] + 1)
    if judged is Policy.PROPOSE:
        session, asked = propose(
            session, happening, sentence, at_ms, player=player, penalty=penalty
        )
        return session, (*effects, *asked)
    if player is None or not clearly:
        return session, effects
    session, punished = punish(session, player, penalty, at_ms, for_=happening.value)
    return session, (*effects, *punished)


def lasting_mismatch(session: Session, at_ms: float) -> Step:
    """The table has shown for a while what no turn leads to, and nobody is at it."""
    judged = policy(session, Happening.MISMATCH)
    rested_ms = session.rested_ms
    if judged is None or judged is Policy.ACCEPT or rested_ms is None or session.affairs.open:
        return session, ()
    if at_ms - rested_ms < MISMATCH_MS or session.told_ms == rested_ms:
        return session, ()
    session = replace(session, told_ms=rested_ms)
    sentence = "; ".join(each.sentence for each in session.differences)
    if judged is Policy.PROPOSE:
        return propose(session, Happening.MISMATCH, sentence, at_ms)
    return note(session, Happening.MISMATCH, sentence, at_ms, None)


def flag_fall(session: Session, fallen: tuple[Player, ...], at_ms: float) -> Step:
    """Time is over. Two at the same moment are a draw."""
    alone = len(fallen) == 1
    outcome = Outcome.win(1 - fallen[0], "time") if alone else Outcome.draw("time")
    judged = policy(session, Happening.FLAG_FALL)
    if judged in (None, Policy.ACCEPT):
        return over(session, outcome, at_ms)
    names = " and ".join(session.table.game.players[each] for each in fallen)
    sentence = f"the time of {names} is over"
    if judged is Policy.LOG:
        effects: tuple[Effect, ...] = ()
        for player in fallen:
            session, noted = note(session, Happening.FLAG_FALL, sentence, at_ms, player)
            effects = (*effects, *noted)
        return session, (*effects, Say(sentence))
    return propose(
        session,
        Happening.FLAG_FALL,
        sentence,
        at_ms,
        player=fallen[0] if alone else None,
        outcome=outcome,
    )


def ended_on_board(session: Session, outcome: Outcome, at_ms: float) -> Step:
    """The beam has decided the game."""
    judged = policy(session, Happening.KING_HIT)
    if judged is Policy.PROPOSE:
        return propose(session, Happening.KING_HIT, str(outcome), at_ms, outcome=outcome)
    if judged is Policy.LOG:
        session, noted = note(session, Happening.KING_HIT, str(outcome), at_ms, None)
        session, ended = over(session, outcome, at_ms)
        return session, (*noted, *ended)
    return over(session, outcome, at_ms)


def claimable(session: Session, at_ms: float) -> Step:
    """A draw may be claimed from now on: the position came again, or nothing was captured."""
    game = session.table.game
    judged = policy(session, Happening.REPETITION)
    draw = game.claimable(session.position)
    before = session.history[-1].position if session.history else None
    if judged is None or draw is None or (before is not None and game.claimable(before)):
        return session, ()
    if judged is Policy.ACCEPT:
        return over(session, draw, at_ms)
    sentence = f"a draw can be claimed: {draw.reason}"
    if judged is Policy.PROPOSE:
        return propose(session, Happening.REPETITION, sentence, at_ms, outcome=draw)
    session, noted = note(session, Happening.REPETITION, sentence, at_ms, None)
    return session, (*noted, Say(sentence))


def punish(
    session: Session, player: Player, penalty: Penalty, at_ms: float, *, for_: str, note: str = ""
) -> Step:
    """A penalty: on the opponent's clock, or the game. Nothing can be given without a clock."""
    name, other = session.table.game.players[player], 1 - player
    body = {"player": player, "penalty": str(penalty), "for": for_}
    given_ms = penalty.time_ms if session.clocks.control.kind is not Kind.NONE else 0
    if given_ms:
        clocks = session.clocks.at(at_ms)
        added = clocks.with_remaining(other, clocks.left_ms[other] + given_ms, at_ms)
        session = replace(session, clocks=added)
    session, write = entry(session, PENALTY, body | ({"note": note} if note else {}), at_ms)
    told = Say(f"{name} is penalised for {for_}: {_cost(session, penalty, other)}")
    if not penalty.loss:
        return session, (write, told)
    session, ended = over(session, Outcome.win(other, f"penalty for {for_}"), at_ms)
    return session, (write, told, *ended)


def _cost(session: Session, penalty: Penalty, other: Player) -> str:
    if penalty.loss:
        return "the game is lost"
    if penalty.none:
        return "a warning"
    return f"{penalty} more for {session.table.game.players[other]}"
