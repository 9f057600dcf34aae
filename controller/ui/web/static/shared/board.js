// Draws a board as SVG in layers: tiles, glow, pieces, marks, beams, and on top a grid of focusable
// cells for pointer, keyboard and screen reader. Game logic is elsewhere.
import { createSvg, parseSvg } from "./dom.js";
import { Grid, angleBetween } from "./grid.js";
import { cellText } from "./format.js";
import { markShape } from "./marks.js";

const LAYERS = ["tiles", "last", "glow", "pieces", "marks", "light"];

export class Board {
  constructor(svg) {
    this.svg = svg;
    this.layers = {};
    this.cells = new Map();
    this.pieces = []; // pieces, each with its element
    this.cursor = null; // the cell that has the tabindex
    new ResizeObserver(() => this.measure()).observe(svg);
  }

  /** Publish the drawn width as --board-width: seats and buttons next to the board use it. */
  measure() {
    if (!this.extent || !this.svg.clientWidth) return; // a hidden board keeps its last width
    const [, , width, height] = this.extent;
    const drawn = Math.min(this.svg.clientWidth, (this.svg.clientHeight * width) / height);
    this.svg.closest(".stage")?.style.setProperty("--board-width", `${Math.round(drawn)}px`);
  }

  /** Draw an empty board. `drawing` is drawing.json, `game` has `grid` and `players`. */
  build({ drawing, game, terrain }) {
    this.drawing = drawing;
    this.players = game.players;
    this.grid = new Grid(game.grid);
    this.pieces = [];
    this.svg.replaceChildren(...LAYERS.map((name) => (this.layers[name] = createSvg("g", { class: name }))));
    const [x, y, width, height] = drawing.extent;
    const rim = this.grid.headings === 4 ? 44 : 14;
    this.extent = [x - rim, y - rim, width + 2 * rim, height + 2 * rim];
    this.svg.setAttribute("viewBox", this.extent.join(" "));
    this.svg.dataset.headings = String(this.grid.headings);
    const tiles = parseSvg(drawing.tiles + drawing.names);
    for (const tile of tiles.querySelectorAll(".cell")) {
      const place = this.grid.place(tile.dataset.cell);
      tile.dataset.shade = (Math.floor(place.x) + Math.floor(place.y)) % 2 ? "odd" : "even";
    }
    this.layers.tiles.append(tiles);
    this.buildCells();
    this.setTerrain(terrain);
    this.measure();
  }

  /** `terrain` maps a kind of special cell to the names of its cells. */
  setTerrain(terrain) {
    this.terrain = new Map();
    for (const [what, cells] of Object.entries(terrain)) {
      for (const name of cells) this.terrain.set(name, what);
    }
    for (const tile of this.layers.tiles.querySelectorAll(".cell")) {
      tile.dataset.terrain = this.terrain.get(tile.dataset.cell) ?? "";
    }
    for (const name of this.layers.tiles.querySelectorAll(".name")) {
      name.dataset.terrain = this.terrain.get(name.textContent) ?? "";
    }
  }

  buildCells() {
    this.cells.clear();
    const rows = this.grid.rows();
    const top = createSvg("g", { class: "cells", role: "rowgroup" });
    for (const names of rows) {
      const row = createSvg("g", { role: "row" });
      for (const name of names) {
        const cell = createSvg("polygon", {
          class: "touch",
          role: "gridcell",
          points: this.drawing.outline,
          transform: this.transformTo(this.grid.place(name)),
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
    this.setCursor(middle[Math.floor(middle.length / 2)]);
  }

  transformTo({ x, y }) {
    return `translate(${x * this.drawing.cell} ${y * this.drawing.cell})`;
  }

  /** Give the tabindex to a cell. */
  setCursor(name) {
    this.cells.get(this.cursor)?.setAttribute("tabindex", "-1");
    this.cursor = name;
    this.cells.get(name)?.setAttribute("tabindex", "0");
  }

  focus(name = this.cursor) {
    this.setCursor(name);
    this.cells.get(name)?.focus();
  }

  // -- pieces ----------------------------------------------------------------------------------

  /** Show these pieces: `{cell | x, y, kind, owner, degrees, hit_points, id?, look?}`. A piece that
   * moved keeps its element, so that it glides. */
  showPieces(pieces) {
    const wanted = pieces.map((piece) => ({ ...piece, ...(piece.cell ? this.grid.place(piece.cell) : {}) }));
    const free = new Set(this.pieces);
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
    this.pieces = wanted.map((piece) => this.showPiece(piece, pairs.get(piece)));
  }

  showPiece(piece, old) {
    const glyph = this.glyph(piece);
    const element = old?.element ?? createSvg("g", {});
    if (old?.glyph !== glyph) {
      element.replaceChildren(...parseSvg(glyph).childNodes);
      if (old) for (const part of element.querySelectorAll(".turning")) part.style.transform = `rotate(${old.angle}deg)`;
    }
    const angle = old ? old.angle + angleBetween(old.angle, piece.degrees) : piece.degrees;
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

  /** The drawing of a piece. Not every number of hit points has one: take the next higher. */
  glyph({ kind, owner, hit_points: left = 1 }) {
    for (let points = left; points <= left + 100; points += 1) {
      const found = this.drawing.glyphs[`${kind}/${owner}/${points}`];
      if (found) return found;
    }
    return "";
  }

  /** The piece nearest to a point, at most `within` cells away; null if there is none. */
  pieceNear(x, y, within = 0.5) {
    const away = (piece) => Math.hypot(piece.x - x, piece.y - y);
    const found = this.pieces.filter((piece) => away(piece) <= within && piece.look !== "ghost");
    return found.sort((one, other) => away(one) - away(other))[0] ?? null;
  }

  pieceOn(name) {
    const { x, y } = this.grid.place(name);
    return this.pieceNear(x, y);
  }

  // -- marks and descriptions --------------------------------------------------------------------

  /** Mark cells, `[{cell, look}]`; every look has its own shape (marks.js). */
  mark(marks) {
    const key = JSON.stringify(marks);
    if (key === this.markKey && this.layers.marks.childElementCount) return;
    this.markKey = key;
    this.layers.marks.replaceChildren(
      ...marks.map(({ cell, look, turn }) =>
        createSvg("g", { class: `mark ${look}`, transform: this.transformTo(this.grid.place(cell)), "data-cell": cell }, ...markShape(look, this.drawing.outline, turn)),
      ),
    );
  }

  /** Draw arrows between cells, `[{from, to}]`. */
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
        createSvg("g", { class: "arrow", "data-cell": to },
          createSvg("line", { x1: (a.x + x * 0.2) * cell, y1: (a.y + y * 0.2) * cell, x2: neckX, y2: neckY }),
          createSvg("polygon", { points: tip })),
      );
    }
  }

  markLast(cells) {
    this.layers.last.replaceChildren(
      ...cells.map((name) =>
        createSvg("polygon", { class: "last-cell", points: this.drawing.outline, transform: this.transformTo(this.grid.place(name)), "data-cell": name }),
      ),
    );
  }

  /** Set the aria-label of every cell; `notes` maps cells to further texts. */
  describeCells(notes) {
    for (const [name, cell] of this.cells) {
      const words = cellText(name, {
        piece: this.pieceOn(name),
        terrain: this.terrain.get(name),
        players: this.players,
        headings: this.grid.headings,
        notes: notes.get(name) ?? [],
      });
      if (cell.getAttribute("aria-label") !== words) cell.setAttribute("aria-label", words);
    }
  }

  /** Highlight the cell under a dragged piece. */
  hover(name) {
    if (this.hovered === name) return;
    this.cells.get(this.hovered)?.classList.remove("over");
    this.hovered = name;
    this.cells.get(name)?.classList.add("over");
  }

  // -- coordinates ---------------------------------------------------------------------------------

  /** The position of a pointer event, in cells. */
  cellPoint(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return { x: x / this.drawing.cell, y: y / this.drawing.cell };
  }

  /** Screen coordinates of a point given in cells, and the width of a cell in pixels. */
  onScreen({ x, y }) {
    const { cell } = this.drawing;
    const matrix = this.svg.getScreenCTM();
    const at = new DOMPoint(x * cell, y * cell).matrixTransform(matrix);
    return { x: at.x, y: at.y, cell: matrix.a * cell };
  }
}
