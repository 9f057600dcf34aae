"""Files of games: journals, records, evidence, exports."""
