"""Draws positions and turns of any game as SVG text, without dependencies.

    from engine.draw import position_svg, turn_svg

Every cell, piece and beam has a class and its name (`class="piece" data-cell="e1"`), so that
pages can select it. A kind of piece without a glyph is drawn as its letter.
"""

from engine.draw.picture import position_svg, turn_svg

__all__ = ["position_svg", "turn_svg"]
