"""What `laserboard bench` measures."""
