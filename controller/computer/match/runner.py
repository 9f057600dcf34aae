"""Runs a match: several games in parallel, each with its own player processes."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from controller.computer import sentences
from controller.computer.match.game import (
    AskPlayer,
    MatchGame,
    MatchTerms,
    Opening,
    play_match_game,
)
from controller.computer.match.players import BadContestant, Contestant
from controller.ports.devices import Clock, MoveChooser, MoveQuestion
from controller.ports.events import PlayerAnswered, PlayerFailed

log = logging.getLogger(__name__)

POLL_MS = 1.0
PROGRESS_S = 0.5
OpenPlayer = Callable[[Contestant], MoveChooser]


@dataclass(frozen=True, slots=True)
class Match:
    """The terms of a match, its openings, and how to open a player."""

    terms: MatchTerms
    openings: Sequence[Opening]  # two games from each
    clock: Clock
    open_player: OpenPlayer
    jobs: int = 1


def run_match(match: Match, finished: Collection[int] = ()) -> Iterator[MatchGame | None]:
    """Yield games as they end, without those in `finished`; None about every half second."""
    missing = [n for n in range(1, 2 * len(match.openings) + 1) if n not in finished]
    if not missing:
        return
    numbers = iter(missing)
    results: queue.SimpleQueue[MatchGame | Exception | None] = queue.SimpleQueue()
    cancelled, lock = threading.Event(), threading.Lock()

    def next_number() -> int | None:
        with lock:
            return None if cancelled.is_set() else next(numbers, None)

    def work() -> None:
        try:
            first, second = match.terms.contestants
            with (
                _opened_player(match, first, cancelled) as one,
                _opened_player(match, second, cancelled) as other,
            ):
                while (number := next_number()) is not None:
                    opening = match.openings[(number - 1) // 2]
                    ended = play_match_game(
                        match.terms, number, opening, (one, other), cancelled.is_set
                    )
                    if ended is not None:
                        results.put(ended)
        except Exception as defect:
            log.exception("a worker of the match failed")
            results.put(defect)
        finally:
            results.put(None)

    workers = [
        threading.Thread(target=work, name="a match", daemon=True) for _ in range(match.jobs)
    ]
    for each in workers:
        each.start()
    try:
        yield from _yield_games(results, len(workers))
    finally:
        cancelled.set()
        for each in workers:
            each.join()


def _yield_games(
    results: queue.SimpleQueue[MatchGame | Exception | None], working: int
) -> Iterator[MatchGame | None]:
    while working:
        try:
            result = results.get(timeout=PROGRESS_S)
        except queue.Empty:
            yield None
            continue
        if isinstance(result, Exception):
            raise result
        if result is None:
            working -= 1
        else:
            yield result


def check_players(match: Match) -> None:
    """Let our own players choose a move: a core that is not built is reported before the match.
    Other programs are not checked: if they fail, they lose."""
    game = match.terms.game
    question = MoveQuestion(game.name, game.write_position(game.start()), level=1, depth=1)
    for each in match.terms.contestants:
        if each.command:
            continue
        with _opened_player(match, each, threading.Event()) as ask:
            answer = ask(replace(question, search_core=each.core))
        if isinstance(answer, PlayerFailed):
            raise BadContestant(sentences.CANNOT_PLAY(player=each.name, reason=answer.reason))


@contextmanager
def _opened_player(
    match: Match, contestant: Contestant, cancelled: threading.Event
) -> Iterator[AskPlayer]:
    """A player in its own process, closed at the end."""
    clock, player = match.clock, match.open_player(contestant)

    def ask(question: MoveQuestion) -> PlayerAnswered | PlayerFailed:
        number = player.think(question)
        while not cancelled.is_set():
            for event in player.events():
                return event
            clock.wait_ms(POLL_MS)
        return PlayerFailed(number, sentences.MATCH_LEFT(), clock.now_ms())

    try:
        yield ask
    finally:
        player.close()
