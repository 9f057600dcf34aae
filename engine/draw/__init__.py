"""Positions and turns of any game as SVG: pure text, no dependencies, nothing to load.

    from engine.draw import svg, turn_svg

Every cell, piece and beam carries a class and its name (`class="piece" data-cell="e1"`), so that
a page can find it. A kind of piece without a glyph of its own is drawn as its letter.
"""

from engine.draw.picture import svg, turn_svg

__all__ = ["svg", "turn_svg"]
