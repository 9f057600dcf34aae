// Marks for a better move: an arrow where a piece would go, a bent arrow where it would turn.
import { angleBetween } from "../shared/grid.js";

/** `pieces` is the position before the turn; `best.aimed` are the pieces after its moves. */
export function bestMoveMarks(pieces, best) {
  const before = new Map(pieces.map((piece) => [piece.cell, piece]));
  const after = new Map(best.aimed.map((piece) => [piece.cell, piece]));
  const left = best.changed.filter((cell) => before.has(cell) && !after.has(cell));
  const entered = best.changed.filter((cell) => !before.has(cell) && after.has(cell));
  const marks = best.changed.map((cell) => ({ cell, look: "better" }));
  if (left.length === 1 && entered.length === 1) return { marks, arrows: [{ from: left[0], to: entered[0] }] };
  const [one, other] = best.changed;
  if (best.changed.length === 2) return { marks, arrows: [{ from: one, to: other }, { from: other, to: one }] };
  if (best.changed.length !== 1) return { marks, arrows: [] };
  const turned = angleBetween(before.get(one)?.degrees ?? 0, after.get(one)?.degrees ?? 0);
  return { marks: [...marks, { cell: one, look: turned < 0 ? "better-left" : "better-right" }], arrows: [] };
}
