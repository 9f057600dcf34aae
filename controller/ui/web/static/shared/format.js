// Cells and pieces in words, for those who listen.
import { angleBetween } from "./grid.js";

const POINTS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
// Which way a kind looks when it is turned by nothing: a prism by its silver side, a crown nowhere.
const FACES = { deflector: [225], mirror: [45], switch: [45, 225], king: [], block: [] };

/** The point of the compass at so many degrees. */
export function compass(degrees) {
  const sixteenth = ((degrees % 360) + 360) % 360;
  return POINTS[Math.round(sixteenth / 45) % 8];
}

/** `blue deflector facing north-west`, with what it has left and how crooked it stands. */
export function pieceText(piece, players, headings) {
  const side = players[piece.owner]?.side ?? "";
  const faces = (FACES[piece.kind] ?? [0]).map((face) => compass(face + piece.degrees));
  const facing = faces.length ? ` facing ${faces.join(" and ")}` : "";
  const left = piece.hit_points > 1 ? `, ${piece.hit_points} hit points left` : "";
  const turned = (360 / headings) * Math.round(piece.degrees / (360 / headings));
  const crooked = headings === 4 && Math.abs(angleBetween(turned, piece.degrees)) > 8 ? ", crooked" : "";
  return `${side} ${piece.kind}${facing}${left}${crooked}`;
}

/** Whose a cell is, or what it is made of. */
export function terrainText(terrain, players) {
  return terrain
    .replace("the first player", players[0].side)
    .replace("the second player", players[1].side);
}

/** All that is to be known of a cell: `e4, blue deflector facing north-west, picked up`. */
export function cellText(name, { piece, terrain, players, headings, notes = [] }) {
  const what = piece ? pieceText(piece, players, headings) : "empty";
  const below = terrain ? [terrainText(terrain, players)] : [];
  return [name, what, ...below, ...notes].join(", ");
}

/** `1:02:03`, `4:59`, `0:07.3`: rounded up, so that zero means that time is over. */
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
  return [minutes ? `${minutes} min` : "", rest || !minutes ? `${rest} s` : ""].filter(Boolean).join(" ");
}
