// The open proposals, oldest first: sentence, images, and the effect of each possible ruling.
import { byId, button, capitalize, replaceIfChanged, createElement, setText } from "../shared/dom.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";
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
    setText(byId("proposals-none"), table.outcome ? writeSentence("nothing_open") : writeSentence("nothing_open_yet"));
    replaceIfChanged(byId("proposals"), proposals, () => proposals.map((proposal, index) => this.card(proposal, index)));
  }

  card(proposal, index) {
    const { players } = this.connection.model.game;
    const side = proposal.player === null ? null : players[proposal.player];
    const id = `proposal-${proposal.number}`;
    const card = createElement("li", { class: "proposal", "aria-labelledby": id, "data-number": proposal.number },
      createElement("h3", { id }, createElement("span", { class: "kind" }, NAMES[proposal.incident] ?? capitalize(proposal.incident)), side && createElement("span", { class: "whose" }, capitalize(side.side)), createElement("span", { class: "soft" }, writeSentence("entry", { number: proposal.number }))),
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
      ? choices.map(sentenceText).map((words, choice) => answer(capitalize(words), writeSentence("turn_is_played"), cannot.accept, rule("Which turn was played?", writeSentence("turn_will_be_played", { turn: words }), { rule: "accept", proposal: number, choice }, "Confirm"), { class: "primary" }))
      : [answer("Accept", proposal.accept_effect, cannot.accept, rule("Accept", writeSentence("accept", { effect: proposal.accept_effect }), { rule: "accept", proposal: number }, "Accept"), { class: "primary accept", "aria-keyshortcuts": keys ? "a" : null })];
    return [
      ...accept,
      answer("Dismiss", proposal.dismiss_effect, cannot.dismiss, rule("Dismiss", writeSentence("dismiss", { effect: proposal.dismiss_effect }), { rule: "dismiss", proposal: number }, "Dismiss"), { class: "dismiss", "aria-keyshortcuts": keys ? "d" : null }),
      ...(["illegal move", "ambiguous read", "mismatch"].includes(proposal.incident) ? [answer("Play the move…", writeSentence("play_on_board"), "", this.play)] : []),
    ];
  }

  /** Click the first enabled button with a class. */
  clickFirst(name) {
    document.querySelector(`.proposal .${name}:not(:disabled)`)?.click();
  }
}
