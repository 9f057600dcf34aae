// The dialog for every ruling: a form, then a question to confirm. A dry run comes first, so that a
// refused ruling shows its reason in the form.
import { byId, button, capitalize, createElement, setText } from "../shared/dom.js";
import { sentenceText } from "../shared/sentences.js";

export class RulingDialog {
  constructor(connection) {
    this.connection = connection;
    this.dialog = byId("ruling");
    byId("ruling-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => byId("ruling-body").replaceChildren());
  }

  /** Show a form. `ruling()` returns the ruling of its inputs, or null while they are incomplete. */
  open({ title, body, ruling, words, shown = () => [], next = "Continue" }) {
    setText(byId("ruling-title"), title);
    this.showRefusal("");
    const go = button(next, null, () => this.dryRun({ title, body, ruling, words, shown, next }), { class: "primary", id: "ruling-next" });
    byId("ruling-body").replaceChildren(...body);
    byId("ruling-foot").replaceChildren(go, button("Cancel", null, () => this.dialog.close()));
    if (!this.dialog.open) this.dialog.showModal();
    this.ready = () => (go.disabled = ruling() === null);
    this.ready();
  }

  showRefusal(sentence) {
    setText(byId("ruling-trouble"), capitalize(sentenceText(sentence)));
  }

  async dryRun(step) {
    const ruling = step.ruling();
    if (ruling === null) return;
    const answer = await this.connection.send({ ...command(ruling), dry_run: true });
    if (!answer.ok) {
      this.showRefusal(answer.sentence);
      return;
    }
    const back = () => this.open(step);
    this.confirm({ title: step.title, words: step.words(), shown: step.shown(), ruling, back });
  }

  /** Ask for confirmation, then send the ruling. */
  confirm({ title, words, shown = [], ruling, back = null, yes = "Confirm" }) {
    setText(byId("ruling-title"), title);
    this.showRefusal("");
    const note = createElement("input", { id: "ruling-note", maxlength: "200", autocomplete: "off", placeholder: "a note for the record (optional)" });
    const confirmButton = button(yes, "yes", () => this.sendRuling(ruling, note.value.trim()), { class: "primary", id: "ruling-yes" });
    note.addEventListener("keydown", (event) => event.key === "Enter" && confirmButton.click());
    byId("ruling-body").replaceChildren(createElement("p", { class: "question" }, capitalize(words)), ...shown, createElement("label", {}, "Note", note));
    byId("ruling-foot").replaceChildren(confirmButton, button(back ? "Back" : "Cancel", null, back ?? (() => this.dialog.close())));
    if (!this.dialog.open) this.dialog.showModal();
    confirmButton.focus();
  }

  async sendRuling(ruling, note) {
    const message = command(ruling);
    if (note) (message.ruling ?? message).note = note;
    const answer = await this.connection.send(message);
    if (answer.ok) this.dialog.close();
    else this.showRefusal(answer.sentence);
    return answer.ok;
  }
}

/** The command for a ruling; an edited position has its own. */
function command(ruling) {
  return ruling.pieces ? { do: "set_position", ...ruling } : { do: "ruling", ruling: { ...ruling } };
}
