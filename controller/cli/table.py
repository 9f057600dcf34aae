"""`laserboard play` and `laserboard resume`: a game at a real table."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.cli.agreed import add_agreed, add_fire, habits_from, plan_from
from controller.cli.command import Subcommands, add_command
from controller.cli.console import BadInput, Console
from controller.cli.event import add_broker, add_event, herald_from, occasion_from
from controller.cli.page import add_page, wants_page
from controller.cli.service import parted, supervised
from controller.wiring import find_cameras, is_service

if TYPE_CHECKING:
    from controller.beginning import Keeping, Plan
    from controller.cli.company import Company
    from controller.config import BoardFile
    from controller.hosting import Hosted
    from controller.loop import Devices, Loop
    from controller.played import Played
    from controller.ports import Buttons, Camera, LedMatrix
    from controller.room import Furniture

WHICHEVER_CAMERA = "auto://"
NO_LEDS = "none://"
GOODBYE_MS = 10_000.0  # the winner's lights
NO_CAMERA = (
    "there is no camera: plug one in, or name one (`laserboard camera list`);"
    " `laserboard simulate` needs none"
)
NO_HANDS = "a simulated table has no hands here: `laserboard simulate` plays on one"
NO_FIRE = (
    "nobody could press fire here: name buttons (--buttons gpio://), let moves fire by themselves"
    " (--fire auto:3), or play in a terminal"
)


def add(commands: Subcommands) -> None:
    play = add_command(
        commands,
        "play",
        play_at_table,
        "play at a real table",
        "  laserboard play --board ./laserboard.yaml\n"
        "  laserboard play --board ./laserboard.yaml --red computer:4 --clock 10m+5s\n"
        "  laserboard play --board paper-10x8 --camera usb://0 --fire auto:3",
        "Every device is tried first. The lights and the words then say what to do: set up the "
        "board, make your move by hand, press fire, take off what was captured. Every turn is on "
        "the disk before its beam runs; `laserboard resume` goes on after anything. The board is "
        "./laserboard.yaml if there is one (`laserboard init` writes it).",
    )
    add_devices(play)
    play.add_argument("--new", action="store_true", help="leave an unfinished game as it is")
    add_agreed(play)
    add_event(play)
    add_page(play)

    resume = add_command(
        commands,
        "resume",
        _resume,
        "go on with a game after a power cut, or the next day",
        "  laserboard resume\n  laserboard resume 2026-11-16-3",
        "Position, clocks and whose turn it is are as they were; what differs on the table is "
        "shown, and asked for. A game on a simulated table goes on there.",
    )
    resume.add_argument(
        "name", metavar="NAME", nargs="?", default="last", help="default: the last game"
    )
    add_fire(add_devices(resume))
    add_broker(resume.add_argument_group("the broker of the game's event (see docs/hall.md)"))
    add_page(resume)


def add_devices(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    group = parser.add_argument_group("where things are (default: as the board file says)")
    group.add_argument("--board", metavar="NAME|FILE", help="the board")
    group.add_argument("--camera", metavar="URL", help="usb://0, pi:// and so on")
    group.add_argument("--leds", metavar="URL", help="serial://auto, none:// and so on")
    group.add_argument("--buttons", metavar="URL", help="gpio:// or none://")
    group.add_argument("--speaker", metavar="URL", help="gpio://, terminal:// or none://")
    group.add_argument("--voice", metavar="KIND", help="auto, espeak, terminal or none")
    return group


def play_at_table(args: argparse.Namespace, console: Console) -> int:
    from controller.beginning import Keeping, Plan, unfinished
    from controller.config import board_place, load_board_file, usual_board

    place = board_place(args.board or usual_board())
    file = load_board_file(place)
    # Nobody is asked by a service: what was agreed before a power cut holds, also with no turn
    # played yet.
    fewest = 0 if is_service() else 1
    left = None if args.new else unfinished(place, simulated=False, fewest=fewest)
    if left is not None and not _fits(left[1], file):
        console.print(f"the game {left[0].stem} does not fit on this board any more")
        left = None
    occasion = occasion_from(args, file)
    if left is not None and occasion not in (None, left[1].start.occasion):
        left = None  # another game is to be played now
    if left is not None and _go_on(left[0].stem, len(left[1].turns), console):
        refereed = left[1].start.laws is not None
        habits = habits_from(args.fire, file, refereed)
        plan = Plan(left[1].start, file, habits, args.chance)
        return _at_table(args, place, Keeping(left[0]), plan, console)
    plan = plan_from(args, place, file, False, console)
    return _at_table(args, place, Keeping(), plan, console)


def _fits(played: Played, file: BoardFile) -> bool:
    """Whether a game can go on upon a board whose file may have been changed since."""
    from controller.tabletop import fitted
    from vision.board import DoesNotFit

    try:
        fitted(file.board, played.start.game, file.camera.lens, played.position.grid)
    except DoesNotFit:
        return False
    return True


def _resume(args: argparse.Namespace, console: Console) -> int:
    from controller.beginning import Keeping, Plan, going_on
    from controller.cli.simulate import resume_simulated
    from controller.config import load_board_file, usual_board
    from controller.game_store import find, games_folder

    path = find(games_folder(), args.name)
    played = going_on(path)
    if played.start.simulated:
        return resume_simulated(str(path), args, console)
    place = args.board or played.start.board or usual_board()
    file = load_board_file(place)
    habits = habits_from(args.fire, file, played.start.laws is not None)
    plan = Plan(played.start, file, habits)
    return _at_table(args, place, Keeping(path), plan, console)


def _go_on(name: str, turns: int, console: Console) -> bool:
    """Whether to go on with an unfinished game; with nobody to ask, that is what one wants."""
    console.print(f"the game {name} is unfinished after {turns} turns")
    if console.size is None:
        return True
    return not console.ask("go on with it? [Y/n] ").lower().startswith("n")


def furniture_from(
    args: argparse.Namespace, place: str, file: BoardFile, plan: Plan, console: Console
) -> Furniture:
    from controller.room import Furniture

    camera = args.camera or file.camera.url
    if camera is None:
        # Where nobody sits, nobody could start the program again once a camera is plugged in.
        alone = console.size is None and wants_page(args, console)
        camera = WHICHEVER_CAMERA if alone else _first_camera()
    usual_leds = NO_LEDS if file.leds is None else file.leds.url or "serial://auto"
    buttons = args.buttons or file.buttons.url or "none://"
    pressed = console.size is not None or wants_page(args, console)
    if buttons == "none://" and not pressed and plan.habits.auto_fire_ms is None:
        raise BadInput(NO_FIRE)
    speaker = args.speaker or file.speaker.url or "none://"
    voice = args.voice or file.play.voice
    on_screen = voice == "terminal" and console.size is not None  # whose sentences are there anyway
    return Furniture(
        place,
        file,
        plan.top,
        args.leds or usual_leds,
        camera,
        buttons,
        speaker,
        "none" if on_screen else voice,
        herald=herald_from(args, plan),
        refereed=plan.start.laws is not None,
    )


def _first_camera() -> str:
    found = [each.url for each in find_cameras() if not each.trouble]
    if not found:
        raise BadInput(NO_CAMERA)
    return found[0]


def _at_table(
    args: argparse.Namespace, place: str, keeping: Keeping, plan: Plan, console: Console
) -> int:
    from controller.hosting import Hosted

    furniture = furniture_from(args, place, plan.file, plan, console)
    with supervised(console) as beat:
        hosted = Hosted(place, plan)
        off = asyncio.run(at_real_table(args, console, furniture, hosted, keeping, beat))
    return parted(off, console)


async def at_real_table(
    args: argparse.Namespace,
    console: Console,
    furniture: Furniture,
    hosted: Hosted,
    keeping: Keeping,
    each_beat: Callable[[Loop], None] = lambda _: None,
) -> bool:
    """One game after another, until everybody leaves; whether the computer is to be switched off
    then."""
    from controller.beginning import Keeping
    from controller.cli.company import company
    from controller.cli.front import ending, farewell
    from controller.hosting import Hosted

    off = False
    try:
        async with company(args, console, hosted, hands=False) as people:
            while True:
                another = await _one_game(furniture, keeping, hosted, people, console, each_beat)
                if not isinstance(another, Hosted):
                    off = another
                    return off
                people.note(ending(keeping.path))
                keeping, hosted = Keeping(), another
                furniture = furniture.for_game(hosted.place, hosted.plan)
    finally:
        if not (off and is_service()):  # a table that is switched on again goes on where it was
            farewell(keeping.path, console)


async def _one_game(
    furniture: Furniture,
    keeping: Keeping,
    hosted: Hosted,
    people: Company,
    console: Console,
    each_beat: Callable[[Loop], None],
) -> Hosted | bool:
    """The next game; or whether the computer is to be switched off."""
    from controller.loop import Loop, running, settle_memory
    from controller.room import RealRoom

    room, plan = RealRoom(furniture, keeping, console.out), hosted.plan
    devices, entries = room.switch_on()
    try:
        session = plan.begin(entries, devices)
        settle_memory()
        people.wakes(room.pace.wake)
        screens = {"keyboard": people.front is not None, "page": people.opened is not None}
        by_itself = plan.habits.auto_fire_ms is not None
        greeting = Greeting(devices, people.tell, **screens, by_itself=by_itself)
        if people.front is None:
            console.print(f"{plan.start.game.title} on {plan.file.board.name}")
        elif furniture.camera.startswith("sim:"):
            people.tell(NO_HANDS)
        async with running(Loop(session, devices, room.pace, people.tell)) as loop:

            def look() -> None:
                greeting.look()
                each_beat(loop)

            if people.front is None and people.opened is None:
                await _watched(loop, look)
                another = None
            else:
                another = await people.sit(loop, hosted, keeping.path, each_beat=look)
            off = loop.session.parting_ms is not None  # whatever else is wanted meanwhile
            return off if off or another is None else another
    finally:
        devices.close()


async def _watched(loop: Loop, look: Callable[[], None]) -> None:
    """Nobody sits at a terminal: until the game is over and its end was seen."""
    from controller.session_values import Phase

    while loop.session.phase is not Phase.OVER and await loop.next_beat():
        look()
    await loop.until(lambda: False, GOODBYE_MS)


class Greeting:
    """Tells of each device once it answers; of one that does not, the session tells."""

    def __init__(
        self,
        devices: Devices,
        tell: Callable[[str], None],
        *,
        keyboard: bool,
        page: bool,
        by_itself: bool = False,
    ) -> None:
        """Where people sit who may have no LEDs or no buttons, and whether moves fire alone."""
        self._tell = tell
        screens = (("with the keyboard", keyboard), ("on the page", page))
        fire = " or ".join(words for words, there in screens if there)
        self._waiting: dict[str, Callable[[], str | None]] = {
            "camera": lambda: _camera_words(devices.camera),
            "LEDs": lambda: _led_words(devices.lights.leds, keyboard or page),
            "buttons": lambda: _button_words(devices.buttons, fire, by_itself),
        }

    def look(self) -> None:
        for name, words in list(self._waiting.items()):
            told = words()
            if told is not None:
                del self._waiting[name]
                self._tell(f"{name}: {told}")


def _camera_words(camera: Camera) -> str | None:
    found = camera.details()
    if found is None:
        return None
    pace = "" if found.fps is None else f", {found.fps:g} pictures a second"
    return f"{camera.name}, {found.width} x {found.height}{pace}"


def _led_words(leds: LedMatrix, screen: bool) -> str | None:
    if leds.name == NO_LEDS:
        return "none, beams are on the screen" if screen else "none"
    found = leds.details()
    return None if found is None else f"{leds.name}, {found.leds} of them, {found.described}"


def _button_words(buttons: Buttons, fire: str, by_itself: bool) -> str:
    if buttons.names:
        hint = f" ({buttons.hint})" if buttons.hint else ""
        return f"{', '.join(buttons.names)}{hint}"
    if by_itself:
        return "none: moves fire by themselves"
    return f"none: fire {fire}" if fire else "none"
