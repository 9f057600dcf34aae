"""What must a person do next? From a session to one sentence.

The same words on the board, the page and the terminal; `reasons` says why play cannot go on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller import goals
from controller.reason_words import why_words
from controller.session_values import Phase, Session
from engine.draw.words import actions, headline
from engine.game import Outcome, Player
from vision.infer import Exact
from vision.observation import Trouble

READ = frozenset(Phase) - {Phase.FIRING, Phase.PAUSED, Phase.OVER}
AMISS = (Phase.SETTING_UP, Phase.MISMATCH, Phase.CLEARING, Phase.CONFIRMING)
BLIND = (Trouble.NO_BOARD, Trouble.POSE_UNSURE)
MEANWHILE = (*BLIND, Trouble.CORNER_HIDDEN)  # an arm does that all the time


@dataclass(frozen=True)
class Guide:
    """One sentence, and why if play cannot go on."""

    sentence: str
    reasons: tuple[str, ...] = ()


def guide(session: Session) -> Guide:
    """What the people at the table should know now."""
    if session.parting_ms is not None:
        return _goodbye(session)
    told = _guide(session)
    if session.phase not in READ:
        return told
    blind = [each.sentence for each in session.problems if each.trouble in BLIND]
    if blind and session.settled is None:
        return Guide(blind[0], (*blind[1:], *told.reasons))
    strange = {each.sentence: each for each in session.problems if each.trouble not in MEANWHILE}
    if not strange or session.phase not in AMISS:
        return told
    foreign = {
        cell for each in strange.values() if each.trouble is Trouble.FOREIGN for cell in each.cells
    }
    known = {each.sentence for each in session.differences if each.cell in foreign}
    rest = (each for each in told.reasons if each not in known)
    return replace(told, reasons=(*rest, *strange))


def _guide(session: Session) -> Guide:
    game = session.table.game
    movers = _named(session, session.movers)
    wrong = tuple(each.sentence for each in session.differences)
    hidden = _hidden(session)
    astray = (goals.ASTRAY,) if goals.astray(session) else ()
    match session.phase:
        case Phase.SETTING_UP:
            again = "not the move, try again: " if session.missed else ""
            if wrong:
                count = _counted(len(wrong))
                told = f"{again}set up the board: {count} to put right"
                return Guide(told, (*wrong, *hidden))
            return Guide(f"{again}set up the board", hidden)
        case Phase.TURN:
            if isinstance(session.inference, Exact) and len(session.movers) == 1:
                # What comes of it is for the laser to show.
                return Guide(f"{actions(game, session.inference.turns[-1])}: press fire")
            if astray:
                return Guide(goals.ASTRAY)
            return Guide(f"{_named(session, session.people)} to move{_wanted(session)}")
        case Phase.WAITING_FOR_OTHER:
            left = [each for each in session.people if each not in session.pressed]
            if left:
                return Guide(f"waiting for {_named(session, left)} to press fire")
            if session.thinkers:
                return Guide(f"{_named(session, session.thinkers)} is thinking")
            return Guide("hands off the board, please")
        case Phase.CONFIRMING:
            options = tuple(actions(game, turns[-1]) for turns in session.choices)
            return Guide("which move was it?", options)
        case Phase.COMPUTER_THINKING:
            thinks = f"{movers} {'is' if len(session.movers) == 1 else 'are'} thinking"
            return Guide(f"{goals.ASTRAY} ({thinks})" if astray else thinks)
        case Phase.COMPUTER_TO_MOVE:
            assert session.known is not None
            move = actions(game, session.known)
            if session.habits.served:
                return Guide(f"{move}: a hand makes that move")
            return Guide(f"make this move for {movers}: {move}", astray)
        case Phase.FIRING:
            return Guide("the laser fires")
        case Phase.CLEARING if not session.hands:
            return Guide("the next round begins")
        case Phase.CLEARING if session.habits.served:
            return Guide("a hand clears the board", hidden)
        case Phase.CLEARING:
            if session.history and session.history[-1].turn.removed:
                return Guide("take the captured pieces off the board", (*wrong, *hidden, *astray))
            return Guide("put the pieces where the turn has left them", (*wrong, *hidden))
        case Phase.MISMATCH:
            return Guide(f"{_counted(len(wrong))} to put right", wrong)
        case Phase.PAUSED:
            trouble = (session.trouble,) if session.trouble else ()
            waits = "the referee decides" if session.affairs.open else "paused"
            return Guide(waits, (*trouble, *session.obstacles))
        case Phase.OVER:
            assert session.outcome is not None
            told = goals.verdict(session) or _ending(game.players, session.outcome)
            return Guide(told, (*_given_away(session), *_unconfirmed(session)))


def _goodbye(session: Session) -> Guide:
    """Whoever has played wants to know whether that is lost."""
    kept = ", and the game is kept" if session.history and not session.refused else ""
    return Guide(f"goodbye: the table switches off{kept}", tuple(filter(None, (session.trouble,))))


def _wanted(session: Session) -> str:
    """What the one to move is to bring about, and what may help."""
    task = f": {goals.task(session)}" if session.goal else ""
    if session.hint:
        return f"{task} (hint: {hint_words(session)})"
    return f"{task} (hint: {goals.clue(session)})" if session.clue is not None else task


def hint_words(session: Session) -> str:
    """The move that was hinted at, and why: `blue i5 to j4: it captures the red switch on d5`."""
    if session.hint is None:
        return ""
    game, why = session.table.game, why_words(session.table.game, session.hint, session.hint_why)
    return f"{actions(game, session.hint)}: {why}" if why else headline(game, session.hint)


def _given_away(session: Session) -> tuple[str, ...]:
    """The solution of a puzzle that was given up."""
    if session.goal is None or goals.solved(session):
        return ()
    return tuple(headline(session.table.game, turn) for turn in goals.solution(session))


def _unconfirmed(session: Session) -> tuple[str, ...]:
    """What is missing before the result stands, where there is a referee."""
    names = session.table.game.players
    waits = session.affairs.waits(session.laws, session.seats)
    asked = (f"the referee must rule: {each.sentence}" for each in session.affairs.open)
    left = (
        "the referee has not confirmed the result yet"
        if each is None
        else f"{names[each]}: press fire to confirm, or call the referee"
        for each in waits
        if each is not None or not session.affairs.open
    )
    return (*asked, *left)


def _hidden(session: Session) -> tuple[str, ...]:
    if not session.unseen:
        return ()
    names = ", ".join(session.position.grid.name(cell) for cell in session.unseen)
    told = f"{names} cannot be seen: is something in the way, or does a lamp shine there?"
    if session.phase is Phase.CLEARING and not session.differences:
        empty = session.position.pieces.keys().isdisjoint(session.unseen)
        told += f" press fire if {'nothing stands there' if empty else 'all is right there'}"
    return (told,)


def _named(session: Session, players: Sequence[Player]) -> str:
    return " and ".join(session.table.game.players[each] for each in players)


def _ending(players: Sequence[str], outcome: Outcome) -> str:
    winner = outcome.winner
    verdict = "a draw" if winner is None else f"{players[winner]} wins"
    return f"{verdict} ({outcome.reason})"


def _counted(number: int) -> str:
    return "one thing" if number == 1 else f"{number} things"
