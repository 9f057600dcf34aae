"""Loads the shared library that the installation builds from the C sources in this folder.

ctypes releases the GIL during calls. Every structure here matches one in a C header, and loading
compares their sizes.
"""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Iterable
from ctypes import CFUNCTYPE, POINTER, c_int32, c_int64, c_uint8, c_uint64, c_void_p
from functools import cache
from pathlib import Path
from typing import Any

from engine import catalogue
from engine.errors import LaserboardError
from engine.sentences import Sentence

log = logging.getLogger(__name__)

FOLDER = Path(__file__).parent
RELEASE = 1
MAX_DEPTH = 64
MAX_MOVES = 256
MAX_FEATURES = 32
MAX_PROOF_TURNS = 15
NO_ENDING = -(2**31)

StopCallback = CFUNCTYPE(c_int32)


class NativeCoreMissing(LaserboardError, RuntimeError):
    """The compiled core was requested but is missing."""


class CRootMove(ctypes.Structure):
    _fields_ = (
        ("move", c_int32),
        ("error", c_int32),
        ("ending", c_int32),
        ("claimable", c_int32),
    )


class CSearchResult(ctypes.Structure):
    _fields_ = (
        ("root", c_int32),
        ("score", c_int32),
        ("depth", c_int32),
        ("length", c_int32),
        ("nodes", c_uint64),
        ("line", c_int32 * MAX_DEPTH),
    )


EnoughCallback = CFUNCTYPE(c_int32, POINTER(CSearchResult))


class CSearchRequest(ctypes.Structure):
    _fields_ = (
        ("squares", ctypes.c_char_p),
        ("past", ctypes.c_char_p),
        ("roots", POINTER(CRootMove)),
        ("stop", StopCallback),
        ("enough", EnoughCallback),
        ("node_limit", c_uint64),
        ("side", c_int32),
        ("past_length", c_int32),
        ("root_count", c_int32),
        ("repeats", c_int32),
        ("no_capture_limit", c_int32),
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
    """See `laser.h`."""

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
PHOTON_PIECES = 42  # per side; the core cannot hold more
PHOTON_HITS = 4
PHOTON_FEATURES = 12


class PhotonTables(ctypes.Structure):
    """See `photon.h`."""

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


def fill_table(array: Any, values: Iterable[int]) -> None:
    """Write the values to the beginning of a table."""
    for at, value in enumerate(values):
        array[at] = value


def load_library() -> ctypes.CDLL | None:
    """The core, or None if it is not built or of another release."""
    return _load_core()[0]


def missing_reason() -> Sentence | None:
    """Why the core is missing. None if it is loaded."""
    return _load_core()[1]


@cache
def _load_core() -> tuple[ctypes.CDLL | None, Sentence | None]:
    reason: Sentence | None = catalogue.CORE_NOT_BUILT()
    for file in sorted(FOLDER.glob("_core*.so")):  # some may be for other machines
        core, reason = _open_core(file)
        if core is not None:
            return core, None
    return None, reason


def _open_core(file: Path) -> tuple[ctypes.CDLL | None, Sentence | None]:
    try:
        core = ctypes.CDLL(str(file))
        sizes = core.lb_sizes
    except (OSError, AttributeError) as error:
        log.info("the compiled core %s cannot be loaded", file, exc_info=True)
        return None, catalogue.CORE_NOT_LOADED(file=file.name, error=str(error))
    sizes.argtypes, sizes.restype = (c_int32,), c_int32
    structures = (LaserTables, PhotonTables, CSearchRequest, CSearchResult)
    most = (LASER_FEATURES, PHOTON_FEATURES, MAX_FEATURES, MAX_MOVES, MAX_DEPTH, MAX_PROOF_TURNS)
    expected = (RELEASE, *map(ctypes.sizeof, structures), *most)
    if tuple(sizes(which) for which in range(len(expected))) != expected:
        log.info("the compiled core %s is of another release", file)
        return None, catalogue.CORE_OF_ANOTHER_RELEASE(file=file.name)
    _declare_functions(core)
    return core, None


def _declare_functions(core: ctypes.CDLL) -> None:
    squares, numbers = ctypes.c_char_p, POINTER(c_int32)
    for name, result, arguments in (
        ("lb_laser", c_void_p, (POINTER(LaserTables),)),
        ("lb_photon", c_void_p, (POINTER(PhotonTables),)),
        ("lb_free", None, (c_void_p,)),
        ("lb_search", c_int32, (c_void_p, POINTER(CSearchRequest), POINTER(CSearchResult))),
        ("lb_solve", c_int32, (c_void_p, squares, c_int32, c_int32, StopCallback, numbers)),
        ("lb_perft", c_int64, (c_void_p, squares, c_int32, c_int32)),
        ("lb_moves", c_int32, (c_void_p, squares, c_int32, numbers)),
        ("lb_evaluate", c_int32, (c_void_p, squares, c_int32, numbers)),
    ):
        function = getattr(core, name)
        function.restype, function.argtypes = result, arguments
