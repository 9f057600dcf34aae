// What somebody holds, and what comes of putting it down: moves by the rules, or, where the table is
// not as it should be or rude hands are wanted, things pushed over a simulated table.
import { between } from "./grid.js";

export class Hands {
  /** `tell` hears why something cannot be done, `changed` that something was picked up or put down. */
  constructor(link, board, { tell, changed, ask }) {
    Object.assign(this, { link, board, tell, changed, ask });
    this.chosen = null; // the cell where a piece that is picked up stood before the turn
    this.thing = null; // the number of a thing that is picked up
    this.armed = null; // an act that waits for a cell
    this.covers = false; // whether a hand is held over the table
    this.rude = false;
    this.made = null; // a move that was sent and is not seen on the table yet
  }

  get model() {
    return this.link.model;
  }

  may(what) {
    return this.link.you?.may.includes(what) ?? false;
  }

  /** Whether things are pushed, not moves made. */
  get pushing() {
    const { things, table } = this.model;
    return Boolean(things) && this.may("drag") && (this.rude || table.differences.length > 0);
  }

  get holding() {
    return this.pushing ? this.thing !== null : this.chosen !== null;
  }

  /** Where the piece that is shown on a cell stood before the turn that lies on the table. */
  origin(cell) {
    return this.model.board.lying?.origins?.[cell] ?? cell;
  }

  waysOf(origin) {
    const own = (way) => this.link.you === null || this.link.you.seats.length === 0 || this.link.you.seats.includes(way.player);
    return (this.model.ways?.[origin] ?? []).filter(own);
  }

  /** What may be done with what is held. */
  get ways() {
    return this.chosen === null || this.pushing ? [] : this.waysOf(this.chosen);
  }

  reaching(cell) {
    return this.ways.filter((way) => way.to === cell || way.aims.includes(cell));
  }

  canPick(cell) {
    if (this.pushing) return this.board.pieceOn(cell)?.id !== undefined;
    return this.waysOf(this.origin(cell)).length > 0;
  }

  // -- picking up ------------------------------------------------------------------------------

  pick(cell) {
    if (this.pushing) {
      const piece = this.board.pieceOn(cell);
      this.thing = piece?.id ?? null;
      if (this.thing === null) this.tell(`nothing stands on ${cell}`);
    } else if (this.waysOf(this.origin(cell)).length) {
      this.chosen = this.origin(cell);
      this.tell("");
    } else {
      this.chosen = null;
      this.tell(this.whyNot(cell));
    }
    this.changed();
  }

  /** A thing by its number, wherever it lies. */
  hold(thing) {
    this.thing = this.thing === thing ? null : thing;
    this.changed();
  }

  whyNot(cell) {
    const { game, table, board } = this.model;
    if (!Object.keys(this.model.ways ?? {}).length) return table.guide;
    const piece = board.pieces.find((each) => each.cell === cell);
    const whose = board.movers.map((player) => game.players[player].side).join(" or ");
    if (!piece) return `${cell} is empty: choose a piece of ${whose}`;
    if (!board.movers.includes(piece.owner)) return `${cell} is ${game.players[piece.owner].side}'s`;
    return `nothing can be done with ${cell} now`;
  }

  letGo() {
    if (this.chosen === null && this.thing === null && this.armed === null) return false;
    this.chosen = this.thing = this.armed = null;
    this.changed();
    return true;
  }

  /** One step back: what is picked up, then what was moved. */
  async escape() {
    if (this.letGo()) return;
    if (this.model.board.lying || this.made) {
      this.made = null;
      await this.send({ do: "put back" });
    }
  }

  // -- putting down ----------------------------------------------------------------------------

  /** Touch a cell: pick up, put down, or choose something else. */
  async touch(cell) {
    if (this.armed) {
      const { act, told } = this.armed;
      this.armed = null;
      this.covers = act === null || this.covers;
      this.changed();
      await this.send(act === null ? { do: "hand", cell } : { do: "befall", act, told: told.map((each) => each ?? cell) });
      return;
    }
    if (!this.holding) {
      this.pick(cell);
    } else if (this.pushing) {
      if (this.board.pieceOn(cell)?.id === this.thing) this.letGo();
      else await this.push(this.thing, this.board.grid.place(cell));
    } else if (cell === this.shownAt(this.chosen)) {
      this.letGo();
    } else {
      await this.put(cell);
    }
  }

  /** Where the piece from a cell stands now. */
  shownAt(origin) {
    const moved = Object.entries(this.model.board.lying?.origins ?? {}).find(([, from]) => from === origin);
    return moved ? moved[0] : origin;
  }

  async put(cell) {
    const found = this.reaching(cell);
    if (found.length > 1) {
      const way = await this.ask(cell, found);
      if (way) await this.make(way);
    } else if (found.length) {
      await this.make(found[0]);
    } else if (this.canPick(cell)) {
      this.pick(cell);
    } else {
      const from = this.shownAt(this.chosen);
      this.tell(`${from} cannot go to ${cell}`);
    }
  }

  async make(way) {
    const origin = this.chosen;
    this.chosen = null;
    if (!this.model.game.hands) {
      this.tell("make the move on the board, then fire");
      this.changed();
      return;
    }
    this.made = { origin, way, board: this.model.board };
    this.changed();
    const fire = this.fires ? { fire: true } : {};
    if (!(await this.send({ do: "move", player: way.player, text: way.text, ...fire }))) {
      this.made = null;
      this.changed();
    }
  }

  /** Turn what is held, or else what stands on `cell`: -1 is left. */
  async turn(way, cell) {
    if (this.pushing) {
      const piece = this.thing === null ? this.board.pieceOn(cell) : this.heldThing();
      if (piece) await this.push(piece.id, piece, 1, way);
      return;
    }
    const origin = this.chosen ?? this.origin(cell);
    const steps = 360 / this.board.grid.headings;
    const found = this.waysOf(origin).find((each) => each.to === null && Math.abs(each.turn - way * steps) < 1);
    if (found) {
      this.chosen = origin;
      await this.make(found);
    } else {
      this.tell(this.waysOf(origin).length ? `${cell ?? origin} cannot be turned ${way > 0 ? "right" : "left"}` : this.whyNot(cell ?? origin));
    }
  }

  // -- things on a simulated table ---------------------------------------------------------------

  heldThing() {
    return this.board.shown.find((piece) => piece.id === this.thing) ?? null;
  }

  /** Push a thing somewhere: tidily onto a cell and straight, or just as rude hands left it. */
  async push(thing, place, tidy = 1, steps = 0, degrees = 0) {
    const piece = this.board.shown.find((each) => each.id === thing);
    if (!piece) return;
    const { grid } = this.board;
    const onto = grid.at(place.x, place.y);
    const at = tidy && onto ? grid.place(onto) : place;
    const straight = tidy ? between(piece.degrees, grid.nearest(piece.degrees)) : 0;
    const turned = between(0, straight + degrees + (steps * 360) / grid.headings) || 0;
    this.thing = steps ? thing : null;
    this.changed();
    await this.send({ do: "drag", thing, x: at.x, y: at.y, degrees: turned });
  }

  async take(thing) {
    this.thing = null;
    this.changed();
    await this.send({ do: "take", thing });
  }

  // -- asking ------------------------------------------------------------------------------------

  async fire(player) {
    this.letGo();
    await this.send({ do: "fire", ...(player === undefined ? {} : { player }) });
  }

  async want(wish, more = {}) {
    await this.send({ do: "want", wish, ...more });
  }

  async send(command) {
    const answer = await this.link.send(command);
    this.tell(answer.ok ? "" : answer.sentence);
    return answer.ok;
  }

  /** The position has changed: what was picked up for another one is not any more. */
  forget() {
    this.chosen = this.thing = this.made = null;
  }
}
