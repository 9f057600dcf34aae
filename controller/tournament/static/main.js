// The tournament page: polls tournament.json and shows boards, rounds and standings. It is read only.
import { byId, replaceIfChanged, setText } from "./shared/dom.js";
import { writeSentence } from "./shared/sentences.js";
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
    fetchError = writeSentence("no_tournament");
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
  document.title = writeSentence("tournament", { event: tournament.event });
  setText(byId("event"), tournament.event);
  setText(byId("summary"), summaryText(boards));
  showTrouble(fetchError || (tournament.trouble && writeSentence("broker", { trouble: tournament.trouble })));
  byId("no-boards").hidden = boards.length > 0;
  byId("no-rounds").hidden = tournament.rounds.length > 0;
  showBoards(byId("boards"), boards);
  showRounds(byId("rounds"), tournament.rounds);
  replaceIfChanged(byId("rows"), tournament.standings, () => showStandings(tournament.standings));
  setText(byId("tie-breaks"), tournament.standings.length ? writeSentence("points", { tie_breaks: tournament.tie_breaks }) : "");
  const refused = tournament.refused ? writeSentence("not_understood", { count: tournament.refused, reason: tournament.refused_last }) : "";
  setText(byId("refused"), refused);
  announce(boards);
}

function summaryText(boards) {
  const counts = new Map();
  for (const board of boards) counts.set(board.fresh, (counts.get(board.fresh) ?? 0) + 1);
  const parts = ["live", "waiting", "stale", "lost", "left"].filter((word) => counts.has(word));
  const many = boards.length === 1 ? writeSentence("one_board", { count: 1 }) : writeSentence("boards", { count: boards.length });
  const games = tournament.games === 1 ? writeSentence("game_finished", { count: 1 }) : writeSentence("games_finished", { count: tournament.games });
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
    if (before !== undefined && before !== board.fresh && board.fresh !== "waiting") changes.push(writeSentence("board_freshness", { table: board.table, freshness: board.fresh }));
    announcedFreshness.set(board.table, board.fresh);
  }
  const results = new Map(tournament.rounds.flatMap((round) => round.games.filter((game) => game.result).map((game) => [`${round.round}/${game.table}/${game.first}`, writeSentence("round_result", { round: round.round, ...game })])));
  if (announcedResults !== null) for (const [key, text] of results) if (announcedResults.get(key) !== text) changes.push(text);
  announcedResults = results;
  if (changes.length) setText(byId("change-feed"), changes.join(". "));
}

const user = await logIn().catch(() => ({ role: "spectator" }));
if (user.role === null) await askForPin();
setInterval(show, TICK_MS);
poll();
