// What cannot be done now is not taken away: it looks so, does nothing, and can still be focused and
// read out with the reason, which stands elsewhere on the page.
import { capitalize } from "./dom.js";

// All that is sent to the table, and so needs a table that answers.
const SENDING_CONTROLS = "#fire, #put-back, #reset-pieces, #open-new, #requests button, #type-form button, #rough button, #rough input, #questions button, .who button";

/** Nothing can be done with it because of `why`, told by the element `reason`; empty: it can. */
export function disableFor(element, why, reason) {
  const locked = element.getAttribute("aria-disabled") === "true";
  element.setAttribute("aria-disabled", String(why !== ""));
  if (why) {
    if (!locked) element.dataset.title = element.title;
    element.setAttribute("aria-describedby", reason);
    element.title = capitalize(why);
  } else if (locked) {
    element.removeAttribute("aria-describedby");
    element.title = element.dataset.title;
  }
}

/** Whatever is sent to a table that does not answer. */
export function disableSending(why) {
  for (const each of document.querySelectorAll(SENDING_CONTROLS)) {
    if (why || each.getAttribute("aria-describedby") === "stale-words") disableFor(each, why, "stale-words");
  }
}

/** Who tries it all the same hears the reason. */
export function explainDisabled(showError) {
  document.addEventListener("click", (event) => {
    const locked = event.target.closest?.('[aria-disabled="true"]');
    if (!locked) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    showError(locked.title);
  }, true);
}
