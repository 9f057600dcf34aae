// Being rude to a simulated table: hands that push anything anywhere, a hand over the camera's view,
// and everything that may befall the devices.
import { at, button, capital, make, tell } from "./dom.js";

const HOW_MUCH = 12; // pixels, per cent or seconds: nobody is asked

export class Rude {
  constructor(link, hands) {
    this.link = link;
    this.hands = hands;
    this.key = "";
    at("rude-hands").addEventListener("change", (event) => {
      hands.rude = event.target.checked;
      hands.forget();
      hands.changed();
    });
    at("rude-cover").addEventListener("click", () => this.cover());
    at("rude-right").addEventListener("click", () => hands.send({ do: "put right" }));
  }

  show() {
    const { game } = this.link.model;
    const wanted = game.hands && this.hands.may("befall");
    at("rude").hidden = !wanted;
    if (!wanted) return;
    at("rude-hands").checked = this.hands.rude;
    tell(at("rude-cover").querySelector("span"), this.armedAct(null) ? "Now touch a square…" : this.hands.covers ? "Take the hand away" : "Hold a hand over a square…");
    const key = JSON.stringify([game.acts, this.hands.armed?.act]);
    if (key === this.key) return;
    this.key = key;
    at("rude-acts").replaceChildren(...game.acts.map((act) => make("li", {}, this.button(act))));
  }

  armedAct(act) {
    return this.hands.armed !== null && this.hands.armed.act === act;
  }

  button(act) {
    const words = act.replace(" CELL", " …").replace(/ (PX|PERCENT|SECONDS)$/, "");
    const armed = this.armedAct(act);
    return button(armed ? "Now touch a square…" : capital(words), null, () => this.act(act), { "aria-pressed": act.includes("CELL") ? String(armed) : null });
  }

  act(act) {
    const told = act.split(" ").filter((word) => /^[A-Z]{2,}$/.test(word) && word !== "LED");
    if (told.includes("CELL")) {
      this.arm(this.armedAct(act) ? null : { act, told: told.map((word) => (word === "CELL" ? null : HOW_MUCH)) });
      return;
    }
    this.hands.send({ do: "befall", act, told: told.map(() => HOW_MUCH) });
  }

  async cover() {
    if (this.hands.covers) {
      this.hands.covers = false;
      await this.hands.send({ do: "hand", cell: null });
      this.show();
    } else {
      this.arm(this.armedAct(null) ? null : { act: null, told: [] });
    }
  }

  /** It waits for a square: what covers the board on a small screen goes away. */
  arm(act) {
    this.hands.armed = act;
    if (act && at("panel").classList.contains("open")) at("sheet").click();
    this.hands.changed();
  }
}
