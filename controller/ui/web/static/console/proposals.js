// The open proposals, oldest first: sentence, images, and the effect of each possible ruling.
import { byId, button, capitalize, replaceIfChanged, createElement, setText } from "../shared/dom.js";
import { sentenceText } from "../shared/sentences.js";
import { evidenceImages } from "./evidence.js";

const NAMES = { call: "Call", "illegal move": "Illegal move", "ambiguous read": "Unclear move", mismatch: "Board and record differ", "flag fall": "Time is over", "king hit": "King captured", repetition: "Draw" };

export class ProposalList {
  constructor(connection, rulingDialog, play) {
    Object.assign(this, { connection, rulingDialog, play });
  }

  show() {
    const { referee, table } = this.connection.model;
    const { proposals } = referee;
    setText(byId("proposals-count"), proposals.length ? String(proposals.length) : "");
    byId("proposals-none").hidden = proposals.length > 0;
    setText(byId("proposals-none"), table.outcome ? "Nothing is open." : "Nothing is open. Incidents that need a ruling appear here, with their images.");
    replaceIfChanged(byId("proposals"), proposals, () => proposals.map((proposal, index) => this.card(proposal, index)));
  }

  card(proposal, index) {
    const { players } = this.connection.model.game;
    const side = proposal.player === null ? null : players[proposal.player];
    const id = `proposal-${proposal.number}`;
    const card = createElement("li", { class: "proposal", "aria-labelledby": id, "data-number": proposal.number },
      createElement("h3", { id }, createElement("span", { class: "kind" }, NAMES[proposal.incident] ?? capitalize(proposal.incident)), side && createElement("span", { class: "whose" }, capitalize(side.side)), createElement("span", { class: "soft" }, `entry ${proposal.number}`)),
      createElement("p", { class: "proposal-text" }, capitalize(sentenceText(proposal.sentence))),
      evidenceImages(proposal.images),
      createElement("div", { class: "answers" }, ...this.answers(proposal, index)));
    if (side) card.style.setProperty("--side", side.colours.body);
    return card;
  }

  answers(proposal, index) {
    const { number, choices, why_not: cannot } = proposal;
    const keys = index === 0;
    const rule = (title, words, ruling, yes) => () => this.rulingDialog.confirm({ title, words, ruling, yes });
    const answer = (words, does, refused, act, more = {}) => createElement("div", { class: "answer" }, button(words, null, act, { ...more, disabled: Boolean(refused) }), createElement("p", { class: "soft" }, capitalize(sentenceText(refused || does))));
    const accept = choices.length
      ? choices.map(sentenceText).map((words, choice) => answer(capitalize(words), "this turn is played, and its laser fires", cannot.accept, rule("Which turn was played?", `${words}: this turn is played, and its laser fires.`, { rule: "accept", proposal: number, choice }, "Confirm"), { class: "primary" }))
      : [answer("Accept", proposal.accept_effect, cannot.accept, rule("Accept", `Accept: ${sentenceText(proposal.accept_effect)}.`, { rule: "accept", proposal: number }, "Accept"), { class: "primary accept", "aria-keyshortcuts": keys ? "a" : null })];
    return [
      ...accept,
      answer("Dismiss", proposal.dismiss_effect, cannot.dismiss, rule("Dismiss", `Dismiss: ${sentenceText(proposal.dismiss_effect)}.`, { rule: "dismiss", proposal: number }, "Dismiss"), { class: "dismiss", "aria-keyshortcuts": keys ? "d" : null }),
      ...(["illegal move", "ambiguous read", "mismatch"].includes(proposal.incident) ? [answer("Play the move…", "on a board; what the camera read is ignored", "", this.play)] : []),
    ];
  }

  /** Click the first enabled button with a class. */
  clickFirst(name) {
    document.querySelector(`.proposal .${name}:not(:disabled)`)?.click();
  }
}
