// The players at the edges of the board: names, who is to move, remaining time.
import { byId, button, capitalize, replaceIfChanged, createElement, setText } from "../shared/dom.js";
import { clockText } from "../shared/format.js";
import { writeSentence } from "../shared/sentences.js";

const TICK_MS = 100;

export class Seats {
  constructor(connection, moveInput) {
    this.connection = connection;
    this.moveInput = moveInput;
    setInterval(() => this.tick(), TICK_MS);
  }

  show() {
    const { game, board, table } = this.connection.model;
    const user = this.connection.user;
    if (this.number !== game.number) this.upper = upperPlayer(game.grid, board.pieces);
    this.number = game.number;
    game.players.forEach((player, number) => {
      const seat = this.seat(number);
      seat.dataset.player = String(number);
      const waits = !["over", "setting up"].includes(table.phase) && board.to_move.includes(number);
      const pressed = table.pressed.includes(number);
      const own = user?.seat === number;
      const taken = user?.taken_seats.includes(number) ?? false;
      const count = board.pieces.filter((piece) => piece.owner === number).length;
      seat.dataset.waits = waits ? "yes" : "no";
      seat.dataset.shape = player.shape;
      seat.style.setProperty("--side", player.colours.body);
      seat.style.setProperty("--side-deep", player.colours.deep);
      seat.style.setProperty("--side-bright", player.colours.bright);
      const kind = kindOf(player);
      const doing = table.thinking === number ? "is thinking" : pressed && table.phase !== "over" ? "has fired" : waits && table.programs_decided.includes(number) ? "has chosen" : waits ? "to move" : "";
      const allowed = this.moveInput.isAllowed("take_seat") && player.kind === "human";
      replaceIfChanged(seat.querySelector(".who"), [player.side, kind, doing, own, taken, allowed, count, waits], () => [
        createElement("span", { class: "chip", "aria-hidden": "true" }),
        createElement("strong", {}, capitalize(player.side)),
        kind ? createElement("span", { class: "kind" }, kind) : null,
        createElement("span", { class: "doing" }, doing),
        allowed && user?.seat === null && user.role !== "host" && !taken ? button("Take seat", null, () => this.moveInput.send({ do: "take_seat", player: number })) : null,
        own ? button("Leave seat", null, () => this.moveInput.send({ do: "leave_seat", player: number })) : null,
        createElement("span", { class: "count" }, count === 1 ? writeSentence("one_piece", { count }) : writeSentence("pieces", { count })),
      ].filter(Boolean));
    });
    this.tick();
  }

  seat(number) {
    return byId(number === this.upper ? "seat-upper" : "seat-lower");
  }

  /** A player's remaining time now; null without clocks. */
  remainingMs(player) {
    const { clocks } = this.connection.model;
    if (!clocks) return null;
    const left = clocks.left_ms[player];
    if (!clocks.running.includes(player) || clocks.at_ms === null) return left;
    const now = this.connection.fresh ? this.connection.now() : this.frozen ?? this.connection.now();
    return Math.max(0, left - Math.max(0, now - clocks.at_ms - clocks.delay_left_ms[player]));
  }

  tick() {
    const { clocks, game } = this.connection.model;
    if (!game) return;
    if (this.connection.fresh) this.frozen = this.connection.now();
    for (const number of [0, 1]) {
      const face = this.seat(number).querySelector(".clock");
      face.hidden = !clocks;
      if (!clocks) continue;
      const left = this.remainingMs(number);
      const runs = clocks.running.includes(number);
      setText(face, clockText(left, clocks.low_ms));
      face.dataset.runs = runs ? "yes" : "no";
      face.dataset.low = left < clocks.low_ms ? "yes" : "no";
      face.dataset.fallen = clocks.fallen.includes(number) ? "yes" : "no";
    }
  }
}

/** The player whose pieces stand further up: that player's seat is at the upper edge. */
export function upperPlayer({ cells }, pieces) {
  const heights = new Map(cells.map(([name, , y]) => [name, y]));
  const middle = (owner) => {
    const own = pieces.filter((piece) => piece.owner === owner).map((piece) => heights.get(piece.cell));
    return own.reduce((sum, y) => sum + y, 0) / Math.max(1, own.length);
  };
  return middle(0) < middle(1) - 0.5 ? 0 : 1;
}

/** A player's name, and the kind if it is no human; empty if the side says it all. */
function kindOf(player) {
  const name = player.name === player.side || /^computer \d+$/.test(player.name) ? "" : player.name;
  const kind = { human: "", program: "a program", computer: player.kind === "computer" ? writeSentence("computer_level", { level: player.level }) : "" }[player.kind];
  return [name, kind].filter(Boolean).join(", ");
}
