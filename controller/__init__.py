"""The program: sessions, devices, screens and the command line, as packages with ranks.

`docs/code-overview.md` lists the packages. A package imports only packages of lower rank.
"""
