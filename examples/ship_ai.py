#!/usr/bin/env python3
"""A small AI for Spaceships, written with Python's standard library only.

    python3 examples/ship_ai.py 8001 Ada

listens on port 8001 as player Ada. The ship usually fires when the other ship is in its line of
fire; otherwise it takes a shortest path towards it. Write your own AI in `choose`.
"""

import json
import random
import sys
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DIRECTIONS = [(1, 0, -1), (1, -1, 0), (0, -1, 1), (-1, 0, 1), (-1, 1, 0), (0, 1, -1)]
REACH = 12


def step(tile, direction):
    return tuple(a + b for a, b in zip(tile, direction, strict=True))


def choose(state, nick):
    """The action of this round: a type and a direction."""
    terrain = {tuple(tile["coordinates"]): tile["terrain"] for tile in state["grid"]}
    ships = {player["nick"]: tuple(player["coordinates"]) for player in state["players"]}
    me = ships.pop(nick)
    (other,) = ships.values()
    aim = line_of_fire(me, other, terrain)
    if aim and random.random() < 0.6:
        return {"type": "laser", "direction": aim}
    way = way_towards(me, other, terrain)
    return {"type": "move", "direction": way} if way else {"type": "laser", "direction": (1, 0, -1)}


def line_of_fire(me, other, terrain):
    """The direction in which a laser hits the other ship, or None."""
    for direction in DIRECTIONS:
        tile = me
        for _ in range(REACH):
            tile = step(tile, direction)
            if tile == other:
                return direction
            if terrain.get(tile, "mountain") == "mountain":
                break
    return None


def way_towards(me, other, terrain):
    """The first step of a shortest path over land, or a step to any free tile without a path."""
    first = {me: None}
    queue = deque([me])
    while queue:
        tile = queue.popleft()
        for direction in random.sample(DIRECTIONS, 6):
            ahead = step(tile, direction)
            if ahead == other and tile != me:
                return first[tile]
            if ahead not in first and ahead != other and terrain.get(ahead) == "land":
                first[ahead] = direction if tile == me else first[tile]
                queue.append(ahead)
    return next((way for way in first.values() if way), None)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # the connection stays open between rounds

    def do_POST(self):
        state = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps(choose(state, self.server.nick)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        """Print no request log."""


def main():
    if len(sys.argv) != 3 or not sys.argv[1].isdecimal():
        sys.exit("usage: ship_ai.py PORT NICK")
    with ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler) as server:
        server.nick = sys.argv[2]
        print(f"{server.nick} listens on http://127.0.0.1:{server.server_address[1]}", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("goodbye")


if __name__ == "__main__":
    main()
