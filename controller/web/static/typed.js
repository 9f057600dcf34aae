// How a move is typed in this game: by moves that can be made now.

/** `j4j3, h2+`, or with a shot `a6!c6`; empty if nothing can be moved. */
export function examples(ways, headings) {
  const all = Object.entries(ways).flatMap(([cell, found]) => found.map((way) => ({ cell, ...way })));
  const step = 360 / headings;
  const go = all.find((way) => way.to !== null);
  const turn = all.find((way) => way.to === null && Math.abs(Math.abs(way.turn) - step) < 1);
  const shot = all.find((way) => way.to === null && way.aims.length);
  return [
    go && `${go.cell}${go.to}`,
    turn && `${turn.cell}${turn.turn > 0 ? "+" : "-"}`,
    shot && `${shot.cell}!${shot.aims[0]}`,
  ].filter(Boolean).join(", ");
}
