// The hall: fetches how the event stands, again and again, and shows it. It asks for nothing else.
import { at, fill, tell } from "./dom.js";
import { askPin, enter } from "./entering.js";
import { freshness, showBoards } from "./boards.js";
import { showRounds, showStandings } from "./lists.js";

const FETCH_MS = 1000;
const TICK_MS = 250;
const PATIENCE_MS = 4000; // for one answer

let hall = null; // as it was at `heard`
let heard = 0;
let lost = ""; // why nothing is heard of the hall itself
const known = new Map(); // what has been announced of each table
let results = null;

async function fetched() {
  const answer = await fetch("hall.json", { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (answer.status === 401) {
    await askPin();
    return;
  }
  if (!answer.ok) throw new Error("it does not answer as it should");
  const told = await answer.json();
  hall = told;
  heard = performance.now();
}

async function follow() {
  try {
    await fetched();
    lost = "";
  } catch {
    lost = "No connection to the hall: trying again. What is shown is old.";
  }
  show();
  setTimeout(follow, FETCH_MS);
}

function show() {
  if (hall === null) {
    trouble(lost);
    return;
  }
  const passed = performance.now() - heard;
  const boards = hall.boards.map((board) => ({
    ...board,
    fresh: freshness(board, passed, hall),
    age: board.age_ms + passed,
    passed,
  }));
  document.title = `${hall.event}: hall`;
  tell(at("event"), hall.event);
  tell(at("summary"), summary(boards));
  trouble(lost || (hall.trouble && `Broker: ${hall.trouble}`));
  at("no-boards").hidden = boards.length > 0;
  at("no-rounds").hidden = hall.rounds.length > 0;
  showBoards(at("boards"), boards);
  showRounds(at("rounds"), hall.rounds);
  fill(at("rows"), hall.standings, () => showStandings(hall.standings));
  tell(at("tie-breaks"), hall.standings.length ? `A win is 1 point, a draw ½; ${hall.tie_breaks}.` : "");
  const refused = hall.refused ? `${hall.refused} messages were not understood; the last: ${hall.refused_last}` : "";
  tell(at("refused"), refused);
  announce(boards);
}

function summary(boards) {
  const counts = new Map();
  for (const board of boards) counts.set(board.fresh, (counts.get(board.fresh) ?? 0) + 1);
  const parts = ["live", "waiting", "stale", "lost", "left"].filter((word) => counts.has(word));
  const many = boards.length === 1 ? "1 board" : `${boards.length} boards`;
  const games = hall.games === 1 ? "1 game finished" : `${hall.games} games finished`;
  return [`${many}${parts.length ? ": " : ""}${parts.map((word) => `${counts.get(word)} ${word}`).join(", ")}`, games].join(" · ");
}

function trouble(sentence) {
  at("trouble").hidden = !sentence;
  tell(at("trouble"), sentence || "");
}

/** For those who listen: what has changed, and nothing that only grew older. */
function announce(boards) {
  const news = [];
  for (const board of boards) {
    const before = known.get(board.table);
    if (before !== undefined && before !== board.fresh && board.fresh !== "waiting") news.push(`table ${board.table} is ${board.fresh}`);
    known.set(board.table, board.fresh);
  }
  const now = new Map(hall.rounds.flatMap((round) => round.games.filter((game) => game.result).map((game) => [`${round.round}/${game.table}/${game.first}`, `round ${round.round}, table ${game.table}: ${game.first} ${game.result} ${game.second}`])));
  if (results !== null) for (const [key, words] of now) if (results.get(key) !== words) news.push(words);
  results = now;
  if (news.length) tell(at("news"), news.join(". "));
}

const you = await enter().catch(() => ({ role: "spectator" }));
if (you.role === null) await askPin();
setInterval(show, TICK_MS);
follow();
