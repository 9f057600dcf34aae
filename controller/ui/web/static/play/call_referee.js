// A player's side of a game with a referee: what is being decided, calling the referee, agreeing to
// the result or disputing it. Nothing of it is there without a referee.
import { resultStatus } from "../shared/result_status.js";
import { byId, button, replaceIfChanged, createElement } from "../shared/dom.js";

const PLAYERS_OWN = ["ask-hint", "ask-back", "ask-pause", "ask-continue"]; // where nobody is in charge

export class RefereeCall {
  constructor(connection, moveInput) {
    Object.assign(this, { connection, moveInput });
    this.proposalStrip = createElement("div", { class: "proposal-strip", role: "status" });
    byId("guide").append(this.proposalStrip);
    this.call = button("Call the referee", "hand", () => this.request("call the referee"), { id: "ask-call" });
    document.querySelector("#requests .row").append(this.call);
    byId("menu").prepend(createElement("a", { id: "open-console", class: "button", href: "/console", hidden: true }, "Console"));
  }

  /** The seat that somebody speaks for: their own, or whoever is to move. */
  get seat() {
    const { user, model } = this.connection;
    return user.seat ?? (user.seats.length ? model.board.to_move[0] ?? 0 : null);
  }

  request(request, player = this.seat) {
    return this.moveInput.request(request, { player });
  }

  show() {
    const { model, user } = this.connection;
    const { referee, game, table } = model;
    document.body.classList.toggle("refereed", Boolean(referee));
    this.call.hidden = !referee;
    byId("open-console").hidden = !(referee && user?.role === "host");
    this.proposalStrip.hidden = !referee;
    if (!referee) return;
    for (const id of PLAYERS_OWN) byId(id).hidden = true;
    const over = table.phase === "over";
    const seats = over ? (user?.seats ?? []) : [];
    const open = referee.proposals.map((proposal) => proposal.sentence);
    const called = referee.proposals.filter((proposal) => proposal.incident === "call").map((proposal) => proposal.player);
    replaceIfChanged(this.proposalStrip, [open, over, seats, referee.confirmed, referee.pending_confirmations, user?.role], () => [
      ...(open.length ? [createElement("p", { class: "proposal-note" }, `The referee decides: ${open.join("; ")}`, user?.role === "host" ? createElement("a", { class: "button", href: "/console" }, "Rule on it") : null)] : []),
      ...(over ? [this.resultRow(game, referee, seats, called)] : []),
    ]);
  }

  /** Who agrees, and buttons for those who have not said. */
  resultRow(game, referee, seats, called) {
    const asked = seats.filter((seat) => referee.pending_confirmations.includes(game.players[seat].side));
    const free = asked.length ? asked : seats;
    const disputing = free.find((seat) => !called.includes(seat));
    return createElement("div", { class: "row result-status" }, createElement("span", {}, resultStatus(game, referee)),
      ...asked.map((seat) => button(`Agree${seats.length > 1 ? ` for ${game.players[seat].side}` : " to the result"}`, "yes", () => this.request("confirm", seat), { class: "primary", "data-seat": seat })),
      ...(disputing === undefined ? [] : [button("Dispute it", "hand", () => this.request("call the referee", disputing))]));
  }
}
