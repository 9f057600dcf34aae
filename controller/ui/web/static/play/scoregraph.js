// Graph of the score after each turn; pointer and keys select a turn, as on a slider.
import { capitalize, createSvg } from "../shared/dom.js";
import { writeSentence } from "../shared/sentences.js";

const MARKS = {
  slip: "M-5 0A5 5 0 1 0 5 0A5 5 0 1 0 -5 0Z",
  mistake: "M0 -7L7 6H-7Z",
  blunder: "M-5.5 -5.5H5.5V5.5H-5.5Z",
  "missed win": "M0 -7.5L7.5 0L0 7.5L-7.5 0Z",
};
// Margins in pixels: room for the numbers to the left and below, and for marks at the edge.
const [LEFT, RIGHT, ABOVE, BELOW] = [30, 14, 9, 20];
const PIECES = [3, 1, 0, -1, -3]; // leads with a grid line
const APART = 34; // pixels between two numbers of turns
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200];

/** The height of a lead of `pieces`, 0 to 1: the same function as `share` of engine/analysis.py. */
const shareOf = (pieces) => 1 / (1 + 10 ** (-pieces / 3));

/** The graph's mark for a verdict, as an icon for text. */
export function verdictSign(verdict) {
  return createSvg("svg", { class: "sign", viewBox: "-8 -8 16 16", "aria-hidden": "true" }, createSvg("path", { class: "fault", "data-verdict": verdict, d: MARKS[verdict] }));
}

export class ScoreGraph {
  /** `go` is called with the number of a turn. */
  constructor(svg, go) {
    this.svg = svg;
    this.go = go;
    this.turns = [];
    this.total = 0;
    this.turn = 0;
    this.players = [];
    [this.width, this.height] = [600, 120];
    new ResizeObserver(() => this.render()).observe(svg);
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => event.buttons && this.press(event));
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  x(turn) {
    return LEFT + ((turn - 0.5) / Math.max(1, this.total)) * (this.width - LEFT - RIGHT);
  }

  y(share) {
    return ABOVE + (1 - share) * (this.height - ABOVE - BELOW);
  }

  /** `turns` are the analysed ones of `total`; `players` have the colours. */
  show(turns, total, players) {
    Object.assign(this, { turns, total, players });
    this.svg.toggleAttribute("hidden", turns.length === 0); // SVG has no property for it
    this.svg.setAttribute("aria-valuemax", String(total));
    this.render();
  }

  /** Draw in pixels, so that marks keep their shape at any width. */
  render() {
    const { svg, turns, players } = this;
    if (!turns.length || !svg.clientWidth) return;
    [this.width, this.height] = [svg.clientWidth, svg.clientHeight];
    const { width, height } = this;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const points = turns.map((each) => [this.x(each.turn), this.y(each.share)]);
    const line = points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
    const middle = this.y(0.5);
    const area = `M${points[0][0]} ${middle}L${line}L${points.at(-1)[0]} ${middle}Z`;
    // Each half has its own nested SVG, which clips the area at the middle.
    const half = (player) => {
      const [y, high] = player ? [middle, height - middle] : [0, middle];
      const part = createSvg("path", { d: area, class: "area" });
      part.style.fill = players[player].colours.body;
      return createSvg("svg", { y, width, height: high, viewBox: `0 ${y} ${width} ${high}` }, part);
    };
    const marks = turns.filter((each) => MARKS[each.verdict]).map((each) =>
      createSvg("path", { class: "fault", "data-verdict": each.verdict, "data-turn": each.turn, d: MARKS[each.verdict], transform: `translate(${this.x(each.turn)} ${this.y(each.share)})` }));
    this.now = createSvg("line", { class: "now", y1: ABOVE - 4, y2: this.y(0) + 4 });
    svg.replaceChildren(
      createSvg("rect", { class: "ground", width, height }),
      ...this.scale(),
      half(0), half(1),
      createSvg("path", { class: "line", d: `M${line}` }),
      ...this.legend(), this.now, ...marks);
    this.setTurn(this.turn);
  }

  /** Grid lines for leads, and the numbers of some turns. */
  scale() {
    const lines = PIECES.flatMap((pieces) => {
      const y = this.y(shareOf(pieces));
      const line = createSvg("line", { class: pieces ? "step" : "even", x1: LEFT, x2: this.width - RIGHT, y1: y, y2: y });
      const words = pieces > 0 ? `+${pieces}` : pieces < 0 ? `−${-pieces}` : "0";
      return [line, createSvg("text", { class: "number", x: LEFT - 7, y: y + 3.5, "text-anchor": "end" }, words)];
    });
    const room = this.width - LEFT - RIGHT;
    const every = STEPS.find((step) => (room / this.total) * step >= APART) ?? this.total;
    const numbers = [1, ...Array.from({ length: this.total }, (_, i) => i + 1).filter((turn) => turn % every === 0 && turn > 1 && this.x(turn) - this.x(1) >= APART / 2)];
    return [...lines, ...numbers.map((turn) => createSvg("text", { class: "number", x: this.x(turn), y: this.height - 6, "text-anchor": "middle" }, String(turn)))];
  }

  /** Labels: the first player leads above the middle, the second below. */
  legend() {
    return this.players.map(({ side, colours }, player) => {
      const words = createSvg("text", { class: "ahead", x: LEFT + 7, y: player ? this.y(0) - 4 : this.y(1) + 11 }, writeSentence("ahead", { player: capitalize(side) }));
      words.style.setProperty("--side", colours.body);
      return words;
    });
  }

  /** Mark the current turn. */
  setTurn(turn) {
    this.turn = turn;
    const x = String(turn ? this.x(turn) : LEFT);
    this.now?.setAttribute("x1", x);
    this.now?.setAttribute("x2", x);
    const found = this.turns.find((each) => each.turn === turn);
    this.svg.setAttribute("aria-valuenow", String(turn));
    this.svg.setAttribute("aria-valuetext", found ? writeSentence("turn_evaluated", { turn, score: found.words, verdict: found.verdict }) : writeSentence("turn", { turn }));
  }

  press(event) {
    const box = this.svg.getBoundingClientRect();
    const part = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    this.go(Math.max(1, Math.min(this.total, Math.ceil(part * this.total))));
  }

  key(event) {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
    const ends = { Home: 0, End: this.total };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) this.go(this.turn + steps[event.key]);
    else if (event.key in ends) this.go(ends[event.key]);
    else return;
    event.preventDefault();
  }
}
