// Small helpers for the page.

const SVG = "http://www.w3.org/2000/svg";

export const find = (selector, root = document) => root.querySelector(selector);

/** Makes an element: `node("button", {class: "main", onclick: go}, "Go")`. Texts are never read as markup. */
export function node(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...content.filter((part) => part !== null && part !== undefined));
  return made;
}

export function svgNode(tag, attributes = {}, ...content) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...content);
  return made;
}

export const button = (label, onclick, attributes = {}) => node("button", { type: "button", onclick, ...attributes }, label);

/** Asks the server. A refusal becomes an error with the server's own line. */
export async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("the server does not answer");
  }
  const found = await answer.json().catch(() => ({ error: `status ${answer.status}` }));
  if (!answer.ok) throw new Error(found.error ?? `status ${answer.status}`);
  return found;
}

let fading;

/** Shows a short message at the bottom of the page. */
export function toast(text) {
  const box = find("#toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => { box.hidden = true; }, 5000);
}

/** Runs an action of a button, and shows its error if it fails. */
export const attempt = (action) => async (...given) => {
  try {
    await action(...given);
  } catch (error) {
    toast(error.message);
  }
};
