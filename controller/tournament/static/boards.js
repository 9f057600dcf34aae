// The boards as cards in the order of their tables, updated in place so that the focus is kept.
import { sentenceText, writeSentence } from "./shared/sentences.js";
import { capitalize, createSvg, createElement, setText } from "./shared/dom.js";

// Every freshness has a shape and a word, not only a colour.
const MARKS = {
  live: "M8 2a6 6 0 1 1-.01 0Z",
  waiting: "M3 7h2v2H3ZM7 7h2v2H7ZM11 7h2v2h-2Z",
  stale: "M8 1 15 14H1Z",
  lost: "M3 1 8 6l5-5 2 2-5 5 5 5-2 2-5-5-5 5-2-2 5-5-5-5Z",
  left: "M2 7h12v2H2Z",
};
const cards = new Map();

/** A board's freshness now: as the server said, and `passed` milliseconds later. */
export function freshness(board, passed, tournament) {
  if (board.freshness === "lost" || board.freshness === "left") return board.freshness;
  const age = board.age_ms + passed;
  if (age > tournament.lost_ms) return "lost";
  if (age > tournament.stale_ms) return "stale";
  return board.freshness === "stale" ? "live" : board.freshness;
}

export function showBoards(list, boards) {
  const tables = new Set(boards.map((board) => board.table));
  for (const [table, card] of cards) {
    if (tables.has(table)) continue;
    card.item.remove();
    cards.delete(table);
  }
  boards.forEach((board, place) => {
    if (!cards.has(board.table)) cards.set(board.table, new Card(board.table));
    const card = cards.get(board.table);
    if (list.children[place] !== card.item) list.insertBefore(card.item, list.children[place] ?? null);
    card.show(board);
  });
}

class Card {
  constructor(table) {
    const title = `table-${table}`;
    this.mark = createSvg("path", {});
    this.word = createElement("strong", { class: "word" });
    this.age = createElement("span", { class: "age" });
    this.round = createElement("span", { class: "soft" });
    this.picture = createElement("img", { alt: "", width: 280, height: 224, hidden: true });
    this.seats = [0, 1].map(() => ({ row: createElement("li", {}), name: createElement("span", { class: "name" }), clock: createElement("span", { class: "clock" }) }));
    for (const seat of this.seats) seat.row.append(seat.name, seat.clock);
    this.guide = createElement("p", { class: "guide" });
    this.reasons = createElement("ul", { class: "reasons" });
    this.last = createElement("p", { class: "soft" });
    this.hash = createElement("code", {});
    this.hashLine = createElement("p", { class: "soft", hidden: true }, "last hash ", this.hash);
    this.page = createElement("a", { rel: "noreferrer", target: "_blank" }, writeSentence("open_table", { table }));
    this.console = createElement("a", { rel: "noreferrer", target: "_blank", "aria-label": writeSentence("console_of_table", { table }) }, "Console");
    this.links = createElement("p", { class: "links", hidden: true }, this.page, this.console);
    this.remark = createElement("p", { class: "remark", hidden: true });
    const status = createElement("p", { class: "status" }, createSvg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, this.mark), this.word, this.age);
    const top = createElement("div", { class: "top" }, createElement("h3", { id: title }, capitalize(writeSentence("table", { number: table }))), this.round, status);
    this.article = createElement(
      "article",
      { "aria-labelledby": title },
      top,
      this.picture,
      createElement("ul", { class: "seats" }, ...this.seats.map((seat) => seat.row)),
      this.guide,
      this.reasons,
      this.last,
      this.remark,
      this.hashLine,
      this.links,
    );
    this.item = createElement("li", {}, this.article);
  }

  show(board) {
    const game = board.game;
    this.article.dataset.fresh = board.fresh;
    this.mark.setAttribute("d", MARKS[board.fresh]);
    setText(this.word, board.fresh);
    setText(this.age, ageText(board));
    setText(this.remark, sentenceText(board.remark));
    this.remark.hidden = !board.remark;
    if (game === null) {
      setText(this.guide, writeSentence("nothing_known"));
      return;
    }
    const over = game.result !== "*";
    setText(this.round, writeSentence("round", { number: game.round }));
    this.showPicture(board.table, game);
    this.seats.forEach((seat, player) => {
      const score = over ? ` ${points(game.result)[player]}` : "";
      const runs = clockRuns(board, player);
      setText(seat.name, `${game.players[player]} (${game.sides[player]})${score}`);
      setText(seat.clock, board.clocks === null ? "" : `${runs ? "▶ " : ""}${clockText(remainingMs(board, player))}`);
    });
    setText(this.guide, capitalize(sentenceText(game.guidance)));
    const reasons = game.reasons.map(sentenceText);
    this.reasons.replaceChildren(...(this.showsReasons(reasons) ? this.reasons.children : reasons.map((reason) => createElement("li", {}, reason))));
    setText(this.last, game.last ? writeSentence("last_turn", { number: game.turns, turn: game.last }) : writeSentence("no_turn_yet"));
    setText(this.hash, game.last_hash.slice(0, 12));
    this.hash.setAttribute("title", game.last_hash);
    this.hashLine.hidden = !game.last_hash;
    this.links.hidden = !game.page;
    if (!game.page || this.page.getAttribute("href") === game.page) return;
    this.page.setAttribute("href", game.page);
    this.console.setAttribute("href", `${game.page}console`);
  }

  showsReasons(reasons) {
    return JSON.stringify([...this.reasons.children].map((each) => each.textContent)) === JSON.stringify(reasons);
  }

  showPicture(table, game) {
    const source = game.picture ? `boards/${table}/${game.picture}.svg` : "";
    this.picture.hidden = !source;
    if (!source || this.picture.getAttribute("src") === source) return;
    this.picture.setAttribute("src", source);
    this.picture.setAttribute("alt", game.turns ? writeSentence("after_turn", { game: game.title, turn: game.turns }) : writeSentence("as_it_begins", { game: game.title }));
  }
}

function ageText(board) {
  const seconds = Math.floor(board.age / 1000);
  if (!board.has_reported) return writeSentence("not_reported");
  if (board.fresh === "live") return writeSentence("seconds", { count: seconds });
  const long = seconds < 120 ? writeSentence("seconds", { count: seconds }) : writeSentence("minutes", { count: Math.floor(seconds / 60) });
  return board.fresh === "left" ? writeSentence("age", { age: long }) : writeSentence("reported", { age: long });
}

/** A running clock counts down only while the board is live. */
function remainingMs(board, player) {
  const clocks = board.clocks;
  return Math.max(0, clocks.left_ms[player] - (clockRuns(board, player) ? clocks.age_ms + board.passed : 0));
}

function clockRuns(board, player) {
  return board.fresh === "live" && board.game.result === "*" && board.clocks !== null && board.clocks.running.includes(player);
}

function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

const points = (result) => ({ "1-0": ["1", "0"], "0-1": ["0", "1"], "1/2-1/2": ["½", "½"] })[result] ?? ["", ""];
