// Pictures of a turn side by side, with what was read in them drawn over: before, and after.
import { make } from "./dom.js";

const WORDS = { before: "Before", after: "After" };

function figure(when, picture) {
  const caption = make("figcaption", {}, WORDS[when]);
  if (!picture) return make("figure", { class: "picture none" }, make("p", { class: "soft" }, "there is no picture"), caption);
  const address = `evidence/${picture.picture}.jpg`;
  return make("figure", { class: "picture", "data-when": when },
    make("a", { href: address, target: "_blank", rel: "noopener", title: "The picture alone" },
      make("img", { src: address, alt: `The table ${when}`, loading: "lazy" }),
      make("img", { src: `evidence/${picture.seen}.svg`, alt: "What was read in it", class: "overlay" })),
    caption);
}

/** Both pictures; null where there are none. */
export function pictures(pair) {
  if (!pair || (!pair.before && !pair.after)) return null;
  const box = make("input", { type: "checkbox", checked: true });
  const both = make("div", { class: "pictures" }, figure("before", pair.before), figure("after", pair.after));
  box.addEventListener("change", () => both.classList.toggle("bare", !box.checked));
  return make("div", { class: "evidence" }, both, make("label", { class: "switch" }, box, make("span", {}, "Show what was read")));
}
