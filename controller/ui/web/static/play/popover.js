// The toolbar near a picked-up piece: turn it, or choose among several moves to the same cell. It
// keeps two cells away from the piece, because the squares next to it are destinations.
import { button, capitalize } from "../shared/dom.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";

const DISTANCE_CELLS = 1.62;

export class Popover {
  constructor(bar, board, moveInput) {
    Object.assign(this, { bar, board, moveInput });
    this.answer = null;
    bar.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.place()).observe(board.svg);
  }

  /** Offer what can be done with the picked-up piece besides moving it. */
  show() {
    const { moveInput, board } = this;
    if (this.answer) return;
    const held = moveInput.movesObjects ? moveInput.heldObject() : moveInput.chosen && board.pieceOn(moveInput.shownAt(moveInput.chosen));
    if (!held) {
      this.bar.hidden = true;
      return;
    }
    const turn = (direction, words, sign) =>
      button("", sign, () => moveInput.turn(direction, held.cell || undefined), { "aria-label": words, title: words });
    const buttons = [];
    const step = 360 / board.grid.headings;
    const turns = (direction) => moveInput.movesObjects || moveInput.heldMoves.some((each) => each.to === null && Math.abs(each.turn - direction * step) < 1);
    if (turns(-1)) buttons.push(turn(-1, "Turn left", "left"));
    if (turns(1)) buttons.push(turn(1, "Turn right", "right"));
    const others = moveInput.heldMoves.filter((move) => move.to === null && !move.aims.length && Math.abs(Math.abs(move.turn) - step) > 1);
    if (others.length) buttons.push(button("Other…", null, async () => {
      const move = await this.ask(moveInput.shownAt(moveInput.chosen), others);
      if (move) moveInput.sendMove(move);
    }));
    if (moveInput.movesObjects) {
      buttons.push(button("Take off", "off", () => moveInput.takeOff(held.id)));
    }
    if (!buttons.length) {
      this.bar.hidden = true; // "put back" is below the board
      return;
    }
    buttons.push(button("", "close", () => moveInput.drop(), { "aria-label": "Put back", title: "Put back" }));
    this.bar.setAttribute("aria-label", writeSentence("picked_up", { kind: held.kind, cell: held.cell ?? "" }));
    this.fill(buttons, held);
  }

  /** Let the user choose one of several moves; resolves to null if none is meant. */
  ask(cell, moves) {
    this.answer?.(null);
    return new Promise((resolve) => {
      const back = document.activeElement;
      const done = (move) => {
        this.answer = null;
        this.bar.hidden = true;
        if (this.board.svg.contains(back)) back.focus();
        resolve(move);
        this.moveInput.changed();
      };
      this.answer = done;
      this.bar.setAttribute("aria-label", writeSentence("choose_move", { cell }));
      this.fill(
        [...moves.map((move) => button(capitalize(sentenceText(move.words)), null, () => done(move))), button("", "close", () => done(null), { "aria-label": "None" })],
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
    const above = at.y - frame.top - DISTANCE_CELLS * at.cell - height;
    const y = above >= -height / 2 ? above : at.y - frame.top + DISTANCE_CELLS * at.cell;
    this.bar.style.left = `${x}px`;
    this.bar.style.top = `${y}px`;
  }

  key(event) {
    const buttons = [...this.bar.querySelectorAll("button")];
    const now = buttons.indexOf(document.activeElement);
    if (event.key === "Escape") {
      if (this.answer) this.answer(null);
      else {
        this.moveInput.drop();
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
