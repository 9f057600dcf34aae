"""Computer players: the engine in its own process, and programs over HTTP."""
