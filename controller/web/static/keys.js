// The board by keyboard: arrows walk over the cells, Enter picks up and puts down, comma and full stop
// turn, Space fires, Escape goes back. Letters work only while the board has the focus.
import { isArrow } from "./grid.js";

const TURNS = { ",": -1, "<": -1, "[": -1, ".": 1, ">": 1, "]": 1 };

/** Listen on a board; `letters` are further keys and what they do. */
export function listen(board, hands, letters) {
  board.svg.addEventListener("keydown", (event) => {
    const cell = event.target.dataset?.cell;
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = action(event.key, cell, board, hands, letters);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  board.svg.addEventListener("focusin", (event) => {
    if (event.target.dataset?.cell) board.point(event.target.dataset.cell);
  });
}

function action(key, cell, board, hands, letters) {
  if (isArrow(key)) return () => board.focus(board.grid.step(cell, key));
  if (!hands) return letters[key];
  if (key === "Enter") return () => hands.touch(cell);
  if (key in TURNS) return () => hands.turn(TURNS[key], cell);
  if (key === "Escape") return () => hands.escape();
  if ((key === "Delete" || key === "Backspace") && hands.pushing) {
    const piece = hands.heldThing() ?? board.pieceOn(cell);
    return piece && (() => hands.take(piece.id));
  }
  return letters[key];
}
