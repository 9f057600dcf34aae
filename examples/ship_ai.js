#!/usr/bin/env node
// A small AI for Spaceships in JavaScript, written for Node without packages.
//
//     node examples/ship_ai.js 8002 Grace
//
// listens on port 8002 as player Grace. The ship avoids the other ship's line of fire until it can
// fire itself. Write your own AI in `choose`.

const http = require("node:http");

const DIRECTIONS = [[1, 0, -1], [1, -1, 0], [0, -1, 1], [-1, 0, 1], [-1, 1, 0], [0, 1, -1]];
const REACH = 12;

const step = (tile, way) => tile.map((each, i) => each + way[i]);
const distance = (a, b) => Math.max(...a.map((each, i) => Math.abs(each - b[i])));
const any = (list) => list[Math.floor(Math.random() * list.length)];

// The action of this round: a type and a direction.
function choose(state, nick) {
  const terrain = new Map(state.grid.map((tile) => [tile.coordinates.join(), tile.terrain]));
  const me = state.players.find((player) => player.nick === nick).coordinates;
  const other = state.players.find((player) => player.nick !== nick).coordinates;
  const aim = lineOfFire(me, other, terrain);
  if (aim && Math.random() < 0.7) return { type: "laser", direction: aim };
  const free = DIRECTIONS.filter((way) => {
    const ahead = step(me, way).join();
    return terrain.get(ahead) === "land" && ahead !== other.join();
  });
  if (free.length === 0) return { type: "laser", direction: DIRECTIONS[0] };
  // Leave the line of fire, or else approach the other ship.
  const safe = free.filter((way) => !lineOfFire(other, step(me, way), terrain));
  const ways = aim && safe.length > 0 ? safe : free;
  const near = Math.min(...ways.map((way) => distance(step(me, way), other)));
  const nearest = ways.filter((way) => distance(step(me, way), other) === near);
  return { type: "move", direction: Math.random() < 0.8 ? any(nearest) : any(ways) };
}

// The direction in which a laser from one tile hits another tile, or null.
function lineOfFire(from, to, terrain) {
  for (const way of DIRECTIONS) {
    let tile = from;
    for (let i = 0; i < REACH; i++) {
      tile = step(tile, way);
      if (tile.join() === to.join()) return way;
      if ((terrain.get(tile.join()) ?? "mountain") === "mountain") break;
    }
  }
  return null;
}

function main() {
  const [port, nick] = process.argv.slice(2);
  if (!/^\d+$/.test(port ?? "") || !nick) {
    console.error("usage: ship_ai.js PORT NICK");
    process.exit(1);
  }
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const answer = JSON.stringify(choose(JSON.parse(Buffer.concat(parts).toString()), nick));
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(answer);
    });
  });
  server.listen(Number(port), "127.0.0.1", () => {
    console.log(`${nick} listens on http://127.0.0.1:${server.address().port}`);
  });
}

main();
