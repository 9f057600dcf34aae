"""Named difficulties that the reader is tested with. Pixels are for an image 720 pixels high."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vision.scene.camera import IN_FOCUS_PX, WHITE_LEVEL


@dataclass(frozen=True, slots=True)
class Scenario:
    """The differences from an ordinary image."""

    motion_px: float = 0.0
    blur_px: float = IN_FOCUS_PX
    noise: float = 1.5
    jpeg: int | None = None
    white: float = WHITE_LEVEL
    shadow: float = 0.0  # depth of a shadow whose edge crosses the board
    lit_cells: int = 0
    lit_strength: float = 0.0
    glare: float = 0.0
    hands: int = 0
    placement_mm: float = 0.6
    placement_degrees: float = 1.5
    tilt_degrees: float | None = None  # None: from 0 to 35
    fill: float = 0.9  # the board's share of the image's height, if there is room
    nudge_px: float = 0.0


SCENARIOS: Mapping[str, Scenario] = {
    "plain": Scenario(),
    "motion_4": Scenario(motion_px=4),
    "motion_7": Scenario(motion_px=7),
    "motion_10": Scenario(motion_px=10),
    "defocus_2": Scenario(blur_px=2.2),
    "defocus_3": Scenario(blur_px=3.2),
    "noise_12": Scenario(noise=12),
    "noise_25": Scenario(noise=25),
    "jpeg_30": Scenario(jpeg=30),
    "dim": Scenario(white=0.10, noise=7),
    "dimmer": Scenario(white=0.05, noise=10),
    "very_dim": Scenario(white=0.02, noise=12),
    "overexposed": Scenario(white=2.2 * WHITE_LEVEL),
    "shadow_edge": Scenario(shadow=0.75),
    "leds_24": Scenario(lit_cells=24, lit_strength=1.5),
    "leds_40": Scenario(lit_cells=40, lit_strength=5.0),
    "glare": Scenario(glare=0.9),
    "strong_glare": Scenario(glare=2.5),
    "hand": Scenario(hands=1),
    "two_hands": Scenario(hands=2),
    "placement": Scenario(placement_mm=3.0, placement_degrees=8.0),
    "tilt_35": Scenario(tilt_degrees=35.0),
    "small_60": Scenario(fill=0.60),
    "small_45": Scenario(fill=0.45),
    "nudge_4": Scenario(nudge_px=4),
    "nudge_10": Scenario(nudge_px=10),
    "nudge_18": Scenario(nudge_px=18),
    "mixed_lo": Scenario(
        motion_px=4, blur_px=1.3, noise=7, jpeg=60, white=0.12, shadow=0.5, lit_cells=12,
        lit_strength=0.8, glare=0.4, hands=1, placement_mm=1.5, placement_degrees=4.0,
        nudge_px=3,
    ),
    "mixed_hi": Scenario(
        motion_px=4, blur_px=1.6, noise=8, jpeg=45, white=0.12, shadow=0.6, lit_cells=24,
        lit_strength=1.5, glare=0.9, hands=1, placement_mm=2.5, placement_degrees=6.0,
        nudge_px=6,
    ),
}  # fmt: skip
