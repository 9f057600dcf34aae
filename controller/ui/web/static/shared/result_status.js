// The text about a result that has to be confirmed.
import { capitalize } from "./dom.js";
import { sentenceText } from "./sentences.js";

/** Whether the result is final, who has confirmed it, and who has not. */
export function resultStatus(game, referee) {
  if (!referee.pending_confirmations.length) return "The result stands.";
  const agreed = referee.confirmed.map((player) => `${game.players[player].side} agrees`);
  return `${[...agreed, `it waits for ${referee.pending_confirmations.map((each) => sentenceText(each.name)).join(" and ")}`].map((part, first) => (first ? part : capitalize(part))).join(", ")}.`;
}
