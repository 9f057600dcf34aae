// The page: puts its parts together, and tells each of them what has changed.
import { Calling } from "./calling.js";
import { at, capital, fill, make, tell } from "./dom.js";
import { askPin, enter, leave } from "./entering.js";
import { Guide } from "./guide.js";
import { listen } from "./keys.js";
import { howLate } from "./later.js";
import { Link } from "./link.js";
import { Live } from "./live.js";
import { guard, lockAll } from "./locks.js";
import { Moves } from "./moves.js";
import { NewGame } from "./newgame.js";
import { Replay, listGames } from "./replay.js";
import { Rude } from "./rude.js";
import { Seats } from "./seats.js";
import { Settings } from "./settings.js";
import { Show } from "./show.js";
import { Camera, Light } from "./sights.js";
import { examples } from "./typed.js";
import { Voice } from "./voice.js";

const VIEWS = ["board", "camera", "light"];
const TOLD_MS = 5000;

const settings = new Settings();
const voice = new Voice(settings);
const motion = () => ({ still: settings.still });
const sound = (what) => voice.sound(what);

let you = await enter();
if (you.role === null) {
  await askPin();
  you = await enter();
}

const link = new Link((parts) => take(parts));
const live = new Live(link, { tell: complain, heard: (words) => voice.say(capital(words), true), sound, motion });
const { hands } = live;
const refresh = live.refresh.bind(live);
live.refresh = () => {
  refresh();
  beside();
};
const replayed = (id, turn) => go({ game: id, ...(turn === undefined ? {} : { turn }) });
const newGame = new NewGame(link, hands);
const guide = new Guide(link, hands, { newGame: () => newGame.open(), replay: (id) => replayed(id, 0) });
const seats = new Seats(link, hands);
const calling = new Calling(link, hands);
const moves = new Moves(at("moves"), (turn) => replayed(link.model.game.id, turn));
const rude = new Rude(link, hands);
const camera = new Camera();
const light = new Light(at("leds"));
const replay = new Replay({ heard: (words) => voice.say(capital(words)), sound, motion, leave: () => go({}) });
const show = new Show({ changed: () => live.floating.place() });

// -- what has changed --------------------------------------------------------------------------------

async function take(parts) {
  if (parts.includes("link")) worry();
  if (parts.includes("light")) light.show(link.model.light);
  await live.take(parts);
  if (!live.ready) return early();
  light.lay(link.model.game, live.board);
  if (parts.includes("table") || parts.includes("board")) announce();
  beside();
}

/** Everything around the board. */
function beside() {
  const { model } = link;
  if (!live.ready || !link.you) return;
  document.title = `${model.game.title} · Laserboard`;
  const { title, puzzle } = model.game;
  fill(at("title"), [title, puzzle], () => (puzzle ? [title, make("span", { class: "between" }, " · "), make("span", { class: "which" }, puzzle)] : [title]));
  tell(at("goal"), capital(model.game.goal));
  guide.show();
  seats.show();
  moves.show(model.history, model.game.players);
  rude.show();
  acts(model);
  calling.show();
  late(link.you.delay_ms);
  hands.fires = settings.get("fires");
  at("open-new").hidden = !hands.may("new game");
  at("show-pin-row").hidden = !(you.pin && hands.may("show pin"));
  const said = model.said.map(({ sentence }) => capital(sentence)).filter((sentence, i, all) => sentence !== all[i - 1]);
  fill(at("said"), said, () => said.slice(-12).map((sentence) => make("li", {}, sentence)).reverse());
  lockAll(link.trouble);
}

/** Who sees the game later may have come before there is anything to be shown. */
function early() {
  const delay_ms = link.you?.delay_ms ?? 0;
  if (!delay_ms) return;
  for (const id of ["acts", "type-form", "back", "fire", "open-new"]) at(id).hidden = true;
  tell(at("sentence"), "The game appears here soon");
  late(delay_ms);
}

/** Who sees the game later is told so; a camera's picture would tell more than that. */
function late(delay_ms) {
  at("later").hidden = !delay_ms;
  at("view-camera").hidden = delay_ms > 0;
  if (delay_ms) tell(at("later"), `You see this game ${howLate(delay_ms)} later. The camera is for the players and the referee.`);
  if (delay_ms && document.body.dataset.view === "camera") go({});
}

/** What a player may ask for besides moving. */
function acts({ table, game, ways }) {
  const may = hands.may("want") && table.phase !== "over";
  const people = game.players.filter((player) => player.kind === "human").length;
  for (const id of ["ask-hint", "ask-back", "ask-resign"]) at(id).hidden = !people;
  at("acts").hidden = !may;
  at("ask-claim").hidden = !table.claimable || game.puzzle !== null;
  at("ask-draw").hidden = game.simultaneous || people < 2 || game.puzzle !== null;
  const resign = game.puzzle ? "Give up" : "Resign";
  for (const id of ["ask-resign", "resign-yes"]) tell(at(id).querySelector("span"), resign);
  tell(at("resign-title"), game.puzzle ? `Give up ${game.puzzle}?` : "Resign this game?");
  at("resign-puzzle").hidden = game.puzzle === null;
  at("ask-pause").hidden = table.phase === "paused";
  at("ask-continue").hidden = table.phase !== "paused";
  at("type-form").hidden = !(hands.may("move") && game.hands && people && table.phase !== "over");
  const typed = examples(ways, game.grid.headings);
  if (typed) at("type").placeholder = `type ${typed}`;
}

function announce() {
  const { table } = link.model;
  if (live.turn) return; // the turn's own words first
  voice.say(capital([table.guide, ...table.reasons.slice(0, 4)].join(". ")));
}

function worry() {
  const { trouble } = link;
  document.body.classList.toggle("stale", trouble !== "");
  at("stale").hidden = trouble === "";
  tell(at("stale-words"), trouble === "" ? "" : `${capital(trouble)}. What you see may be old.`);
  lockAll(trouble);
  if (trouble.startsWith("enter")) location.reload();
}

/** Why something cannot be done; nothing: that is past. */
function complain(sentence) {
  if (!sentence) {
    at("told").classList.remove("shown");
    return;
  }
  tell(at("told"), capital(sentence));
  at("told").classList.add("shown");
  voice.say(capital(sentence), true);
  voice.last = ""; // the same again is told again
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => at("told").classList.remove("shown"), TOLD_MS);
}

// -- what is looked at -------------------------------------------------------------------------------

function go(wanted) {
  const hash = new URLSearchParams(wanted).toString();
  if (`#${hash}` === location.hash || (!hash && !location.hash)) return route();
  location.hash = hash;
}

function route() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const game = wanted.get("game");
  const view = VIEWS.includes(wanted.get("view")) ? wanted.get("view") : "board";
  document.body.dataset.view = game ? "replay" : view;
  at("live").hidden = game !== null;
  at("replay").hidden = game === null;
  for (const each of VIEWS) {
    at(`view-${each}`).setAttribute("aria-pressed", String(!game && each === view));
    at(`pane-${each}`).hidden = each !== view;
  }
  camera.look(!game && view === "camera");
  link.watchLight(!game && view === "light");
  if (game) replay.open(game, wanted.has("turn") ? Number(wanted.get("turn")) : undefined);
  else replay.close();
  if (wanted.has("show")) show.set(true);
}
addEventListener("hashchange", route);

for (const view of VIEWS) at(`view-${view}`).addEventListener("click", () => go(view === "board" ? {} : { view }));

// -- buttons and keys --------------------------------------------------------------------------------

/** Board and beam only, whatever else was looked at. */
function present() {
  if (["camera", "light"].includes(document.body.dataset.view)) go({});
  show.set(true);
}

const click = (id, act) => at(id).addEventListener("click", act);
click("open-new", () => newGame.open());
click("open-games", () => listGames((id) => {
  at("games").close();
  replayed(id, 0);
}));
click("open-show", () => present());
click("open-settings", () => at("settings").showModal());
click("open-help", () => at("help").showModal());
click("show-pin", () => hands.send({ do: "show pin" }));
click("leave", leave);
click("speech-try", () => {
  settings.set("speech", true);
  at("settings-form").elements.speech.checked = true;
  voice.speak("This is how I sound.", true);
});
settings.bind(at("settings-form"));
click("ask-hint", () => hands.want("hint"));
click("ask-back", () => hands.want("take back"));
click("ask-draw", () => hands.want("offer draw"));
click("ask-claim", () => hands.want("claim draw"));
click("ask-pause", () => hands.want("pause"));
click("ask-continue", () => hands.want("continue"));
click("ask-resign", () => at("resign").showModal());
click("resign-yes", () => {
  at("resign").close();
  hands.want("resign");
});
for (const close of document.querySelectorAll("dialog [data-close]")) {
  close.addEventListener("click", () => close.closest("dialog").close());
}
click("sheet", () => {
  const open = at("panel").classList.toggle("open");
  at("sheet").setAttribute("aria-expanded", String(open));
});
at("type-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = at("type").value.trim();
  if (text && (await hands.send({ do: "move", text }))) at("type").value = "";
});

const letters = {
  " ": () => (hands.holding ? hands.touch(live.board.cursor) : hands.fire(guide.shooter())),
  "?": () => at("help").showModal(),
  h: () => hands.want("hint"),
  t: () => hands.want("take back"),
  p: () => hands.want(link.model.table.phase === "paused" ? "continue" : "pause"),
  f: () => (show.on ? show.set(false) : present()),
};
listen(live.board, hands, letters);
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target !== document.body) return;
  if (event.key === "?") at("help").showModal();
  else if (event.key === "Escape") hands.escape();
  else if (event.key.startsWith("Arrow") && document.body.dataset.view === "board") live.board.focus();
  else return;
  event.preventDefault();
});

guard(complain);
route();
worry();
