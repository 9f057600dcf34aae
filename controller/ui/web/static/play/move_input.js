// Input of moves: which piece is picked up, and which command is sent when it is put down. That is a
// legal move; or, if a simulated table is wrong or "rough hands" is on, an object dragged anywhere.
import { angleBetween } from "../shared/grid.js";
import { joinOr, writeSentence } from "../shared/sentences.js";

export class MoveInput {
  /** `onError` is called with the reason why an action is refused, `changed` when a piece is picked up
   * or put down. `ask(cell, moves)` lets the user choose one of several moves. */
  constructor(connection, board, { onError, changed, ask }) {
    Object.assign(this, { connection, board, onError, changed, ask });
    this.chosen = null; // the picked-up piece, as its cell before the turn
    this.heldId = null; // the id of the picked-up object
    this.pendingFault = null; // a fault that needs a cell
    this.handOverBoard = false; // a simulated hand covers the camera's view
    this.rough = false;
    this.sentMove = null; // a sent move that the camera has not seen yet
  }

  get model() {
    return this.connection.model;
  }

  isAllowed(command) {
    return this.connection.user?.permissions.includes(command) ?? false;
  }

  /** Whether dragging moves objects freely instead of making legal moves. */
  get movesObjects() {
    const { objects, table } = this.model;
    return Boolean(objects) && this.isAllowed("drag") && (this.rough || table.differences.length > 0);
  }

  get holding() {
    return this.movesObjects ? this.heldId !== null : this.chosen !== null;
  }

  /** The cell where the piece shown on `cell` stood before the unfired turn. */
  origin(cell) {
    return this.model.board.unfired_turn?.origins?.[cell] ?? cell;
  }

  legalMovesOf(origin) {
    const own = (move) => this.connection.user === null || this.connection.user.seats.length === 0 || this.connection.user.seats.includes(move.player);
    return (this.model.legal_moves?.[origin] ?? []).filter(own);
  }

  /** The legal moves of the picked-up piece. */
  get heldMoves() {
    return this.chosen === null || this.movesObjects ? [] : this.legalMovesOf(this.chosen);
  }

  movesTo(cell) {
    return this.heldMoves.filter((move) => move.to === cell || move.aims.includes(cell));
  }

  canPick(cell) {
    if (this.movesObjects) return this.board.pieceOn(cell)?.id !== undefined;
    return this.legalMovesOf(this.origin(cell)).length > 0;
  }

  // -- picking up ------------------------------------------------------------------------------

  pick(cell) {
    if (this.movesObjects) {
      const piece = this.board.pieceOn(cell);
      this.heldId = piece?.id ?? null;
      if (this.heldId === null) this.onError(writeSentence("nothing_on_cell", { cell }));
    } else if (this.legalMovesOf(this.origin(cell)).length) {
      this.chosen = this.origin(cell);
      this.onError("");
    } else {
      this.chosen = null;
      this.onError(this.whyNot(cell));
    }
    this.changed();
  }

  /** Pick up an object by its id, or put it down. */
  hold(id) {
    this.heldId = this.heldId === id ? null : id;
    this.changed();
  }

  whyNot(cell) {
    const { game, table, board } = this.model;
    if (!Object.keys(this.model.legal_moves ?? {}).length) return table.guidance;
    const piece = board.pieces.find((each) => each.cell === cell);
    if (!piece) return writeSentence("cell_empty", { cell, players: joinOr(board.to_move.map((player) => game.players[player].side)) });
    if (!board.to_move.includes(piece.owner)) return writeSentence("cell_of_other", { cell, player: game.players[piece.owner].side });
    return writeSentence("nothing_to_do", { cell });
  }

  drop() {
    if (this.chosen === null && this.heldId === null && this.pendingFault === null) return false;
    this.chosen = this.heldId = this.pendingFault = null;
    this.changed();
    return true;
  }

  /** Put down the picked-up piece; without one, put back the unfired move. */
  async escape() {
    if (this.drop()) return;
    if (this.model.board.unfired_turn || this.sentMove) {
      this.sentMove = null;
      await this.send({ do: "put_back" });
    }
  }

  // -- putting down ----------------------------------------------------------------------------

  /** Touch a cell: pick up, put down, or pick up another piece. */
  async touch(cell) {
    if (this.pendingFault) {
      const { fault, args } = this.pendingFault;
      this.pendingFault = null;
      this.handOverBoard = fault === null || this.handOverBoard;
      this.changed();
      await this.send(fault === null ? { do: "cover_cell", cell } : { do: "inject_fault", fault, args: args.map((each) => each ?? cell) });
      return;
    }
    if (!this.holding) {
      this.pick(cell);
    } else if (this.movesObjects) {
      if (this.board.pieceOn(cell)?.id === this.heldId) this.drop();
      else await this.dragObject(this.heldId, this.board.grid.place(cell));
    } else if (cell === this.shownAt(this.chosen)) {
      this.drop();
    } else {
      await this.moveTo(cell);
    }
  }

  /** The cell where the piece from `origin` stands now. */
  shownAt(origin) {
    const shown = Object.entries(this.model.board.unfired_turn?.origins ?? {}).find(([, from]) => from === origin);
    return shown ? shown[0] : origin;
  }

  async moveTo(cell) {
    const found = this.movesTo(cell);
    if (found.length > 1) {
      const move = await this.ask(cell, found);
      if (move) await this.sendMove(move);
    } else if (found.length) {
      await this.sendMove(found[0]);
    } else if (this.canPick(cell)) {
      this.pick(cell);
    } else {
      const from = this.shownAt(this.chosen);
      this.onError(writeSentence("cannot_go", { start: from, end: cell }));
    }
  }

  async sendMove(move) {
    const origin = this.chosen;
    this.chosen = null;
    if (!this.model.game.simulated_hands) {
      this.onError(writeSentence("make_move_on_board"));
      this.changed();
      return;
    }
    this.sentMove = { origin, move, board: this.model.board };
    this.changed();
    const fire = this.autoFire ? { fire: true } : {};
    if (!(await this.send({ do: "move", player: move.player, text: move.text, ...fire }))) {
      this.sentMove = null;
      this.changed();
    }
  }

  /** Turn the picked-up piece, or the piece on `cell`: -1 is left. */
  async turn(direction, cell) {
    if (this.movesObjects) {
      const piece = this.heldId === null ? this.board.pieceOn(cell) : this.heldObject();
      if (piece) await this.dragObject(piece.id, piece, 1, direction);
      return;
    }
    const origin = this.chosen ?? this.origin(cell);
    const step = 360 / this.board.grid.headings;
    const found = this.legalMovesOf(origin).find((each) => each.to === null && Math.abs(each.turn - direction * step) < 1);
    if (found) {
      this.chosen = origin;
      await this.sendMove(found);
    } else {
      this.onError(this.legalMovesOf(origin).length ? cannotTurn(cell ?? origin, direction) : this.whyNot(cell ?? origin));
    }
  }

  // -- objects on a simulated table --------------------------------------------------------------

  heldObject() {
    return this.board.pieces.find((piece) => piece.id === this.heldId) ?? null;
  }

  /** Drag an object to a place. `tidy` snaps it to a cell and a heading; rough hands do not. */
  async dragObject(object, place, tidy = 1, steps = 0, degrees = 0) {
    const piece = this.board.pieces.find((each) => each.id === object);
    if (!piece) return;
    const { grid } = this.board;
    const onto = grid.at(place.x, place.y);
    const at = tidy && onto ? grid.place(onto) : place;
    const straight = tidy ? angleBetween(piece.degrees, grid.nearest(piece.degrees)) : 0;
    const turned = angleBetween(0, straight + degrees + (steps * 360) / grid.headings) || 0;
    this.heldId = steps ? object : null;
    this.changed();
    await this.send({ do: "drag", object, x: at.x, y: at.y, degrees: turned });
  }

  async takeOff(object) {
    this.heldId = null;
    this.changed();
    await this.send({ do: "take_off", object });
  }

  // -- commands ----------------------------------------------------------------------------------

  async fire(player) {
    this.drop();
    await this.send({ do: "fire", ...(player === undefined ? {} : { player }) });
  }

  async request(request, more = {}) {
    await this.send({ do: "request", request, ...more });
  }

  async send(command) {
    const answer = await this.connection.send(command);
    this.onError(answer.ok ? "" : answer.sentence);
    return answer.ok;
  }

  /** Forget picked-up pieces and the sent move: the position has changed. */
  reset() {
    this.chosen = this.heldId = this.sentMove = null;
  }
}

const cannotTurn = (cell, direction) => (direction > 0 ? writeSentence("cannot_turn_right", { cell }) : writeSentence("cannot_turn_left", { cell }));
