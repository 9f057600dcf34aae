// The list of played turns in the game's notation, scrolled to the newest.
import { byId, createElement } from "../shared/dom.js";
import { joinAnd, sentenceText, writeSentence } from "../shared/sentences.js";

const SHORT = 11; // characters: turns up to this length fit in two columns

export class MoveList {
  /** `onSelect` is called with the number of a turn to replay. */
  constructor(list, onSelect) {
    this.list = list;
    this.onSelect = onSelect;
    this.key = "";
    // When the list shrinks, keep the current turn visible.
    new ResizeObserver(() => this.reveal()).observe(list);
  }

  /** Scroll the current turn to the middle. */
  reveal() {
    const { list } = this;
    const current = list.querySelector("[aria-current]");
    if (current) list.scrollTop = current.offsetTop - (list.clientHeight - current.offsetHeight) / 2;
  }

  /** `history` is `[{players, notation, losses, verdict?, sign?}]`; `now` is the current turn, null for the
   * last. */
  show(history, players, now = null) {
    const key = JSON.stringify([history, players.map(({ side }) => side), now]);
    if (key === this.key) return;
    this.key = key;
    const texts = history.map((turn) => sentenceText(turn.notation));
    const alternating = history.every((turn) => turn.players.length === 1);
    this.list.classList.toggle("pairs", alternating && texts.every((text) => text.length <= SHORT));
    const items = history.map((turn, index) => {
      const side = turn.players.length === 1 ? players[turn.players[0]] : null;
      const number = index + 1;
      const losses = turn.losses.filter((cell) => !new RegExp(`[x×]${cell}\\b`).test(texts[index]));
      const item = createElement("button", { type: "button", onclick: () => this.onSelect(number) },
        createElement("span", { class: "number" }, `${number}`),
        side && createElement("span", { class: "visually-hidden" }, ` ${side.side} `),
        createElement("span", { class: "text" }, texts[index]),
        turn.sign ? createElement("span", { class: "verdict", "data-verdict": turn.verdict, "aria-hidden": "true" }, turn.sign) : null,
        turn.sign ? createElement("span", { class: "visually-hidden" }, `, ${turn.verdict}`) : null,
        losses.length ? createElement("span", { class: "loss" }, `×${losses.join(" ×")}`) : null,
        turn.losses.length ? createElement("span", { class: "visually-hidden" }, `, ${writeSentence("captured", { cells: joinAnd(turn.losses) })}`) : null);
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
