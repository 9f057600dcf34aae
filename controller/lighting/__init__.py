"""LED output: layout, scenes, animations, and the conversion to bytes."""
