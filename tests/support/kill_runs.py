"""Whole games in processes that are killed with SIGKILL at any moment, again and again.

    python -m tests.support.kill_runs --kills 500 --jobs 2

One process warms up and forks: each child goes on with the game from its journal, on the table as
the last one left it, and says what it does until it is killed. What it has said is then held
against what is on the disk. Camera, reader, session and journal are the real ones.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NoReturn

from controller.config.addresses.camera import SimulatedCameraAddress
from controller.config.board_file import load_board_file
from controller.devices.factory.cameras import simulated_table
from controller.ports.devices import Journal
from controller.ports.events import JournalEvent, Written
from controller.ports.world import World
from controller.session.journal import JournalEntry, recover
from controller.session.replay import game_record, replay
from controller.session.setup import GameSetup
from controller.session.state import Phase
from controller.simulation.game import SimulatedGame
from controller.simulation.random_players import RandomPlayers
from controller.simulation.rig import SteppedSimulatedRig
from controller.simulation.soak.game import SoakGame, compare_with_journal, make_soak_game
from controller.table.loop import Devices, Loop
from controller.table.plan import GamePlan, JournalOpener
from controller.table.rig import TableSpec
from engine import games
from engine.game import AnyTurn, Outcome, Piece
from engine.grid import Cell
from engine.record import write_record
from engine.sentences import Sentence
from vision.scene import ScenePiece
from vision.scene.table import cell_at

MOST_TURNS = 10
CLOCK = "30m+5s"
SILENT_S = 120.0
MOST_BEATS = 400  # a turn takes about 150
BEAT_S, AROUND_A_WRITE_S, BEGINNING_S = 0.02, 0.02, 0.3
SMALL_PICTURE = 960, 540  # lives are short, and finding the board is half of them
TORN = 0.2  # of the kills are power cuts that leave half a line, too

Tell = Callable[..., None]


# -- the child ---------------------------------------------------------------------------------


class Acknowledged:
    """A journal that says what it is asked for, and at once what it has called written."""

    def __init__(self, journal: Journal, tell: Tell) -> None:
        self._journal, self._tell = journal, tell
        self._events: list[JournalEvent] = []
        self._written = journal.last_requested

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    def write(self, kind: str, body: Mapping[str, Any], at_ms: float) -> int:
        self._tell("writing", kind)
        return self._journal.write(kind, body, at_ms)

    def wait(self, number: int, timeout_ms: float) -> bool:
        """Not for the disk, but until the journal says so: it might say so too early."""
        end = time.monotonic() + timeout_ms / 1000
        while self._written < number and time.monotonic() < end:
            self._fetch()
            time.sleep(0.0002)
        return self._written >= number

    def events(self) -> list[JournalEvent]:
        self._fetch()
        events, self._events = self._events, []
        return events

    def _fetch(self) -> None:
        for event in self._journal.events():
            self._events.append(event)
            if isinstance(event, Written):
                self._written = event.number
                self._tell("written", event.number)


class Watched:
    """A world that says how the table stands whenever that changes."""

    def __init__(self, world: World, changed: Callable[[], None]) -> None:
        self._world, self._changed = world, changed

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._world, name)
        if name not in ("move_to", "turn", "remove", "lay_out"):
            return found

        def do(*arguments: Any) -> Any:
            done = found(*arguments)
            self._changed()
            return done

        return do


class Room(SteppedSimulatedRig):
    """A room that tells."""

    def __init__(
        self, table_spec: TableSpec, things: list[ScenePiece], path: Path, tell: Tell
    ) -> None:
        super().__init__(table_spec, {}, JournalOpener(path))
        self._tell = tell
        game = table_spec.fitted_board.game.name
        self.table = simulated_table(
            SimulatedCameraAddress(table_spec.board_name, *SMALL_PICTURE, game=game)
        )
        self.table.set_pieces({})
        for thing in things:
            self.table.place(thing)

    def open(self) -> tuple[Devices, tuple[JournalEntry, ...]]:
        devices, entries = super().open()
        world: Any = Watched(self.world, lambda: self._tell("table", self.things()))
        self.world = world
        journal: Any = Acknowledged(devices.journal, self._tell)
        return replace(devices, journal=journal), entries

    def things(self) -> list[ScenePiece]:
        return list(self.table.things.values())


@dataclass(frozen=True)
class Life:
    """All that a child begins with."""

    what: SoakGame
    start: GameSetup
    path: Path
    things: list[ScenePiece]
    made: list[AnyTurn]
    chance: str


async def live(life: Life, tell: Tell) -> None:
    """Go on with the game, and say what happens."""
    game, first = life.start.game, life.start.first_position()
    plan = GamePlan(life.start, load_board_file(life.what.board), random_seed=life.what.seed)
    table_spec = TableSpec(life.what.board, plan.board_file, plan.fitted_board, "memory://")
    room = Room(table_spec, life.things, life.path, tell)

    def intends(turn: AnyTurn) -> None:
        moves = {player: game.write_move(turn.before, player, move) for player, move in turn.moves}
        tell("intends", moves)

    def heard(sentence: Sentence) -> None:
        if "cut off" in str(sentence):
            tell("cut off")

    async with SimulatedGame(room, plan.start_session, heard) as simulation:
        session = simulation.session
        left = [session.clocks.remaining_ms(player, 0.0) for player in (0, 1)]
        running = session.clocks.running
        tell("resumed", game.write_position(session.position), session.to_move, left, running)
        await simulation.hands.wait_settled()
        asked = {each.cell for each in simulation.session.table.differences}
        amiss = differing(life, session.position, life.things)
        unseen = amiss.intersection(simulation.session.table.unseen_cells)  # that is asked for, too
        setting_up = simulation.session.phase is Phase.SETTING_UP
        tell("asked", sorted(asked | unseen), sorted(amiss), setting_up)
        mover = RandomPlayers(simulation, first, random.Random(life.chance), life.made, intends)
        beating = asyncio.create_task(beat(simulation.loop, tell))
        await mover.play(life.what.max_turns)
        beating.cancel()
        tell("over", mover.outcome)


async def beat(loop: Loop, tell: Tell) -> None:
    while await loop.next_tick():
        tell("beat")


def differing(life: Life, position: Any, things: list[ScenePiece]) -> set[Cell]:
    """The cells where the table does not show a position, by what really stands there."""
    game = life.start.game
    board = GamePlan(life.start, load_board_file(life.what.board)).fitted_board.board
    headings = board.grid.headings
    stands: dict[Cell, Piece] = {}
    for thing in things:
        cell = cell_at(board, thing.x_mm, thing.y_mm)
        assert cell is not None
        turned = round(thing.angle_degrees * headings / 360)
        orientation = (thing.piece.orientation + turned) % headings
        stands[cell] = replace(thing.piece, orientation=orientation)
    wanted = game.expected_pieces(position)
    return {
        cell
        for cell in stands.keys() | wanted.keys()
        if cell not in stands or cell not in wanted or not wanted[cell].accepts(stands[cell])
    }


def be_child(life: Life, line: Connection) -> NoReturn:
    """Never comes back."""
    status = 1
    try:
        asyncio.run(live(life, lambda *said: line.send(said)))
        status = 0
    except BaseException:
        line.send(("failed", traceback.format_exc()))
    finally:
        os._exit(status)


# -- who kills it ------------------------------------------------------------------------------


@dataclass
class Game:
    """One game through all its lives, with the book of what hands did."""

    what: SoakGame
    start: GameSetup
    path: Path
    rng: random.Random
    made: list[AnyTurn] = field(default_factory=list)
    things: list[ScenePiece] = field(default_factory=list)
    clocks: list[float | None] | None = None  # as the last turn in the journal left them
    outcome: Outcome | None = None
    torn: bool = False
    entries: int = 0
    lives: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def position(self) -> Any:
        return self.made[-1].after if self.made else self.start.first_position()

    def live_and_die(self) -> bool:
        """One life; whether it had to be ended by force."""
        self.lives += 1
        life = Life(
            self.what,
            self.start,
            self.path,
            self.things,
            list(self.made),
            f"{self.what.seed}/{self.lives}",
        )
        line, other = Pipe(duplex=False)
        pid = os.fork()
        if pid == 0:
            line.close()
            be_child(life, other)
        other.close()
        try:
            said = self._listen(line, self._death())
        finally:
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
        said += drained(line)
        line.close()
        killed = os.WIFSIGNALED(status)
        self._judge(said, killed)
        return killed

    def _death(self) -> tuple[str, int, float]:
        """After how many words of a kind, and how many seconds more."""
        chance, more = self.rng.random(), self.rng.random()
        if chance < 0.1:
            return "", 0, more * BEGINNING_S
        if chance < 0.5:
            return "writing", self.rng.randrange(1, 4), more * AROUND_A_WRITE_S
        return "beat", self.rng.randrange(1, MOST_BEATS), more * BEAT_S

    def _listen(self, line: Connection, death: tuple[str, int, float]) -> list[tuple[Any, ...]]:
        word, times, more_s = death
        said: list[tuple[Any, ...]] = []
        while times:
            assert wait([line], SILENT_S), f"{self.path.name}: silent for {SILENT_S:g} s: {said}"
            try:
                said.append(line.recv())
            except EOFError:
                return said
            times -= said[-1][0] == word
        end = time.monotonic() + more_s
        while (left := end - time.monotonic()) > 0:
            if left > 0.005 and wait([line], left):
                try:
                    said.append(line.recv())
                except EOFError:
                    break
        return said

    # -- what is left --------------------------------------------------------------------------

    def _judge(self, said: list[tuple[Any, ...]], killed: bool) -> None:
        heard = {each[0]: each[1:] for each in said}  # the last of each kind
        where = f"{self.path.name}, life {self.lives}"
        assert "failed" not in heard, f"{where}: {heard['failed'][0]}"
        self._judge_beginning(heard, where)
        intended = self._intended(said, self._reported())
        written = max((each[1] for each in said if each[0] == "written"), default=self.entries)
        torn = killed and self.rng.random() < TORN and self._tear(written)
        found = recover(self.path.read_bytes() if self.path.exists() else b"")
        assert len(found.entries) >= written, f"{where}: entry {written} was written, and is gone"
        assert found.damaged_tail is None or found.damaged_tail.is_power_cut_tail, (
            f"{where}: {found.damaged_tail}"
        )
        assert found.damaged_tail is not None or not torn, (
            f"{where}: half a line is taken for a whole one"
        )
        if found.entries:
            self._judge_turns(replay(found.entries), intended, where)
        self.counts["turns begun and not fired"] += len(self.made) < len(intended)
        self.counts["entries kept that nobody was told of"] += len(found.entries) > written
        self.entries, self.torn = len(found.entries), found.damaged_tail is not None
        for each in said:
            if each[0] == "table":
                self.things = each[1]
        if not killed:
            assert "over" in heard, f"{where}: it ended by itself"
            assert self.outcome == heard["over"][0]

    def _judge_beginning(self, heard: Mapping[str, tuple[Any, ...]], where: str) -> None:
        """It goes on where the journal ended: position, movers, clocks, what is amiss."""
        game, position = self.start.game, self.position()
        if "resumed" in heard:
            reported, movers, left, running = heard["resumed"]
            assert reported == game.write_position(position), where
            assert movers == game.to_move(position), where
            assert not running, f"{where}: a clock runs before the table is right"
            if self.clocks is not None:
                assert left == self.clocks, where
        if "asked" in heard:
            asked, amiss, setting_up = heard["asked"]
            assert asked == amiss, f"{where}: {asked} is asked for, {amiss} is amiss"
            assert setting_up == bool(amiss), where
            self.counts["tables put right"] += bool(amiss)
            if self.made and (struck := {loss.cell for loss in self.made[-1].removed}):
                self.counts["captures asked for"] += struck <= set(asked)
            if self.torn:
                assert "cut off" in heard, f"{where}: a torn tail was not reported"
                self.counts["torn tails reported"] += 1

    def _reported(self) -> list[AnyTurn]:
        """The turns that the journal tells, as far as it can be read."""
        entries = recover(self.path.read_bytes() if self.path.exists() else b"").entries
        return list(replay(entries).turns) if entries else []

    def _intended(self, said: list[tuple[Any, ...]], reported: list[AnyTurn]) -> list[AnyTurn]:
        """The book with all that hands began in this life. Where both act at once, what a computer
        has chosen is its own affair."""
        game, turns = self.start.game, list(self.made)
        for each in said:
            if each[0] == "intends":
                before = turns[-1].after if turns else self.start.first_position()
                moves = {
                    player: game.read_move(before, player, text) for player, text in each[1].items()
                }
                if len(moves) > 1 and len(turns) < len(reported):
                    chosen = dict(reported[len(turns)].moves)
                    moves |= {
                        player: chosen[player]
                        for player in moves
                        if self.start.seats[player].is_automated
                    }
                turns.append(game.resolve(before, moves))
        return turns

    def _judge_turns(self, played: Any, intended: list[AnyTurn], where: str) -> None:
        reported = list(played.turns)
        assert played.fault is None, f"{where}: {played.fault}"
        assert reported == intended[: len(reported)], f"{where}: another turn than hands made"
        assert len(reported) >= len(intended) - 1, f"{where}: turns are lost"
        assert len(reported) >= len(self.made), f"{where}: a turn of an earlier life is lost"
        self.made = intended[: len(reported)]
        if played.clocks and played.clocks[-1] is not None:
            self.clocks = [played.clocks[-1].remaining_ms(player, 0.0) for player in (0, 1)]
        self.outcome = played.outcome

    def _tear(self, written: int) -> bool:
        """What a power cut may leave: half of an entry that was never called written."""
        if not self.path.exists():
            return False
        lines = self.path.read_bytes().splitlines(keepends=True)
        last = lines.pop() if len(lines) > written else b'{"at_ms":2000.0,"before":"'
        half = last[: self.rng.randrange(1, len(last))].removesuffix(b"\n")
        self.path.write_bytes(b"".join(lines) + half)
        return True

    def finish(self) -> None:
        """It is over: the journal and the record tell what hands did.

        Half an entry behind the result is cut off, as whoever opens it next would do.
        """
        content = self.path.read_bytes()
        torn = recover(content).damaged_tail
        if torn is not None:
            assert torn.is_power_cut_tail, f"{self.path.name}: {torn}"
            self.path.write_bytes(content[: torn.at_byte])
        verdict = compare_with_journal(self.start, self.made, self.outcome, self.path)
        assert verdict == (0, 0, ""), f"{self.path.name}: {verdict}"
        exported = write_record(game_record(replay(recover(self.path.read_bytes()).entries)))
        self.path.with_suffix(".record").write_text(exported, "utf-8")


def drained(line: Connection) -> list[tuple[Any, ...]]:
    """What it still had to say; half a word does not count."""
    said = []
    try:
        while line.poll():
            said.append(line.recv())
    except (EOFError, OSError):
        return said
    return said


def begun(seed: int, number: int, folder: Path) -> Game:
    what = make_soak_game(seed, number, tuple(games.GAMES), MOST_TURNS)
    start = replace(what.game_setup(), time_control=CLOCK)
    game = Game(what, start, folder / f"{number:03}-{what.game}.journal", random.Random(what.seed))
    plan = GamePlan(start, load_board_file(what.board))
    room = SteppedSimulatedRig(
        TableSpec(what.board, plan.board_file, plan.fitted_board, "memory://"),
        start.first_position().pieces,
        JournalOpener(),
    )
    game.things = list(room.table.things.values())
    return game


def kill(kills: int, seed: int, folder: Path) -> Counter[str]:
    """Play, kill, look, go on; so many times, and the last game to its end."""
    counts: Counter[str] = Counter()
    number = 0
    while counts["kills"] < kills:
        number += 1
        game = begun(seed, number, folder)
        while game.outcome is None:
            counts["kills"] += game.live_and_die()
        game.finish()
        counts += game.counts
        counts["games"] += 1
        counts["turns"] += len(game.made)
        counts[f"games of {game.what.game}"] += 1
        print(
            f"seed {seed}: {counts['kills']} kills, {counts['games']} games, "
            f"{counts['turns']} turns; {game.path.stem} ended {game.outcome} in its life "
            f"{game.lives}",
            flush=True,
        )
    return counts


def warm_up(folder: Path) -> None:
    """A turn of each game, so that every child begins with all that can be known beforehand."""
    for number in range(1, len(games.GAMES) + 1):
        game = begun(0, number, folder)
        life = Life(replace(game.what, max_turns=1), game.start, game.path, game.things, [], "")
        asyncio.run(live(life, lambda *_: None))
    assert threading.active_count() == 1, "a fork would leave threads behind"


def main() -> int:
    import cv2

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)  # a fork takes no threads along
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "warm").mkdir()
        warm_up(Path(name) / "warm")
        workers = []
        for job in range(args.jobs):
            folder = Path(name) / str(job)
            folder.mkdir()
            line, other = Pipe(duplex=False)
            pid = os.fork()
            if pid == 0:
                try:
                    other.send(kill(args.kills // args.jobs, args.seed + job, folder))
                except BaseException:
                    traceback.print_exc()
                finally:
                    sys.stderr.flush()
                    os._exit(0)
            other.close()
            workers.append((pid, line))
        failed = False
        for pid, line in workers:
            try:
                total += line.recv()
            except EOFError:
                failed = True
            os.waitpid(pid, 0)
    for what, count in sorted(total.items()):
        print(f"{count:5} {what}")
    print("FAILED" if failed else "every synced turn survived, every game was carried to its end")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
