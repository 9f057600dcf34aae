// Mouse, pen and finger on the board: touch to pick up and put down, or drag. With rude hands a drag
// puts a thing down exactly where it is let go, and the wheel or a drag with Alt turns it.

const FAR_PX = 7; // less is a touch, not a drag

export class Pointer {
  /**
   * @param {import("./board.js").Board} board
   * @param {import("./hands.js").Hands} hands
   */
  constructor(board, hands) {
    this.board = board;
    this.hands = hands;
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
    const at = this.board.under(event);
    const cell = this.board.grid.at(at.x, at.y);
    const { hands, board } = this;
    let piece = null;
    if (!hands.armed) {
      if (hands.pushing) piece = board.pieceNear(at.x, at.y, 0.6);
      else if (cell && hands.waysOf(hands.origin(cell)).length) piece = board.pieceOn(cell);
    }
    if (piece === null && cell === null) return;
    if (cell) board.point(cell);
    this.drag = { cell, piece, at, x: event.clientX, y: event.clientY, far: false, turning: event.altKey };
    if (piece) board.svg.setPointerCapture(event.pointerId);
  }

  move(event) {
    const { drag, board, hands } = this;
    if (!drag?.piece) return;
    if (!drag.far) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR_PX) return;
      drag.far = true;
      drag.piece.element.classList.add("dragged");
      board.layers.pieces.append(drag.piece.element); // over all others
      if (!hands.pushing && hands.chosen !== hands.origin(drag.cell)) hands.pick(drag.cell);
    }
    const at = board.under(event);
    drag.now = at;
    const { cell } = board.drawing;
    if (drag.turning && hands.rude) {
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
    const { drag, board, hands } = this;
    this.drag = null;
    if (!drag) return;
    board.hover(null);
    drag.piece?.element.classList.remove("dragged");
    if (!drag.far) {
      if (drag.cell) await hands.touch(drag.cell);
      else if (drag.piece) hands.hold(drag.piece.id);
      return;
    }
    if (hands.pushing) {
      if (drag.degrees) await hands.push(drag.piece.id, drag.piece, 0, 0, drag.degrees);
      else if (drag.to) await hands.push(drag.piece.id, drag.to, hands.rude ? 0 : 1);
      return;
    }
    const target = drag.now && board.grid.at(drag.now.x, drag.now.y);
    if (target && hands.reaching(target).length) await hands.put(target);
    else hands.changed(); // glides back, and stays picked up
  }

  cancel() {
    const { drag } = this;
    this.drag = null;
    drag?.piece?.element.classList.remove("dragged");
    this.board.hover(null);
    if (drag?.far) this.hands.changed();
  }

  wheel(event) {
    if (!this.hands.pushing || !this.hands.rude) return;
    const at = this.board.under(event);
    const piece = this.board.pieceNear(at.x, at.y, 0.6);
    if (!piece) return;
    event.preventDefault();
    this.hands.push(piece.id, piece, 0, 0, Math.sign(event.deltaY || event.deltaX) * 7);
  }
}
