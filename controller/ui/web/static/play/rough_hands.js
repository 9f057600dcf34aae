// Disturbing a simulated table: rough hands that drag anything anywhere, a hand over the camera's
// view, and injected faults of the devices.
import { byId, button, capitalize, createElement, setText } from "../shared/dom.js";

const DEFAULT_AMOUNT = 12; // for every numeric argument: pixels, per cent or seconds

export class RoughHands {
  constructor(connection, moveInput) {
    this.connection = connection;
    this.moveInput = moveInput;
    this.key = "";
    byId("rough-hands").addEventListener("change", (event) => {
      moveInput.rough = event.target.checked;
      moveInput.reset();
      moveInput.changed();
    });
    byId("rough-cover").addEventListener("click", () => this.toggleHand());
    byId("rough-reset").addEventListener("click", () => moveInput.send({ do: "reset_pieces" }));
  }

  show() {
    const { game } = this.connection.model;
    const wanted = game.simulated_hands && this.moveInput.isAllowed("inject_fault");
    byId("rough").hidden = !wanted;
    if (!wanted) return;
    byId("rough-hands").checked = this.moveInput.rough;
    setText(byId("rough-cover").querySelector("span"), this.isPending(null) ? "Now touch a square…" : this.moveInput.handOverBoard ? "Take the hand away" : "Hold a hand over a square…");
    const key = JSON.stringify([game.faults, this.moveInput.pendingFault?.fault]);
    if (key === this.key) return;
    this.key = key;
    byId("faults").replaceChildren(...game.faults.map((fault) => createElement("li", {}, this.button(fault))));
  }

  isPending(fault) {
    return this.moveInput.pendingFault !== null && this.moveInput.pendingFault.fault === fault;
  }

  button(fault) {
    const words = fault.replace(" CELL", " …").replace(/ (PX|PERCENT|SECONDS)$/, "");
    const armed = this.isPending(fault);
    return button(armed ? "Now touch a square…" : capitalize(words), null, () => this.injectFault(fault), { "aria-pressed": fault.includes("CELL") ? String(armed) : null });
  }

  injectFault(fault) {
    const args = fault.split(" ").filter((word) => /^[A-Z]{2,}$/.test(word) && word !== "LED");
    if (args.includes("CELL")) {
      this.setPending(this.isPending(fault) ? null : { fault, args: args.map((word) => (word === "CELL" ? null : DEFAULT_AMOUNT)) });
      return;
    }
    this.moveInput.send({ do: "inject_fault", fault, args: args.map(() => DEFAULT_AMOUNT) });
  }

  async toggleHand() {
    if (this.moveInput.handOverBoard) {
      this.moveInput.handOverBoard = false;
      await this.moveInput.send({ do: "cover_cell", cell: null });
      this.show();
    } else {
      this.setPending(this.isPending(null) ? null : { fault: null, args: [] });
    }
  }

  /** Wait for a square. On a small screen this closes the panel that covers the board. */
  setPending(pending) {
    this.moveInput.pendingFault = pending;
    if (pending && byId("panel").classList.contains("open")) byId("toggle-panel").click();
    this.moveInput.changed();
  }
}
