"""Tests of the page with a real server and real sockets."""
