// Replay of a stored game: steps through its turns, animates their beams, shares and downloads a
// position.
import { byId, capitalize, createElement, setText } from "../shared/dom.js";
import { Board } from "../shared/board.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";
import { BeamAnimation } from "../shared/beam_animation.js";
import { MoveList } from "./move_list.js";
import { Analysis } from "./analysis.js";
import { bestMoveMarks } from "./best_move_marks.js";
import { listenForKeys } from "./keys.js";
import { upperPlayer } from "./seats.js";
import { clockText } from "../shared/format.js";

const BETWEEN_MS = 700; // between turns while the replay plays

export class Replay {
  constructor({ onTurnText, sound, motion, leave }) {
    Object.assign(this, { onTurnText, sound, motion });
    this.board = new Board(byId("replay-board"));
    this.beamAnimation = new BeamAnimation(this.board);
    this.moves = new MoveList(byId("replay-moves"), (turn) => this.go(turn));
    this.analysis = new Analysis({ go: (turn) => this.go(turn), changed: () => this.onAnalysis(), better: () => this.toggleBetter() });
    this.game = null;
    this.fetching = null; // game and turn that were asked for, while the game is fetched
    this.turn = 0;
    this.playing = false;
    this.betterTurn = null; // the better turn, while it is shown instead of the played one
    const step = (by) => () => this.go(this.turn + by);
    const keys = { " ": () => this.play(!this.playing), ",": step(-1), ".": step(1), PageUp: step(-1), PageDown: step(1), Enter: () => this.runBeams() };
    listenForKeys(this.board, null, keys);
    byId("replay-first").addEventListener("click", () => this.go(0));
    byId("replay-back").addEventListener("click", step(-1));
    byId("replay-next").addEventListener("click", step(1));
    byId("replay-last").addEventListener("click", () => this.go(this.game.turns.length));
    byId("replay-play").addEventListener("click", () => this.play(!this.playing));
    byId("replay-again").addEventListener("click", () => this.runBeams());
    byId("replay-turn").addEventListener("input", (event) => this.go(Number(event.target.value)));
    byId("replay-share").addEventListener("click", () => this.share());
    byId("replay-leave").addEventListener("click", leave);
  }

  /** Show a game at one of its turns. */
  async open(id, turn) {
    if (this.game?.id !== id) {
      const isFetching = this.fetching?.id === id;
      this.fetching = { id, turn };
      if (!isFetching) await this.fetch(id);
      return;
    }
    this.fetching = null;
    this.analysis.open(this.game);
    this.go(turn ?? this.game.turns.length);
  }

  /** Fetch a game and show it, unless another one is opened meanwhile. */
  async fetch(id) {
    this.analysis.wait();
    const [game, drawing] = await Promise.all(["game.json", "drawing.json"].map((file) => fetchJson(`games/${encodeURIComponent(id)}/${file}`)));
    if (this.fetching?.id !== id) return;
    const { turn } = this.fetching;
    this.fetching = null;
    if (game.error || drawing.error) {
      setText(byId("replay-words"), capitalize(sentenceText(game.error ?? drawing.error)));
      if (this.game) this.analysis.open(this.game);
      return;
    }
    this.game = game;
    this.beamAnimation.stop();
    this.board.build({ drawing, game, terrain: game.terrain });
    setText(byId("replay-title"), `${gameTitle(game)}: ${game.players.map((player) => player.name).join(" – ")}`);
    setText(byId("replay-when"), [game.started, game.setup, game.time_control === "none" ? null : game.time_control].filter(Boolean).join(" · "));
    byId("replay-turn").max = String(game.turns.length);
    this.upper = upperPlayer(game.grid, game.pieces);
    this.showDownloads();
    this.turn = -1;
    this.analysis.open(game);
    this.go(turn ?? game.turns.length);
  }

  /** Links to the game's records and to the drawing of the position. */
  showDownloads() {
    const { id, forms } = this.game;
    const names = { text: ["txt", "Record"], json: ["json", "Record as JSON"] };
    byId("replay-keep").replaceChildren(
      ...forms.map((form) => createElement("a", { href: `games/${id}/record.${names[form][0]}`, download: true, class: "button" }, names[form][1])),
      createElement("a", { id: "replay-svg", class: "button", download: true, href: `games/${id}/0.svg?download` }, "Picture (SVG)"),
    );
  }

  close() {
    this.fetching = null;
    this.play(false);
    this.beamAnimation.stop();
    this.analysis.close();
  }

  // -- stepping --------------------------------------------------------------------------------------

  go(turn, { stay = false } = {}) {
    if (!this.game) return;
    const wanted = Math.max(0, Math.min(turn, this.game.turns.length));
    if (!stay && this.playing && wanted !== this.turn + 1) this.play(false);
    const forward = wanted > 0 && wanted === this.turn + 1;
    this.beamAnimation.stop();
    this.turn = wanted;
    this.betterTurn = null;
    const address = `#game=${this.game.id}&turn=${wanted}`;
    if (location.hash !== address) history.replaceState(null, "", address);
    this.panel();
    if (forward) this.runBeams();
    else this.showPosition();
  }

  get now() {
    return this.turn > 0 ? this.game.turns[this.turn - 1] : null;
  }

  /** The position after the turn, with a trace of its beams. */
  showPosition() {
    const { now } = this;
    this.board.markLast(now?.changed ?? []);
    this.board.showPieces(now ? now.after : this.game.pieces);
    if (now) {
      this.beamAnimation.showWhole({ ...now, losses: [] });
      this.beamAnimation.fade();
    }
    this.markBetter();
  }

  /** The pieces before a turn. */
  before(turn) {
    const last = turn > 1 ? this.game.turns[turn - 2] : null;
    return last ? (last.corrected ?? last.after) : this.game.pieces;
  }

  /** Mark the better move of the current turn. */
  markBetter() {
    const best = this.analysis.at(this.turn)?.best;
    const better = best ? bestMoveMarks(this.before(this.turn), best) : { marks: [], arrows: [] };
    this.board.mark(better.marks);
    this.board.arrows(better.arrows);
    this.board.describeCells(new Map(better.marks.map(({ cell }) => [cell, ["better move"]])));
  }

  /** Show new results of the analysis. */
  onAnalysis() {
    if (!this.game) return;
    this.panel();
    if (!this.beamAnimation.busy) this.markBetter();
  }

  /** Animate the better move from the position before the turn, or return to the played turn. */
  toggleBetter() {
    const best = this.analysis.at(this.turn)?.best;
    if (!best) return;
    this.play(false);
    this.beamAnimation.stop();
    this.betterTurn = this.betterTurn ? null : best;
    this.panel();
    if (!this.betterTurn) return this.showPosition();
    this.board.showPieces(best.aimed);
    this.board.markLast(best.changed);
    this.markBetter();
    this.onTurnText(writeSentence("better", { turn: best.words }));
    this.beamAnimation.run(best, { still: this.motion().still, done: () => this.board.showPieces(best.after), onEvent: this.sound });
  }

  /** Animate the beams of the current turn. */
  runBeams() {
    const { now } = this;
    if (!now) return;
    this.beamAnimation.stop();
    if (this.betterTurn) {
      this.betterTurn = null;
      this.panel();
    }
    this.board.mark([]);
    this.board.showPieces(now.aimed);
    this.board.markLast(now.changed);
    this.onTurnText(now.words);
    const done = () => {
      this.board.showPieces(now.after);
      this.markBetter();
      if (!this.playing) return;
      if (this.turn === this.game.turns.length) this.play(false);
      else this.timer = setTimeout(() => this.go(this.turn + 1, { stay: true }), BETWEEN_MS);
    };
    this.beamAnimation.run(now, { still: this.motion().still, done, onEvent: this.sound });
  }

  play(wanted) {
    clearTimeout(this.timer);
    if (wanted === this.playing) return;
    this.playing = wanted;
    byId("replay-play").setAttribute("aria-pressed", String(wanted));
    byId("replay-play").setAttribute("aria-label", wanted ? "Stop" : "Play");
    byId("replay-play").querySelector("use").setAttribute("href", wanted ? "#i-pause" : "#i-play");
    if (wanted) this.go(this.turn === this.game.turns.length ? 0 : this.turn + 1, { stay: true });
    if (wanted && this.turn === 0) this.timer = setTimeout(() => this.go(1, { stay: true }), BETWEEN_MS);
  }

  // -- beside the board ------------------------------------------------------------------------------

  panel() {
    const { game, turn, now, betterTurn } = this;
    const history = game.turns.map((each, index) => ({
      ...this.analysis.verdict(index + 1),
      players: each.moves.map(({ player }) => player),
      notation: each.notation,
      losses: each.losses.filter((loss) => loss.removed).map((loss) => loss.cell),
    }));
    this.moves.show(history, game.players, turn);
    byId("replay-turn").value = String(turn);
    byId("replay-turn").setAttribute("aria-valuetext", writeSentence("turn_of", { turn, total: game.turns.length }));
    setText(byId("replay-number"), `${turn} / ${game.turns.length}`);
    const text = now ? `${sentences(now.words)}.` : writeSentence("beginning");
    const ended = turn === game.turns.length && game.outcome && !now?.outcome; // the words of a turn that ends the game say so
    const words = ended ? `${text} ${capitalize(outcomeText(game))}.` : text;
    setText(byId("replay-words"), betterTurn ? writeSentence("better_shown", { turn: sentences(betterTurn.words, false) }) : words);
    byId("replay-words").classList.toggle("better", betterTurn !== null);
    byId("replay-svg").href = `games/${game.id}/${turn}.svg?${turn ? "beams=1&" : ""}download`;
    game.players.forEach((player, number) => {
      const seat = byId(number === this.upper ? "replay-upper" : "replay-lower");
      const left = now?.left_ms?.[number] ?? null;
      seat.dataset.shape = player.shape;
      seat.style.setProperty("--side", player.colours.body);
      seat.style.setProperty("--side-deep", player.colours.deep);
      setText(seat.querySelector("strong"), player.name === player.side ? capitalize(player.side) : `${capitalize(player.side)}: ${player.name}`);
      setText(seat.querySelector(".clock"), left === null ? "" : clockText(left));
    });
    for (const id of ["replay-first", "replay-back"]) byId(id).disabled = turn === 0;
    for (const id of ["replay-next", "replay-last"]) byId(id).disabled = turn === game.turns.length;
    byId("replay-again").disabled = turn === 0;
    this.analysis.show(turn, betterTurn !== null);
  }

  async share() {
    const address = new URL(`#game=${this.game.id}&turn=${this.turn}`, location.href).href;
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url: address, title: this.game.title });
      else await navigator.clipboard.writeText(address);
      setText(byId("replay-shared"), writeSentence("link_copied"));
    } catch {
      setText(byId("replay-shared"), address);
    }
  }
}

/** Capitalize every sentence; with `begins` false all but the first. */
const sentences = (words, begins = true) => sentenceText(words).split(". ").map((each, i) => (begins || i ? capitalize(each) : each)).join(". ");

/** `Laser Chess · puzzle 17` */
const gameTitle = ({ title, puzzle }) => [title, puzzle].filter(Boolean).join(" · ");

function outcomeText({ outcome, players }) {
  const { winner, reason } = outcome;
  if (winner === null || winner === undefined) return writeSentence("draw_because", { reason });
  return writeSentence("wins_because", { player: players[winner].name, reason });
}

async function fetchJson(path) {
  const answer = await fetch(path).catch(() => null);
  return answer ? answer.json() : { error: writeSentence("no_connection") };
}

const turnCount = (count) => (count === 1 ? writeSentence("one_turn", { count }) : writeSentence("turns", { count }));

/** Open the dialog with the stored games; `choose` is called with the id of one. */
export async function listGames(choose) {
  const { games = [], error } = await fetchJson("games.json");
  setText(byId("games-none"), error ? sentenceText(error) : games.length ? "" : writeSentence("nothing_played"));
  byId("games-list").replaceChildren(
    ...games.map((game) =>
      createElement("li", {}, createElement("button", { type: "button", onclick: () => choose(game.id) },
        createElement("strong", {}, gameTitle(game)),
        createElement("span", {}, game.players.join(" – ")),
        createElement("span", { class: "soft" }, `${game.started} · ${turnCount(game.turns)} · ${game.outcome ? sentenceText(game.outcome.reason) : "not finished"}`))),
    ),
  );
  byId("games").showModal();
}
