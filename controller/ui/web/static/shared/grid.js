// Geometry of the cells: positions, neighbours, the cell under a point, the next cell for an arrow key.
// Cells are named; positions are in cells, x to the right and y down, as the server sends them.

const ARROWS = { ArrowUp: 0, ArrowRight: 90, ArrowDown: 180, ArrowLeft: 270 };
const ROW = 0.8660254; // distance between rows of hexagons, in cells

export class Grid {
  constructor({ headings, degrees, cells }) {
    this.headings = headings;
    this.degrees = degrees;
    this.names = cells.map(([name]) => name);
    this.places = new Map(cells.map(([name, x, y]) => [name, { x, y }]));
  }

  place(name) {
    return this.places.get(name);
  }

  /** The cell that contains a point; null outside the board. */
  at(x, y) {
    let found = null;
    let least = this.headings === 4 ? 0.5 : 0.58; // 0.58: the corner of a hexagon
    for (const [name, place] of this.places) {
      const dx = Math.abs(place.x - x);
      const dy = Math.abs(place.y - y);
      const away = this.headings === 4 ? Math.max(dx, dy) : Math.hypot(dx, dy);
      if (away <= least) [found, least] = [name, away];
    }
    return found;
  }

  ahead(name, degrees) {
    const { x, y } = this.place(name);
    const angle = (degrees * Math.PI) / 180;
    const found = this.at(x + Math.sin(angle), y - Math.cos(angle));
    return found === name ? null : found;
  }

  /** Rows from the top, each from the left. */
  rows() {
    const rows = new Map();
    for (const [name, { y }] of this.places) {
      const key = Math.round(y * 100);
      if (!rows.has(key)) rows.set(key, []);
      rows.get(key).push(name);
    }
    const x = (name) => this.place(name).x;
    return [...rows.keys()]
      .sort((one, other) => one - other)
      .map((key) => rows.get(key).sort((one, other) => x(one) - x(other)));
  }

  /** The next cell for a key. Between rows of hexagons, up and down alternate between the two
   * neighbours, so that going up and down again leads back. */
  step(name, key) {
    if (key === "Home" || key === "End") {
      const row = this.rows().find((each) => each.includes(name));
      return key === "Home" ? row[0] : row[row.length - 1];
    }
    const wanted = ARROWS[key];
    const off = (degrees, other) => Math.abs(((degrees - other + 540) % 360) - 180);
    const near = this.degrees.filter((each) => off(each, wanted) < 45);
    near.sort((one, other) => off(one, 90) - off(other, 90));
    if (near.length > 1 && Math.round(this.place(name).y / ROW) % 2 !== 0) near.reverse();
    for (const degrees of near) {
      const found = this.ahead(name, degrees);
      if (found) return found;
    }
    return name;
  }

  /** The heading nearest to an angle. */
  nearest(degrees) {
    const off = (each) => Math.abs(((each - degrees + 540) % 360) - 180);
    return this.degrees.reduce((one, other) => (off(other) < off(one) ? other : one));
  }
}

export const isArrow = (key) => key in ARROWS || key === "Home" || key === "End";

/** The signed angle of the shorter turn, -180 to 180. */
export const angleBetween = (from, to) => ((((to - from) % 360) + 540) % 360) - 180;
