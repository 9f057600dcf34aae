"""What the LEDs show: layout, scenes, animations, and the conversion to bytes."""
