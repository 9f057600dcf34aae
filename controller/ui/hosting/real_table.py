"""Hosts games at a real table, one after another, until the people leave."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from controller.devices.factory.service import is_run_by_systemd
from controller.session.sentences import join_or
from controller.ui.console import BadInput, Console
from controller.ui.hosting import sentences
from controller.ui.hosting.options import PlayOptions
from controller.ui.hosting.service import exit_status_after, supervise
from controller.ui.sentences import DEVICE_IS, GAME_ON_BOARD
from engine.sentences import Sentence, Slot, plain

if TYPE_CHECKING:
    from pathlib import Path

    from controller.config.board_file import BoardFile
    from controller.ports.devices import Buttons, Camera, LedMatrix
    from controller.session.replay import ReplayedGame
    from controller.session.setup import TournamentEntry
    from controller.table.loop import Devices, Loop
    from controller.table.next_game import ScheduledGame
    from controller.table.plan import GamePlan, JournalOpener
    from controller.table.rig import TableSpec
    from controller.ui.hosting.participants import Participants

AUTO_CAMERA = "auto://"
NO_DEVICE = "none://"
RESULT_LIGHTS_MS = 10_000.0  # how long the winner's lights stay on


def offer_unfinished(
    board_name: str, board_file: BoardFile, entry: TournamentEntry | None, console: Console
) -> tuple[Path, ReplayedGame] | None:
    """The newest game of this board, if it is unfinished and the player wants to continue it.

    A service does not ask: it continues, even with a game that has no turn yet.
    """
    from controller.table.plan import find_unfinished

    min_turns = 0 if is_run_by_systemd() else 1
    unfinished = find_unfinished(board_name, simulated=False, min_turns=min_turns)
    if unfinished is None:
        return None
    path, played = unfinished
    if not _fits(played, board_file):
        console.print(sentences.GAME_DOES_NOT_FIT(game=path.stem))
        return None
    if entry not in (None, played.setup.tournament_entry):
        return None  # the tournament has another game for this board
    return unfinished if _confirm_resume(path.stem, len(played.turns), console) else None


def _fits(played: ReplayedGame, board_file: BoardFile) -> bool:
    """Whether a stored game fits the board file, which may have changed since."""
    from controller.session.board_fit import fit_board
    from vision.board import BoardDoesNotFit

    try:
        fit_board(board_file.board, played.setup.game, board_file.camera.lens, played.position.grid)
    except BoardDoesNotFit:
        return False
    return True


def _confirm_resume(name: str, turns: int, console: Console) -> bool:
    """Ask whether to continue; without a terminal the answer is yes."""
    console.print(sentences.GAME_UNFINISHED(game=name, turns=turns))
    if console.size is None:
        return True
    return not console.ask(sentences.RESUME_QUESTION()).lower().startswith("n")


def real_table_spec(
    options: PlayOptions, board_name: str, plan: GamePlan, console: Console
) -> TableSpec:
    """The devices of a real table: as the options name them, else as the board file does."""
    from controller.table.rig import TableSpec

    devices, file = options.devices, plan.board_file
    camera = devices.camera or file.camera.url
    if camera is None:
        # Without a terminal the program waits for a camera instead of ending with an error.
        unattended = console.size is None and options.page is not None
        camera = AUTO_CAMERA if unattended else _first_camera()
    default_leds = NO_DEVICE if file.leds is None else file.leds.url or "serial://auto"
    buttons = devices.buttons or file.buttons.url or NO_DEVICE
    has_screen = console.size is not None or options.page is not None
    if buttons == NO_DEVICE and not has_screen and plan.preferences.auto_fire_ms is None:
        raise BadInput(sentences.NO_FIRE())
    voice = devices.voice or file.play.voice
    if voice == "terminal" and console.size is not None:
        voice = "none"  # the screen shows the sentences already
    return TableSpec(
        board_name,
        file,
        plan.fitted_board,
        devices.leds or default_leds,
        camera,
        buttons,
        devices.speaker or file.speaker.url or NO_DEVICE,
        voice,
        publisher_factory=options.publisher_for(plan),
        refereed=plan.setup.policies is not None,
    )


def _first_camera() -> str:
    from controller.devices.factory.cameras import find_cameras

    urls = [each.url for each in find_cameras() if not each.trouble]
    if not urls:
        raise BadInput(sentences.NO_CAMERA())
    return urls[0]


def host_real_table(
    options: PlayOptions,
    console: Console,
    scheduled_game: ScheduledGame,
    journal_opener: JournalOpener,
    on_tick: Callable[[Loop], None] = lambda _: None,
    table_spec: TableSpec | None = None,
) -> int:
    """Play at a real table and report to systemd if it runs the program; the exit status."""
    spec = table_spec or real_table_spec(
        options, scheduled_game.board_name, scheduled_game.plan, console
    )
    with supervise(console) as send_heartbeat:

        def tick(loop: Loop) -> None:
            send_heartbeat(loop)
            on_tick(loop)

        shutdown = asyncio.run(
            run_real_table(options, console, spec, scheduled_game, journal_opener, tick)
        )
    return exit_status_after(shutdown, console)


async def run_real_table(
    options: PlayOptions,
    console: Console,
    table_spec: TableSpec,
    scheduled_game: ScheduledGame,
    journal_opener: JournalOpener,
    on_tick: Callable[[Loop], None] = lambda _: None,
) -> bool:
    """Play one game after another until the people leave; whether they asked for a shutdown."""
    from controller.table.next_game import ScheduledGame
    from controller.table.plan import JournalOpener
    from controller.ui.hosting.participants import participants
    from controller.ui.terminal.player_screen import kept_game_note, print_kept_game

    shutdown = False
    try:
        async with participants(
            options.page, console, scheduled_game, simulated_hands=False
        ) as people:
            while True:
                result = await _play_one_game(
                    table_spec, journal_opener, scheduled_game, people, console, on_tick
                )
                if not isinstance(result, ScheduledGame):
                    shutdown = result
                    return shutdown
                note = kept_game_note(journal_opener.path)
                if note is not None:
                    people.note(note)
                journal_opener, scheduled_game = JournalOpener(), result
                table_spec = table_spec.for_game(scheduled_game.board_name, scheduled_game.plan)
    finally:
        # After a shutdown the service resumes this game: do not delete an unplayed journal.
        if not (shutdown and is_run_by_systemd()):
            print_kept_game(journal_opener.path, console)


async def _play_one_game(
    table_spec: TableSpec,
    journal_opener: JournalOpener,
    scheduled_game: ScheduledGame,
    people: Participants,
    console: Console,
    on_tick: Callable[[Loop], None],
) -> ScheduledGame | bool:
    """The next game; or, if there is none, whether a shutdown was requested."""
    from controller.table.loop import Loop, freeze_garbage_collector, running_loop
    from controller.table.rig import RealRig

    rig, plan = RealRig(table_spec, journal_opener, console.out), scheduled_game.plan
    devices, entries = rig.open()
    try:
        session = plan.start_session(entries, devices)
        freeze_garbage_collector()
        people.set_wake(rig.pacing.wake)
        report = DeviceReport(
            devices,
            people.announce,
            keyboard=people.player_screen is not None,
            page=people.opened_page is not None,
            auto_fire=plan.preferences.auto_fire_ms is not None,
        )
        if people.player_screen is None:
            console.print(
                GAME_ON_BOARD(game=plan.setup.game.title, board=plan.board_file.board.name)
            )
        elif table_spec.camera_url.startswith("sim:"):
            people.announce(sentences.SIMULATED_NEEDS_HANDS())
        loop = Loop(session, devices, rig.pacing, people.announce, entries)
        async with running_loop(loop):

            def tick() -> None:
                report.check()
                on_tick(loop)

            next_game = None
            if people.player_screen is None and people.opened_page is None:
                await _run_until_over(loop, tick)
            else:
                next_game = await people.run(
                    loop, scheduled_game, journal_opener.path, on_tick=tick
                )
            # A shutdown comes before a new game that was asked for meanwhile.
            if loop.session.pause.shutdown_requested_ms is not None:
                return True
            return False if next_game is None else next_game
    finally:
        devices.close()


async def _run_until_over(loop: Loop, on_tick: Callable[[], None]) -> None:
    """Without screen and page: run until the game is over and its lights were shown."""
    from controller.session.state import Phase

    while loop.session.phase is not Phase.OVER and await loop.next_tick():
        on_tick()
    await loop.wait_until(lambda: False, RESULT_LIGHTS_MS)


class DeviceReport:
    """Announces each device once it answers; the session announces lost ones."""

    def __init__(
        self,
        devices: Devices,
        announce: Callable[[Sentence], object],
        *,
        keyboard: bool,
        page: bool,
        auto_fire: bool = False,
    ) -> None:
        self._announce = announce
        screens = ((sentences.WITH_KEYBOARD(), keyboard), (sentences.ON_PAGE(), page))
        fire = [words for words, open_ in screens if open_]
        self._waiting: dict[str, Callable[[], Sentence | None]] = {
            "camera": lambda: _camera_words(devices.camera),
            "LEDs": lambda: _led_words(devices.lights.leds, keyboard or page),
            "buttons": lambda: _button_words(devices.buttons, fire, auto_fire),
        }

    def check(self) -> None:
        for name, words in list(self._waiting.items()):
            details = words()
            if details is not None:
                del self._waiting[name]
                self._announce(DEVICE_IS(device=name, details=details))


def _camera_words(camera: Camera) -> Sentence | None:
    details = camera.details()
    if details is None:
        return None
    size: dict[str, Slot] = {"width": details.width, "height": details.height}
    if details.fps is None:
        return sentences.CAMERA_DETAILS(camera=camera.name, **size)
    return sentences.CAMERA_DETAILS_RATE(camera=camera.name, rate=details.fps, **size)


def _led_words(leds: LedMatrix, screen: bool) -> Sentence | None:
    if leds.name == NO_DEVICE:
        return sentences.NO_LEDS_BUT_SCREEN() if screen else sentences.NONE()
    details = leds.details()
    if details is None:
        return None
    return sentences.LED_DETAILS(
        leds=leds.name, count=details.leds, description=details.description
    )


def _button_words(buttons: Buttons, fire: Sequence[Sentence], auto_fire: bool) -> Sentence:
    if buttons.names:
        names = ", ".join(buttons.names)
        if not buttons.hint:
            return plain(names)
        return sentences.BUTTONS_WITH_HINT(buttons=names, hint=buttons.hint)
    if auto_fire:
        return sentences.NO_BUTTONS_AUTO_FIRE()
    return sentences.NO_BUTTONS_BUT(screens=join_or(fire)) if fire else sentences.NONE()
