// A game that was played, turn by turn: step, let the beams run again, share and keep a position.
import { at, capital, make, tell } from "./dom.js";
import { Board } from "./board.js";
import { Firing } from "./firing.js";
import { Moves } from "./moves.js";
import { Analysis } from "./analysis.js";
import { betterWay } from "./better.js";
import { listen } from "./keys.js";
import { above } from "./seats.js";
import { clockFace } from "./words.js";

const BETWEEN_MS = 700; // from one turn to the next while it plays

export class Replay {
  constructor({ heard, sound, motion, leave }) {
    Object.assign(this, { heard, sound, motion });
    this.board = new Board(at("replay-board"));
    this.firing = new Firing(this.board);
    this.moves = new Moves(at("replay-moves"), (turn) => this.go(turn));
    this.analysis = new Analysis({ go: (turn) => this.go(turn), changed: () => this.judged(), better: () => this.better() });
    this.game = null;
    this.turn = 0;
    this.playing = false;
    this.instead = null; // the better turn, while it is shown instead of the one that was played
    const step = (by) => () => this.go(this.turn + by);
    const keys = { " ": () => this.play(!this.playing), ",": step(-1), ".": step(1), PageUp: step(-1), PageDown: step(1), Enter: () => this.again() };
    listen(this.board, null, keys);
    at("replay-first").addEventListener("click", () => this.go(0));
    at("replay-back").addEventListener("click", step(-1));
    at("replay-next").addEventListener("click", step(1));
    at("replay-last").addEventListener("click", () => this.go(this.game.turns.length));
    at("replay-play").addEventListener("click", () => this.play(!this.playing));
    at("replay-again").addEventListener("click", () => this.again());
    at("replay-turn").addEventListener("input", (event) => this.go(Number(event.target.value)));
    at("replay-share").addEventListener("click", () => this.share());
    at("replay-leave").addEventListener("click", leave);
  }

  /** Show a game at one of its turns. */
  async open(id, turn) {
    if (this.game?.id !== id) {
      const [game, drawing] = await Promise.all(["game.json", "drawing.json"].map((file) => fetched(`games/${encodeURIComponent(id)}/${file}`)));
      if (game.error || drawing.error) {
        tell(at("replay-words"), capital(game.error ?? drawing.error));
        return;
      }
      this.game = game;
      this.firing.stop();
      this.board.lay({ drawing, game, ground: game.ground });
      tell(at("replay-title"), `${called(game)}: ${game.players.map((player) => player.name).join(" – ")}`);
      tell(at("replay-when"), [game.started, game.setup, game.time_control === "none" ? null : game.time_control].filter(Boolean).join(" · "));
      at("replay-turn").max = String(game.turns.length);
      this.upper = above(game.grid, game.pieces);
      this.keep();
      this.turn = -1;
      this.analysis.open(game);
    }
    this.go(turn ?? this.game.turns.length);
  }

  /** What can be taken home. */
  keep() {
    const { id, forms } = this.game;
    const names = { text: ["txt", "Record"], json: ["json", "Record as JSON"] };
    at("replay-keep").replaceChildren(
      ...forms.map((form) => make("a", { href: `games/${id}/record.${names[form][0]}`, download: true, class: "button" }, names[form][1])),
      make("a", { id: "replay-svg", class: "button", download: true, href: `games/${id}/0.svg?download` }, "Picture (SVG)"),
    );
  }

  close() {
    this.play(false);
    this.firing.stop();
    this.analysis.close();
  }

  // -- stepping --------------------------------------------------------------------------------------

  go(turn, { stay = false } = {}) {
    if (!this.game) return;
    const wanted = Math.max(0, Math.min(turn, this.game.turns.length));
    if (!stay && this.playing && wanted !== this.turn + 1) this.play(false);
    const forward = wanted > 0 && wanted === this.turn + 1;
    this.firing.stop();
    this.turn = wanted;
    this.instead = null;
    const link = `#game=${this.game.id}&turn=${wanted}`;
    if (location.hash !== link) history.replaceState(null, "", link);
    this.panel();
    if (forward) this.again();
    else this.rest();
  }

  get now() {
    return this.turn > 0 ? this.game.turns[this.turn - 1] : null;
  }

  /** The position after the turn, with a trace of its beams. */
  rest() {
    const { now } = this;
    this.board.markLast(now?.changed ?? []);
    this.board.set(now ? now.after : this.game.pieces);
    if (now) {
      this.firing.hold({ ...now, losses: [] });
      this.firing.fade();
    }
    this.advise();
  }

  /** The pieces before a turn. */
  before(turn) {
    const last = turn > 1 ? this.game.turns[turn - 2] : null;
    return last ? (last.corrected ?? last.after) : this.game.pieces;
  }

  /** What would have been better than the turn that is shown, on the board and in its words. */
  advise() {
    const best = this.analysis.at(this.turn)?.best;
    const way = best ? betterWay(this.before(this.turn), best) : { marks: [], arrows: [] };
    this.board.mark(way.marks);
    this.board.arrows(way.arrows);
    this.board.say(new Map(way.marks.map(({ cell }) => [cell, ["better move"]])));
  }

  /** There is something new to be said of the turns. */
  judged() {
    if (!this.game) return;
    this.panel();
    if (!this.firing.busy) this.advise();
  }

  /** Let the beam of the better move run, from where the turn began; or go back to what was played. */
  better() {
    const best = this.analysis.at(this.turn)?.best;
    if (!best) return;
    this.play(false);
    this.firing.stop();
    this.instead = this.instead ? null : best;
    this.panel();
    if (!this.instead) return this.rest();
    this.board.set(best.aimed);
    this.board.markLast(best.changed);
    this.advise();
    this.heard(`better: ${best.words}`);
    this.firing.run(best, { still: this.motion().still, done: () => this.board.set(best.after), events: this.sound });
  }

  /** Let the beams of this turn run. */
  again() {
    const { now } = this;
    if (!now) return;
    this.firing.stop();
    if (this.instead) {
      this.instead = null;
      this.panel();
    }
    this.board.mark([]);
    this.board.set(now.aimed);
    this.board.markLast(now.changed);
    this.heard(now.words);
    const done = () => {
      this.board.set(now.after);
      this.advise();
      if (!this.playing) return;
      if (this.turn === this.game.turns.length) this.play(false);
      else this.timer = setTimeout(() => this.go(this.turn + 1, { stay: true }), BETWEEN_MS);
    };
    this.firing.run(now, { still: this.motion().still, done, events: this.sound });
  }

  play(wanted) {
    clearTimeout(this.timer);
    if (wanted === this.playing) return;
    this.playing = wanted;
    at("replay-play").setAttribute("aria-pressed", String(wanted));
    at("replay-play").setAttribute("aria-label", wanted ? "Stop" : "Play");
    at("replay-play").querySelector("use").setAttribute("href", wanted ? "#i-pause" : "#i-play");
    if (wanted) this.go(this.turn === this.game.turns.length ? 0 : this.turn + 1, { stay: true });
    if (wanted && this.turn === 0) this.timer = setTimeout(() => this.go(1, { stay: true }), BETWEEN_MS);
  }

  // -- beside the board ------------------------------------------------------------------------------

  panel() {
    const { game, turn, now, instead } = this;
    const history = game.turns.map((each, index) => ({
      ...this.analysis.verdict(index + 1),
      players: each.moves.map(({ player }) => player),
      text: each.told,
      losses: each.losses.filter((loss) => loss.removed).map((loss) => loss.cell),
    }));
    this.moves.show(history, game.players, turn);
    at("replay-turn").value = String(turn);
    at("replay-turn").setAttribute("aria-valuetext", `turn ${turn} of ${game.turns.length}`);
    tell(at("replay-number"), `${turn} / ${game.turns.length}`);
    const told = now ? `${sentences(now.words)}.` : "The beginning.";
    const ended = turn === game.turns.length && game.outcome && !/ wins|draw/.test(told);
    const words = ended ? `${told} ${capital(ending(game))}.` : told;
    tell(at("replay-words"), instead ? `Better: ${sentences(instead.words, false)}.` : words);
    at("replay-words").classList.toggle("better", instead !== null);
    at("replay-svg").href = `games/${game.id}/${turn}.svg?${turn ? "beams=1&" : ""}download`;
    game.players.forEach((player, number) => {
      const seat = at(number === this.upper ? "replay-upper" : "replay-lower");
      const left = now?.left_ms?.[number] ?? null;
      seat.dataset.shape = player.shape;
      seat.style.setProperty("--side", player.colours.body);
      seat.style.setProperty("--side-deep", player.colours.deep);
      tell(seat.querySelector("strong"), player.name === player.side ? capital(player.side) : `${capital(player.side)}: ${player.name}`);
      tell(seat.querySelector(".clock"), left === null ? "" : clockFace(left));
    });
    for (const id of ["replay-first", "replay-back"]) at(id).disabled = turn === 0;
    for (const id of ["replay-next", "replay-last"]) at(id).disabled = turn === game.turns.length;
    at("replay-again").disabled = turn === 0;
    this.analysis.show(turn, instead !== null);
  }

  async share() {
    const address = new URL(`#game=${this.game.id}&turn=${this.turn}`, location.href).href;
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url: address, title: this.game.title });
      else await navigator.clipboard.writeText(address);
      tell(at("replay-shared"), "The link is copied");
    } catch {
      tell(at("replay-shared"), address);
    }
  }
}

/** Several sentences, each with its capital; the first perhaps in the midst of one. */
const sentences = (words, begins = true) => words.split(". ").map((each, i) => (begins || i ? capital(each) : each)).join(". ");

/** `Laser Chess · puzzle 17` */
const called = ({ title, puzzle }) => [title, puzzle].filter(Boolean).join(" · ");

function ending({ outcome, players }) {
  const who = outcome.winner === null || outcome.winner === undefined ? "a draw" : `${players[outcome.winner].name} wins`;
  return `${who}: ${outcome.reason}`;
}

async function fetched(path) {
  const answer = await fetch(path).catch(() => null);
  return answer ? answer.json() : { error: "no connection" };
}

/** The games that were played, to choose from. */
export async function listGames(choose) {
  const { games = [], error } = await fetched("games.json");
  tell(at("games-none"), error ?? (games.length ? "" : "Nothing was played yet."));
  at("games-list").replaceChildren(
    ...games.map((game) =>
      make("li", {}, make("button", { type: "button", onclick: () => choose(game.id) },
        make("strong", {}, called(game)),
        make("span", {}, game.players.join(" – ")),
        make("span", { class: "soft" }, `${game.started} · ${game.turns} ${game.turns === 1 ? "turn" : "turns"} · ${game.outcome ? game.outcome.reason : "not finished"}`))),
    ),
  );
  at("games").showModal();
}
