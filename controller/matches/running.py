"""A match from its first game to its last: some games at once, each with processes of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from controller.matches.contestants import BadContestant, Contestant
from controller.matches.playing import Asked, Opening, Played, Terms, play_game
from controller.ports import Chosen, Clock, Player, PlayerFailed, Question

LOOK_EVERY_MS = 1.0
BEAT_S = 0.5
Open = Callable[[Contestant], Player]


@dataclass(frozen=True, slots=True)
class Match:
    """What is played, where games begin, how many at once, and how a player is opened."""

    terms: Terms
    openings: Sequence[Opening]  # two games from each
    clock: Clock
    open_player: Open
    jobs: int = 1


def run(match: Match, done: Collection[int] = ()) -> Iterator[Played | None]:
    """The games as they end, those in `done` left out; None now and then, while none ends."""
    missing = [n for n in range(1, 2 * len(match.openings) + 1) if n not in done]
    if not missing:
        return
    numbers = iter(missing)
    results: queue.SimpleQueue[Played | Exception | None] = queue.SimpleQueue()
    gone, lock = threading.Event(), threading.Lock()

    def next_number() -> int | None:
        with lock:
            return None if gone.is_set() else next(numbers, None)

    def work() -> None:
        try:
            first, second = match.terms.contestants
            with _asking(match, first, gone) as one, _asking(match, second, gone) as other:
                while (number := next_number()) is not None:
                    begun = match.openings[(number - 1) // 2]
                    ended = play_game(match.terms, number, begun, (one, other), gone.is_set)
                    if ended is not None:
                        results.put(ended)
        except Exception as defect:  # told by whoever waits for the games
            results.put(defect)
        finally:
            results.put(None)

    workers = [
        threading.Thread(target=work, name="a match", daemon=True) for _ in range(match.jobs)
    ]
    for each in workers:
        each.start()
    try:
        yield from _games(results, len(workers))
    finally:
        gone.set()
        for each in workers:
            each.join()


def _games(
    results: queue.SimpleQueue[Played | Exception | None], working: int
) -> Iterator[Played | None]:
    while working:
        try:
            result = results.get(timeout=BEAT_S)
        except queue.Empty:
            yield None
            continue
        if isinstance(result, Exception):
            raise result
        if result is None:
            working -= 1
        else:
            yield result


def check(match: Match) -> None:
    """Have our own players choose a move each: a core that is not built is told before the match.
    Programs of others may fail as they like: they lose."""
    game = match.terms.game
    question = Question(game.name, game.write_position(game.start()), level=1, depth=1)
    for each in match.terms.contestants:
        if each.command:
            continue
        with _asking(match, each, threading.Event()) as ask:
            answer = ask(replace(question, core=each.core))
        if isinstance(answer, PlayerFailed):
            raise BadContestant(f"{each.name} cannot play: {answer.reason}")


@contextmanager
def _asking(match: Match, contestant: Contestant, gone: threading.Event) -> Iterator[Asked]:
    """A player in a process of its own, closed in the end."""
    clock, player = match.clock, match.open_player(contestant)

    def ask(question: Question) -> Chosen | PlayerFailed:
        number = player.think(question)
        while not gone.is_set():
            for event in player.events():
                return event
            clock.wait_ms(LOOK_EVERY_MS)
        return PlayerFailed(number, "the match was left", clock.now_ms())

    try:
        yield ask
    finally:
        player.close()
