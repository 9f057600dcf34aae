// A game that was played, judged by the computer: asked for, followed while it goes on, and shown.
import { at, capital, make, tell } from "./dom.js";
import { ScoreGraph, sign } from "./scoregraph.js";

const LOOK_MS = 700;
const FAULTS = ["slip", "mistake", "blunder", "missed win"];
const MISTAKES = FAULTS.slice(1); // what is worth a stop

export class Analysis {
  /** `go` to a turn; `changed`: something new is known; `better`: let the better move be seen. */
  constructor({ go, changed, better }) {
    Object.assign(this, { go, changed });
    this.graph = new ScoreGraph(at("analysis-graph"), go);
    this.clear();
    at("analysis-start").addEventListener("click", () => this.ask("analyse"));
    at("analysis-stop").addEventListener("click", () => this.ask("stop"));
    at("analysis-next").addEventListener("click", () => this.stopAt(1));
    at("analysis-prev").addEventListener("click", () => this.stopAt(-1));
    at("analysis-show").addEventListener("click", better);
  }

  clear() {
    clearTimeout(this.timer);
    this.turns = [];
    this.state = "none";
    this.opened = null;
  }

  /** Another game is looked at: what is known of it already? */
  open(game) {
    this.clear();
    this.game = game;
    this.opened = game.id;
    at("analysis").hidden = game.simultaneous; // what a move is worth depends on the other's there
    this.words("");
    this.lay({ summary: [], of: game.turns.length });
    this.look(game.id, true);
  }

  close() {
    clearTimeout(this.timer);
    this.opened = null;
  }

  /** What is said of a turn. */
  at(turn) {
    return this.turns[turn - 1] ?? null;
  }

  /** For the list of moves: what is worth a sign. */
  verdict(turn) {
    const found = this.at(turn);
    return found?.sign ? { verdict: found.verdict, sign: found.sign } : {};
  }

  // -- asking ----------------------------------------------------------------------------------------

  address(file) {
    return `games/${encodeURIComponent(this.opened)}/${file}`;
  }

  async ask(what) {
    const id = this.opened;
    if (!id) return; // it is still being fetched
    const how = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
    const answer = await told(fetch(this.address(what), how));
    if (id !== this.opened) return;
    if (answer.error) this.words(answer.error);
    else this.look(id);
  }

  /** How far it is; again and again while it goes on. `first`: nobody has asked for it yet. */
  async look(id, first = false) {
    clearTimeout(this.timer);
    const known = first ? 0 : this.turns.length;
    const found = await told(fetch(this.address(`analysis.json?after=${known}`)));
    if (id !== this.opened) return;
    if (found.error) {
      if (!first || this.state === "running") this.words(found.error);
      return;
    }
    if (found.judged < known) this.turns = []; // begun anew
    else this.turns.push(...found.turns);
    const begun = found.state !== this.state || found.turns.length;
    this.state = found.state;
    this.lay(found);
    if (begun) this.changed();
    if (this.state === "running") this.timer = setTimeout(() => this.look(id), LOOK_MS);
  }

  // -- showing ---------------------------------------------------------------------------------------

  words(sentence) {
    tell(at("analysis-state"), sentence && `${capital(sentence)}.`);
  }

  lay({ summary = [], of, sentence = "" }) {
    const running = this.state === "running";
    const done = this.state === "done";
    at("analysis-start").hidden = running || done;
    at("analysis-stop").hidden = !running;
    for (const id of ["analysis-prev", "analysis-next"]) at(id).hidden = !this.mistakes.length;
    const progress = at("analysis-progress");
    progress.hidden = !running;
    progress.max = of;
    progress.value = this.turns.length;
    if (running) this.words(`turn ${Math.min(of, this.turns.length + 1)} of ${of}`);
    else if (done) this.words(this.turns.some((turn) => FAULTS.includes(turn.verdict)) ? "" : "no slips, no mistakes");
    else if (this.state !== "none") this.words(sentence);
    this.graph.show(this.turns, of, this.game.players);
    at("analysis-summary").replaceChildren(...summary.map((each) => this.row(each)));
  }

  row({ player, side, accuracy, verdicts }) {
    const { colours } = this.game.players[player];
    const counts = FAULTS.filter((each) => verdicts[each]).map((each) =>
      make("span", { class: "count-of" }, sign(each), make("span", { class: "verdict", "data-verdict": each }, String(verdicts[each])), ` ${each}${verdicts[each] > 1 ? "s" : ""}`));
    const item = make("li", {}, make("strong", {}, capital(side)), make("span", { class: "accuracy" }, `${Math.round(accuracy)} % accurate`), ...counts);
    item.style.setProperty("--side", colours.body);
    return item;
  }

  /** The turn that is looked at; `better`: the better move is shown instead of it. */
  show(turn, better = false) {
    this.turn = turn;
    this.graph.point(turn);
    const found = this.at(turn);
    at("analysis-turn").hidden = !found;
    if (!found) return;
    at("analysis-verdict").dataset.verdict = found.verdict;
    tell(at("analysis-verdict"), capital(found.verdict));
    tell(at("analysis-score"), found.words);
    tell(at("analysis-remark"), found.remark && `${capital(found.remark)}.`);
    at("analysis-show").hidden = !found.best;
    tell(at("analysis-show").querySelector("span"), better ? "Back to the move played" : "Show the better move");
    at("analysis-show").querySelector("use").setAttribute("href", better ? "#i-back" : "#i-fire");
  }

  get mistakes() {
    return this.turns.filter((turn) => MISTAKES.includes(turn.verdict)).map((each) => each.turn);
  }

  /** To the next mistake that way, and round again. */
  stopAt(way) {
    const { mistakes, turn: now = 0 } = this;
    const ahead = mistakes.filter((turn) => (turn - now) * way > 0);
    const [near] = way > 0 ? [...ahead, ...mistakes] : [...ahead.reverse(), ...mistakes.reverse()];
    this.go(near);
  }
}

async function told(asked) {
  const answer = await asked.catch(() => null);
  return answer ? answer.json() : { error: "no connection" };
}
