// Entry point of the referee's console: the game, open proposals, tools for rulings, the score sheet.
import { resultStatus } from "../shared/result_status.js";
import { RulingDialog } from "./ruling_dialog.js";
import { ProposalList } from "./proposals.js";
import { ScoreSheet } from "./score_sheet.js";
import { RulingTools } from "./tools.js";
import { byId, capitalize, replaceIfChanged, createElement, setText } from "../shared/dom.js";
import { logIn } from "../shared/login.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";
import { Connection } from "../shared/connection.js";
import { LiveBoard } from "../shared/live_board.js";
import { Seats } from "../play/seats.js";
import { Settings } from "../play/settings.js";

const ERROR_SHOWN_MS = 6000;
const settings = new Settings();
const user = await logIn();
const connection = new Connection((parts) => onParts(parts));
const liveBoard = new LiveBoard(connection, { onError: showError, onTurnText: () => {}, sound: () => {}, motion: () => ({ still: settings.still }) });
const boardSetup = () => ({ drawing: liveBoard.board.drawing, game: connection.model.game, terrain: connection.model.terrain });
const seats = new Seats(connection, liveBoard.moveInput);
const rulingDialog = new RulingDialog(connection);
const tools = new RulingTools(connection, rulingDialog, { boardSetup, remainingMs: (player) => seats.remainingMs(player), onError: showError });
const proposalList = new ProposalList(connection, rulingDialog, () => tools.play());
const sheet = new ScoreSheet(connection, boardSetup);
let seenProposals = null; // numbers of the proposals of the last update

async function onParts(parts) {
  if (parts.includes("connection")) showConnection();
  await liveBoard.onParts(parts);
  if (!liveBoard.ready || !connection.user) return;
  const { model } = connection;
  const refereed = model.referee !== null && connection.user.role === "host";
  byId("referee").hidden = !refereed;
  byId("not-referee").hidden = refereed;
  setText(byId("not-referee-text"), model.referee === null ? writeSentence("no_referee") : writeSentence("not_referee"));
  if (!refereed) return;
  seats.show();
  showTitle(model);
  showState(model);
  proposalList.show();
  sheet.show();
  announceProposals(model.referee.proposals);
}

function showTitle({ game }) {
  const { tournament_entry } = game;
  const names = game.players.map((player) => player.name).join(" – ");
  setText(byId("title"), tournament_entry ? writeSentence("place_in_tournament", tournament_entry) : game.title);
  setText(byId("names"), names);
  document.title = `Referee · ${names}`;
}

/** Show the phase, and every reason why play cannot continue. */
function showState({ table, referee, game }) {
  const paused = table.phase === "paused";
  const over = table.phase === "over";
  setText(byId("sentence"), capitalize(sentenceText(table.guidance)));
  byId("state").dataset.phase = table.phase;
  const reasons = [...new Set([...(referee.stopped && paused ? [writeSentence("referee_stopped")] : []), ...referee.obstacles, ...(table.trouble ? [table.trouble] : []), ...table.differences.map((each) => each.sentence)].map(sentenceText))];
  replaceIfChanged(byId("obstacles"), reasons, () => reasons.map((reason) => createElement("li", {}, capitalize(reason))));
  byId("stop").hidden = over || referee.stopped;
  byId("continue").hidden = over || !paused;
  byId("continue").disabled = referee.obstacles.length > 0;
  byId("continue").title = referee.obstacles.length ? writeSentence("resume_later") : "";
  setText(byId("result-status"), over ? resultStatus(game, referee) : "");
  byId("confirm-result").hidden = !(over && referee.pending_confirmations.length);
  byId("confirm-result").disabled = referee.proposals.length > 0;
  for (const id of ["play", "back"]) byId(`tool-${id}`).disabled = over && id === "play";
  replaceIfChanged(byId("policies-list"), referee.policy_set, () => [
    ...Object.entries(referee.policy_set.policies).map(([what, who]) => createElement("li", {}, createElement("span", {}, capitalize(what)), createElement("b", {}, who))),
    createElement("li", {}, createElement("span", {}, "Penalties for illegal moves, in order"), createElement("b", {}, referee.policy_set.penalties.join(", "))),
    createElement("li", {}, createElement("span", {}, "The result is confirmed by"), createElement("b", {}, referee.policy_set.result_confirmed)),
  ]);
}

/** Announce new proposals to a screen reader, and count the open ones in the title. */
function announceProposals(open) {
  const now = open.map((proposal) => proposal.number);
  const fresh = open.filter((proposal) => seenProposals !== null && !seenProposals.includes(proposal.number));
  seenProposals = now;
  if (fresh.length) setText(byId("live-region"), writeSentence("new_proposal", { proposals: fresh.map((proposal) => sentenceText(proposal.sentence)).join("; ") }));
  document.title = open.length ? `(${open.length}) ${document.title}` : document.title;
}

function showConnection() {
  const { trouble } = connection;
  document.body.classList.toggle("stale", trouble !== "");
  byId("stale").hidden = trouble === "";
  setText(byId("stale-words"), trouble === "" ? "" : writeSentence("stale", { trouble: capitalize(trouble) }));
}

function showError(sentence) {
  if (!sentence) return;
  setText(byId("error-message"), capitalize(sentenceText(sentence)));
  byId("error-message").classList.add("shown");
  clearTimeout(showError.timer);
  showError.timer = setTimeout(() => byId("error-message").classList.remove("shown"), ERROR_SHOWN_MS);
}

function confirmResult() {
  const { table, game } = connection.model;
  const { winner, reason } = table.outcome;
  const outcome = winner === null ? writeSentence("game_is_drawn") : writeSentence("wins", { player: game.players[winner].name });
  rulingDialog.confirm({ title: "The result stands", words: writeSentence("result_final", { outcome, reason }), ruling: { rule: "confirm" }, yes: "Confirm" });
}

async function sendRuling(ruling) {
  const answer = await connection.send({ do: "ruling", ruling });
  if (!answer.ok) showError(answer.sentence);
}

byId("stop").addEventListener("click", () => sendRuling({ rule: "stop" }));
byId("confirm-result").addEventListener("click", confirmResult);
byId("continue").addEventListener("click", () => sendRuling({ rule: "go on" }));
for (const close of document.querySelectorAll("dialog [data-close]")) {
  close.addEventListener("click", () => close.closest("dialog").close());
}

const KEYS = {
  a: () => proposalList.clickFirst("accept"), d: () => proposalList.clickFirst("dismiss"),
  u: () => byId("confirm-result").hidden || byId("confirm-result").click(), s: () => byId("stop").click(), g: () => byId("continue").click(),
  m: () => tools.play(), c: () => tools.correct(), b: () => tools.back(),
  t: () => tools.clocks(), p: () => tools.penalty(), r: () => tools.result(), n: () => tools.note(),
};
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]") || event.target.matches("input:not([type=checkbox]), select")) return;
  const action = byId("referee").hidden ? null : KEYS[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
if (user.role === null) location.href = "/";
showConnection();
