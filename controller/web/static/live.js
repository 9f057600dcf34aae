// The game that is being played, on its board: pieces, marks, beams and words from the model.
import { Board } from "./board.js";
import { Firing } from "./firing.js";
import { Floating } from "./floating.js";
import { Hands } from "./hands.js";
import { Pointer } from "./pointer.js";
import { at } from "./dom.js";

const UNSEEN_MS = 6000; // a move that was sent is shown for so long without being seen

export class Live {
  constructor(link, { tell, heard, sound, motion, drawing = "drawing.json" }) {
    Object.assign(this, { link, heard, sound, motion, drawing });
    this.board = new Board(at("board"));
    this.firing = new Firing(this.board);
    this.hands = new Hands(link, this.board, {
      tell,
      changed: () => this.refresh(),
      ask: (cell, ways) => this.floating.ask(cell, ways),
    });
    this.floating = new Floating(at("floating"), this.board, this.hands);
    this.pointer = new Pointer(this.board, this.hands);
    this.number = null; // of the game that is laid out
    this.fired = null; // number of the last turn whose beams have run here
    this.turn = null; // while its beams run
  }

  get ready() {
    return this.number !== null && this.number === this.link.model.game?.number;
  }

  /** New parts have come. */
  async take(parts) {
    const { model } = this.link;
    if (parts.includes("game") && this.number !== model.game.number) {
      await this.lay(model);
      parts = Object.keys(model);
    }
    if (!this.ready) return;
    if (parts.includes("ground")) this.board.lie(model.ground);
    if (parts.includes("board")) this.moved(model);
    if (parts.includes("turn")) this.shoot(model);
    this.refresh();
  }

  /** Lay out a new game, as soon as its drawing is to be had. */
  async lay(model) {
    let drawing = null;
    while (drawing?.number !== model.game.number) {
      if (drawing) await new Promise((resolve) => setTimeout(resolve, 300));
      const answer = await fetch(this.drawing).catch(() => null);
      drawing = answer?.ok ? await answer.json() : { number: null };
    }
    if (this.number === drawing.number) return; // asked twice
    this.firing.stop();
    this.board.lay({ drawing, game: model.game, ground: model.ground });
    this.number = drawing.number;
    this.hands.forget();
    this.fired = model.turn?.number ?? 0;
    this.turn = null;
    const own = model.board.pieces.find((piece) => model.board.movers.includes(piece.owner) && piece.cell in model.ways);
    if (own) this.board.point(own.cell);
  }

  moved(model) {
    const { made } = this.hands;
    if (this.turns !== model.board.turns) this.hands.forget();
    this.turns = model.board.turns;
    if (made && model.board !== made.board && model.board.lying) this.hands.made = null;
    if (model.board.lying && !this.turn) this.firing.clear();
  }

  shoot(model) {
    const { turn } = model;
    if (!turn) {
      this.fired = 0;
      if (!this.turn) this.firing.clear();
      return;
    }
    if (turn.number <= this.fired) return;
    const first = this.fired === null;
    this.fired = turn.number;
    const since_ms = this.link.now() - turn.begun_ms;
    if (first && since_ms > 5000) return;
    this.heard(turn.words, "turn");
    this.hands.forget();
    this.turn = turn;
    this.refresh();
    const { still } = this.motion();
    const done = () => {
      this.turn = null;
      this.refresh();
    };
    this.firing.run(turn, { since_ms: Math.min(since_ms, 400), still, done, events: this.sound });
  }

  // -- everything that is to be seen ---------------------------------------------------------------

  refresh() {
    if (!this.ready) return;
    const { model } = this.link;
    const pushing = this.hands.pushing && !this.turn;
    if (!this.pointer.drag?.far) this.board.set(this.pieces(model, pushing));
    this.board.markLast(this.turn ? this.turn.changed : model.board.last);
    const marks = this.turn ? [] : this.marks(model, pushing);
    this.board.mark(marks);
    this.cells(model, marks);
    this.floating.show();
    at("field").classList.toggle("pushing", pushing);
  }

  pieces(model, pushing) {
    if (this.turn) return this.turn.aimed;
    if (pushing) return [...this.ghosts(model), ...model.things.map((thing) => this.thing(model, thing))];
    const wrong = new Map(model.table.differences.map((each) => [each.cell, each]));
    const pieces = model.board.pieces.map((piece) => (wrong.get(piece.cell)?.expected ? { ...piece, look: "ghost" } : piece));
    return this.foreseen([...pieces, ...this.seen(model)]);
  }

  /** A thing of a simulated table as it really stands; what it has left is known by its cell. */
  thing(model, thing) {
    const on = this.board.grid.at(thing.x, thing.y);
    const known = model.board.pieces.find((each) => each.cell === on && each.kind === thing.kind && each.owner === thing.owner);
    const look = thing.thing === this.hands.thing ? "held" : "";
    return { ...thing, id: thing.thing, hit_points: known?.hit_points ?? 1, look };
  }

  /** What belongs where the table shows something else. */
  ghosts(model) {
    return model.table.differences
      .filter((each) => each.expected)
      .map(({ cell, expected }) => ({ cell, kind: expected.kind, owner: expected.owner, degrees: expected.degrees[0], look: "ghost" }));
  }

  /** On a real table: what the camera sees instead. */
  seen(model) {
    return model.table.differences
      .filter((each) => each.seen)
      .map(({ cell, seen }) => ({ cell, kind: seen.kind, owner: seen.owner, degrees: seen.degrees[0], look: "wrong" }));
  }

  /** A move that simulated hands are still making, as it will be. */
  foreseen(pieces) {
    const { made } = this.hands;
    if (!made) return pieces;
    made.until ??= performance.now() + UNSEEN_MS;
    if (performance.now() > made.until) {
      this.hands.made = null;
      return pieces;
    }
    const { way } = made;
    const from = this.hands.shownAt(made.origin);
    return pieces.map((piece) => {
      if (piece.cell === from) return { ...piece, cell: way.to ?? piece.cell, degrees: piece.degrees + way.turn, look: "pending" };
      return way.swap && piece.cell === way.to ? { ...piece, cell: from, look: "pending" } : piece;
    });
  }

  marks(model, pushing) {
    const { hands } = this;
    const { table } = model;
    const marks = [];
    const add = (cells, look) => marks.push(...cells.map((cell) => ({ cell, look })));
    for (const each of table.differences) add([each.cell], each.what.replace(" ", "-"));
    if (!table.differences.length) add(table.unseen, "unseen");
    if (hands.armed) return marks;
    if (hands.chosen !== null && !pushing) {
      add([hands.shownAt(hands.chosen)], "chosen");
      const goals = hands.ways.filter((way) => way.to !== null);
      add(goals.filter((way) => !way.swap).map((way) => way.to), "target");
      add(goals.filter((way) => way.swap).map((way) => way.to), "swap");
      const aims = new Set(hands.ways.flatMap((way) => way.aims));
      for (const way of goals) aims.delete(way.to);
      add([...aims], "aim");
      return marks;
    }
    if (table.hint) add(table.hint.changed, "hint");
    else if (table.clue) add([table.clue], "hint");
    if (table.known) add(table.known.changed, "known");
    return marks;
  }

  /** Every cell in words, and whether it can be picked up. */
  cells(model, marks) {
    const { hands, board } = this;
    const notes = new Map();
    const note = (cell, words) => notes.set(cell, [...(notes.get(cell) ?? []), words]);
    for (const { cell, look } of marks) {
      if (look === "chosen") note(cell, "picked up");
      if (look === "hint") note(cell, "hint");
    }
    for (const each of model.table.differences) note(each.cell, each.sentence);
    for (const way of hands.ways) {
      if (way.to) note(way.to, `can go here: ${way.words}`);
      for (const aim of way.aims) note(aim, way.words);
    }
    board.say(notes);
    for (const [name, cell] of board.cells) {
      cell.classList.toggle("own", !this.turn && hands.canPick(name));
      const chosen = hands.chosen !== null && name === hands.shownAt(hands.chosen);
      cell.setAttribute("aria-selected", String(chosen));
    }
  }
}
