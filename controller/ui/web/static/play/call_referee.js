// The player's side of a refereed game: shows open proposals, calls the referee, confirms or disputes
// the result. All of it is hidden in a game without a referee.
import { resultStatus } from "../shared/result_status.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";
import { byId, button, replaceIfChanged, createElement } from "../shared/dom.js";

const UNREFEREED_ONLY = ["ask-hint", "ask-back", "ask-pause", "ask-continue"];

export class RefereeCall {
  constructor(connection, moveInput) {
    Object.assign(this, { connection, moveInput });
    this.proposalStrip = createElement("div", { class: "proposal-strip", role: "status" });
    byId("guide").append(this.proposalStrip);
    this.call = button("Call the referee", "hand", () => this.request("call the referee"), { id: "ask-call" });
    document.querySelector("#requests .row").append(this.call);
    byId("menu").prepend(createElement("a", { id: "open-console", class: "button", href: "/console", hidden: true }, "Console"));
  }

  /** The player a request is made for: the user's seat, or for a host the player to move. */
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
    for (const id of UNREFEREED_ONLY) byId(id).hidden = true;
    const over = table.phase === "over";
    const seats = over ? (user?.seats ?? []) : [];
    const open = referee.proposals.map((proposal) => sentenceText(proposal.sentence));
    const called = referee.proposals.filter((proposal) => proposal.incident === "call").map((proposal) => proposal.player);
    replaceIfChanged(this.proposalStrip, [open, over, seats, referee.confirmed, referee.pending_confirmations, user?.role], () => [
      ...(open.length ? [createElement("p", { class: "proposal-note" }, writeSentence("referee_decides", { proposals: open.join("; ") }), user?.role === "host" ? createElement("a", { class: "button", href: "/console" }, "Rule on it") : null)] : []),
      ...(over ? [this.resultRow(game, referee, seats, called)] : []),
    ]);
  }

  /** Who has confirmed the result, with buttons for the players who have not. */
  resultRow(game, referee, seats, called) {
    const pending = seats.filter((seat) => referee.pending_confirmations.some((each) => each.player === seat));
    const candidates = pending.length ? pending : seats;
    const disputing = candidates.find((seat) => !called.includes(seat));
    return createElement("div", { class: "row result-status" }, createElement("span", {}, resultStatus(game, referee)),
      ...pending.map((seat) => button(seats.length > 1 ? writeSentence("agree_for", { player: game.players[seat].side }) : "Agree to the result", "yes", () => this.request("confirm", seat), { class: "primary", "data-seat": seat })),
      ...(disputing === undefined ? [] : [button("Dispute", "hand", () => this.request("call the referee", disputing))]));
  }
}
