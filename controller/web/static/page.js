// The smallest page that plays: the live board, its beams, moves by touch, and fire.
import { Link } from "./link.js";

const SVG = "http://www.w3.org/2000/svg";
const at = (id) => document.getElementById(id);
let drawing = null;
let chosen = null;
let shown = 0; // number of the last turn whose beams ran here

async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.ok;
}

async function enter() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (key) {
    history.replaceState(null, "", location.pathname);
    await post("enter", { key });
  }
  const you = await (await fetch("you.json")).json();
  at("door").hidden = you.role !== null;
  return you.role !== null;
}

at("door").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await post("enter", { pin: at("pin").value })) location.reload();
});

function place(model, cell) {
  const found = model.game.grid.cells.find(([name]) => name === cell);
  return [found[1] * drawing.cell, found[2] * drawing.cell];
}

function group(markup, x, y, degrees) {
  const made = document.createElementNS(SVG, "g");
  made.setAttribute("transform", `translate(${x} ${y})`);
  made.innerHTML = markup;
  for (const part of made.querySelectorAll(".turning")) {
    part.setAttribute("transform", `rotate(${degrees})`);
  }
  return made;
}

function glyph(piece) {
  for (let left = piece.hit_points ?? 1; left < 1000; left += 1) {
    const found = drawing.glyphs[`${piece.kind}/${piece.owner}/${left}`];
    if (found) return found;
  }
  return "";
}

function draw(model) {
  const board = at("board");
  board.replaceChildren();
  board.setAttribute("viewBox", drawing.extent.join(" "));
  board.append(group(drawing.tiles + drawing.names, 0, 0, 0));
  const ways = chosen === null ? [] : (model.ways[chosen] ?? []);
  for (const piece of model.board.pieces) {
    board.append(group(glyph(piece), ...place(model, piece.cell), piece.degrees));
  }
  for (const way of ways) {
    if (way.to !== null) board.append(mark(model, way.to, "target", way.words));
  }
  if (chosen !== null) board.append(mark(model, chosen, "chosen", chosen));
  for (const [name] of model.game.grid.cells) {
    const touch = mark(model, name, "", name);
    touch.setAttribute("fill-opacity", "0");
    touch.addEventListener("click", () => touched(name));
    board.append(touch);
  }
}

function mark(model, cell, name, title) {
  const made = document.createElementNS(SVG, "polygon");
  const [x, y] = place(model, cell);
  made.setAttribute("points", drawing.outline);
  made.setAttribute("transform", `translate(${x} ${y})`);
  made.setAttribute("class", name);
  made.innerHTML = `<title>${title}</title>`;
  return made;
}

async function touched(cell) {
  const { board, ways } = link.model;
  const origin = board.lying?.origins?.[cell] ?? cell;
  const way = chosen === null ? null : ways[chosen]?.find((each) => each.to === cell);
  if (way) {
    chosen = null;
    tell(await link.send({ do: "move", player: way.player, text: way.text }));
  } else {
    chosen = origin in ways && origin !== chosen ? origin : null;
  }
  draw(link.model);
}

document.addEventListener("keydown", async (event) => {
  const turn = { ",": -1, ".": 1 }[event.key];
  if (!turn || chosen === null) return;
  const way = link.model.ways[chosen]?.find((each) => each.to === null && each.turn * turn > 0);
  if (way) tell(await link.send({ do: "move", player: way.player, text: way.text }));
});

at("fire").addEventListener("click", async () => tell(await link.send({ do: "fire" })));

function tell(answer) {
  at("answer").textContent = answer.ok ? "" : answer.sentence;
}

function run(model, turn) {
  const board = at("board");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const beam of turn.beams) {
    const line = document.createElementNS(SVG, "polyline");
    const points = beam.steps.map((step) => place(model, step.cell).join(","));
    line.setAttribute("class", "beam");
    line.setAttribute("stroke", model.game.players[beam.player].colours.beam);
    board.append(line);
    const begun = performance.now();
    const grow = () => {
      const steps = still ? points.length : 1 + (performance.now() - begun) / turn.step_ms;
      line.setAttribute("points", points.slice(0, steps).join(" "));
      if (steps < points.length) requestAnimationFrame(grow);
    };
    grow();
  }
}

async function changed(parts) {
  at("link").dataset.fine = link.fresh ? "yes" : "no";
  at("link").textContent = link.fresh ? "connected" : "not connected: this may be old";
  const { model } = link;
  if (!model.game) return;
  if (parts.includes("game")) {
    drawing = await (await fetch("drawing.json")).json();
    chosen = null;
  }
  if (!drawing) return;
  at("title").textContent = model.game.title;
  at("guide").textContent = model.table.guide;
  at("reasons").replaceChildren(
    ...model.table.reasons.map((reason) => {
      const item = document.createElement("li");
      item.textContent = reason;
      return item;
    }),
  );
  if (parts.some((part) => ["game", "board", "ways", "ground"].includes(part))) draw(model);
  if (parts.includes("turn") && model.turn && model.turn.number > shown) {
    if (shown || model.table.phase === "firing") run(model, model.turn);
    shown = model.turn.number;
  }
  at("history").replaceChildren(
    ...model.history.map((past) => {
      const item = document.createElement("li");
      item.textContent = past.text;
      return item;
    }),
  );
}

let link = null;
if (await enter()) link = new Link(changed);
