"""The shared library that the install builds from the C sources here, and its values.

It is loaded by ctypes, which lets go of the interpreter's lock while it works. Every structure is
the twin of one in a header beside this file; their sizes are compared when it is loaded.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from ctypes import CFUNCTYPE, POINTER, c_int32, c_int64, c_uint8, c_uint64, c_void_p
from functools import cache
from pathlib import Path
from typing import Any

from engine.errors import LaserboardError

FOLDER = Path(__file__).parent
RELEASE = 1
DEEPEST = 64
MOST_OPTIONS = 256
MOST_FEATURES = 32
MOST_PROVEN = 15  # turns
NO_ENDING = -(2**31)
WHY = "the quick computer player is not built here, the pure Python one plays"

Stop = CFUNCTYPE(c_int32)


class NoCore(LaserboardError, RuntimeError):
    """The compiled core is wanted, and is not here."""


class Root(ctypes.Structure):
    _fields_ = (
        ("move", c_int32),
        ("error", c_int32),
        ("ending", c_int32),
        ("claimable", c_int32),
    )


class Result(ctypes.Structure):
    _fields_ = (
        ("root", c_int32),
        ("score", c_int32),
        ("depth", c_int32),
        ("length", c_int32),
        ("nodes", c_uint64),
        ("line", c_int32 * DEEPEST),
    )


Enough = CFUNCTYPE(c_int32, POINTER(Result))


class Request(ctypes.Structure):
    _fields_ = (
        ("squares", ctypes.c_char_p),
        ("past", ctypes.c_char_p),
        ("roots", POINTER(Root)),
        ("stop", Stop),
        ("enough", Enough),
        ("node_limit", c_uint64),
        ("side", c_int32),
        ("past_length", c_int32),
        ("root_count", c_int32),
        ("repeats", c_int32),
        ("quiet_limit", c_int32),
        ("claims", c_int32),
        ("turns_left", c_int32),
        ("depth_limit", c_int32),
        ("safe_depth", c_int32),
        ("full_width", c_int32),
        ("table_bits", c_int32),
    )


PIECES = 41
LASER_CELLS = 80
LASER_FEATURES = 14


class LaserTables(ctypes.Structure):
    """Of `laser.h`."""

    _fields_ = (
        ("hits", c_uint8 * PIECES * 4),
        ("owner", c_uint8 * PIECES),
        ("orientation", c_uint8 * PIECES),
        ("turned", c_uint8 * PIECES * 2),
        ("fold", c_uint8 * PIECES),
        ("near", c_uint8 * 8 * LASER_CELLS * 2),
        ("near_count", c_uint8 * LASER_CELLS * 2),
        ("home", c_uint8 * LASER_CELLS * 2),
        ("swappable", c_uint8 * PIECES),
        ("is_switch", c_uint8 * PIECES),
        ("is_king", c_uint8 * PIECES),
        ("laser", c_uint8 * 2),
        ("worth", c_int32 * LASER_CELLS * PIECES),
        ("weights", c_int32 * LASER_FEATURES),
    )


PHOTON_CELLS = 100
PHOTON_PIECES = 42  # of a side; those of more are not for the core
PHOTON_HITS = 4
PHOTON_FEATURES = 12


class PhotonTables(ctypes.Structure):
    """Of `photon.h`."""

    _fields_ = (
        ("hits", c_uint8 * PIECES * 4),
        ("damaged", c_uint8 * PIECES * PHOTON_HITS),
        ("owner", c_uint8 * PIECES),
        ("orientation", c_uint8 * PIECES),
        ("turned", c_uint8 * PIECES * 2),
        ("is_king", c_uint8 * PIECES),
        ("is_shooter", c_uint8 * PIECES),
        ("ahead", c_uint8 * PHOTON_CELLS * 4),
        ("near", c_uint8 * 4 * PHOTON_CELLS),
        ("near_count", c_uint8 * PHOTON_CELLS),
        ("meeting", c_uint8),
        ("worth", c_int32 * PIECES),
        ("weights", c_int32 * PHOTON_FEATURES),
    )


def fill(array: Any, values: Iterable[int]) -> None:
    """Write the values to the beginning of a table."""
    for at, value in enumerate(values):
        array[at] = value


def library() -> ctypes.CDLL | None:
    """The core, if it was built and belongs to this release."""
    return _loaded()[0]


def missing() -> str:
    """Why it is not here, in a sentence; empty if it is."""
    return _loaded()[1]


@cache
def _loaded() -> tuple[ctypes.CDLL | None, str]:
    why = f"{WHY}: install again with a C compiler (gcc) to be played more strongly"
    for file in sorted(FOLDER.glob("_core*.so")):  # one beside it may be another machine's
        core, why = _opened(file)
        if core is not None:
            return core, ""
    return None, why


def _opened(file: Path) -> tuple[ctypes.CDLL | None, str]:
    try:
        core = ctypes.CDLL(str(file))
        sizes = core.lb_sizes
    except (OSError, AttributeError) as trouble:
        return None, f"{WHY}: {file.name} cannot be loaded ({trouble})"
    sizes.argtypes, sizes.restype = (c_int32,), c_int32
    structures = (LaserTables, PhotonTables, Request, Result)
    most = (LASER_FEATURES, PHOTON_FEATURES, MOST_FEATURES, MOST_OPTIONS, DEEPEST, MOST_PROVEN)
    expected = (RELEASE, *map(ctypes.sizeof, structures), *most)
    if tuple(sizes(which) for which in range(len(expected))) != expected:
        return None, f"{WHY}: {file.name} is of another release; install again"
    _declare(core)
    return core, ""


def _declare(core: ctypes.CDLL) -> None:
    squares, numbers = ctypes.c_char_p, POINTER(c_int32)
    for name, result, arguments in (
        ("lb_laser", c_void_p, (POINTER(LaserTables),)),
        ("lb_photon", c_void_p, (POINTER(PhotonTables),)),
        ("lb_free", None, (c_void_p,)),
        ("lb_search", c_int32, (c_void_p, POINTER(Request), POINTER(Result))),
        ("lb_solve", c_int32, (c_void_p, squares, c_int32, c_int32, Stop, numbers)),
        ("lb_perft", c_int64, (c_void_p, squares, c_int32, c_int32)),
        ("lb_moves", c_int32, (c_void_p, squares, c_int32, numbers)),
        ("lb_evaluate", c_int32, (c_void_p, squares, c_int32, numbers)),
    ):
        function = getattr(core, name)
        function.restype, function.argtypes = result, arguments
