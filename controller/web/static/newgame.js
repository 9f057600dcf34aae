// Choose what is played next: game, set-up, players, level and clock.
import { at, capital, make } from "./dom.js";

export class NewGame {
  constructor(link, hands) {
    this.link = link;
    this.hands = hands;
    at("new-form").addEventListener("submit", (event) => this.begin(event));
    at("new-games").addEventListener("change", () => this.chosen());
    for (const seat of ["seat0", "seat1"]) at(`new-${seat}`).addEventListener("change", () => this.named());
  }

  async open() {
    const answer = await fetch("new.json").catch(() => null);
    if (!answer?.ok) return;
    this.choices = await answer.json();
    const { game } = this.link.model;
    at("new-games").replaceChildren(
      ...this.choices.games.map((each) =>
        make("label", { class: "card" },
          make("input", { type: "radio", name: "game", value: each.name, checked: each.name === game.name }),
          make("strong", {}, each.title),
          make("span", {}, capital(each.goal))),
      ),
    );
    this.option("new-clock", this.choices.clocks.map((clock) => [clock, clockWords(clock)]), game.time_control);
    this.chosen();
    game.players.forEach((player, number) => {
      at(`new-name${number}`).value = player.kind === "human" && player.name !== player.side ? player.name : "";
    });
    at("new").showModal();
  }

  get game() {
    const name = new FormData(at("new-form")).get("game");
    return this.choices.games.find((each) => each.name === name) ?? this.choices.games[0];
  }

  /** Another game has other set-ups, sides and opponents. */
  chosen() {
    const { game } = this;
    const now = this.link.model.game;
    at("new-setup-row").hidden = !game.setups.length;
    at("new-seed-row").hidden = !game.seed;
    this.option("new-setup", game.setups.map((each) => [each.name, capital(each.name), each.remark]), now.setup);
    game.sides.forEach((side, number) => {
      at(`new-side${number}`).textContent = capital(side);
      const levels = game.computer ? this.choices.levels.map((level) => [`computer:${level}`, `Computer, level ${level}`]) : [];
      const before = now.players[number];
      const kept = at(`new-seat${number}`).value || (before.kind === "computer" ? `computer:${before.level}` : "human");
      this.option(`new-seat${number}`, [["human", "A person"], ...levels], kept);
    });
    this.named();
  }

  named() {
    for (const number of [0, 1]) {
      at(`new-name${number}`).disabled = at(`new-seat${number}`).value !== "human";
    }
  }

  option(id, values, chosen) {
    at(id).replaceChildren(
      ...values.map(([value, words, remark]) =>
        make("option", { value, selected: value === chosen }, remark ? `${words}: ${remark}` : words),
      ),
    );
  }

  async begin(event) {
    event.preventDefault();
    const { game } = this;
    const seed = at("new-seed").value.trim();
    const names = [0, 1].map((number) => (at(`new-name${number}`).disabled ? "" : at(`new-name${number}`).value.trim()));
    const command = {
      do: "new game",
      game: game.name,
      seats: [at("new-seat0").value, at("new-seat1").value],
      names,
      clock: at("new-clock").value,
      ...(game.setups.length ? { setup: at("new-setup").value } : {}),
      ...(game.seed && seed !== "" ? { seed: Number(seed) } : {}),
    };
    const answer = await this.link.send(command);
    at("new-trouble").textContent = answer.ok ? "" : answer.sentence;
    if (answer.ok) at("new").close();
  }
}

/** `5m+3s` for those who do not know how clocks are written. */
function clockWords(clock) {
  const unit = (text) => text.replace(/(\d+)m/, "$1 min").replace(/(\d+)s/, "$1 s");
  if (clock === "none") return "No clock";
  if (clock.endsWith("/move")) return `${unit(clock.slice(0, -5))} for each move`;
  const [, main, kind, more] = /^([^+-]+)(?:(\+|-delay-|-bronstein-)(.+))?$/.exec(clock) ?? [null, clock];
  if (!kind) return unit(main);
  const how = { "+": "more for each move", "-delay-": "delay before it runs", "-bronstein-": "given back (Bronstein)" };
  return `${unit(main)}, ${unit(more)} ${how[kind]}`;
}
