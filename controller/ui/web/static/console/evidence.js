// The evidence of a turn: the images before and after, with an overlay of what was read in them.
import { createElement } from "../shared/dom.js";
import { writeSentence } from "../shared/sentences.js";

const CAPTIONS = { before: "Before", after: "After" };

function figure(when, image) {
  const caption = createElement("figcaption", {}, CAPTIONS[when]);
  if (!image) return createElement("figure", { class: "picture none" }, createElement("p", { class: "soft" }, writeSentence("no_image")), caption);
  const address = `evidence/${image.image}.jpg`;
  return createElement("figure", { class: "picture", "data-when": when },
    createElement("a", { href: address, target: "_blank", rel: "noopener", title: "The image alone" },
      createElement("img", { src: address, alt: when === "before" ? writeSentence("table_before") : writeSentence("table_after"), loading: "lazy" }),
      createElement("img", { src: `evidence/${image.observation}.svg`, alt: "What was read in it", class: "overlay" })),
    caption);
}

/** Both images side by side; null if there is none. */
export function evidenceImages(pair) {
  if (!pair || (!pair.before && !pair.after)) return null;
  const box = createElement("input", { type: "checkbox", checked: true });
  const both = createElement("div", { class: "pictures" }, figure("before", pair.before), figure("after", pair.after));
  box.addEventListener("change", () => both.classList.toggle("bare", !box.checked));
  return createElement("div", { class: "evidence" }, both, createElement("label", { class: "switch" }, box, createElement("span", {}, "Show what was read")));
}
