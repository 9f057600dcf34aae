// The turns that were played, in the game's own notation, newest in sight.
import { byId, createElement } from "../shared/dom.js";

const SHORT = 11; // letters: two of them fit side by side

export class MoveList {
  /** `onSelect` is called with the number of a turn that somebody wants to see again. */
  constructor(list, onSelect) {
    this.list = list;
    this.onSelect = onSelect;
    this.key = "";
    // What grows beside it takes its room: what was in sight stays so.
    new ResizeObserver(() => this.reveal()).observe(list);
  }

  /** Bring the turn that is shown into sight, in the middle of those around it. */
  reveal() {
    const { list } = this;
    const current = list.querySelector("[aria-current]");
    if (current) list.scrollTop = current.offsetTop - (list.clientHeight - current.offsetHeight) / 2;
  }

  /** `history` is `[{players, text, losses, verdict?, sign?}]`; `now` the turn that is shown, if it is
   * not the last. */
  show(history, players, now = null) {
    const key = JSON.stringify([history, players.map(({ side }) => side), now]);
    if (key === this.key) return;
    this.key = key;
    const alone = history.every((turn) => turn.players.length === 1);
    this.list.classList.toggle("pairs", alone && history.every((turn) => turn.text.length <= SHORT));
    const items = history.map((turn, index) => {
      const side = turn.players.length === 1 ? players[turn.players[0]] : null;
      const number = index + 1;
      const losses = turn.losses.filter((cell) => !new RegExp(`[x×]${cell}\\b`).test(turn.text));
      const item = createElement("button", { type: "button", onclick: () => this.onSelect(number) },
        createElement("span", { class: "number" }, `${number}`),
        side && createElement("span", { class: "visually-hidden" }, ` ${side.side} `),
        createElement("span", { class: "text" }, turn.text),
        turn.sign ? createElement("span", { class: "verdict", "data-verdict": turn.verdict, "aria-hidden": "true" }, turn.sign) : null,
        turn.sign ? createElement("span", { class: "visually-hidden" }, `, ${turn.verdict}`) : null,
        losses.length ? createElement("span", { class: "loss" }, `×${losses.join(" ×")}`) : null,
        turn.losses.length ? createElement("span", { class: "visually-hidden" }, `, captured ${turn.losses.join(" and ")}`) : null);
      item.dataset.shape = side === null ? "none" : side.shape;
      if (side) item.style.setProperty("--side", side.colours.body);
      if (number === now || (now === null && number === history.length)) item.setAttribute("aria-current", "step");
      return createElement("li", {}, item);
    });
    this.list.replaceChildren(...items);
    this.reveal();
    const none = byId(this.list.dataset.none);
    if (none) none.hidden = history.length > 0;
  }
}
