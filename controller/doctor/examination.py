"""Looks at everything that play needs, one thing after the other: a `Finding` for each.

Devices come from the wiring; what is measured is judged in `controller.doctor.checks`. A check
that fails is itself a finding, one that does not come to an end is left behind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from controller import wiring
from controller.config import BoardFile, load_board_file
from controller.doctor import checks, devices, machine
from controller.doctor.ailments import Ailment
from controller.doctor.checks import Finding, Level
from controller.doctor.patience import TooLong, within
from controller.layout import layout
from controller.picture_quality import measure
from controller.ports import Camera, Clock, DeviceLost, Frame
from controller.tabletop import Tabletop, fitted
from engine import games
from engine.errors import LaserboardError
from vision.observation import Problem
from vision.reader import Reader

PATIENCE_S = 30.0
PLAYER_PATIENCE_S = 90.0
FIRST_PICTURE_MS = 20_000.0
RATE_MS, LONGEST_RATE_MS = 1_000.0, 5_000.0
RATED_FRAMES = 4
READ_FRAMES = 3
NO_FILE = "a board file that can be read comes first"


@dataclass(frozen=True, slots=True)
class Bench:
    """What to look at; a URL of None is the board file's, or what can be found."""

    board: str
    clock: Clock
    stream: TextIO  # for bells
    camera: str | None = None
    leds: str | None = None
    devices: Path = Path("/dev")


class Examination:
    """Later checks use what earlier ones found: the board file, pictures, the board in them."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self._file: BoardFile | None = None
        self._table: Tabletop | None = None
        self._frames: list[Frame] = []
        self._reader: Reader | None = None

    def findings(self) -> Iterator[Finding]:
        """One after the other, as they are made."""
        clock, stream = self.bench.clock, self.bench.stream
        yield attempt("python", machine.libraries)
        yield attempt("file", self._board_file)
        yield attempt("permissions", lambda: machine.permissions(self.bench.devices, self._kinds()))
        for name, check in (
            ("camera", self._camera),
            ("light", self._light),
            ("board", self._board),
            ("pieces", self._pieces),
            ("leds", lambda file: devices.leds(file.leds, self.bench.leds, clock, stream)),
            ("current", _current),
            ("buttons", lambda file: devices.buttons(file.buttons, clock)),
            ("speaker", lambda file: devices.speaker(file.speaker, clock, stream)),
            ("voice", lambda file: devices.voice(file.play.voice, clock, stream)),
            ("computer", self._computer),
        ):
            yield self._with_file(name, check)
        yield attempt("disk", lambda: machine.disk(clock))
        yield attempt("clock", lambda: machine.clocks(clock))
        yield attempt("games", machine.kept_games)

    def _with_file(self, name: str, check: Callable[[BoardFile], Finding]) -> Finding:
        file = self._file
        if file is None:
            return checks.skipped(name, NO_FILE)
        patience_s = PLAYER_PATIENCE_S if name == "computer" else None
        return attempt(name, lambda: check(file), patience_s)

    def _board_file(self) -> Finding:
        try:
            file = load_board_file(self.bench.board)
        except LaserboardError as bad:
            there = Path(self.bench.board).exists()
            ailment = Ailment.BAD_BOARD_FILE if there else Ailment.NO_BOARD_FILE
            return Finding("file", Level.BAD, str(bad), ailment.remedy)
        game = None if file.play.game is None else games.make(file.play.game)
        self._table, lies = fitted(file.board, game, file.camera.lens), layout(file)
        self._file = file
        lit = "no LEDs" if lies is None else lies.described()
        told = f"{self._table.game.title} on {self.bench.board}; {lit}"
        return Finding("file", Level.GOOD, told)

    def _kinds(self) -> set[str | None]:
        """The kinds of device that are to be used here."""
        file, bench = self._file, self.bench
        if file is None:
            return {None}
        urls = [bench.camera or file.camera.url]
        urls += [bench.leds or file.leds.url] if file.leds is not None else []
        urls += [url for url in (file.buttons.url, file.speaker.url) if url is not None]
        return {None if url is None else url.partition(":")[0] for url in urls}

    # -- eyes --------------------------------------------------------------------------------

    def _camera(self, file: BoardFile) -> Finding:
        settings, bench = file.camera, self.bench
        url = bench.camera or settings.url
        if url is None:
            found = wiring.find_cameras()
            usable = [each for each in found if not each.trouble]
            if not usable:
                trouble = "; ".join(f"{each.url}: {each.trouble}" for each in found)
                return Finding(
                    "camera", Level.BAD, "no camera found", trouble or Ailment.NO_CAMERA.remedy
                )
            url = usable[0].url
        camera = wiring.open_camera(
            url, bench.clock, settings.width, settings.height, bench.board, threaded=False
        )
        try:
            lost = self._watch(camera, 0, FIRST_PICTURE_MS, 1)
            details = camera.details()
            if not self._frames or details is None:
                return checks.lost("camera", camera.name, lost, FIRST_PICTURE_MS)
            first = self._frames[-1].number
            self._watch(camera, RATE_MS, LONGEST_RATE_MS, RATED_FRAMES)
        finally:
            camera.close()
        # Without the first, which took its time to come.
        taken_ms = [frame.at_ms for frame in self._frames if frame.number > first]
        return checks.camera(camera.name, details, taken_ms)

    def _watch(
        self, camera: Camera, least_ms: float, most_ms: float, fewest: int
    ) -> list[DeviceLost]:
        """Gather that many pictures or more for so long; ends early with how it was lost."""
        clock, wanted = self.bench.clock, len(self._frames) + fewest
        begin_ms = clock.now_ms()
        while (passed_ms := clock.now_ms() - begin_ms) < most_ms:
            if passed_ms >= least_ms and len(self._frames) >= wanted:
                break
            last = self._frames[-1].number if self._frames else 0
            frame = camera.wait(last, most_ms - passed_ms)
            self._frames += [] if frame is None else [frame]
            lost = [each for each in camera.events() if isinstance(each, DeviceLost)]
            if lost:
                return lost
        return []

    def _light(self, _: BoardFile) -> Finding:
        if not self._frames:
            return checks.skipped("light", "it needs a picture")
        grey = self._frames[-1].grey
        return checks.light(measure(grey), grey.shape[1])

    def _board(self, _: BoardFile) -> Finding:
        assert self._table is not None
        if not self._frames:
            return checks.skipped("board", "it needs a picture")
        reader = Reader(self._table.board, self._table.meanings, self._table.lens)
        found = reader.find(self._frames[-1].grey)
        if not isinstance(found, Problem):
            self._reader = reader
        return checks.board(found, self._table)

    def _pieces(self, file: BoardFile) -> Finding:
        assert self._table is not None
        if self._reader is None:
            return checks.skipped("pieces", "they need a board that is found in the picture")
        *_, seen = (self._reader.read(frame.grey) for frame in self._frames[-READ_FRAMES:])
        return checks.pieces(seen, self._table, file.play.setup)

    def _computer(self, file: BoardFile) -> Finding:
        assert self._table is not None
        wanted = any(seat.computer for seat in file.play.seats)
        return devices.computer(self._table.game, wanted, self.bench.clock)


def attempt(name: str, check: Callable[[], Finding], patience_s: float | None = None) -> Finding:
    """What the check finds; or that it fails, or does not come to an end."""
    try:
        return within(patience_s or PATIENCE_S, check)
    except TooLong as late:
        return Finding(name, Level.BAD, str(late), Ailment.NOT_HEARD.remedy)
    except LaserboardError as bad:
        return checks.failed(name, str(bad))
    except Exception as defect:  # the other checks go on
        return Finding(name, Level.BAD, f"{type(defect).__name__}: {defect}", Ailment.DEFECT.remedy)


def _current(file: BoardFile) -> Finding:
    if file.leds is None:
        return checks.skipped("current", "there are no LEDs to feed")
    return checks.current(file.leds)
