// Beams as polylines, with the same geometry as `engine.draw.beams`: a beam bends in the middle of a
// cell, stops on the face of the piece it hits, and beams that share an edge run side by side.

const LANE = 5; // distance between parallel beams, in drawing units
const FACE = 0.3; // distance of a piece's face from the middle, in cells

function towards({ x, y }, degrees, length) {
  const angle = (degrees * Math.PI) / 180;
  return { x: x + length * Math.sin(angle), y: y - length * Math.cos(angle) };
}

function point(grid, cell, step) {
  const { x, y } = grid.place(step.cell);
  const middle = { x: x * cell, y: y * cell };
  if (step.edge && step.left !== null) return towards(middle, step.left, cell / 2);
  if (["absorb", "damage"].includes(step.what) && step.entered !== null) {
    return towards(middle, step.entered, -FACE * cell);
  }
  return middle;
}

/** The edges between cells that a beam crosses: in its own direction, and in either direction. */
function crossedEdges(grid, steps) {
  const forward = new Set();
  const either = new Set();
  steps.slice(0, -1).forEach((step, i) => {
    if (step.left === null || steps[i + 1].edge) return;
    forward.add(`${step.cell} ${step.left}`);
    either.add(`${step.cell} ${step.left}`);
    const next = grid.ahead(step.cell, step.left);
    if (next) either.add(`${next} ${(step.left + 180) % 360}`);
  });
  return { forward, either };
}

const share = (one, other) => [...one].some((each) => other.has(each));

function offsetLine(line, distance) {
  if (!distance || line.length < 2) return line;
  const directions = line.slice(1).map((to, i) => {
    const [dx, dy] = [to.x - line[i].x, to.y - line[i].y];
    const length = Math.hypot(dx, dy) || 1;
    return { x: dx / length, y: dy / length };
  });
  return line.map((at, i) => {
    const before = directions[Math.max(0, i - 1)];
    const after = directions[Math.min(i, directions.length - 1)];
    const stretch = distance / Math.max(0.2, 1 + before.x * after.x + before.y * after.y);
    return { x: at.x - stretch * (before.y + after.y), y: at.y + stretch * (before.x + after.x) };
  });
}

/** A polyline for every beam, with a point for every step. */
export function beamPaths(grid, cell, beams) {
  const edges = beams.map((beam) => crossedEdges(grid, beam.steps));
  return beams.map((beam, i) => {
    const meets = edges.some((other, j) => j !== i && share(edges[i].forward, other.either));
    const lane = meets ? 1 + edges.slice(0, i).filter((other) => share(edges[i].forward, other.forward)).length : 0;
    return offsetLine(beam.steps.map((step) => point(grid, cell, step)), lane * LANE);
  });
}

/** The part of a line that is lit after `steps`, which may be a fraction. */
export function litPart(line, steps) {
  const whole = Math.min(line.length - 1, Math.floor(steps));
  const shown = line.slice(0, whole + 1);
  if (whole < line.length - 1) {
    const [from, to, part] = [line[whole], line[whole + 1], steps - whole];
    shown.push({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part });
  }
  return shown;
}

export const points = (line) => line.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");

/** The corners of a star around 0,0. */
export function star(spikes, outer, inner) {
  const tips = Array.from({ length: 2 * spikes }, (_, i) =>
    towards({ x: 0, y: 0 }, (i * 180) / spikes, i % 2 ? inner : outer),
  );
  return points(tips);
}
