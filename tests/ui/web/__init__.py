"""Tests of the page: a real server, real sockets."""
