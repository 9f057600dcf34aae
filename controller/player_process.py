"""The computer player as a program of its own: `python -m controller.player_process`.

A request is a line of JSON on its input, and gets one line of JSON on its output:

    {"id": 1, "game": "...", "position": "...", "level": 3, "seed": 7}
    {"id": 1, "move": "...", "score": 56, "line": ["..."], ...}   or   {"id": 1, "error": "..."}

A new request, or `{"stop": 1}`, stops the one that is thought over; the end of its input ends it.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from controller.wiring import system_clock
from engine import games, strict_json
from engine.errors import LaserboardError, excerpt
from engine.game import AnyGame
from engine.search import STRONGEST, Limit, choose

Stop = Callable[[], bool]

LONGEST_LINE = strict_json.LONGEST
LONGEST_S = 24 * 3600.0
LARGEST_ID = 10**15
NICER = 5  # thinking must not keep the camera and the lights waiting
LAST_WORDS_S = 2.0
READY = {"ready": 1}  # the version of this protocol

_REQUIRED = ("id", "game", "position")
_OPTIONAL = ("options", "moves", "level", "depth", "nodes", "seconds", "seed", "player")


class BadRequest(LaserboardError, ValueError):
    """A line that asks for nothing that can be done."""


def main() -> int:
    """Serve standard input until it ends."""
    os.nice(NICER)
    inbox, outbox = sys.stdin.buffer, sys.stdout.fileno()
    lock = threading.Lock()

    def say(answer: Mapping[str, Any]) -> None:
        # Not through `sys.stdout`: a thread that is left behind would hold its lock at the end.
        line = f"{strict_json.write(answer)}\n".encode()
        with lock:
            while line:
                line = line[os.write(outbox, line) :]

    try:
        serve(inbox, say)
    except BrokenPipeError:
        return 1  # nobody listens any more
    return 0


def serve(inbox: BinaryIO, say: Callable[[Mapping[str, Any]], None]) -> None:
    """Answer every line of `inbox`; one request is thought over at a time, the newest."""
    say(READY)
    thinker = _Thinker(say)
    while line := inbox.readline(LONGEST_LINE + 1):
        number: Any = None
        try:
            if len(line) > LONGEST_LINE:
                while line and not line.endswith(b"\n"):
                    line = inbox.readline(LONGEST_LINE)
                raise BadRequest(
                    f"a line of more than {LONGEST_LINE} bytes: no position is as long"
                )
            request = strict_json.read(line.decode("utf-8", "replace"), BadRequest)
            if isinstance(request, dict) and "stop" in request:
                strict_json.fields(request, "a stop", BadRequest, ("stop",))
                thinker.stop(request["stop"])
                continue
            if isinstance(request, dict) and type(request.get("id")) is int:
                number = request["id"]
            thinker.think(_checked(request))
        except LaserboardError as wrong:
            say({"id": number, "error": str(wrong)})
    thinker.close()


def answer(request: Mapping[str, Any], stop: Stop) -> dict[str, Any]:
    """What the computer plays: the move, its score for the mover, and the play it expects."""
    seconds = request.get("seconds")
    limit = Limit(
        request.get("level", STRONGEST),
        request.get("depth"),
        request.get("nodes"),
        request.get("seed", 0),
    )
    if limit.endless and seconds is None:
        raise BadRequest(f"level {STRONGEST} thinks until it is stopped: give it depth or seconds")
    game = games.make(request["game"], request.get("options", {}))
    position = played(game, game.read_position(request["position"]), request.get("moves", ()))
    movers = game.to_move(position)
    mover = request.get("player", movers[0])
    if mover not in movers and game.outcome(position) is None:
        raise BadRequest(f"it is not the turn of player {mover}")
    choice = choose(game, position, limit, stop, mover)
    move = game.write_move(position, mover, choice.move)
    line = []
    for each in choice.line:
        if game.outcome(position) is not None:
            break  # by a draw that the search does not look for
        (mover,) = game.to_move(position)
        line.append(game.write_move(position, mover, each))
        position = game.resolve(position, {mover: each}).after
    return {
        "id": request["id"],
        "move": move,
        "score": choice.score,
        "line": line,
        "depth": choice.depth,
        "nodes": choice.nodes,
        "claim": choice.claim,
        "turns_to_end": choice.turns_to_end,
    }


def played(game: AnyGame, position: Any, texts: Any) -> Any:
    """The position after these moves, as many a turn as there are players to move."""
    rest = list(texts)
    while rest:
        movers = game.to_move(position)
        if len(rest) < len(movers):
            raise BadRequest(f"moves end with half a turn: {excerpt(rest[0])}")
        moves = {player: game.read_move(position, player, rest.pop(0)) for player in movers}
        position = game.resolve(position, moves).after
    return position


def _checked(request: Any) -> Mapping[str, Any]:
    found = strict_json.fields(request, "a request", BadRequest, _REQUIRED, _OPTIONAL)
    strict_json.whole(found["id"], "id", BadRequest, 0, LARGEST_ID)
    for name in ("game", "position"):
        if not isinstance(found[name], str):
            raise BadRequest(f"{name} must be text, not {excerpt(found[name])}")
    if not isinstance(found.get("options", {}), dict):
        raise BadRequest(f"options must be an object, not {excerpt(found['options'])}")
    moves = strict_json.items(found.get("moves", []), "moves", BadRequest)
    if not all(isinstance(move, str) for move in moves):
        raise BadRequest(f"moves must be texts, not {excerpt(moves)}")
    for name in ("level", "depth", "nodes", "seed", "player"):
        if found.get(name) is not None:
            strict_json.whole(found[name], name, BadRequest, -LARGEST_ID, LARGEST_ID)
    seconds = found.get("seconds")
    if seconds is not None and (type(seconds) not in (int, float) or not 0 <= seconds <= LONGEST_S):
        raise BadRequest(
            f"seconds must be a number from 0 to {LONGEST_S:g}, not {excerpt(seconds)}"
        )
    return {name: value for name, value in found.items() if value is not None}


class _Thinker:
    """One request at a time, in a thread; the newest stops the one before."""

    def __init__(self, say: Callable[[Mapping[str, Any]], None]) -> None:
        self._say = say
        self._clock = system_clock()
        self._stopped = threading.Event()
        self._number: int | None = None
        self._thread: threading.Thread | None = None

    def think(self, request: Mapping[str, Any]) -> None:
        if self._thread is not None:
            self._stopped.set()
            self._thread.join()
        self._stopped, self._number = threading.Event(), request["id"]
        self._thread = threading.Thread(
            target=self._run, args=(request, self._stopped), name="thinking", daemon=True
        )
        self._thread.start()

    def stop(self, number: Any) -> None:
        """Nothing happens if that one is answered already."""
        if number == self._number:
            self._stopped.set()

    def close(self) -> None:
        """What cannot be stopped is left behind."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join(LAST_WORDS_S)

    def _run(self, request: Mapping[str, Any], stopped: threading.Event) -> None:
        end_ms = self._clock.now_ms() + 1000 * request.get("seconds", LONGEST_S)

        def stop() -> bool:
            return stopped.is_set() or self._clock.now_ms() >= end_ms

        try:
            found = answer(request, stop)
        except LaserboardError as wrong:
            found = {"id": request["id"], "error": str(wrong)}
        except Exception as defect:  # whoever asked must not wait for ever
            found = {"id": request["id"], "error": f"{type(defect).__name__}: {defect}"}
        if stopped.is_set():
            found["stopped"] = True
        try:
            self._say(found)
        except BrokenPipeError:
            stopped.set()  # nobody listens any more; the end of the input follows


if __name__ == "__main__":
    sys.exit(main())
