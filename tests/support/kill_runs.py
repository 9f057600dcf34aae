"""Plays whole games in processes that are killed with SIGKILL at random moments, and resumes them.

    python -m tests.support.kill_runs --kills 500 --jobs 2

The parent warms up and forks. Each child resumes the game from its journal, on the table as the
last child left it, and sends messages about what it does until it is killed. The parent compares
the messages with the journal. Camera, reader, session and journal are the real ones.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
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

MAX_TURNS = 10
CLOCK = "30m+5s"
MESSAGE_TIMEOUT_S = 120.0
MAX_TICKS = 400  # a turn takes about 150
TICK_S, AROUND_A_WRITE_S, START_S = 0.02, 0.02, 0.3
IMAGE_SIZE = 960, 540  # small: finding the board takes half of a child's time
TORN_SHARE = 0.2  # of the kills also leave half a line, as a power cut does

Send = Callable[..., None]


# -- the child ---------------------------------------------------------------------------------


class ReportingJournal:
    """A journal that sends a message for every request and every written entry."""

    def __init__(self, journal: Journal, send: Send) -> None:
        self._journal, self._send = journal, send
        self._events: list[JournalEvent] = []
        self._written = journal.last_requested

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)

    def write(self, kind: str, body: Mapping[str, Any], at_ms: float) -> int:
        self._send("writing", kind)
        return self._journal.write(kind, body, at_ms)

    def wait(self, number: int, timeout_ms: float) -> bool:
        """Wait for the journal's report, not for the disk: the report may come too early."""
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
                self._send("written", event.number)


class ReportingWorld:
    """A world that reports every change of the table."""

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


class ReportingRig(SteppedSimulatedRig):
    """A simulated rig that sends messages about its journal and its table."""

    def __init__(
        self, table_spec: TableSpec, objects: list[ScenePiece], path: Path, send: Send
    ) -> None:
        super().__init__(table_spec, {}, JournalOpener(path))
        self._send = send
        game = table_spec.fitted_board.game.name
        self.table = simulated_table(
            SimulatedCameraAddress(table_spec.board_name, *IMAGE_SIZE, game=game)
        )
        self.table.set_pieces({})
        for each in objects:
            self.table.place(each)

    def open(self) -> tuple[Devices, tuple[JournalEntry, ...]]:
        devices, entries = super().open()
        world: Any = ReportingWorld(self.world, lambda: self._send("table", self.objects()))
        self.world = world
        journal: Any = ReportingJournal(devices.journal, self._send)
        return replace(devices, journal=journal), entries

    def objects(self) -> list[ScenePiece]:
        return list(self.table.objects.values())


@dataclass(frozen=True)
class ChildStart:
    """The state that a child starts with."""

    soak_game: SoakGame
    setup: GameSetup
    path: Path
    objects: list[ScenePiece]
    made: list[AnyTurn]
    random_seed: str


async def play_on(start: ChildStart, send: Send) -> None:
    """Resume the game, and send messages about what happens."""
    game, first = start.setup.game, start.setup.first_position()
    plan = GamePlan(
        start.setup, load_board_file(start.soak_game.board), random_seed=start.soak_game.seed
    )
    table_spec = TableSpec(start.soak_game.board, plan.board_file, plan.fitted_board, "memory://")
    rig = ReportingRig(table_spec, start.objects, start.path, send)

    def intends(turn: AnyTurn) -> None:
        moves = {player: game.write_move(turn.before, player, move) for player, move in turn.moves}
        send("intends", moves)

    def on_message(sentence: Sentence) -> None:
        if "cut off" in str(sentence):
            send("cut off")

    async with SimulatedGame(rig, plan.start_session, on_message) as simulation:
        session = simulation.session
        left = [session.clocks.remaining_ms(player, 0.0) for player in (0, 1)]
        running = session.clocks.running
        send("resumed", game.write_position(session.position), session.to_move, left, running)
        await simulation.hands.wait_settled()
        asked = {each.cell for each in simulation.session.table.differences}
        wrong_cells = differing_cells(start, session.position, start.objects)
        # Unseen cells are asked for, too.
        unseen = wrong_cells.intersection(simulation.session.table.unseen_cells)
        setting_up = simulation.session.phase is Phase.SETTING_UP
        send("asked", sorted(asked | unseen), sorted(wrong_cells), setting_up)
        mover = RandomPlayers(
            simulation, first, random.Random(start.random_seed), start.made, intends
        )
        ticks = asyncio.create_task(send_ticks(simulation.loop, send))
        await mover.play(start.soak_game.max_turns)
        ticks.cancel()
        send("over", mover.outcome)


async def send_ticks(loop: Loop, send: Send) -> None:
    while await loop.next_tick():
        send("tick")


def differing_cells(start: ChildStart, position: Any, objects: list[ScenePiece]) -> set[Cell]:
    """The cells where the objects on the table differ from the position."""
    game = start.setup.game
    board = GamePlan(start.setup, load_board_file(start.soak_game.board)).fitted_board.board
    headings = board.grid.headings
    stands: dict[Cell, Piece] = {}
    for each in objects:
        cell = cell_at(board, each.x_mm, each.y_mm)
        assert cell is not None
        turned = round(each.angle_degrees * headings / 360)
        orientation = (each.piece.orientation + turned) % headings
        stands[cell] = replace(each.piece, orientation=orientation)
    wanted = game.expected_pieces(position)
    return {
        cell
        for cell in stands.keys() | wanted.keys()
        if cell not in stands or cell not in wanted or not wanted[cell].accepts(stands[cell])
    }


def run_child(start: ChildStart, pipe: Connection) -> NoReturn:
    """Play on in this process, and exit."""
    status = 1
    try:
        asyncio.run(play_on(start, lambda *message: pipe.send(message)))
        status = 0
    except BaseException:
        pipe.send(("failed", traceback.format_exc()))
    finally:
        os._exit(status)


# -- the parent --------------------------------------------------------------------------------


@dataclass
class KilledGame:
    """One game through all its children, with the turns that hands made."""

    soak_game: SoakGame
    setup: GameSetup
    path: Path
    rng: random.Random
    made: list[AnyTurn] = field(default_factory=list)
    objects: list[ScenePiece] = field(default_factory=list)
    clocks: list[float | None] | None = None  # after the last turn in the journal
    outcome: Outcome | None = None
    torn: bool = False
    entries: int = 0
    children: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def position(self) -> Any:
        return self.made[-1].after if self.made else self.setup.first_position()

    def run_and_kill(self) -> bool:
        """Run one child; False if the game ended before the child was killed."""
        self.children += 1
        start = ChildStart(
            self.soak_game,
            self.setup,
            self.path,
            self.objects,
            list(self.made),
            f"{self.soak_game.seed}/{self.children}",
        )
        pipe, child_pipe = Pipe(duplex=False)
        pid = os.fork()
        if pid == 0:
            pipe.close()
            run_child(start, child_pipe)
        child_pipe.close()
        try:
            messages = self._receive(pipe, self._moment_of_kill())
        finally:
            os.kill(pid, signal.SIGKILL)
            _, status = os.waitpid(pid, 0)
        messages += receive_rest(pipe)
        pipe.close()
        killed = os.WIFSIGNALED(status)
        self._check(messages, killed)
        return killed

    def _moment_of_kill(self) -> tuple[str, int, float]:
        """A kind of message, the number of such messages to wait for, and seconds to add."""
        drawn, more = self.rng.random(), self.rng.random()
        if drawn < 0.1:
            return "", 0, more * START_S
        if drawn < 0.5:
            return "writing", self.rng.randrange(1, 4), more * AROUND_A_WRITE_S
        return "tick", self.rng.randrange(1, MAX_TICKS), more * TICK_S

    def _receive(self, pipe: Connection, moment: tuple[str, int, float]) -> list[tuple[Any, ...]]:
        kind, times, more_s = moment
        messages: list[tuple[Any, ...]] = []
        while times:
            assert wait([pipe], MESSAGE_TIMEOUT_S), (
                f"{self.path.name}: no message for {MESSAGE_TIMEOUT_S:g} s: {messages}"
            )
            try:
                messages.append(pipe.recv())
            except EOFError:
                return messages
            times -= messages[-1][0] == kind
        end = time.monotonic() + more_s
        while (left := end - time.monotonic()) > 0:
            if left > 0.005 and wait([pipe], left):
                try:
                    messages.append(pipe.recv())
                except EOFError:
                    break
        return messages

    # -- checks --------------------------------------------------------------------------------

    def _check(self, messages: list[tuple[Any, ...]], killed: bool) -> None:
        last = {each[0]: each[1:] for each in messages}  # of each kind
        where = f"{self.path.name}, child {self.children}"
        assert "failed" not in last, f"{where}: {last['failed'][0]}"
        self._check_start(last, where)
        intended = self._intended(messages, self._stored())
        written = max((each[1] for each in messages if each[0] == "written"), default=self.entries)
        torn = killed and self.rng.random() < TORN_SHARE and self._truncate_last_entry(written)
        found = recover(self.path.read_bytes() if self.path.exists() else b"")
        assert len(found.entries) >= written, (
            f"{where}: entry {written} was reported written, and is lost"
        )
        assert found.damaged_tail is None or found.damaged_tail.is_power_cut_tail, (
            f"{where}: {found.damaged_tail}"
        )
        assert found.damaged_tail is not None or not torn, (
            f"{where}: half a line counts as an entry"
        )
        if found.entries:
            self._check_turns(replay(found.entries), intended, where)
        self.counts["turns begun and not fired"] += len(self.made) < len(intended)
        self.counts["entries written but not yet reported"] += len(found.entries) > written
        self.entries, self.torn = len(found.entries), found.damaged_tail is not None
        for each in messages:
            if each[0] == "table":
                self.objects = each[1]
        if not killed:
            assert "over" in last, f"{where}: the child ended before the game"
            assert self.outcome == last["over"][0]

    def _check_start(self, last: Mapping[str, tuple[Any, ...]], where: str) -> None:
        """Check what the child resumed: position, players to move, clocks, cells to put right."""
        game, position = self.setup.game, self.position()
        if "resumed" in last:
            position_text, to_move, left, running = last["resumed"]
            assert position_text == game.write_position(position), where
            assert to_move == game.to_move(position), where
            assert not running, f"{where}: a clock runs before the table is set up"
            if self.clocks is not None:
                assert left == self.clocks, where
        if "asked" in last:
            asked, wrong_cells, setting_up = last["asked"]
            assert asked == wrong_cells, f"{where}: {asked} is asked for, {wrong_cells} is wrong"
            assert setting_up == bool(wrong_cells), where
            self.counts["tables put right"] += bool(wrong_cells)
            if self.made and (struck := {loss.cell for loss in self.made[-1].removed}):
                self.counts["captures asked for"] += struck <= set(asked)
            if self.torn:
                assert "cut off" in last, f"{where}: a torn tail was not reported"
                self.counts["torn tails reported"] += 1

    def _stored(self) -> list[AnyTurn]:
        """The turns in the journal, as far as it can be read."""
        entries = recover(self.path.read_bytes() if self.path.exists() else b"").entries
        return list(replay(entries).turns) if entries else []

    def _intended(self, messages: list[tuple[Any, ...]], stored: list[AnyTurn]) -> list[AnyTurn]:
        """All turns that hands made or began. Of simultaneous moves, a computer's are taken from
        the journal."""
        game, turns = self.setup.game, list(self.made)
        for each in messages:
            if each[0] == "intends":
                before = turns[-1].after if turns else self.setup.first_position()
                moves = {
                    player: game.read_move(before, player, text) for player, text in each[1].items()
                }
                if len(moves) > 1 and len(turns) < len(stored):
                    chosen = dict(stored[len(turns)].moves)
                    moves |= {
                        player: chosen[player]
                        for player in moves
                        if self.setup.seats[player].is_automated
                    }
                turns.append(game.resolve(before, moves))
        return turns

    def _check_turns(self, played: Any, intended: list[AnyTurn], where: str) -> None:
        stored = list(played.turns)
        assert played.fault is None, f"{where}: {played.fault}"
        assert stored == intended[: len(stored)], f"{where}: not the turns that hands made"
        assert len(stored) >= len(intended) - 1, f"{where}: turns are lost"
        assert len(stored) >= len(self.made), f"{where}: a turn of an earlier child is lost"
        self.made = intended[: len(stored)]
        if played.clocks and played.clocks[-1] is not None:
            self.clocks = [played.clocks[-1].remaining_ms(player, 0.0) for player in (0, 1)]
        self.outcome = played.outcome

    def _truncate_last_entry(self, written: int) -> bool:
        """Leave half of an entry that was not reported written, as a power cut may."""
        if not self.path.exists():
            return False
        lines = self.path.read_bytes().splitlines(keepends=True)
        last = lines.pop() if len(lines) > written else b'{"at_ms":2000.0,"before":"'
        half = last[: self.rng.randrange(1, len(last))].removesuffix(b"\n")
        self.path.write_bytes(b"".join(lines) + half)
        return True

    def finish(self) -> None:
        """Compare journal and record of the finished game with what hands did.

        Half an entry after the result is cut off first, as the next start would do.
        """
        content = self.path.read_bytes()
        torn = recover(content).damaged_tail
        if torn is not None:
            assert torn.is_power_cut_tail, f"{self.path.name}: {torn}"
            self.path.write_bytes(content[: torn.at_byte])
        verdict = compare_with_journal(self.setup, self.made, self.outcome, self.path)
        assert verdict == (0, 0, ""), f"{self.path.name}: {verdict}"
        exported = write_record(game_record(replay(recover(self.path.read_bytes()).entries)))
        self.path.with_suffix(".record").write_text(exported, "utf-8")


def receive_rest(pipe: Connection) -> list[tuple[Any, ...]]:
    """The messages that are left in the pipe; half a message is dropped."""
    messages = []
    with contextlib.suppress(EOFError, OSError):
        while pipe.poll():
            messages.append(pipe.recv())
    return messages


def new_game(seed: int, number: int, folder: Path) -> KilledGame:
    soak_game = make_soak_game(seed, number, tuple(games.GAMES), MAX_TURNS)
    setup = replace(soak_game.game_setup(), time_control=CLOCK)
    path = folder / f"{number:03}-{soak_game.game}.journal"
    game = KilledGame(soak_game, setup, path, random.Random(soak_game.seed))
    plan = GamePlan(setup, load_board_file(soak_game.board))
    rig = SteppedSimulatedRig(
        TableSpec(soak_game.board, plan.board_file, plan.fitted_board, "memory://"),
        setup.first_position().pieces,
        JournalOpener(),
    )
    game.objects = list(rig.table.objects.values())
    return game


def kill(kills: int, seed: int, folder: Path) -> Counter[str]:
    """Play and kill until there were `kills` kills and the last game has ended."""
    counts: Counter[str] = Counter()
    number = 0
    while counts["kills"] < kills:
        number += 1
        game = new_game(seed, number, folder)
        while game.outcome is None:
            counts["kills"] += game.run_and_kill()
        game.finish()
        counts += game.counts
        counts["games"] += 1
        counts["turns"] += len(game.made)
        counts[f"games of {game.soak_game.game}"] += 1
        print(
            f"seed {seed}: {counts['kills']} kills, {counts['games']} games, "
            f"{counts['turns']} turns; {game.path.stem} ended {game.outcome} in child "
            f"{game.children}",
            flush=True,
        )
    return counts


def warm_up(folder: Path) -> None:
    """Play a turn of each game, so that children inherit filled caches."""
    for number in range(1, len(games.GAMES) + 1):
        game = new_game(0, number, folder)
        soak_game = replace(game.soak_game, max_turns=1)
        start = ChildStart(soak_game, game.setup, game.path, game.objects, [], "")
        asyncio.run(play_on(start, lambda *_: None))
    assert threading.active_count() == 1, "a fork copies no threads"


def main() -> int:
    import cv2

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)  # a fork copies no threads
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "warm").mkdir()
        warm_up(Path(name) / "warm")
        workers = []
        for job in range(args.jobs):
            folder = Path(name) / str(job)
            folder.mkdir()
            pipe, child_pipe = Pipe(duplex=False)
            pid = os.fork()
            if pid == 0:
                try:
                    child_pipe.send(kill(args.kills // args.jobs, args.seed + job, folder))
                except BaseException:
                    traceback.print_exc()
                finally:
                    sys.stderr.flush()
                    os._exit(0)
            child_pipe.close()
            workers.append((pid, pipe))
        failed = False
        for pid, pipe in workers:
            try:
                total += pipe.recv()
            except EOFError:
                failed = True
            os.waitpid(pid, 0)
    for what, count in sorted(total.items()):
        print(f"{count:5} {what}")
    print("FAILED" if failed else "every synced turn survived, and every game was finished")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
