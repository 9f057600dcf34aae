// Mouse, pen and finger on the board: touch to pick up and put down, or drag. With rough hands a drag
// puts an object exactly where it is released, and the wheel or a drag with Alt turns it.

const FAR_PX = 7; // a shorter drag is a touch

export class Pointer {
  /**
   * @param {import("../shared/board.js").Board} board
   * @param {import("./move_input.js").MoveInput} moveInput
   */
  constructor(board, moveInput) {
    this.board = board;
    this.moveInput = moveInput;
    this.drag = null;
    const { svg } = board;
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", () => this.cancel());
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  down(event) {
    if (event.button !== 0 || this.drag || !this.board.grid) return;
    const at = this.board.cellPoint(event);
    const cell = this.board.grid.at(at.x, at.y);
    const { moveInput, board } = this;
    let piece = null;
    if (!moveInput.pendingFault) {
      if (moveInput.movesObjects) piece = board.pieceNear(at.x, at.y, 0.6);
      else if (cell && moveInput.legalMovesOf(moveInput.origin(cell)).length) piece = board.pieceOn(cell);
    }
    if (piece === null && cell === null) return;
    if (cell) board.setCursor(cell);
    this.drag = { cell, piece, at, x: event.clientX, y: event.clientY, far: false, turning: event.altKey };
    if (piece) board.svg.setPointerCapture(event.pointerId);
  }

  move(event) {
    const { drag, board, moveInput } = this;
    if (!drag?.piece) return;
    if (!drag.far) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR_PX) return;
      drag.far = true;
      drag.piece.element.classList.add("dragged");
      board.layers.pieces.append(drag.piece.element); // on top of all others
      if (!moveInput.movesObjects && moveInput.chosen !== moveInput.origin(drag.cell)) moveInput.pick(drag.cell);
    }
    const at = board.cellPoint(event);
    drag.now = at;
    const { cell } = board.drawing;
    if (drag.turning && moveInput.rough) {
      drag.degrees = (event.clientX - drag.x) * 0.8;
      for (const part of drag.piece.element.querySelectorAll(".turning")) {
        part.style.transform = `rotate(${drag.piece.angle + drag.degrees}deg)`;
      }
      return;
    }
    const x = drag.piece.x + at.x - drag.at.x;
    const y = drag.piece.y + at.y - drag.at.y;
    drag.to = { x, y };
    drag.piece.element.style.transform = `translate(${x * cell}px, ${y * cell}px)`;
    board.hover(board.grid.at(at.x, at.y));
  }

  async up() {
    const { drag, board, moveInput } = this;
    this.drag = null;
    if (!drag) return;
    board.hover(null);
    drag.piece?.element.classList.remove("dragged");
    if (!drag.far) {
      if (drag.cell) await moveInput.touch(drag.cell);
      else if (drag.piece) moveInput.hold(drag.piece.id);
      return;
    }
    if (moveInput.movesObjects) {
      if (drag.degrees) await moveInput.dragObject(drag.piece.id, drag.piece, 0, 0, drag.degrees);
      else if (drag.to) await moveInput.dragObject(drag.piece.id, drag.to, moveInput.rough ? 0 : 1);
      return;
    }
    const target = drag.now && board.grid.at(drag.now.x, drag.now.y);
    if (target && moveInput.movesTo(target).length) await moveInput.moveTo(target);
    else moveInput.changed(); // the piece glides back and stays picked up
  }

  cancel() {
    const { drag } = this;
    this.drag = null;
    drag?.piece?.element.classList.remove("dragged");
    this.board.hover(null);
    if (drag?.far) this.moveInput.changed();
  }

  wheel(event) {
    if (!this.moveInput.movesObjects || !this.moveInput.rough) return;
    const at = this.board.cellPoint(event);
    const piece = this.board.pieceNear(at.x, at.y, 0.6);
    if (!piece) return;
    event.preventDefault();
    this.moveInput.dragObject(piece.id, piece, 0, 0, Math.sign(event.deltaY || event.deltaX) * 7);
  }
}
