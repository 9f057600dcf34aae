// Shapes of the marks on cells. Every meaning has its own shape, so that colour is not needed.
import { createSvg } from "./dom.js";
import { star } from "./beam_paths.js";

const ring = (r, extra = {}) => createSvg("circle", { r, ...extra });
const path = (d) => createSvg("path", { d });

const SHAPES = {
  chosen: (outline) => [createSvg("polygon", { points: outline })],
  target: () => [ring(17, { class: "halo" }), ring(11)],
  swap: () => [path("M-40 -22A46 46 0 0 1 22 -40M22 -40l-13 -4M22 -40l-6 13M40 22A46 46 0 0 1 -22 40M-22 40l13 4M-22 40l6 -13")],
  aim: () => [path("M-15 0H-5M5 0H15M0 -15V-5M0 5V15"), ring(10)],
  hint: () => [createSvg("polygon", { points: star(5, 46, 34), class: "dashes" })],
  better: (outline) => [createSvg("polygon", { points: outline })],
  "better-right": () => [path("M-30 20A36 36 0 1 1 30 20M30 20l2 -17M30 20l-16 -7")],
  "better-left": () => [path("M30 20A36 36 0 1 0 -30 20M-30 20l-2 -17M-30 20l16 -7")],
  known: () => [ring(46, { class: "dashes" })],
  asked: (outline) => [createSvg("polygon", { points: outline, class: "dashes" })],
  hand: () => [path("M-18 40V0a8 8 0 0 1 14 0V-30a8 8 0 0 1 15 0V0a8 8 0 0 1 14 4V22q-4 18 -18 18Z")],
  // Differences between table and position.
  missing: () => [ring(40, { class: "dashes" }), path("M0 -14V14M-14 0H14")],
  extra: () => [path("M-34 -34L34 34M34 -34L-34 34")],
  "wrong-piece": () => [createSvg("polygon", { points: "0,-44 44,0 0,44 -44,0" })],
  "wrong-way": () => [path("M-42 14A44 44 0 0 1 14 -42M14 -42l-14 -5M14 -42l-8 13M42 -14A44 44 0 0 1 -14 42M-14 42l14 5M-14 42l8 -13")],
  unseen: () => [path("M-34 0Q0 -30 34 0Q0 30 -34 0ZM-30 30L30 -30")],
};

/** The elements of a mark around 0,0. */
export function markShape(look, outline, turn = 0) {
  const parts = (SHAPES[look] ?? SHAPES.asked)(outline);
  return turn ? [createSvg("g", { transform: `rotate(${turn})` }, ...parts)] : parts;
}
