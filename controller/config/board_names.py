"""Names of boards by default, apart from `board_file`: help texts must not load numpy."""

OWN_BOARD = "laserboard.yaml"  # what `laserboard init` writes
BOARD_VARIABLE = "LASERBOARD_BOARD"  # environment variable that names another board
DEFAULT_BOARD = "demo-10x8"
