"""The only package that knows everything: devices, sessions, pages and the command line."""
