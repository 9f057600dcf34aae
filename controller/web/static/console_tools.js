// What a referee may do besides ruling on what is asked: play a move, correct, set clocks, punish,
// end the game, note something.
import { at, capital, make } from "./dom.js";
import { ArrangeBoard } from "./console_arranging.js";
import { PlayBoard, differing, picture } from "./console_boards.js";
import { clockFace } from "./words.js";

const RESULTS = { "1-0": 0, "0-1": 1, "1/2-1/2": null };

export class Tools {
  /** `looks()` gives `{drawing, game, ground}`, `left(player)` the time that a player has. */
  constructor(link, asking, { looks, left, tell }) {
    Object.assign(this, { link, asking, looks, left, tell });
    const tools = { play: "play", correct: "correct", back: "back", clocks: "clocks", penalty: "penalty", result: "result", note: "note" };
    for (const [id, act] of Object.entries(tools)) at(`tool-${id}`).addEventListener("click", () => this[act]());
  }

  side(player) {
    return this.link.model.game.players[player].side;
  }

  async position(back = 0) {
    const answer = await fetch(`position.json?back=${back}`).catch(() => null);
    const found = answer ? await answer.json() : { error: "no connection" };
    if (found.error) this.tell(found.error);
    return found.error ? null : found;
  }

  // -- on a board ------------------------------------------------------------------------------------

  async play() {
    const position = await this.position();
    if (!position) return;
    const board = new PlayBoard(this.looks(), position, () => this.asking.ready?.());
    this.asking.open({
      title: "Play a move",
      body: [board.element],
      ruling: () => (board.moves ? { rule: "override", moves: board.moves } : null),
      words: () => `${board.told}, whatever was seen, and the laser fires at once.`,
      shown: () => [this.both(position.pieces, board.pieces)],
      next: "Play it",
    });
    board.board.focus(board.board.cursor);
  }

  async correct() {
    const position = await this.position();
    if (!position) return;
    const { game } = this.link.model;
    const board = new ArrangeBoard(this.looks(), position, () => this.asking.ready?.());
    const mover = make("select", { id: "correct-mover" }, ...game.players.map((player, number) => make("option", { value: number, selected: number === position.mover }, capital(player.side))));
    const changed = () => differing(position.pieces, board.pieces).length > 0 || (!game.simultaneous && Number(mover.value) !== position.mover);
    mover.addEventListener("change", () => this.asking.ready());
    this.asking.open({
      title: "Correct the position",
      body: [board.element, game.simultaneous ? null : make("label", { class: "inline" }, "To move", mover)].filter(Boolean),
      ruling: () => (changed() && !board.unclear ? { pieces: compact(board.pieces), mover: Number(mover.value) } : null),
      words: () => `The board stands like this from now on${game.simultaneous ? "" : `, and ${this.side(Number(mover.value))} is to move`}. Players put the pieces so${game.simultaneous ? "" : "; repetitions and turns without a capture are counted anew"}.`,
      shown: () => [this.both(position.pieces, board.pieces)],
    });
  }

  async back() {
    const { history } = this.link.model;
    if (!history.length) return this.tell("no turn was played yet");
    const [now, before] = await Promise.all([this.position(), this.position(1)]);
    if (!now || !before) return undefined;
    let position = before;
    const turns = make("input", { id: "back-turns", type: "number", min: "1", max: String(history.length), value: "1", inputmode: "numeric" });
    const shown = make("div", {});
    const gone = () => history.slice(-Number(turns.value)).map((turn) => turn.text).join(", ");
    const look = () => shown.replaceChildren(this.both(now.pieces, position.pieces));
    look();
    turns.addEventListener("input", async () => {
      const wanted = Number(turns.value);
      this.asking.ready();
      if (wanted >= 1 && wanted <= history.length) position = (await this.position(wanted)) ?? position;
      look();
    });
    this.asking.open({
      title: "Take back turns",
      body: [make("label", { class: "inline" }, "How many", turns), shown],
      ruling: () => (Number(turns.value) >= 1 && Number(turns.value) <= history.length ? { rule: "correct", turns: Number(turns.value) } : null),
      words: () => `These turns count no more: ${gone()}. Clocks stay as they are.`,
      shown: () => [this.both(now.pieces, position.pieces)],
    });
    return undefined;
  }

  /** The board before and after, with what differs marked. */
  both(before, after) {
    const { drawing, game, ground } = this.looks();
    const marks = differing(before, after);
    const one = (pieces, words) => make("figure", {}, picture(drawing, game, ground, pieces, marks), make("figcaption", {}, words));
    return make("div", { class: "pictures boards" }, one(before, "Before"), one(after, "After"));
  }

  // -- in words --------------------------------------------------------------------------------------

  clocks() {
    if (!this.link.model.clocks) return this.tell("this game is played without clocks: there is none to set");
    const inputs = [0, 1].map((player) => make("input", { id: `clock-${player}`, value: clockFace(Math.ceil(this.left(player) / 1000) * 1000), inputmode: "numeric", pattern: "(\\d+:)?\\d+:\\d\\d", maxlength: "8" }));
    for (const input of inputs) input.addEventListener("input", () => this.asking.ready());
    const times = () => inputs.map((input) => read(input.value));
    return this.asking.open({
      title: "Set the clocks",
      body: inputs.map((input, player) => make("label", {}, `${capital(this.side(player))}, as 4:30 or 1:04:30`, input)),
      ruling: () => (times().every((time) => time !== null) ? { rule: "clocks", left_ms: times() } : null),
      words: () => times().map((time, player) => `${this.side(player)} has ${clockFace(time)}`).join(", "),
    });
  }

  penalty() {
    const { referee, clocks } = this.link.model;
    const who = choice("penalty-who", [0, 1].map((player) => [player, capital(this.side(player))]));
    const kinds = [["none", "A warning"], ...(clocks ? [["1m", "1:00 for the other"], ["2m", "2:00 for the other"], ["5m", "5:00 for the other"]] : []), ["loss", "The game is lost"]];
    const what = choice("penalty-what", kinds);
    const why = make("input", { id: "penalty-why", maxlength: "100", autocomplete: "off", placeholder: "conduct" });
    const costs = { none: "a warning", loss: "the game is lost" };
    this.asking.open({
      title: "Penalty",
      body: [make("label", {}, "For whom", who), make("label", {}, "What", what), make("label", {}, "For what", why),
        make("p", { class: "soft" }, `Illegal moves so far: ${[0, 1].map((player) => `${this.side(player)} ${referee.illegal[player]}`).join(", ")}. The next one: ${referee.next_penalty.join("; ")}.`)],
      ruling: () => ({ rule: "penalise", player: Number(who.value), penalty: what.value, ...(why.value.trim() ? { note: why.value.trim() } : {}) }),
      words: () => `${this.side(Number(who.value))} is penalised for ${why.value.trim() || "conduct"}: ${costs[what.value] ?? `${this.side(1 - Number(who.value))} gets ${what.value.replace("m", ":00")}`}.`,
    });
  }

  result() {
    const { game, table } = this.link.model;
    const names = { "1-0": `${capital(this.side(0))} wins (1-0)`, "0-1": `${capital(this.side(1))} wins (0-1)`, "1/2-1/2": "A draw (1/2-1/2)" };
    const how = choice("result-how", Object.entries(names));
    if (table.outcome) how.value = table.outcome.result;
    const why = make("input", { id: "result-why", maxlength: "100", value: "decided by the referee", autocomplete: "off" });
    why.addEventListener("input", () => this.asking.ready());
    this.asking.open({
      title: "The result",
      body: [make("label", {}, "How it ends", how), make("label", {}, "Because", why),
        ...(table.outcome ? [make("p", { class: "soft" }, `So far: ${table.outcome.result}, ${table.outcome.reason}.`)] : [])],
      ruling: () => (why.value.trim() ? { rule: "declare", result: how.value, reason: why.value.trim() } : null),
      words: () => {
        const winner = RESULTS[how.value];
        return `${winner === null ? "The game is drawn" : `${game.players[winner].name} wins`}: ${why.value.trim()}. ${table.outcome ? "The result so far counts no more; it stays in the record." : ""}`;
      },
    });
  }

  note() {
    const text = make("input", { id: "note-text", maxlength: "300", autocomplete: "off" });
    text.addEventListener("input", () => this.asking.ready());
    this.asking.open({
      title: "Write a note",
      body: [make("label", {}, "For the record", text)],
      ruling: () => (text.value.trim() ? { rule: "annotate", note: text.value.trim() } : null),
      words: () => `In the record: “${text.value.trim()}”. It cannot be taken out again.`,
    });
  }
}

function choice(id, options) {
  return make("select", { id }, ...options.map(([value, words]) => make("option", { value }, words)));
}

/** `1:02:03` or `4:30` as milliseconds; null: it is no time. */
function read(text) {
  if (!/^(\d{1,2}:)?\d{1,3}:[0-5]\d$/.test(text.trim())) return null;
  const total = text.trim().split(":").reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
  return total <= 24 * 3600 * 1000 ? total : null;
}

function compact(pieces) {
  return Object.fromEntries(pieces.map(({ cell, kind, owner, degrees, hit_points }) => [cell, [kind, owner, degrees, hit_points]]));
}
