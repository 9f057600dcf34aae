// The score sheet: turns, rulings and notes of the journal, superseded entries struck through, and the
// journal's last hash.
import { byId, button, capitalize, replaceIfChanged, createElement, setText } from "../shared/dom.js";
import { differingCells, boardImage } from "./boards.js";
import { evidenceImages } from "./evidence.js";
import { clockText } from "../shared/format.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";

export class ScoreSheet {
  constructor(connection, boardSetup) {
    Object.assign(this, { connection, boardSetup });
  }

  show() {
    const { journal, game } = this.connection.model;
    if (!journal) return;
    const list = byId("sheet-rows");
    setText(byId("last-hash"), journal.last_hash_grouped);
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 20;
    replaceIfChanged(list, journal.rows, () => journal.rows.map((row) => this.row(row, game.players)));
    if (atEnd) list.scrollTop = list.scrollHeight;
    byId("sheet-none").hidden = journal.rows.length > 0;
  }

  row(row, players) {
    const side = row.kind === "turn" && row.players.length === 1 ? players[row.players[0]] : null;
    const words = row.kind === "turn" ? sentenceText(row.notation) : capitalize(sentenceText(row.sentence));
    const textElement = row.superseded_by ? createElement("s", {}, words) : createElement("span", {}, words);
    const shown = this.imagesButton(row);
    const item = createElement("li", { class: `entry is-${kindClass(row.kind)}${row.superseded_by ? " superseded" : ""}`, "data-entry": row.number },
      createElement("span", { class: "n" }, row.kind === "turn" ? `${row.turn}.` : ""),
      createElement("div", { class: "what" }, row.kind === "turn" ? null : createElement("b", {}, capitalize(row.kind)), " ", textElement,
        row.superseded_by ? createElement("span", { class: "soft" }, ` ${writeSentence("no_longer_counts", { number: row.superseded_by })}`) : null, shown),
      createElement("span", { class: "soft by" }, row.by),
      createElement("span", { class: "faces" }, row.left_ms ? row.left_ms.map((left) => (left === null ? "–" : clockText(left))).join(" · ") : ""),
      createElement("span", { class: "soft no" }, `${row.number}`));
    if (side) item.style.setProperty("--side", side.colours.body);
    return item;
  }

  /** The button for the images of a turn, or for the boards of a correction; null without any. */
  imagesButton(row) {
    const pair = row.images && (row.images.before || row.images.after);
    if (!pair && !row.before) return null;
    const words = row.before ? "Before and after" : "Images";
    const open = button(words, null, () => {
      const found = row.before ? this.boards(row) : evidenceImages(row.images);
      setText(byId("look-title"), writeSentence("entry_title", { kind: capitalize(row.kind), number: row.number, text: row.notation ?? row.sentence }));
      byId("look-body").replaceChildren(found);
      byId("look").showModal();
    }, { class: "small" });
    return open;
  }

  boards({ before, after }) {
    const { drawing, game, terrain } = this.boardSetup();
    const marks = differingCells(before, after);
    const one = (pieces, words) => createElement("figure", {}, boardImage(drawing, game, terrain, pieces, marks), createElement("figcaption", {}, words));
    return createElement("div", { class: "pictures boards" }, one(before, "Before"), one(after, "After"));
  }
}

/** The CSS class of a kind of entry; the journal calls a proposal a "matter". */
const kindClass = (kind) => (kind === "matter" ? "proposal" : kind.replace(" ", "-"));
