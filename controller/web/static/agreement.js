// A result that players have to agree to, in words.
import { capital } from "./dom.js";

/** Whether a result stands, and if not, who must say something. */
export function agreement(game, referee) {
  if (!referee.waits.length) return "The result stands.";
  const agreed = referee.confirmed.map((player) => `${game.players[player].side} agrees`);
  return `${[...agreed, `it waits for ${referee.waits.join(" and ")}`].map((part, first) => (first ? part : capital(part))).join(", ")}.`;
}
