// Boards to rule on: one to play a move as the rules allow it, one to put pieces as they should stand.
// Both are touched, dragged on and walked over by keys like the board of the game.
import { Board } from "./board.js";
import { button, capital, draw, make, parsed } from "./dom.js";
import { between } from "./grid.js";
import { listen } from "./keys.js";
import { Pointer } from "./pointer.js";
import { pieceWords } from "./words.js";

/** A board that is only looked at; `marks` are cells that differ. */
export function picture(drawing, game, ground, pieces, marks = []) {
  const svg = draw("svg", { class: "board", role: "img", "aria-label": "Board", preserveAspectRatio: "xMidYMid meet" });
  const board = new Board(svg);
  board.lay({ drawing, game, ground });
  for (const cell of board.cells.values()) cell.setAttribute("tabindex", "-1");
  board.set(pieces);
  board.mark(marks.map((cell) => ({ cell, look: "asked" })));
  return svg;
}

/** The cells on which two arrangements differ. */
export function differing(before, after) {
  const key = ({ kind, owner, degrees, hit_points }) => JSON.stringify([kind, owner, degrees, hit_points]);
  const [one, other] = [before, after].map((pieces) => new Map(pieces.map((piece) => [piece.cell, key(piece)])));
  return [...new Set([...one.keys(), ...other.keys()])].filter((cell) => one.get(cell) !== other.get(cell));
}

class Touched {
  constructor({ drawing, game, ground }, changed) {
    this.game = game;
    this.changed = changed;
    this.armed = null;
    this.rude = false;
    this.chosen = null;
    this.svg = draw("svg", { class: "board", role: "grid", "aria-label": "Board to rule on", preserveAspectRatio: "xMidYMid meet" });
    this.bar = make("div", { class: "row bar" });
    this.words = make("p", { class: "soft", role: "status" });
    this.board = new Board(this.svg);
    this.board.lay({ drawing, game, ground });
    new Pointer(this.board, this);
    listen(this.board, this, {});
    this.element = make("div", { class: "ruled-board" }, this.svg, this.bar, this.words);
  }

  origin(cell) {
    return cell;
  }
}

/** Play a move: touch a piece, then where it goes, or turn it. */
export class PlayBoard extends Touched {
  constructor(looks, position, changed) {
    super(looks, changed);
    this.position = position;
    this.made = new Map(); // a way for each player who is to move
    this.pushing = false;
    this.show();
  }

  /** The moves in the order of those to move; null: somebody's is missing. */
  get moves() {
    const { movers } = this.position;
    return movers.every((player) => this.made.has(player)) ? movers.map((player) => this.made.get(player).text) : null;
  }

  waysOf(cell) {
    return this.position.ways[cell] ?? [];
  }

  reaching(cell) {
    return this.waysOf(this.chosen).filter((way) => way.to === cell || way.aims.includes(cell));
  }

  pick(cell) {
    this.chosen = this.waysOf(cell).length && this.chosen !== cell ? cell : null;
    this.show();
  }

  touch(cell) {
    if (this.chosen !== null && cell !== this.chosen && this.reaching(cell).length) this.put(cell);
    else this.pick(cell);
  }

  put(cell) {
    const found = this.reaching(cell);
    if (found.length === 1) this.make(found[0]);
    else this.show(found);
  }

  turn(way, cell) {
    const origin = this.chosen ?? cell;
    const step = (way * 360) / this.board.grid.headings;
    const found = this.waysOf(origin).find((each) => each.to === null && Math.abs(each.turn - step) < 1);
    if (found) {
      this.chosen = origin;
      this.make(found);
    }
  }

  make(way) {
    this.made.set(way.player, { ...way, origin: this.chosen });
    this.chosen = null;
    this.show();
  }

  letGo() {
    this.chosen = null;
    this.show();
  }

  escape() {
    if (this.chosen === null) this.made.clear();
    this.letGo();
  }

  /** What was played, in words. */
  get told() {
    return [...this.made.values()].map((way) => `${this.game.players[way.player].side} plays ${way.origin} ${way.words}`).join(", ");
  }

  /** The pieces with what was played. */
  get pieces() {
    const pieces = this.position.pieces.map((piece) => ({ ...piece }));
    for (const way of this.made.values()) {
      const piece = pieces.find((each) => each.cell === way.origin);
      const other = pieces.find((each) => each.cell === way.to);
      if (way.to) {
        if (other) other.cell = way.origin;
        piece.cell = way.to;
      }
      piece.degrees = (piece.degrees + way.turn + 360) % 360;
    }
    return pieces;
  }

  show(among = null) {
    const { board, chosen, game } = this;
    board.set(this.pieces);
    const ways = chosen === null ? [] : this.waysOf(chosen);
    const targets = ways.filter((way) => way.to !== null).map((way) => ({ cell: way.to, look: way.swap ? "swap" : "target" }));
    board.mark([...(chosen === null ? [] : [{ cell: chosen, look: "chosen" }]), ...targets]);
    board.markLast([...this.made.values()].flatMap((way) => [way.origin, way.to].filter(Boolean)));
    board.say(new Map());
    for (const [name, cell] of board.cells) cell.classList.toggle("own", this.waysOf(name).length > 0);
    const offered = among ?? ways.filter((way) => way.to === null);
    this.bar.replaceChildren(...offered.map((way) => button(capital(way.words), null, () => this.make(way))));
    const played = this.told;
    const waits = this.position.movers.filter((player) => !this.made.has(player)).map((player) => game.players[player].side);
    this.words.textContent = chosen !== null ? "Touch where it goes, or turn it." : (played && `${capital(played)}.`) || `Touch a piece of ${waits.join(" or ")}.`;
    this.changed();
  }
}

/** Put pieces anywhere: drag them, turn them, take them off, put back what was captured. */
export class ArrangeBoard extends Touched {
  constructor(looks, position, changed) {
    super(looks, changed);
    this.pushing = true;
    this.set = position.set;
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
      const { kind, owner } = this.wanted;
      this.put = this.put.filter((piece) => piece !== there);
      this.put.push({ id: this.next, cell, kind, owner, degrees: 0, hit_points: 1 });
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
    ] : []));
    const left = this.set.map((each) => ({ ...each, count: each.count - this.put.filter((piece) => piece.kind === each.kind && piece.owner === each.owner).length }));
    this.tray.replaceChildren(...left.filter((each) => each.count > 0).map((each) => this.spare(each)));
    this.words.textContent = this.wanted ? `Touch where the ${this.wanted.kind} of ${game.players[this.wanted.owner].side} stands.`
      : held ? `${capital(pieceWords(held, game.players, board.grid.headings))} on ${held.cell}: drag it, touch where it stands, or turn it.` : "Touch or drag a piece.";
    this.changed();
  }

  spare({ kind, owner, count }) {
    const { board, game } = this;
    const half = board.drawing.cell / 2;
    const glyph = draw("svg", { viewBox: `${-half} ${-half} ${2 * half} ${2 * half}`, "aria-hidden": "true" }, parsed(board.glyph({ kind, owner })));
    const words = `${game.players[owner].side} ${kind}${count > 1 ? `, ${count} left` : ""}`;
    const pressed = this.wanted?.kind === kind && this.wanted?.owner === owner;
    const chosen = make("button", { type: "button", class: "spare", title: words, "aria-label": `Put on the board: ${words}`, "aria-pressed": String(pressed) }, glyph, make("span", {}, count > 1 ? `×${count}` : ""));
    chosen.addEventListener("click", () => {
      this.thing = null;
      this.wanted = pressed ? null : { kind, owner };
      this.show();
    });
    return chosen;
  }
}
