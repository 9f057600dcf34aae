"""Slow, obvious second implementations of Laser Chess and Photon: the oracle of the tests.

Nothing here imports the engine, and the engine imports nothing from here.
"""
