"""Concrete devices. Only `controller.wiring` imports them."""
