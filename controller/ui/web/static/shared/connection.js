// The WebSocket to the game: keeps `model` at the newest state and sends commands, each with an
// answer. It reconnects by itself; `trouble` says why the state may be old.
import { writeSentence } from "./sentences.js";

const PROTOCOL = 2; // of docs/page-protocol.md
const SILENT_MS = 5000; // without a message the state counts as old
const MAX_LOOP_SILENT_MS = 6000; // a game loop that is silent for longer hangs; the web server still sends heartbeats
const MIN_RETRY_MS = 250;
const MAX_RETRY_MS = 5000;
const LOGIN_REQUIRED = 4401; // the close code, of docs/page-protocol.md

export class Connection {
  /** @param {(parts: string[]) => void} changed is called with the names of the new parts */
  constructor(changed, path = "live") {
    this.path = path;
    this.model = {};
    this.user = null;
    this.trouble = writeSentence("connecting"); // why the state may be old; empty if it is current
    this.loginRequired = false; // the server closed the socket because the user is not logged in
    this.clockOffsetMs = 0; // server time minus performance.now()
    this.changed = changed;
    this.number = 0;
    this.answers = new Map();
    this.retryMs = MIN_RETRY_MS;
    this.wantsLeds = false;
    this.open();
    setInterval(() => this.check(), 500);
    addEventListener("online", () => this.reconnectNow());
    document.addEventListener("visibilitychange", () => document.hidden || this.reconnectNow());
  }

  get fresh() {
    return this.trouble === "";
  }

  now() {
    return performance.now() + this.clockOffsetMs;
  }

  open() {
    clearTimeout(this.again);
    const address = new URL(this.path, location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    this.lastMessageAt = performance.now();
    socket.onopen = () => this.wantsLeds && this.send({ do: "watch_leds", on: true });
    socket.onmessage = (event) => this.socket === socket && this.onMessage(JSON.parse(event.data));
    socket.onclose = (event) => this.socket === socket && this.closed(event);
  }

  closed(event) {
    for (const answer of this.answers.values()) answer({ ok: false, sentence: writeSentence("connection_lost") });
    this.answers.clear();
    this.loginRequired = event.code === LOGIN_REQUIRED;
    if (this.loginRequired) this.setTrouble(writeSentence("log_in_first"));
    else this.setTrouble(event.reason || writeSentence("no_connection_to_table"));
    this.again = setTimeout(() => this.open(), this.retryMs * (0.75 + Math.random() / 2));
    this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS);
  }

  /** Retry immediately: the page is visible again, or the network is back. */
  reconnectNow() {
    if (this.socket.readyState === WebSocket.CLOSED) this.open();
  }

  onMessage(message) {
    this.lastMessageAt = performance.now();
    this.retryMs = MIN_RETRY_MS;
    if (message.now_ms !== undefined) this.clockOffsetMs = message.now_ms - performance.now();
    if (message.type === "state") {
      Object.assign(this.model, message.parts);
      this.setTrouble("");
      this.changed(Object.keys(message.parts));
    } else if (message.type === "heartbeat") {
      this.setTrouble(message.loop_silent_ms < MAX_LOOP_SILENT_MS ? "" : writeSentence("game_silent"));
    } else if (message.type === "user") {
      if (message.protocol !== PROTOCOL) location.reload(); // this file is older than the server
      this.user = message;
      this.changed(["user"]);
    } else if (message.type === "leds") {
      this.model.leds = message.leds;
      this.changed(["leds"]);
    } else if (message.type === "answer") {
      this.answers.get(message.id)?.(message);
      this.answers.delete(message.id);
    }
  }

  setTrouble(trouble) {
    if (this.trouble === trouble) return;
    this.trouble = trouble;
    this.changed(["connection"]);
  }

  check() {
    if (this.fresh && performance.now() - this.lastMessageAt > SILENT_MS) {
      this.setTrouble(writeSentence("no_messages"));
      this.socket.close();
      this.open(); // over a dead network, a socket reports its close only after minutes
    }
  }

  /** Send a command; resolves to its answer, `{ok, sentence}`. */
  send(command) {
    const id = ++this.number;
    return new Promise((resolve) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        resolve({ ok: false, sentence: writeSentence("not_connected") });
        return;
      }
      this.answers.set(id, resolve);
      this.socket.send(JSON.stringify({ id, ...command }));
    });
  }

  watchLeds(wanted) {
    if (this.wantsLeds === wanted) return;
    this.wantsLeds = wanted;
    if (this.socket.readyState === WebSocket.OPEN) this.send({ do: "watch_leds", on: wanted });
  }
}
