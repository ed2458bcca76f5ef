// A recorded game: any step, what agents think of it, and branches.

import { Board } from "./board.js";
import { drawCurves } from "./chart.js";
import { ask, attempt, find, node, svgNode, toast } from "./dom.js";

const base = `/api/replay/${location.pathname.split("/")[2]}`;
const STEPS_A_SECOND = 3;
const LABELS = 8; // values drawn on the map
const SEARCHES = ["mcts:iterations=50", "mcts:iterations=100", "mcts:iterations=400"]; // these judge by shares of the win
const FIND = "find blunders";
const STOP = "stop the search";
let game; // the timeline
let at = -1;
let state;
let playing = 0;
let searching = 0;
let blunders = [];

const board = new Board(find("#board"), () => {}, async (about) => (
  await ask(`${base}/explain?step=${at}&about=${encodeURIComponent(about)}`)).text);

const goTo = attempt(async (step) => {
  const wanted = Math.max(0, Math.min(game.last, step));
  if (wanted === at) return;
  const next = await ask(`${base}/at/${wanted}${at >= 0 ? `?before=${at}` : ""}`);
  at = wanted;
  state = next;
  board.show(state);
  board.overlay("");
  find("#judged").replaceChildren();
  showStep();
  if (find("#always").checked) await judge();
});

function showStep() {
  const who = state.actor < 0 ? "" : `${game.names[state.actor]} (player ${state.actor}): `;
  find("#question").textContent = `${who}${state.question}`;
  const done = at < game.last ? `Chosen: ${game.steps[at][1]}.` : "";
  find("#detail").textContent = [state.detail, done].filter(Boolean).join(" · ");
  find("#round").textContent = `round ${state.round} of ${state.rounds}`;
  find("#slider").value = String(at);
  find("#step").textContent = `step ${at} of ${game.last}`;
  document.body.dataset.step = at;
  showCurves();
  for (const line of find("#log").children) line.classList.toggle("past", Number(line.dataset.step) <= at);
  const now = [...find("#log").children].findLast((line) => line.classList.contains("past"));
  if (now) find("#log").scrollTop = now.offsetTop - find("#log").offsetTop - 80;
}

function showCurves() {
  const svg = find("#curves");
  drawCurves(svg, game.points, game.has_vp ? state.players : [], { fight: game.fights, lead: game.leads.map(([step]) => step), blunder: blunders.map(({ step }) => step) });
  const x = (at / Math.max(1, game.last)) * svg.viewBox.baseVal.width;
  svg.append(svgNode("line", { x1: x, x2: x, y1: 0, y2: svg.viewBox.baseVal.height, class: "now" }));
}

async function judge() {
  const step = at;
  const found = await ask(`${base}/values/${step}?agent=${encodeURIComponent(find("#agent").value)}`);
  if (step !== at) return;
  showJudged(found);
}

/** Lists what the agent thinks, and draws it on the board. */
function showJudged(found) {
  const rows = found.values.slice(0, 12).map((value) => node("tr", { class: value.action !== null && value.action === found.played ? "played" : "" },
    node("td", {}, value.what.replaceAll("_", " ")), node("td", {}, value.worth.toFixed(2))));
  const unit = found.values[0]?.unit;
  find("#judged").replaceChildren(
    node("p", {}, node("b", {}, `${found.by} would choose: ${found.name}`), found.why ? ` – ${found.why}` : ""),
    ...(rows.length ? [node("table", {}, node("caption", {}, `value of each option, in ${unit}; bold: what was played`), ...rows)] : []),
  );
  const byAction = new Map(state.choices.map((choice) => [choice.action, choice]));
  const labels = found.values.slice(0, LABELS).flatMap((value) => {
    const target = value.space !== null ? `space ${value.space}` : byAction.get(value.action)?.targets[0];
    return target?.startsWith("space") ? [label(target, value.worth.toFixed(value.unit === "VP" ? 1 : 2))] : [];
  });
  board.overlay(labels.join(""));
  const chosen = byAction.get(found.action);
  board.light(chosen ? [chosen] : []);
}

/** A value beside a space of the map. */
function label(target, worth) {
  const element = board.elements(target)[0];
  const scale = 0.875; // of the map
  const box = element.getBBox();
  const [x, y] = [(box.x + box.width / 2) * scale, (box.y + box.height / 2) * scale];
  return `<g class="worth"><rect x="${x - 17}" y="${y - 9}" width="34" height="18" rx="5"/><text x="${x}" y="${y + 5}" text-anchor="middle">${worth}</text></g>`;
}

/** Judges all decisions one after the other. Another click on the button stops the search. */
async function findBlunders() {
  const isRunning = find("#blunders").textContent === STOP;
  const run = (searching += 1);
  find("#blunders").textContent = isRunning ? FIND : STOP;
  if (isRunning) return;
  const share = Number(find("#share").value) / 100;
  const judge = find("#judge-agent").value;
  blunders = [];
  for (let step = 0; step < game.last && run === searching; step += 1) {
    const found = await ask(`${base}/values/${step}?agent=${encodeURIComponent(judge)}`);
    if (run !== searching) return;
    if (found.lost !== null && found.lost > share) blunders.push({ step, ...found });
    find("#searched").textContent = `${step + 1} of ${game.last}`;
    find("#blunder-list").replaceChildren(...blunders.map((one) => node("li", {}, node("a", { href: "#", onclick: (event) => { event.preventDefault(); goTo(one.step); } },
      `step ${one.step}: ${game.names[game.steps[one.step][0]]}, ${game.steps[one.step][1]}, loses ${(100 * one.lost).toFixed(0)} %; better: ${one.name}`))));
    if (step % 10 === 0) showCurves();
  }
  find("#blunders").textContent = FIND;
  showCurves();
}

function play() {
  clearInterval(playing);
  const starts = find("#play").textContent === "play" && at < game.last;
  find("#play").textContent = starts ? "pause" : "play";
  if (starts) playing = setInterval(() => { if (at < game.last) goTo(at + 1); else play(); }, 1000 / STEPS_A_SECOND);
}

async function branch() {
  const seats = [...find("#branch-seats").children].map((row) => (find("select", row).value ? { agent: find("select", row).value } : { name: "" }));
  const links = await ask(`${base}/branch/${at}`, { seats });
  location.href = links.seats[0]?.link ?? links.host;
}

async function copy(what) {
  const text = (await ask(`${base}/copies/${at}`))[what];
  if (!text) { toast("this recording began with a position, so it has no seed"); return; }
  find("#copied").value = text;
  find("#copied").hidden = false;
  find("#copied").select();
  await navigator.clipboard?.writeText(text).then(() => toast("copied"), () => toast("marked below: copy it from there"));
}

attempt(async () => {
  const [timeline, offer] = await Promise.all([ask(base), ask("/api/lobby")]);
  const other = offer.others.find(({ name }) => name === timeline.game);
  const agents = other?.agents ?? offer.agents;
  const searches = agents.some(({ name }) => name === "mcts") ? SEARCHES : [];
  const usual = other ? agents[0].name : "shogun";
  const player = other || timeline.has_vp ? usual : "band"; // of the seats of a branch
  game = timeline;
  find("#slider").max = String(game.last);
  find(".of-fights").hidden = other !== undefined;
  for (const each of document.querySelectorAll(".of-search")) each.hidden = searches.length === 0;
  find("#judge-agent").replaceChildren(...searches.map((name) => node("option", { selected: name === SEARCHES[1] }, name)));
  const others = agents.filter(({ name }) => ![usual, "random"].includes(name)).map(({ name, label }) => [name, label]);
  const judges = [[usual, usual], ...searches.map((name) => [name, name]), ...others];
  find("#agent").replaceChildren(...judges.map(([value, label]) => node("option", { value }, label)));
  find("#branch-seats").replaceChildren(...game.names.map((name, seat) => node("label", {}, `seat ${seat}, ${name} `,
    node("select", {}, node("option", { value: "" }, "a person"), ...agents.map((agent) => node("option", { value: agent.name, selected: seat > 0 && agent.name === player }, agent.label))))));
  for (const each of document.querySelectorAll(".of-vp")) each.toggleAttribute("hidden", !game.has_vp);
  find("#curves").classList.toggle("low", !game.has_vp);
  find("#log").replaceChildren(...game.told.map(([step, line]) => node("li", { "data-step": step, tabindex: 0, onclick: () => goTo(step) }, line)));
  await goTo(Number(location.hash.slice(1)) || 0);
  document.body.dataset.ready = "yes";
})();

for (const each of document.querySelectorAll("[data-go]")) each.addEventListener("click", () => goTo(at + Number(each.dataset.go)));
for (const each of document.querySelectorAll("[data-copy]")) each.addEventListener("click", attempt(() => copy(each.dataset.copy)));
find("#slider").addEventListener("input", (event) => goTo(Number(event.target.value)));
find("#curves").addEventListener("click", (event) => {
  const box = find("#curves").getBoundingClientRect();
  goTo(Math.round(((event.clientX - box.left) / box.width) * game.last));
});
find("#judge").addEventListener("click", attempt(judge));
find("#blunders").addEventListener("click", attempt(async () => {
  try {
    await findBlunders();
  } catch (error) {
    find("#blunders").textContent = FIND;
    throw error;
  }
}));
find("#branch").addEventListener("click", attempt(branch));
find("#play").addEventListener("click", play);
document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, select, textarea")) return;
  if (event.key === "ArrowLeft") goTo(at - 1);
  if (event.key === "ArrowRight") goTo(at + 1);
});
