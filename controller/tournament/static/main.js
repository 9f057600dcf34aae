// The tournament page: polls tournament.json and shows boards, rounds and standings. It is read only.
import { byId, replaceIfChanged, setText } from "./shared/dom.js";
import { sentenceText } from "./shared/sentences.js";
import { askForPin, logIn } from "./shared/login.js";
import { freshness, showBoards } from "./boards.js";
import { showRounds, showStandings } from "./lists.js";

const FETCH_MS = 1000;
const TICK_MS = 250;
const FETCH_TIMEOUT_MS = 4000; // for one answer

let tournament = null; // the newest tournament.json
let fetchedAt = 0;
let fetchError = "";
const announcedFreshness = new Map(); // by table
let announcedResults = null;

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

async function poll() {
  try {
    await fetchTournament();
    fetchError = "";
  } catch {
    fetchError = "No connection to the tournament: trying again. What is shown is old.";
  }
  show();
  setTimeout(poll, FETCH_MS);
}

function show() {
  if (tournament === null) {
    showTrouble(fetchError);
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
  setText(byId("summary"), summaryText(boards));
  showTrouble(fetchError || (tournament.trouble && `Broker: ${sentenceText(tournament.trouble)}`));
  byId("no-boards").hidden = boards.length > 0;
  byId("no-rounds").hidden = tournament.rounds.length > 0;
  showBoards(byId("boards"), boards);
  showRounds(byId("rounds"), tournament.rounds);
  replaceIfChanged(byId("rows"), tournament.standings, () => showStandings(tournament.standings));
  setText(byId("tie-breaks"), tournament.standings.length ? `A win is 1 point, a draw ½; ${sentenceText(tournament.tie_breaks)}.` : "");
  const refused = tournament.refused ? `${tournament.refused} messages were not understood; the last: ${sentenceText(tournament.refused_last)}` : "";
  setText(byId("refused"), refused);
  announce(boards);
}

function summaryText(boards) {
  const counts = new Map();
  for (const board of boards) counts.set(board.fresh, (counts.get(board.fresh) ?? 0) + 1);
  const parts = ["live", "waiting", "stale", "lost", "left"].filter((word) => counts.has(word));
  const many = boards.length === 1 ? "1 board" : `${boards.length} boards`;
  const games = tournament.games === 1 ? "1 game finished" : `${tournament.games} games finished`;
  return [`${many}${parts.length ? ": " : ""}${parts.map((word) => `${counts.get(word)} ${word}`).join(", ")}`, games].join(" · ");
}

function showTrouble(sentence) {
  byId("trouble").hidden = !sentence;
  setText(byId("trouble"), sentence || "");
}

/** Announce changes to a screen reader: freshness of boards and results, but not ages and clocks. */
function announce(boards) {
  const changes = [];
  for (const board of boards) {
    const before = announcedFreshness.get(board.table);
    if (before !== undefined && before !== board.fresh && board.fresh !== "waiting") changes.push(`table ${board.table} is ${board.fresh}`);
    announcedFreshness.set(board.table, board.fresh);
  }
  const results = new Map(tournament.rounds.flatMap((round) => round.games.filter((game) => game.result).map((game) => [`${round.round}/${game.table}/${game.first}`, `round ${round.round}, table ${game.table}: ${game.first} ${game.result} ${game.second}`])));
  if (announcedResults !== null) for (const [key, text] of results) if (announcedResults.get(key) !== text) changes.push(text);
  announcedResults = results;
  if (changes.length) setText(byId("change-feed"), changes.join(". "));
}

const user = await logIn().catch(() => ({ role: "spectator" }));
if (user.role === null) await askForPin();
setInterval(show, TICK_MS);
poll();
