"""Several boards of one event: what each tells over MQTT, and the overview that listens to all."""
