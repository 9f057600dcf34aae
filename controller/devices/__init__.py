"""Concrete devices. Only `controller.devices.factory` imports them."""
