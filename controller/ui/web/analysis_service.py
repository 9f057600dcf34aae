"""Analyses stored games turn by turn, one game at a time, with a computer player's process.

While a game is in progress, the service neither analyses nor returns results: both would help the
players. Call it only from the page's thread; it computes in other threads and processes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from controller.computer.analysis import Json, annotation_json, summaries_json
from controller.ports.devices import Clock, MoveChooser, MoveQuestion
from controller.ports.events import PlayerAnswered, PlayerFailed
from controller.ui.web import sentences
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
    advance_evaluation,
    analysable_rules,
    evaluate_turn,
    summarise_players,
    turn_contexts,
)
from engine.errors import LaserboardError
from engine.move_reasons import read_line
from engine.record import Record
from engine.search import Choice
from engine.sentences import Sentence
from engine.strict_json import write

log = logging.getLogger(__name__)

SECONDS_PER_POSITION = 1.0
DEEP_SEARCH_FACTOR = 4  # more time for a search that must reach a given depth
POLL_S = 0.03
MAX_CACHED_GAMES = 4
MAX_TURNS = 400
BURST, REFILL_MS = 6, 20_000.0  # rate limit of starts, shared by all users


class _Stopped(LaserboardError):
    """Stops an analysis; the sentence says why."""


@dataclass(eq=False)
class _Analysis:
    """The analysis of one game, with its results so far."""

    stamp: FileStamp
    game: AnyTurnBased
    turn_count: int
    started_by: str = ""  # id of the user
    state: str = "running"  # running, done, stopped, failed
    sentence: Sentence | None = None  # why it stopped or failed
    annotations: list[Annotation] = field(default_factory=list)
    turns_json: list[Json] = field(default_factory=list)
    summary: list[Json] = field(default_factory=list)


class AnalysisService:
    """Analyses games of `replays` with a player from `open_player`."""

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
        self._name = ""  # of the game that is being analysed
        self._starting = asyncio.Lock()

    async def status_json(self, name: str, after: int = 0) -> str:
        """Return the progress as JSON text, with the results after the first `after` turns."""
        if self._game_in_progress():
            raise RequestRefused(sentences.GAME_IN_PROGRESS())
        stamp, record = await self._replays.load_record(name)
        analysis = self._analyses.get(name)
        if analysis is None or analysis.stamp != stamp:
            return write(
                {"state": "none", "sentence": None, "total": len(record.turns), "turns": []}
            )
        body = {
            "state": analysis.state,
            "sentence": optional_sentence_json(analysis.sentence),
            "evaluated": len(analysis.turns_json),
            "total": analysis.turn_count,
            "scores_for": analysis.game.players[0],
            "turns": analysis.turns_json[after:],
            "summary": analysis.summary,
        }
        return await asyncio.to_thread(write, body)

    async def start(self, name: str, user: User) -> None:
        """Start an analysis; do nothing if it is running or done."""
        if self._game_in_progress():
            raise RequestRefused(sentences.GAME_IN_PROGRESS())
        if self._open_player is None:
            raise RequestRefused(sentences.NO_COMPUTER_PLAYER())
        async with self._starting:
            stamp, record = await self._replays.load_record(name)
            analysis = self._analyses.get(name)
            if (
                analysis is not None
                and analysis.stamp == stamp
                and analysis.state in ("running", "done")
            ):
                return
            game = analysable_rules(record)
            if len(record.turns) > MAX_TURNS:
                raise RequestRefused(sentences.TOO_MANY_TURNS(turns=len(record.turns), name=name))
            if self._task is not None and user.role is not Role.HOST:
                raise RequestRefused(sentences.ANALYSIS_RUNNING())
            now_ms = self._clock.now_ms()
            if not self._start_limit.take(now_ms):
                wait_ms = self._start_limit.wait_ms(now_ms)
                raise RequestRefused(sentences.TOO_MANY_ANALYSES(), wait_ms)
            await self._cancel(sentences.ANALYSIS_REPLACED())
            analysis = _Analysis(stamp, game, len(record.turns), user.id)
            self._analyses.pop(name, None)
            self._analyses[name] = analysis
            if len(self._analyses) > MAX_CACHED_GAMES:
                self._analyses.popitem(last=False)
            self._name = name
            self._task = asyncio.create_task(self._run(analysis, record, self._open_player))

    async def stop(self, name: str, user: User) -> None:
        """Stop the running analysis of this game; its results so far stay."""
        analysis = self._analyses.get(name)
        if self._task is None or analysis is None or name != self._name:
            return
        if user.role is not Role.HOST and user.id != analysis.started_by:
            raise RequestRefused(sentences.NOT_YOUR_ANALYSIS())
        await self._cancel(sentences.ANALYSIS_STOPPED())

    async def close(self) -> None:
        await self._cancel(sentences.PAGE_CLOSED())

    async def _cancel(self, sentence: Sentence) -> None:
        task, self._task = self._task, None
        analysis = self._analyses.get(self._name)
        if task is None:
            return
        if analysis is not None and analysis.state == "running":
            analysis.state, analysis.sentence = "stopped", sentence
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    # -- the running analysis --------------------------------------------------------------------

    async def _run(
        self, analysis: _Analysis, record: Record, open_player: Callable[[], MoveChooser]
    ) -> None:
        opening = asyncio.create_task(asyncio.to_thread(open_player))
        try:
            player = await asyncio.shield(opening)
            contexts = turn_contexts(record)
            while (context := await asyncio.to_thread(_next_context, contexts)) is not None:
                await self._evaluate_turn(analysis, context, player)
            analysis.state = "done"
        except _Stopped as stopped:
            analysis.state, analysis.sentence = "stopped", stopped.sentence
        except LaserboardError as error:
            log.info("the analysis failed", exc_info=True)
            analysis.state, analysis.sentence = "failed", error.sentence
        except Exception as defect:
            log.exception("defect in the analysis")
            analysis.state = "failed"
            analysis.sentence = sentences.PROGRAM_DEFECT(error=type(defect).__name__)
        finally:
            await asyncio.shield(_close_player(opening))
            if self._task is asyncio.current_task():
                self._task = None

    async def _evaluate_turn(
        self, analysis: _Analysis, context: TurnContext, player: MoveChooser
    ) -> None:
        game = analysis.game
        evaluation = evaluate_turn(game, context)
        result = await asyncio.to_thread(advance_evaluation, evaluation)
        while isinstance(result, SearchTask):
            answer = await self._search(game, result, player)
            result = await asyncio.to_thread(_continue_evaluation, game, evaluation, result, answer)
        analysis.annotations.append(result)
        turn_json, summary = await asyncio.to_thread(_results_json, game, analysis.annotations)
        analysis.turns_json.append(turn_json)
        analysis.summary = summary

    async def _search(
        self, game: AnyTurnBased, task: SearchTask, player: MoveChooser
    ) -> PlayerAnswered:
        seconds = (
            SECONDS_PER_POSITION
            if task.depth is None
            else SECONDS_PER_POSITION * DEEP_SEARCH_FACTOR
        )
        start = await asyncio.to_thread(game.write_position, task.start)
        number = player.think(
            MoveQuestion(game.name, start, task.moves, game.options(), None, task.depth, seconds)
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


async def _close_player(opening: asyncio.Task[MoveChooser]) -> None:
    """Close the player; wait for it first if it is still being opened, so that no process leaks."""
    await asyncio.wait([opening])
    if not opening.cancelled() and opening.exception() is None:
        await asyncio.to_thread(opening.result().close)


# -- run in worker threads -------------------------------------------------------------------------


def _next_context(contexts: Iterator[TurnContext]) -> TurnContext | None:
    return next(contexts, None)


def _continue_evaluation(
    game: AnyTurnBased, evaluation: TurnEvaluation, question: SearchTask, answer: PlayerAnswered
) -> SearchTask | Annotation:
    """Advance the evaluation with the player's answer."""
    move = game.read_move(question.position, question.position.side, answer.move)
    turns = read_line(game, question.position, answer.line)
    line = tuple(played for turn in turns for _, played in turn.moves)
    choice = Choice(move, answer.score, line, 0, answer.depth, answer.claim)
    return advance_evaluation(evaluation, choice)


def _results_json(game: AnyTurnBased, annotations: list[Annotation]) -> tuple[Json, list[Json]]:
    """The newest turn's result, and each player's summary."""
    return (
        annotation_json(game, annotations[-1], for_page=True),
        summaries_json(game, summarise_players(annotations)),
    )
