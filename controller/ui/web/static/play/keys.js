// Keyboard input on a board: arrows move the cursor, Enter picks up and puts down, comma and full stop
// turn, Space fires, Escape goes back. Letters work only while the board has the focus.
import { isArrow } from "../shared/grid.js";

const TURNS = { ",": -1, "<": -1, "[": -1, ".": 1, ">": 1, "]": 1 };

/** Listen on a board; `letters` maps further keys to functions. */
export function listenForKeys(board, moveInput, letters) {
  board.svg.addEventListener("keydown", (event) => {
    const cell = event.target.dataset?.cell;
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = action(event.key, cell, board, moveInput, letters);
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  board.svg.addEventListener("focusin", (event) => {
    if (event.target.dataset?.cell) board.setCursor(event.target.dataset.cell);
  });
}

function action(key, cell, board, moveInput, letters) {
  if (isArrow(key)) return () => board.focus(board.grid.step(cell, key));
  if (!moveInput) return letters[key];
  if (key === "Enter") return () => moveInput.touch(cell);
  if (key in TURNS) return () => moveInput.turn(TURNS[key], cell);
  if (key === "Escape") return () => moveInput.escape();
  if ((key === "Delete" || key === "Backspace") && moveInput.movesObjects) {
    const piece = moveInput.heldObject() ?? board.pieceOn(cell);
    return piece && (() => moveInput.takeOff(piece.id));
  }
  return letters[key];
}
