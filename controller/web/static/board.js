// A board as SVG in layers: tiles, light below, pieces, marks, light above, and on top of all a grid
// of cells that can be touched, focused and read out. It knows how things look, not what they mean.
import { draw, parsed } from "./dom.js";
import { Grid, between } from "./grid.js";
import { cellWords } from "./words.js";
import { shape } from "./marks.js";

const LAYERS = ["tiles", "last", "glow", "pieces", "marks", "light"];

export class Board {
  constructor(svg) {
    this.svg = svg;
    this.layers = {};
    this.cells = new Map();
    this.shown = []; // pieces, each with its element
    this.cursor = null; // the cell that has the tabindex
    new ResizeObserver(() => this.measure()).observe(svg);
  }

  /** What is beside the board may be as wide as the board is drawn. */
  measure() {
    if (!this.extent || !this.svg.clientWidth) return; // hidden: as wide as it was
    const [, , width, height] = this.extent;
    const drawn = Math.min(this.svg.clientWidth, (this.svg.clientHeight * width) / height);
    this.svg.closest(".stage")?.style.setProperty("--board-width", `${Math.round(drawn)}px`);
  }

  /** Begin with an empty board. `drawing` is the server's; `game` has `grid`, `players`. */
  lay({ drawing, game, ground }) {
    this.drawing = drawing;
    this.players = game.players;
    this.grid = new Grid(game.grid);
    this.shown = [];
    this.svg.replaceChildren(...LAYERS.map((name) => (this.layers[name] = draw("g", { class: name }))));
    const [x, y, width, height] = drawing.extent;
    const rim = this.grid.headings === 4 ? 44 : 14;
    this.extent = [x - rim, y - rim, width + 2 * rim, height + 2 * rim];
    this.svg.setAttribute("viewBox", this.extent.join(" "));
    this.svg.dataset.headings = String(this.grid.headings);
    const tiles = parsed(drawing.tiles + drawing.names);
    for (const tile of tiles.querySelectorAll(".cell")) {
      const place = this.grid.place(tile.dataset.cell);
      tile.dataset.shade = (Math.floor(place.x) + Math.floor(place.y)) % 2 ? "odd" : "even";
    }
    this.layers.tiles.append(tiles);
    this.layCells();
    this.lie(ground);
    this.measure();
  }

  /** Whether a cell is something of its own. */
  lie(ground) {
    this.ground = new Map();
    for (const [what, cells] of Object.entries(ground)) {
      for (const name of cells) this.ground.set(name, what);
    }
    for (const tile of this.layers.tiles.querySelectorAll(".cell")) {
      tile.dataset.ground = this.ground.get(tile.dataset.cell) ?? "";
    }
    for (const name of this.layers.tiles.querySelectorAll(".name")) {
      name.dataset.ground = this.ground.get(name.textContent) ?? "";
    }
  }

  layCells() {
    this.cells.clear();
    const rows = this.grid.rows();
    const top = draw("g", { class: "cells", role: "rowgroup" });
    for (const names of rows) {
      const row = draw("g", { role: "row" });
      for (const name of names) {
        const cell = draw("polygon", {
          class: "touch",
          role: "gridcell",
          points: this.drawing.outline,
          transform: this.moved(this.grid.place(name)),
          tabindex: "-1",
          "aria-label": name,
          "data-cell": name,
        });
        this.cells.set(name, cell);
        row.append(cell);
      }
      top.append(row);
    }
    this.svg.append(top);
    const middle = rows[Math.floor(rows.length / 2)];
    this.point(middle[Math.floor(middle.length / 2)]);
  }

  moved({ x, y }) {
    return `translate(${x * this.drawing.cell} ${y * this.drawing.cell})`;
  }

  /** The cell that Tab leads to. */
  point(name) {
    this.cells.get(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = name;
    this.cells.get(name)?.setAttribute("tabindex", "0");
  }

  focus(name = this.cursor) {
    this.point(name);
    this.cells.get(name)?.focus();
  }

  // -- pieces ----------------------------------------------------------------------------------

  /** Show these pieces: `{cell | x, y, kind, owner, degrees, hit_points, id?, look?}`. One that only
   * moved is the same element, and glides. */
  set(pieces) {
    const wanted = pieces.map((piece) => ({ ...piece, ...(piece.cell ? this.grid.place(piece.cell) : {}) }));
    const free = new Set(this.shown);
    const same = (one, other) => one.kind === other.kind && one.owner === other.owner && one.id === other.id;
    const near = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
    const pairs = new Map();
    for (const reach of [0.01, Infinity]) {
      for (const piece of wanted) {
        if (pairs.has(piece)) continue;
        let best = null;
        for (const old of free) {
          const closer = best === null || near(old, piece) < near(best, piece);
          if (same(old, piece) && near(old, piece) <= reach && closer) best = old;
        }
        if (best) {
          pairs.set(piece, best);
          free.delete(best);
        }
      }
    }
    for (const old of free) old.element.remove();
    this.shown = wanted.map((piece) => this.showPiece(piece, pairs.get(piece)));
  }

  showPiece(piece, old) {
    const glyph = this.glyph(piece);
    const element = old?.element ?? draw("g", {});
    if (old?.glyph !== glyph) {
      element.replaceChildren(...parsed(glyph).childNodes);
      if (old) for (const part of element.querySelectorAll(".turning")) part.style.transform = `rotate(${old.angle}deg)`;
    }
    const angle = old ? old.angle + between(old.angle, piece.degrees) : piece.degrees;
    element.setAttribute("class", `piece ${piece.look ?? ""}`.trim());
    element.dataset.kind = piece.kind;
    element.dataset.cell = piece.cell ?? "";
    const { cell } = this.drawing;
    element.style.transform = `translate(${piece.x * cell}px, ${piece.y * cell}px)`;
    for (const part of element.querySelectorAll(".turning")) part.style.transform = `rotate(${angle}deg)`;
    for (const count of element.querySelectorAll(".count")) count.textContent = piece.hit_points;
    if (!old) this.layers.pieces.append(element);
    return { ...piece, element, glyph, angle };
  }

  /** Of many hit points only some are drawn: the next higher; of crooked things none are known. */
  glyph({ kind, owner, hit_points: left = 1 }) {
    for (let points = left; points <= left + 100; points += 1) {
      const found = this.drawing.glyphs[`${kind}/${owner}/${points}`];
      if (found) return found;
    }
    return "";
  }

  /** The piece that stands nearest to a place, if any stands there. */
  pieceNear(x, y, within = 0.5) {
    const away = (piece) => Math.hypot(piece.x - x, piece.y - y);
    const found = this.shown.filter((piece) => away(piece) <= within && piece.look !== "ghost");
    return found.sort((one, other) => away(one) - away(other))[0] ?? null;
  }

  pieceOn(name) {
    const { x, y } = this.grid.place(name);
    return this.pieceNear(x, y);
  }

  // -- marks and words ---------------------------------------------------------------------------

  /** `[{cell, look}]`: what is marked, each with a shape of its own. */
  mark(marks) {
    const key = JSON.stringify(marks);
    if (key === this.markKey && this.layers.marks.childElementCount) return;
    this.markKey = key;
    this.layers.marks.replaceChildren(
      ...marks.map(({ cell, look, turn }) =>
        draw("g", { class: `mark ${look}`, transform: this.moved(this.grid.place(cell)), "data-cell": cell }, ...shape(look, this.drawing.outline, turn)),
      ),
    );
  }

  /** Arrows over the marks, `[{from, to}]` by cells: from the edge of one into the other. */
  arrows(arrows) {
    const { cell } = this.drawing;
    for (const old of this.layers.marks.querySelectorAll(".arrow")) old.remove();
    for (const { from, to } of arrows) {
      const [a, b] = [this.grid.place(from), this.grid.place(to)];
      const long = Math.hypot(b.x - a.x, b.y - a.y) || 1;
      const [x, y] = [(b.x - a.x) / long, (b.y - a.y) / long];
      const [tipX, tipY] = [(b.x - x * 0.12) * cell, (b.y - y * 0.12) * cell];
      const [head, wide] = [0.3 * cell, 0.19 * cell];
      const [neckX, neckY] = [tipX - x * head, tipY - y * head];
      const tip = `${tipX},${tipY} ${neckX - y * wide},${neckY + x * wide} ${neckX + y * wide},${neckY - x * wide}`;
      this.layers.marks.append(
        draw("g", { class: "arrow", "data-cell": to },
          draw("line", { x1: (a.x + x * 0.2) * cell, y1: (a.y + y * 0.2) * cell, x2: neckX, y2: neckY }),
          draw("polygon", { points: tip })),
      );
    }
  }

  markLast(cells) {
    this.layers.last.replaceChildren(
      ...cells.map((name) =>
        draw("polygon", { class: "last-cell", points: this.drawing.outline, transform: this.moved(this.grid.place(name)), "data-cell": name }),
      ),
    );
  }

  /** Say of every cell what is there; `notes` by cell are added. */
  say(notes) {
    for (const [name, cell] of this.cells) {
      const words = cellWords(name, {
        piece: this.pieceOn(name),
        ground: this.ground.get(name),
        players: this.players,
        headings: this.grid.headings,
        notes: notes.get(name) ?? [],
      });
      if (cell.getAttribute("aria-label") !== words) cell.setAttribute("aria-label", words);
    }
  }

  /** The cell that a dragged piece is over. */
  hover(name) {
    if (this.hovered === name) return;
    this.cells.get(this.hovered)?.classList.remove("over");
    this.hovered = name;
    this.cells.get(name)?.classList.add("over");
  }

  // -- where ---------------------------------------------------------------------------------------

  /** Where a pointer is, in cells. */
  under(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return { x: x / this.drawing.cell, y: y / this.drawing.cell };
  }

  /** Where a place is on the screen, and how wide a cell is there. */
  onScreen({ x, y }) {
    const { cell } = this.drawing;
    const matrix = this.svg.getScreenCTM();
    const at = new DOMPoint(x * cell, y * cell).matrixTransform(matrix);
    return { x: at.x, y: at.y, cell: matrix.a * cell };
  }
}
