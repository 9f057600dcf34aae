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

from controller.computer.analysis import Json, annotation_json, summaries_json
from controller.ports.devices import Clock, MoveChooser, MoveQuestion
from controller.ports.events import PlayerAnswered, PlayerFailed
from controller.ui import sentences
from controller.ui.web.auth import RequestRefused
from controller.ui.web.json_values import optional_sentence_json
from controller.ui.web.permissions import Role, User
from controller.ui.web.rate_limit import TokenBucket
from controller.ui.web.replay_service import FileStamp, ReplayService
from engine.analysis import (
    Annotation,
    AnyTurnBased,
    SearchTask,
    TurnContext,
    TurnEvaluation,
    analysable_rules,
    evaluate_turn,
    summarise_players,
    turn_contexts,
)
from engine.analysis import advance_evaluation as judging_step
from engine.errors import LaserboardError
from engine.move_reasons import read_line
from engine.record import Record
from engine.search import Choice
from engine.sentences import Sentence
from engine.strict_json import write

SECONDS_PER_POSITION = 1.0  # for a position
DEEP_SEARCH_FACTOR = 4  # times as long for one that must be seen as deep as another
POLL_S = 0.03
MOST_CACHED_GAMES = 4  # games
MOST_TURNS = 400
BURST, REFILL_MS = 6, 20_000.0  # beginnings, for everybody together


class _Stopped(LaserboardError):
    """Why it does not go on."""


@dataclass(eq=False)
class _Analysis:
    """An analysis, as far as it has come."""

    stamp: FileStamp
    game: AnyTurnBased
    turns: int
    started_by: str = ""  # the visitor who wanted it
    state: str = "running"  # running, done, stopped, failed
    sentence: Sentence | None = None  # why it stopped or failed
    annotations: list[Annotation] = field(default_factory=list)
    turns_json: list[Json] = field(default_factory=list)
    summary: list[Json] = field(default_factory=list)


class AnalysisService:
    """Evaluates games of `replays` with a player from `open_player`, unless a game is live."""

    def __init__(
        self,
        clock: Clock,
        replays: ReplayService,
        open_player: Callable[[], MoveChooser] | None,
        game_in_progress: Callable[[], bool],
    ) -> None:
        self._clock, self._replays, self._open_player, self._game_in_progress = (
            clock,
            replays,
            open_player,
            game_in_progress,
        )
        self._start_limit = TokenBucket(BURST, REFILL_MS, clock.now_ms())
        self._analyses: OrderedDict[str, _Analysis] = OrderedDict()
        self._task: asyncio.Task[None] | None = None
        self._name = ""  # of the game that is being judged
        self._starting = asyncio.Lock()

    async def status_json(self, name: str, after: int = 0) -> str:
        """How far it is, as JSON text; only the turns behind the first `after`."""
        if self._game_in_progress():
            raise RequestRefused(sentences.GAME_IN_PROGRESS())
        stamp, record = await self._replays.load_record(name)
        work = self._analyses.get(name)
        if work is None or work.stamp != stamp:
            return write(
                {"state": "none", "sentence": None, "total": len(record.turns), "turns": []}
            )
        found = {
            "state": work.state,
            "sentence": optional_sentence_json(work.sentence),
            "evaluated": len(work.turns_json),
            "total": work.turns,
            "scores_for": work.game.players[0],
            "turns": work.turns_json[after:],
            "summary": work.summary,
        }
        return await asyncio.to_thread(write, found)

    async def start(self, name: str, visitor: User) -> None:
        """Begin; nothing if it is done or on its way."""
        if self._game_in_progress():
            raise RequestRefused(sentences.GAME_IN_PROGRESS())
        if self._open_player is None:
            raise RequestRefused(sentences.NO_COMPUTER_PLAYER())
        async with self._starting:
            stamp, record = await self._replays.load_record(name)
            work = self._analyses.get(name)
            if work is not None and work.stamp == stamp and work.state in ("running", "done"):
                return
            game = analysable_rules(record)
            if len(record.turns) > MOST_TURNS:
                raise RequestRefused(sentences.TOO_MANY_TURNS(turns=len(record.turns), name=name))
            if self._task is not None and visitor.role is not Role.HOST:
                raise RequestRefused(sentences.ANALYSIS_RUNNING())
            now_ms = self._clock.now_ms()
            if not self._start_limit.take(now_ms):
                wait_ms = self._start_limit.wait_ms(now_ms)
                raise RequestRefused(sentences.TOO_MANY_ANALYSES(), wait_ms)
            await self._cancel(sentences.ANALYSIS_REPLACED())
            work = _Analysis(stamp, game, len(record.turns), visitor.id)
            self._analyses.pop(name, None)
            self._analyses[name] = work
            if len(self._analyses) > MOST_CACHED_GAMES:
                self._analyses.popitem(last=False)
            self._name = name
            self._task = asyncio.create_task(self._run(work, record, self._open_player))

    async def stop(self, name: str, visitor: User) -> None:
        """What is judged stays."""
        work = self._analyses.get(name)
        if self._task is None or work is None or name != self._name:
            return
        if visitor.role is not Role.HOST and visitor.id != work.started_by:
            raise RequestRefused(sentences.NOT_YOUR_ANALYSIS())
        await self._cancel(sentences.ANALYSIS_STOPPED())

    async def close(self) -> None:
        await self._cancel(sentences.PAGE_CLOSED())

    async def _cancel(self, sentence: Sentence) -> None:
        task, self._task = self._task, None
        work = self._analyses.get(self._name)
        if task is None:
            return
        if work is not None and work.state == "running":
            work.state, work.sentence = "stopped", sentence
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    # -- on its way ------------------------------------------------------------------------------

    async def _run(
        self, work: _Analysis, record: Record, open_player: Callable[[], MoveChooser]
    ) -> None:
        making = asyncio.create_task(asyncio.to_thread(open_player))
        try:
            player = await asyncio.shield(making)
            turns = turn_contexts(record)
            while (stage := await asyncio.to_thread(_next_stage, turns)) is not None:
                await self._evaluate_turn(work, stage, player)
            work.state = "done"
        except _Stopped as ended:
            work.state, work.sentence = "stopped", ended.sentence
        except LaserboardError as bad:
            work.state, work.sentence = "failed", bad.sentence
        finally:
            await asyncio.shield(_close_player(making))
            if self._task is asyncio.current_task():
                self._task = None

    async def _evaluate_turn(
        self, work: _Analysis, stage: TurnContext, player: MoveChooser
    ) -> None:
        judging = evaluate_turn(work.game, stage)
        found = await asyncio.to_thread(judging_step, judging)
        while isinstance(found, SearchTask):
            event = await self._search(work.game, found, player)
            found = await asyncio.to_thread(_continue_evaluation, work.game, judging, found, event)
        work.annotations.append(found)
        turn_json, summed = await asyncio.to_thread(_as_json, work.game, work.annotations)
        work.turns_json.append(turn_json)
        work.summary = summed

    async def _search(
        self, game: AnyTurnBased, asked: SearchTask, player: MoveChooser
    ) -> PlayerAnswered:
        seconds = (
            SECONDS_PER_POSITION
            if asked.depth is None
            else SECONDS_PER_POSITION * DEEP_SEARCH_FACTOR
        )
        start = await asyncio.to_thread(game.write_position, asked.start)
        number = player.think(
            MoveQuestion(game.name, start, asked.moves, game.options(), None, asked.depth, seconds)
        )
        while True:
            for event in player.events():
                if event.number == number:
                    if isinstance(event, PlayerFailed):
                        raise LaserboardError(event.reason)
                    return event
            if self._game_in_progress():
                raise _Stopped(sentences.GAME_IN_PROGRESS())
            await asyncio.sleep(POLL_S)


async def _close_player(making: asyncio.Task[MoveChooser]) -> None:
    """Close the player, also one that is still being made: nobody else knows of its process."""
    await asyncio.wait([making])
    if not making.cancelled() and making.exception() is None:
        await asyncio.to_thread(making.result().close)


# -- in another thread -----------------------------------------------------------------------------


def _next_stage(turns: Iterator[TurnContext]) -> TurnContext | None:
    return next(turns, None)


def _continue_evaluation(
    game: AnyTurnBased, judging: TurnEvaluation, question: SearchTask, answer: PlayerAnswered
) -> SearchTask | Annotation:
    """Go on with what the player has found."""
    move = game.read_move(question.position, question.position.side, answer.move)
    turns = read_line(game, question.position, answer.line)
    line = tuple(made for turn in turns for _, made in turn.moves)
    return judging_step(judging, Choice(move, answer.score, line, 0, answer.depth, answer.claim))


def _as_json(game: AnyTurnBased, judged: list[Annotation]) -> tuple[Json, list[Json]]:
    return (
        annotation_json(game, judged[-1], for_page=True),
        summaries_json(game, summarise_players(judged)),
    )
