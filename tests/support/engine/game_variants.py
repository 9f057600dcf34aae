"""Games under every value of every option."""

from __future__ import annotations

from dataclasses import fields

from engine.game import AnyGame


def variants(game: AnyGame) -> list[AnyGame]:
    """The game with each value of each option."""
    found = [game]
    for option in fields(game):
        for value in option.metadata["choices"] or [max(1, option.metadata["least"])]:
            found.append(type(game).with_options({option.name: value}))
    return found
