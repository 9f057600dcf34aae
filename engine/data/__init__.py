"""Tables that the rules read: hits and setups."""
