"""A game taken along: its score sheet, one file with everything that proves it, and the proof."""
