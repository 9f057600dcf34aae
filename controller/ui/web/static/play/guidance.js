// The guidance above the board: what to do next, why play cannot continue, open questions such as a draw
// offer, and the buttons for all of it.
import { byId, button, capitalize, replaceIfChanged, createElement, setText } from "../shared/dom.js";
import { disableFor } from "../shared/disable.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";

const OFFERS = {
  "offer draw": (player) => writeSentence("offers_draw", { player }),
  "take back": (player) => writeSentence("asks_take_back", { player }),
};
const FIRING = ["turn", "waiting for the other"];
const MANY = 4; // more reasons than this are shown in columns

export class Guidance {
  constructor(connection, moveInput, { newGame, replay }) {
    Object.assign(this, { connection, moveInput, newGame, replay });
    byId("fire").addEventListener("click", () => moveInput.fire(this.firingPlayer()));
    byId("put-back").addEventListener("click", () => moveInput.escape());
    byId("reset-pieces").addEventListener("click", () => moveInput.send({ do: "reset_pieces" }));
    byId("reasons").addEventListener("scroll", () => this.overflow());
    new ResizeObserver(() => this.overflow()).observe(byId("reasons"));
  }

  /** The player to press for: of the user's seats, the first to move that has not pressed yet. */
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
    setText(byId("sentence"), capitalize(sentenceText(table.guidance)));
    replaceIfChanged(byId("reasons"), table.reasons, () => table.reasons.map((reason) => createElement("li", {}, capitalize(sentenceText(reason)))));
    byId("reasons").classList.toggle("many", table.reasons.length > MANY);
    this.overflow();
    const offersFire = moveInput.isAllowed("fire") && !over && game.players.some((player) => player.kind === "human");
    byId("fire").hidden = !offersFire;
    const unfired = (board.unfired_turn?.changed.length ?? 0) > 0;
    const ready = unfired || Boolean(moveInput.sentMove);
    // In a refereed game a press at a wrong position is an incident: the referee rules on it.
    const canFire = FIRING.includes(table.phase) || (table.phase === "mismatch" && Boolean(this.connection.model.referee));
    byId("fire").classList.toggle("ready", ready && canFire);
    if (this.connection.fresh) disableFor(byId("fire"), canFire ? "" : sentenceText(table.guidance), "sentence");
    byId("put-back").hidden = !(moveInput.isAllowed("put_back") && game.simulated_hands && (unfired || moveInput.sentMove || moveInput.holding));
    byId("reset-pieces").hidden = !(game.simulated_hands && moveInput.isAllowed("reset_pieces") && table.differences.length);
    this.showQuestions(table, game);
  }

  /** Show that the list of reasons can be scrolled, and make it focusable. */
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
    const recipient = offer ? 1 - offer.player : null;
    const canAnswer = offer !== null && (connection.user?.seats ?? []).includes(recipient);
    const canContinue = !connection.model.referee && table.phase === "paused" && !Object.keys(table.lost_devices).length && moveInput.isAllowed("request");
    replaceIfChanged(byId("questions"), [offer, canAnswer, choices, outcome, leftSolution, game.id, canContinue, moveInput.isAllowed("new_game")], () => {
      const parts = [];
      if (canContinue) parts.push(button("Continue", "play", () => moveInput.request("continue"), { class: "primary" }));
      if (leftSolution && moveInput.isAllowed("request")) parts.push(button("Take back", "back", () => moveInput.request("take back"), { class: "primary" }));
      if (offer) {
        parts.push(createElement("span", {}, OFFERS[offer.request](capitalize(game.players[offer.player].name))));
        if (canAnswer) {
          parts.push(button("Yes", "yes", () => moveInput.request("accept", { player: recipient })));
          parts.push(button("No", "close", () => moveInput.request("decline", { player: recipient })));
        }
      }
      if (moveInput.isAllowed("request")) {
        choices.forEach((each, choice) => parts.push(button(capitalize(sentenceText(each.words)), null, () => moveInput.request("choose", { choice }))));
      }
      if (outcome) {
        if (moveInput.isAllowed("new_game") && game.puzzle) parts.push(button("Next puzzle", "play", () => moveInput.send({ do: "new_game" }), { class: "primary" }));
        else if (moveInput.isAllowed("new_game")) parts.push(button("New game", "new", this.newGame, { class: "primary" }));
        parts.push(button("Replay this game", "games", () => this.replay(game.id)));
      }
      return parts;
    });
  }
}
