// Texts for pieces, cells, clocks and delays; cells are described for screen readers.
import { angleBetween } from "./grid.js";
import { joinAnd, writeSentence } from "./sentences.js";

const POINTS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
// The directions that a kind faces at 0 degrees: by its mirrored sides; kings and blocks face nowhere.
const FACES = { deflector: [225], mirror: [45], switch: [45, 225], king: [], block: [] };

/** The nearest of the eight compass points. */
function compass(degrees) {
  const positive = ((degrees % 360) + 360) % 360;
  return POINTS[Math.round(positive / 45) % 8];
}

/** `blue deflector facing north-west`, with its hit points, and "crooked" if it is not straight. */
export function pieceText(piece, players, headings) {
  const side = players[piece.owner]?.side ?? "";
  const faces = (FACES[piece.kind] ?? [0]).map((face) => compass(face + piece.degrees));
  const turned = (360 / headings) * Math.round(piece.degrees / (360 / headings));
  const crooked = headings === 4 && Math.abs(angleBetween(turned, piece.degrees)) > 8;
  let text = writeSentence("piece", { player: side, kind: piece.kind });
  if (faces.length) text = writeSentence("piece_facing", { piece: text, directions: joinAnd(faces) });
  if (piece.hit_points > 1) text = writeSentence("piece_points_left", { piece: text, count: piece.hit_points });
  return crooked ? writeSentence("piece_crooked", { piece: text }) : text;
}

/** The kind of a special cell, with the players' sides filled in. */
function terrainText(terrain, players) {
  return terrain
    .replace("the first player", players[0].side)
    .replace("the second player", players[1].side);
}

/** The whole description of a cell: `e4, blue deflector facing north-west, picked up`. */
export function cellText(name, { piece, terrain, players, headings, notes = [] }) {
  const what = piece ? pieceText(piece, players, headings) : "empty";
  const below = terrain ? [terrainText(terrain, players)] : [];
  return [name, what, ...below, ...notes].join(", ");
}

/** `1:02:03`, `4:59`, `0:07.3`: rounded up, so that only an expired clock shows zero. */
export function clockText(left_ms, low_ms = 10000) {
  if (left_ms > 0 && left_ms < Math.min(low_ms, 10000) - 100) {
    const tenths = Math.ceil(left_ms / 100);
    return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
  }
  const seconds = Math.ceil(Math.max(0, left_ms) / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number) => String(number).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** `30 s`, `2 min`, `2 min 30 s`. */
export function delayText(delay_ms) {
  const seconds = Math.round(delay_ms / 1000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return [minutes ? writeSentence("minutes", { count: minutes }) : "", rest || !minutes ? writeSentence("seconds", { count: rest }) : ""].filter(Boolean).join(" ");
}
