"""Screenshots of a page in headless Chromium, as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from playwright.sync_api import Browser, Page

Image = npt.NDArray[np.uint8]
JPEG_QUALITY = 86


@contextmanager
def opened(browser: Browser, width: int, height: int, **options: Any) -> Iterator[Page]:
    options |= {"color_scheme": "dark", "reduced_motion": "reduce"}
    context = browser.new_context(viewport={"width": width, "height": height}, **options)
    yield context.new_page()
    context.close()


def capture(page: Page) -> Image:
    png = page.screenshot(animations="disabled", caret="hide")
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)
