// Animates the beams of a turn on a board, cell by cell like the LEDs of the table: mirrors light up
// when a beam reaches them, captured pieces burst. With `still`, the whole turn is drawn immediately.
import { createSvg } from "./dom.js";
import { litPart, points, beamPaths, star } from "./beam_paths.js";

const HOLD_MS = 1100; // after the last step of a running beam
const STILL_MS = 2600; // without motion
const STEP_MS = 70;

export class BeamAnimation {
  /** @param {import("./board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.running = null;
  }

  get busy() {
    return this.running !== null;
  }

  /** Animate the beams of a turn that started `since_ms` ago. `onEvent` is called with "fire",
   * "capture" or "damage", `done` at the end. */
  run(turn, { since_ms = 0, still = false, step_ms = turn.step_ms || STEP_MS, done = () => {}, onEvent = () => {} }) {
    this.stop();
    const { board } = this;
    const lines = beamPaths(board.grid, board.drawing.cell, turn.beams);
    const rays = turn.beams.map((beam, i) => this.ray(beam, lines[i]));
    const steps = Math.max(0, ...lines.map((line) => line.length - 1));
    const startedAt = performance.now() - Math.max(0, since_ms);
    const run = { frame: 0, timer: 0, done };
    this.running = run;
    if (turn.beams.length) onEvent("fire");
    const struck = new Set();
    const show = () => {
      const now = still ? steps : Math.min(steps, (performance.now() - startedAt) / step_ms);
      for (const ray of rays) this.grow(ray, now, still);
      for (const loss of turn.losses) {
        if (!struck.has(loss) && now >= this.stepOfLoss(turn, loss)) {
          struck.add(loss);
          this.showLoss(loss, still);
          onEvent(loss.removed ? "capture" : "damage");
        }
      }
      if (now < steps) run.frame = requestAnimationFrame(show);
      else run.timer = setTimeout(() => this.finish(run), still ? STILL_MS : turn.beams.length ? HOLD_MS : 350);
    };
    show();
  }

  /** Draw the whole turn without animation. */
  showWhole(turn) {
    this.clear();
    const lines = beamPaths(this.board.grid, this.board.drawing.cell, turn.beams);
    turn.beams.forEach((beam, i) => this.grow(this.ray(beam, lines[i]), Infinity, true));
    for (const loss of turn.losses) this.showLoss(loss, true);
  }

  /** The step of a loss: the first beam that ends on its cell. */
  stepOfLoss(turn, loss) {
    const ends = turn.beams
      .filter((beam) => beam.steps[beam.steps.length - 1].cell === loss.cell)
      .map((beam) => beam.steps.length - 1);
    return ends.length ? Math.min(...ends) : Math.max(0, ...turn.beams.map((beam) => beam.steps.length - 1));
  }

  ray(beam, line) {
    const { beam: colour } = this.board.players[beam.player].colours;
    const stroke = (name) => createSvg("polyline", { class: name, stroke: colour });
    const below = [stroke("wide"), stroke("mid")];
    const above = [stroke("edge"), stroke("ray"), createSvg("polyline", { class: "core" })];
    const head = createSvg("circle", { class: "head", r: 9, fill: colour });
    this.board.layers.glow.append(...below);
    this.board.layers.light.append(...above, head);
    return { beam, line, lines: [...below, ...above], head, colour, lit: 0, ended: false };
  }

  grow(ray, steps, still) {
    const shown = litPart(ray.line, Math.min(steps, ray.line.length - 1));
    const text = points(shown.length > 1 ? shown : [shown[0], shown[0]]);
    for (const line of ray.lines) line.setAttribute("points", text);
    const last = shown[shown.length - 1];
    ray.head.setAttribute("transform", `translate(${last.x} ${last.y})`);
    for (; ray.lit <= Math.min(steps, ray.line.length - 1); ray.lit += 1) {
      if (ray.beam.steps[ray.lit]?.what === "turn") this.showReflection(ray, ray.line[ray.lit], still);
    }
    if (steps >= ray.line.length - 1 && !ray.ended) {
      ray.ended = true;
      ray.head.remove();
      this.end(ray, last);
    }
  }

  showReflection(ray, at, still) {
    const place = `translate(${at.x} ${at.y})`;
    this.board.layers.light.append(
      createSvg("g", { class: "gleam", transform: place }, createSvg("circle", { r: 8, fill: ray.colour }), createSvg("circle", { r: 3.8, class: "white" }),
        still ? null : createSvg("circle", { r: 10, class: "wave", stroke: ray.colour })),
    );
  }

  end(ray, at) {
    const last = ray.beam.steps[ray.beam.steps.length - 1];
    const put = (...parts) =>
      this.board.layers.light.append(createSvg("g", { class: `end ${last.what}`, transform: `translate(${at.x} ${at.y})` }, ...parts));
    if (last.what === "leave") {
      put(createSvg("polygon", { points: "0,-15 9,2 0,-3 -9,2", fill: ray.colour, transform: `rotate(${last.left})` }));
    } else if (["absorb", "damage", "annihilate"].includes(last.what)) {
      const spark = last.what === "annihilate";
      put(createSvg("circle", { r: 15, fill: ray.colour, "fill-opacity": 0.3 }),
        createSvg("polygon", { points: spark ? star(4, 24, 4) : star(6, 15, 5), fill: spark ? "#fff" : ray.colour }),
        createSvg("circle", { r: 4.5, class: "white" }));
    }
  }

  /** Show a hit piece: a captured one bursts, a damaged one gets a plate with the lost hit points. */
  showLoss(loss, still) {
    const { board } = this;
    const place = board.transformTo(board.grid.place(loss.cell));
    const piece = board.pieceOn(loss.cell);
    if (!loss.removed) {
      const plate = createSvg("g", { class: "lost", transform: place },
        createSvg("rect", { x: 2, y: -50, width: 42, height: 24, rx: 12 }),
        createSvg("text", { x: 23, y: -37, "text-anchor": "middle", "dominant-baseline": "central" }, `-${loss.hits}`));
      board.layers.light.append(plate);
      return;
    }
    piece?.element.classList.add(still ? "struck" : "bursting");
    board.layers.light.append(
      createSvg("g", { transform: place },
        createSvg("g", { class: still ? "burst still" : "burst" },
          createSvg("circle", { r: 44, class: "outer", "fill-opacity": 0.22 }),
          createSvg("polygon", { points: star(7, 44, 14), class: "outer" }),
          createSvg("polygon", { points: star(12, 33, 20), class: "outer" }),
          createSvg("polygon", { points: star(10, 27, 13), class: "inner" }),
          createSvg("polygon", { points: star(8, 16, 8), class: "white" }))),
    );
  }

  finish(run) {
    if (this.running !== run) return;
    this.running = null;
    this.fade();
    run.done();
  }

  /** Turn the beams into a faint trace, which stays until `clear`. */
  fade() {
    for (const layer of [this.board.layers.glow, this.board.layers.light]) layer.classList.add("trace");
    for (const burst of this.board.layers.light.querySelectorAll(".burst, .lost, .gleam .wave")) burst.remove();
  }

  /** Stop a running animation (its `done` is called) and remove its light. */
  stop() {
    const run = this.running;
    if (run) {
      cancelAnimationFrame(run.frame);
      clearTimeout(run.timer);
      this.running = null;
      run.done();
    }
    this.clear();
  }

  clear() {
    for (const layer of [this.board.layers.glow, this.board.layers.light]) {
      layer?.replaceChildren();
      layer?.classList.remove("trace");
    }
  }
}
