"""Building and setting up a table: printed parts, electrics, sheets, doctor, calibration."""
