"""The named starting positions from `data/setups.yml`, read on first use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from engine.catalogue import SETUP_REMARKS
from engine.game import Setup


@cache
def load_setups(game: str) -> Mapping[str, Setup]:
    import yaml  # lazy, for a quick start

    path = Path(__file__).parent / "data" / "setups.yml"
    table = yaml.safe_load(path.read_text("utf-8"))
    return {
        name: Setup(name, text, SETUP_REMARKS.get((game, name)))
        for name, text in table[game].items()
    }
