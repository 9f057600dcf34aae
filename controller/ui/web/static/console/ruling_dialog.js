// One dialog for every ruling: what is to be ruled, then one clear question, then it is done. What the
// table refuses is told in its own words before anybody is asked.
import { byId, button, capitalize, createElement, setText } from "../shared/dom.js";

export class RulingDialog {
  constructor(connection) {
    this.connection = connection;
    this.dialog = byId("ruling");
    byId("ruling-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => byId("ruling-body").replaceChildren());
  }

  /** Show something to be filled in; `ruling()` gives what is meant, or null while it is not clear. */
  open({ title, body, ruling, words, shown = () => [], next = "Go on" }) {
    setText(byId("ruling-title"), title);
    this.showRefusal("");
    const go = button(next, null, () => this.dryRun({ title, body, ruling, words, shown, next }), { class: "primary", id: "ruling-next" });
    byId("ruling-body").replaceChildren(...body);
    byId("ruling-foot").replaceChildren(go, button("Leave it", null, () => this.dialog.close()));
    if (!this.dialog.open) this.dialog.showModal();
    this.ready = () => (go.disabled = ruling() === null);
    this.ready();
  }

  showRefusal(sentence) {
    setText(byId("ruling-trouble"), sentence ? capitalize(sentence) : "");
  }

  async dryRun(step) {
    const ruling = step.ruling();
    if (ruling === null) return;
    const could = await this.connection.send({ ...command(ruling), dry_run: true });
    if (!could.ok) {
      this.showRefusal(could.sentence);
      return;
    }
    const back = () => this.open(step);
    this.confirm({ title: step.title, words: step.words(), shown: step.shown(), ruling, back });
  }

  /** The question itself. */
  confirm({ title, words, shown = [], ruling, back = null, yes = "Rule so" }) {
    setText(byId("ruling-title"), title);
    this.showRefusal("");
    const note = createElement("input", { id: "ruling-note", maxlength: "200", autocomplete: "off", placeholder: "a note for the record, or nothing" });
    const sure = button(yes, "yes", () => this.sendRuling(ruling, note.value.trim()), { class: "primary", id: "ruling-yes" });
    note.addEventListener("keydown", (event) => event.key === "Enter" && sure.click());
    byId("ruling-body").replaceChildren(createElement("p", { class: "question" }, capitalize(words)), ...shown, createElement("label", {}, "Note", note));
    byId("ruling-foot").replaceChildren(sure, button(back ? "Back" : "Leave it", null, back ?? (() => this.dialog.close())));
    if (!this.dialog.open) this.dialog.showModal();
    sure.focus();
  }

  async sendRuling(ruling, note) {
    const asked = command(ruling);
    if (note) (asked.ruling ?? asked).note = note;
    const answer = await this.connection.send(asked);
    if (answer.ok) this.dialog.close();
    else this.showRefusal(answer.sentence);
    return answer.ok;
  }
}

/** A ruling as it is sent: by itself, or by the pieces of a board. */
function command(ruling) {
  return ruling.pieces ? { do: "set_position", ...ruling } : { do: "ruling", ruling: { ...ruling } };
}
