// The small bar beside a piece that is picked up: turn it, or choose among moves to the same cell.
// It keeps two cells away from the piece, because next to it are the squares to go to.
import { button, capital } from "./dom.js";

const AWAY = 1.62; // cells

export class Floating {
  constructor(bar, board, hands) {
    Object.assign(this, { bar, board, hands });
    this.answer = null;
    bar.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.place()).observe(board.svg);
  }

  /** What can be done with what is held, besides going somewhere. */
  show() {
    const { hands, board } = this;
    if (this.answer) return;
    const held = hands.pushing ? hands.heldThing() : hands.chosen && board.pieceOn(hands.shownAt(hands.chosen));
    if (!held) {
      this.bar.hidden = true;
      return;
    }
    const turn = (way, words, sign) =>
      button("", sign, () => hands.turn(way, held.cell || undefined), { "aria-label": words, title: words });
    const buttons = [];
    const step = 360 / board.grid.headings;
    const turns = (way) => hands.pushing || hands.ways.some((each) => each.to === null && Math.abs(each.turn - way * step) < 1);
    if (turns(-1)) buttons.push(turn(-1, "Turn left", "left"));
    if (turns(1)) buttons.push(turn(1, "Turn right", "right"));
    const others = hands.ways.filter((way) => way.to === null && !way.aims.length && Math.abs(Math.abs(way.turn) - step) > 1);
    if (others.length) buttons.push(button("Other…", null, async () => {
      const way = await this.ask(hands.shownAt(hands.chosen), others);
      if (way) hands.make(way);
    }));
    if (hands.pushing) {
      buttons.push(button("Take off", "off", () => hands.take(held.id)));
    }
    if (!buttons.length) {
      this.bar.hidden = true; // "put back" is below the board
      return;
    }
    buttons.push(button("", "close", () => hands.letGo(), { "aria-label": "Put back", title: "Put back" }));
    this.bar.setAttribute("aria-label", `${held.kind} ${held.cell ?? ""} is picked up`);
    this.fill(buttons, held);
  }

  /** Which of several moves is meant; null: none. */
  ask(cell, ways) {
    this.answer?.(null);
    return new Promise((resolve) => {
      const back = document.activeElement;
      const done = (way) => {
        this.answer = null;
        this.bar.hidden = true;
        if (this.board.svg.contains(back)) back.focus();
        resolve(way);
        this.hands.changed();
      };
      this.answer = done;
      this.bar.setAttribute("aria-label", `which is meant, on ${cell}?`);
      this.fill(
        [...ways.map((way) => button(capital(way.words), null, () => done(way))), button("", "close", () => done(null), { "aria-label": "None" })],
        this.board.grid.place(cell),
      );
      this.bar.querySelector("button").focus();
    });
  }

  fill(buttons, place) {
    const kept = this.bar.contains(document.activeElement) ? [...this.bar.children].indexOf(document.activeElement) : -1;
    this.bar.replaceChildren(...buttons);
    this.near = place;
    this.bar.hidden = false;
    this.place();
    if (kept >= 0) this.bar.children[Math.min(kept, buttons.length - 1)].focus();
  }

  place() {
    if (this.bar.hidden || !this.near || !this.bar.offsetParent) return;
    const frame = this.bar.offsetParent.getBoundingClientRect();
    const at = this.board.onScreen(this.near);
    const [width, height] = [this.bar.offsetWidth, this.bar.offsetHeight];
    const x = Math.min(Math.max(at.x - frame.left - width / 2, 2), frame.width - width - 2);
    const above = at.y - frame.top - AWAY * at.cell - height;
    const y = above >= -height / 2 ? above : at.y - frame.top + AWAY * at.cell;
    this.bar.style.left = `${x}px`;
    this.bar.style.top = `${y}px`;
  }

  key(event) {
    const buttons = [...this.bar.querySelectorAll("button")];
    const now = buttons.indexOf(document.activeElement);
    if (event.key === "Escape") {
      if (this.answer) this.answer(null);
      else {
        this.hands.letGo();
        this.board.focus();
      }
    } else if (event.key === "ArrowRight" || event.key === "ArrowDown") {
      buttons[(now + 1) % buttons.length].focus();
    } else if (event.key === "ArrowLeft" || event.key === "ArrowUp") {
      buttons[(now + buttons.length - 1) % buttons.length].focus();
    } else if (/^[1-9]$/.test(event.key) && this.answer) {
      buttons[Number(event.key) - 1]?.click();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
