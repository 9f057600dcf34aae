"""User interfaces: terminal, web page, and hosting of games."""
