"""User interfaces: terminal, web page, hosting of games, and implementations of commands."""
