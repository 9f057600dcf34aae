"""The guide's pictures match the parts: by digest, and redrawn pixel by pixel."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from controller.builder.bodies.guide_images import GuideImage, guide_images, read_digest
from controller.builder.bodies.mesh import read_stl
from controller.builder.bodies.openscad import render_parts, scad_code
from tests.support.builder.rendered_parts import KEPT
from tests.support.paths import HARDWARE

IMAGES = list(guide_images())


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.name)
def test_the_pictures_of_the_bodies_are_up_to_date(image: GuideImage) -> None:
    path = HARDWARE / "pictures" / image.name
    assert read_digest(path) == image.digest(), "make -C hardware pictures"


def test_the_digest_of_a_source_ignores_comments_but_not_sizes_or_code() -> None:
    commented = scad_code("cube(3); // a comment\n/* and\nanother */ sphere(2);\n")
    assert commented == scad_code("cube(3);\nsphere(2);")
    assert commented != scad_code("cube(4);\nsphere(2);")
    pieces = {image.parts: image.digest() for image in IMAGES}
    assert len(set(pieces.values())) == len(pieces), "other parts, another digest"


@pytest.mark.slow
@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.name)
def test_drawing_a_picture_gives_the_stored_one(image: GuideImage) -> None:
    """Catches a change of the drawing code without a new DRAWING_REVISION."""
    meshes = {part.path: read_stl(stl) for part, stl, _ in render_parts(image.parts, KEPT)}
    drawn = np.asarray(image.draw(meshes).convert("RGB"), np.float64)
    with Image.open(HARDWARE / "pictures" / image.name) as stored:
        kept = np.asarray(stored.convert("RGB"), np.float64)
    assert drawn.shape == kept.shape
    assert np.abs(drawn - kept).mean() < 2.0, "make -C hardware pictures"
