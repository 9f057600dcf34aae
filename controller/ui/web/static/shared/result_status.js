// The text about a result that has to be confirmed.
import { capitalize } from "./dom.js";
import { joinAnd, writeSentence } from "./sentences.js";

/** Whether the result is final, who has confirmed it, and who has not. */
export function resultStatus(game, referee) {
  if (!referee.pending_confirmations.length) return writeSentence("result_stands");
  const agreed = referee.confirmed.map((player) => writeSentence("agrees", { player: game.players[player].side }));
  const waits = writeSentence("waits_for", { names: joinAnd(referee.pending_confirmations.map((each) => each.name)) });
  return capitalize(writeSentence("confirmations", { parts: [...agreed, waits].join(", ") }));
}
