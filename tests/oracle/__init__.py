"""Reference implementations of Laser Chess and Photon: slow, simple, and independent of `engine`.

No module here imports `engine`, and `engine` imports no module from here.
"""
