// Disabled controls that explain themselves: `aria-disabled` instead of `disabled`, so that a control
// keeps the focus and a screen reader reads the reason.
import { capitalize } from "./dom.js";

// Controls that send a command, and so need a connection.
const SENDING_CONTROLS = "#fire, #put-back, #reset-pieces, #open-new, #requests button, #type-form button, #rough button, #rough input, #questions button, .who button";

/** Disable an element because of `why`, which the element with id `reason` shows; empty: enable it. */
export function disableFor(element, why, reason) {
  const wasDisabled = element.getAttribute("aria-disabled") === "true";
  element.setAttribute("aria-disabled", String(why !== ""));
  if (why) {
    if (!wasDisabled) element.dataset.title = element.title;
    element.setAttribute("aria-describedby", reason);
    element.title = capitalize(why);
  } else if (wasDisabled) {
    element.removeAttribute("aria-describedby");
    element.title = element.dataset.title;
  }
}

/** Disable every control that sends a command; empty: enable them. */
export function disableSending(why) {
  for (const each of document.querySelectorAll(SENDING_CONTROLS)) {
    if (why || each.getAttribute("aria-describedby") === "stale-words") disableFor(each, why, "stale-words");
  }
}

/** A click on a disabled control shows the reason. */
export function explainDisabled(showError) {
  document.addEventListener("click", (event) => {
    const disabled = event.target.closest?.('[aria-disabled="true"]');
    if (!disabled) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    showError(disabled.title);
  }, true);
}
