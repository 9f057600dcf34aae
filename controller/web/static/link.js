// The socket to the game: one model that is always the newest state, and commands with answers.
// It reconnects by itself, and says when what it holds may be old.

const QUIET_MS = 6000;

export class Link {
  constructor(changed) {
    this.model = {};
    this.you = null;
    this.fresh = false;
    this.shift = 0; // what to add to performance.now() for the server's time
    this.changed = changed;
    this.number = 0;
    this.waiting = new Map();
    this.pause = 250;
    this.connect();
    setInterval(() => this.check(), 1000);
  }

  connect() {
    const address = new URL("live", location.href);
    address.protocol = "ws:";
    address.hash = "";
    this.socket = new WebSocket(address);
    this.heard = performance.now();
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = (event) => {
      this.fresh = false;
      for (const answer of this.waiting.values()) answer({ ok: false, sentence: "connection lost" });
      this.waiting.clear();
      this.changed(["link"], event.code);
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 2, 5000);
    };
  }

  take(message) {
    this.heard = performance.now();
    this.pause = 250;
    if (message.now_ms !== undefined) this.shift = message.now_ms - performance.now();
    if (message.type === "show") {
      Object.assign(this.model, message.parts);
      this.fresh = true;
      this.changed(Object.keys(message.parts));
    } else if (message.type === "beat") {
      this.fresh = message.quiet_ms < QUIET_MS;
      this.changed(["link"]);
    } else if (message.type === "you") {
      this.you = message;
      this.changed(["you"]);
    } else if (message.type === "light") {
      this.model.light = message.leds;
      this.changed(["light"]);
    } else if (message.type === "answer") {
      this.waiting.get(message.id)?.(message);
      this.waiting.delete(message.id);
    }
  }

  check() {
    if (this.fresh && performance.now() - this.heard > QUIET_MS) {
      this.fresh = false;
      this.changed(["link"]);
      this.socket.close();
    }
  }

  send(command) {
    const id = ++this.number;
    return new Promise((resolve) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        resolve({ ok: false, sentence: "not connected" });
        return;
      }
      this.waiting.set(id, resolve);
      this.socket.send(JSON.stringify({ id, ...command }));
    });
  }
}
