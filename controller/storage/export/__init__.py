"""Exports of games: score sheet, zip with all proof, verification."""
