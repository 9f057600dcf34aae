"""What a board is built of: its lines of LEDs, its power, its wires and its parts. All pure."""
