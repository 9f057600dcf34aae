// The referee's rulings without a proposal: play a move, correct the position, take back turns, set the
// clocks, penalise, decide the result, add a note.
import { byId, capitalize, createElement } from "../shared/dom.js";
import { PositionEditor } from "./position_editor.js";
import { MoveBoard, differingCells, boardImage } from "./boards.js";
import { clockText } from "../shared/format.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";

const RESULTS = { "1-0": 0, "0-1": 1, "1/2-1/2": null };

export class RulingTools {
  /** `boardSetup()` returns `{drawing, game, terrain}`, `remainingMs(player)` a player's time. */
  constructor(connection, rulingDialog, { boardSetup, remainingMs, onError }) {
    Object.assign(this, { connection, rulingDialog, boardSetup, remainingMs, onError });
    const tools = { play: "play", correct: "correct", back: "back", clocks: "clocks", penalty: "penalty", result: "result", note: "note" };
    for (const [id, method] of Object.entries(tools)) byId(`tool-${id}`).addEventListener("click", () => this[method]());
  }

  side(player) {
    return this.connection.model.game.players[player].side;
  }

  async position(back = 0) {
    const answer = await fetch(`position.json?turns_back=${back}`).catch(() => null);
    const found = answer ? await answer.json() : { error: writeSentence("no_connection") };
    if (found.error) this.onError(found.error);
    return found.error ? null : found;
  }

  // -- rulings with a board --------------------------------------------------------------------------

  async play() {
    const position = await this.position();
    if (!position) return;
    const board = new MoveBoard(this.boardSetup(), position, () => this.rulingDialog.ready?.());
    this.rulingDialog.open({
      title: "Play a move",
      body: [board.element],
      ruling: () => (board.moves ? { rule: "override", moves: board.moves } : null),
      words: () => writeSentence("move_overridden", { moves: board.playedText }),
      shown: () => [this.beforeAndAfter(position.pieces, board.pieces)],
      next: "Play it",
    });
    board.board.focus(board.board.cursor);
  }

  async correct() {
    const position = await this.position();
    if (!position) return;
    const { game } = this.connection.model;
    const board = new PositionEditor(this.boardSetup(), position, () => this.rulingDialog.ready?.());
    const mover = createElement("select", { id: "correct-mover" }, ...game.players.map((player, number) => createElement("option", { value: number, selected: number === position.player_to_move }, capitalize(player.side))));
    const changed = () => differingCells(position.pieces, board.pieces).length > 0 || (!game.simultaneous && Number(mover.value) !== position.player_to_move);
    mover.addEventListener("change", () => this.rulingDialog.ready());
    this.rulingDialog.open({
      title: "Correct the position",
      body: [board.element, game.simultaneous ? null : createElement("label", { class: "inline" }, "To move", mover)].filter(Boolean),
      ruling: () => (changed() && !board.invalidInput ? { pieces: compact(board.pieces), player_to_move: Number(mover.value) } : null),
      words: () => (game.simultaneous ? writeSentence("position_corrected") : writeSentence("position_corrected_with_mover", { player: this.side(Number(mover.value)) })),
      shown: () => [this.beforeAndAfter(position.pieces, board.pieces)],
    });
  }

  async back() {
    const { history } = this.connection.model;
    if (!history.length) return this.onError(writeSentence("no_turn"));
    const [now, before] = await Promise.all([this.position(), this.position(1)]);
    if (!now || !before) return undefined;
    let position = before;
    const turns = createElement("input", { id: "back-turns", type: "number", min: "1", max: String(history.length), value: "1", inputmode: "numeric" });
    const shown = createElement("div", {});
    const takenBack = () => history.slice(-Number(turns.value)).map((turn) => sentenceText(turn.notation)).join(", ");
    const showBoards = () => shown.replaceChildren(this.beforeAndAfter(now.pieces, position.pieces));
    showBoards();
    turns.addEventListener("input", async () => {
      const wanted = Number(turns.value);
      this.rulingDialog.ready();
      if (wanted >= 1 && wanted <= history.length) position = (await this.position(wanted)) ?? position;
      showBoards();
    });
    this.rulingDialog.open({
      title: "Take back turns",
      body: [createElement("label", { class: "inline" }, "How many", turns), shown],
      ruling: () => (Number(turns.value) >= 1 && Number(turns.value) <= history.length ? { rule: "correct", turns: Number(turns.value) } : null),
      words: () => writeSentence("turns_taken_back", { turns: takenBack() }),
      shown: () => [this.beforeAndAfter(now.pieces, position.pieces)],
    });
    return undefined;
  }

  /** The board before and after, with the differing cells marked. */
  beforeAndAfter(before, after) {
    const { drawing, game, terrain } = this.boardSetup();
    const marks = differingCells(before, after);
    const one = (pieces, words) => createElement("figure", {}, boardImage(drawing, game, terrain, pieces, marks), createElement("figcaption", {}, words));
    return createElement("div", { class: "pictures boards" }, one(before, "Before"), one(after, "After"));
  }

  // -- rulings with a form ---------------------------------------------------------------------------

  clocks() {
    if (!this.connection.model.clocks) return this.onError(writeSentence("no_clocks"));
    const inputs = [0, 1].map((player) => createElement("input", { id: `clock-${player}`, value: clockText(Math.ceil(this.remainingMs(player) / 1000) * 1000), inputmode: "numeric", pattern: "(\\d+:)?\\d+:\\d\\d", maxlength: "8" }));
    for (const input of inputs) input.addEventListener("input", () => this.rulingDialog.ready());
    const times = () => inputs.map((input) => parseClock(input.value));
    return this.rulingDialog.open({
      title: "Set the clocks",
      body: inputs.map((input, player) => createElement("label", {}, writeSentence("clock_input", { player: capitalize(this.side(player)) }), input)),
      ruling: () => (times().every((time) => time !== null) ? { rule: "clocks", left_ms: times() } : null),
      words: () => times().map((time, player) => writeSentence("has_time", { player: this.side(player), time: clockText(time) })).join(", "),
    });
  }

  penalty() {
    const { referee, clocks } = this.connection.model;
    const who = choice("penalty-who", [0, 1].map((player) => [player, capitalize(this.side(player))]));
    const kinds = [["none", "A warning"], ...(clocks ? [["1m", "1:00 for the other"], ["2m", "2:00 for the other"], ["5m", "5:00 for the other"]] : []), ["loss", "The game is lost"]];
    const what = choice("penalty-what", kinds);
    const why = createElement("input", { id: "penalty-why", maxlength: "100", autocomplete: "off", placeholder: writeSentence("conduct") });
    const costs = { none: writeSentence("warning"), loss: writeSentence("game_lost") };
    const counts = [0, 1].map((player) => `${this.side(player)} ${referee.illegal_moves[player]}`).join(", ");
    const cost = () => costs[what.value] ?? writeSentence("gets_time", { player: this.side(1 - Number(who.value)), time: what.value.replace("m", ":00") });
    this.rulingDialog.open({
      title: "Penalty",
      body: [createElement("label", {}, "Player", who), createElement("label", {}, "Penalty", what), createElement("label", {}, "Reason", why),
        createElement("p", { class: "soft" }, writeSentence("illegal_moves", { counts, penalties: referee.next_penalty.map(sentenceText).join("; ") }))],
      ruling: () => ({ rule: "penalise", player: Number(who.value), penalty: what.value, ...(why.value.trim() ? { note: why.value.trim() } : {}) }),
      words: () => writeSentence("penalised", { player: this.side(Number(who.value)), reason: why.value.trim() || writeSentence("conduct"), penalty: cost() }),
    });
  }

  result() {
    const { game, table } = this.connection.model;
    const outcome = (winner) => (winner === null ? "A draw" : writeSentence("wins", { player: capitalize(this.side(winner)) }));
    const how = choice("result-how", Object.entries(RESULTS).map(([result, winner]) => [result, writeSentence("result_option", { outcome: outcome(winner), result })]));
    if (table.outcome) how.value = table.outcome.result;
    const why = createElement("input", { id: "result-why", maxlength: "100", value: "decided by the referee", autocomplete: "off" });
    why.addEventListener("input", () => this.rulingDialog.ready());
    this.rulingDialog.open({
      title: "The result",
      body: [createElement("label", {}, "Result", how), createElement("label", {}, "Reason", why),
        ...(table.outcome ? [createElement("p", { class: "soft" }, writeSentence("result_so_far", table.outcome))] : [])],
      ruling: () => (why.value.trim() ? { rule: "declare", result: how.value, reason: why.value.trim() } : null),
      words: () => {
        const winner = RESULTS[how.value];
        const declared = { outcome: winner === null ? writeSentence("game_is_drawn") : writeSentence("wins", { player: game.players[winner].name }), reason: why.value.trim() };
        return table.outcome ? writeSentence("result_replaced", declared) : writeSentence("result_declared", declared);
      },
    });
  }

  note() {
    const text = createElement("input", { id: "note-text", maxlength: "300", autocomplete: "off" });
    text.addEventListener("input", () => this.rulingDialog.ready());
    this.rulingDialog.open({
      title: "Write a note",
      body: [createElement("label", {}, "For the record", text)],
      ruling: () => (text.value.trim() ? { rule: "annotate", note: text.value.trim() } : null),
      words: () => writeSentence("note_recorded", { note: text.value.trim() }),
    });
  }
}

function choice(id, options) {
  return createElement("select", { id }, ...options.map(([value, words]) => createElement("option", { value }, words)));
}

/** `1:02:03` or `4:30` as milliseconds; null for other texts. */
function parseClock(text) {
  if (!/^(\d{1,2}:)?\d{1,3}:[0-5]\d$/.test(text.trim())) return null;
  const total = text.trim().split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
  return total <= 24 * 3600 * 1000 ? total : null;
}

function compact(pieces) {
  return Object.fromEntries(pieces.map(({ cell, kind, owner, degrees, hit_points }) => [cell, [kind, owner, degrees, hit_points]]));
}
