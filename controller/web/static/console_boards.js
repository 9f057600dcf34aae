// Boards to rule on are touched, dragged on and walked over by keys like the board of the game; on this
// one a move is played as the rules allow it. On the other (console_arranging.js) pieces are put anywhere.
import { Board } from "./board.js";
import { button, capital, draw, make } from "./dom.js";
import { listen } from "./keys.js";
import { Pointer } from "./pointer.js";

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

/** What both kinds of boards have in common. */
export class Touched {
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
