// The score after each turn as a graph that can be pressed, and walked along by keys like a slider.
import { draw } from "./dom.js";

const MARKS = {
  slip: "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z",
  mistake: "M0 -7L7 6H-7Z",
  blunder: "M-5.5 -5.5H5.5V5.5H-5.5Z",
  "missed win": "M0 -7.5L7.5 0L0 7.5L-7.5 0Z",
};
const EDGE = 8; // pixels that are kept free above and below

export class ScoreGraph {
  /** `go` is called with the number of a turn. */
  constructor(svg, go) {
    this.svg = svg;
    this.go = go;
    this.turns = [];
    this.of = 0;
    this.turn = 0;
    this.players = [];
    [this.width, this.height] = [600, 80];
    new ResizeObserver(() => this.lay()).observe(svg);
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => event.buttons && this.press(event));
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  x(turn) {
    return ((turn - 0.5) / Math.max(1, this.of)) * this.width;
  }

  y(share) {
    return EDGE + (1 - share) * (this.height - 2 * EDGE);
  }

  /** `turns` are those that were judged, of `of`; `players` have the colours. */
  show(turns, of, players) {
    Object.assign(this, { turns, of, players });
    this.svg.toggleAttribute("hidden", turns.length === 0); // SVG has no property for it
    this.svg.setAttribute("aria-valuemax", String(of));
    this.lay();
  }

  /** In pixels, so that signs keep their shape however wide it is. */
  lay() {
    const { svg, turns, players } = this;
    if (!turns.length || !svg.clientWidth) return;
    [this.width, this.height] = [svg.clientWidth, svg.clientHeight];
    const { width, height } = this;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const points = turns.map((each) => [this.x(each.turn), this.y(each.share)]);
    const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const middle = this.y(0.5);
    const area = `M${points[0][0]} ${middle}L${line}L${points.at(-1)[0]} ${middle}Z`;
    // Each half in a window of its own, which cuts the area off at the middle.
    const half = (player) => {
      const y = (player * height) / 2;
      const part = draw("path", { d: area, class: "area" });
      part.style.fill = players[player].colours.body;
      return draw("svg", { y, width, height: height / 2, viewBox: `0 ${y} ${width} ${height / 2}` }, part);
    };
    const marks = turns.filter((each) => MARKS[each.verdict]).map((each) =>
      draw("path", { class: "fault", "data-verdict": each.verdict, "data-turn": each.turn, d: MARKS[each.verdict], transform: `translate(${this.x(each.turn)} ${this.y(each.share)})` }));
    this.now = draw("line", { class: "now", y1: 0, y2: height });
    svg.replaceChildren(
      draw("rect", { class: "ground", width, height }),
      draw("line", { class: "even", x1: 0, x2: width, y1: middle, y2: middle }),
      half(0), half(1),
      draw("path", { class: "line", d: `M${line}` }),
      this.now, ...marks);
    this.point(this.turn);
  }

  /** The turn that is looked at. */
  point(turn) {
    this.turn = turn;
    const x = String(turn ? this.x(turn) : 0);
    this.now?.setAttribute("x1", x);
    this.now?.setAttribute("x2", x);
    const found = this.turns.find((each) => each.turn === turn);
    this.svg.setAttribute("aria-valuenow", String(turn));
    this.svg.setAttribute("aria-valuetext", found ? `turn ${turn}, ${found.words}, ${found.verdict}` : `turn ${turn}`);
  }

  press(event) {
    const box = this.svg.getBoundingClientRect();
    const part = (event.clientX - box.left) / box.width;
    this.go(Math.max(1, Math.min(this.of, Math.ceil(part * this.of))));
  }

  key(event) {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
    const ends = { Home: 0, End: this.of };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) this.go(this.turn + steps[event.key]);
    else if (event.key in ends) this.go(ends[event.key]);
    else return;
    event.preventDefault();
  }
}
