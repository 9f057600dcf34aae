// The views besides the board: the camera's image and the LEDs.
import { byId, createSvg, setText } from "../shared/dom.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";

const PAUSE_MS = 250;
const OLD_MS = 3000;
const LED_GAMMA = 0.55; // brightens values for a screen: even a dim LED is bright in a dark room

/** Shows the camera's newest image; polls only while the view is open. */
export class CameraPane {
  constructor() {
    this.active = false;
    this.address = null;
  }

  setActive(active) {
    if (active === this.active) return;
    this.active = active;
    if (active) this.poll();
  }

  async poll() {
    while (this.active) {
      await this.fetchImage();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async fetchImage() {
    try {
      const overlay = byId("overlay").checked ? "?overlay=1" : "";
      const answer = await fetch(`camera.jpg${overlay}`, { cache: "no-store" });
      if (!answer.ok) {
        const { error } = await answer.json().catch(() => ({}));
        setText(byId("camera-age"), sentenceText(error) || writeSentence("no_image"));
        return;
      }
      const age = Number(answer.headers.get("X-Age-Ms") ?? 0);
      const before = this.address;
      this.address = URL.createObjectURL(await answer.blob());
      byId("camera-picture").src = this.address;
      byId("camera-picture").hidden = false;
      if (before) URL.revokeObjectURL(before);
      byId("camera").classList.toggle("old", age > OLD_MS);
      setText(byId("camera-age"), age > OLD_MS ? writeSentence("old_image", { seconds: Math.round(age / 1000) }) : "live");
    } catch {
      byId("camera").classList.add("old");
      setText(byId("camera-age"), writeSentence("no_connection"));
    }
  }
}

/** Shows the LEDs as the board last confirmed them. */
export class LedPane {
  constructor(svg) {
    this.svg = svg;
    this.number = null;
    this.dots = [];
  }

  build(game, board) {
    if (this.number === game.number || !board.drawing) return;
    this.number = game.number;
    const { cell, outline } = board.drawing;
    this.svg.setAttribute("viewBox", board.extent.join(" "));
    const tiles = game.grid.cells.map(([, x, y]) =>
      createSvg("polygon", { class: "led-tile", points: outline, transform: `translate(${x * cell} ${y * cell})` }),
    );
    const places = game.leds.filter(Boolean);
    const per = Math.sqrt(Math.max(1, places.length / game.grid.cells.length));
    const radius = Math.min(30, (0.3 * cell) / per);
    this.dots = game.leds.map((place) => {
      if (!place) return null;
      const transform = `translate(${place[0] * cell} ${place[1] * cell})`;
      return createSvg("g", { transform, class: "led" }, createSvg("circle", { r: radius * 1.9, class: "halo" }), createSvg("circle", { r: radius }));
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
      dot.style.color = dark ? "" : screenColour(colour);
    });
    setText(byId("light-words"), lit ? writeSentence("lights_on", { lit, total: this.dots.length }) : writeSentence("lights_off"));
  }
}

/** The colour on a screen that resembles an LED beside the table. */
function screenColour(colour) {
  const parts = [0, 2, 4].map((i) => Math.round(255 * (parseInt(colour.slice(i, i + 2), 16) / 255) ** LED_GAMMA));
  return `rgb(${parts.join(" ")})`;
}
