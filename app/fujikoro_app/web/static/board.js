// The drawn table: shows the parts that the server draws, lights up what can be chosen, and explains what is pointed at.

import { find, node } from "./dom.js";

const MAP_PARTS = ["background", "ground", "pieces"];
const EXPLAIN_AFTER = 400; // milliseconds

const markup = (svg) => new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${svg}</svg>`, "image/svg+xml");

/** Replaces the content of a drawing by markup of the server. */
function fill(element, svg) {
  element.replaceChildren(...document.importNode(markup(svg).documentElement, true).childNodes);
}

export class Board {
  /** `choose(choices)` is called with the choices of the element that was clicked; `explain(info)` returns a text. */
  constructor(root, choose, explain) {
    this.root = root;
    this.choose = choose;
    this.explain = explain;
    this.lit = new Map(); // element -> choices
    this.known = new Map(); // explanations of this position
    root.addEventListener("click", (event) => this.#clicked(event));
    root.addEventListener("keydown", (event) => this.#typed(event));
    this.explainOn(root);
    root.addEventListener("focusin", ({ target }) => {
      const at = target.getBoundingClientRect();
      this.#later(target.closest("[data-info]"), at.right, at.bottom);
    });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") this.#later(null); });
  }

  /** Shows a state: only the parts that changed are drawn again. */
  show(state) {
    this.known.clear();
    for (const [name, part] of Object.entries(state.parts)) this.#draw(name, part);
    this.root.classList.toggle("one-picture", !state.shown.includes("track"));
    this.root.classList.toggle("asks-for-cells", state.choices.some((choice) => choice.targets.some((target) => target.includes("["))));
    for (const sheet of this.root.querySelectorAll("#boards svg")) sheet.classList.toggle("own", sheet.dataset.part === `player-${state.you}`);
    for (const sheet of this.root.querySelectorAll("svg[data-part]")) {
      if (!state.shown.includes(sheet.dataset.part)) sheet.remove();
    }
  }

  #draw(name, { box, svg }) {
    if (MAP_PARTS.includes(name)) {
      find("#map").setAttribute("viewBox", box.join(" "));
      fill(find(`#map-${name}`), svg);
      return;
    }
    let sheet = find(`svg[data-part="${name}"]`, this.root);
    if (!sheet) {
      sheet = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      sheet.dataset.part = name;
      const place = name.startsWith("player-") ? "#boards" : `#${name}`;
      find(place, this.root).append(sheet);
    }
    sheet.setAttribute("viewBox", box.join(" "));
    if (name.startsWith("player-")) sheet.classList.toggle("small", box[2] <= 400); // small boards lie side by side
    if (name === "focus") sheet.style.maxWidth = `${box[2] * 1.2}px`; // a small panel is not blown up
    fill(sheet, svg);
  }

  /** Shows drawings on top of the map: a tile to be laid, or values. */
  overlay(svg) {
    fill(find("#map-preview"), svg);
  }

  /** Lights up the elements of these choices. */
  light(choices) {
    for (const element of this.lit.keys()) dim(element);
    for (const card of this.root.querySelectorAll(".match")) card.classList.remove("match");
    this.lit.clear();
    for (const choice of choices) {
      choice.targets.forEach((target, number) => {
        for (const element of this.elements(target)) this.#mark(element, choice, number === 0);
      });
      for (const card of choice.completes.flatMap((name) => [...this.elements(name)])) card.classList.add("match");
    }
  }

  #mark(element, choice, canFocus) {
    const all = [...(this.lit.get(element) ?? []), choice];
    this.lit.set(element, all);
    element.dataset.action = all[0].action;
    element.classList.add("lit");
    element.classList.toggle("best", all.some((one) => one.completes.length > 0));
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", all.map((one) => [one.words, one.note].filter(Boolean).join(", ")).join("; or "));
    if (canFocus) element.setAttribute("tabindex", "0");
  }

  /** Elements that a target names: `space 17`, `player-0/weapon[2,3]`, or `player-1/` for a whole board. */
  elements(target) {
    const [scope, info] = target.startsWith("player-") ? target.split("/") : ["", target];
    if (scope && !info) return this.root.querySelectorAll(`#${scope}`);
    return this.root.querySelectorAll(`${scope ? `#${scope} ` : ""}[data-info="${CSS.escape(info)}"]`);
  }

  #clicked(event) {
    const element = event.target.closest("[data-action]");
    if (element && this.lit.has(element)) this.choose(this.lit.get(element));
  }

  #typed(event) {
    if ((event.key === "Enter" || event.key === " ") && event.target.matches("[data-action]")) {
      event.preventDefault();
      this.#clicked(event);
    }
  }

  /** Explains what the pointer rests on, or what is pressed long, inside an element. */
  explainOn(element) {
    const point = (event) => this.#later(event.target.closest?.("[data-info]"), event.clientX, event.clientY);
    element.addEventListener("pointerover", point);
    element.addEventListener("pointerdown", point);
    element.addEventListener("pointerleave", () => this.#later(null));
  }

  #later(element, x, y) {
    clearTimeout(this.waiting);
    find("#explained").hidden = true;
    if (element) this.waiting = setTimeout(() => this.#tell(element, x, y), EXPLAIN_AFTER);
  }

  async #tell(element, x, y) {
    const info = element.dataset.info;
    if (!this.known.has(info)) this.known.set(info, await this.explain(info));
    if (!element.isConnected) return; // answered meanwhile
    const box = find("#explained");
    box.replaceChildren(...this.known.get(info).split("\n").map((line) => node("p", {}, line)));
    box.hidden = false;
    const left = Math.min(x + 12, innerWidth - box.offsetWidth - 8);
    const top = y + 16 + box.offsetHeight > innerHeight ? y - box.offsetHeight - 12 : y + 16;
    box.style.left = `${Math.max(4, left)}px`;
    box.style.top = `${Math.max(4, top)}px`;
  }
}

function dim(element) {
  element.classList.remove("lit", "best");
  for (const name of ["data-action", "role", "aria-label", "tabindex"]) element.removeAttribute(name);
}
