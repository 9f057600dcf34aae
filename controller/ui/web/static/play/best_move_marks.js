// A better move as marks for a board: an arrow where a piece would go, a bent one where it would turn.
import { angleBetween } from "../shared/grid.js";

/** `before` are the pieces that the move is made with; `best` is the turn with the pieces `aimed`. */
export function bestMoveMarks(before, best) {
  const was = new Map(before.map((piece) => [piece.cell, piece]));
  const now = new Map(best.aimed.map((piece) => [piece.cell, piece]));
  const gone = best.changed.filter((cell) => was.has(cell) && !now.has(cell));
  const come = best.changed.filter((cell) => !was.has(cell) && now.has(cell));
  const marks = best.changed.map((cell) => ({ cell, look: "better" }));
  if (gone.length === 1 && come.length === 1) return { marks, arrows: [{ from: gone[0], to: come[0] }] };
  const [one, other] = best.changed;
  if (best.changed.length === 2) return { marks, arrows: [{ from: one, to: other }, { from: other, to: one }] };
  if (best.changed.length !== 1) return { marks, arrows: [] };
  const turned = angleBetween(was.get(one)?.degrees ?? 0, now.get(one)?.degrees ?? 0);
  return { marks: [...marks, { cell: one, look: turned < 0 ? "better-left" : "better-right" }], arrows: [] };
}
