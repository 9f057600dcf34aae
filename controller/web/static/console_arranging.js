// A board on which a referee puts pieces as they should stand, and takes them from beside it.
import { Touched } from "./console_boards.js";
import { button, capital, draw, make, parsed } from "./dom.js";
import { between } from "./grid.js";
import { pieceWords } from "./words.js";

/** Put pieces anywhere: drag them, turn them, take them off, put back what was captured. */
export class ArrangeBoard extends Touched {
  constructor(looks, position, changed) {
    super(looks, changed);
    this.pushing = true;
    this.set = position.set;
    this.lost = [...position.lost]; // the last first, each as it stood before
    this.unclear = false; // a number that is none is being typed
    this.put = position.pieces.map((piece, id) => ({ ...piece, id: id + 1 }));
    this.next = this.put.length + 1;
    this.thing = null;
    this.wanted = null; // from the tray
    this.tray = make("div", { class: "tray", role: "group", "aria-label": "Pieces beside the board" });
    this.element.insertBefore(this.tray, this.words);
    this.show();
  }

  get pieces() {
    return this.put.map(({ id, ...piece }) => piece).sort((one, other) => (one.cell < other.cell ? -1 : 1));
  }

  heldThing() {
    return this.board.shown.find((piece) => piece.id === this.thing) ?? null;
  }

  hold(thing) {
    this.thing = this.thing === thing ? null : thing;
    this.show();
  }

  letGo() {
    this.thing = this.wanted = null;
    this.show();
  }

  escape() {
    this.letGo();
  }

  touch(cell) {
    const there = this.put.find((piece) => piece.cell === cell);
    if (this.wanted) {
      if (there) this.lost.unshift(there);
      this.put = this.put.filter((piece) => piece !== there);
      this.put.push({ ...this.wanted, id: this.next, cell });
      const back = this.lost.findIndex((piece) => spareKey(piece) === spareKey(this.wanted));
      if (back >= 0) this.lost.splice(back, 1);
      this.thing = this.next;
      this.next += 1;
      this.wanted = null;
      this.show();
    } else if (this.thing !== null && there?.id !== this.thing) {
      this.move(this.thing, cell);
    } else if (there) {
      this.hold(there.id);
    }
  }

  move(id, cell) {
    const piece = this.put.find((each) => each.id === id);
    const there = this.put.find((each) => each.cell === cell && each.id !== id);
    if (there) there.cell = piece.cell; // they change places
    piece.cell = cell;
    this.thing = id;
    this.show();
  }

  push(id, place, tidy = 1, steps = 0) {
    if (steps) return this.twist(id, steps);
    const cell = this.board.grid.at(place.x, place.y);
    return cell ? this.move(id, cell) : this.take(id);
  }

  turn(way, cell) {
    const id = this.thing ?? this.put.find((piece) => piece.cell === cell)?.id;
    if (id !== undefined) this.twist(id, way);
  }

  twist(id, steps) {
    const piece = this.put.find((each) => each.id === id);
    const turned = piece.degrees + (steps * 360) / this.board.grid.headings;
    piece.degrees = this.board.grid.nearest(between(0, turned)) % 360;
    this.thing = id;
    this.show();
  }

  take(id) {
    this.lost.unshift(this.put.find((each) => each.id === id));
    this.put = this.put.filter((each) => each.id !== id);
    this.thing = null;
    this.show();
  }

  show() {
    const { board, game } = this;
    board.set(this.put);
    const held = this.put.find((piece) => piece.id === this.thing);
    board.mark(held ? [{ cell: held.cell, look: "chosen" }] : []);
    board.say(new Map());
    for (const [name, cell] of board.cells) cell.classList.toggle("own", this.put.some((piece) => piece.cell === name));
    this.bar.replaceChildren(...(held ? [
      button("Left", "left", () => this.twist(held.id, -1)),
      button("Right", "right", () => this.twist(held.id, 1)),
      button("Take off", "off", () => this.take(held.id)),
      ...this.points(held),
    ] : []));
    this.unclear = false;
    this.tray.replaceChildren(...[...this.beside().values()].map((same) => this.spare(same[0], same.length)));
    this.words.textContent = this.wanted ? `Touch where the ${this.wanted.kind} of ${game.players[this.wanted.owner].side} stands.`
      : held ? `${capital(pieceWords(held, game.players, board.grid.headings))} on ${held.cell}: drag it, touch where it stands, or turn it.` : "Touch or drag a piece.";
    this.changed();
  }

  unhurt({ kind, owner }) {
    return this.set.find((each) => each.kind === kind && each.owner === owner)?.unhurt ?? 1;
  }

  /** What stands beside the board, alike ones together: struck pieces as they stood before, others
   * as if nothing had struck them. */
  beside() {
    const groups = new Map();
    for (const { kind, owner, count, unhurt } of this.set) {
      const of = (piece) => piece.kind === kind && piece.owner === owner;
      const free = Math.max(0, count - this.put.filter(of).length);
      const lost = this.lost.filter(of).slice(0, free).map(({ degrees, hit_points }) => ({ kind, owner, degrees, hit_points }));
      const others = Array.from({ length: free - lost.length }, () => ({ kind, owner, degrees: this.board.grid.nearest(0), hit_points: unhurt }));
      for (const piece of [...lost, ...others]) groups.set(spareKey(piece), [...(groups.get(spareKey(piece)) ?? []), piece]);
    }
    return groups;
  }

  spare(piece, count) {
    const { board, game } = this;
    const most = this.unhurt(piece);
    const half = board.drawing.cell / 2;
    const glyph = draw("svg", { viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`, "aria-hidden": "true" }, parsed(board.glyph(piece)));
    const left = most > 1 ? `${piece.hit_points} of ${most}` : "";
    const words = `${game.players[piece.owner].side} ${piece.kind}${left && `, ${left} hit points`}${count > 1 ? `, ${count} of them` : ""}`;
    const pressed = this.wanted !== null && spareKey(this.wanted) === spareKey(piece);
    const chosen = make("button", { type: "button", class: "spare", title: words, "aria-label": `Put on the board: ${words}`, "aria-pressed": String(pressed) }, glyph, make("span", {}, [count > 1 ? `×${count}` : "", left].filter(Boolean).join(" · ")));
    chosen.addEventListener("click", () => {
      this.thing = null;
      this.wanted = pressed ? null : piece;
      this.show();
    });
    return chosen;
  }

  /** How much of a piece is left, where that can be more or less. */
  points(held) {
    const most = this.unhurt(held);
    if (most < 2) return [];
    const input = make("input", { id: "piece-points", type: "number", min: "1", max: String(most), value: String(held.hit_points), inputmode: "numeric" });
    input.addEventListener("input", () => {
      const wanted = Number(input.value);
      this.unclear = !(Number.isInteger(wanted) && wanted >= 1 && wanted <= most);
      input.setAttribute("aria-invalid", String(this.unclear));
      if (!this.unclear) held.hit_points = wanted;
      this.board.set(this.put);
      this.changed();
    });
    return [make("label", { class: "inline" }, "Hit points", input, make("span", { class: "soft" }, `of ${most}`))];
  }
}

const spareKey = ({ kind, owner, hit_points }) => `${kind}/${owner}/${hit_points}`;
