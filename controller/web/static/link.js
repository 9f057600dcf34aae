// The socket to the game: one model that is always the newest state, and commands with answers.
// It connects again by itself, and says when what it holds may be old.

const QUIET_MS = 5000; // without a word: old
const HANGS_MS = 6000; // the page's server talks, the game behind it does not
const SHORTEST_MS = 250;
const LONGEST_MS = 5000;
const ENTER_FIRST = 4401;

export class Link {
  /** @param {(parts: string[]) => void} changed hears which parts of the model are new */
  constructor(changed, path = "live") {
    this.path = path;
    this.model = {};
    this.you = null;
    this.trouble = "connecting"; // why what is shown may be old; empty: it is not
    this.shift = 0; // what to add to performance.now() for the server's time
    this.changed = changed;
    this.number = 0;
    this.answers = new Map();
    this.pause = SHORTEST_MS;
    this.light = false;
    this.open();
    setInterval(() => this.check(), 500);
    addEventListener("online", () => this.hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
  }

  get fresh() {
    return this.trouble === "";
  }

  now() {
    return performance.now() + this.shift;
  }

  open() {
    clearTimeout(this.again);
    const address = new URL(this.path, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    this.heard = performance.now();
    socket.onopen = () => this.light && this.send({ do: "watch", light: true });
    socket.onmessage = (event) => this.socket === socket && this.take(JSON.parse(event.data));
    socket.onclose = (event) => this.socket === socket && this.closed(event);
  }

  closed(event) {
    for (const answer of this.answers.values()) answer({ ok: false, sentence: "the connection was lost" });
    this.answers.clear();
    if (event.code === ENTER_FIRST) this.worry("enter with the PIN first");
    else this.worry(event.reason || "no connection to the table: trying again");
    this.again = setTimeout(() => this.open(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 2, LONGEST_MS);
  }

  /** Somebody is looking, or the network is back: do not wait any longer. */
  hurry() {
    if (this.socket.readyState === WebSocket.CLOSED) this.open();
  }

  take(message) {
    this.heard = performance.now();
    this.pause = SHORTEST_MS;
    if (message.now_ms !== undefined) this.shift = message.now_ms - performance.now();
    if (message.type === "show") {
      Object.assign(this.model, message.parts);
      this.worry("");
      this.changed(Object.keys(message.parts));
    } else if (message.type === "beat") {
      this.worry(message.quiet_ms < HANGS_MS ? "" : "the game does not answer");
    } else if (message.type === "you") {
      this.you = message;
      this.changed(["you"]);
    } else if (message.type === "light") {
      this.model.light = message.leds;
      this.changed(["light"]);
    } else if (message.type === "answer") {
      this.answers.get(message.id)?.(message);
      this.answers.delete(message.id);
    }
  }

  worry(trouble) {
    if (this.trouble === trouble) return;
    this.trouble = trouble;
    this.changed(["link"]);
  }

  check() {
    if (this.fresh && performance.now() - this.heard > QUIET_MS) {
      this.worry("nothing is heard from the table");
      this.socket.close();
      this.open(); // a socket into a dead network closes only after minutes
    }
  }

  /** Ask for something; `{ok, sentence}` comes back. */
  send(command) {
    const id = ++this.number;
    return new Promise((resolve) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        resolve({ ok: false, sentence: "not connected: try again in a moment" });
        return;
      }
      this.answers.set(id, resolve);
      this.socket.send(JSON.stringify({ id, ...command }));
    });
  }

  watchLight(wanted) {
    if (this.light === wanted) return;
    this.light = wanted;
    if (this.socket.readyState === WebSocket.OPEN) this.send({ do: "watch", light: wanted });
  }
}
