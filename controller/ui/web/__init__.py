"""The web page of a table: shows the game in browsers and takes commands from their users.

`bridge` publishes a frozen `GameView` from the game's loop. The page's own thread writes it as JSON
once for all clients (`state_diff`, `broadcast`). Commands return to the loop through one queue.
Starlette and uvicorn are slow to import: only the thread that serves a page imports them.
"""
