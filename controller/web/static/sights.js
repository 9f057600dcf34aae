// The other two ways to look at the table: through the camera, and at its LEDs.
import { at, draw, tell } from "./dom.js";

const PAUSE_MS = 250;
const OLD_MS = 3000;
const EYE = 0.55; // an LED that is dim on a screen is bright in a dark room

/** The camera's newest picture, fetched again and again while somebody looks. */
export class Camera {
  constructor() {
    this.looking = false;
    this.address = null;
  }

  look(wanted) {
    if (wanted === this.looking) return;
    this.looking = wanted;
    if (wanted) this.next();
  }

  async next() {
    while (this.looking) {
      await this.once();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async once() {
    try {
      const overlay = at("overlay").checked ? "?overlay=1" : "";
      const answer = await fetch(`camera.jpg${overlay}`, { cache: "no-store" });
      if (!answer.ok) {
        const { error } = await answer.json().catch(() => ({ error: "" }));
        tell(at("camera-age"), error || "there is no picture");
        return;
      }
      const age = Number(answer.headers.get("X-Age-Ms") ?? 0);
      const before = this.address;
      this.address = URL.createObjectURL(await answer.blob());
      at("camera-picture").src = this.address;
      at("camera-picture").hidden = false;
      if (before) URL.revokeObjectURL(before);
      at("camera").classList.toggle("old", age > OLD_MS);
      tell(at("camera-age"), age > OLD_MS ? `an old picture: ${Math.round(age / 1000)} s ago` : "live");
    } catch {
      at("camera").classList.add("old");
      tell(at("camera-age"), "no connection");
    }
  }
}

/** The LEDs, as the board has last confirmed them. */
export class Light {
  constructor(svg) {
    this.svg = svg;
    this.number = null;
    this.dots = [];
  }

  lay(game, board) {
    if (this.number === game.number || !board.drawing) return;
    this.number = game.number;
    const { cell, outline } = board.drawing;
    this.svg.setAttribute("viewBox", board.extent.join(" "));
    const tiles = game.grid.cells.map(([, x, y]) =>
      draw("polygon", { class: "led-tile", points: outline, transform: `translate(${x * cell} ${y * cell})` }),
    );
    const places = game.leds.filter(Boolean);
    const per = Math.sqrt(Math.max(1, places.length / game.grid.cells.length));
    const radius = Math.min(30, (0.3 * cell) / per);
    this.dots = game.leds.map((place) => {
      if (!place) return null;
      const transform = `translate(${place[0] * cell} ${place[1] * cell})`;
      return draw("g", { transform, class: "led" }, draw("circle", { r: radius * 1.9, class: "halo" }), draw("circle", { r: radius }));
    });
    this.svg.replaceChildren(...tiles, ...this.dots.filter(Boolean));
    this.shown = [];
  }

  show(leds) {
    let lit = 0;
    this.dots.forEach((dot, i) => {
      const colour = leds ? leds.slice(6 * i, 6 * i + 6) : "";
      const dark = colour === "" || colour === "000000";
      if (!dark) lit += 1;
      if (!dot || this.shown[i] === colour) return;
      this.shown[i] = colour;
      dot.classList.toggle("lit", !dark);
      dot.style.color = dark ? "" : brightened(colour);
    });
    tell(at("light-words"), lit ? `${lit} of ${this.dots.length} lights are on` : "all lights are off");
  }
}

/** The colour of an LED as an eye beside the table has it. */
function brightened(colour) {
  const parts = [0, 2, 4].map((i) => Math.round(255 * (parseInt(colour.slice(i, i + 2), 16) / 255) ** EYE));
  return `rgb(${parts.join(" ")})`;
}
