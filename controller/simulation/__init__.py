"""Games on a simulated table: simulated hands, scripts, and stepped time."""
