// The dialog for a new game: game, set-up, players, level and clock.
import { byId, capitalize, createElement } from "../shared/dom.js";
import { sentenceText, writeSentence } from "../shared/sentences.js";

export class NewGameDialog {
  constructor(connection, moveInput) {
    this.connection = connection;
    this.moveInput = moveInput;
    byId("new-form").addEventListener("submit", (event) => this.begin(event));
    byId("new-games").addEventListener("change", () => this.onGameChosen());
    for (const seat of ["seat0", "seat1"]) byId(`new-${seat}`).addEventListener("change", () => this.updateNames());
  }

  async open() {
    const answer = await fetch("new_game.json").catch(() => null);
    if (!answer?.ok) return;
    this.choices = await answer.json();
    const { game } = this.connection.model;
    byId("new-games").replaceChildren(
      ...this.choices.games.map((each) =>
        createElement("label", { class: "card" },
          createElement("input", { type: "radio", name: "game", value: each.name, checked: each.name === game.name }),
          createElement("strong", {}, each.title),
          createElement("span", {}, capitalize(sentenceText(each.goal)))),
      ),
    );
    this.option("new-clock", this.choices.clocks.map((clock) => [clock, clockWords(clock)]), game.time_control);
    this.onGameChosen();
    game.players.forEach((player, number) => {
      byId(`new-name${number}`).value = player.kind === "human" && player.name !== player.side ? player.name : "";
    });
    byId("new").showModal();
  }

  get game() {
    const name = new FormData(byId("new-form")).get("game");
    return this.choices.games.find((each) => each.name === name) ?? this.choices.games[0];
  }

  /** Offer the set-ups, sides and opponents of the chosen game. */
  onGameChosen() {
    const { game } = this;
    const now = this.connection.model.game;
    byId("new-setup-row").hidden = !game.setups.length;
    byId("new-seed-row").hidden = !game.seed;
    this.option("new-setup", game.setups.map((each) => [each.name, capitalize(each.name), sentenceText(each.remark)]), now.setup);
    game.sides.forEach((side, number) => {
      byId(`new-side${number}`).textContent = capitalize(side);
      const levels = game.computer ? this.choices.levels.map((level) => [`computer:${level}`, capitalize(writeSentence("computer_level", { level }))]) : [];
      const before = now.players[number];
      const kept = byId(`new-seat${number}`).value || (before.kind === "computer" ? `computer:${before.level}` : "human");
      this.option(`new-seat${number}`, [["human", "A person"], ...levels], kept);
    });
    this.updateNames();
  }

  updateNames() {
    for (const number of [0, 1]) {
      byId(`new-name${number}`).disabled = byId(`new-seat${number}`).value !== "human";
    }
  }

  option(id, values, chosen) {
    byId(id).replaceChildren(
      ...values.map(([value, words, remark]) =>
        createElement("option", { value, selected: value === chosen }, remark ? `${words}: ${remark}` : words),
      ),
    );
  }

  async begin(event) {
    event.preventDefault();
    const { game } = this;
    const seed = byId("new-seed").value.trim();
    const names = [0, 1].map((number) => (byId(`new-name${number}`).disabled ? "" : byId(`new-name${number}`).value.trim()));
    const command = {
      do: "new_game",
      game: game.name,
      seats: [byId("new-seat0").value, byId("new-seat1").value],
      names,
      clock: byId("new-clock").value,
      ...(game.setups.length ? { setup: byId("new-setup").value } : {}),
      ...(game.seed && seed !== "" ? { seed: Number(seed) } : {}),
    };
    const answer = await this.connection.send(command);
    byId("new-trouble").textContent = sentenceText(answer.sentence);
    if (answer.ok) byId("new").close();
  }
}

/** `5m+3s` as "5 min, 3 s more for each move". */
function clockWords(clock) {
  const unit = (text) => text.replace(/(\d+)m/, "$1 min").replace(/(\d+)s/, "$1 s");
  if (clock === "none") return "No clock";
  if (clock.endsWith("/move")) return writeSentence("clock_per_move", { time: unit(clock.slice(0, -5)) });
  const [, main, kind, more] = /^([^+-]+)(?:(\+|-delay-|-bronstein-)(.+))?$/.exec(clock) ?? [null, clock];
  if (!kind) return unit(main);
  const parts = { time: unit(main), more: unit(more) };
  if (kind === "+") return writeSentence("clock_increment", parts);
  return kind === "-delay-" ? writeSentence("clock_delay", parts) : writeSentence("clock_bronstein", parts);
}
