"""User interfaces: terminal, web page, hosting of games, and bodies of commands."""
