// Short functions to create, find and update elements.

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} id */
export const byId = (id) => document.getElementById(id);

/** An HTML element. `on…` attributes are listeners; true sets an empty attribute, false sets none. */
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

/** Elements from the SVG text of the server's drawings. */
export function parseSvg(markup) {
  const group = createSvg("g");
  group.innerHTML = markup;
  return group;
}

/** One of the icons in index.html. */
function icon(name) {
  return createSvg("svg", { class: "icon", "aria-hidden": "true" }, createSvg("use", { href: `#i-${name}` }));
}

/** A button with an icon, a label, or both. */
export function button(label, iconName, onclick, attributes = {}) {
  return createElement("button", { type: "button", onclick, ...attributes }, iconName && icon(iconName), label && createElement("span", {}, label));
}

/** Set the text of an element if it differs: screen readers read a replaced text again. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Replace the children only if `key` differs from the last call, so that the focus is kept. */
export function replaceIfChanged(element, key, children) {
  const now = JSON.stringify(key);
  if (element.dataset.key === now) return;
  element.dataset.key = now;
  element.replaceChildren(...children());
}

/** With a capital at the beginning, unless the text begins with the name of a cell. */
export const capitalize = (text) => (/^[a-z]\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1));
