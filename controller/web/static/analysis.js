// A game that was played, judged by the computer: asked for, followed while it goes on, and shown.
import { at, capital, make, tell } from "./dom.js";
import { ScoreGraph } from "./scoregraph.js";

const LOOK_MS = 700;
const FAULTS = ["slip", "mistake", "blunder", "missed win"];

export class Analysis {
  /** `go` to a turn; `changed`: something new is known; `better`: let the better move be seen. */
  constructor({ go, changed, better }) {
    Object.assign(this, { go, changed });
    this.graph = new ScoreGraph(at("analysis-graph"), go);
    this.clear();
    at("analysis-start").addEventListener("click", () => this.ask("analyse"));
    at("analysis-stop").addEventListener("click", () => this.ask("stop"));
    at("analysis-next").addEventListener("click", () => this.next());
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

  lay({ summary = [], of, sentence = "", scores_for: side }) {
    const running = this.state === "running";
    const done = this.state === "done";
    at("analysis-start").hidden = running || done;
    at("analysis-stop").hidden = !running;
    at("analysis-next").hidden = !this.turns.some((turn) => FAULTS.includes(turn.verdict));
    const progress = at("analysis-progress");
    progress.hidden = !running;
    progress.max = of;
    progress.value = this.turns.length;
    if (running) this.words(`turn ${Math.min(of, this.turns.length + 1)} of ${of}`);
    else if (done) this.words(this.turns.some((turn) => FAULTS.includes(turn.verdict)) ? "" : "no slips, no mistakes");
    else if (this.state !== "none") this.words(sentence);
    this.graph.show(this.turns, of, this.game.players);
    tell(at("analysis-legend"), side ? `Up is good for ${side}.` : "");
    at("analysis-legend").hidden = !side || this.turns.length === 0;
    at("analysis-summary").replaceChildren(...summary.map((each) => this.row(each)));
  }

  row({ player, side, accuracy, verdicts }) {
    const { colours } = this.game.players[player];
    const counts = FAULTS.filter((each) => verdicts[each]).map((each) =>
      make("span", { class: "count-of" }, make("span", { class: "verdict", "data-verdict": each }, String(verdicts[each])), ` ${each}${verdicts[each] > 1 ? "s" : ""}`));
    const item = make("li", {}, make("strong", {}, capital(side)), make("span", { class: "accuracy" }, `${Math.round(accuracy)} % accurate`), ...counts);
    item.style.setProperty("--side", colours.body);
    return item;
  }

  /** The turn that is looked at. */
  show(turn) {
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
  }

  next() {
    const faults = this.turns.filter((turn) => FAULTS.includes(turn.verdict)).map((each) => each.turn);
    this.go(faults.find((turn) => turn > (this.turn ?? 0)) ?? faults[0]);
  }
}

async function told(asked) {
  const answer = await asked.catch(() => null);
  return answer ? answer.json() : { error: "no connection" };
}
