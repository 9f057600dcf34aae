// The hall: fetches how the event stands, again and again, and shows it. It asks for nothing else.
import { byId, replaceIfChanged, setText } from "./shared/dom.js";
import { askForPin, logIn } from "./shared/login.js";
import { freshness, showBoards } from "./boards.js";
import { showRounds, showStandings } from "./lists.js";

const FETCH_MS = 1000;
const TICK_MS = 250;
const FETCH_TIMEOUT_MS = 4000; // for one answer

let tournament = null; // as it was at `fetchedAt`
let fetchedAt = 0;
let lost = ""; // why nothing is fetchedAt of the tournament itself
const known = new Map(); // what has been announced of each table
let results = null;

async function fetchTournament() {
  const answer = await fetch("tournament.json", { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
  if (answer.status === 401) {
    await askForPin();
    return;
  }
  if (!answer.ok) throw new Error("it does not answer as it should");
  tournament = await answer.json();
  fetchedAt = performance.now();
}

async function follow() {
  try {
    await fetchTournament();
    lost = "";
  } catch {
    lost = "No connection to the hall: trying again. What is shown is old.";
  }
  show();
  setTimeout(follow, FETCH_MS);
}

function show() {
  if (tournament === null) {
    trouble(lost);
    return;
  }
  const passed = performance.now() - fetchedAt;
  const boards = tournament.boards.map((board) => ({
    ...board,
    fresh: freshness(board, passed, tournament),
    age: board.age_ms + passed,
    passed,
  }));
  document.title = `${tournament.event}: tournament`;
  setText(byId("event"), tournament.event);
  setText(byId("summary"), summary(boards));
  trouble(lost || (tournament.trouble && `Broker: ${tournament.trouble}`));
  byId("no-boards").hidden = boards.length > 0;
  byId("no-rounds").hidden = tournament.rounds.length > 0;
  showBoards(byId("boards"), boards);
  showRounds(byId("rounds"), tournament.rounds);
  replaceIfChanged(byId("rows"), tournament.standings, () => showStandings(tournament.standings));
  setText(byId("tie-breaks"), tournament.standings.length ? `A win is 1 point, a draw ½; ${tournament.tie_breaks}.` : "");
  const refused = tournament.refused ? `${tournament.refused} messages were not understood; the last: ${tournament.refused_last}` : "";
  setText(byId("refused"), refused);
  announce(boards);
}

function summary(boards) {
  const counts = new Map();
  for (const board of boards) counts.set(board.fresh, (counts.get(board.fresh) ?? 0) + 1);
  const parts = ["live", "waiting", "stale", "lost", "left"].filter((word) => counts.has(word));
  const many = boards.length === 1 ? "1 board" : `${boards.length} boards`;
  const games = tournament.games === 1 ? "1 game finished" : `${tournament.games} games finished`;
  return [`${many}${parts.length ? ": " : ""}${parts.map((word) => `${counts.get(word)} ${word}`).join(", ")}`, games].join(" · ");
}

function trouble(sentence) {
  byId("trouble").hidden = !sentence;
  setText(byId("trouble"), sentence || "");
}

/** For those who listen: what has changed, and nothing that only grew older. */
function announce(boards) {
  const news = [];
  for (const board of boards) {
    const before = known.get(board.table);
    if (before !== undefined && before !== board.fresh && board.fresh !== "waiting") news.push(`table ${board.table} is ${board.fresh}`);
    known.set(board.table, board.fresh);
  }
  const now = new Map(tournament.rounds.flatMap((round) => round.games.filter((game) => game.result).map((game) => [`${round.round}/${game.table}/${game.first}`, `round ${round.round}, table ${game.table}: ${game.first} ${game.result} ${game.second}`])));
  if (results !== null) for (const [key, words] of now) if (results.get(key) !== words) news.push(words);
  results = now;
  if (news.length) setText(byId("change-feed"), news.join(". "));
}

const you = await logIn().catch(() => ({ role: "spectator" }));
if (you.role === null) await askForPin();
setInterval(show, TICK_MS);
follow();
