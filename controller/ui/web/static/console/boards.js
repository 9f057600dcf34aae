// Boards for the referee's rulings, with the same pointer and key input as the game's board. MoveBoard
// plays a legal move; PositionEditor (position_editor.js) puts pieces anywhere.
import { Board } from "../shared/board.js";
import { button, capitalize, createSvg, createElement } from "../shared/dom.js";
import { joinOr, sentenceText, writeSentence } from "../shared/sentences.js";
import { listenForKeys } from "../play/keys.js";
import { Pointer } from "../play/pointer.js";

/** A board without input; `marks` are cells to mark. */
export function boardImage(drawing, game, terrain, pieces, marks = []) {
  const svg = createSvg("svg", { class: "board", role: "img", "aria-label": "Board", preserveAspectRatio: "xMidYMid meet" });
  const board = new Board(svg);
  board.build({ drawing, game, terrain });
  for (const cell of board.cells.values()) cell.setAttribute("tabindex", "-1");
  board.showPieces(pieces);
  board.mark(marks.map((cell) => ({ cell, look: "asked" })));
  return svg;
}

/** The cells that differ between two positions. */
export function differingCells(before, after) {
  const key = ({ kind, owner, degrees, hit_points }) => JSON.stringify([kind, owner, degrees, hit_points]);
  const [one, other] = [before, after].map((pieces) => new Map(pieces.map((piece) => [piece.cell, key(piece)])));
  return [...new Set([...one.keys(), ...other.keys()])].filter((cell) => one.get(cell) !== other.get(cell));
}

/** Base class: a board with a toolbar and a status text. It has the methods of MoveInput that Pointer
 * and listenForKeys call. */
export class InteractiveBoard {
  constructor({ drawing, game, terrain }, changed) {
    this.game = game;
    this.changed = changed;
    this.pendingFault = null;
    this.rough = false;
    this.chosen = null;
    this.svg = createSvg("svg", { class: "board", role: "grid", "aria-label": "Board to rule on", preserveAspectRatio: "xMidYMid meet" });
    this.bar = createElement("div", { class: "row bar" });
    this.words = createElement("p", { class: "soft", role: "status" });
    this.board = new Board(this.svg);
    this.board.build({ drawing, game, terrain });
    new Pointer(this.board, this);
    listenForKeys(this.board, this, {});
    this.element = createElement("div", { class: "ruled-board" }, this.svg, this.bar, this.words);
  }

  origin(cell) {
    return cell;
  }
}

/** Chooses a legal move: touch a piece, then its destination, or turn it. */
export class MoveBoard extends InteractiveBoard {
  constructor(setup, position, changed) {
    super(setup, changed);
    this.position = position;
    this.chosenMoves = new Map(); // player to move
    this.movesObjects = false;
    this.show();
  }

  /** The moves in the order of `to_move`; null while one is missing. */
  get moves() {
    const { to_move: toMove } = this.position;
    return toMove.every((player) => this.chosenMoves.has(player)) ? toMove.map((player) => this.chosenMoves.get(player).text) : null;
  }

  legalMovesOf(cell) {
    return this.position.legal_moves[cell] ?? [];
  }

  movesTo(cell) {
    return this.legalMovesOf(this.chosen).filter((move) => move.to === cell || move.aims.includes(cell));
  }

  pick(cell) {
    this.chosen = this.legalMovesOf(cell).length && this.chosen !== cell ? cell : null;
    this.show();
  }

  touch(cell) {
    if (this.chosen !== null && cell !== this.chosen && this.movesTo(cell).length) this.moveTo(cell);
    else this.pick(cell);
  }

  moveTo(cell) {
    const found = this.movesTo(cell);
    if (found.length === 1) this.chooseMove(found[0]);
    else this.show(found);
  }

  turn(direction, cell) {
    const origin = this.chosen ?? cell;
    const step = (direction * 360) / this.board.grid.headings;
    const found = this.legalMovesOf(origin).find((each) => each.to === null && Math.abs(each.turn - step) < 1);
    if (found) {
      this.chosen = origin;
      this.chooseMove(found);
    }
  }

  chooseMove(move) {
    this.chosenMoves.set(move.player, { ...move, origin: this.chosen });
    this.chosen = null;
    this.show();
  }

  drop() {
    this.chosen = null;
    this.show();
  }

  escape() {
    if (this.chosen === null) this.chosenMoves.clear();
    this.drop();
  }

  /** The chosen moves as text. */
  get playedText() {
    return [...this.chosenMoves.values()].map((move) => writeSentence("plays", { player: this.game.players[move.player].side, cell: move.origin, move: move.words })).join(", ");
  }

  /** The pieces after the chosen moves. */
  get pieces() {
    const pieces = this.position.pieces.map((piece) => ({ ...piece }));
    for (const move of this.chosenMoves.values()) {
      const piece = pieces.find((each) => each.cell === move.origin);
      const other = pieces.find((each) => each.cell === move.to);
      if (move.to) {
        if (other) other.cell = move.origin;
        piece.cell = move.to;
      }
      piece.degrees = (piece.degrees + move.turn + 360) % 360;
    }
    return pieces;
  }

  /** `ambiguous`: moves of which one has to be chosen. */
  show(ambiguous = null) {
    const { board, chosen, game } = this;
    board.showPieces(this.pieces);
    const moves = chosen === null ? [] : this.legalMovesOf(chosen);
    const targets = moves.filter((move) => move.to !== null).map((move) => ({ cell: move.to, look: move.swap ? "swap" : "target" }));
    board.mark([...(chosen === null ? [] : [{ cell: chosen, look: "chosen" }]), ...targets]);
    board.markLast([...this.chosenMoves.values()].flatMap((move) => [move.origin, move.to].filter(Boolean)));
    board.describeCells(new Map());
    for (const [name, cell] of board.cells) cell.classList.toggle("own", this.legalMovesOf(name).length > 0);
    const offered = ambiguous ?? moves.filter((move) => move.to === null);
    this.bar.replaceChildren(...offered.map((move) => button(capitalize(sentenceText(move.words)), null, () => this.chooseMove(move))));
    const played = this.playedText;
    const missing = this.position.to_move.filter((player) => !this.chosenMoves.has(player)).map((player) => game.players[player].side);
    this.words.textContent = chosen !== null ? writeSentence("touch_target") : played ? `${capitalize(played)}.` : writeSentence("touch_piece_of", { players: joinOr(missing) });
    this.changed();
  }
}
