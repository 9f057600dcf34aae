"""The page: a game as people see it in a browser, and what they do there.

The game's loop hands over frozen moments (`attending`), a thread of its own turns them into JSON
once and shares the bytes (`server`); what people want comes back through one queue. Starlette and
uvicorn are imported when a page is opened, not before.
"""
