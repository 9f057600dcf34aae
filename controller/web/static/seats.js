// Who plays, whose turn it is, and how much time is left, at the edges of the board.
import { at, button, capital, fill, make, tell } from "./dom.js";
import { clockFace } from "./words.js";

const LOOK_MS = 100;

export class Seats {
  constructor(link, hands) {
    this.link = link;
    this.hands = hands;
    setInterval(() => this.tick(), LOOK_MS);
  }

  show() {
    const { game, board, table } = this.link.model;
    const you = this.link.you;
    if (this.number !== game.number) this.upper = above(game.grid, board.pieces);
    this.number = game.number;
    game.players.forEach((player, number) => {
      const seat = this.seat(number);
      seat.dataset.player = String(number);
      const waits = !["over", "setting up"].includes(table.phase) && board.movers.includes(number);
      const pressed = table.pressed.includes(number);
      const own = you?.seat === number;
      const taken = you?.taken.includes(number) ?? false;
      const count = board.pieces.filter((piece) => piece.owner === number).length;
      seat.dataset.waits = waits ? "yes" : "no";
      seat.dataset.shape = player.shape;
      seat.style.setProperty("--side", player.colours.body);
      seat.style.setProperty("--side-deep", player.colours.deep);
      seat.style.setProperty("--side-bright", player.colours.bright);
      const kind = kindOf(player);
      const doing = table.thinking === number ? "is thinking" : pressed && table.phase !== "over" ? "has fired" : waits && table.chosen.includes(number) ? "has chosen" : waits ? "to move" : "";
      const may = this.hands.may("sit") && player.kind === "human";
      fill(seat.querySelector(".who"), [player.side, kind, doing, own, taken, may, count, waits], () => [
        make("span", { class: "chip", "aria-hidden": "true" }),
        make("strong", {}, capital(player.side)),
        kind ? make("span", { class: "kind" }, kind) : null,
        make("span", { class: "doing" }, doing),
        may && you?.seat === null && you.role !== "referee" && !taken ? button("Sit here", null, () => this.hands.send({ do: "sit", player: number })) : null,
        own ? button("Stand up", null, () => this.hands.send({ do: "stand", player: number })) : null,
        make("span", { class: "count" }, `${count} ${count === 1 ? "piece" : "pieces"}`),
      ].filter(Boolean));
    });
    this.tick();
  }

  seat(number) {
    return at(number === this.upper ? "seat-upper" : "seat-lower");
  }

  /** How much a player has left, now; null without a clock. */
  left(player) {
    const { clocks } = this.link.model;
    if (!clocks) return null;
    const left = clocks.left_ms[player];
    if (!clocks.running.includes(player) || clocks.at_ms === null) return left;
    const now = this.link.fresh ? this.link.now() : this.frozen ?? this.link.now();
    return Math.max(0, left - Math.max(0, now - clocks.at_ms - clocks.delay_left_ms[player]));
  }

  tick() {
    const { clocks, game } = this.link.model;
    if (!game) return;
    if (this.link.fresh) this.frozen = this.link.now();
    for (const number of [0, 1]) {
      const face = this.seat(number).querySelector(".clock");
      face.hidden = !clocks;
      if (!clocks) continue;
      const left = this.left(number);
      const runs = clocks.running.includes(number);
      tell(face, clockFace(left, clocks.low_ms));
      face.dataset.runs = runs ? "yes" : "no";
      face.dataset.low = left < clocks.low_ms ? "yes" : "no";
      face.dataset.fallen = clocks.fallen.includes(number) ? "yes" : "no";
    }
  }
}

/** Whose pieces stand further up: that player sits there. */
export function above({ cells }, pieces) {
  const heights = new Map(cells.map(([name, , y]) => [name, y]));
  const middle = (owner) => {
    const own = pieces.filter((piece) => piece.owner === owner).map((piece) => heights.get(piece.cell));
    return own.reduce((sum, y) => sum + y, 0) / Math.max(1, own.length);
  };
  return middle(0) < middle(1) - 0.5 ? 0 : 1;
}

/** Who sits there besides the side they play: a name, and what they are. */
function kindOf(player) {
  const called = player.name === player.side || /^computer \d+$/.test(player.name) ? "" : player.name;
  const what = { human: "", program: "a program", computer: `computer, level ${player.level}` }[player.kind];
  return [called, what].filter(Boolean).join(", ");
}
