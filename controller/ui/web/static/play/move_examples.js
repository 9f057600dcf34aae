// Examples of typed moves, taken from the legal moves.

/** `j4j3, h2+`, or with a shot `a6!c6`; empty without legal moves. */
export function moveExamples(legalMoves, headings) {
  const all = Object.entries(legalMoves).flatMap(([cell, found]) => found.map((move) => ({ cell, ...move })));
  const step = 360 / headings;
  const go = all.find((move) => move.to !== null);
  const turn = all.find((move) => move.to === null && Math.abs(Math.abs(move.turn) - step) < 1);
  const shot = all.find((move) => move.to === null && move.aims.length);
  return [
    go && `${go.cell}${go.to}`,
    turn && `${turn.cell}${turn.turn > 0 ? "+" : "-"}`,
    shot && `${shot.cell}!${shot.aims[0]}`,
  ].filter(Boolean).join(", ");
}
