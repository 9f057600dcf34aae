"""URLs of devices and services."""
