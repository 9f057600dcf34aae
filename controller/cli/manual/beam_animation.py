"""`docs/beam.webp`, the moving picture of the README: a beam that captures a king.

The simulator makes every frame: the engine resolves the turn, the lighting package animates it for
the LEDs of a board file, and the scene renderer draws the table with its lit LEDs.

    python -m controller.cli.manual.beam_animation docs/beam.webp
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from random import Random

from controller.config.addresses.camera import SimulatedCameraAddress
from controller.config.board_file import load_board_file
from controller.devices.factory.cameras import simulated_table
from controller.devices.factory.clocks import system_clock
from controller.devices.factory.leds import open_leds, simulated_world
from controller.lighting import output
from controller.lighting.animation.beams import animate_turn
from controller.lighting.layout import led_layout
from controller.ports.devices import Pixels
from engine.draw.palette import player_paints
from engine.game import AnyGame, AnyTurn
from engine.games import DEFAULT, make
from vision.scene import RoomLight

BOARD = "full-10x8"
WIDTH, HEIGHT = 800, 680
FPS = 15
STILL_FRAMES = 8  # before the beam leaves the laser
GAMES, TURNS = 60, 80
QUALITY = 60
CROP = slice(80, 660)  # rows: less of the table around the board


def main(path: str) -> None:
    """Render the film and write it as an animated WebP."""
    from PIL import Image

    frames = [Image.fromarray(frame[CROP, :, ::-1]) for frame in _frames()]
    target = Path(path)
    frames[0].save(
        target,
        save_all=True,
        append_images=frames[1:],
        duration=round(1000 / FPS),
        loop=0,
        quality=QUALITY,
        method=6,
    )
    print(f"{target}: {len(frames)} frames, {target.stat().st_size // 1024} KiB")


def _frames() -> list[Pixels]:
    game, clock = make(DEFAULT), system_clock()
    turn = _most_reflections(game)
    file = load_board_file(BOARD)
    layout = led_layout(file)
    assert file.leds is not None
    assert layout is not None
    address = SimulatedCameraAddress(place=BOARD, width=WIDTH, height=HEIGHT, game=game.name)
    table = simulated_table(replace(address, tilt_degrees=24.0))
    table.set_pieces(turn.aimed.pieces)
    table.set_room(RoomLight(ambient=0.35))
    output_stage = output.for_settings(file.leds)
    animation = animate_turn(layout, turn, player_paints(game.players))
    assert animation.duration_ms is not None
    leds = open_leds("memory://", file.leds, clock)
    try:
        world = simulated_world(table, layout, leds)
        count = round(animation.duration_ms * FPS / 1000)
        times_ms = [0.0] * STILL_FRAMES + [1000 * number / FPS for number in range(count)]
        frames = []
        for at_ms in times_ms:
            leds.wait(leds.show(output_stage(animation.at(at_ms))), 2_000.0)
            frames.append(world.render_image())
        return frames
    finally:
        leds.close()


def _most_reflections(game: AnyGame) -> AnyTurn:
    """A turn that wins the game, with the most reflections on the beam's way."""
    won = []
    for seed in range(GAMES):
        random, position = Random(seed), game.start()
        for _ in range(TURNS):
            for turn in game.turns(position):
                if turn.outcome is not None and turn.outcome.winner in game.to_move(position):
                    won.append(turn)
            moves = {
                player: random.choice(game.legal(position, player))
                for player in game.to_move(position)
            }
            turn = game.resolve(position, moves)
            if turn.outcome is not None:
                break
            position = turn.after
    return max(won, key=_reflections)


def _reflections(turn: AnyTurn) -> tuple[int, int]:
    steps = [step for beam in turn.beams for step in beam.steps]
    return sum(step.entered != step.left for step in steps), -len(steps)


if __name__ == "__main__":
    main(*sys.argv[1:])
