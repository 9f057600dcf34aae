// A result that players have to agree to, in words.
import { capitalize } from "./dom.js";

/** Whether a result stands, and if not, who must say something. */
export function resultStatus(game, referee) {
  if (!referee.pending_confirmations.length) return "The result stands.";
  const agreed = referee.confirmed.map((player) => `${game.players[player].side} agrees`);
  return `${[...agreed, `it waits for ${referee.pending_confirmations.join(" and ")}`].map((part, first) => (first ? part : capitalize(part))).join(", ")}.`;
}
