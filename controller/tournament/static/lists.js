// Tables of the rounds, with pairings and results, and of the standings.
import { sentenceText, writeSentence } from "./shared/sentences.js";
import { capitalize, replaceIfChanged, createElement, setText } from "./shared/dom.js";

const shown = new Map(); // elements by round: reused, so that focus and open state are kept

export function showRounds(place, rounds) {
  const numbers = new Set(rounds.map((round) => round.round));
  for (const [number, parts] of shown) {
    if (numbers.has(number)) continue;
    parts.all.remove();
    shown.delete(number);
  }
  const next = rounds.find((round) => round.games.some((each) => !each.result))?.round;
  rounds.forEach((round, at) => {
    const open = round.round === next || round.games.some((each) => each.result || each.remark);
    if (!shown.has(round.round)) shown.set(round.round, newRound(round.round, open));
    const parts = shown.get(round.round);
    if (place.children[at] !== parts.all) place.insertBefore(parts.all, place.children[at] ?? null);
    setText(parts.progress, ` ${progressText(round)}`);
    replaceIfChanged(parts.body, round, () => [...round.games.map(gameRow), ...round.byes.map(byeRow)]);
  });
}

function newRound(number, open) {
  const name = capitalize(writeSentence("round", { number }));
  const progress = createElement("span", { class: "soft" });
  const body = createElement("tbody", {});
  const heads = ["Table", "First move", "Second", "Result", "How"].map((word) => createElement("th", { scope: "col" }, word));
  const table = createElement("table", {}, createElement("thead", {}, createElement("tr", {}, ...heads)), body);
  const around = createElement("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, table);
  const all = createElement("details", { open }, createElement("summary", {}, name, progress), around);
  return { all, progress, body };
}

function progressText(round) {
  const played = round.games.filter((each) => each.result).length;
  return writeSentence("games_played", { played, total: round.games.length });
}

function gameRow(each) {
  const how = [each.reason, each.remark].map(sentenceText).filter(Boolean).join("; ");
  return createElement(
    "tr",
    { class: each.remark ? "odd" : null },
    createElement("td", {}, String(each.table)),
    createElement("td", {}, each.first),
    createElement("td", {}, each.second),
    createElement("td", { class: "result" }, each.result ? each.result.replaceAll("1/2", "½") : "not yet"),
    createElement("td", {}, how),
  );
}

function byeRow(name) {
  return createElement("tr", { class: "bye" }, createElement("td", {}, "–"), createElement("td", {}, name), createElement("td", { colspan: "3" }, "bye"));
}

export function showStandings(rows) {
  return rows.map((row) =>
    createElement(
      "tr",
      {},
      createElement("td", {}, String(row.rank)),
      createElement("th", { scope: "row" }, row.name),
      createElement("td", { class: "points" }, row.points),
      ...[row.played, row.wins, row.draws, row.losses, row.sonneborn_berger].map((value) => createElement("td", {}, String(value))),
    ),
  );
}
