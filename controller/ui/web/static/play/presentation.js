// Presentation mode: full screen, board and beams only. A projector above a paper board can show the
// beams alone, fitted to the paper by its four corners.
import { byId, createElement } from "../shared/dom.js";
import { writeSentence } from "../shared/sentences.js";

const KEY = "laserboard-corners";
const QUIET_MS = 2500; // until the buttons are hidden

export class Presentation {
  constructor({ changed }) {
    this.changed = changed;
    this.on = false;
    this.corners = null; // [[x, y], ...] as fractions of the window, clockwise from the upper left
    this.fitting = false;
    byId("show-leave").addEventListener("click", () => this.set(false));
    byId("show-light").addEventListener("click", () => this.lightOnly(byId("show-light").getAttribute("aria-pressed") !== "true"));
    byId("show-fit").addEventListener("click", () => this.setFitting(!this.fitting));
    byId("show-reset").addEventListener("click", () => this.moveTo(null));
    document.addEventListener("fullscreenchange", () => document.fullscreenElement || !this.full || this.set(false));
    for (const event of ["pointermove", "keydown", "focusin"]) document.addEventListener(event, () => this.wakeControls());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.on && !this.full && this.set(false));
    addEventListener("resize", () => this.apply());
    this.handles = [0, 1, 2, 3].map((number) => this.handle(number));
    byId("show-handles").append(...this.handles);
    this.corners = read();
  }

  async set(wanted) {
    if (wanted === this.on) return;
    this.on = wanted;
    document.body.classList.toggle("show", wanted);
    byId("show-bar").hidden = !wanted;
    if (!wanted) {
      this.setFitting(false);
      this.lightOnly(false);
    }
    this.full = false;
    try {
      if (wanted) await document.documentElement.requestFullscreen();
      else if (document.fullscreenElement) await document.exitFullscreen();
      this.full = wanted;
    } catch {
      // full screen is refused: the window is used
    }
    this.apply();
    this.wakeControls();
    this.changed();
  }

  /** Show only the beams, for a projector: squares and pieces are on the paper. */
  lightOnly(wanted) {
    document.body.classList.toggle("light-only", wanted);
    byId("show-light").setAttribute("aria-pressed", String(wanted));
  }

  wakeControls() {
    if (!this.on) return;
    document.body.classList.remove("quiet");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => document.body.classList.toggle("quiet", this.on && !this.fitting && !byId("show-bar").contains(document.activeElement)), QUIET_MS);
  }

  // -- fitting to the paper --------------------------------------------------------------------------

  setFitting(wanted) {
    this.fitting = wanted;
    byId("show-fit").setAttribute("aria-pressed", String(wanted));
    byId("show-handles").hidden = !wanted;
    byId("show-reset").hidden = !wanted;
    this.apply();
    if (wanted) this.handles[0].focus();
  }

  handle(number) {
    const names = ["upper left", "upper right", "lower right", "lower left"];
    const handle = createElement("button", { type: "button", class: "handle", "aria-label": writeSentence("corner", { corner: names[number] }) });
    handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
    handle.addEventListener("pointermove", (event) => {
      if (handle.hasPointerCapture(event.pointerId)) this.moveCorner(number, event.clientX / innerWidth, event.clientY / innerHeight);
    });
    handle.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!by) return;
      event.preventDefault();
      const [x, y] = this.now()[number];
      const step = event.shiftKey ? 10 : 1;
      this.moveCorner(number, x + (by[0] * step) / innerWidth, y + (by[1] * step) / innerHeight);
    });
    return handle;
  }

  now() {
    return this.corners ?? [[0, 0], [1, 0], [1, 1], [0, 1]];
  }

  moveCorner(number, x, y) {
    const corners = this.now().map((each) => [...each]);
    corners[number] = [x, y];
    this.moveTo(corners);
  }

  moveTo(corners) {
    this.corners = corners;
    try {
      if (corners) localStorage.setItem(KEY, JSON.stringify(corners));
      else localStorage.removeItem(KEY);
    } catch {
      // the browser stores nothing
    }
    this.apply();
  }

  apply() {
    const moved = this.on && this.corners ? cornerTransform(this.corners, innerWidth, innerHeight) : "";
    for (const field of document.querySelectorAll(".field")) field.style.transform = moved;
    this.now().forEach(([x, y], number) => {
      this.handles[number].style.left = `${x * 100}%`;
      this.handles[number].style.top = `${y * 100}%`;
    });
  }
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

/** CSS matrix that maps the corners of the window to `corners` (a projective map). */
function cornerTransform(corners, width, height) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners.map(([x, y]) => [x * width, y * height]);
  const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / determinant;
  const h = (dx1 * sy - sx * dy1) / determinant;
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
  const columns = [a / width, d / width, 0, g / width, b / height, e / height, 0, h / height, 0, 0, 1, 0, x0, y0, 0, 1];
  return `matrix3d(${columns.map((each) => each.toFixed(8)).join(",")})`;
}
