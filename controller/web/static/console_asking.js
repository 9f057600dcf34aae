// One dialog for every ruling: what is to be ruled, then one clear question, then it is done. What the
// table refuses is told in its own words before anybody is asked.
import { at, button, capital, make, tell } from "./dom.js";

export class Asking {
  constructor(link) {
    this.link = link;
    this.dialog = at("ruling");
    at("ruling-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => at("ruling-body").replaceChildren());
  }

  /** Show something to be filled in; `ruling()` gives what is meant, or null while it is not clear. */
  open({ title, body, ruling, words, shown = () => [], next = "Go on" }) {
    tell(at("ruling-title"), title);
    this.trouble("");
    const go = button(next, null, () => this.ask({ title, body, ruling, words, shown, next }), { class: "primary", id: "ruling-next" });
    at("ruling-body").replaceChildren(...body);
    at("ruling-foot").replaceChildren(go, button("Leave it", null, () => this.dialog.close()));
    if (!this.dialog.open) this.dialog.showModal();
    this.ready = () => (go.disabled = ruling() === null);
    this.ready();
  }

  trouble(sentence) {
    tell(at("ruling-trouble"), sentence ? capital(sentence) : "");
  }

  async ask(step) {
    const ruling = step.ruling();
    if (ruling === null) return;
    const could = await this.link.send({ ...command(ruling), try: true });
    if (!could.ok) {
      this.trouble(could.sentence);
      return;
    }
    const back = () => this.open(step);
    this.confirm({ title: step.title, words: step.words(), shown: step.shown(), ruling, back });
  }

  /** The question itself. */
  confirm({ title, words, shown = [], ruling, back = null, yes = "Rule so" }) {
    tell(at("ruling-title"), title);
    this.trouble("");
    const note = make("input", { id: "ruling-note", maxlength: "200", autocomplete: "off", placeholder: "a note for the record, or nothing" });
    const sure = button(yes, "yes", () => this.rule(ruling, note.value.trim()), { class: "primary", id: "ruling-yes" });
    note.addEventListener("keydown", (event) => event.key === "Enter" && sure.click());
    at("ruling-body").replaceChildren(make("p", { class: "question" }, capital(words)), ...shown, make("label", {}, "Note", note));
    at("ruling-foot").replaceChildren(sure, button(back ? "Back" : "Leave it", null, back ?? (() => this.dialog.close())));
    if (!this.dialog.open) this.dialog.showModal();
    sure.focus();
  }

  async rule(ruling, note) {
    const asked = command(ruling);
    if (note) (asked.ruling ?? asked).note = note;
    const answer = await this.link.send(asked);
    if (answer.ok) this.dialog.close();
    else this.trouble(answer.sentence);
    return answer.ok;
  }
}

/** A ruling as it is sent: by itself, or by the pieces of a board. */
function command(ruling) {
  return ruling.pieces ? { do: "arrange", ...ruling } : { do: "rule", ruling: { ...ruling } };
}
