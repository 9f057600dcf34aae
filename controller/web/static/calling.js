// A player's side of a game with a referee: what is being decided, calling the referee, agreeing to
// the result or disputing it. Nothing of it is there without a referee.
import { agreement } from "./agreement.js";
import { at, button, fill, make } from "./dom.js";

const PLAYERS_OWN = ["ask-hint", "ask-back", "ask-pause", "ask-continue"]; // where nobody is in charge

export class Calling {
  constructor(link, hands) {
    Object.assign(this, { link, hands });
    this.strip = make("div", { class: "decided", role: "status" });
    at("guide").append(this.strip);
    this.call = button("Call the referee", "hand", () => this.want("call the referee"), { id: "ask-call" });
    document.querySelector("#acts .row").append(this.call);
    at("menu").prepend(make("a", { id: "open-console", class: "button", href: "/console", hidden: true }, "Console"));
  }

  /** The seat that somebody speaks for: their own, or whoever is to move. */
  get seat() {
    const { you, model } = this.link;
    return you.seat ?? (you.seats.length ? model.board.movers[0] ?? 0 : null);
  }

  want(wish, player = this.seat) {
    return this.hands.want(wish, { player });
  }

  show() {
    const { model, you } = this.link;
    const { referee, game, table } = model;
    document.body.classList.toggle("refereed", Boolean(referee));
    this.call.hidden = !referee;
    at("open-console").hidden = !(referee && you?.role === "referee");
    this.strip.hidden = !referee;
    if (!referee) return;
    for (const id of PLAYERS_OWN) at(id).hidden = true;
    const over = table.phase === "over";
    const seats = over ? (you?.seats ?? []) : [];
    const open = referee.matters.map((matter) => matter.sentence);
    const called = referee.matters.filter((matter) => matter.about === "call").map((matter) => matter.player);
    fill(this.strip, [open, over, seats, referee.confirmed, referee.waits, you?.role], () => [
      ...(open.length ? [make("p", { class: "asked" }, `The referee decides: ${open.join("; ")}`, you?.role === "referee" ? make("a", { class: "button", href: "/console" }, "Rule on it") : null)] : []),
      ...(over ? [this.agreement(game, referee, seats, called)] : []),
    ]);
  }

  /** Who agrees, and buttons for those who have not said. */
  agreement(game, referee, seats, called) {
    const asked = seats.filter((seat) => referee.waits.includes(game.players[seat].side));
    const free = asked.length ? asked : seats;
    const disputing = free.find((seat) => !called.includes(seat));
    return make("div", { class: "row agreement" }, make("span", {}, agreement(game, referee)),
      ...asked.map((seat) => button(`Agree${seats.length > 1 ? ` for ${game.players[seat].side}` : " to the result"}`, "yes", () => this.want("confirm", seat), { class: "primary", "data-seat": seat })),
      ...(disputing === undefined ? [] : [button("Dispute it", "hand", () => this.want("call the referee", disputing))]));
  }
}
