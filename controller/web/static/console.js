// The referee's console: the game beside what is to be decided, and everything that can be ruled.
import { agreement } from "./agreement.js";
import { Asking } from "./console_asking.js";
import { Matters } from "./console_matters.js";
import { Sheet } from "./console_sheet.js";
import { Tools } from "./console_tools.js";
import { at, capital, fill, make, tell } from "./dom.js";
import { enter } from "./entering.js";
import { Link } from "./link.js";
import { Live } from "./live.js";
import { Seats } from "./seats.js";
import { Settings } from "./settings.js";

const TOLD_MS = 6000;
const settings = new Settings();
const you = await enter();
const link = new Link((parts) => take(parts));
const live = new Live(link, { tell: complain, heard: () => {}, sound: () => {}, motion: () => ({ still: settings.still }) });
const looks = () => ({ drawing: live.board.drawing, game: link.model.game, ground: link.model.ground });
const seats = new Seats(link, live.hands);
const asking = new Asking(link);
const tools = new Tools(link, asking, { looks, left: (player) => seats.left(player), tell: complain });
const matters = new Matters(link, asking, () => tools.play());
const sheet = new Sheet(link, looks);
let known = null; // numbers of the matters that were seen

async function take(parts) {
  if (parts.includes("link")) worry();
  await live.take(parts);
  if (!live.ready || !link.you) return;
  const { model } = link;
  const refereed = model.referee !== null && link.you.role === "referee";
  at("desk").hidden = !refereed;
  at("nobody").hidden = refereed;
  tell(at("nobody-words"), model.referee === null ? "This game is played without a referee." : "Only the referee rules: open the console with the address that the terminal shows.");
  if (!refereed) return;
  seats.show();
  title(model);
  state(model);
  matters.show();
  sheet.show();
  called(model.referee.matters);
}

function title({ game }) {
  const { occasion } = game;
  const names = game.players.map((player) => player.name).join(" – ");
  tell(at("title"), occasion ? `${occasion.event} · round ${occasion.round} · table ${occasion.table}` : game.title);
  tell(at("names"), names);
  document.title = `Referee · ${names}`;
}

/** Whether play goes on, and if not, each reason. */
function state({ table, referee, game }) {
  const paused = table.phase === "paused";
  const over = table.phase === "over";
  tell(at("sentence"), capital(table.guide));
  at("state").dataset.phase = table.phase;
  const reasons = [...new Set([...(referee.stopped && paused ? ["the referee has stopped the game"] : []), ...referee.obstacles, ...(table.trouble ? [table.trouble] : []), ...table.differences.map((each) => each.sentence)])];
  fill(at("obstacles"), reasons, () => reasons.map((reason) => make("li", {}, capital(reason))));
  at("stop").hidden = over || referee.stopped;
  at("go-on").hidden = over || !paused;
  at("go-on").disabled = referee.obstacles.length > 0;
  at("go-on").title = referee.obstacles.length ? "Play cannot go on before that" : "";
  tell(at("agreed"), over ? agreement(game, referee) : "");
  at("uphold").hidden = !(over && referee.waits.length);
  at("uphold").disabled = referee.matters.length > 0;
  for (const id of ["play", "back"]) at(`tool-${id}`).disabled = over && id === "play";
  fill(at("laws-list"), referee.laws, () => [
    ...Object.entries(referee.laws.policies).map(([what, who]) => make("li", {}, make("span", {}, capital(what)), make("b", {}, who))),
    make("li", {}, make("span", {}, "Illegal moves cost, one after the other"), make("b", {}, referee.laws.penalties.join(", "))),
    make("li", {}, make("span", {}, "The result is confirmed by"), make("b", {}, referee.laws.result_confirmed)),
  ]);
}

/** Something new is asked: say so, wherever the eyes are. */
function called(open) {
  const now = open.map((matter) => matter.number);
  const fresh = open.filter((matter) => known !== null && !known.includes(matter.number));
  known = now;
  if (fresh.length) tell(at("heard"), `To decide: ${fresh.map((matter) => matter.sentence).join("; ")}`);
  document.title = open.length ? `(${open.length}) ${document.title}` : document.title;
}

function worry() {
  const { trouble } = link;
  document.body.classList.toggle("stale", trouble !== "");
  at("stale").hidden = trouble === "";
  tell(at("stale-words"), trouble === "" ? "" : `${capital(trouble)}. What you see may be old.`);
}

function complain(sentence) {
  if (!sentence) return;
  tell(at("told"), capital(sentence));
  at("told").classList.add("shown");
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => at("told").classList.remove("shown"), TOLD_MS);
}

function uphold() {
  const { table, game } = link.model;
  const { winner, reason } = table.outcome;
  const how = winner === null ? "The game is drawn" : `${game.players[winner].name} wins`;
  asking.confirm({ title: "The result stands", words: `${how}: ${reason}. This counts, whoever has agreed.`, ruling: { rule: "confirm" }, yes: "It stands" });
}

async function rule(ruling) {
  const answer = await link.send({ do: "rule", ruling });
  if (!answer.ok) complain(answer.sentence);
}

at("stop").addEventListener("click", () => rule({ rule: "stop" }));
at("uphold").addEventListener("click", uphold);
at("go-on").addEventListener("click", () => rule({ rule: "go on" }));
for (const close of document.querySelectorAll("dialog [data-close]")) {
  close.addEventListener("click", () => close.closest("dialog").close());
}

const KEYS = {
  a: () => matters.key("accept"), d: () => matters.key("dismiss"),
  u: () => at("uphold").hidden || at("uphold").click(), s: () => at("stop").click(), g: () => at("go-on").click(),
  m: () => tools.play(), c: () => tools.correct(), b: () => tools.back(),
  t: () => tools.clocks(), p: () => tools.penalty(), r: () => tools.result(), n: () => tools.note(),
};
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]") || event.target.matches("input:not([type=checkbox]), select")) return;
  const act = at("desk").hidden ? null : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
if (you.role === null) location.href = "/";
worry();
