// A board on which the referee edits the position, with a tray of the pieces that are not on it.
import { InteractiveBoard } from "./boards.js";
import { button, capitalize, createSvg, createElement, parseSvg } from "../shared/dom.js";
import { angleBetween } from "../shared/grid.js";
import { pieceText } from "../shared/format.js";
import { writeSentence } from "../shared/sentences.js";

/** Pieces can be dragged, turned, taken off, and put on the board from the tray. */
export class PositionEditor extends InteractiveBoard {
  constructor(setup, position, changed) {
    super(setup, changed);
    this.movesObjects = true;
    this.pieceSet = position.piece_set;
    this.captured = [...position.captured]; // the last one first, each as it was before
    this.invalidInput = false; // the input of hit points holds no valid number
    this.placed = position.pieces.map((piece, id) => ({ ...piece, id: id + 1 }));
    this.next = this.placed.length + 1;
    this.heldId = null;
    this.fromTray = null; // the piece chosen in the tray
    this.tray = createElement("div", { class: "tray", role: "group", "aria-label": "Pieces beside the board" });
    this.element.insertBefore(this.tray, this.words);
    this.show();
  }

  get pieces() {
    return this.placed.map(({ id, ...piece }) => piece).sort((one, other) => (one.cell < other.cell ? -1 : 1));
  }

  heldObject() {
    return this.board.pieces.find((piece) => piece.id === this.heldId) ?? null;
  }

  hold(id) {
    this.heldId = this.heldId === id ? null : id;
    this.show();
  }

  drop() {
    this.heldId = this.fromTray = null;
    this.show();
  }

  escape() {
    this.drop();
  }

  touch(cell) {
    const there = this.placed.find((piece) => piece.cell === cell);
    if (this.fromTray) {
      if (there) this.captured.unshift(there);
      this.placed = this.placed.filter((piece) => piece !== there);
      this.placed.push({ ...this.fromTray, id: this.next, cell });
      const back = this.captured.findIndex((piece) => spareKey(piece) === spareKey(this.fromTray));
      if (back >= 0) this.captured.splice(back, 1);
      this.heldId = this.next;
      this.next += 1;
      this.fromTray = null;
      this.show();
    } else if (this.heldId !== null && there?.id !== this.heldId) {
      this.move(this.heldId, cell);
    } else if (there) {
      this.hold(there.id);
    }
  }

  move(id, cell) {
    const piece = this.placed.find((each) => each.id === id);
    const there = this.placed.find((each) => each.cell === cell && each.id !== id);
    if (there) there.cell = piece.cell; // swap
    piece.cell = cell;
    this.heldId = id;
    this.show();
  }

  dragObject(id, place, tidy = 1, steps = 0) {
    if (steps) return this.rotate(id, steps);
    const cell = this.board.grid.at(place.x, place.y);
    return cell ? this.move(id, cell) : this.takeOff(id);
  }

  turn(direction, cell) {
    const id = this.heldId ?? this.placed.find((piece) => piece.cell === cell)?.id;
    if (id !== undefined) this.rotate(id, direction);
  }

  rotate(id, steps) {
    const piece = this.placed.find((each) => each.id === id);
    const turned = piece.degrees + (steps * 360) / this.board.grid.headings;
    piece.degrees = this.board.grid.nearest(angleBetween(0, turned)) % 360;
    this.heldId = id;
    this.show();
  }

  takeOff(id) {
    this.captured.unshift(this.placed.find((each) => each.id === id));
    this.placed = this.placed.filter((each) => each.id !== id);
    this.heldId = null;
    this.show();
  }

  show() {
    const { board, game } = this;
    board.showPieces(this.placed);
    const held = this.placed.find((piece) => piece.id === this.heldId);
    board.mark(held ? [{ cell: held.cell, look: "chosen" }] : []);
    board.describeCells(new Map());
    for (const [name, cell] of board.cells) cell.classList.toggle("own", this.placed.some((piece) => piece.cell === name));
    this.bar.replaceChildren(...(held ? [
      button("Left", "left", () => this.rotate(held.id, -1)),
      button("Right", "right", () => this.rotate(held.id, 1)),
      button("Take off", "off", () => this.takeOff(held.id)),
      ...this.points(held),
    ] : []));
    this.invalidInput = false;
    this.tray.replaceChildren(...[...this.sparePieces().values()].map((same) => this.spare(same[0], same.length)));
    this.words.textContent = this.fromTray ? writeSentence("touch_where", { kind: this.fromTray.kind, player: game.players[this.fromTray.owner].side })
      : held ? writeSentence("piece_held", { piece: capitalize(pieceText(held, game.players, board.grid.headings)), cell: held.cell }) : writeSentence("touch_or_drag");
    this.changed();
  }

  fullHitPoints({ kind, owner }) {
    return this.pieceSet.find((each) => each.kind === kind && each.owner === owner)?.full_hit_points ?? 1;
  }

  /** The pieces in the tray, equal ones grouped. Captured pieces keep their heading and hit points;
   * the others are undamaged. */
  sparePieces() {
    const groups = new Map();
    for (const { kind, owner, count, full_hit_points: full } of this.pieceSet) {
      const of = (piece) => piece.kind === kind && piece.owner === owner;
      const free = Math.max(0, count - this.placed.filter(of).length);
      const lost = this.captured.filter(of).slice(0, free).map(({ degrees, hit_points }) => ({ kind, owner, degrees, hit_points }));
      const others = Array.from({ length: free - lost.length }, () => ({ kind, owner, degrees: this.board.grid.nearest(0), hit_points: full }));
      for (const piece of [...lost, ...others]) groups.set(spareKey(piece), [...(groups.get(spareKey(piece)) ?? []), piece]);
    }
    return groups;
  }

  spare(piece, count) {
    const { board, game } = this;
    const most = this.fullHitPoints(piece);
    const half = board.drawing.cell / 2;
    const glyph = createSvg("svg", { viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`, "aria-hidden": "true" }, parseSvg(board.glyph(piece)));
    const left = most > 1 ? writeSentence("points_of", { points: piece.hit_points, most }) : "";
    let words = writeSentence("piece", { player: game.players[piece.owner].side, kind: piece.kind });
    if (left) words = writeSentence("spare_points", { piece: words, points: left });
    if (count > 1) words = writeSentence("spare_count", { piece: words, count });
    const pressed = this.fromTray !== null && spareKey(this.fromTray) === spareKey(piece);
    const chosen = createElement("button", { type: "button", class: "spare", title: words, "aria-label": writeSentence("put_on_board", { piece: words }), "aria-pressed": String(pressed) }, glyph, createElement("span", {}, [count > 1 ? `×${count}` : "", left].filter(Boolean).join(" · ")));
    chosen.addEventListener("click", () => {
      this.heldId = null;
      this.fromTray = pressed ? null : piece;
      this.show();
    });
    return chosen;
  }

  /** The input for hit points, if the kind has more than one. */
  points(held) {
    const most = this.fullHitPoints(held);
    if (most < 2) return [];
    const input = createElement("input", { id: "piece-points", type: "number", min: "1", max: String(most), value: String(held.hit_points), inputmode: "numeric" });
    input.addEventListener("input", () => {
      const wanted = Number(input.value);
      this.invalidInput = !(Number.isInteger(wanted) && wanted >= 1 && wanted <= most);
      input.setAttribute("aria-invalid", String(this.invalidInput));
      if (!this.invalidInput) held.hit_points = wanted;
      this.board.showPieces(this.placed);
      this.changed();
    });
    return [createElement("label", { class: "inline" }, "Hit points", input, createElement("span", { class: "soft" }, writeSentence("of_most", { most })))];
  }
}

const spareKey = ({ kind, owner, hit_points }) => `${kind}/${owner}/${hit_points}`;
