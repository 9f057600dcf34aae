// Shows the running game on a board: pieces, marks, beams and descriptions from the model.
import { Board } from "./board.js";
import { BeamAnimation } from "./beam_animation.js";
import { Popover } from "../play/popover.js";
import { MoveInput } from "../play/move_input.js";
import { Pointer } from "../play/pointer.js";
import { byId } from "./dom.js";
import { sentenceText, writeSentence } from "./sentences.js";

const PENDING_MOVE_MS = 6000; // how long a sent move is shown before the camera sees it

export class LiveBoard {
  constructor(connection, { onError, onTurnText, sound, motion, drawing = "drawing.json" }) {
    Object.assign(this, { connection, onTurnText, sound, motion, drawing });
    this.board = new Board(byId("board"));
    this.beamAnimation = new BeamAnimation(this.board);
    this.moveInput = new MoveInput(connection, this.board, {
      onError,
      changed: () => this.refresh(),
      ask: (cell, moves) => this.popover.ask(cell, moves),
    });
    this.popover = new Popover(byId("popover"), this.board, this.moveInput);
    this.pointer = new Pointer(this.board, this.moveInput);
    this.number = null; // number of the game that the board was built for
    this.fired = null; // number of the last turn whose beams were animated here
    this.turn = null; // the turn whose beams are being animated
  }

  get ready() {
    return this.number !== null && this.number === this.connection.model.game?.number;
  }

  /** Update after new parts of the model. */
  async onParts(parts) {
    const { model } = this.connection;
    if (parts.includes("game") && this.number !== model.game.number) {
      await this.buildGame(model);
      parts = Object.keys(model);
    }
    if (!this.ready) return;
    if (parts.includes("terrain")) this.board.setTerrain(model.terrain);
    if (parts.includes("board")) this.onBoard(model);
    if (parts.includes("turn")) this.fireTurn(model);
    this.refresh();
  }

  /** Build the board of a new game as soon as its drawing is available. */
  async buildGame(model) {
    let drawing = null;
    while (drawing?.number !== model.game.number) {
      if (drawing) await new Promise((resolve) => setTimeout(resolve, 300));
      const answer = await fetch(this.drawing).catch(() => null);
      drawing = answer?.ok ? await answer.json() : { number: null };
    }
    if (this.number === drawing.number) return; // a parallel call was faster
    this.beamAnimation.stop();
    this.board.build({ drawing, game: model.game, terrain: model.terrain });
    this.number = drawing.number;
    this.moveInput.reset();
    this.fired = model.turn?.number ?? 0;
    this.turn = null;
    const own = model.board.pieces.find((piece) => model.board.to_move.includes(piece.owner) && piece.cell in model.legal_moves);
    if (own) this.board.setCursor(own.cell);
  }

  onBoard(model) {
    const { sentMove } = this.moveInput;
    if (this.turns !== model.board.turns) this.moveInput.reset();
    this.turns = model.board.turns;
    if (sentMove && model.board !== sentMove.board && model.board.unfired_turn) this.moveInput.sentMove = null;
    if (model.board.unfired_turn && !this.turn) this.beamAnimation.clear();
  }

  fireTurn(model) {
    const { turn } = model;
    if (!turn) {
      this.fired = 0;
      if (!this.turn) this.beamAnimation.clear();
      return;
    }
    if (turn.number <= this.fired) return;
    const first = this.fired === null;
    this.fired = turn.number;
    const since_ms = this.connection.now() - turn.started_ms;
    if (first && since_ms > 5000) return;
    this.onTurnText(turn.words);
    this.moveInput.reset();
    this.turn = turn;
    this.refresh();
    const { still } = this.motion();
    const done = () => {
      this.turn = null;
      this.refresh();
    };
    this.beamAnimation.run(turn, { since_ms: Math.min(since_ms, 400), still, done, onEvent: this.sound });
  }

  // -- drawing -------------------------------------------------------------------------------------

  refresh() {
    if (!this.ready) return;
    const { model } = this.connection;
    const movesObjects = this.moveInput.movesObjects && !this.turn;
    if (!this.pointer.drag?.far) this.board.showPieces(this.pieces(model, movesObjects));
    this.board.markLast(this.turn ? this.turn.changed : model.board.last_turn_cells);
    const marks = this.turn ? [] : this.marks(model, movesObjects);
    this.board.mark(marks);
    this.cells(model, marks);
    this.popover.show();
    byId("field").classList.toggle("pushing", movesObjects);
  }

  pieces(model, movesObjects) {
    if (this.turn) return this.turn.aimed;
    if (movesObjects) return [...this.ghosts(model), ...model.objects.map((object) => this.objectPiece(model, object))];
    const wrong = new Map(model.table.differences.map((each) => [each.cell, each]));
    const pieces = model.board.pieces.map((piece) => (wrong.get(piece.cell)?.expected ? { ...piece, look: "ghost" } : piece));
    return this.withSentMove([...pieces, ...this.misplacedPieces(model)]);
  }

  /** An object of the simulated table at its exact place. Its hit points come from the position. */
  objectPiece(model, object) {
    const on = this.board.grid.at(object.x, object.y);
    const known = model.board.pieces.find((each) => each.cell === on && each.kind === object.kind && each.owner === object.owner);
    const look = object.object === this.moveInput.heldId ? "held" : "";
    return { ...object, id: object.object, hit_points: known?.hit_points ?? 1, look };
  }

  /** The expected pieces of cells that show something else. */
  ghosts(model) {
    return model.table.differences
      .filter((each) => each.expected)
      .map(({ cell, expected }) => ({ cell, kind: expected.kind, owner: expected.owner, degrees: expected.degrees[0], look: "ghost" }));
  }

  /** On a real table: the pieces that the camera sees instead of the expected ones. */
  misplacedPieces(model) {
    return model.table.differences
      .filter((each) => each.seen)
      .map(({ cell, seen }) => ({ cell, kind: seen.kind, owner: seen.owner, degrees: seen.degrees[0], look: "wrong" }));
  }

  /** The pieces with a move that the simulated hands have not finished. */
  withSentMove(pieces) {
    const { sentMove } = this.moveInput;
    if (!sentMove) return pieces;
    sentMove.until ??= performance.now() + PENDING_MOVE_MS;
    if (performance.now() > sentMove.until) {
      this.moveInput.sentMove = null;
      return pieces;
    }
    const { move } = sentMove;
    const from = this.moveInput.shownAt(sentMove.origin);
    return pieces.map((piece) => {
      if (piece.cell === from) return { ...piece, cell: move.to ?? piece.cell, degrees: piece.degrees + move.turn, look: "pending" };
      return move.swap && piece.cell === move.to ? { ...piece, cell: from, look: "pending" } : piece;
    });
  }

  marks(model, movesObjects) {
    const { moveInput } = this;
    const { table } = model;
    const marks = [];
    const add = (cells, look) => marks.push(...cells.map((cell) => ({ cell, look })));
    for (const each of table.differences) add([each.cell], each.what.replace(" ", "-"));
    if (!table.differences.length) add(table.unseen, "unseen");
    if (moveInput.pendingFault) return marks;
    if (moveInput.chosen !== null && !movesObjects) {
      add([moveInput.shownAt(moveInput.chosen)], "chosen");
      const destinations = moveInput.heldMoves.filter((move) => move.to !== null);
      add(destinations.filter((move) => !move.swap).map((move) => move.to), "target");
      add(destinations.filter((move) => move.swap).map((move) => move.to), "swap");
      const aims = new Set(moveInput.heldMoves.flatMap((move) => move.aims));
      for (const move of destinations) aims.delete(move.to);
      add([...aims], "aim");
      return marks;
    }
    if (table.hint) add(table.hint.changed, "hint");
    else if (table.hint_piece) add([table.hint_piece], "hint");
    if (table.computer_turn) add(table.computer_turn.changed, "known");
    return marks;
  }

  /** Describe every cell, and mark those whose piece can be picked up. */
  cells(model, marks) {
    const { moveInput, board } = this;
    const notes = new Map();
    const note = (cell, words) => notes.set(cell, [...(notes.get(cell) ?? []), words]);
    for (const { cell, look } of marks) {
      if (look === "chosen") note(cell, "picked up");
      if (look === "hint") note(cell, "hint");
    }
    for (const each of model.table.differences) note(each.cell, sentenceText(each.sentence));
    for (const move of moveInput.heldMoves) {
      if (move.to) note(move.to, writeSentence("can_go_here", { move: move.words }));
      for (const aim of move.aims) note(aim, sentenceText(move.words));
    }
    board.describeCells(notes);
    for (const [name, cell] of board.cells) {
      cell.classList.toggle("own", !this.turn && moveInput.canPick(name));
      const chosen = moveInput.chosen !== null && name === moveInput.shownAt(moveInput.chosen);
      cell.setAttribute("aria-selected", String(chosen));
    }
  }
}
