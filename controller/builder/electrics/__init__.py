"""Electrics of a board: LED runs, power, wires, connections and the bill of materials. Pure."""
