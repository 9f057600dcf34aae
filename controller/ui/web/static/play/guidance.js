// What a person must do next, in the guide's own words, why play cannot go on, what is asked of
// whom, and the buttons for it.
import { byId, button, capitalize, replaceIfChanged, createElement, setText } from "../shared/dom.js";
import { disableFor } from "../shared/disable.js";

const OFFERS = { "offer draw": "offers a draw", "take back": "would like to take back a turn" };
const FIRING = ["turn", "waiting for the other"];
const MANY = 4; // reasons: more stand side by side

export class Guidance {
  constructor(connection, moveInput, { newGame, replay }) {
    Object.assign(this, { connection, moveInput, newGame, replay });
    byId("fire").addEventListener("click", () => moveInput.fire(this.firingPlayer()));
    byId("put-back").addEventListener("click", () => moveInput.escape());
    byId("reset-pieces").addEventListener("click", () => moveInput.send({ do: "reset_pieces" }));
    byId("reasons").addEventListener("scroll", () => this.overflow());
    new ResizeObserver(() => this.overflow()).observe(byId("reasons"));
  }

  /** Who presses, where several may: whoever has not. */
  firingPlayer() {
    const { seats } = this.connection.user;
    const { board, table } = this.connection.model;
    return board.to_move.find((player) => seats.includes(player) && !table.pressed.includes(player));
  }

  show() {
    const { game, table, board } = this.connection.model;
    const { moveInput } = this;
    const over = table.phase === "over";
    const side = board.to_move.length === 1 && !over ? String(board.to_move[0]) : "both";
    byId("guide").dataset.side = side;
    byId("guide").dataset.phase = table.phase;
    byId("guide").toggleAttribute("data-left-solution", table.left_solution);
    byId("guide").toggleAttribute("data-puzzle", game.puzzle !== null);
    setText(byId("sentence"), capitalize(table.guidance));
    replaceIfChanged(byId("reasons"), table.reasons, () => table.reasons.map((reason) => createElement("li", {}, capitalize(reason))));
    byId("reasons").classList.toggle("many", table.reasons.length > MANY);
    this.overflow();
    const firing = moveInput.isAllowed("fire") && !over && game.players.some((player) => player.kind === "human");
    byId("fire").hidden = !firing;
    const lies = (board.unfired_turn?.changed.length ?? 0) > 0;
    const ready = lies || Boolean(moveInput.sentMove);
    // Where there is a referee, a press at a board that is amiss is a happening to be judged.
    const can = FIRING.includes(table.phase) || (table.phase === "mismatch" && Boolean(this.connection.model.referee));
    byId("fire").classList.toggle("ready", ready && can);
    if (this.connection.fresh) disableFor(byId("fire"), can ? "" : table.guidance, "sentence");
    byId("put-back").hidden = !(moveInput.isAllowed("put_back") && game.simulated_hands && (lies || moveInput.sentMove || moveInput.holding));
    byId("reset-pieces").hidden = !(game.simulated_hands && moveInput.isAllowed("reset_pieces") && table.differences.length);
    this.showQuestions(table, game);
  }

  /** Whether there are more reasons below those in sight. */
  overflow() {
    const list = byId("reasons");
    const hidden = list.scrollHeight > list.clientHeight + 4;
    const below = list.scrollTop + list.clientHeight < list.scrollHeight - 4;
    list.classList.toggle("more", hidden && below);
    if (hidden) list.tabIndex = 0;
    else list.removeAttribute("tabindex");
  }

  showQuestions(table, game) {
    const { connection, moveInput } = this;
    const { offer, choices, outcome, left_solution: leftSolution } = table;
    const asked = offer ? 1 - offer.player : null;
    const answers = offer !== null && (connection.user?.seats ?? []).includes(asked);
    const alone = !connection.model.referee; // nobody is in charge
    const waits = alone && table.phase === "paused" && !Object.keys(table.lost_devices).length && moveInput.isAllowed("request");
    replaceIfChanged(byId("questions"), [offer, answers, choices, outcome, leftSolution, game.id, waits, moveInput.isAllowed("new_game")], () => {
      const parts = [];
      if (waits) parts.push(button("Go on", "play", () => moveInput.request("continue"), { class: "primary" }));
      if (leftSolution && moveInput.isAllowed("request")) parts.push(button("Take back", "back", () => moveInput.request("take back"), { class: "primary" }));
      if (offer) {
        parts.push(createElement("span", {}, `${capitalize(game.players[offer.player].name)} ${OFFERS[offer.request] ?? offer.request}.`));
        if (answers) {
          parts.push(button("Yes", "yes", () => moveInput.request("accept", { player: asked })));
          parts.push(button("No", "close", () => moveInput.request("decline", { player: asked })));
        }
      }
      if (moveInput.isAllowed("request")) {
        choices.forEach((each, choice) => parts.push(button(capitalize(each.words), null, () => moveInput.request("choose", { choice }))));
      }
      if (outcome) {
        if (moveInput.isAllowed("new_game") && game.puzzle) parts.push(button("Next puzzle", "play", () => moveInput.send({ do: "new_game" }), { class: "primary" }));
        else if (moveInput.isAllowed("new_game")) parts.push(button("New game", "new", this.newGame, { class: "primary" }));
        parts.push(button("Look at it again", "games", () => this.replay(game.id)));
      }
      return parts;
    });
  }
}
