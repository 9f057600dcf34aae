// What waits for a ruling, the oldest first: the sentence, the pictures, what each answer does.
import { at, button, capital, fill, make, tell } from "./dom.js";
import { pictures } from "./evidence.js";

const NAMES = { call: "Call", "illegal move": "Illegal move", "ambiguous read": "Unclear move", mismatch: "Board and record differ", "flag fall": "Time is over", "king hit": "King struck", repetition: "Draw" };

export class Matters {
  constructor(link, asking, play) {
    Object.assign(this, { link, asking, play });
  }

  show() {
    const { referee, table } = this.link.model;
    const { matters } = referee;
    tell(at("matters-count"), matters.length ? String(matters.length) : "");
    at("matters-none").hidden = matters.length > 0;
    tell(at("matters-none"), table.outcome ? "Nothing is open." : "Nothing is open. Whatever needs a ruling appears here, with its pictures.");
    fill(at("matters"), matters, () => matters.map((matter, index) => this.card(matter, index)));
  }

  card(matter, index) {
    const { players } = this.link.model.game;
    const side = matter.player === null ? null : players[matter.player];
    const id = `matter-${matter.number}`;
    const card = make("li", { class: "matter", "aria-labelledby": id, "data-number": matter.number },
      make("h3", { id }, make("span", { class: "kind" }, NAMES[matter.about] ?? capital(matter.about)), side && make("span", { class: "whose" }, capital(side.side)), make("span", { class: "soft" }, `entry ${matter.number}`)),
      make("p", { class: "asks" }, capital(matter.sentence)),
      pictures(matter.pictures),
      make("div", { class: "answers" }, ...this.answers(matter, index)));
    if (side) card.style.setProperty("--side", side.colours.body);
    return card;
  }

  answers(matter, index) {
    const { number, choices, why_not: cannot } = matter;
    const keys = index === 0;
    const rule = (title, words, ruling, yes) => () => this.asking.confirm({ title, words, ruling, yes });
    const answer = (words, does, refused, act, more = {}) => make("div", { class: "answer" }, button(words, null, act, { ...more, disabled: Boolean(refused) }), make("p", { class: "soft" }, capital(refused || does)));
    const accept = choices.length
      ? choices.map((words, choice) => answer(capital(words), "this turn is played, and its laser fires", cannot.accept, rule("Which was it?", `${words}: this turn is played, and its laser fires.`, { rule: "accept", matter: number, choice }, "It was this"), { class: "primary" }))
      : [answer("Accept", matter.accepting, cannot.accept, rule("Accept", `Accept: ${matter.accepting}.`, { rule: "accept", matter: number }, "Accept"), { class: "primary accept", "aria-keyshortcuts": keys ? "a" : null })];
    return [
      ...accept,
      answer("Dismiss", matter.dismissing, cannot.dismiss, rule("Dismiss", `Dismiss: ${matter.dismissing}.`, { rule: "dismiss", matter: number }, "Dismiss"), { class: "dismiss", "aria-keyshortcuts": keys ? "d" : null }),
      ...(["illegal move", "ambiguous read", "mismatch"].includes(matter.about) ? [answer("Play the move…", "on a board: it counts, whatever was seen", "", this.play)] : []),
    ];
  }

  /** Press the first button of that class. */
  key(name) {
    document.querySelector(`.matter .${name}:not(:disabled)`)?.click();
  }
}
