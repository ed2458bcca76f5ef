// The question and everything that answers it besides the drawing: buttons, cubes to drag, a tile to turn.

import { button, find, node } from "./dom.js";

const MAIN = ["move", "explore", "gather", "rest", "done", "roll"]; // always buttons, even if the drawing shows them
const FEW = 8;

export class Answers {
  /** `send(action)` answers the question. */
  constructor(root, board, send) {
    this.root = root;
    this.board = board;
    this.send = send;
    this.cube = null; // kind of cube that is held
    this.turn = 0;
    this.choices = [];
    board.explainOn(root);
    document.addEventListener("keydown", (event) => this.#typed(event));
    document.addEventListener("focusin", ({ target }) => { this.isUsed = root.contains(target) || board.root.contains(target); });
  }

  show(state) {
    this.choices = state.choices;
    this.turns = state.turns;
    const kinds = this.#cubes();
    if (!kinds.includes(this.cube)) this.cube = kinds[0] ?? null;
    this.#draw();
    // who plays with the keyboard goes on from the first answer, because the element that had the focus is gone
    if (this.isUsed && this.choices.length && document.activeElement === document.body) find("button", this.root)?.focus({ preventScroll: true });
  }

  /** Answers with one of these choices; asks which, if there are several. */
  choose(choices) {
    const fitting = choices.filter((choice) => choice.block !== "lay" || choice.cube === this.cube);
    const left = fitting.length ? fitting : choices;
    if (left.length === 1) this.send(left[0].action);
    else {
      this.#fill(left.map((choice) => this.#button(choice)), []);
      this.root.classList.add("menu");
    }
  }

  #cubes() {
    return [...new Set(this.choices.filter((choice) => choice.block === "lay").map((choice) => choice.cube))];
  }

  #draw() {
    const lays = this.choices.filter((choice) => choice.block === "lay");
    const turns = this.choices.filter((choice) => choice.block === "turn");
    const rest = this.choices.filter((choice) => choice.block !== "lay" && choice.block !== "turn");
    const isDrawn = (choice) => choice.targets.some((target) => this.board.elements(target).length > 0);
    const isMain = (choice) => !isDrawn(choice) || MAIN.includes(choice.block) || rest.length <= FEW;
    this.board.light(this.choices.filter((choice) => choice.block !== "lay" || choice.cube === this.cube));
    const shown = rest.filter(isMain).map((choice, number) => this.#button(choice, number + 1));
    const others = [...rest.filter((choice) => !isMain(choice)), ...lays.filter((choice) => choice.cube === this.cube)];
    this.#fill([...this.#palette(), ...this.#turning(turns), ...shown], others);
  }

  #fill(main, others) {
    this.root.classList.remove("menu");
    const more = node("details", { class: "more" }, node("summary", {}, `${others.length} answers on the board, in words`));
    more.append(...others.map((choice) => this.#button(choice)));
    this.root.replaceChildren(...main, ...(others.length ? [more] : []));
  }

  #button(choice, number = 0) {
    const key = number > 0 && number < 10 ? node("kbd", {}, String(number)) : null;
    const note = choice.note ? node("small", {}, choice.note) : null;
    const dice = Array.from({ length: choice.dice }, () => node("i", { class: `die cube ${choice.cube}`, "aria-hidden": "true" }));
    const made = button(node("span", {}, choice.words), () => this.send(choice.action), { "data-choice": choice.action, "data-info": choice.about, class: choice.block });
    made.append(...[...dice, key, note].filter(Boolean));
    if (key) made.dataset.key = number;
    return made;
  }

  // cubes

  #palette() {
    const kinds = this.#cubes();
    if (!kinds.length) return [];
    const cubes = kinds.map((kind) => {
      const made = button(kind, () => this.#hold(kind), { class: `cube ${kind}`, "aria-pressed": kind === this.cube, "data-cube": kind });
      made.setAttribute("aria-pressed", String(kind === this.cube));
      made.addEventListener("pointerdown", (event) => this.#drag(event, kind));
      return made;
    });
    return [node("div", { class: "palette", role: "group", "aria-label": "cube to lay" }, "Drag a cube to a cell, or click: ", ...cubes)];
  }

  #hold(kind) {
    this.cube = kind;
    this.#draw();
  }

  #drag(down, kind) {
    const ghost = node("div", { class: `ghost cube ${kind}` });
    const follow = (event) => {
      if (!ghost.isConnected && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 6) {
        if (this.cube !== kind) this.#hold(kind);
        document.body.append(ghost);
      }
      ghost.style.left = `${event.clientX}px`;
      ghost.style.top = `${event.clientY}px`;
    };
    const drop = (event) => {
      document.removeEventListener("pointermove", follow);
      const wasDragged = ghost.isConnected;
      ghost.remove();
      const cell = wasDragged && document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-action]");
      if (cell && this.board.lit.has(cell)) this.choose(this.board.lit.get(cell));
    };
    document.addEventListener("pointermove", follow);
    document.addEventListener("pointerup", drop, { once: true });
  }

  // a tile to turn

  #turning(turns) {
    this.board.overlay("");
    if (!turns.length) return [];
    if (this.turn >= turns.length) this.turn = 0;
    const show = () => this.board.overlay(this.turns[Number(turns[this.turn].words.split(" ")[1])] ?? "");
    const move = (by) => { this.turn = (this.turn + by + turns.length) % turns.length; show(); };
    const turner = (label, by, name, key) => {
      const made = button(label, () => move(by), { class: name });
      made.append(node("kbd", {}, key));
      return made;
    };
    show();
    this.lay = () => this.send(turns[this.turn].action);
    this.move = move;
    return [
      turner("⟲ turn left", -1, "turn-left", "←"),
      turner("turn right ⟳", 1, "turn-right", "→"),
      button("lay the tile like this", () => this.lay(), { class: "turn", "data-choice": turns[0].action }),
    ];
  }

  // keys

  #typed(event) {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const isTurning = this.choices.some((choice) => choice.block === "turn");
    if (isTurning && event.key === "ArrowLeft") this.move(-1);
    else if (isTurning && event.key === "ArrowRight") this.move(1);
    else if (/^[1-9]$/.test(event.key)) find(`[data-key="${event.key}"]`, this.root)?.click();
  }
}
