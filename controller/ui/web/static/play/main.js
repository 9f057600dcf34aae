// Entry point of the players' page: creates its parts and updates them when the state changes.
import { RefereeCall } from "./call_referee.js";
import { byId, capitalize, replaceIfChanged, createElement, setText } from "../shared/dom.js";
import { askForPin, logIn, logOut } from "../shared/login.js";
import { Guidance } from "./guidance.js";
import { listenForKeys } from "./keys.js";
import { delayText } from "../shared/format.js";
import { Connection } from "../shared/connection.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";
import { LiveBoard } from "../shared/live_board.js";
import { explainDisabled, disableSending } from "../shared/disable.js";
import { MoveList } from "./move_list.js";
import { NewGameDialog } from "./new_game.js";
import { Replay, listGames } from "./replay.js";
import { RoughHands } from "./rough_hands.js";
import { Seats } from "./seats.js";
import { Settings } from "./settings.js";
import { Presentation } from "./presentation.js";
import { CameraPane, LedPane } from "./views.js";
import { moveExamples } from "./move_examples.js";
import { Speech } from "./speech.js";

const VIEWS = ["board", "camera", "light"];
const ERROR_SHOWN_MS = 5000;

const settings = new Settings();
const speech = new Speech(settings);
const motion = () => ({ still: settings.still });
const sound = (what) => speech.sound(what);

let user = await logIn();
if (user.role === null) {
  await askForPin();
  user = await logIn();
}

const connection = new Connection((parts) => onParts(parts));
const liveBoard = new LiveBoard(connection, { onError: showError, onTurnText: (words) => speech.announce(capitalize(sentenceText(words)), true), sound, motion });
const { moveInput } = liveBoard;
const refresh = liveBoard.refresh.bind(liveBoard);
liveBoard.refresh = () => {
  refresh();
  showPanels();
};
const openReplay = (id, turn) => navigate({ game: id, ...(turn === undefined ? {} : { turn }) });
const newGame = new NewGameDialog(connection, moveInput);
const guidance = new Guidance(connection, moveInput, { newGame: () => newGame.open(), replay: (id) => openReplay(id, 0) });
const seats = new Seats(connection, moveInput);
const refereeCall = new RefereeCall(connection, moveInput);
const moves = new MoveList(byId("moves"), (turn) => openReplay(connection.model.game.id, turn));
const roughHands = new RoughHands(connection, moveInput);
const cameraPane = new CameraPane();
const ledPane = new LedPane(byId("leds"));
const replay = new Replay({ onTurnText: (words) => speech.announce(capitalize(sentenceText(words))), sound, motion, leave: () => navigate({}) });
const presentation = new Presentation({ changed: () => liveBoard.popover.place() });

// -- updates -----------------------------------------------------------------------------------------

async function onParts(parts) {
  if (parts.includes("connection")) showConnection();
  if (parts.includes("leds")) ledPane.show(connection.model.leds);
  await liveBoard.onParts(parts);
  if (!liveBoard.ready) return showWaiting();
  ledPane.build(connection.model.game, liveBoard.board);
  if (parts.includes("table") || parts.includes("board")) announce();
  showPanels();
}

/** Update everything around the board. */
function showPanels() {
  const { model } = connection;
  if (!liveBoard.ready || !connection.user) return;
  document.title = `${model.game.title} · Laserboard`;
  const { title, puzzle } = model.game;
  replaceIfChanged(byId("title"), [title, puzzle], () => (puzzle ? [title, createElement("span", { class: "between" }, " · "), createElement("span", { class: "which" }, puzzle)] : [title]));
  setText(byId("goal"), capitalize(sentenceText(model.game.goal)));
  guidance.show();
  seats.show();
  moves.show(model.history, model.game.players);
  roughHands.show();
  showRequests(model);
  refereeCall.show();
  showDelay(connection.user.delay_ms);
  moveInput.autoFire = settings.get("auto_fire");
  byId("open-new").hidden = !moveInput.isAllowed("new_game");
  byId("show-pin-row").hidden = !(user.pin && moveInput.isAllowed("show_pin"));
  const messages = model.messages.map(({ sentence }) => capitalize(sentenceText(sentence))).filter((text, i, all) => text !== all[i - 1]);
  replaceIfChanged(byId("messages"), messages, () => messages.slice(-12).map((text) => createElement("li", {}, text)).reverse());
  disableSending(connection.trouble);
}

/** A delayed spectator may connect before there is anything to show. */
function showWaiting() {
  const delay_ms = connection.user?.delay_ms ?? 0;
  if (!delay_ms) return;
  for (const id of ["requests", "type-form", "put-back", "fire", "open-new"]) byId(id).hidden = true;
  setText(byId("sentence"), writeSentence("appears_soon"));
  showDelay(delay_ms);
}

/** Tell a delayed spectator about the delay. The camera view is hidden: its images are live. */
function showDelay(delay_ms) {
  byId("delay-note").hidden = !delay_ms;
  byId("view-camera").hidden = delay_ms > 0;
  if (delay_ms) setText(byId("delay-note"), writeSentence("delayed_without_camera", { delay: delayText(delay_ms) }));
  if (delay_ms && document.body.dataset.view === "camera") navigate({});
}

/** The buttons for requests besides moves: hint, take back, draw, pause, resign. */
function showRequests({ table, game, legal_moves: legalMoves }) {
  const allowed = moveInput.isAllowed("request") && table.phase !== "over";
  const people = game.players.filter((player) => player.kind === "human").length;
  for (const id of ["ask-hint", "ask-back", "ask-resign"]) byId(id).hidden = !people;
  byId("requests").hidden = !allowed;
  byId("ask-claim").hidden = !table.claimable || game.puzzle !== null;
  byId("ask-draw").hidden = game.simultaneous || people < 2 || game.puzzle !== null;
  const resign = game.puzzle ? "Give up" : "Resign";
  for (const id of ["ask-resign", "resign-yes"]) setText(byId(id).querySelector("span"), resign);
  setText(byId("resign-title"), game.puzzle ? writeSentence("give_up", { puzzle: game.puzzle }) : writeSentence("resign"));
  byId("resign-puzzle").hidden = game.puzzle === null;
  byId("ask-pause").hidden = table.phase === "paused";
  byId("ask-continue").hidden = table.phase !== "paused";
  byId("type-form").hidden = !(moveInput.isAllowed("move") && game.simulated_hands && people && table.phase !== "over");
  const typed = moveExamples(legalMoves, game.grid.headings);
  if (typed) byId("type").placeholder = writeSentence("type_moves", { examples: typed });
}

function announce() {
  const { table } = connection.model;
  if (liveBoard.turn) return; // the turn is being announced
  speech.announce(capitalize([table.guidance, ...table.reasons.slice(0, 4)].map(sentenceText).join(". ")));
}

function showConnection() {
  const { trouble } = connection;
  document.body.classList.toggle("stale", trouble !== "");
  byId("stale").hidden = trouble === "";
  setText(byId("stale-words"), trouble === "" ? "" : writeSentence("stale", { trouble: capitalize(trouble) }));
  disableSending(trouble);
  if (connection.loginRequired) location.reload();
}

/** Show an error for a few seconds; an empty one hides the last. */
function showError(sentence) {
  if (!sentence) {
    byId("error-message").classList.remove("shown");
    return;
  }
  const text = capitalize(sentenceText(sentence));
  setText(byId("error-message"), text);
  byId("error-message").classList.add("shown");
  speech.announce(text, true);
  speech.last = ""; // a repeated error is announced again
  clearTimeout(showError.timer);
  showError.timer = setTimeout(() => byId("error-message").classList.remove("shown"), ERROR_SHOWN_MS);
}

// -- views -------------------------------------------------------------------------------------------

function navigate(wanted) {
  const hash = new URLSearchParams(wanted).toString();
  if (`#${hash}` === location.hash || (!hash && !location.hash)) return route();
  location.hash = hash;
}

function route() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const game = wanted.get("game");
  const view = VIEWS.includes(wanted.get("view")) ? wanted.get("view") : "board";
  document.body.dataset.view = game ? "replay" : view;
  byId("live").hidden = game !== null;
  byId("replay").hidden = game === null;
  for (const each of VIEWS) {
    byId(`view-${each}`).setAttribute("aria-pressed", String(!game && each === view));
    byId(`pane-${each}`).hidden = each !== view;
  }
  cameraPane.setActive(!game && view === "camera");
  connection.watchLeds(!game && view === "light");
  if (game) replay.open(game, wanted.has("turn") ? Number(wanted.get("turn")) : undefined);
  else replay.close();
  if (wanted.has("show")) presentation.set(true);
}
addEventListener("hashchange", route);

for (const view of VIEWS) byId(`view-${view}`).addEventListener("click", () => navigate(view === "board" ? {} : { view }));

// -- buttons and keys --------------------------------------------------------------------------------

/** Present the board (or the replay) in full screen; leaves the camera and LED views. */
function startPresentation() {
  if (["camera", "light"].includes(document.body.dataset.view)) navigate({});
  presentation.set(true);
}

const click = (id, action) => byId(id).addEventListener("click", action);
click("open-new", () => newGame.open());
click("open-games", () => listGames((id) => {
  byId("games").close();
  openReplay(id, 0);
}));
click("open-show", () => startPresentation());
click("open-settings", () => byId("settings").showModal());
click("open-help", () => byId("help").showModal());
click("show-pin", () => moveInput.send({ do: "show_pin" }));
click("log-out", logOut);
click("speech-try", () => {
  settings.set("speech", true);
  byId("settings-form").elements.speech.checked = true;
  speech.speak("This is the voice.", true);
});
settings.bind(byId("settings-form"));
click("ask-hint", () => moveInput.request("hint"));
click("ask-back", () => moveInput.request("take back"));
click("ask-draw", () => moveInput.request("offer draw"));
click("ask-claim", () => moveInput.request("claim draw"));
click("ask-pause", () => moveInput.request("pause"));
click("ask-continue", () => moveInput.request("continue"));
click("ask-resign", () => byId("resign").showModal());
click("resign-yes", () => {
  byId("resign").close();
  moveInput.request("resign");
});
for (const close of document.querySelectorAll("dialog [data-close]")) {
  close.addEventListener("click", () => close.closest("dialog").close());
}
click("toggle-panel", () => {
  const open = byId("panel").classList.toggle("open");
  byId("toggle-panel").setAttribute("aria-expanded", String(open));
});
byId("type-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = byId("type").value.trim();
  if (text && (await moveInput.send({ do: "move", text }))) byId("type").value = "";
});

const letters = {
  " ": () => (moveInput.holding ? moveInput.touch(liveBoard.board.cursor) : moveInput.fire(guidance.firingPlayer())),
  "?": () => byId("help").showModal(),
  h: () => moveInput.request("hint"),
  t: () => moveInput.request("take back"),
  p: () => moveInput.request(connection.model.table.phase === "paused" ? "continue" : "pause"),
  f: () => (presentation.on ? presentation.set(false) : startPresentation()),
};
listenForKeys(liveBoard.board, moveInput, letters);
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target !== document.body) return;
  if (event.key === "?") byId("help").showModal();
  else if (event.key === "Escape") moveInput.escape();
  else if (event.key.startsWith("Arrow") && document.body.dataset.view === "board") liveBoard.board.focus();
  else return;
  event.preventDefault();
});

explainDisabled(showError);
route();
showConnection();
