// The score sheet: every entry of the journal that people care for, what counts no more struck through
// with what superseded it, and the head by which all of it is known.
import { at, button, capital, fill, make, tell } from "./dom.js";
import { differing, picture } from "./console_boards.js";
import { pictures } from "./evidence.js";
import { clockFace } from "./words.js";

export class Sheet {
  constructor(link, looks) {
    Object.assign(this, { link, looks });
  }

  show() {
    const { ledger, game } = this.link.model;
    if (!ledger) return;
    const list = at("sheet-rows");
    tell(at("sheet-head"), ledger.read);
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 20;
    fill(list, ledger.rows, () => ledger.rows.map((row) => this.row(row, game.players)));
    if (atEnd) list.scrollTop = list.scrollHeight;
    at("sheet-none").hidden = ledger.rows.length > 0;
  }

  row(row, players) {
    const side = row.kind === "turn" && row.players.length === 1 ? players[row.players[0]] : null;
    const words = row.kind === "turn" ? row.told : capital(row.told);
    const told = row.gone ? make("s", {}, words) : make("span", {}, words);
    const shown = this.pictured(row);
    const item = make("li", { class: `entry is-${row.kind.replace(" ", "-")}${row.gone ? " gone" : ""}`, "data-entry": row.number },
      make("span", { class: "n" }, row.kind === "turn" ? `${row.turn}.` : ""),
      make("div", { class: "what" }, row.kind === "turn" ? null : make("b", {}, capital(row.kind)), " ", told,
        row.gone ? make("span", { class: "soft" }, ` counts no more: entry ${row.gone}`) : null, shown),
      make("span", { class: "soft by" }, row.by),
      make("span", { class: "faces" }, row.left_ms ? row.left_ms.map((left) => (left === null ? "–" : clockFace(left))).join(" · ") : ""),
      make("span", { class: "soft no" }, `${row.number}`));
    if (side) item.style.setProperty("--side", side.colours.body);
    return item;
  }

  /** What is to be seen of an entry: pictures of a turn, or the boards of a correction. */
  pictured(row) {
    const pair = row.pictures && (row.pictures.before || row.pictures.after);
    if (!pair && !row.before) return null;
    const words = row.before ? "Before and after" : "Pictures";
    const open = button(words, null, () => {
      const found = row.before ? this.boards(row) : pictures(row.pictures);
      tell(at("look-title"), `${capital(row.kind)}, entry ${row.number}: ${row.told}`);
      at("look-body").replaceChildren(found);
      at("look").showModal();
    }, { class: "small" });
    return open;
  }

  boards({ before, after }) {
    const { drawing, game, ground } = this.looks();
    const marks = differing(before, after);
    const one = (pieces, words) => make("figure", {}, picture(drawing, game, ground, pieces, marks), make("figcaption", {}, words));
    return make("div", { class: "pictures boards" }, one(before, "Before"), one(after, "After"));
  }
}
