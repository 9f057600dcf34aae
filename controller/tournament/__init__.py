"""Tournaments: every board publishes its game over MQTT, one tournament view subscribes to all."""
