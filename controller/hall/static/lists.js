// Rounds with their pairings and results, and the standings, as tables.
import { fill, make, tell } from "./dom.js";

const shown = new Map(); // rounds that stand on the page, which keep their focus and stay closed

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
    if (!shown.has(round.round)) shown.set(round.round, empty(round.round, open));
    const parts = shown.get(round.round);
    if (place.children[at] !== parts.all) place.insertBefore(parts.all, place.children[at] ?? null);
    tell(parts.done, ` ${done(round)}`);
    fill(parts.body, round, () => [...round.games.map(game), ...round.rests.map(rest)]);
  });
}

/** Rounds that nobody plays yet are closed at first. */
function empty(number, open) {
  const done = make("span", { class: "soft" });
  const body = make("tbody", {});
  const heads = ["Table", "First move", "Second", "Result", "How"].map((word) => make("th", { scope: "col" }, word));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body);
  const around = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Round ${number}` }, table);
  const all = make("details", { open }, make("summary", {}, `Round ${number}`, done), around);
  return { all, done, body };
}

function done(round) {
  const played = round.games.filter((each) => each.result).length;
  return `${played} of ${round.games.length} played`;
}

function game(each) {
  const how = [each.reason, each.remark].filter(Boolean).join("; ");
  return make(
    "tr",
    { class: each.remark ? "odd" : null },
    make("td", {}, String(each.table)),
    make("td", {}, each.first),
    make("td", {}, each.second),
    make("td", { class: "result" }, each.result ? each.result.replaceAll("1/2", "½") : "not yet"),
    make("td", {}, how),
  );
}

function rest(name) {
  return make("tr", { class: "rests" }, make("td", {}, "–"), make("td", {}, name), make("td", { colspan: "3" }, "rests"));
}

export function showStandings(rows) {
  return rows.map((row) =>
    make(
      "tr",
      {},
      make("td", {}, String(row.rank)),
      make("th", { scope: "row" }, row.name),
      make("td", { class: "points" }, row.points),
      ...[row.played, row.wins, row.draws, row.losses, row.sonneborn_berger].map((value) => make("td", {}, String(value))),
    ),
  );
}
