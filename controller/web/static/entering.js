// The door: the key from the address, or the PIN that the table shows.
import { at, capital, tell } from "./dom.js";

async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const told = await answer.json().catch(() => ({}));
  return answer.ok ? "" : told.error || "that did not work";
}

/** Who is here; with a key in the address, a referee. The key leaves the address at once. */
export async function enter() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const key = hash.get("key");
  if (key !== null) {
    hash.delete("key");
    history.replaceState(null, "", hash.size ? `#${hash}` : location.pathname);
    const trouble = await post("enter", { key });
    if (trouble) tell(at("door-trouble"), trouble);
  }
  return (await fetch("you.json")).json();
}

/** Ask for the PIN until it is right. */
export function askPin() {
  return new Promise((resolve) => {
    at("door").showModal();
    at("door").addEventListener("cancel", (event) => event.preventDefault());
    at("door-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const trouble = await post("enter", { pin: at("pin").value.trim() });
      tell(at("door-trouble"), capital(trouble));
      if (trouble) return;
      at("door").close();
      resolve();
    });
  });
}

export async function leave() {
  await post("leave", {});
  location.reload();
}
