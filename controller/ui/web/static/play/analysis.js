// The computer's analysis of a played game: starts and stops it, polls its progress and shows it.
import { byId, capitalize, createElement, setText } from "../shared/dom.js";
import { VERDICTS, sentenceText, writeSentence } from "../shared/sentences.js";
import { ScoreGraph, verdictSign } from "./scoregraph.js";

const POLL_MS = 700;
const FAULTS = Object.keys(VERDICTS);
const MISTAKES = FAULTS.slice(1); // stops of "next mistake"

export class Analysis {
  /** `go(turn)` shows a turn, `changed()` is called after new results, `better()` shows the better move. */
  constructor({ go, changed, better }) {
    Object.assign(this, { go, changed });
    this.graph = new ScoreGraph(byId("analysis-graph"), go);
    this.clear();
    byId("analysis-start").addEventListener("click", () => this.post("analyse"));
    byId("analysis-stop").addEventListener("click", () => this.post("stop"));
    byId("analysis-next").addEventListener("click", () => this.goToMistake(1));
    byId("analysis-prev").addEventListener("click", () => this.goToMistake(-1));
    byId("analysis-show").addEventListener("click", better);
  }

  clear() {
    clearTimeout(this.timer);
    this.turns = [];
    this.state = "none";
    this.opened = null;
  }

  /** Another game is being fetched: nothing may be analysed until it is open. */
  wait() {
    this.close();
    byId("analysis-start").disabled = true;
  }

  /** Show another game, with the results that the server already has. */
  open(game) {
    byId("analysis-start").disabled = false;
    if (this.opened === game.id) return;
    this.clear();
    this.game = game;
    this.opened = game.id;
    byId("analysis").hidden = game.simultaneous; // a move alone has no score there
    this.setStatus("");
    this.render({ summary: [], total: game.turns.length });
    this.poll(game.id, true);
  }

  close() {
    clearTimeout(this.timer);
    this.opened = null;
  }

  /** The result for a turn; null if it is not analysed yet. */
  at(turn) {
    return this.turns[turn - 1] ?? null;
  }

  /** Verdict and sign for the list of moves; empty if the turn has none. */
  verdict(turn) {
    const found = this.at(turn);
    return found?.sign ? { verdict: found.verdict, sign: found.sign } : {};
  }

  // -- requests --------------------------------------------------------------------------------------

  address(file) {
    return `games/${encodeURIComponent(this.opened)}/${file}`;
  }

  async post(action) {
    const id = this.opened;
    if (!id) return; // the replay was closed
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
    const answer = await fetchJson(fetch(this.address(action), options));
    if (id !== this.opened) return;
    if (answer.error) this.setStatus(answer.error);
    else this.poll(id);
  }

  /** Fetch new results, and poll while the analysis runs. `first`: the game was just opened, so a
   * missing analysis is no error. */
  async poll(id, first = false) {
    clearTimeout(this.timer);
    const known = first ? 0 : this.turns.length;
    const found = await fetchJson(fetch(this.address(`analysis.json?after=${known}`)));
    if (id !== this.opened) return;
    if (found.error) {
      if (!first || this.state === "running") this.setStatus(found.error);
      return;
    }
    if (found.evaluated < known) this.turns = []; // the analysis was restarted
    else this.turns.push(...found.turns);
    const isNew = found.state !== this.state || found.turns.length;
    this.state = found.state;
    this.render(found);
    if (isNew) this.changed();
    if (this.state === "running") this.timer = setTimeout(() => this.poll(id), POLL_MS);
  }

  // -- display ---------------------------------------------------------------------------------------

  setStatus(sentence) {
    const text = sentenceText(sentence);
    setText(byId("analysis-state"), text && `${capitalize(text)}.`);
  }

  render({ summary = [], total, sentence }) {
    const running = this.state === "running";
    const done = this.state === "done";
    byId("analysis-start").hidden = running || done;
    byId("analysis-stop").hidden = !running;
    for (const id of ["analysis-prev", "analysis-next"]) byId(id).hidden = !this.mistakes.length;
    const progress = byId("analysis-progress");
    progress.hidden = !running;
    progress.max = total;
    progress.value = this.turns.length;
    if (running) this.setStatus(writeSentence("turn_of", { turn: Math.min(total, this.turns.length + 1), total }));
    else if (done) this.setStatus(this.turns.some((turn) => FAULTS.includes(turn.verdict)) ? "" : writeSentence("no_mistakes"));
    else if (this.state !== "none") this.setStatus(sentence);
    this.graph.show(this.turns, total, this.game.players);
    byId("analysis-summary").replaceChildren(...summary.map((each) => this.row(each)));
  }

  row({ player, side, accuracy, verdicts }) {
    const { colours } = this.game.players[player];
    const counts = FAULTS.filter((each) => verdicts[each]).map((each) =>
      createElement("span", { class: "count-of" }, verdictSign(each), createElement("span", { class: "verdict", "data-verdict": each }, String(verdicts[each])), ` ${VERDICTS[each][verdicts[each] > 1 ? 1 : 0]}`));
    const item = createElement("li", {}, createElement("strong", {}, capitalize(side)), createElement("span", { class: "accuracy" }, writeSentence("accurate", { percent: Math.round(accuracy) })), ...counts);
    item.style.setProperty("--side", colours.body);
    return item;
  }

  /** Show the result for a turn; `better`: the board shows the better move instead of it. */
  show(turn, better = false) {
    this.turn = turn;
    this.graph.setTurn(turn);
    const found = this.at(turn);
    byId("analysis-turn").hidden = !found;
    if (!found) return;
    byId("analysis-verdict").dataset.verdict = found.verdict;
    setText(byId("analysis-verdict"), capitalize(found.verdict));
    setText(byId("analysis-score"), sentenceText(found.words));
    const remark = sentenceText(found.remark);
    setText(byId("analysis-remark"), remark && `${capitalize(remark)}.`);
    byId("analysis-show").hidden = !found.best;
    setText(byId("analysis-show").querySelector("span"), better ? "Back to the move played" : "Show the better move");
    byId("analysis-show").querySelector("use").setAttribute("href", better ? "#i-back" : "#i-fire");
  }

  get mistakes() {
    return this.turns.filter((turn) => MISTAKES.includes(turn.verdict)).map((each) => each.turn);
  }

  /** Go to the next (1) or previous (-1) mistake, wrapping around. */
  goToMistake(direction) {
    const { mistakes, turn: now = 0 } = this;
    const ahead = mistakes.filter((turn) => (turn - now) * direction > 0);
    const [next] = direction > 0 ? [...ahead, ...mistakes] : [...ahead.reverse(), ...mistakes.reverse()];
    this.go(next);
  }
}

async function fetchJson(request) {
  const answer = await request.catch(() => null);
  return answer ? answer.json() : { error: writeSentence("no_connection") };
}
