// What a person must do next, in the guide's own words, why play cannot go on, what is asked of
// whom, and the buttons for it.
import { at, button, capital, fill, make, tell } from "./dom.js";
import { lock } from "./locks.js";

const OFFERS = { "offer draw": "offers a draw", "take back": "would like to take back a turn" };
const FIRING = ["turn", "waiting for the other"];
const MANY = 4; // reasons: more stand side by side

export class Guide {
  constructor(link, hands, { newGame, replay }) {
    Object.assign(this, { link, hands, newGame, replay });
    at("fire").addEventListener("click", () => hands.fire(this.shooter()));
    at("back").addEventListener("click", () => hands.escape());
    at("right").addEventListener("click", () => hands.send({ do: "put right" }));
    at("reasons").addEventListener("scroll", () => this.overflow());
    new ResizeObserver(() => this.overflow()).observe(at("reasons"));
  }

  /** Who presses, where several may: whoever has not. */
  shooter() {
    const { seats } = this.link.you;
    const { board, table } = this.link.model;
    return board.movers.find((player) => seats.includes(player) && !table.pressed.includes(player));
  }

  show() {
    const { game, table, board } = this.link.model;
    const { hands } = this;
    const over = table.phase === "over";
    const side = board.movers.length === 1 && !over ? String(board.movers[0]) : "both";
    at("guide").dataset.side = side;
    at("guide").dataset.phase = table.phase;
    at("guide").toggleAttribute("data-astray", table.astray);
    at("guide").toggleAttribute("data-puzzle", game.puzzle !== null);
    tell(at("sentence"), capital(table.guide));
    fill(at("reasons"), table.reasons, () => table.reasons.map((reason) => make("li", {}, capital(reason))));
    at("reasons").classList.toggle("many", table.reasons.length > MANY);
    this.overflow();
    const firing = hands.may("fire") && !over && game.players.some((player) => player.kind === "human");
    at("fire").hidden = !firing;
    const lies = (board.lying?.changed.length ?? 0) > 0;
    const ready = lies || Boolean(hands.made);
    // Where there is a referee, a press at a board that is amiss is a happening to be judged.
    const can = FIRING.includes(table.phase) || (table.phase === "mismatch" && Boolean(this.link.model.referee));
    at("fire").classList.toggle("ready", ready && can);
    if (this.link.fresh) lock(at("fire"), can ? "" : table.guide, "sentence");
    at("back").hidden = !(hands.may("put back") && game.hands && (lies || hands.made || hands.holding));
    at("right").hidden = !(game.hands && hands.may("put right") && table.differences.length);
    this.questions(table, game);
  }

  /** Whether there are more reasons below those in sight. */
  overflow() {
    const list = at("reasons");
    const hidden = list.scrollHeight > list.clientHeight + 4;
    const below = list.scrollTop + list.clientHeight < list.scrollHeight - 4;
    list.classList.toggle("more", hidden && below);
    if (hidden) list.tabIndex = 0;
    else list.removeAttribute("tabindex");
  }

  questions(table, game) {
    const { link, hands } = this;
    const { offer, choices, outcome, astray } = table;
    const asked = offer ? 1 - offer.player : null;
    const answers = offer !== null && (link.you?.seats ?? []).includes(asked);
    const alone = !link.model.referee; // nobody is in charge
    const waits = alone && table.phase === "paused" && !Object.keys(table.lost).length && hands.may("want");
    fill(at("asked"), [offer, answers, choices, outcome, astray, game.id, waits, hands.may("new game")], () => {
      const parts = [];
      if (waits) parts.push(button("Go on", "play", () => hands.want("continue"), { class: "primary" }));
      if (astray && hands.may("want")) parts.push(button("Take back", "back", () => hands.want("take back"), { class: "primary" }));
      if (offer) {
        parts.push(make("span", {}, `${capital(game.players[offer.player].name)} ${OFFERS[offer.wish] ?? offer.wish}.`));
        if (answers) {
          parts.push(button("Yes", "yes", () => hands.want("accept", { player: asked })));
          parts.push(button("No", "close", () => hands.want("decline", { player: asked })));
        }
      }
      if (hands.may("want")) {
        choices.forEach((each, choice) => parts.push(button(capital(each.words), null, () => hands.want("choose", { choice }))));
      }
      if (outcome) {
        if (hands.may("new game") && game.puzzle) parts.push(button("Next puzzle", "play", () => hands.send({ do: "new game" }), { class: "primary" }));
        else if (hands.may("new game")) parts.push(button("New game", "new", this.newGame, { class: "primary" }));
        parts.push(button("Look at it again", "games", () => this.replay(game.id)));
      }
      return parts;
    });
  }
}
