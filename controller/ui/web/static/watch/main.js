// The spectator view for a large screen: read only, with the spectators' delay.
import { byId, capitalize, setText } from "../shared/dom.js";
import { logIn } from "../shared/login.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";
import { delayText } from "../shared/format.js";
import { Connection } from "../shared/connection.js";
import { LiveBoard } from "../shared/live_board.js";
import { MoveList } from "../play/move_list.js";
import { Seats } from "../play/seats.js";
import { Settings } from "../play/settings.js";

const settings = new Settings();
const user = await logIn();
if (user.role === null) location.href = "/";
const connection = new Connection((parts) => onParts(parts), "live?delayed");
const quiet = () => {};
const liveBoard = new LiveBoard(connection, { onError: quiet, onTurnText: quiet, sound: quiet, motion: () => ({ still: settings.still }), drawing: "drawing.json?delayed" });
const seats = new Seats(connection, liveBoard.moveInput);
const moves = new MoveList(byId("moves"), quiet);

async function onParts(parts) {
  if (parts.includes("connection")) showConnection();
  await liveBoard.onParts(parts);
  const late = connection.user?.delay_ms ?? 0;
  setText(byId("delay-note"), late ? writeSentence("delayed", { delay: delayText(late) }) : "");
  if (late && !liveBoard.ready) setText(byId("sentence"), writeSentence("appears_soon"));
  if (!liveBoard.ready || !connection.user) return;
  const { game, table, history, referee } = connection.model;
  const { tournament_entry, players } = game;
  setText(byId("event"), tournament_entry ? writeSentence("place_in_tournament", tournament_entry) : game.title);
  document.title = players.map((player) => player.name).join(" – ");
  seats.show();
  moves.show(history, players);
  const asked = referee?.proposals.length ? writeSentence("referee_decides", { proposals: referee.proposals[0].sentence }) : sentenceText(table.guidance);
  setText(byId("sentence"), capitalize(table.outcome ? outcomeText(table.outcome, players) : asked));
}

function outcomeText(outcome, players) {
  const { result, reason, winner } = outcome;
  const words = winner === null ? capitalize(writeSentence("draw_because", { reason })) : writeSentence("wins_because", { player: players[winner].name, reason });
  return `${result} · ${words}`;
}

function showConnection() {
  document.body.classList.toggle("stale", connection.trouble !== "");
  byId("stale").hidden = connection.trouble === "";
  setText(byId("stale-words"), connection.trouble === "" ? "" : writeSentence("stale", { trouble: capitalize(connection.trouble) }));
}
showConnection();
