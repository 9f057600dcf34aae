// The game for a screen in the hall: read only, large, and as late as spectators see it.
import { at, capital, tell } from "./dom.js";
import { enter } from "./entering.js";
import { howLate } from "./later.js";
import { Link } from "./link.js";
import { Live } from "./live.js";
import { Moves } from "./moves.js";
import { Seats } from "./seats.js";
import { Settings } from "./settings.js";

const settings = new Settings();
const you = await enter();
if (you.role === null) location.href = "/";
const link = new Link((parts) => take(parts), "live?late");
const quiet = () => {};
const live = new Live(link, { tell: quiet, heard: quiet, sound: quiet, motion: () => ({ still: settings.still }), drawing: "drawing.json?late" });
const seats = new Seats(link, live.hands);
const moves = new Moves(at("moves"), quiet);

async function take(parts) {
  if (parts.includes("link")) worry();
  await live.take(parts);
  const late = link.you?.delay_ms ?? 0;
  tell(at("later"), late ? `${howLate(late)} later` : "");
  if (late && !live.ready) tell(at("sentence"), "The game appears here soon");
  if (!live.ready || !link.you) return;
  const { game, table, history, referee } = link.model;
  const { occasion, players } = game;
  tell(at("event"), occasion ? `${occasion.event} · round ${occasion.round} · table ${occasion.table}` : game.title);
  document.title = players.map((player) => player.name).join(" – ");
  seats.show();
  moves.show(history, players);
  const asked = referee?.matters.length ? `The referee decides: ${referee.matters[0].sentence}` : table.guide;
  tell(at("sentence"), capital(table.outcome ? ending(table.outcome, players) : asked));
}

function ending(outcome, players) {
  const won = outcome.winner === null ? "A draw" : `${players[outcome.winner].name} wins`;
  return `${outcome.result} · ${won}: ${outcome.reason}`;
}

function worry() {
  document.body.classList.toggle("stale", link.trouble !== "");
  at("stale").hidden = link.trouble === "";
  tell(at("stale-words"), link.trouble === "" ? "" : `${capital(link.trouble)}. What you see may be old.`);
}
worry();
