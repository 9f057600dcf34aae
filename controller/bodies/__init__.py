"""What a printer makes for a board: bodies for the pieces, the camera's mast, the light grid.

Sizes come from the board file, shapes from `hardware/bodies/*.scad`, the kinds and how many of
each from the games.
"""
