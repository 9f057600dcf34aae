// Login with the key from the page's URL, or with the PIN that the table shows.
import { byId, capitalize, setText } from "./dom.js";
import { sentenceText, writeSentence } from "./sentences.js";

async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const result = await answer.json().catch(() => ({}));
  return answer.ok ? "" : sentenceText(result.error) || writeSentence("login_failed");
}

/** Fetch the user. A key in the URL logs in as host first, and is removed from the URL immediately. */
export async function logIn() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const key = hash.get("key");
  if (key !== null) {
    hash.delete("key");
    history.replaceState(null, "", hash.size ? `#${hash}` : location.pathname);
    const trouble = await post("login", { key });
    if (trouble) setText(byId("login-error"), trouble);
  }
  return (await fetch("user.json")).json();
}

/** Ask for the PIN until it is right. */
export function askForPin() {
  return new Promise((resolve) => {
    byId("login").showModal();
    byId("login").addEventListener("cancel", (event) => event.preventDefault());
    byId("login-form").addEventListener("submit", async (event) => {
      event.preventDefault();
      const trouble = await post("login", { pin: byId("pin").value.trim() });
      setText(byId("login-error"), capitalize(trouble));
      if (trouble) return;
      byId("login").close();
      resolve();
    });
  });
}

export async function logOut() {
  await post("logout", {});
  location.reload();
}
