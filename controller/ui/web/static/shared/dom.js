// Elements, made and found in few words.

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} id */
export const byId = (id) => document.getElementById(id);

/** An HTML element; `on…` are listeners, true and false are attributes that are there or not. */
export function createElement(tag, attributes = {}, ...children) {
  return withAttributes(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function createSvg(tag, attributes = {}, ...children) {
  return withAttributes(document.createElementNS(SVG, tag), attributes, children);
}

function withAttributes(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** SVG from the server's own drawings, as elements. */
export function parseSvg(markup) {
  const group = createSvg("g");
  group.innerHTML = markup;
  return group;
}

/** One of the icons in index.html. */
export function icon(name) {
  return createSvg("svg", { class: "icon", "aria-hidden": "true" }, createSvg("use", { href: `#i-${name}` }));
}

/** A button with an icon and words. */
export function button(words, sign, onclick, attributes = {}) {
  return createElement("button", { type: "button", onclick, ...attributes }, sign && icon(sign), words && createElement("span", {}, words));
}

/** Put text there, unless it stands there already: what does not change is not read out again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The same children as before are left alone, so that nobody loses the focus. */
export function replaceIfChanged(element, key, children) {
  const now = JSON.stringify(key);
  if (element.dataset.key === now) return;
  element.dataset.key = now;
  element.replaceChildren(...children());
}

/** As the beginning of a sentence; the name of a cell stays as it is. */
export const capitalize = (text) => (/^[a-z]\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));
