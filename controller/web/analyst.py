"""Games that were played, judged turn by turn for the page: one at a time, in a player's process.

While a game is in its midst nothing is judged, and nothing that was judged is told: that would be
help from the computer. Whatever is computed here is computed in another thread or process; only
for the thread of the page.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from controller.judging import Json, annotation_json, summaries_json
from controller.ports import Chosen, Clock, Player, PlayerFailed, Question
from controller.web.doors import Refused
from controller.web.replays import Replays, Stamp
from controller.web.rights import Role, Visitor
from controller.web.throttle import Bucket
from engine.analysis import (
    Annotation,
    AnyTurnBased,
    Ask,
    Judging,
    Stage,
    judge,
    rules_of,
    stages,
    summaries,
)
from engine.analysis import step as judging_step
from engine.errors import LaserboardError
from engine.reasons import read_line
from engine.record import Record
from engine.search import Choice
from engine.strict_json import write

SECONDS = 1.0  # for a position
PATIENCE = 4  # times as long for one that must be seen as deep as another
LOOK_S = 0.03
REMEMBERED = 4  # games
MOST_TURNS = 400
BURST, REFILL_MS = 6, 20_000.0  # beginnings, for everybody together

PLAYING = "a game is being played here: it can be analysed when that is over"
NOBODY = "there is no computer player here to analyse a game"
BUSY = "another game is being analysed: wait until that is done"
NOT_YOURS = "somebody else has begun this analysis: they or the referee can stop it"


class _Ended(LaserboardError):
    """Why it does not go on."""


@dataclass(eq=False)
class _Work:
    """An analysis, as far as it has come."""

    stamp: Stamp
    game: AnyTurnBased
    turns: int
    by: str = ""  # the visitor who wanted it
    state: str = "running"  # running, done, stopped, failed
    sentence: str = ""
    judged: list[Annotation] = field(default_factory=list)
    told: list[Json] = field(default_factory=list)
    summary: list[Json] = field(default_factory=list)


class Analyst:
    """Judges games of `replays`; `thinker` makes a player, `playing` tells of the live game."""

    def __init__(
        self,
        clock: Clock,
        replays: Replays,
        thinker: Callable[[], Player] | None,
        playing: Callable[[], bool],
    ) -> None:
        self._clock, self._replays, self._thinker, self._playing = clock, replays, thinker, playing
        self._begun = Bucket(BURST, REFILL_MS, clock.now_ms())
        self._works: OrderedDict[str, _Work] = OrderedDict()
        self._task: asyncio.Task[None] | None = None
        self._name = ""  # of the game that is being judged
        self._starting = asyncio.Lock()

    async def told(self, name: str, after: int = 0) -> str:
        """How far it is, as JSON text; only the turns behind the first `after`."""
        if self._playing():
            raise Refused(PLAYING)
        stamp, record = await self._replays.recorded(name)
        work = self._works.get(name)
        if work is None or work.stamp != stamp:
            return write({"state": "none", "sentence": "", "of": len(record.turns), "turns": []})
        found = {
            "state": work.state,
            "sentence": work.sentence,
            "judged": len(work.told),
            "of": work.turns,
            "scores_for": work.game.players[0],
            "turns": work.told[after:],
            "summary": work.summary,
        }
        return await asyncio.to_thread(write, found)

    async def start(self, name: str, visitor: Visitor) -> None:
        """Begin; nothing if it is done or on its way."""
        if self._playing():
            raise Refused(PLAYING)
        if self._thinker is None:
            raise Refused(NOBODY)
        async with self._starting:
            stamp, record = await self._replays.recorded(name)
            work = self._works.get(name)
            if work is not None and work.stamp == stamp and work.state in ("running", "done"):
                return
            game = rules_of(record)
            if len(record.turns) > MOST_TURNS:
                raise Refused(
                    f"{len(record.turns)} turns are too many here: `laserboard analyse {name}`"
                )
            if self._task is not None and visitor.role is not Role.REFEREE:
                raise Refused(BUSY)
            now_ms = self._clock.now_ms()
            if not self._begun.take(now_ms):
                wait_ms = self._begun.wait_ms(now_ms)
                raise Refused("too many analyses: wait a moment", wait_ms)
            await self._end("the referee has another game analysed")
            work = _Work(stamp, game, len(record.turns), visitor.id)
            self._works.pop(name, None)
            self._works[name] = work
            if len(self._works) > REMEMBERED:
                self._works.popitem(last=False)
            self._name = name
            self._task = asyncio.create_task(self._run(work, record, self._thinker))

    async def stop(self, name: str, visitor: Visitor) -> None:
        """What is judged stays."""
        work = self._works.get(name)
        if self._task is None or work is None or name != self._name:
            return
        if visitor.role is not Role.REFEREE and visitor.id != work.by:
            raise Refused(NOT_YOURS)
        await self._end("stopped")

    async def close(self) -> None:
        await self._end("the page was closed")

    async def _end(self, sentence: str) -> None:
        task, self._task = self._task, None
        work = self._works.get(self._name)
        if task is None:
            return
        if work is not None and work.state == "running":
            work.state, work.sentence = "stopped", sentence
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    # -- on its way ------------------------------------------------------------------------------

    async def _run(self, work: _Work, record: Record, thinker: Callable[[], Player]) -> None:
        making = asyncio.create_task(asyncio.to_thread(thinker))
        try:
            player = await asyncio.shield(making)
            turns = stages(record)
            while (stage := await asyncio.to_thread(_next, turns)) is not None:
                await self._judge(work, stage, player)
            work.state = "done"
        except _Ended as ended:
            work.state, work.sentence = "stopped", str(ended)
        except LaserboardError as bad:
            work.state, work.sentence = "failed", str(bad)
        finally:
            await asyncio.shield(_let_go(making))
            if self._task is asyncio.current_task():
                self._task = None

    async def _judge(self, work: _Work, stage: Stage, player: Player) -> None:
        judging = judge(work.game, stage)
        found = await asyncio.to_thread(judging_step, judging)
        while isinstance(found, Ask):
            event = await self._thought(work.game, found, player)
            found = await asyncio.to_thread(_told, work.game, judging, found, event)
        work.judged.append(found)
        told, summed = await asyncio.to_thread(_as_json, work.game, work.judged)
        work.told.append(told)
        work.summary = summed

    async def _thought(self, game: AnyTurnBased, asked: Ask, player: Player) -> Chosen:
        seconds = SECONDS if asked.depth is None else SECONDS * PATIENCE
        start = await asyncio.to_thread(game.write_position, asked.start)
        number = player.think(
            Question(game.name, start, asked.moves, game.options(), None, asked.depth, seconds)
        )
        while True:
            for event in player.events():
                if event.number == number:
                    if isinstance(event, PlayerFailed):
                        raise LaserboardError(event.reason)
                    return event
            if self._playing():
                raise _Ended(PLAYING)
            await asyncio.sleep(LOOK_S)


async def _let_go(making: asyncio.Task[Player]) -> None:
    """Close the player, also one that is still being made: nobody else knows of its process."""
    await asyncio.wait([making])
    if not making.cancelled() and making.exception() is None:
        await asyncio.to_thread(making.result().close)


# -- in another thread -----------------------------------------------------------------------------


def _next(turns: Iterator[Stage]) -> Stage | None:
    return next(turns, None)


def _told(game: AnyTurnBased, judging: Judging, asked: Ask, event: Chosen) -> Ask | Annotation:
    """Go on with what the player has found."""
    move = game.read_move(asked.position, asked.position.side, event.move)
    turns = read_line(game, asked.position, event.line)
    line = tuple(made for turn in turns for _, made in turn.moves)
    return judging_step(judging, Choice(move, event.score, line, 0, event.depth, event.claim))


def _as_json(game: AnyTurnBased, judged: list[Annotation]) -> tuple[Json, list[Json]]:
    return (
        annotation_json(game, judged[-1], drawn=True),
        summaries_json(game, summaries(judged)),
    )
