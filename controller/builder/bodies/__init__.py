"""Parts for a 3D printer: bodies of the pieces, the camera's mast, the light grid under a board.

Sizes come from the board file, shapes from `hardware/bodies/*.scad`, kinds and quantities from
the games.
"""
