"""Starts or resumes a game at a table: its setup, its session and its journal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from controller.config.board_file import BoardFile
from controller.devices.factory.clocks import local_time_text
from controller.devices.factory.journals import OpenJournalFile, create_journal, open_journal
from controller.ports.devices import Clock, Journal
from controller.session.board_fit import FittedBoard, fit_board
from controller.session.clocks import Clocks, TimeControl
from controller.session.journal import JournalEntry, recover
from controller.session.referee.policy import RefereePolicies
from controller.session.referee.state import referee_state_of
from controller.session.replay import ReplayedGame, replay
from controller.session.resume import resume_session
from controller.session.sentences import join_and
from controller.session.setup import (
    GAME,
    BadGame,
    GameSetup,
    PuzzleGoal,
    Seat,
    TournamentEntry,
    setup_body,
)
from controller.session.state import (
    PendingWrites,
    PuzzleState,
    Session,
    SessionSetup,
    TablePreferences,
)
from controller.storage.games import games_folder, list_journals, read_journal
from controller.table import sentences
from controller.table.loop import Devices
from engine.errors import LaserboardError
from engine.game import AnyGame


@dataclass(frozen=True)
class GamePlan:
    """A game to play: its setup, its board, and the preferences of the table."""

    setup: GameSetup
    board_file: BoardFile
    preferences: TablePreferences = field(default_factory=TablePreferences)
    random_seed: int = 0
    moved_by_hand: bool = True  # hands move pieces on a board

    @property
    def fitted_board(self) -> FittedBoard:
        start = self.setup
        return fit_board(
            self.board_file.board,
            start.game,
            self.board_file.camera.lens,
            start.first_position().grid,
        )

    def start_session(self, entries: tuple[JournalEntry, ...], devices: Devices) -> Session:
        """Resume from the journal's entries; without any, write the first entry and start."""
        if entries:
            session = resume_session(entries, self.board_file.board, self.board_file.camera.lens)
        else:
            start = self.setup
            devices.journal.write(GAME, setup_body(start), devices.clock.now_ms())
            first, second = start.seats
            clocks = Clocks.for_control(TimeControl.parse(start.time_control or "none"))
            session = Session(
                setup=SessionSetup(
                    fitted_board=self.fitted_board, seats=(first, second), policies=start.policies
                ),
                writing=PendingWrites(entry_count=1),
                puzzle=PuzzleState(goal=start.puzzle_goal),
                position=start.first_position(),
                clocks=clocks,
            )
        return replace(
            session,
            setup=replace(
                session.setup,
                preferences=self.preferences,
                random_seed=self.random_seed,
                moved_by_hand=self.moved_by_hand,
            ),
        )


def plan_game(
    game: AnyGame,
    position: Any,
    setup_name: str | None,
    seats: tuple[Seat, Seat],
    control: TimeControl,
    *,
    board_name: str,
    board_file: BoardFile,
    simulated: bool,
    preferences: TablePreferences,
    random_seed: int,
    tournament_entry: TournamentEntry | None = None,
    policies: RefereePolicies | None = None,
    puzzle_goal: PuzzleGoal | None = None,
) -> GamePlan:
    """Plan a new game; an error if it does not fit on the board or the computer cannot play it.

    With a `setup_name` the plan stores the name instead of the position.
    """
    fit_board(board_file.board, game, board_file.camera.lens, position.grid)
    if any(seat.is_automated for seat in seats) and not game.computer_plays(position):
        raise BadGame(sentences.COMPUTER_DOES_NOT_PLAY(game=game.title))
    start = GameSetup(
        game,
        (
            _with_default_name(seats[0], game.players[0]),
            _with_default_name(seats[1], game.players[1]),
        ),
        setup_name=setup_name,
        position=None if setup_name is not None else position,
        time_control=str(control),
        version=version("laserboard"),
        started=local_time_text(),
        board=board_name,
        simulated=simulated,
        tournament_entry=tournament_entry,
        policies=policies,
        puzzle_goal=puzzle_goal,
    )
    return GamePlan(start, board_file, preferences, random_seed)


def _with_default_name(seat: Seat, side: str) -> Seat:
    if seat.name:
        return seat
    return Seat(f"computer {seat.level}" if seat.is_automated else side, seat.level)


class JournalOpener:
    """Opens the journal of one game: a new file at first, the same file after a power cut."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def __call__(
        self, clock: Clock, on_event: Callable[[], None], open_file: OpenJournalFile = open_journal
    ) -> tuple[Journal, tuple[JournalEntry, ...]]:
        if self.path is not None:
            return open_file(self.path, clock, on_event)
        journal = create_journal(clock, on_event, open_file)
        self.path = Path(journal.name)
        return journal, ()


def find_unfinished(
    board: str, simulated: bool, min_turns: int = 1
) -> tuple[Path, ReplayedGame] | None:
    """The newest game, if it was played on that board for at least `min_turns` turns and can be
    resumed."""
    for path in list_journals(games_folder())[:1]:
        try:
            played = replay(recover(read_journal(path)).entries)
        except LaserboardError:
            return None
        where = (played.setup.board, played.setup.simulated)
        if played.setup.puzzle_goal or any(seat.is_program for seat in played.setup.seats):
            return None
        enough = len(played.turns) >= min_turns
        if where == (board, simulated) and enough and not (played.outcome or played.fault):
            return path, played
    return None


def load_resumable(path: Path) -> ReplayedGame:
    """Replay the game of a journal; an error if it cannot be resumed."""
    try:
        entries = recover(read_journal(path)).entries
        played = replay(entries)
    except BadGame as error:
        raise BadGame(
            sentences.CANNOT_RESUME_SEE_LIST(name=path.stem, reason=error.sentence)
        ) from error
    if played.fault is not None:
        raise BadGame(sentences.CANNOT_RESUME(name=path.stem, reason=played.fault.sentence))
    start = played.setup
    if played.outcome is not None and not referee_state_of(entries).result_blocked_by(
        start.policies, start.seats
    ):
        raise BadGame(sentences.GAME_IS_OVER(name=path.stem, outcome=played.outcome.sentence))
    programs = [seat.name for seat in played.setup.seats if seat.is_program]
    if programs:
        raise BadGame(sentences.CANNOT_RESUME_PROGRAM(name=path.stem, programs=join_and(programs)))
    return played
